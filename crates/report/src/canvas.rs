//! Where a picture goes: the terminal, or a file that is written whole or not at all.

use std::path::PathBuf;
use std::str::FromStr;

use haggle_model::Error;
use haggle_output::{NewFile, Readers};
use haggle_plot::Picture;

/// The formats of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Lines and letters that scale.
    Svg,
    /// Points.
    Png,
}

/// Where a picture goes.
///
/// ```
/// use haggle::plot::{Canvas, PictureFormat};
///
/// assert_eq!("-".parse::<Canvas>()?, Canvas::Terminal);
/// assert_eq!("front.SVG".parse::<Canvas>()?, Canvas::File("front.SVG".into(), PictureFormat::Svg));
/// assert!("front.pdf".parse::<Canvas>().is_err());
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canvas {
    /// Printed as characters.
    Terminal,
    /// Written to a file.
    File(PathBuf, PictureFormat),
}

impl FromStr for Canvas {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "-" {
            return Ok(Self::Terminal);
        }
        let path = PathBuf::from(text);
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("svg") => Ok(Self::File(path, PictureFormat::Svg)),
            Some("png") => Ok(Self::File(path, PictureFormat::Png)),
            _ => Err(Error::new(
                format!("'{text}' does not say what kind of picture it is to be"),
                "name a file that ends in .svg or .png, or - for the terminal",
            )),
        }
    }
}

impl Canvas {
    /// Whether a picture can be put there, to be asked before long work; `replaces` allows a file to
    /// be replaced.
    pub fn check(&self, replaces: bool) -> Result<(), Error> {
        self.file(replaces).map_or(Ok(()), |file| file.check())
    }

    fn file(&self, replaces: bool) -> Option<NewFile<'_>> {
        match self {
            Self::Terminal => None,
            Self::File(path, _) => Some(NewFile { path, noun: "picture", replaces }),
        }
    }

    /// Writes the picture, whole or not at all; what is to be printed is handed back.
    pub fn draw(&self, picture: &Picture, replaces: bool) -> Result<Option<String>, Error> {
        let bytes = match self {
            Self::Terminal => return Ok(Some(picture.text())),
            Self::File(_, PictureFormat::Svg) => picture.svg().into_bytes(),
            Self::File(_, PictureFormat::Png) => picture.png()?,
        };
        let written = self.file(replaces).map(|file| file.write(&bytes, Readers::AsUsual));
        written.transpose().map(|_| None)
    }
}

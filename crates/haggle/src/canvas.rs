//! Where a picture goes: the terminal, or a file that is written whole or not at all.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use haggle_model::{Error, Problem};
use haggle_output::{Existing, Readers};
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
    /// Whether a picture can be put there, to be asked before long work.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Terminal => Ok(()),
            Self::File(path, _) => check_writable(path),
        }
    }

    /// Writes the picture, whole or not at all; what is to be printed is handed back.
    pub fn draw(&self, picture: &Picture) -> Result<Option<String>, Error> {
        let (path, bytes) = match self {
            Self::Terminal => return Ok(Some(picture.text())),
            Self::File(path, PictureFormat::Svg) => (path, picture.svg().into_bytes()),
            Self::File(path, PictureFormat::Png) => (path, picture.png()?),
        };
        self.check()?;
        haggle_output::write(path, &bytes, Readers::AsUsual)?;
        Ok(None)
    }
}

fn check_writable(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(path).fix(fix).into());
    match Existing::at(path) {
        Existing::Folder => refuse("the picture would be a folder", "name a file"),
        Existing::Special => refuse("the picture would be a pipe or a device", "name a file"),
        Existing::NoFolder => refuse("there is no such folder", "create it, or name another file"),
        Existing::Nothing | Existing::File => Ok(()),
    }
}

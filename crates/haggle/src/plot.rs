//! Pictures of answers: data in, a drawing out, as SVG, as PNG or as characters.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use haggle_data::output::{self, Existing, Readers};
use haggle_model::Problem;

use crate::Error;

mod axis;
mod bars;
mod compared;
mod font;
mod front;
mod lattice;
mod lines;
mod page;
mod png;
mod scene;
mod shade;
mod steps;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;

pub use bars::{Bars, Height};
pub use compared::{Bar, Compared};
pub use front::{Front, Point};
pub use lattice::{Kind, Lattice, Offer};
pub use lines::Lines;
pub use page::Caption;
pub use steps::Steps;

pub(crate) use axis::{grouped, records};

/// Something to look at.
///
/// ```
/// use haggle::plot::{Bars, Caption, Height, Picture};
///
/// let caption = Caption { title: "Records suppressed".into(), asked: vec!["k = 3".into()] };
/// let height = Height { height: 0, schemes: 1, least: 554, mean: 554.0, most: 554 };
/// let picture = Picture::Bars(Bars { caption, records: 30_162, heights: vec![height] });
/// assert!(picture.svg().contains("<title>Records suppressed</title>"));
/// assert!(picture.text().contains("records suppressed, of 30,162"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// Privacy against loss.
    Front(Front),
    /// Suppression by height.
    Bars(Bars),
    /// Suppression by threshold under one scheme.
    Steps(Steps),
    /// Every scheme by height and suppression.
    Lattice(Lattice),
    /// Curves over the same numbers.
    Lines(Lines),
    /// Strategies side by side.
    Compared(Compared),
}

impl Picture {
    fn scene(&self) -> scene::Scene {
        match self {
            Self::Front(front) => front.scene(),
            Self::Bars(bars) => bars.scene(),
            Self::Steps(steps) => steps.scene(),
            Self::Lattice(lattice) => lattice.scene(),
            Self::Lines(lines) => lines.scene(),
            Self::Compared(compared) => compared.scene(),
        }
    }

    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        svg::svg(&self.scene())
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        png::png(&self.scene()).ok_or_else(|| {
            Error::new("the picture is too large for a PNG file", "name a file that ends in .svg")
        })
    }

    /// The picture made of characters, for a terminal.
    pub fn text(&self) -> String {
        match self {
            Self::Front(front) => front.text(),
            Self::Bars(bars) => bars.text(),
            Self::Steps(steps) => steps.text(),
            Self::Lattice(lattice) => lattice.text(),
            Self::Lines(lines) => lines.text(),
            Self::Compared(compared) => compared.text(),
        }
    }
}

/// The formats of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and letters that scale.
    Svg,
    /// Points.
    Png,
}

/// Where a picture goes.
///
/// ```
/// use haggle::plot::{Canvas, Format};
///
/// assert_eq!("-".parse::<Canvas>()?, Canvas::Terminal);
/// assert_eq!("front.SVG".parse::<Canvas>()?, Canvas::File("front.SVG".into(), Format::Svg));
/// assert!("front.pdf".parse::<Canvas>().is_err());
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canvas {
    /// Printed as characters.
    Terminal,
    /// Written to a file.
    File(PathBuf, Format),
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
            Some("svg") => Ok(Self::File(path, Format::Svg)),
            Some("png") => Ok(Self::File(path, Format::Png)),
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
            Self::File(path, Format::Svg) => (path, picture.svg().into_bytes()),
            Self::File(path, Format::Png) => (path, picture.png()?),
        };
        self.check()?;
        output::write(path, &bytes, Readers::AsUsual)?;
        Ok(None)
    }
}

fn check_writable(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(path).fix(fix).into());
    match Existing::at(path) {
        Existing::Folder => refuse("the picture would be a folder", "name a file with --plot"),
        Existing::Special => {
            refuse("the picture would be a pipe or a device", "name a file with --plot")
        }
        Existing::NoFolder => {
            refuse("there is no such folder", "create it, or name another file with --plot")
        }
        Existing::Nothing | Existing::File => Ok(()),
    }
}

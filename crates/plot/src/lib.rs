//! Pictures of answers: data in, a drawing out, as SVG, as PNG or as characters.

use haggle_model::Error;

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

pub use bars::{Bars, HeightBar};
pub use compared::{Bar, Compared};
pub use front::{Front, Point};
pub use lattice::{Lattice, MarkKind, Offer};
pub use lines::Lines;
pub use page::Caption;
pub use steps::Steps;

/// A picture.
///
/// ```
/// use haggle_plot::{Bars, Caption, HeightBar, Picture};
///
/// let caption = Caption { title: "Records suppressed".into(), asked: vec!["k = 3".into()] };
/// let height = HeightBar { height: 0, schemes: 1, least: 554, mean: 554.0, most: 554 };
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

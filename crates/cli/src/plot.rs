//! The argument that asks for a picture.

use anyhow::ensure;
use clap::Args;
use haggle::plot::{Canvas, Picture};

/// Whether and where there is to be a picture.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlotArgs {
    /// Draw a picture: FILE.svg, FILE.png, or - for one made of characters
    #[arg(long, value_name = "FILE")]
    plot: Option<Canvas>,
    /// Replace a file that is there
    #[arg(long, requires = "plot")]
    force: bool,
}

impl PlotArgs {
    /// Refuses what cannot be drawn, before any work; `data` says that the output is for programs.
    pub(crate) fn check(&self, data: bool) -> anyhow::Result<()> {
        ensure!(
            !(data && self.plot == Some(Canvas::Terminal)),
            "a picture would be mixed with the data\n    fix: name a file with --plot, or leave out --json and --csv"
        );
        self.plot.as_ref().map_or(Ok(()), |canvas| Ok(canvas.check(self.force)?))
    }

    /// Draws the picture if one is requested; returns the text to print.
    pub(crate) fn draw(
        &self,
        picture: impl FnOnce() -> Result<Picture, haggle::Error>,
    ) -> anyhow::Result<String> {
        let Some(canvas) = &self.plot else { return Ok(String::new()) };
        let printed = canvas.draw(&picture()?, self.force)?;
        Ok(printed.map_or(String::new(), |printed| format!("\n{printed}")))
    }

    /// Draws the picture; draws it with characters if no file is requested.
    pub(crate) fn draw_anyway(
        &self,
        picture: impl FnOnce() -> Result<Picture, haggle::Error>,
    ) -> anyhow::Result<String> {
        let picture = picture()?;
        self.draw(|| Ok(picture.clone()))?;
        Ok(format!("\n{}", picture.text()))
    }
}

//! Where a report goes: a file that is written whole or not at all.

use std::path::PathBuf;

use haggle_api::{ReportForm, ReportFormat};
use haggle_model::Error;
use haggle_output::{NewFile, Readers};

use crate::types::PublicationDossier;
use crate::{html, markdown};

/// The file of a report; its ending says the format.
///
/// ```
/// use haggle_report::{ReportFile, ReportFormat};
///
/// assert_eq!(ReportFile::at("out/report.html")?.format(), ReportFormat::Html);
/// assert!(ReportFile::at("report.pdf").is_err());
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    path: PathBuf,
    format: ReportFormat,
    replaces: bool,
}

impl ReportFile {
    /// Reads the format from the ending: .html, .md or .json.
    pub fn at(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match ending.to_str() {
            Some("html" | "htm") => ReportFormat::Html,
            Some("md" | "markdown") => ReportFormat::Markdown,
            Some("json") => ReportFormat::Json,
            _ => {
                let what = format!("'{}' does not say the format of the report", path.display());
                return Err(Error::new(what, "name a file that ends in .html, .md or .json"));
            }
        };
        Ok(Self::new(path, format))
    }

    /// The file of a report in this format, whatever its ending.
    pub fn new(path: impl Into<PathBuf>, format: ReportFormat) -> Self {
        Self { path: path.into(), format, replaces: false }
    }

    /// The format.
    pub fn format(&self) -> ReportFormat {
        self.format
    }

    /// Sets whether an existing file may be replaced; it may not by default.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { replaces, ..self }
    }

    /// Returns whether the file can be written, to be asked before long work.
    pub fn check(&self) -> Result<(), Error> {
        self.file().check()
    }

    fn file(&self) -> NewFile<'_> {
        NewFile { path: &self.path, noun: "report", replaces: self.replaces }
    }

    /// Writes a report; a private one is readable by its owner only.
    pub fn write(&self, report: &PublicationDossier) -> Result<(), Error> {
        let readers = match report.form {
            ReportForm::Public => Readers::AsUsual,
            ReportForm::Private => Readers::Owner,
        };
        self.file().write(report.text(self.format).as_bytes(), readers)
    }
}

impl PublicationDossier {
    /// Formats the report.
    pub fn text(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Html => html::page(self),
            ReportFormat::Markdown => markdown::text(self),
            ReportFormat::Json => {
                serde_json::to_string_pretty(self).expect("a report is plain data") + "\n"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format_in_any_case() {
        for (name, expected) in [
            ("r.html", Some(ReportFormat::Html)),
            ("r.HTM", Some(ReportFormat::Html)),
            ("r.md", Some(ReportFormat::Markdown)),
            ("r.markdown", Some(ReportFormat::Markdown)),
            ("r.json", Some(ReportFormat::Json)),
            ("r", None),
            ("r.txt", None),
            ("html", None),
        ] {
            assert_eq!(ReportFile::at(name).ok().map(|file| file.format()), expected, "{name}");
        }
    }
}

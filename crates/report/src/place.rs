//! Where a report goes: a file that is written whole or not at all.

use std::path::{Path, PathBuf};

use haggle_model::{Error, Problem};
use haggle_output::{Existing, Readers};

use crate::types::{PublicationDossier, ReportForm};
use crate::{html, markdown};

/// The formats of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// A page that needs nothing else.
    Html,
    /// Text with tables.
    Markdown,
    /// The numbers.
    Json,
}

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
        Ok(Self { path, format })
    }

    /// The format.
    pub fn format(&self) -> ReportFormat {
        self.format
    }

    /// Returns whether the file can be written, to be asked before long work.
    pub fn check(&self) -> Result<(), Error> {
        check_writable(&self.path)
    }

    /// Writes a report; a private one is readable by its owner only.
    pub fn write(&self, report: &PublicationDossier) -> Result<(), Error> {
        self.check()?;
        let readers = match report.form {
            ReportForm::Public => Readers::AsUsual,
            ReportForm::Private => Readers::Owner,
        };
        haggle_output::write(&self.path, self.format.text(report).as_bytes(), readers)
    }
}

impl ReportFormat {
    /// Formats a report.
    pub fn text(self, report: &PublicationDossier) -> String {
        match self {
            Self::Html => html::page(report),
            Self::Markdown => markdown::text(report),
            Self::Json => {
                serde_json::to_string_pretty(report).expect("a report is plain data") + "\n"
            }
        }
    }
}

fn check_writable(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(path).fix(fix).into());
    match Existing::at(path) {
        Existing::Folder => refuse("the report would be a folder", "name a file"),
        Existing::Special => refuse("the report would be a pipe or a device", "name a file"),
        Existing::NoFolder => refuse("there is no such folder", "create it, or name another file"),
        Existing::Nothing | Existing::File => Ok(()),
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

    #[test]
    fn a_report_needs_a_folder_that_is_there_and_is_no_folder_itself() {
        let here = std::env::temp_dir();
        assert!(check_writable(&here.join("no-such-report.html")).is_ok());
        for (path, what) in [
            (here.clone(), "would be a folder"),
            (here.join("no-such-folder/r.md"), "no such folder"),
        ] {
            let error = check_writable(&path).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}

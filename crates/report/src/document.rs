//! A report as sections, before it becomes a page or Markdown.

use crate::sections::ReportSection;
use crate::types::PublicationDossier;
use crate::{in_private, in_public};
use haggle_api::ReportForm;

/// The title of a report.
pub(crate) fn title(report: &PublicationDossier) -> String {
    format!("Anonymization of {}", report.project)
}

/// One sentence below the title.
pub(crate) fn subtitle(report: &PublicationDossier) -> String {
    let form = match report.form {
        ReportForm::Public => {
            "Public report: it follows from the published records and from what the curator stated."
        }
        ReportForm::Private => {
            "PRIVATE report, for the curator and the data-protection officer. Do not publish it."
        }
    };
    format!("{form} Written by haggle {}.", report.haggle)
}

/// Returns all sections in order.
pub(crate) fn sections(report: &PublicationDossier) -> Vec<ReportSection> {
    let private = report.private.iter().flat_map(|private| in_private::sections(private));
    in_public::sections(report).into_iter().chain(private).collect()
}

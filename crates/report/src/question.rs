//! The question of the catalog about reports.

use haggle_api::{Ask, Document, ReportQuestion};
use haggle_assess::queries::read_workload;
use haggle_engine::{Answered, Asking, QuestionEntry};
use haggle_model::Error;

use crate::{PublicationDossier, ReportAsk, gather};

/// Answers by reports.
#[derive(Debug)]
pub enum ByReport {}

/// The questions that this crate answers.
pub const QUESTIONS: &[QuestionEntry] = &[QuestionEntry::of::<ReportQuestion, ByReport>()];

/// Gathers the report that a question is about.
pub fn report(
    question: &ReportQuestion,
    request: &Ask,
    asking: &Asking<'_>,
) -> Result<PublicationDossier, Error> {
    let file = |name: &std::path::PathBuf| (asking.files)(name);
    let workload = question.workload.as_ref().map(file).transpose()?;
    let ask = ReportAsk {
        request: request.clone(),
        utility: question.utility(),
        queries: workload.map(|path| read_workload(&path)).transpose()?,
        published: question.published.as_ref().map(file).transpose()?,
        form: question.form,
    };
    gather(asking.engine, &ask, asking.progress)
}

impl Answered<ByReport> for ReportQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Document, Error> {
        let report = report(self, request, asking)?;
        let (_, media_type) = self.format.described();
        let content = report.text(self.format).into_bytes();
        Ok(Document { name: Some(self.file_name()), media_type, content })
    }
}

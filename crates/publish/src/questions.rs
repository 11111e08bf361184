//! The questions of the catalog about what would be published.

use std::path::Path;

use haggle_api::{Ask, Preview, PreviewQuestion, RiskAsk, RiskReport};
use haggle_engine::{Answered, Asking, QuestionEntry};
use haggle_model::Error;

use crate::publish::{PublishOptions, preview_of};
use crate::whole::risk;
use haggle_assess::RiskInputs;

/// Answers by plans of publications.
#[derive(Debug)]
pub enum ByPlanning {}

/// The questions that this crate answers.
pub const QUESTIONS: &[QuestionEntry] = &[
    QuestionEntry::of::<RiskAsk, ByPlanning>(),
    QuestionEntry::of::<PreviewQuestion, ByPlanning>(),
];

impl Answered<ByPlanning> for RiskAsk {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<RiskReport, Error> {
        if !request.privacy.is_empty() {
            asking.engine.prepare(request, &[], asking.progress)?;
        }
        let file = |name: &Path| (asking.files)(name);
        let conditionals = self.prior.strip_prefix("conditionals:").map(Path::new);
        let conditionals = conditionals.map(file).transpose()?;
        let inputs = RiskInputs {
            population: self.population.as_deref().map(file).transpose()?,
            files: conditionals.is_some(),
            memory: asking.engine.memory(),
            progress: asking.progress,
        };
        let prior = conditionals.map(|path| format!("conditionals:{}", path.display()));
        let prior = prior.unwrap_or_else(|| self.prior.clone());
        risk(asking.engine, request, &Self { prior, ..self.clone() }, &inputs)
    }
}

impl Answered<ByPlanning> for PreviewQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Preview, Error> {
        let engine = asking.engine;
        let project = engine.project().ok_or_else(|| {
            let what = "a lattice file alone has no records to show";
            Error::new(what, "open the project")
        })?;
        engine.prepare(request, &[], asking.progress)?;
        let options = PublishOptions {
            memory: engine.memory(),
            progress: asking.progress,
            ..PublishOptions::of_request(self.publication(), request.clone())?
        };
        preview_of(engine, project, &options, self.rows)
    }
}

//! The questions of the catalog about what an analyst can do with a recoding.

use haggle_api::{
    Ask, ListedQuery, QueryAnswer, QueryAsk, QueryQuestion, RecodingChoice, Security,
    SecurityOptions, SecurityQuestion, UtilityAsk, UtilityReport, WorkloadAnswer, WorkloadQuestion,
};
use haggle_engine::{Answered, Asking, Engine, QuestionEntry};
use haggle_inference::Query;
use haggle_inference::workload::RandomQueries;
use haggle_model::Error;

use crate::queries::{QueriedPublication, over_schemes, query, read_workload, workload};
use crate::security::security;
use crate::utility::utility;

/// Answers by assessments of publications.
#[derive(Debug)]
pub enum ByAssessment {}

/// The questions that this crate answers.
pub const QUESTIONS: &[QuestionEntry] = &[
    QuestionEntry::of::<QueryQuestion, ByAssessment>(),
    QuestionEntry::of::<WorkloadQuestion, ByAssessment>(),
    QuestionEntry::of::<UtilityAsk, ByAssessment>(),
    QuestionEntry::of::<SecurityQuestion, ByAssessment>(),
];

impl Answered<ByAssessment> for UtilityAsk {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<UtilityReport, Error> {
        asking.engine.prepare(request, &[], asking.progress)?;
        utility(asking.engine, request, self, asking.progress)
    }
}

impl Answered<ByAssessment> for QueryQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<QueryAnswer, Error> {
        let publication = QueriedPublication {
            recoding: RecodingChoice::named(self.scheme.as_ref(), self.strategy.as_deref())
                .resolve()?,
            ask: request.clone(),
            suppressed: self.suppress,
        };
        let ask = QueryAsk {
            condition: self.condition.clone(),
            of: self.of.clone(),
            group_by: self.group_by.clone(),
            domain: self.domain,
        };
        query(asking.engine, &publication, &ask, asking.progress)
    }
}

impl Answered<ByAssessment> for WorkloadQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<WorkloadAnswer, Error> {
        let Asking { engine, progress, .. } = *asking;
        // The project's default request does not apply.
        let ask = Ask { only: true, ..request.clone() };
        let queries = queries(self, asking)?;
        if let Some(answer) = &self.every_scheme {
            let others = [("scheme", self.scheme.is_some()), ("strategy", self.strategy.is_some())];
            Ask::refuse(&others)?;
            let conditions: Vec<_> = queries.into_iter().map(|query| query.condition).collect();
            let found = over_schemes(engine, &ask, &conditions, answer, progress)?;
            return Ok(WorkloadAnswer::EveryScheme(found));
        }
        let recoding =
            RecodingChoice::named(self.scheme.as_ref(), self.strategy.as_deref()).resolve()?;
        let publication = QueriedPublication { recoding, ask, suppressed: self.suppress };
        workload(engine, &publication, &queries, progress).map(WorkloadAnswer::One)
    }
}

/// Returns the queries of a workload.
fn queries(question: &WorkloadQuestion, asking: &Asking<'_>) -> Result<Vec<Query>, Error> {
    match (&question.file, &question.queries, question.random) {
        (Some(file), None, None) => read_workload(&(asking.files)(file)?),
        (None, Some(listed), None) if !listed.is_empty() => listed.iter().map(parsed).collect(),
        (None, None, Some(queries)) => random(question, queries, asking.engine),
        _ => {
            let what = "a workload is a file, a list of queries, or a number of random ones";
            Err(Error::new(what, "give one of them"))
        }
    }
}

fn parsed(listed: &ListedQuery) -> Result<Query, Error> {
    let (condition, target) = match listed {
        ListedQuery::Condition(condition) => (condition, None),
        ListedQuery::Full(QueryAsk { condition, of, .. }) => (condition, of.clone()),
    };
    Ok(Query { condition: condition.parse()?, target })
}

fn random(
    question: &WorkloadQuestion,
    queries: usize,
    engine: &Engine,
) -> Result<Vec<Query>, Error> {
    let &WorkloadQuestion { dimensions, selectivity, seed, .. } = question;
    let random = RandomQueries { queries, dimensions, selectivity, seed };
    let conditions = random.draw(engine.cube().attributes())?;
    let asked = |condition| Query { condition, target: question.of.clone() };
    Ok(conditions.into_iter().map(asked).collect())
}

impl Answered<ByAssessment> for SecurityQuestion {
    fn answer(&self, _: &Ask, asking: &Asking<'_>) -> Result<Security, Error> {
        let usual = SecurityOptions::default();
        let options = SecurityOptions {
            on: self.on.clone(),
            width: self.width.unwrap_or(usual.width),
            scale: self.scale.unwrap_or(usual.scale),
            worst: self.worst.unwrap_or(usual.worst),
        };
        security(asking.engine, &self.scheme, &options)
    }
}

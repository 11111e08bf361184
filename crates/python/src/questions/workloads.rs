//! Queries on a publication, one or many.

use std::path::PathBuf;

use haggle::queries::{
    Condition, QueriedPublication, Query, QueryAsk, QueryDomain, RandomQueries, SuppressedRecords,
    read_workload,
};
use haggle::{Ask, Engine, Error, RecodingChoice, Scheme};
use serde::Deserialize;

use super::{Asked, json, split};

#[derive(Deserialize)]
struct QueryOfScheme {
    scheme: Option<Scheme>,
    strategy: Option<String>,
    #[serde(default)]
    condition: String,
    of: Option<String>,
    group_by: Option<String>,
    #[serde(default)]
    domain: QueryDomain,
    #[serde(default)]
    suppress: SuppressedRecords,
}

pub(super) fn query(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let fields = ["scheme", "strategy", "condition", "of", "group_by", "domain", "suppress"];
    let (ask, query) = split::<QueryOfScheme>(body, &fields)?;
    let QueryOfScheme { scheme, strategy, condition, of, group_by, domain, suppress } = query;
    let recoding = RecodingChoice::named(scheme.as_ref(), strategy.as_deref()).resolve()?;
    let publication = QueriedPublication { recoding, ask, suppressed: suppress };
    let query = QueryAsk { condition, of, group_by, domain };
    json(&haggle::queries::query(engine, &publication, &query, progress)?)
}

/// A query of a list: its condition, or all of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum ListedQuery {
    Condition(String),
    Full(QueryAsk),
}

impl ListedQuery {
    fn query(self) -> Result<Query, Error> {
        let (condition, target) = match self {
            Self::Condition(condition) => (condition, None),
            Self::Full(QueryAsk { condition, of, .. }) => (condition, of),
        };
        Ok(Query { condition: condition.parse()?, target })
    }
}

/// The queries of a workload: of a file, of a list, or random ones.
#[derive(Deserialize)]
struct Workload {
    file: Option<PathBuf>,
    queries: Option<Vec<ListedQuery>>,
    random: Option<usize>,
    #[serde(default = "two")]
    dimensions: usize,
    #[serde(default = "a_twentieth")]
    selectivity: f64,
    #[serde(default = "one")]
    seed: u64,
    of: Option<String>,
    scheme: Option<Scheme>,
    strategy: Option<String>,
    #[serde(default)]
    suppress: SuppressedRecords,
    /// Which answer's errors every scheme is compared by.
    every_scheme: Option<String>,
}

const WORKLOAD: [&str; 11] = [
    "file",
    "queries",
    "random",
    "dimensions",
    "selectivity",
    "seed",
    "of",
    "scheme",
    "strategy",
    "suppress",
    "every_scheme",
];

fn one() -> u64 {
    1
}

fn two() -> usize {
    2
}

fn a_twentieth() -> f64 {
    0.05
}

impl Workload {
    fn drawn(&mut self, engine: &Engine) -> Result<Vec<Query>, Error> {
        match (&self.file, self.queries.take(), self.random) {
            (Some(file), None, None) => read_workload(file),
            (None, Some(listed), None) if !listed.is_empty() => {
                listed.into_iter().map(ListedQuery::query).collect()
            }
            (None, None, Some(queries)) => {
                let &mut Self { dimensions, selectivity, seed, .. } = self;
                let random = RandomQueries { queries, dimensions, selectivity, seed };
                let conditions = random.draw(engine.cube().attributes())?.into_iter();
                let of = |condition| Query { condition, target: self.of.clone() };
                Ok(conditions.map(of).collect())
            }
            _ => {
                let what = "a workload is a file, a list of queries, or a number of random ones";
                Err(Error::new(what, "give one of them"))
            }
        }
    }
}

/// How far the answers to many queries are from the truth, under a scheme or under every one.
pub(super) fn workload(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, mut workload) = split::<Workload>(body, &WORKLOAD)?;
    // The project's default request does not apply.
    let ask = Ask { only: true, ..ask };
    let queries = workload.drawn(engine)?;
    if let Some(answer) = &workload.every_scheme {
        let conditions: Vec<Condition> = queries.into_iter().map(|query| query.condition).collect();
        let found = haggle::queries::over_schemes(engine, &ask, &conditions, answer, progress)?;
        return json(&found);
    }
    let (scheme, strategy) = (workload.scheme.as_ref(), workload.strategy.as_deref());
    let recoding = RecodingChoice::named(scheme, strategy).resolve()?;
    let publication = QueriedPublication { recoding, ask, suppressed: workload.suppress };
    json(&haggle::queries::workload(engine, &publication, &queries, progress)?)
}

//! Queries on a scheme before it is published: what an analyst would learn, next to the truth.

pub mod answers;
mod naming;
mod scan;
mod workload;

use std::collections::BTreeMap;

use haggle_api::{Ask, QueryAnswer, QueryAsk, SuppressedRecords};
use haggle_inference::{JointCounts, Knowledge, PublishedGroups, Suppression};
use haggle_model::{Error, Hierarchy, Progress, Scheme};

use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use haggle_engine::strategies::found_by;

pub use naming::with_recorded_values;
pub use scan::counts_with;
pub use workload::{load_workload, over_schemes, read_workload, workload, workload_on};

/// A publication that is asked: a recoding, thresholds whose failing groups are suppressed, and what
/// is published of suppressed records.
#[derive(Debug, Clone)]
pub struct QueriedPublication {
    /// The recoding.
    pub recoding: QueriedRecoding,
    /// For a scheme, only the thresholds count; without any, nothing is suppressed.
    pub ask: Ask,
    /// What is published of suppressed records.
    pub suppressed: SuppressedRecords,
}

/// How the table that is asked is recoded.
#[derive(Debug, Clone)]
pub enum QueriedRecoding {
    /// By a scheme.
    Scheme(Scheme),
    /// As a strategy finds it for the request, such as `mondrian`.
    Strategy(String),
}

/// The counts that queries need, and the scans that they took beyond the first.
#[derive(Debug)]
pub struct QueriedCounts {
    /// The counts.
    pub joint: JointCounts,
    /// The further scans.
    pub scans: u64,
    /// The hierarchies of columns that are published as recorded, by name.
    pub hierarchies: BTreeMap<String, Hierarchy>,
}

/// Answers a query as an analyst of the publication would, next to the truth.
///
/// ```
/// # use haggle::{Ask, Engine, Project};
/// # use haggle::queries::{QueriedPublication, QueriedRecoding, QueryAsk, SuppressedRecords};
/// # use haggle::{Scheme, Silent};
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race"]).open()?;
/// let publication = QueriedPublication {
///     recoding: QueriedRecoding::Scheme(Scheme::new([2, 0])),
///     ask: Ask::default(),
///     suppressed: SuppressedRecords::Drop,
/// };
/// let query = QueryAsk { condition: "age < 25 and race = White".into(), ..QueryAsk::default() };
/// let answer = haggle::queries::query(&engine, &publication, &query, &Silent)?;
/// assert_eq!(answer.result.corrected.total, answer.result.truth.unwrap().total);
/// # Ok::<(), haggle::Error>(())
/// ```
pub fn query(
    engine: &Engine,
    publication: &QueriedPublication,
    ask: &QueryAsk,
    progress: &dyn Progress,
) -> Result<QueryAnswer, Error> {
    let query = answers::parse(ask)?;
    let counts =
        counts_with(engine, &answers::columns(&[&query], ask.group_by.as_deref()), progress)?;
    let query = with_recorded_values(query, &counts);
    let groups = published(engine, publication, &counts.joint, progress)?;
    let knowledge = Knowledge::Table(&counts.joint);
    answers::answer(&groups, knowledge, ask, &query, engine.facts(), counts.scans)
}

/// The groups of a publication without those that fail.
pub fn published<'a>(
    engine: &Engine,
    publication: &QueriedPublication,
    joint: &'a JointCounts,
    progress: &dyn Progress,
) -> Result<PublishedGroups<'a>, Error> {
    let criteria = criteria(engine, &publication.ask)?;
    let recoded = match &publication.recoding {
        QueriedRecoding::Scheme(scheme) => Recoded::scheme(engine.cube(), engine.scheme(scheme)?),
        QueriedRecoding::Strategy(name) => {
            found_by(engine, &publication.ask, name, &criteria, progress)?
        }
    };
    let failing = recoded.failing(&criteria);
    let (_, applied) = recoded.to_applied();
    let kept = |part: usize| !failing.groups.contains(applied.codes(part));
    // Stars that are no crowd are not published.
    let suppression = match publication.suppressed {
        SuppressedRecords::Star if recoded.keeps_stars(&failing, &criteria) => Suppression::Starred,
        SuppressedRecords::Star | SuppressedRecords::Drop => Suppression::Dropped,
    };
    Ok(PublishedGroups::of(joint, &applied, kept, suppression))
}

/// The thresholds of a request; without any, nothing is suppressed.
pub fn criteria(engine: &Engine, ask: &Ask) -> Result<Vec<Criterion>, Error> {
    if ask.privacy.is_empty() { Ok(Vec::new()) } else { engine.criteria(ask) }
}

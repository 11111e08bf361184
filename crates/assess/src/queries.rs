//! Queries on a scheme before it is published: what an analyst would learn, next to the truth.

pub mod answers;
mod file;
mod naming;
mod scan;
mod workload;

use std::collections::BTreeMap;

use haggle_api::{Ask, Choice, QueryAnswer, QueryAsk, SuppressedRecords};
use haggle_inference::{JointCounts, Knowledge, PublishedGroups, Suppression};
use haggle_model::{Error, Hierarchy, Progress};

use haggle_engine::Engine;

use crate::examined::{AppliedGroups, criteria, examined};

pub use file::FileQueries;
pub use naming::with_recorded_values;
pub use scan::counts_with;
pub use workload::{load_workload, over_schemes, read_workload, workload, workload_on};

/// A publication that is asked: a recoding, thresholds whose failing groups are suppressed, and what
/// is published of suppressed records.
#[derive(Debug, Clone)]
pub struct QueriedPublication {
    /// The recoding: a scheme, or what a strategy finds for the request.
    pub recoding: Choice,
    /// For a scheme, only the thresholds count; without any, nothing is suppressed.
    pub ask: Ask,
    /// What is published of suppressed records.
    pub suppressed: SuppressedRecords,
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
/// # use haggle::{Ask, Choice, Engine, Project};
/// # use haggle::queries::{QueriedPublication, QueryAsk, SuppressedRecords};
/// # use haggle::{Scheme, Silent};
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race"]).open()?;
/// let publication = QueriedPublication {
///     recoding: Choice::Scheme(Scheme::new([2, 0])),
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
    if publication.recoding == Choice::Answer {
        let what = "a query is asked of a scheme or of what a strategy finds";
        return Err(Error::new(what, "name one of them"));
    }
    let QueriedPublication { recoding, ask, .. } = publication;
    let recoded = examined(engine, ask, recoding, &criteria, progress)?;
    let failing = recoded.failing(&criteria);
    let AppliedGroups { applied, kept, .. } = AppliedGroups::new(&recoded, &failing);
    // Stars that are no crowd are not published.
    let suppression = match publication.suppressed {
        SuppressedRecords::Star if recoded.keeps_stars(&failing, &criteria) => Suppression::Starred,
        SuppressedRecords::Star | SuppressedRecords::Drop => Suppression::Dropped,
    };
    Ok(PublishedGroups::new(joint, &applied, |part| kept[part], suppression))
}

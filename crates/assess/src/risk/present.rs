//! A publication that is judged together with earlier ones.

use haggle_api::Ask;
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_model::Progress;
use haggle_project::Project;

use crate::publications::{PublishedNames, ShownGroups};

/// A publication that is about to be made.
pub struct PresentPublication<'a> {
    /// The engine that counted the table.
    pub engine: &'a Engine,
    /// The project behind it.
    pub project: &'a Project,
    /// The recoding.
    pub recoded: &'a Recoded<'a>,
    /// The groups that are suppressed.
    pub failing: &'a Failing,
    /// The request.
    pub ask: &'a Ask,
    /// The thresholds of the request.
    pub criteria: &'a [Criterion],
    /// Its columns.
    pub names: PublishedNames,
    /// Its groups by their published values.
    pub groups: &'a ShownGroups,
    /// The sensitive attributes that it shows.
    pub sensitive: &'a [String],
    /// Below how many records a group singles people out.
    pub k: u64,
    /// Bytes for counting over the quasi-identifiers of earlier publications as well.
    pub memory: usize,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
}

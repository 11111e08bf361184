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
pub(crate) struct PresentPublication<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) project: &'a Project,
    pub(crate) recoded: &'a Recoded<'a>,
    pub(crate) failing: &'a Failing,
    pub(crate) ask: &'a Ask,
    pub(crate) criteria: &'a [Criterion],
    /// Its columns.
    pub(crate) names: PublishedNames,
    /// Its groups by their published values.
    pub(crate) groups: &'a ShownGroups,
    /// The sensitive attributes that it shows.
    pub(crate) sensitive: &'a [String],
    /// Below how many records a group singles people out.
    pub(crate) k: u64,
    /// Bytes for counting over the quasi-identifiers of earlier publications as well.
    pub(crate) memory: usize,
    pub(crate) progress: &'a dyn Progress,
}

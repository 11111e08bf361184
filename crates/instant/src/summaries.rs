//! The summaries, one file each.

mod bayes;
mod bayes_greedy;
mod histogram;
mod pg;
mod sample;

use crate::SummaryKind;

/// Every summary.
pub static CATALOG: &[&SummaryKind] =
    &[&histogram::KIND, &bayes::KIND, &bayes_greedy::KIND, &sample::KIND, &pg::KIND];

/// The summary of this name.
///
/// ```
/// assert_eq!(haggle_instant::find("bayes").unwrap().title, "Bayesian network (tree)");
/// ```
pub fn find(id: &str) -> Option<&'static SummaryKind> {
    CATALOG.iter().copied().find(|kind| kind.id == id)
}

//! A Bayesian network in which each attribute depends on at most two others.
//!
//! Edges are added one by one, each the one that improves Schwarz's criterion most, until none
//! does. Citation: G. Schwarz, "Estimating the dimension of a model", Annals of Statistics 6(2),
//! 1978.

use crate::network::{SampleRecords, greedy};
use crate::{Error, Needs, Summary, SummaryInput, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "bayes-greedy",
    title: "Bayesian network (greedy)",
    definition: "Edges between attributes as long as they improve the fit more than they cost, learned from a sample.",
    needs: Needs::Sample,
    make,
};

fn make(basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
    let records = SampleRecords::of(basis)?;
    let parents = greedy(&records);
    Ok(Box::new(records.network(basis, parents)?))
}

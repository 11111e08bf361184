//! A Bayesian network in which each attribute depends on at most two others.
//!
//! Edges are added one after the other, each the one that improves Schwarz's criterion most, until
//! none does. Citation: G. Schwarz, "Estimating the dimension of a model", Annals of Statistics
//! 6(2), 1978.

use crate::network::{Records, greedy};
use crate::{Basis, Error, Needs, Summary, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "bayes-greedy",
    title: "Bayesian network (greedy)",
    definition: "Edges between attributes as long as they pay for themselves, learned from a sample.",
    needs: Needs::Sample,
    make,
};

fn make(basis: &Basis) -> Result<Box<dyn Summary>, Error> {
    let records = Records::of(basis)?;
    let parents = greedy(&records);
    Ok(Box::new(records.network(basis, parents)?))
}

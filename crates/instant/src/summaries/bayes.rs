//! A Bayesian network in which each attribute depends on at most one other.
//!
//! Citation: C. Chow, C. Liu, "Approximating discrete probability distributions with dependence
//! trees", IEEE Transactions on Information Theory 14(3), 1968.

use crate::network::{SampleRecords, tree};
use crate::{Error, Needs, Summary, SummaryInput, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "bayes",
    title: "Bayesian network (tree)",
    definition: "The tree with the maximum mutual information between neighbouring attributes, learned from a sample.",
    needs: Needs::Sample,
    make,
};

fn make(basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
    let records = SampleRecords::of(basis)?;
    let parents = tree(&records, &basis.domains());
    Ok(Box::new(records.network(basis, parents)?))
}

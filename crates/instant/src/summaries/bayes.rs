//! A Bayesian network in which each attribute depends on at most one other.
//!
//! Citation: C. Chow, C. Liu, "Approximating discrete probability distributions with dependence
//! trees", IEEE Transactions on Information Theory 14(3), 1968.

use crate::network::{Records, tree};
use crate::{Basis, Error, Needs, Summary, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "bayes",
    title: "Bayesian network (tree)",
    definition: "The tree in which neighbouring attributes tell most of each other, learned from a sample.",
    needs: Needs::Sample,
    make,
};

fn make(basis: &Basis) -> Result<Box<dyn Summary>, Error> {
    let records = Records::of(basis)?;
    let parents = tree(&records, &basis.domains());
    Ok(Box::new(records.network(basis, parents)?))
}

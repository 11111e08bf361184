//! One histogram for each attribute, all taken to be independent of each other.

use crate::{Basis, Error, Needs, Network, Summary, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "histogram",
    title: "histograms",
    definition: "How often each value of each attribute occurs; attributes are taken to be independent.",
    needs: Needs::Overview,
    make,
};

fn make(basis: &Basis) -> Result<Box<dyn Summary>, Error> {
    let records = basis.overview()?.records as f64;
    Ok(Box::new(Network::independent(records, basis.attributes.clone(), basis.shares()?)))
}

//! One histogram for each attribute; attributes are assumed to be independent.

use crate::{Error, Needs, Network, Summary, SummaryInput, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "histogram",
    title: "histograms",
    definition: "PredictionOptions often each value of each attribute occurs; attributes are assumed to be independent.",
    needs: Needs::Overview,
    make,
};

fn make(basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
    let records = basis.overview()?.records as f64;
    Ok(Box::new(Network::independent(records, basis.attributes.clone(), basis.shares()?)))
}

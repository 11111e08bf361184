//! Arguments about partial lattices: which share of the schemes, and what chooses them.

use std::str::FromStr;

use haggle::catalog::{ESTIMATORS, Estimator, find_estimator};
use haggle::search::Selection;

/// Per cent of each height.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share(pub(crate) f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse().ok());
        let percent = percent.filter(|&percent: &f64| percent > 0.0 && percent <= 100.0);
        percent.map(Self).ok_or_else(|| "write per cent above 0% and up to 100%, such as 5%".into())
    }
}

/// An estimator of the catalog.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EstimatorArg(&'static Estimator);

impl EstimatorArg {
    pub(crate) fn selection(self, Share(percent): Share) -> Result<Selection, haggle::Error> {
        Selection::new(self.0, percent)
    }
}

impl FromStr for EstimatorArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        find_estimator(text.trim()).map(Self).ok_or_else(|| {
            let known = ESTIMATORS.iter().map(|e| format!("{} ({})", e.id, e.title));
            format!("choose from: {}", known.collect::<Vec<_>>().join(", "))
        })
    }
}

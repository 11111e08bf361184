//! Two models that are not union-monotone, as the product and as the oracle compute them.

use haggle_cube::{Comparison, Group, Kind, Statistic};
use haggle_testkit::oracle::{Measure, Stronger, Thresholds};

/// The share of a group's most frequent sensitive value. Two groups below a share merge into one
/// below it, but a failing one may spoil a passing one: closed.
#[derive(Debug)]
pub(crate) struct LargestShare;

impl Statistic for LargestShare {
    fn id(&self) -> String {
        "largest-share".into()
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let largest = group.values.iter().map(|value| value.count).max().unwrap_or(0);
        f64::from(largest) / group.records as f64
    }

    fn comparison(&self) -> Comparison {
        Comparison::AtMost
    }

    fn kind(&self) -> Kind {
        Kind::Closed
    }

    fn weakest(&self) -> f64 {
        0.9
    }

    fn watches(&self) -> Option<usize> {
        Some(0)
    }
}

impl LargestShare {
    pub(crate) fn measure() -> Measure {
        Measure {
            of: Box::new(|group| {
                let largest = group.counts(0).into_values().max().unwrap_or(0);
                largest as f64 / group.members.len() as f64
            }),
            stronger: Stronger::Smaller,
            weakest: 0.9,
            thresholds: Thresholds::Occurring,
        }
    }
}

/// How many sensitive values occur just once in a group. Merging may add some and may take some
/// away: free.
#[derive(Debug)]
pub(crate) struct Loners;

impl Statistic for Loners {
    fn id(&self) -> String {
        "loners".into()
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        group.values.iter().filter(|value| value.count == 1).count() as f64
    }

    fn comparison(&self) -> Comparison {
        Comparison::AtMost
    }

    fn kind(&self) -> Kind {
        Kind::Free
    }

    fn weakest(&self) -> f64 {
        2.0
    }

    fn watches(&self) -> Option<usize> {
        Some(0)
    }
}

impl Loners {
    pub(crate) fn measure() -> Measure {
        Measure {
            of: Box::new(|group| {
                group.counts(0).into_values().filter(|&records| records == 1).count() as f64
            }),
            stronger: Stronger::Smaller,
            weakest: 2.0,
            thresholds: Thresholds::Occurring,
        }
    }
}

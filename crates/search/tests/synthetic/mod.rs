//! Two models that are not union-monotone, as the product and as the oracle compute them.

use haggle_cube::{Column, Group, Merging, Passing, Statistic};
use haggle_testkit::oracle::{Measure, Stronger, Thresholds};

/// The share of a group's most frequent sensitive value. Two groups below a share merge into one
/// below it, but a failing one may make a passing one fail: closed.
#[derive(Debug)]
pub(crate) struct LargestShare(Column);

impl Statistic for LargestShare {
    fn column(&self) -> &Column {
        &self.0
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let largest = group.values.iter().map(|value| value.count).max().unwrap_or(0);
        largest as f64 / group.records as f64
    }
}

impl LargestShare {
    pub(crate) fn boxed() -> Box<dyn Statistic> {
        Box::new(Self(at_most("largest-share", Merging::Closed, 0.9)))
    }

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

/// How many sensitive values occur exactly once in a group. Merging may add some and remove some:
/// free.
#[derive(Debug)]
pub(crate) struct Loners(Column);

impl Statistic for Loners {
    fn column(&self) -> &Column {
        &self.0
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        group.values.iter().filter(|value| value.count == 1).count() as f64
    }
}

impl Loners {
    pub(crate) fn boxed() -> Box<dyn Statistic> {
        Box::new(Self(at_most("loners", Merging::Free, 2.0)))
    }

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

fn at_most(id: &str, kind: Merging, weakest: f64) -> Column {
    Column {
        id: id.into(),
        watches: Some(0),
        comparison: Passing::AtMost,
        kind,
        weakest,
        strongest: 0.0,
    }
}

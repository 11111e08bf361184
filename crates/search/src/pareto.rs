//! The exact front of privacy against loss, straight from the annotated lattice.
//!
//! Every bin of every scheme's histogram is a pair: the strongest threshold that keeps just these
//! groups, and what is then lost. Nothing in between is better at both.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use haggle_cube::{Column, Lattice, Loss, Weighed};
use haggle_model::{Scheme, Sublattice};

/// A scheme at a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The threshold.
    pub threshold: f64,
    /// What is lost.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    pub scheme: Scheme,
}

/// What the front is of: a column of the lattice and a measure weighed behind it.
#[derive(Clone, Copy)]
pub struct Against<'a> {
    /// The column.
    pub column: &'a Column,
    /// The measure's sums.
    pub weighed: &'a Weighed,
    /// The measure.
    pub loss: &'a dyn Loss,
}

/// The pairs of threshold and loss that no other beats at both, the strongest threshold first, with
/// at most so many records suppressed.
pub fn front(
    lattice: &dyn Lattice,
    part: &Sublattice,
    against: Against<'_>,
    limit: u64,
) -> Vec<Point> {
    let mut least = f64::INFINITY;
    let mut points = points(lattice, part, against, limit);
    points.retain(|point| {
        let better = point.loss < least;
        least = least.min(point.loss);
        better
    });
    points
}

/// The same where suppression is a price of its own: no other is at least as good at all three.
pub fn front_with_suppression(
    lattice: &dyn Lattice,
    part: &Sublattice,
    against: Against<'_>,
    limit: u64,
) -> Vec<Point> {
    // Of what is at least as strong, the least loss for each number of suppressed records; both fall.
    let mut stairs: BTreeMap<u64, f64> = BTreeMap::new();
    let mut points = points(lattice, part, against, limit);
    points.sort_by(|a, b| {
        let strength = against.column.comparison.by_strength(b.threshold, a.threshold);
        let order = || (a.suppressed, a.loss).partial_cmp(&(b.suppressed, b.loss));
        strength.then_with(|| order().unwrap_or(Ordering::Equal)).then_with(|| by_scheme(a, b))
    });
    points.retain(|point| {
        let below = stairs.range(..=point.suppressed).next_back();
        if below.is_some_and(|(_, loss)| *loss <= point.loss) {
            return false;
        }
        let above = stairs.range(point.suppressed..).filter(|(_, loss)| **loss >= point.loss);
        let beaten: Vec<u64> = above.map(|(suppressed, _)| *suppressed).collect();
        for suppressed in beaten {
            stairs.remove(&suppressed);
        }
        stairs.insert(point.suppressed, point.loss);
        true
    });
    points
}

/// Every pair within the limit, the strongest first, then by loss, then in the order of answers.
fn points(
    lattice: &dyn Lattice,
    part: &Sublattice,
    Against { column, weighed, loss }: Against<'_>,
    limit: u64,
) -> Vec<Point> {
    let mut points = Vec::new();
    for scheme in part.heights().flat_map(|height| part.at_height(height)) {
        let position = lattice.space().index(&scheme);
        let histogram = weighed.table().histogram(position);
        for (failing, bin) in
            histogram.bins().enumerate().take_while(|(_, bin)| bin.weaker <= limit)
        {
            let Some(threshold) = column.offered(bin.value) else { continue };
            let suppressed = bin.weaker;
            let loss = weighed.loss(loss, &scheme, position, failing);
            points.push(Point { threshold, loss, suppressed, scheme: scheme.clone() });
        }
    }
    points.sort_by(|a, b| {
        let strength = column.comparison.by_strength(b.threshold, a.threshold);
        strength.then_with(|| a.loss.total_cmp(&b.loss)).then_with(|| by_scheme(a, b))
    });
    points
}

fn by_scheme(a: &Point, b: &Point) -> Ordering {
    let rank = |point: &Point| (point.scheme.height(), point.suppressed, point.scheme.clone());
    rank(a).cmp(&rank(b))
}

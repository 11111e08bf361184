//! The exact front of privacy and loss, directly from the annotated lattice.
//!
//! Every bin of every scheme's histogram is a pair: the strongest threshold that keeps exactly
//! these groups, and the loss at it. No point in between is better in both.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use haggle_cube::{Column, Lattice, Loss, Weighed};
use haggle_model::{Scheme, Sublattice};

mod two;

pub use two::{GroupStatistics, Pair, TwoModels, front_of_two};

/// A scheme at a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The threshold.
    pub threshold: f64,
    /// The loss.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    pub scheme: Scheme,
}

/// What the front compares: a column of the lattice and a measure aligned with it.
#[derive(Clone, Copy)]
pub struct FrontInput<'a> {
    /// The column.
    pub column: &'a Column,
    /// The measure's sums.
    pub weighed: &'a Weighed,
    /// The measure.
    pub loss: &'a dyn Loss,
}

/// Returns the pairs of threshold and loss that no other pair dominates, the strongest threshold
/// first, with at most `limit` records suppressed.
pub fn front(
    lattice: &dyn Lattice,
    part: &Sublattice,
    against: FrontInput<'_>,
    limit: u64,
) -> Vec<Point> {
    // Only the best scheme of each threshold can be on the front.
    let mut best: BTreeMap<u64, CompactPoint> = BTreeMap::new();
    each(lattice, part, against, limit, |point| {
        let known = best.entry(point.threshold.to_bits()).or_insert(point);
        if point.ranks_before(known) {
            *known = point;
        }
    });
    let mut points: Vec<CompactPoint> = best.into_values().collect();
    points.sort_by(|a, b| against.column.comparison.by_strength(b.threshold, a.threshold));
    let mut least = f64::INFINITY;
    points.retain(|point| {
        let better = point.loss < least;
        least = least.min(point.loss);
        better
    });
    points.into_iter().map(|point| point.full(lattice)).collect()
}

/// A point with the position of its scheme only, because there are many.
#[derive(Clone, Copy)]
struct CompactPoint {
    threshold: f64,
    loss: f64,
    suppressed: u64,
    height: u32,
    position: usize,
}

impl CompactPoint {
    /// Compares by loss, then in the order of answers; positions are in the order of levels.
    fn ranks_before(&self, other: &Self) -> bool {
        let rank = |point: &Self| (point.height, point.suppressed, point.position);
        self.loss.total_cmp(&other.loss).then(rank(self).cmp(&rank(other))).is_lt()
    }

    fn full(self, lattice: &dyn Lattice) -> Point {
        let Self { threshold, loss, suppressed, position, .. } = self;
        Point { threshold, loss, suppressed, scheme: lattice.space().scheme(position) }
    }
}

/// Returns the front in which suppression is a third objective: no other point is at least as good
/// in all three.
pub fn front_with_suppression(
    lattice: &dyn Lattice,
    part: &Sublattice,
    against: FrontInput<'_>,
    limit: u64,
) -> Vec<Point> {
    // Of the points that are at least as strong, the least loss for each number of suppressed
    // records; both fall.
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

/// Calls `visit` with every pair within the limit, in any order.
fn each(
    lattice: &dyn Lattice,
    part: &Sublattice,
    FrontInput { column, weighed, loss }: FrontInput<'_>,
    limit: u64,
    mut visit: impl FnMut(CompactPoint),
) {
    for height in part.heights() {
        let _ = part.visit_height(height, &mut |scheme| {
            let position = lattice.space().index(scheme);
            let histogram = weighed.table().histogram(position);
            for (failing, bin) in
                histogram.bins().enumerate().take_while(|(_, bin)| bin.weaker <= limit)
            {
                let Some(threshold) = column.offered(bin.value) else { continue };
                let loss = weighed.loss(loss, scheme, position, failing);
                visit(CompactPoint { threshold, loss, suppressed: bin.weaker, height, position });
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

/// Every pair within the limit.
fn points(
    lattice: &dyn Lattice,
    part: &Sublattice,
    against: FrontInput<'_>,
    limit: u64,
) -> Vec<Point> {
    let mut points = Vec::new();
    each(lattice, part, against, limit, |point| points.push(point.full(lattice)));
    points
}

fn by_scheme(a: &Point, b: &Point) -> Ordering {
    let rank = |point: &Point| (point.scheme.height(), point.suppressed, point.scheme.clone());
    rank(a).cmp(&rank(b))
}

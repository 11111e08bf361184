//! The earth mover's distance over any ground distance, by minimum-cost flow in whole numbers.

use ac_library::MinCostFlowGraph;

use crate::exact::ratio;

/// Ground distances are rounded to nine decimals.
const PARTS: u32 = 1_000_000_000;

/// The transport problem of one attribute: what is moved, and what moving costs.
#[derive(Debug)]
pub(crate) struct Transport {
    values: usize,
    cost: Vec<i128>,
    /// Whether what both sides have may stay in place: the triangle inequality holds.
    metric: bool,
}

/// Returns the earth mover's distance between two distributions of shares over the distances between
/// all pairs of values, row by row. Shares are rounded to nine decimals.
///
/// ```
/// let distances = [0.0, 0.2, 1.0, 0.2, 0.0, 1.0, 1.0, 1.0, 0.0];
/// let moved = haggle_privacy::transported(&distances, &[1.0, 0.0, 0.0], &[0.5, 0.25, 0.25]);
/// assert!((moved - 0.3).abs() < 1e-8);
/// ```
pub fn transported(distances: &[f64], from: &[f64], to: &[f64]) -> f64 {
    let masses = |shares: &[f64]| {
        let sum: f64 = shares.iter().sum();
        let part = |share: &f64| (share / sum * f64::from(PARTS)).round() as i128;
        let mut masses: Vec<i128> = shares.iter().map(part).collect();
        let rest = i128::from(PARTS) - masses.iter().sum::<i128>();
        if let Some(most) = masses.iter_mut().max() {
            *most += rest;
        }
        masses
    };
    if [from, to].iter().any(|shares| shares.iter().sum::<f64>() <= 0.0) {
        return 0.0;
    }
    let transport = Transport::new(from.len(), distances);
    transport.least(&masses(from), &masses(to)) / f64::from(PARTS)
}

impl Transport {
    /// Builds the problem from the distances between all pairs of values, row by row.
    pub(crate) fn new(values: usize, distances: &[f64]) -> Self {
        let cost: Vec<i128> =
            distances.iter().map(|d| (d * f64::from(PARTS)).round() as i128).collect();
        let at = |from: usize, to: usize| cost[from * values + to];
        let direct = |from: usize, to: usize| {
            (0..values).all(|between| at(from, to) <= at(from, between) + at(between, to))
        };
        let metric = (0..values).all(|from| (0..values).all(|to| direct(from, to)));
        Self { values, cost, metric }
    }

    /// How many values there are.
    pub(crate) fn values(&self) -> usize {
        self.values
    }

    /// The largest distance between two values.
    pub(crate) fn largest(&self) -> f64 {
        self.cost.iter().max().map_or(0.0, |&most| most as f64 / f64::from(PARTS))
    }

    /// Returns the least cost of turning one distribution into another of the same sum, in the unit
    /// of the ground distance times that of the distributions.
    pub(crate) fn least(&self, from: &[i128], to: &[i128]) -> f64 {
        self.least_in_parts(from, to) as f64 / f64::from(PARTS)
    }

    /// The least cost as a share of the sum of either distribution, rounded once.
    pub(crate) fn least_share(&self, from: &[i128], to: &[i128], sum: u128) -> f64 {
        let cost = self.least_in_parts(from, to).unsigned_abs();
        ratio(cost, sum * u128::from(PARTS))
    }

    fn least_in_parts(&self, from: &[i128], to: &[i128]) -> i128 {
        let stays = |i: usize| if self.metric { from[i].min(to[i]) } else { 0 };
        let supply: Vec<i128> = (0..self.values).map(|i| from[i] - stays(i)).collect();
        let demand: Vec<i128> = (0..self.values).map(|i| to[i] - stays(i)).collect();
        let (source, sink) = (2 * self.values, 2 * self.values + 1);
        let mut graph = MinCostFlowGraph::<i128>::new(sink + 1);
        for i in (0..self.values).filter(|&i| supply[i] > 0) {
            graph.add_edge(source, i, supply[i], 0);
            for j in (0..self.values).filter(|&j| demand[j] > 0) {
                let moved = supply[i].min(demand[j]);
                graph.add_edge(i, self.values + j, moved, self.cost[i * self.values + j]);
            }
        }
        for j in (0..self.values).filter(|&j| demand[j] > 0) {
            graph.add_edge(self.values + j, sink, demand[j], 0);
        }
        let (_, cost) = graph.flow(source, sink, supply.iter().sum());
        cost
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // whole numbers
mod tests {
    use super::*;

    #[test]
    fn common_mass_stays_in_place() {
        let line: Vec<f64> =
            (0..3).flat_map(|i: i32| (0..3).map(move |j| f64::from((i - j).abs()))).collect();
        let transport = Transport::new(3, &line);
        assert!(transport.metric);
        assert_eq!(transport.least(&[2, 1, 0], &[0, 1, 2]), 4.0);
    }

    #[test]
    fn a_detour_that_is_shorter_is_taken() {
        // From 0 to 2 costs 9, but what is at 1 may go to 2 and be replaced from 0.
        let distances = [0.0, 1.0, 9.0, 1.0, 0.0, 1.0, 9.0, 1.0, 0.0];
        let transport = Transport::new(3, &distances);
        assert!(!transport.metric);
        assert_eq!(transport.least(&[1, 1, 0], &[0, 1, 1]), 2.0);
    }
}

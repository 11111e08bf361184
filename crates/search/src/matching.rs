//! Matchings in graphs with weights: of maximum weight, perfect ones of least cost, edge covers, and
//! simplex matchings.

mod assignment;
mod simplex;
mod weighted;

pub(crate) use simplex::{SimplexCosts, simplex_matching};
use weighted::WeightedSearch;

/// Weights of the pairs of `n` vertices.
#[derive(Debug, Clone)]
pub(crate) struct PairWeights {
    vertices: usize,
    weights: Vec<i64>,
}

impl PairWeights {
    /// Builds the weights from a symmetric function.
    pub(crate) fn from_fn(vertices: usize, weight: impl Fn(usize, usize) -> i64) -> Self {
        let pairs = (0..vertices).flat_map(|u| (0..vertices).map(move |v| (u, v)));
        let weights = pairs.map(|(u, v)| if u == v { 0 } else { weight(u, v) }).collect();
        Self { vertices, weights }
    }

    /// How many vertices there are.
    pub(crate) fn vertices(&self) -> usize {
        self.vertices
    }

    /// The weight of a pair.
    pub(crate) fn get(&self, u: usize, v: usize) -> i64 {
        self.weights[u * self.vertices + v]
    }
}

/// Returns the partner of each vertex in a matching of maximum weight. Pairs whose weight is not
/// positive are never used.
pub(crate) fn maximum_weight(weights: &PairWeights) -> Vec<Option<usize>> {
    WeightedSearch::new(weights).run()
}

/// Returns the pairs of a perfect matching of least cost, with their cost. The number of vertices
/// must be even, and every pair is allowed.
pub(crate) fn least_cost_perfect(costs: &PairWeights) -> (Vec<(usize, usize)>, i64) {
    let n = costs.vertices();
    debug_assert!(n.is_multiple_of(2), "vertices are matched in pairs");
    // With positive weights and every pair allowed, two vertices that are left can be matched.
    let most = costs.weights.iter().copied().max().unwrap_or(0) + 1;
    let partners = maximum_weight(&PairWeights::from_fn(n, |u, v| most - costs.get(u, v)));
    let pair = |(u, v): (usize, &Option<usize>)| v.filter(|&v| u < v).map(|v| (u, v));
    let pairs: Vec<(usize, usize)> = partners.iter().enumerate().filter_map(pair).collect();
    let cost = pairs.iter().map(|&(u, v)| costs.get(u, v)).sum();
    (pairs, cost)
}

/// Returns edges of least total cost that touch every vertex; `None` if a vertex has no edge. Every
/// edge touches a vertex that no other edge touches, so that the edges form stars.
///
/// A cover of least cost is a matching, and for every vertex that is left its cheapest edge: what a
/// matched pair saves compared with the cheapest edges of both is what is maximized.
pub(crate) fn least_cost_cover(
    vertices: usize,
    cost: impl Fn(usize, usize) -> Option<i64>,
) -> Option<Vec<(usize, usize)>> {
    let cheapest = |u: usize| {
        let others = (0..vertices).filter(|&v| v != u);
        others.filter_map(|v| Some((cost(u, v)?, v))).min()
    };
    let cheapest: Vec<(i64, usize)> = (0..vertices).map(cheapest).collect::<Option<_>>()?;
    let saved = PairWeights::from_fn(vertices, |u, v| {
        cost(u, v).map_or(0, |cost| cheapest[u].0 + cheapest[v].0 - cost)
    });
    let partners = maximum_weight(&saved);
    let edge = |u: usize| match partners[u] {
        Some(v) => (u < v).then_some((u, v)),
        None => Some((u, cheapest[u].1)),
    };
    Some(stars(vertices, (0..vertices).filter_map(edge).collect()))
}

/// Removes edges that touch no vertex of their own; the others form stars.
pub(crate) fn stars(vertices: usize, edges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut degrees = vec![0_usize; vertices];
    for &(u, v) in &edges {
        degrees[u] += 1;
        degrees[v] += 1;
    }
    let mut needed = Vec::with_capacity(edges.len());
    for (u, v) in edges {
        if degrees[u] > 1 && degrees[v] > 1 {
            degrees[u] -= 1;
            degrees[v] -= 1;
        } else {
            needed.push((u, v));
        }
    }
    needed
}

#[cfg(test)]
mod tests;

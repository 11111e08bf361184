//! Bounds of vertices by an assignment of least cost.

use super::PairWeights;

/// Returns twice a number of each vertex, such that no two numbers exceed the cost of their pair, and
/// their sum is as great as possible: half the cost of assigning every vertex to another one.
///
/// The assignment is found by shortest augmenting paths (the Hungarian method), cubic in the number
/// of vertices. Its two numbers of a vertex, as one that is assigned and as one that is assigned to,
/// add up to twice the bound.
pub(super) fn vertex_bounds(costs: &PairWeights) -> Vec<i64> {
    let n = costs.vertices();
    if n < 2 {
        return vec![0; n];
    }
    let forbidden =
        (0..n).map(|u| (0..n).map(|v| costs.get(u, v)).max().unwrap_or(0)).sum::<i64>() + 1;
    let cost = |u: usize, v: usize| if u == v { forbidden } else { costs.get(u, v) };
    // Column n is where each path begins.
    let (mut rows, mut columns) = (vec![0_i64; n], vec![0_i64; n + 1]);
    let mut assigned = vec![usize::MAX; n + 1];
    for row in 0..n {
        assigned[n] = row;
        let (mut least, mut before) = (vec![i64::MAX; n], vec![n; n]);
        let mut visited = vec![false; n + 1];
        let mut column = n;
        while assigned[column] != usize::MAX {
            visited[column] = true;
            let from = assigned[column];
            let (mut step, mut next) = (i64::MAX, 0);
            for to in (0..n).filter(|&to| !visited[to]) {
                let reduced = cost(from, to) - rows[from] - columns[to];
                if reduced < least[to] {
                    (least[to], before[to]) = (reduced, column);
                }
                if least[to] < step {
                    (step, next) = (least[to], to);
                }
            }
            for to in 0..=n {
                if visited[to] {
                    rows[assigned[to]] += step;
                    columns[to] -= step;
                } else if to < n {
                    least[to] -= step;
                }
            }
            column = next;
        }
        while column != n {
            assigned[column] = assigned[before[column]];
            column = before[column];
        }
    }
    rows.iter().zip(&columns).map(|(row, column)| row + column).collect()
}

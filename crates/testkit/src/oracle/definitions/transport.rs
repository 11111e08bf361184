//! The earth mover's distance as what it is defined as: the least cost of a transport.

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, Variable, microlp, variable};

/// The least cost of moving the masses `from` to where the masses `to` are, if moving a unit from
/// i to j costs `distance(i, j)`; both masses must have the same sum.
///
/// ```
/// use haggle_testkit::oracle::definitions::earth_movers_distance;
///
/// let steps = |i: usize, j: usize| i.abs_diff(j) as f64;
/// let cost = earth_movers_distance(steps, &[0.5, 0.5, 0.0], &[0.0, 0.5, 0.5]);
/// assert!((cost - 1.0).abs() < 1e-9);
/// ```
pub fn earth_movers_distance(
    distance: impl Fn(usize, usize) -> f64,
    from: &[f64],
    to: &[f64],
) -> f64 {
    assert_same_sum(from, to);
    let mut variables = ProblemVariables::new();
    let (sources, sinks) = (occupied(from), occupied(to));
    let flows: Vec<Vec<Variable>> =
        sources.iter().map(|_| variables.add_vector(variable().min(0), sinks.len())).collect();
    let cost: Expression = flows
        .iter()
        .zip(&sources)
        .flat_map(|(flows, &i)| flows.iter().zip(&sinks).map(move |(&flow, &j)| (flow, i, j)))
        .map(|(flow, i, j)| flow * distance(i, j))
        .sum();
    let mut model = variables.minimise(&cost).using(microlp);
    for (flows, &i) in flows.iter().zip(&sources) {
        model = model.with(flows.iter().sum::<Expression>().eq(from[i]));
    }
    // What the last place receives follows from the rest; asked for once more, it could differ
    // from that by a rounding error, and nothing would be feasible.
    for (place, &j) in sinks.iter().enumerate().rev().skip(1) {
        let arriving: Expression = flows.iter().map(|flows| flows[place]).sum();
        model = model.with(arriving.eq(to[j]));
    }
    model.solve().expect("masses of the same sum can be moved").eval(&cost)
}

fn occupied(masses: &[f64]) -> Vec<usize> {
    (0..masses.len()).filter(|&place| masses[place] > 0.0).collect()
}

fn assert_same_sum(from: &[f64], to: &[f64]) {
    let (from, to): (f64, f64) = (from.iter().sum(), to.iter().sum());
    assert!((from - to).abs() <= 1e-9 * from.abs().max(1.0), "{from} cannot be moved to {to}");
}

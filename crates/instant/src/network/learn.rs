//! Learns networks from records: the best tree by mutual information, or greedily by a score.
//!
//! Probabilities are those of the sample, shrunk towards the attribute's own by the weight of one
//! record: a combination that was not drawn is rare, not impossible.

use super::Network;
use crate::{Error, SummaryInput};

/// The weight of the attribute's own distribution in a conditional one, in records.
const PRIOR: f64 = 1.0;

/// The maximum number of combinations of parents in a greedy network.
const WIDEST: usize = 4096;

/// The joint probabilities of the values of every pair of variables.
pub(crate) trait Pairs {
    /// The probabilities, by the first variable's value and then the second's.
    fn pair(&self, first: usize, second: usize) -> Vec<f64>;
}

/// The records of a sample, column by column.
pub(crate) struct SampleRecords {
    columns: Vec<Vec<u32>>,
    domains: Vec<usize>,
}

impl SampleRecords {
    /// Collects the records of the sample that have every value.
    pub(crate) fn of(basis: &SummaryInput) -> Result<Self, Error> {
        let domains = basis.domains();
        let known = |row: &&[u32]| row.iter().zip(&domains).all(|(&code, &n)| (code as usize) < n);
        let rows: Vec<&[u32]> = basis.overview()?.rows().filter(known).collect();
        if rows.is_empty() {
            return Err(Error::new("no record was sampled", "sample more records"));
        }
        let columns = (0..domains.len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
        Ok(Self { columns, domains })
    }

    fn len(&self) -> f64 {
        self.columns[0].len() as f64
    }

    /// How many records have each combination of parents' values and value.
    fn counts(&self, parents: &[usize], variable: usize) -> Vec<f64> {
        let configs: usize = parents.iter().map(|&p| self.domains[p]).product();
        let mut counts = vec![0.0; configs * self.domains[variable]];
        for (i, &code) in self.columns[variable].iter().enumerate() {
            let config = parents
                .iter()
                .fold(0, |config, &p| config * self.domains[p] + self.columns[p][i] as usize);
            counts[config * self.domains[variable] + code as usize] += 1.0;
        }
        counts
    }

    /// The conditional probabilities of a variable.
    fn table(&self, parents: &[usize], variable: usize, own: &[f64]) -> Vec<f64> {
        let mut table = self.counts(parents, variable);
        for row in table.chunks_exact_mut(self.domains[variable]) {
            let all: f64 = row.iter().sum::<f64>() + PRIOR;
            row.iter_mut().zip(own).for_each(|(n, share)| *n = (*n + PRIOR * share) / all);
        }
        table
    }

    /// Returns the log-likelihood of the sample by this variable, minus the cost of its parameters
    /// (Schwarz's criterion).
    fn score(&self, parents: &[usize], variable: usize) -> f64 {
        let counts = self.counts(parents, variable);
        let size = self.domains[variable];
        let fit: f64 = counts
            .chunks_exact(size)
            .map(|row| {
                let all: f64 = row.iter().sum();
                let term = |&n: &f64| if n > 0.0 { n * (n / all).ln() } else { 0.0 };
                row.iter().map(term).sum::<f64>()
            })
            .sum();
        let numbers = (counts.len() / size * (size - 1)) as f64;
        fit - 0.5 * self.len().ln() * numbers
    }

    /// Builds the network with these parents.
    pub(crate) fn network(
        &self,
        basis: &SummaryInput,
        parents: Vec<Vec<usize>>,
    ) -> Result<Network, Error> {
        let shares = basis.shares()?;
        let tables =
            parents.iter().enumerate().map(|(variable, parents)| match parents.as_slice() {
                [] => shares[variable].clone(),
                parents => self.table(parents, variable, &shares[variable]),
            });
        let tables = tables.collect();
        let records = basis.overview()?.records as f64;
        let attributes = basis.attributes.clone();
        Ok(Network::new(records, attributes, self.domains.clone(), parents, tables, shares))
    }
}

impl Pairs for SampleRecords {
    fn pair(&self, first: usize, second: usize) -> Vec<f64> {
        let mut counts = self.counts(&[first], second);
        let all = self.len();
        for n in &mut counts {
            *n /= all;
        }
        counts
    }
}

/// Returns the tree with the maximum mutual information between neighbours (Chow and Liu): each
/// variable's parent, if it has one. Independent pairs are not connected.
pub(crate) fn tree(pairs: &dyn Pairs, domains: &[usize]) -> Vec<Vec<usize>> {
    let mut edges = Vec::new();
    for first in 0..domains.len() {
        for (second, &values) in domains.iter().enumerate().skip(first + 1) {
            let information = mutual_information(&pairs.pair(first, second), values);
            edges.push((information, first, second));
        }
    }
    edges.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut component: Vec<usize> = (0..domains.len()).collect();
    let mut neighbours = vec![Vec::new(); domains.len()];
    for (information, first, second) in edges {
        let (one, other) = (component[first], component[second]);
        if one != other && information > 1e-12 {
            component.iter_mut().filter(|c| **c == other).for_each(|c| *c = one);
            neighbours[first].push(second);
            neighbours[second].push(first);
        }
    }
    rooted(&neighbours, domains)
}

/// Returns parents, starting from the variable with the fewest values: what stays as recorded
/// longest is then small.
fn rooted(neighbours: &[Vec<usize>], domains: &[usize]) -> Vec<Vec<usize>> {
    let mut parents = vec![Vec::new(); domains.len()];
    let mut seen = vec![false; domains.len()];
    let mut roots: Vec<usize> = (0..domains.len()).collect();
    roots.sort_by_key(|&v| domains[v]);
    for root in roots {
        let mut open = if seen[root] { Vec::new() } else { vec![root] };
        seen[root] = true;
        while let Some(variable) = open.pop() {
            for &next in &neighbours[variable] {
                if !seen[next] {
                    seen[next] = true;
                    parents[next] = vec![variable];
                    open.push(next);
                }
            }
        }
    }
    parents
}

/// Σ p(x,y) ln(p(x,y) / (p(x) p(y))).
fn mutual_information(pair: &[f64], second: usize) -> f64 {
    let rows: Vec<f64> = pair.chunks_exact(second).map(|row| row.iter().sum()).collect();
    let column = |y: usize| pair.iter().skip(y).step_by(second).sum::<f64>();
    let columns: Vec<f64> = (0..second).map(column).collect();
    let term = |(i, &p): (usize, &f64)| {
        if p > 0.0 { p * (p / (rows[i / second] * columns[i % second])).ln() } else { 0.0 }
    };
    pair.iter().enumerate().map(term).sum()
}

/// Adds the edge that improves the score most, one after the other, with at most two parents each.
pub(crate) fn greedy(records: &SampleRecords) -> Vec<Vec<usize>> {
    let domains = &records.domains;
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); domains.len()];
    let mut scores: Vec<f64> = (0..domains.len()).map(|v| records.score(&[], v)).collect();
    loop {
        let mut best: Option<(f64, usize, Vec<usize>)> = None;
        for child in 0..domains.len() {
            for parent in 0..domains.len() {
                let allowed = parent != child
                    && parents[child].len() < 2
                    && !parents[child].contains(&parent)
                    && !descends(&parents, parent, child);
                let mut wider = parents[child].clone();
                wider.push(parent);
                let width: usize = wider.iter().map(|&p| domains[p]).product();
                if !allowed || width > WIDEST {
                    continue;
                }
                let gain = records.score(&wider, child) - scores[child];
                if gain > best.as_ref().map_or(1e-9, |best| best.0) {
                    best = Some((gain, child, wider));
                }
            }
        }
        let Some((gain, child, wider)) = best else { return parents };
        scores[child] += gain;
        parents[child] = wider;
    }
}

/// Whether a variable descends from another.
fn descends(parents: &[Vec<usize>], variable: usize, from: usize) -> bool {
    parents[variable].iter().any(|&p| p == from || descends(parents, p, from))
}

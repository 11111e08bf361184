//! A Bayesian network over recorded values, with exact probabilities of generalized cells.
//!
//! A cell's probability is the sum over all recorded values below it. The sum is computed variable
//! by variable: a table over the variables seen so far keeps recorded values only of those that a
//! later variable still depends on; all others are generalized immediately.

use std::ops::Range;

use haggle_model::{QuasiIdentifier, Scheme};

use crate::{Error, LikelyCell, Summary, ValueMap};

mod learn;
mod tensor;

pub(crate) use learn::{Pairs, SampleRecords, greedy, tree};
use tensor::Tensor;

/// More cells than this are not enumerated.
pub(crate) const MOST_CELLS: u128 = 1 << 24;

/// Conditional probabilities of each variable given its parents.
///
/// Variables are the quasi-identifiers in order and, last, the sensitive attribute if there is
/// one. A network without edges is a set of independent histograms.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    records: f64,
    attributes: Vec<QuasiIdentifier>,
    domains: Vec<usize>,
    parents: Vec<Vec<usize>>,
    /// By variable: for every combination of its parents' values, the last parent's varying
    /// fastest, the probability of each value.
    tables: Vec<Vec<f64>>,
    marginals: Vec<Vec<f64>>,
}

/// The code of a recorded value that is not counted.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl Network {
    /// Builds a network from its parts. Parents must not form a cycle.
    pub(crate) fn new(
        records: f64,
        attributes: Vec<QuasiIdentifier>,
        domains: Vec<usize>,
        parents: Vec<Vec<usize>>,
        tables: Vec<Vec<f64>>,
        marginals: Vec<Vec<f64>>,
    ) -> Self {
        Self { records, attributes, domains, parents, tables, marginals }
    }

    /// Builds a network of independent variables with these shares.
    pub(crate) fn independent(
        records: f64,
        attributes: Vec<QuasiIdentifier>,
        shares: Vec<Vec<f64>>,
    ) -> Self {
        let domains: Vec<usize> = shares.iter().map(Vec::len).collect();
        let parents = vec![Vec::new(); domains.len()];
        Self { records, attributes, domains, parents, tables: shares.clone(), marginals: shares }
    }

    /// The parents of each variable, by position.
    pub fn parents(&self) -> &[Vec<usize>] {
        &self.parents
    }

    /// The logarithm of the probability of a record, given as one code for each variable.
    pub fn ln_likelihood(&self, record: &[u32]) -> f64 {
        let factor = |variable: usize| {
            let config = self.parents[variable]
                .iter()
                .fold(0, |config, &p| config * self.domains[p] + record[p] as usize);
            self.tables[variable][config * self.domains[variable] + record[variable] as usize].ln()
        };
        (0..self.domains.len()).map(factor).sum()
    }

    /// Returns the variables with parents before children.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.domains.len() {
            let free = |v: &usize| {
                !order.contains(v) && self.parents[*v].iter().all(|p| order.contains(p))
            };
            let next = (0..self.domains.len()).find(free).expect("parents form no cycle");
            order.push(next);
        }
        order
    }

    /// The probability of every combination of generalized values, the last variable's varying
    /// fastest.
    pub(crate) fn generalized(&self, maps: &[ValueMap]) -> Vec<f64> {
        let mut done = vec![false; self.domains.len()];
        let mut tensor = Tensor::unit();
        for _ in 0..self.domains.len() {
            let next = self.cheapest(&done, maps);
            done[next] = true;
            let still_needed = |v: usize| self.children(v).any(|child| !done[child]);
            let rows = if still_needed(next) {
                (self.tables[next].clone(), self.domains[next])
            } else {
                (self.coarse(next, &maps[next]), maps[next].size)
            };
            tensor.extend(next, &self.parents[next], &rows.0, rows.1, still_needed(next));
            for &parent in &self.parents[next] {
                if !still_needed(parent) {
                    tensor.coarsen(parent, &maps[parent]);
                }
            }
        }
        tensor.in_order()
    }

    fn children(&self, variable: usize) -> impl Iterator<Item = usize> {
        (0..self.domains.len()).filter(move |&child| self.parents[child].contains(&variable))
    }

    /// Returns, of the variables whose parents are included, the one that adds the fewest values.
    fn cheapest(&self, done: &[bool], maps: &[ValueMap]) -> usize {
        let ready = |v: &usize| !done[*v] && self.parents[*v].iter().all(|&parent| done[parent]);
        let size = |v: &usize| {
            let kept = self.children(*v).any(|child| !done[child]);
            if kept { self.domains[*v] } else { maps[*v].size }
        };
        let freed = |v: &usize| {
            let last = |parent: &&usize| self.children(**parent).all(|c| c == *v || done[c]);
            self.parents[*v].iter().filter(last).count()
        };
        let ready = (0..self.domains.len()).filter(ready);
        ready.min_by_key(|v| (usize::MAX - freed(v), size(v))).expect("parents form no cycle")
    }

    /// A variable's table with its own values generalized.
    fn coarse(&self, variable: usize, map: &ValueMap) -> Vec<f64> {
        let size = self.domains[variable];
        let rows = self.tables[variable].chunks_exact(size);
        let mut coarse = vec![0.0; rows.len() * map.size];
        for (row, sums) in rows.zip(coarse.chunks_exact_mut(map.size)) {
            for (&share, &code) in row.iter().zip(&map.codes) {
                if code != NOWHERE {
                    sums[code as usize] += share;
                }
            }
        }
        coarse
    }

    /// Returns where each variable's values go under a partition of the quasi-identifiers; those of
    /// the sensitive attribute stay, or all go together.
    fn maps(&self, partition: &[ValueMap], sensitive: bool) -> Vec<ValueMap> {
        let watched = self.domains[self.attributes.len()..].iter().map(|&size| {
            if sensitive {
                ValueMap { codes: (0..size as u32).collect(), size }
            } else {
                ValueMap { codes: vec![0; size], size: 1 }
            }
        });
        partition.iter().cloned().chain(watched).collect()
    }
}

/// Moves on to the next cell, the last attribute's part varying fastest.
fn next_cell(codes: &mut [u32], partition: &[ValueMap]) {
    for (code, map) in codes.iter_mut().zip(partition).rev() {
        *code += 1;
        if (*code as usize) < map.size {
            return;
        }
        *code = 0;
    }
}

/// Returns where the values within a side go: together, or each on its own.
fn inside(side: &Range<u32>, domain: usize, apart: bool) -> ValueMap {
    let code = |code: u32| match (side.contains(&code), apart) {
        (false, _) => NOWHERE,
        (true, false) => 0,
        (true, true) => code - side.start,
    };
    ValueMap {
        codes: (0..domain as u32).map(code).collect(),
        size: if apart { side.len() } else { 1 },
    }
}

impl Summary for Network {
    fn records(&self) -> f64 {
        self.records
    }

    fn attributes(&self) -> &[QuasiIdentifier] {
        &self.attributes
    }

    fn sensitive(&self) -> usize {
        self.domains.get(self.attributes.len()).copied().unwrap_or(0)
    }

    fn probability(&self, scheme: &Scheme, codes: &[u32], sensitive: Option<u32>) -> f64 {
        let only = |map: ValueMap, code: u32| ValueMap {
            codes: map.codes.iter().map(|&c| if c == code { 0 } else { NOWHERE }).collect(),
            size: 1,
        };
        let levels = ValueMap::to_scheme(&self.attributes, scheme);
        let mut maps = self.maps(&levels, sensitive.is_some()).into_iter();
        let quasi: Vec<ValueMap> =
            maps.by_ref().zip(codes).map(|(map, &code)| only(map, code)).collect();
        let watched = maps.zip(sensitive.into_iter().chain([0])).map(|(map, code)| only(map, code));
        self.generalized(&quasi.into_iter().chain(watched).collect::<Vec<_>>())[0]
    }

    fn within(&self, sides: &[Range<u32>], along: Option<usize>, sensitive: bool) -> Vec<f64> {
        let quasi = sides.iter().zip(&self.domains).enumerate();
        let quasi = quasi.map(|(i, (side, &domain))| inside(side, domain, along == Some(i)));
        let watched = self.domains[self.attributes.len()..].iter();
        let watched = watched.map(|&domain| inside(&(0..domain as u32), domain, sensitive));
        self.generalized(&quasi.chain(watched).collect::<Vec<_>>())
    }

    fn for_each_cell(
        &self,
        partition: &[ValueMap],
        sensitive: bool,
        visit: &mut dyn FnMut(&LikelyCell<'_>),
    ) -> Result<(), Error> {
        let maps = self.maps(partition, sensitive);
        let cells: u128 = maps.iter().map(|map| map.size as u128).product();
        if cells > MOST_CELLS {
            let what = format!("{cells} cells are more than can be enumerated");
            return Err(Error::unsupported(what, "choose fewer quasi-identifiers"));
        }
        let values = if sensitive { self.sensitive().max(1) } else { 1 };
        let mut codes = vec![0; partition.len()];
        for sensitive in self.generalized(&maps).chunks_exact(values) {
            let probability: f64 = sensitive.iter().sum();
            if probability > 0.0 {
                visit(&LikelyCell { codes: &codes, probability, sensitive });
            }
            next_cell(&mut codes, partition);
        }
        Ok(())
    }

    fn draw(&self, random: &mut rand::rngs::StdRng) -> Vec<u32> {
        let mut record = vec![0; self.domains.len()];
        for variable in self.order() {
            let config = self.parents[variable]
                .iter()
                .fold(0, |config, &p| config * self.domains[p] + record[p] as usize);
            let size = self.domains[variable];
            let row = &self.tables[variable][config * size..][..size];
            let mut rest = rand::RngExt::random::<f64>(random) * row.iter().sum::<f64>();
            let found = row.iter().position(|share| {
                rest -= share;
                rest < 0.0
            });
            let last = row.iter().rposition(|&share| share > 0.0).unwrap_or(0);
            record[variable] = found.unwrap_or(last) as u32;
        }
        record
    }

    fn marginal(&self, attribute: usize) -> Vec<f64> {
        self.marginals[attribute].clone()
    }
}

#[cfg(test)]
mod tests;

//! How often each value occurs, and some records drawn at random.

use std::collections::BinaryHeap;

use haggle_cube::Overview;
use haggle_model::QuasiIdentifier;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::scanned::{Scanned, watched_code};
use super::tally::Tally;
use crate::coding::Values;

/// Counts by column, and the records whose place has the lowest hash: a sample that does not
/// depend on how the work was shared.
#[derive(Debug)]
pub struct Marginals {
    records: u64,
    counts: Vec<Vec<u64>>,
    size: usize,
    seed: u64,
    drawn: BinaryHeap<(u64, Box<[u32]>)>,
    /// Records and counts of the whole table, where only a sample of it was read.
    pub(crate) whole: Option<(u64, Vec<Vec<u64>>)>,
    /// The estimated number of records of the table, where they were not counted.
    pub(crate) believed: Option<u64>,
}

/// How much of a database is read; files are always read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Every value is counted, in one scan.
    Whole,
    /// Only a sample is drawn.
    Sample,
}

impl Marginals {
    pub(crate) fn new(columns: usize, size: usize, seed: u64) -> Self {
        Self {
            records: 0,
            counts: vec![Vec::new(); columns],
            size,
            seed,
            drawn: BinaryHeap::new(),
            whole: None,
            believed: None,
        }
    }
}

impl Tally for Marginals {
    fn add(&mut self, codes: &[u32], _: &[Values], line: u64, records: u64) {
        self.records += records;
        for (counts, &code) in self.counts.iter_mut().zip(codes) {
            let code = code as usize;
            if code >= counts.len() {
                counts.resize(code + 1, 0);
            }
            counts[code] += records;
        }
        let place = xxh3_64_with_seed(&line.to_le_bytes(), self.seed);
        if self.drawn.len() < self.size {
            self.drawn.push((place, codes.into()));
        } else if self.drawn.peek().is_some_and(|(highest, _)| place < *highest) {
            self.drawn.pop();
            self.drawn.push((place, codes.into()));
        }
    }

    fn records(&self) -> u64 {
        self.records
    }

    fn bytes(&self) -> usize {
        8 * self.counts.iter().map(Vec::len).sum::<usize>()
            + self.drawn.len() * (24 + 4 * self.counts.len())
    }
}

impl Scanned<Marginals> {
    /// Returns the counts and the sample in the codes of these hierarchies, which must cover every
    /// value, and of the watched attributes.
    pub fn overview(&self, attributes: &[QuasiIdentifier]) -> Overview {
        let watched = self.watched();
        let sizes = attributes.iter().map(|a| a.hierarchy.len(0.into()));
        let sizes = sizes.chain(watched.iter().map(|w| w.values.len() + 1));
        let mut counts: Vec<Vec<u64>> = sizes.map(|size| vec![0; size]).collect();
        let mut drawn: Vec<(u64, Vec<u32>)> = Vec::new();
        for worker in &self.workers {
            let code = |column: usize, value: &str| match attributes.get(column) {
                Some(attribute) => attribute.hierarchy.code(value),
                None => watched_code(&watched[column - attributes.len()].values, value),
            };
            let meaning = |(column, values): (usize, &Values)| -> Vec<u32> {
                let codes = values.dictionary.values().map(|value| code(column, value));
                codes.map(|code| code.expect("every value is covered")).collect()
            };
            let recode: Vec<Vec<u32>> = worker.values.iter().enumerate().map(meaning).collect();
            let own = worker.tally.whole.as_ref().map_or(&worker.tally.counts, |whole| &whole.1);
            for (column, own) in own.iter().enumerate() {
                for (&count, &code) in own.iter().zip(&recode[column]) {
                    counts[column][code as usize] += count;
                }
            }
            let rows = worker.tally.drawn.iter().map(|(place, codes)| {
                let codes = codes.iter().zip(&recode).map(|(&code, recode)| recode[code as usize]);
                (*place, codes.collect())
            });
            drawn.extend(rows);
        }
        drawn.sort_unstable();
        let size = self.workers.iter().map(|worker| worker.tally.size).max().unwrap_or(0);
        drawn.truncate(size);
        let sample = drawn.into_iter().flat_map(|(_, codes)| codes).collect();
        let records = self.workers.iter().map(|worker| {
            let Marginals { whole, believed, records, .. } = &worker.tally;
            whole.as_ref().map_or(believed.unwrap_or(*records), |whole| whole.0)
        });
        Overview { records: records.sum(), counts, sample }
    }
}

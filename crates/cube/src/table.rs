//! The table of one statistic: every scheme's histogram, and a row for each group where asked for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::lattice::Costs;
use crate::{Column, Histogram, Histograms};

/// Bytes for the costs of thresholds that were asked for; the oldest go first.
const KEPT_COSTS: usize = 16 << 20;

/// A number for each group of every scheme, one scheme behind the other.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    ends: Vec<usize>,
    numbers: Vec<u32>,
}

impl Rows {
    pub(crate) fn push(&mut self, numbers: &[u32]) {
        self.numbers.extend_from_slice(numbers);
        self.ends.push(self.numbers.len());
    }

    /// The numbers of one scheme alone.
    pub(crate) fn one(numbers: &[u32]) -> Self {
        let mut rows = Self::default();
        rows.push(numbers);
        rows
    }

    /// The numbers of the scheme at this position.
    pub fn get(&self, position: usize) -> &[u32] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.numbers[start..self.ends[position]]
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + size_of_val(&*self.ends)
    }
}

/// One statistic of every scheme of a lattice.
#[derive(Debug)]
pub struct Table {
    pub(crate) column: Column,
    pub(crate) histograms: Histograms,
    pub(crate) rows: Option<Rows>,
    costs: Mutex<VecDeque<(u64, Costs)>>,
}

impl Table {
    pub(crate) fn new(column: Column, histograms: Histograms, rows: Option<Rows>) -> Arc<Self> {
        Arc::new(Self { column, histograms, rows, costs: Mutex::default() })
    }

    /// What the table is about.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The histogram of the scheme at this position.
    pub fn histogram(&self, position: usize) -> Histogram<'_> {
        self.histograms.get(position)
    }

    /// Whether it has a row for each group, so that verdicts can be joined.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.histograms.bytes() + self.rows.as_ref().map_or(0, Rows::bytes)
    }

    /// What every scheme suppresses at a threshold: one walk through all histograms; the next
    /// request with this threshold finds it done.
    pub(crate) fn costs(&self, threshold: f64) -> Costs {
        let mut kept = self.costs.lock().expect("no search panicked");
        let known = kept.iter().find(|(bits, _)| *bits == threshold.to_bits());
        if let Some((_, costs)) = known {
            return costs.clone();
        }
        let cost = |scheme| self.histograms.get(scheme).suppressed(threshold) as u32;
        let costs: Costs = (0..self.histograms.len()).map(cost).collect();
        kept.push_back((threshold.to_bits(), costs.clone()));
        if kept.len() * size_of_val(&*costs) > KEPT_COSTS {
            kept.pop_front();
        }
        costs
    }
}

//! The table of one statistic: every scheme's histogram, and a row for each group if requested.

use std::sync::Arc;

use haggle_model::{Cache, Capacity};
use serde::{Deserialize, Serialize};

use crate::{Column, Histogram, Histograms};

/// Bytes for the costs of earlier thresholds.
const KEPT_COSTS: usize = 16 << 20;

/// How many records each scheme suppresses at a threshold, by the scheme's index.
pub type Costs = Arc<[u64]>;

/// A number for each group of every scheme, concatenated in the order of annotation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Rows<N = u32> {
    starts: Vec<usize>,
    ends: Vec<usize>,
    numbers: Vec<N>,
}

/// The records of each group of every scheme.
pub type GroupSizes = Rows<u64>;

impl<N: Copy + Default> Rows<N> {
    /// Builds rows for this many schemes, all of which are still to be [`set`](Self::set).
    pub(crate) fn of_schemes(schemes: usize) -> Self {
        Self { starts: vec![0; schemes], ends: vec![0; schemes], numbers: Vec::new() }
    }

    /// Sets the numbers of the scheme at this position, once.
    pub(crate) fn set(&mut self, position: usize, numbers: &[N]) {
        self.starts[position] = self.numbers.len();
        self.numbers.extend_from_slice(numbers);
        self.ends[position] = self.numbers.len();
    }

    /// Adds the numbers of the next scheme.
    pub(crate) fn push(&mut self, numbers: &[N]) {
        self.starts.push(0);
        self.ends.push(0);
        self.set(self.starts.len() - 1, numbers);
    }

    /// Frees reserved memory that was not used.
    pub(crate) fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
    }

    /// The numbers of one scheme alone.
    pub(crate) fn one(numbers: &[N]) -> Self {
        let mut rows = Self::default();
        rows.push(numbers);
        rows
    }

    /// The numbers of the scheme at this position.
    pub fn get(&self, position: usize) -> &[N] {
        &self.numbers[self.starts[position]..self.ends[position]]
    }

    /// Returns the numbers of the scheme at this position in rows that were read; `None` if there
    /// are none.
    pub(crate) fn checked(&self, position: usize) -> Option<&[N]> {
        self.numbers.get(*self.starts.get(position)?..*self.ends.get(position)?)
    }

    /// How many schemes have numbers.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + size_of_val(&*self.ends) + size_of_val(&*self.starts)
    }
}

/// For each scheme in the order of one lattice, its position in another lattice over the same
/// attributes in another order.
pub type Order = Arc<[u32]>;

/// One statistic of every scheme of a lattice.
#[derive(Debug)]
pub struct StatisticTable {
    column: Column,
    histograms: Arc<Histograms>,
    rows: Option<Arc<Rows>>,
    /// The position of each scheme in the shared data, if that is in another order.
    order: Option<Order>,
    /// By the bits of their thresholds.
    costs: Cache<u64, [u64]>,
}

impl StatisticTable {
    pub(crate) fn new(column: Column, histograms: Histograms, rows: Option<Rows>) -> Arc<Self> {
        let (histograms, rows) = (histograms.into(), rows.map(Arc::new));
        Arc::new(Self { column, histograms, rows, order: None, costs: Cache::default() })
    }

    /// Returns the same table with these rows; the histograms are shared.
    pub(crate) fn with_rows(&self, rows: Rows) -> Arc<Self> {
        let (column, histograms) = (self.column.clone(), self.histograms.clone());
        let (rows, order) = (Some(rows.into()), self.order.clone());
        Arc::new(Self { column, histograms, rows, order, costs: Cache::default() })
    }

    /// Returns the same table for a lattice with another order of attributes; the numbers are
    /// shared.
    pub(crate) fn reordered(&self, order: &Order) -> Arc<Self> {
        let order = match &self.order {
            None => order.clone(),
            Some(inner) => order.iter().map(|&position| inner[position as usize]).collect(),
        };
        Arc::new(Self {
            column: self.column.clone(),
            histograms: self.histograms.clone(),
            rows: self.rows.clone(),
            order: Some(order),
            costs: Cache::default(),
        })
    }

    /// Returns the position of a scheme in the shared data.
    pub(crate) fn at(&self, position: usize) -> usize {
        self.order.as_ref().map_or(position, |order| order[position] as usize)
    }

    /// Returns the histograms to store; those of a table in another order are stored with the
    /// original.
    pub(crate) fn stored(&self) -> &Histograms {
        assert!(self.order.is_none(), "a lattice in another order is not stored");
        &self.histograms
    }

    /// How many bins the histogram of the scheme at this position has.
    pub(crate) fn bins(&self, position: usize) -> usize {
        self.histograms.range(self.at(position)).len()
    }

    /// The row of each group of the scheme at this position, if there are rows.
    pub(crate) fn rows(&self, position: usize) -> Option<&[u32]> {
        Some(self.rows.as_ref()?.get(self.at(position)))
    }

    /// All rows to store, if there are rows.
    pub(crate) fn all_rows(&self) -> Option<&Rows> {
        self.rows.as_deref()
    }

    /// Returns what the table is about.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The histogram of the scheme at this position.
    pub fn histogram(&self, position: usize) -> Histogram<'_> {
        self.histograms.get(self.at(position))
    }

    /// Whether it has a row for each group, so that verdicts can be joined.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.histograms.bytes() + self.rows.as_ref().map_or(0, |rows| rows.bytes())
    }

    /// Returns what every scheme suppresses at a threshold: one scan of all histograms, cached for
    /// the next request with this threshold.
    pub(crate) fn costs(&self, threshold: f64) -> Costs {
        let capacity = Capacity::bytes(KEPT_COSTS, size_of_val::<[u64]>);
        let cost = |scheme| self.histogram(scheme).suppressed(threshold);
        let costs = || (0..self.histograms.len()).map(cost).collect();
        self.costs.get_or_compute(&threshold.to_bits(), &capacity, costs)
    }
}

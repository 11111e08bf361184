//! The loss that is expected of a partition: sums over the groups that it keeps, before any of
//! them is counted.
//!
//! Each cell of the partition has X records, a binomial. What is kept of it is E[X; good], and of
//! the squared size E[X²; good]; good is a size of at least k, or a diverse group. Sums over cells
//! of the table take the records kept by published value, so records that are expected to be
//! suppressed do not count with the values they would have had. For k-anonymity these are exact
//! under the summary's model; for l-diversity as exact as the prediction.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use haggle_cube::{CodeMeaning, ExpectedGroups, Loss};
use haggle_model::Scheme;

use crate::binomial::Binomial;
use crate::diversity::{for_each_size, range};
use crate::most_frequent::MostFrequent;
use crate::predict::{DeadlineCheck, known_shares};
use crate::{Error, Goal, Optimizations, Prediction, PredictionOptions, Summary, ValueMap};

/// Cells with the same classes share what is known of them; beyond this number, it is forgotten.
const MOST_KNOWN: usize = 4_096;
/// Shares that agree to this fraction are the same.
const SAME: f64 = 1e-6;

/// Computes the loss that is expected of schemes and other partitions.
#[derive(Debug)]
pub struct ExpectedLoss<'a> {
    summary: &'a dyn Summary,
    /// What groups must meet to be kept; all are kept if nothing may be suppressed.
    kept_if: Option<Goal>,
    how: PredictionOptions<'a>,
    loss: &'a dyn Loss,
    /// The most frequent class, by the shares of classes.
    classes: Mutex<HashMap<Vec<u32>, Arc<Mutex<MostFrequent>>>>,
}

impl<'a> ExpectedLoss<'a> {
    /// Builds it for a loss over groups that must meet a condition, or are suppressed. Without a
    /// condition nothing is suppressed: that is the loss of a scheme that is published only if all
    /// of its groups are protected.
    pub fn new(
        summary: &'a dyn Summary,
        kept_if: Option<Goal>,
        how: PredictionOptions<'a>,
        loss: &'a dyn Loss,
    ) -> Self {
        Self { summary, kept_if, how, loss, classes: Mutex::default() }
    }

    /// The loss expected of a scheme with this prediction.
    pub fn of_scheme(&self, scheme: &Scheme, predicted: &Prediction) -> Result<f64, Error> {
        let partition = ValueMap::to_scheme(self.summary.attributes(), scheme);
        self.loss_of(&partition, CodeMeaning::Scheme(scheme), predicted)
    }

    /// The loss expected of a partition, whose codes refer to this.
    pub(crate) fn loss_of(
        &self,
        partition: &[ValueMap],
        place: CodeMeaning<'_>,
        predicted: &Prediction,
    ) -> Result<f64, Error> {
        let sums = self.sums(partition)?;
        let kept = ExpectedGroups {
            place,
            values: &sums.values,
            groups: sums.kept.groups,
            squares: sums.kept.squares,
            minority: sums.kept.minority,
            records: sums.kept.records,
            suppressed: sums.suppressed,
            any_suppressed: self.kept_if.map_or(0.0, |_| 1.0 - predicted.probability),
        };
        let expected = self.loss.expected(&kept);
        expected.ok_or_else(|| {
            Error::unsupported("this loss cannot be expected", "choose another measure")
        })
    }

    fn sums(&self, partition: &[ValueMap]) -> Result<ExpectedSums, Error> {
        let (records, classes) = (self.summary.records(), self.loss.watches().is_some());
        let values = partition.iter().map(|map| vec![0.0; map.size]).collect();
        let mut sums = ExpectedSums { values, kept: KeptCell::default(), suppressed: 0.0 };
        let sensitive = classes || matches!(self.kept_if, Some(Goal::L(_)));
        let mut check = DeadlineCheck::new(self.how.progress);
        self.summary.for_each_cell(partition, sensitive, &mut |cell| {
            if check.is_over() {
                return;
            }
            let size = Binomial { trials: records, chance: cell.probability.min(1.0) };
            let mut kept = self.kept(size, cell.sensitive);
            if classes && kept.records > 0.0 {
                let shares: Vec<f64> =
                    cell.sensitive.iter().map(|share| share / cell.probability).collect();
                kept.minority = self.minority(size, &shares);
            }
            sums.add(cell.codes, size.mean(), kept);
        })?;
        check.finish()?;
        Ok(sums)
    }

    /// What is kept of a cell; the minority aside.
    fn kept(&self, size: Binomial, joint: &[f64]) -> KeptCell {
        match self.kept_if {
            None => KeptCell::whole(size),
            Some(Goal::K(k)) => KeptCell::from(size, k as f64),
            Some(Goal::L(l)) => {
                let mut shares = Vec::new();
                known_shares(joint, &mut shares);
                KeptCell::diverse(size, &shares, l, self.how.optimizations)
            }
        }
    }

    /// The records of a cell that are kept and not of its most frequent class.
    fn minority(&self, size: Binomial, shares: &[f64]) -> f64 {
        let most = self.most_frequent(shares);
        let mut most = most.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut all, mut minority) = (0.0, 0.0);
        match self.kept_if {
            None | Some(Goal::K(_)) => {
                let least = self.kept_if.map_or(1.0, Goal::threshold);
                let (low, high) = range(size, Optimizations::ALL);
                let (mut x, mut mass) = (low, size.ln_mass(low).exp());
                while x <= high {
                    all += mass;
                    if x >= least {
                        minority += mass * (x - most.mean(x));
                    }
                    mass = if mass < 1e-290 {
                        size.ln_mass(x + 1.0).exp()
                    } else {
                        mass * size.ratio(x)
                    };
                    x += 1.0;
                }
            }
            Some(Goal::L(l)) => {
                for_each_size(size, shares, l, self.how.optimizations, |x, mass, passes| {
                    all += mass;
                    minority += mass * most.others_if_diverse(x, l, passes);
                });
            }
        }
        minority / all
    }
}

impl ExpectedLoss<'_> {
    /// What is known of the most frequent class of groups with these shares.
    fn most_frequent(&self, shares: &[f64]) -> Arc<Mutex<MostFrequent>> {
        let key = shares.iter().map(|share| (share / SAME).round() as u32).collect();
        let mut known = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.entry(key).or_insert_with(|| Arc::new(MostFrequent::new(shares).into())).clone()
    }
}

/// Expected sums over all cells.
struct ExpectedSums {
    /// The records kept, by attribute and code.
    values: Vec<Vec<f64>>,
    kept: KeptCell,
    suppressed: f64,
}

impl ExpectedSums {
    fn add(&mut self, codes: &[u32], mean: f64, cell: KeptCell) {
        for (values, &code) in self.values.iter_mut().zip(codes) {
            values[code as usize] += cell.records;
        }
        self.suppressed += (mean - cell.records).max(0.0);
        self.kept.groups += cell.groups;
        self.kept.records += cell.records;
        self.kept.squares += cell.squares;
        self.kept.minority += cell.minority;
    }
}

/// What is expected to be kept of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct KeptCell {
    groups: f64,
    records: f64,
    squares: f64,
    minority: f64,
}

impl KeptCell {
    /// A cell that is kept whatever its size.
    fn whole(size: Binomial) -> Self {
        let mean = size.mean();
        Self {
            groups: 1.0 - size.ln_mass(0.0).exp(),
            records: mean,
            squares: size.variance() + mean * mean,
            minority: 0.0,
        }
    }

    /// A cell that is kept from a size of `k` on.
    fn from(size: Binomial, k: f64) -> Self {
        if size.never_reaches(k) {
            return Self::default();
        }
        let mean = size.mean();
        let [chance, records, squares] = size.few(k);
        Self {
            groups: (1.0 - size.ln_mass(0.0).exp() - chance).max(0.0),
            records: (mean - records).max(0.0),
            squares: (size.variance() + mean * mean - squares).max(0.0),
            minority: 0.0,
        }
    }

    /// A cell that is kept if it is diverse.
    fn diverse(size: Binomial, shares: &[f64], l: f64, how: Optimizations) -> Self {
        let (mut all, mut kept) = (0.0, Self::default());
        for_each_size(size, shares, l, how, |x, mass, passes| {
            all += mass;
            if x > 0.0 {
                kept.groups += mass * passes;
                kept.records += mass * passes * x;
                kept.squares += mass * passes * x * x;
            }
        });
        // As in the prediction, what was cut off is assumed to be like the rest.
        Self {
            groups: kept.groups / all,
            records: (kept.records / all).min(size.mean()),
            squares: kept.squares / all,
            minority: 0.0,
        }
    }
}

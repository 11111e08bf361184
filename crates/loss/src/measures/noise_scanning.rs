//! Noise scanning: how far what a range query finds is from what the query would have found.
//!
//! Definition: a query selects some records of a group as recorded, but the published group comes as a
//! whole; the noise is the earth mover's distance between the sensitive values of those selected and
//! of the whole group, and nothing where none is selected. A group's noise is its mean over queries,
//! the loss its mean over records. Formula: `Σ_g n_g / N · Σ_τ Pr(τ) · EMD(D_τ, D_g)`.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008,
//! section 4.5.
//! Which subset τ a query selects has no closed form, so each group is asked random queries: a range
//! of recorded values, in their order, of one quasi-identifier or of two, drawn by their weights.
//! The queries are drawn from the group itself, so a group has the same noise wherever it occurs, and
//! the errors of different groups are independent: their variances add up. A suppressed record is
//! noise altogether.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use haggle_cube::{Cube, Distance, Generalized, Kept, Loss, Payload, Place, ValueCount};
use haggle_model::Scheme;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::{Basis, Error, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "noise-scanning",
    title: "noise scanning",
    definition: "How far the sensitive values of a published group are from those of the part of it that a random range query would have selected as recorded; an estimate with a standard error.",
    formula: "sum over groups of n / N * mean over queries of EMD(selected, group)",
    range: "0 (as recorded) to the largest distance, 1 unless a matrix is stated",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Six records with six different diseases are published as one group, and a query selects four of them as recorded: they have each disease with 1/4 instead of 1/6, so the noise of this query is 4 * (1/4 - 1/6) = 1/3.",
    suppressed: "as the largest distance",
    watches: true,
    monotone: false,
    suppressing_costs: true,
    additive: true,
    estimate: true,
    loss: |basis| Ok(Box::new(NoiseScanning::of(basis)?)),
};

/// So many queries are drawn for each group.
const QUERIES: u32 = 100;
/// So many schemes' groups are kept; more than the machine works on at once.
const KEPT: usize = 64;

/// The recorded combinations, which queries select from.
#[derive(Debug)]
struct Recorded {
    /// The codes of each, one after the other.
    codes: Vec<u32>,
    /// The watched values of each.
    values: Vec<Box<[ValueCount]>>,
    /// How many values each quasi-identifier has.
    domains: Vec<u32>,
}

impl Recorded {
    fn of(cube: &Cube, watched: usize) -> Self {
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        cube.for_each_group(&cube.space().bottom(), watched, |group_codes, group| {
            codes.extend_from_slice(group_codes);
            values.push(group.values.into());
        });
        let domain = |a: &haggle_model::QuasiIdentifier| a.hierarchy.len(0.into()) as u32;
        Self { codes, values, domains: cube.attributes().iter().map(domain).collect() }
    }

    fn codes(&self, row: u32) -> &[u32] {
        let width = self.domains.len();
        &self.codes[row as usize * width..][..width]
    }
}

/// The recorded combinations by the group of a scheme that they belong to.
#[derive(Debug)]
struct ByGroup {
    /// For each combination, in the order of the groups, its codes at the scheme's levels.
    codes: Vec<u32>,
    rows: Vec<u32>,
}

impl ByGroup {
    fn of(recorded: &Recorded, ancestors: &[Vec<Vec<u32>>], scheme: &Scheme) -> Self {
        let above: Vec<&[u32]> =
            ancestors.iter().zip(scheme.levels()).map(|(a, l)| a[l.index()].as_slice()).collect();
        let codes = |row: u32| {
            recorded.codes(row).iter().zip(&above).map(|(&code, above)| above[code as usize])
        };
        let mut rows: Vec<u32> = (0..recorded.values.len() as u32).collect();
        rows.sort_by(|&a, &b| codes(a).cmp(codes(b)));
        Self { codes: rows.iter().flat_map(|&row| codes(row)).collect(), rows }
    }

    fn rows(&self, group: &[u32]) -> &[u32] {
        let chunks = |row: usize| &self.codes[row * group.len()..][..group.len()];
        let (mut low, mut high) = (0, self.rows.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if chunks(middle) < group { low = middle + 1 } else { high = middle }
        }
        let here = (low..self.rows.len()).take_while(|&row| chunks(row) == group).count();
        &self.rows[low..low + here]
    }
}

/// The noise that queries meet.
#[derive(Debug)]
struct NoiseScanning {
    distance: Arc<dyn Distance>,
    recorded: Recorded,
    /// For each quasi-identifier and level, the value above each recorded one.
    ancestors: Vec<Vec<Vec<u32>>>,
    weights: Vec<f64>,
    /// The schemes looked at last: groups of one scheme are asked for one after the other.
    by_group: Mutex<VecDeque<(Scheme, Arc<ByGroup>)>>,
}

/// The mean noise of a group, and the variance of that mean.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Noise {
    mean: f64,
    variance: f64,
}

impl NoiseScanning {
    fn of(basis: &Basis<'_>) -> Result<Self, Error> {
        let distance = basis.distance(MEASURE.id)?.clone();
        let watched = distance.column().watches.unwrap_or(0);
        let levels = |hierarchy: &haggle_model::Hierarchy| {
            let levels = 0..=u8::from(hierarchy.top());
            levels.map(|level| hierarchy.ancestors(level.into()).to_vec()).collect()
        };
        Ok(Self {
            recorded: Recorded::of(basis.cube, watched),
            ancestors: basis.hierarchies.iter().map(levels).collect(),
            weights: basis.weights.clone(),
            by_group: Mutex::default(),
            distance,
        })
    }

    fn by_group(&self, scheme: &Scheme) -> Arc<ByGroup> {
        let lock = || self.by_group.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|(known, _)| known == scheme) {
            return known.clone();
        }
        let made = Arc::new(ByGroup::of(&self.recorded, &self.ancestors, scheme));
        let mut kept = lock();
        kept.push_front((scheme.clone(), made.clone()));
        kept.truncate(KEPT);
        made
    }

    /// A range of one quasi-identifier or of two: which, from and to.
    fn query(&self, random: &mut StdRng) -> Vec<(usize, u32, u32)> {
        let mut weights = self.weights.clone();
        let attributes = random.random_range(1..=2);
        let range = |random: &mut StdRng, attribute: usize| {
            let ends = [0; 2].map(|_| random.random_range(0..self.recorded.domains[attribute]));
            (attribute, ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        let mut query = Vec::new();
        while query.len() < attributes
            && let Some(attribute) = drawn(&weights, random)
        {
            weights[attribute] = 0.0;
            query.push(range(random, attribute));
        }
        query
    }

    /// What random queries meet in the group of these recorded combinations.
    fn noise(&self, rows: &[u32], group: &[ValueCount]) -> Noise {
        // A query selects all of one combination or nothing.
        if rows.len() < 2 || group.is_empty() {
            return Noise::default();
        }
        let mut random = StdRng::seed_from_u64(seed(rows));
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut counts = vec![0; group.last().map_or(0, |last| last.code as usize + 1)];
        for _ in 0..QUERIES {
            let query = self.query(&mut random);
            let noise = self.noise_of(&query, rows, group, &mut counts);
            (sum, squares) = (sum + noise, squares + noise * noise);
        }
        let queries = f64::from(QUERIES);
        let spread = (squares - sum * sum / queries).max(0.0) / (queries - 1.0);
        Noise { mean: sum / queries, variance: spread / queries }
    }

    fn noise_of(
        &self,
        query: &[(usize, u32, u32)],
        rows: &[u32],
        group: &[ValueCount],
        counts: &mut [u32],
    ) -> f64 {
        let selects = |row: u32| {
            let codes = self.recorded.codes(row);
            query.iter().all(|&(attribute, from, to)| (from..=to).contains(&codes[attribute]))
        };
        counts.fill(0);
        let mut selected = 0;
        for &row in rows.iter().filter(|&&row| selects(row)) {
            selected += 1;
            for value in &self.recorded.values[row as usize] {
                counts[value.code as usize] += value.count;
            }
        }
        if selected == 0 || selected == rows.len() {
            return 0.0;
        }
        let occur = (0..).zip(&*counts).filter(|(_, count)| **count > 0);
        let selected: Vec<ValueCount> =
            occur.map(|(code, &count)| ValueCount { code, count }).collect();
        if selected.is_empty() { 0.0 } else { self.distance.between(&selected, group) }
    }
}

/// An attribute by its weight; none if all weigh nothing.
fn drawn(weights: &[f64], random: &mut StdRng) -> Option<usize> {
    let all: f64 = weights.iter().sum();
    if all <= 0.0 {
        return None;
    }
    let mut at = random.random::<f64>() * all;
    let weighing = || weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
    for (attribute, weight) in weighing() {
        at -= weight;
        if at < 0.0 {
            return Some(attribute);
        }
    }
    weighing().next_back().map(|(attribute, _)| attribute)
}

/// The same for the same combinations, in whichever scheme they are a group.
fn seed(rows: &[u32]) -> u64 {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    let mut hasher = DefaultHasher::new();
    rows.hash(&mut hasher);
    hasher.finish()
}

impl Payload for NoiseScanning {
    fn id(&self) -> String {
        format!("{}:{}", MEASURE.id, self.distance.column().id)
    }

    fn width(&self) -> usize {
        2
    }

    fn watches(&self) -> Option<usize> {
        self.distance.column().watches
    }

    /// n times the mean noise, and n² times its variance.
    fn of(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let noise = match group.place {
            Place::Scheme(scheme) => {
                self.noise(self.by_group(scheme).rows(group.codes), group.values)
            }
            Place::Regions { rows, .. } => self.noise(rows, group.values),
        };
        let records = group.records as f64;
        (numbers[0], numbers[1]) = (records * noise.mean, records * records * noise.variance);
    }
}

impl Loss for NoiseScanning {
    fn loss(&self, kept: &Kept<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        (kept.sums[0] + kept.suppressed as f64 * self.distance.largest()) / all
    }

    fn standard_error(&self, kept: &Kept<'_>) -> Option<f64> {
        Some(kept.sums[1].max(0.0).sqrt() / (kept.records + kept.suppressed).max(1) as f64)
    }
}

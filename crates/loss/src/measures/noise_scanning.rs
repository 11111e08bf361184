//! Noise scanning: how far the result of a range query is from its result on the recorded data.
//!
//! Definition: a query selects some records of a group as recorded, but the published group is
//! selected as a whole; the noise is the earth mover's distance between the sensitive values of
//! those selected and of the whole group, and zero if none is selected. A group's noise is its mean
//! over queries, the loss its mean over records. Formula: `Σ_g n_g / N · Σ_τ Pr(τ) · EMD(D_τ,
//! D_g)`. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes",
//! 2008, section 4.5. Which subset τ a query selects has no closed form, so each group is evaluated
//! with random queries: a range of recorded values, in their order, of one quasi-identifier or of
//! two, drawn by their weights. The queries are derived from the group itself, so a group has the
//! same noise wherever it occurs, and the errors of different groups are independent: their
//! variances add up. A larger group weighs more, so it is evaluated with more queries. A suppressed
//! record has the maximum noise.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use haggle_cube::{
    CodeMeaning, Cube, Distance, Generalized, KeptGroups, Loss, Payload, ValueCount,
};
use haggle_model::{Cache, Capacity, Scheme};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Basis, Error, ExpectedFrom, Measure};

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
    weighted: true,
    workload: false,
    monotone: false,
    suppressing_costs: true,
    additive: true,
    estimate: true,
    options: &[],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| Ok(Box::new(NoiseScanning::of(basis)?)),
};

/// The number of queries for a group with all records.
const MOST_QUERIES: f64 = 100.0;
/// The number of queries for the smallest group: fewer would not show their own variance.
const FEWEST_QUERIES: f64 = 8.0;
/// The groups of this many schemes are cached for each core: more than it works on at once.
const KEPT: usize = 2;

/// The recorded combinations, which queries select from.
#[derive(Debug)]
struct Recorded {
    /// The codes of each quasi-identifier.
    codes: Vec<Vec<u32>>,
    /// The watched values of each combination.
    values: Vec<Box<[ValueCount]>>,
    /// How many values each quasi-identifier has.
    domains: Vec<u32>,
}

impl Recorded {
    fn count(cube: &Cube, watched: usize) -> Self {
        let mut codes = vec![Vec::new(); cube.attributes().len()];
        let mut values = Vec::new();
        cube.for_each_group(&cube.space().bottom(), watched, |group_codes, group| {
            codes.iter_mut().zip(group_codes).for_each(|(codes, &code)| codes.push(code));
            values.push(group.values.into());
        });
        let domain = |a: &haggle_model::QuasiIdentifier| a.hierarchy.len(0.into()) as u32;
        Self { codes, values, domains: cube.attributes().iter().map(domain).collect() }
    }
}

/// The recorded combinations by the group of a scheme that they belong to.
#[derive(Debug)]
struct ByGroup {
    /// Which combinations, in the order of the groups.
    rows: Vec<u32>,
    /// Their codes at the scheme's levels, one combination after the other.
    codes: Vec<u32>,
    /// Their codes as recorded, one quasi-identifier after the other, so that a query scans them.
    columns: Vec<Vec<u32>>,
}

impl ByGroup {
    fn new(recorded: &Recorded, ancestors: &[Vec<Vec<u32>>], scheme: &Scheme) -> Self {
        let mut rows: Vec<u32> = (0..recorded.values.len() as u32).collect();
        let above: Vec<&[u32]> =
            ancestors.iter().zip(scheme.levels()).map(|(a, l)| a[l.index()].as_slice()).collect();
        // By the last quasi-identifier first; each sort keeps the order of the one before.
        for (codes, above) in recorded.codes.iter().zip(&above).rev() {
            rows = sorted(&rows, |row| above[codes[row as usize] as usize]);
        }
        let column = |codes: &Vec<u32>| rows.iter().map(|&row| codes[row as usize]).collect();
        let columns: Vec<Vec<u32>> = recorded.codes.iter().map(column).collect();
        let codes = (0..rows.len())
            .flat_map(|i| {
                columns.iter().zip(&above).map(move |(codes, above)| above[codes[i] as usize])
            })
            .collect();
        Self { rows, codes, columns }
    }

    /// One group of any recoding.
    fn one(recorded: &Recorded, rows: &[u32]) -> Self {
        let column = |codes: &Vec<u32>| rows.iter().map(|&row| codes[row as usize]).collect();
        let columns = recorded.codes.iter().map(column).collect();
        Self { rows: rows.to_vec(), codes: Vec::new(), columns }
    }

    /// Returns the range of the combinations of a group.
    fn place(&self, group: &[u32]) -> Range<usize> {
        let chunks = |row: usize| &self.codes[row * group.len()..][..group.len()];
        let (mut low, mut high) = (0, self.rows.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if chunks(middle) < group { low = middle + 1 } else { high = middle }
        }
        let here = (low..self.rows.len()).take_while(|&row| chunks(row) == group).count();
        low..low + here
    }
}

/// Sorts rows by a small number, stably.
fn sorted(rows: &[u32], number: impl Fn(u32) -> u32) -> Vec<u32> {
    let largest = rows.iter().map(|&row| number(row)).max().unwrap_or(0) as usize;
    let mut starts = vec![0; largest + 2];
    for &row in rows {
        starts[number(row) as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut sorted = vec![0; rows.len()];
    for &row in rows {
        let place: &mut usize = &mut starts[number(row) as usize];
        sorted[*place] = row;
        *place += 1;
    }
    sorted
}

/// The noise of random queries.
#[derive(Debug)]
struct NoiseScanning {
    distance: Arc<dyn Distance>,
    recorded: Recorded,
    /// For each quasi-identifier and level, the value above each recorded one.
    ancestors: Vec<Vec<Vec<u32>>>,
    weights: Vec<f64>,
    records: u64,
    /// The most recent schemes: groups of one scheme are evaluated one after the other.
    by_group: Cache<Scheme, ByGroup>,
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
            recorded: Recorded::count(basis.cube, watched),
            ancestors: basis.hierarchies.iter().map(levels).collect(),
            weights: basis.weights.clone(),
            records: basis.cube.records(),
            by_group: Cache::default(),
            distance,
        })
    }

    fn by_group(&self, scheme: &Scheme) -> Arc<ByGroup> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let group = || ByGroup::new(&self.recorded, &self.ancestors, scheme).into();
        self.by_group.get_or_compute(scheme, &Capacity::entries(KEPT * threads), group)
    }

    /// Returns the number of queries for a group: proportional to the root of its weight, which
    /// gives the least error for the work.
    fn queries(&self, records: u64) -> u32 {
        let share = records as f64 / self.records.max(1) as f64;
        (MOST_QUERIES * share.sqrt()).max(FEWEST_QUERIES) as u32
    }

    /// A range of one quasi-identifier or of two.
    fn query(&self, random: &mut StdRng) -> [Option<SelectedCodes>; 2] {
        let attributes = random.random_range(1..=2);
        let mut condition = |without: Option<usize>| {
            let attribute = drawn(&self.weights, without, random)?;
            let ends = [0; 2].map(|_| random.random_range(0..self.recorded.domains[attribute]));
            Some(SelectedCodes { attribute, range: ends[0].min(ends[1])..=ends[0].max(ends[1]) })
        };
        let first = condition(None);
        let second = first.as_ref().filter(|_| attributes == 2).map(|first| first.attribute);
        [first, second.and_then(|attribute| condition(Some(attribute)))]
    }

    /// Returns the noise of random queries in the group with its combinations in this range.
    fn noise(&self, by_group: &ByGroup, place: Range<usize>, group: &Generalized<'_>) -> Noise {
        // A query selects all of one combination or nothing.
        if place.len() < 2 || group.values.is_empty() {
            return Noise::default();
        }
        let mut random = StdRng::seed_from_u64(seed(&by_group.rows[place.clone()]));
        let (selected, by_code, counts) = Default::default();
        let mut asked = QueriedGroup { by_group, place, selected, by_code, counts };
        let queries = self.queries(group.records);
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..queries {
            let noise = self.noise_of(&self.query(&mut random), &mut asked, group.values);
            (sum, squares) = (sum + noise, squares + noise * noise);
        }
        let queries = f64::from(queries);
        let spread = (squares - sum * sum / queries).max(0.0) / (queries - 1.0);
        Noise { mean: sum / queries, variance: spread / queries }
    }

    fn noise_of(
        &self,
        query: &[Option<SelectedCodes>; 2],
        asked: &mut QueriedGroup<'_>,
        group: &[ValueCount],
    ) -> f64 {
        let selected = asked.select(query);
        if selected == 0 || selected == asked.place.len() {
            return 0.0;
        }
        asked.count(&self.recorded.values, group);
        if asked.counts.is_empty() { 0.0 } else { self.distance.between(&asked.counts, group) }
    }
}

/// The codes of a quasi-identifier that a query selects.
struct SelectedCodes {
    attribute: usize,
    range: RangeInclusive<u32>,
}

/// A group under queries, with memory that all of them share.
struct QueriedGroup<'a> {
    by_group: &'a ByGroup,
    place: Range<usize>,
    selected: Vec<bool>,
    by_code: Vec<u64>,
    counts: Vec<ValueCount>,
}

impl QueriedGroup<'_> {
    /// Marks the combinations that a query selects, and counts them.
    fn select(&mut self, query: &[Option<SelectedCodes>; 2]) -> usize {
        self.selected.clear();
        self.selected.resize(self.place.len(), true);
        for SelectedCodes { attribute, range } in query.iter().flatten() {
            let codes = &self.by_group.columns[*attribute][self.place.clone()];
            let (from, width) = (*range.start(), range.end() - range.start());
            for (selected, code) in self.selected.iter_mut().zip(codes) {
                *selected &= code.wrapping_sub(from) <= width;
            }
        }
        self.selected.iter().filter(|selected| **selected).count()
    }

    /// Counts the values of the selected combinations; only values of the group can occur.
    fn count(&mut self, values: &[Box<[ValueCount]>], group: &[ValueCount]) {
        self.by_code.clear();
        self.by_code.resize(group.last().map_or(0, |last| last.code as usize + 1), 0);
        let rows = &self.by_group.rows[self.place.clone()];
        for (&row, _) in rows.iter().zip(&self.selected).filter(|(_, selected)| **selected) {
            for value in &values[row as usize] {
                self.by_code[value.code as usize] += value.count;
            }
        }
        let counted = group.iter().map(|value| (value.code, self.by_code[value.code as usize]));
        let occur = counted.filter(|(_, count)| *count > 0);
        self.counts.clear();
        self.counts.extend(occur.map(|(code, count)| ValueCount { code, count }));
    }
}

/// Draws an attribute by its weight, except one; none if all others have no weight.
fn drawn(weights: &[f64], without: Option<usize>, random: &mut StdRng) -> Option<usize> {
    let weighing = || {
        let weighing = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        weighing.filter(move |(attribute, _)| Some(*attribute) != without)
    };
    let all: f64 = weighing().map(|(_, weight)| weight).sum();
    if all <= 0.0 {
        return None;
    }
    let mut at = random.random::<f64>() * all;
    for (attribute, weight) in weighing() {
        at -= weight;
        if at < 0.0 {
            return Some(attribute);
        }
    }
    weighing().next_back().map(|(attribute, _)| attribute)
}

/// Returns a seed that is the same for the same combinations, in whichever scheme they form a
/// group.
fn seed(rows: &[u32]) -> u64 {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    let bytes: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
    xxh3_64(&bytes)
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
    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let noise = match group.place {
            CodeMeaning::Scheme(scheme) => {
                let by_group = self.by_group(scheme);
                self.noise(&by_group, by_group.place(group.codes), group)
            }
            CodeMeaning::Regions { rows, .. } => {
                self.noise(&ByGroup::one(&self.recorded, rows), 0..rows.len(), group)
            }
        };
        let records = group.records as f64;
        (numbers[0], numbers[1]) = (records * noise.mean, records * records * noise.variance);
    }
}

impl Loss for NoiseScanning {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        (kept.sums[0] + kept.suppressed as f64 * self.distance.largest()) / all
    }

    fn standard_error(&self, kept: &KeptGroups<'_>) -> Option<f64> {
        Some(kept.sums[1].max(0.0).sqrt() / (kept.records + kept.suppressed).max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::seed;

    #[test]
    fn the_seed_of_a_group_is_the_same_in_every_build() {
        assert_eq!(seed(&[3, 1, 2]), seed(&[1, 2, 3]));
        assert_eq!(seed(&[1, 2, 3]), 0x6bbf_7429_332b_ea48);
    }
}

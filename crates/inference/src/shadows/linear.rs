//! Numbers that add up to an attribute: a date of diagnosis and the age at it give the date of birth,
//! though no two records have the same values. Where a label leaves few values, a sum need not be
//! exact: an age in days tells which of two years of birth it is.

use super::sample::SampledColumns;
use super::{LARGEST, Quality, Shadow, ShadowSearch, is_determined, is_known};

/// The share of the hidden variance that a weighted sum must explain.
const EXPLAINED: f64 = 0.99;
/// The share from which on it is tried whether the sum, rounded to a value under the label, is right.
const ROUNDED: f64 = 0.5;
/// The most records by which that is tried.
const MOST_ROUNDED: usize = 10_000;
/// The share of the records in which a column must be a number, in per cent.
const NUMBERS: u64 = 95;
/// The fewest different records for each number that is fitted.
const RECORDS_FOR_EACH: usize = 10;
/// The most columns that are searched.
const MOST_COLUMNS: usize = 32;

/// Adds the sets of numeric columns of which a weighted sum is an attribute, but for a small error.
pub(super) fn shadows(
    search: &ShadowSearch<'_>,
    columns: &SampledColumns<'_>,
    found: &mut Vec<Shadow>,
) {
    let weights = columns.weights();
    let of = |field: usize| numbers(columns.numbers(search.position(field)), &weights);
    let candidates = search.candidates.iter().enumerate();
    let candidates = candidates.filter_map(|(one, candidate)| Some((one, of(candidate.column)?)));
    let candidates: Vec<(usize, ColumnNumbers)> = candidates.take(MOST_COLUMNS).collect();
    for (attribute, fields) in search.fields.iter().enumerate() {
        let Some(target) = of(fields.recorded) else { continue };
        let published = fields.published.map(|field| {
            let values = columns.values(search.position(field));
            super::SampledValues::of(values).codes
        });
        let published = published.unwrap_or_else(|| vec![0; weights.len()]);
        let used: Vec<&ColumnNumbers> =
            candidates.iter().map(|(_, numbers)| numbers).chain([&target]).collect();
        let Some(moments) = Correlations::compute(&used, &weights, &published) else { continue };
        for set in sets(candidates.len()) {
            let positions: Vec<usize> = set.iter().map(|&one| candidates[one].0).collect();
            let columns = search.columns(&positions);
            if search.progress.cancelled() || is_known(found, &columns, attribute) {
                continue;
            }
            if let Some(quality) = moments.quality(&set) {
                found.push(Shadow { columns, attribute, quality });
            }
        }
    }
}

/// By record, its number.
type ColumnNumbers = Vec<Option<f64>>;

/// The numbers of a column, if nearly all of its values are.
fn numbers(numbers: ColumnNumbers, weights: &[u64]) -> Option<ColumnNumbers> {
    let all: u64 = weights.iter().sum();
    let known = numbers.iter().zip(weights).filter(|(number, _)| number.is_some());
    let known: u64 = known.map(|(_, records)| records).sum();
    (100 * u128::from(known) >= u128::from(NUMBERS) * u128::from(all)).then_some(numbers)
}

/// All sets of up to three of this many columns, small ones first.
fn sets(columns: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..columns).map(|one| vec![one]).collect();
    let mut smaller = all.clone();
    for _ in 1..LARGEST {
        let larger = smaller.iter().flat_map(|set| {
            let after = set.last().map_or(0, |last| last + 1);
            (after..columns).map(move |one| set.iter().copied().chain([one]).collect())
        });
        smaller = larger.collect();
        all.extend_from_slice(&smaller);
    }
    all
}

/// How columns vary together; the last one is the attribute.
struct Correlations {
    /// By two columns.
    pairs: Vec<Vec<f64>>,
    /// The share of the attribute's variance that its published values do not explain.
    hidden: f64,
    /// By column and record, the number less the mean, divided by the column's spread.
    scaled: Vec<Vec<f64>>,
    /// By record, the code of the attribute's published value.
    groups: Vec<u32>,
    /// Some of the records, by published value and then by the attribute.
    sorted: Vec<usize>,
    /// By record, how many are alike.
    weights: Vec<u64>,
}

impl Correlations {
    /// Over the records in which all columns are numbers; none if these are few, or if nothing of
    /// the attribute is hidden.
    fn compute(columns: &[&ColumnNumbers], weights: &[u64], published: &[u32]) -> Option<Self> {
        let is_known = |record: &usize| columns.iter().all(|column| column[*record].is_some());
        let known: Vec<usize> = (0..weights.len()).filter(is_known).collect();
        let weight = |record: usize| weights[record] as f64;
        let all: f64 = known.iter().map(|&record| weight(record)).sum();
        if all * 2.0 < weights.iter().sum::<u64>() as f64 {
            return None;
        }
        let centred: Vec<Vec<f64>> = columns
            .iter()
            .map(|column| {
                let numbers = || known.iter().map(|&record| column[record].unwrap_or_default());
                let sum: f64 = numbers().zip(&known).map(|(n, &record)| n * weight(record)).sum();
                numbers().map(|number| number - sum / all).collect()
            })
            .collect();
        let product = |one: &[f64], two: &[f64]| -> f64 {
            let pairs = one.iter().zip(two).zip(&known);
            pairs.map(|((one, two), &record)| one * two * weight(record)).sum()
        };
        let spreads: Vec<f64> = centred.iter().map(|one| product(one, one).sqrt()).collect();
        let mut pairs = vec![vec![0.0; columns.len()]; columns.len()];
        for (one, two) in (0..columns.len()).flat_map(|one| (0..=one).map(move |two| (one, two))) {
            let spread = spreads[one] * spreads[two];
            if spread > 0.0 {
                pairs[one][two] = product(&centred[one], &centred[two]) / spread;
                pairs[two][one] = pairs[one][two];
            }
        }
        let (target, spread) = (centred.last()?, spreads.last()?);
        let groups: Vec<u32> = known.iter().map(|&record| published[record]).collect();
        let of_known: Vec<f64> = known.iter().map(|&record| weight(record)).collect();
        let hidden = within(target, &of_known, &groups) / (spread * spread);
        let is_hidden = hidden.is_finite() && hidden > 1e-6;
        let mut scaled = centred;
        for (column, spread) in scaled.iter_mut().zip(&spreads).filter(|(_, s)| **s > 0.0) {
            for number in column.iter_mut() {
                *number /= spread;
            }
        }
        let weights = known.iter().map(|&record| weights[record]).collect();
        let target = scaled.last()?;
        let mut sorted: Vec<usize> = (0..known.len().min(MOST_ROUNDED)).collect();
        sorted.sort_by(|&a, &b| groups[a].cmp(&groups[b]).then(target[a].total_cmp(&target[b])));
        is_hidden.then_some(Self { pairs, hidden, scaled, groups, sorted, weights })
    }

    /// How well the best weighted sum of these columns determines the attribute, if it does.
    fn quality(&self, set: &[usize]) -> Option<Quality> {
        let fitted = self.fitted(set)?;
        let explained = self.explained(set, &fitted);
        if explained >= EXPLAINED {
            return Some(Quality::Variance(explained));
        }
        if explained < ROUNDED {
            return None;
        }
        self.rounded(set, &fitted).map(Quality::Records)
    }

    /// The weights of the best sum of these columns; none if one of them is such a sum of the others,
    /// or if there are too few records to tell.
    fn fitted(&self, set: &[usize]) -> Option<Vec<f64>> {
        if self.weights.len() < RECORDS_FOR_EACH * (set.len() + 1) {
            return None;
        }
        let target = self.pairs.len() - 1;
        let row = |&one: &usize| {
            let others = set.iter().map(|&two| self.pairs[one][two]);
            others.chain([self.pairs[one][target]]).collect::<Vec<f64>>()
        };
        solved(set.iter().map(row).collect())
    }

    /// The share of what is hidden that a weighted sum of columns explains.
    fn explained(&self, set: &[usize], fitted: &[f64]) -> f64 {
        let (target, records) = (self.pairs.len() - 1, self.weights.len());
        let with_target = |one: usize| self.pairs[one][target];
        let explained: f64 =
            set.iter().zip(fitted).map(|(&one, weight)| weight * with_target(one)).sum();
        // A sum of several columns fits a few records by chance.
        let by_chance = records as f64 / (records - set.len() - 1) as f64;
        1.0 - (1.0 - explained).max(0.0) * by_chance / self.hidden
    }

    /// The share of the records whose value is the nearest one to a weighted sum among the values with
    /// the same label, if it is enough and more than a guess from the label gets right.
    fn rounded(&self, set: &[usize], fitted: &[f64]) -> Option<f64> {
        let target = self.scaled.last()?;
        let is_same = |a: f64, b: f64| a.total_cmp(&b).is_eq();
        let (mut all, mut right, mut by_label) = (0, 0, 0);
        for group in self.sorted.chunk_by(|&a, &b| self.groups[a] == self.groups[b]) {
            let values = || group.chunk_by(|&a, &b| is_same(target[a], target[b]));
            let weight = |of: &[usize]| of.iter().map(|&one| self.weights[one]).sum::<u64>();
            let distinct: Vec<f64> = values().map(|of| target[of[0]]).collect();
            let is_right = |record: &&usize| {
                let terms = set.iter().zip(fitted);
                let sum: f64 = terms.map(|(&one, w)| w * self.scaled[one][**record]).sum();
                let after = distinct.partition_point(|value| *value < sum);
                let near = distinct[after.saturating_sub(1)..].iter().take(2);
                let nearest = near.min_by(|a, b| (**a - sum).abs().total_cmp(&(**b - sum).abs()));
                nearest.is_some_and(|&nearest| is_same(nearest, target[**record]))
            };
            all += weight(group);
            right += group.iter().filter(is_right).map(|&one| self.weights[one]).sum::<u64>();
            by_label += values().map(weight).max().unwrap_or_default();
        }
        let tells = is_determined(right, all) && 2 * (all - right) <= all - by_label;
        tells.then(|| right as f64 / all as f64)
    }
}

/// The sum of squares of numbers around the mean of their groups.
fn within(numbers: &[f64], weights: &[f64], groups: &[u32]) -> f64 {
    let most = groups.iter().copied().max().map_or(0, |group| group as usize + 1);
    let mut sums = vec![(0.0, 0.0); most];
    for ((number, weight), &group) in numbers.iter().zip(weights).zip(groups) {
        let (sum, all) = &mut sums[group as usize];
        *sum += number * weight;
        *all += weight;
    }
    let square = |((number, weight), &group): ((&f64, &f64), &u32)| {
        let (sum, all) = sums[group as usize];
        weight * (number - sum / all).powi(2)
    };
    numbers.iter().zip(weights).zip(groups).map(square).sum()
}

/// Solves equations, each with its right side last; none if one follows from the others.
fn solved(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    for pivot in 0..rows.len() {
        let lead = rows[pivot][pivot];
        if lead < 1e-9 {
            return None;
        }
        rows[pivot].iter_mut().for_each(|factor| *factor /= lead);
        let row = rows[pivot].clone();
        for (position, other) in rows.iter_mut().enumerate() {
            if position != pivot {
                let factor = other[pivot];
                other.iter_mut().zip(&row).for_each(|(own, lead)| *own -= factor * lead);
            }
        }
    }
    rows.iter().map(|row| row.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hundred records of a date of birth, published by decade or not at all.
    fn explained(decades: bool, columns: &[fn(f64, f64) -> f64]) -> f64 {
        let numbers = |of: &dyn Fn(f64, f64) -> f64| -> ColumnNumbers {
            (0..200).map(|i| Some(of(f64::from(i * 37 % 199), f64::from(i * 83 % 97)))).collect()
        };
        let born = numbers(&|born, _| born);
        let columns: Vec<ColumnNumbers> = columns.iter().map(|column| numbers(column)).collect();
        let used: Vec<&ColumnNumbers> = columns.iter().chain([&born]).collect();
        let published: Vec<u32> =
            (0..200).map(|i| if decades { i * 37 % 199 / 10 } else { 0 }).collect();
        let moments = Correlations::compute(&used, &[1; 200], &published).unwrap();
        let set: Vec<usize> = (0..columns.len()).collect();
        moments.fitted(&set).map_or(0.0, |fitted| moments.explained(&set, &fitted))
    }

    #[test]
    fn what_adds_up_to_an_attribute_explains_it() {
        assert!(explained(false, &[|born, _| 1000.0 + 17.0 * born]) > 0.9999);
        let [diagnosed, age]: [fn(f64, f64) -> f64; 2] =
            [|born, age| born + age, |_, age| age / 365.25];
        assert!(explained(true, &[diagnosed, age]) > 0.9999);
        assert!(explained(false, &[diagnosed]) < 0.99);
        assert!(explained(false, &[|_, other| other]) < 0.1);
    }

    #[test]
    fn what_says_no_more_than_is_published_explains_nothing() {
        let decade: fn(f64, f64) -> f64 = |born, _| (born / 10.0).floor();
        assert!(explained(false, &[decade]) > 0.99);
        assert!(explained(true, &[decade]) < 0.2);
    }

    /// Ages from 20 to 59 in boxes of this many years, next to days that are never the same.
    fn rounded(years: u32, days: fn(u32, f64) -> f64) -> Option<Quality> {
        let records: Vec<(u32, f64)> =
            (0..400_u32).map(|i| (20 + i * 7 % 40, f64::from(i * 83 % 365))).collect();
        let ages: ColumnNumbers = records.iter().map(|&(age, _)| Some(f64::from(age))).collect();
        let days: ColumnNumbers = records.iter().map(|&(age, day)| Some(days(age, day))).collect();
        let boxes: Vec<u32> = records.iter().map(|(age, _)| age / years).collect();
        Correlations::compute(&[&days, &ages], &[1; 400], &boxes).unwrap().quality(&[0])
    }

    #[test]
    fn a_sum_that_tells_the_values_under_a_label_apart_determines_them() {
        let days = |age: u32, day: f64| 365.0 * f64::from(age) + day;
        assert!(matches!(rounded(40, days), Some(Quality::Variance(_))));
        // Within two years, the day explains two thirds of what is hidden, and yet tells the age.
        assert!(matches!(rounded(2, days), Some(Quality::Records(share)) if share > 0.95));
        let weeks_apart = |age: u32, day: f64| 365.0 * f64::from(age) + 3.0 * day;
        assert_eq!(rounded(2, weeks_apart), None);
    }

    #[test]
    fn sets_are_of_one_two_or_three_columns() {
        assert_eq!(sets(2), [vec![0], vec![1], vec![0, 1]]);
        assert_eq!(sets(5).len(), 5 + 10 + 10);
        assert_eq!(sets(0), Vec::<Vec<usize>>::new());
    }
}

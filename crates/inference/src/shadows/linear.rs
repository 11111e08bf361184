//! Numbers that add up to an attribute: a date of diagnosis and the age at it give the date of birth,
//! though no two records have the same values.

use super::sample::SampledColumns;
use super::{LARGEST, Quality, Shadow, ShadowSearch, is_known};

/// The share of the hidden variance that a weighted sum must explain.
const EXPLAINED: f64 = 0.99;
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
        let Some(moments) = Correlations::of(&used, &weights, &published) else { continue };
        for set in sets(candidates.len()) {
            let positions: Vec<usize> = set.iter().map(|&one| candidates[one].0).collect();
            let columns = search.columns(&positions);
            if is_known(found, &columns, attribute) {
                continue;
            }
            if let Some(explained) = moments.explained(&set).filter(|share| *share >= EXPLAINED) {
                found.push(Shadow { columns, attribute, quality: Quality::Variance(explained) });
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
    /// Different records.
    records: usize,
}

impl Correlations {
    /// Over the records in which all columns are numbers; none if these are few, or if nothing of
    /// the attribute is hidden.
    fn of(columns: &[&ColumnNumbers], weights: &[u64], published: &[u32]) -> Option<Self> {
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
        let weights: Vec<f64> = known.iter().map(|&record| weight(record)).collect();
        let hidden = within(target, &weights, &groups) / (spread * spread);
        let is_hidden = hidden.is_finite() && hidden > 1e-6;
        is_hidden.then_some(Self { pairs, hidden, records: known.len() })
    }

    /// The share of what is hidden that the best weighted sum of these columns explains; none if
    /// one of them is such a sum of the others, or if there are too few records to tell.
    fn explained(&self, set: &[usize]) -> Option<f64> {
        let fitted = set.len() + 1;
        if self.records < RECORDS_FOR_EACH * fitted {
            return None;
        }
        let target = self.pairs.len() - 1;
        let with_target = |one: usize| self.pairs[one][target];
        let row = |&one: &usize| {
            let others = set.iter().map(|&two| self.pairs[one][two]);
            others.chain([with_target(one)]).collect::<Vec<f64>>()
        };
        let solved = solved(set.iter().map(row).collect())?;
        let explained: f64 =
            set.iter().zip(&solved).map(|(&one, weight)| weight * with_target(one)).sum();
        // A sum of several columns fits a few records by chance.
        let by_chance = self.records as f64 / (self.records - fitted) as f64;
        Some(1.0 - (1.0 - explained).max(0.0) * by_chance / self.hidden)
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
        let moments = Correlations::of(&used, &[1; 200], &published).unwrap();
        moments.explained(&(0..columns.len()).collect::<Vec<usize>>()).unwrap_or_default()
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

    #[test]
    fn sets_are_of_one_two_or_three_columns() {
        assert_eq!(sets(2), [vec![0], vec![1], vec![0, 1]]);
        assert_eq!(sets(5).len(), 5 + 10 + 10);
        assert_eq!(sets(0), Vec::<Vec<usize>>::new());
    }
}

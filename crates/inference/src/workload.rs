//! Many queries: random range queries, and a summary of their errors.

use haggle_cube::query::Condition;
use haggle_model::{Error, Hierarchy, Level, QuasiIdentifier};
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};

/// No more random queries are drawn: their conditions are held in memory.
const MOST_QUERIES: usize = 100_000;

/// Random range queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomQueries {
    /// How many.
    pub queries: usize,
    /// How many attributes each restricts.
    pub dimensions: usize,
    /// The share of all combinations of recorded values that each selects, roughly.
    pub selectivity: f64,
    /// The seed of the random queries; equal seeds give equal queries.
    pub seed: u64,
}

impl RandomQueries {
    /// Draws queries: each restricts some attributes to a range of their recorded values, by number
    /// if they are numbers, else in the order of the hierarchy. If `d` attributes are restricted,
    /// each range has the share `selectivity^(1/d)` of the attribute's values, at least one.
    ///
    /// ```
    /// use haggle_inference::workload::RandomQueries;
    /// use haggle_model::{Hierarchy, QuasiIdentifier};
    ///
    /// let hierarchy = Hierarchy::flat((0..50).map(|age| age.to_string()));
    /// let age = [QuasiIdentifier { name: "age".into(), hierarchy }];
    /// let random = RandomQueries { queries: 3, dimensions: 1, selectivity: 0.1, seed: 7 };
    /// let queries = random.draw(&age)?;
    /// assert_eq!(queries, random.draw(&age)?);
    /// assert!(queries[0].to_string().contains("'age' >= "));
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn draw(&self, attributes: &[QuasiIdentifier]) -> Result<Vec<Condition>, Error> {
        if self.dimensions == 0 || self.dimensions > attributes.len() {
            let what = format!("random queries cannot restrict {} attributes", self.dimensions);
            let fix =
                format!("choose from 1 to {}, the number of quasi-identifiers", attributes.len());
            return Err(Error::new(what, fix));
        }
        if self.queries > MOST_QUERIES {
            let what = format!("{} random queries are more than {MOST_QUERIES}", self.queries);
            return Err(Error::new(what, "draw fewer"));
        }
        if !(self.selectivity > 0.0 && self.selectivity <= 1.0) {
            let what = format!("a selectivity of {} is out of range", self.selectivity);
            return Err(Error::new(what, "choose a share above 0 and at most 1"));
        }
        let mut random = StdRng::seed_from_u64(self.seed);
        let share = self.selectivity.powf(1.0 / self.dimensions as f64);
        let orders: Vec<(bool, Vec<&str>)> =
            attributes.iter().map(|a| ordered_values(&a.hierarchy)).collect();
        let mut query = || -> Result<Condition, Error> {
            let mut chosen = sample(&mut random, attributes.len(), self.dimensions).into_vec();
            chosen.sort_unstable();
            let ranges = chosen.into_iter().map(|i| {
                let (numbers, values) = &orders[i];
                let width = ((values.len() as f64 * share).round() as usize).clamp(1, values.len());
                let start = random.random_range(0..=values.len() - width);
                range(&attributes[i].name, &values[start..start + width], *numbers)
            });
            ranges.collect::<Vec<_>>().join(" and ").parse()
        };
        (0..self.queries).map(|_| query()).collect()
    }
}

/// The recorded values of an attribute in their order, and whether they are numbers.
fn ordered_values(hierarchy: &Hierarchy) -> (bool, Vec<&str>) {
    let codes = 0..hierarchy.matched(Level::RECORDED) as u32;
    let mut values: Vec<&str> = codes.map(|code| hierarchy.label(code, Level::RECORDED)).collect();
    let number = |value: &&str| value.parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers = values.iter().all(|value| number(value).is_some());
    if numbers {
        values.sort_by(|a, b| f64::total_cmp(&number(a).unwrap_or(0.0), &number(b).unwrap_or(0.0)));
    }
    (numbers, values)
}

/// A range of values as a condition.
fn range(name: &str, values: &[&str], numbers: bool) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let name = quoted(name);
    match values {
        [first, .., last] if numbers => format!("{name} >= {first} and {name} <= {last}"),
        values => {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            format!("{name} in ({})", values.join(", "))
        }
    }
}

/// A summary of errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorSummary {
    /// The mean.
    pub mean: f64,
    /// The median: of an even number, the mean of the two in the middle.
    pub median: f64,
    /// The smallest error that at least 95 of 100 do not exceed.
    pub percentile_95: f64,
}

impl ErrorSummary {
    /// Summarizes errors; none if there are none.
    ///
    /// ```
    /// use haggle_inference::workload::ErrorSummary;
    ///
    /// let summary = ErrorSummary::of((1..=20).map(f64::from).collect()).unwrap();
    /// assert_eq!((summary.mean, summary.median, summary.percentile_95), (10.5, 10.5, 19.0));
    /// ```
    pub fn of(mut errors: Vec<f64>) -> Option<Self> {
        errors.sort_by(f64::total_cmp);
        let last = errors.len().checked_sub(1)?;
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let median = f64::midpoint(errors[last / 2], errors[errors.len() / 2]);
        let rank = (errors.len() * 95).div_ceil(100).max(1) - 1;
        Some(Self { mean, median, percentile_95: errors[rank] })
    }
}

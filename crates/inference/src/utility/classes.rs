//! The classes that models predict: the values of a column, or a few parts of many values.

use haggle_model::Dictionary;

/// A column with more values than this is divided into fewer classes.
const MOST_VALUES: usize = 12;
/// Many numbers are divided into this many ranges.
const RANGES: u64 = 4;
/// The class of all values that are not among the most frequent.
const OTHER: &str = "other";

/// The classes of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The name of each class.
    pub names: Vec<String>,
    /// How values became classes, in words; none if each value is one.
    pub how: Option<String>,
    /// The class of each value, and then that of records without one.
    of: Vec<u32>,
}

impl Classes {
    /// Divides the values of a column by their counts; the count after the last value is that of
    /// records without one. At most 12 values are a class each. More numbers are divided into four
    /// ranges with about equally many records, more of other values into the 11 most frequent and
    /// the others.
    ///
    /// ```
    /// use haggle_inference::utility::Classes;
    /// use haggle_model::Dictionary;
    ///
    /// let sexes: Dictionary = ["f", "m"].map(Box::from).to_vec().into();
    /// assert_eq!(Classes::from_counts(&sexes, &[3, 2, 0]).names, ["f", "m"]);
    /// let hours: Dictionary = (1..=40).map(|hour| hour.to_string().into()).collect::<Vec<_>>().into();
    /// let classes = Classes::from_counts(&hours, &[1; 41]);
    /// assert_eq!(classes.names, ["1 to 10", "11 to 20", "21 to 30", "31 to 40", "missing"]);
    /// ```
    pub fn from_counts(values: &Dictionary, counts: &[u64]) -> Self {
        let numbers: Option<Vec<f64>> =
            (0..values.len() as u32).map(|code| values.value(code).trim().parse().ok()).collect();
        let mut classes = match numbers {
            _ if values.len() <= MOST_VALUES => Self::each(values),
            Some(numbers) => Self::ranges(values, &numbers, counts),
            None => Self::most_frequent(values, counts),
        };
        if counts.get(values.len()).is_some_and(|&missing| missing > 0) {
            classes.of.push(classes.names.len() as u32);
            classes.names.push("missing".into());
        }
        classes
    }

    /// Returns the class of a value.
    pub fn class(&self, value: u32) -> u32 {
        self.of[value as usize]
    }

    fn each(values: &Dictionary) -> Self {
        let names = (0..values.len() as u32).map(|code| values.value(code).to_owned()).collect();
        Self { names, how: None, of: (0..values.len() as u32).collect() }
    }

    fn ranges(values: &Dictionary, numbers: &[f64], counts: &[u64]) -> Self {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        let total: u64 = counts[..values.len()].iter().sum();
        let (mut of, mut before) = (vec![0; numbers.len()], 0);
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let mut range = None;
        for &value in &order {
            // A value belongs where the middle of its records is, so one that many have is alone.
            let middle = 2 * before + counts[value];
            let next = (RANGES * middle / (2 * total).max(1)).min(RANGES - 1);
            if range != Some(next) {
                range = Some(next);
                ends.push((value, value));
            }
            of[value] = ends.len() as u32 - 1;
            ends.last_mut().expect("a range was begun").1 = value;
            before += counts[value];
        }
        let name = |&(first, last): &(usize, usize)| {
            format!("{} to {}", values.value(first as u32), values.value(last as u32))
        };
        let how = format!("{} numbers in ranges with about equally many records", values.len());
        Self { names: ends.iter().map(name).collect(), how: Some(how), of }
    }

    fn most_frequent(values: &Dictionary, counts: &[u64]) -> Self {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.sort_by_key(|&code| (std::cmp::Reverse(counts[code as usize]), code));
        let mut of = vec![MOST_VALUES as u32 - 1; values.len()];
        let first = &order[..MOST_VALUES - 1];
        first.iter().zip(0..).for_each(|(&value, class)| of[value as usize] = class);
        let names = first.iter().map(|&code| values.value(code).to_owned());
        let how = format!("the {} most frequent of {} values", MOST_VALUES - 1, values.len());
        Self { names: names.chain([OTHER.into()]).collect(), how: Some(how), of }
    }
}

//! Summaries of one column and of pairs: entropy, mutual information and Cramér's V.

use rustc_hash::FxHashMap;

/// Returns the entropy of counted values, in bits.
///
/// ```
/// assert_eq!(haggle_inference::utility::entropy([2, 2, 0]), 1.0);
/// ```
pub fn entropy(counts: impl IntoIterator<Item = u64>) -> f64 {
    let counts: Vec<f64> = counts.into_iter().filter(|&n| n > 0).map(|n| n as f64).collect();
    let all: f64 = counts.iter().sum();
    let sum: f64 = counts.iter().map(|n| n / all * (n / all).log2()).sum();
    if sum == 0.0 { 0.0 } else { -sum }
}

/// How strongly two columns depend on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Association {
    /// Cramér's V: 0 for independent columns, 1 if one determines the other. Not corrected for bias.
    pub cramers_v: f64,
    /// The mutual information, in bits.
    pub mutual_information: f64,
}

/// Returns the association of two columns, from counted pairs; pairs may repeat.
///
/// ```
/// use haggle_inference::utility::association;
///
/// let same = association([(0, 0, 5), (1, 1, 5)]);
/// assert_eq!((same.cramers_v, same.mutual_information), (1.0, 1.0));
/// let none = association([(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)]);
/// assert_eq!((none.cramers_v, none.mutual_information), (0.0, 0.0));
/// ```
pub fn association(pairs: impl IntoIterator<Item = (u32, u32, u64)>) -> Association {
    let (mut rows, mut columns) = (FxHashMap::default(), FxHashMap::default());
    let mut cells = FxHashMap::default();
    for (row, column, records) in pairs.into_iter().filter(|&(.., records)| records > 0) {
        *rows.entry(row).or_default() += records;
        *columns.entry(column).or_default() += records;
        *cells.entry((row, column)).or_default() += records;
    }
    let all: u64 = rows.values().sum();
    // Sums of squares in a fixed order: the result must not depend on the order of a hash table.
    let mut terms: Vec<f64> = cells
        .iter()
        .map(|(&(row, column), &n): (&(u32, u32), &u64)| {
            let expected = rows[&row] as f64 * columns[&column] as f64;
            (n as f64) * (n as f64) / expected
        })
        .collect();
    terms.sort_by(f64::total_cmp);
    let squared = (terms.iter().sum::<f64>() - 1.0).max(0.0);
    let smaller = rows.len().min(columns.len()).saturating_sub(1);
    let cramers_v = if smaller == 0 { 0.0 } else { (squared / smaller as f64).sqrt().min(1.0) };
    let of = |counts: &FxHashMap<u32, u64>| sorted_entropy(counts.values().copied());
    let joint = sorted_entropy(cells.values().copied());
    let mutual_information =
        if all == 0 { 0.0 } else { (of(&rows) + of(&columns) - joint).max(0.0) };
    Association { cramers_v, mutual_information }
}

fn sorted_entropy(counts: impl Iterator<Item = u64>) -> f64 {
    let mut counts: Vec<u64> = counts.collect();
    counts.sort_unstable();
    entropy(counts)
}

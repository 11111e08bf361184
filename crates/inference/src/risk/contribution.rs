//! How much each column adds to the risk.

use super::{CodedRows, marketer};

/// The risk of one column alone, and the risk of all others without it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Contribution {
    /// The column.
    pub name: String,
    /// The mean risk of a record if only this column is known.
    pub alone: f64,
    /// Records that are unique by this column alone.
    pub unique_alone: u64,
    /// The mean risk of a record if this column is not known and all others are.
    pub without: f64,
    /// Records that are unique without this column.
    pub unique_without: u64,
    /// The mean risk that this column adds to the others.
    pub adds: f64,
}

/// Returns what each column contributes, the largest addition first.
///
/// ```
/// use haggle_inference::risk::{CodedRows, contributions};
///
/// let mut rows = CodedRows::new(["age", "sex"]);
/// [[30, 0], [31, 0], [32, 1], [32, 0]].iter().for_each(|codes| rows.add(codes, 1));
/// let all = contributions(&rows);
/// assert_eq!((all[0].name.as_str(), all[0].alone, all[0].without), ("age", 0.75, 0.5));
/// ```
pub fn contributions(rows: &CodedRows) -> Vec<Contribution> {
    let columns: Vec<usize> = (0..rows.names().len()).collect();
    let all = marketer(&rows.sizes(&columns));
    let one = |column: usize| {
        let others: Vec<usize> = columns.iter().copied().filter(|c| *c != column).collect();
        let (alone, without) = (rows.sizes(&[column]), rows.sizes(&others));
        Contribution {
            name: rows.names()[column].clone(),
            alone: marketer(&alone),
            unique_alone: alone.unique(),
            without: marketer(&without),
            unique_without: without.unique(),
            adds: all - marketer(&without),
        }
    };
    let mut found: Vec<Contribution> = columns.iter().copied().map(one).collect();
    found.sort_by(|a, b| b.adds.total_cmp(&a.adds).then(b.alone.total_cmp(&a.alone)));
    found
}

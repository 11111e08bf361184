//! The full paths of a hierarchy, padded by an implementation of its own.

use std::collections::{BTreeMap, BTreeSet};

/// Each recorded value's path to the top, all of one length; `None` if the rows contradict each
/// other or leave open whether they end in `*`.
///
/// ```
/// use haggle_testkit::oracle::full_paths;
///
/// let rows = [vec!["Federal", "Gov"], vec!["Local", "Gov"], vec!["Private"]];
/// let rows: Vec<Vec<String>> = rows.map(|row| row.into_iter().map(String::from).collect()).into();
/// let paths = full_paths(&rows).unwrap();
/// assert_eq!(paths["Private"], ["Private", "Private", "*"]);
/// assert_eq!(paths["Local"], ["Local", "Gov", "*"]);
/// ```
pub fn full_paths(rows: &[Vec<String>]) -> Option<BTreeMap<String, Vec<String>>> {
    let rows: Vec<Vec<&str>> =
        rows.iter().map(|row| tidy(row)).filter(|row| !row.is_empty()).collect();
    let longest = rows.iter().map(Vec::len).max()?;
    if some_star(&rows) && ends(&rows, longest).iter().any(|&end| end != "*") {
        return None;
    }
    let top = top(&rows, longest);
    let depth = if top.is_some() { longest } else { longest + 1 };
    let mut paths = BTreeMap::new();
    for row in &rows {
        let path = full_path(row, top, depth);
        let known = paths.entry(path[0].clone()).or_insert_with(|| path.clone());
        if *known != path {
            return None;
        }
    }
    one_parent_each(&paths).then_some(paths)
}

/// The labels without blanks around them and without empty ones at the end.
fn tidy(row: &[String]) -> Vec<&str> {
    let labels: Vec<&str> = row.iter().map(|label| label.trim()).collect();
    let said = labels.iter().rposition(|label| !label.is_empty()).map_or(0, |last| last + 1);
    labels[..said.max(1).min(labels.len())].to_vec()
}

/// Whether a value, of whatever depth, is said to lie right below `*`.
fn some_star(rows: &[Vec<&str>]) -> bool {
    rows.iter().any(|row| matches!(row[..], [_, .., "*"]))
}

/// The labels that the longest rows end in.
fn ends<'a>(rows: &[Vec<&'a str>], longest: usize) -> BTreeSet<&'a str> {
    let longest = rows.iter().filter(|row| row.len() == longest);
    longest.filter_map(|row| row.last().copied()).collect()
}

/// The label that the rows end in, or none where it must be added.
fn top<'a>(rows: &[Vec<&'a str>], longest: usize) -> Option<&'a str> {
    let ends = ends(rows, longest);
    let end = ends.first().copied().filter(|_| longest > 1 && ends.len() == 1)?;
    let shared = rows.iter().all(|row| row.last().copied() == Some(end));
    (shared || end == "*").then_some(end)
}

/// The row without its top, stretched to the depth of all, and the top again.
fn full_path(row: &[&str], top: Option<&str>, depth: usize) -> Vec<String> {
    let ends_in_top = row.len() > 1 && row.last().copied() == top;
    let below = if ends_in_top { &row[..row.len() - 1] } else { row };
    let mut path: Vec<String> = vec![below[0].into()];
    while path.len() < depth - 1 {
        let next = below.get(path.len()).copied().unwrap_or("");
        let own = path[path.len() - 1].clone();
        path.push(if next.is_empty() { own } else { next.into() });
    }
    path.push(top.unwrap_or("*").into());
    path
}

/// Whether each label of a level has the same label above it wherever it occurs.
fn one_parent_each(paths: &BTreeMap<String, Vec<String>>) -> bool {
    let steps: BTreeSet<(usize, &str, &str)> = paths
        .values()
        .flat_map(|path| (1..path.len()).map(move |i| (i, path[i - 1].as_str(), path[i].as_str())))
        .collect();
    let lower: BTreeSet<(usize, &str)> = steps.iter().map(|&(i, label, _)| (i, label)).collect();
    steps.len() == lower.len()
}

#[cfg(test)]
mod tests {
    use super::full_paths;

    /// The paths of rows written as text, each as text.
    fn paths(rows: &[&str]) -> Option<Vec<String>> {
        let row = |row: &&str| row.split(';').map(String::from).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        Some(full_paths(&rows)?.into_values().map(|path| path.join(";")).collect())
    }

    fn assert_paths(rows: &[&str], expected: &[&str]) {
        assert_eq!(paths(rows).unwrap_or_default(), expected, "{rows:?}");
    }

    #[test]
    fn short_rows_are_padded_with_their_own_label() {
        assert_paths(&["a;A;*", "b"], &["a;A;*", "b;b;*"]);
        assert_paths(&["a;A;AA", "b;B"], &["a;A;AA;*", "b;B;B;*"]);
        assert_paths(&["a;A;X", "b;X"], &["a;A;X", "b;b;X"]);
    }

    #[test]
    fn a_missing_top_is_added_and_another_one_is_kept() {
        assert_paths(&["a", "b"], &["a;*", "b;*"]);
        assert_paths(&["a;A", "b;B"], &["a;A;*", "b;B;*"]);
        assert_paths(&["a;All", "b;All"], &["a;All", "b;All"]);
    }

    #[test]
    fn gaps_are_filled_and_blanks_do_not_count() {
        assert_paths(&["a;;X;*", "b;B;X;*"], &["a;a;X;*", "b;B;X;*"]);
        assert_paths(&[" a ;A ;;", "b; A"], &["a;A", "b;A"]);
    }

    #[test]
    fn contradictions_are_refused() {
        assert_eq!(paths(&["a;A", "a;B"]), None);
        assert_eq!(paths(&["a;A;X;*", "b;A;Y;*"]), None);
        assert_eq!(paths(&["a;A;*", "b;B;All"]), None, "is the top forgotten or mistyped?");
        assert_eq!(paths(&["a;*", "b;B;x"]), None, "and here, one level too low?");
        assert_eq!(paths(&[]), None);
    }
}

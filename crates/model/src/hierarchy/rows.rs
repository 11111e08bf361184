//! Converts the rows of a hierarchy file to full paths: padding, and every possible problem.

use rustc_hash::FxHashMap;

use crate::{ANY, Error, Problem, Problems};

/// At most this many problems of one hierarchy are spelled out.
const SPELLED_OUT: usize = 20;

/// One row of a hierarchy file: a recorded value, then its generalizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    line: u64,
    labels: Vec<Box<str>>,
}

impl Row {
    /// Builds a row from its line number and labels. Blanks around labels and empty labels at the
    /// end are removed.
    pub fn new(line: u64, labels: impl IntoIterator<Item: Into<String>>) -> Self {
        let mut labels: Vec<Box<str>> =
            labels.into_iter().map(|label| label.into().trim().into()).collect();
        while labels.len() > 1 && labels.last().is_some_and(|label| label.is_empty()) {
            labels.pop();
        }
        Self { line, labels }
    }

    fn last(&self) -> &str {
        self.labels.last().map_or("", AsRef::as_ref)
    }
}

/// Converts every row to a path of the same length that ends in the same top label.
pub(super) fn full_paths(attribute: &str, mut rows: Vec<Row>) -> Result<Vec<Vec<Box<str>>>, Error> {
    rows.retain(|row| !row.labels.is_empty());
    let width = rows.iter().map(|row| row.labels.len()).max().unwrap_or(0);
    let mut problems = shape_problems(attribute, &rows, width);
    if problems.is_empty() {
        let top = top_label(&rows, width);
        for row in &mut rows {
            pad(&mut row.labels, width, top.as_deref());
        }
        problems = contradictions(attribute, &rows);
    }
    shorten(&mut problems, attribute);
    Problems::check(problems)?;
    Ok(rows.into_iter().map(|row| row.labels).collect())
}

fn shape_problems(attribute: &str, rows: &[Row], width: usize) -> Vec<Problem> {
    if rows.is_empty() {
        let what = format!("the hierarchy of '{attribute}' has no rows");
        let fix = "write one row per value: the value, then its generalizations, e.g. 37;30-39;*";
        return vec![Problem::new(what).fix(fix)];
    }
    if width > 255 {
        let what = format!("the hierarchy of '{attribute}' has {width} levels; 255 is the most");
        return vec![Problem::new(what).fix("leave out levels that are not needed")];
    }
    half_topped(attribute, rows, width).into_iter().collect()
}

/// Reports a row that ends in `*`, however short, in a file with a full row that does not: the top
/// may be forgotten, mistyped, or one level too low.
fn half_topped(attribute: &str, rows: &[Row], width: usize) -> Option<Problem> {
    let starred = rows.iter().find(|row| row.labels.len() > 1 && row.last() == ANY)?;
    let other = rows.iter().find(|row| row.labels.len() == width && row.last() != ANY)?;
    Some(
        Problem::new(format!(
            "the hierarchy of '{attribute}' must end in one value, but line {} ends in '*' and \
             this one in '{}'",
            starred.line,
            other.last()
        ))
        .line(other.line)
        .fix("end every row in '*', or none: then '*' is added above"),
    )
}

/// The label that all rows end in, if the file has one.
fn top_label(rows: &[Row], width: usize) -> Option<Box<str>> {
    let first = rows.first()?.last();
    let common = width > 1 && rows.iter().all(|row| row.last() == first);
    let mut full = rows.iter().filter(|row| row.labels.len() == width);
    let starred = width > 1 && full.all(|row| row.last() == ANY);
    if common { Some(first.into()) } else { starred.then(|| ANY.into()) }
}

/// Fills gaps with the label before them, up to the top, which is added if there was none.
fn pad(labels: &mut Vec<Box<str>>, width: usize, top: Option<&str>) {
    if top.is_some_and(|top| labels.len() > 1 && labels.last().is_some_and(|l| **l == *top)) {
        labels.pop();
    }
    for i in 1..labels.len() {
        if labels[i].is_empty() {
            labels[i] = labels[i - 1].clone();
        }
    }
    let below_top = if top.is_some() { width - 1 } else { width };
    let own = labels[labels.len() - 1].clone();
    labels.resize(below_top, own);
    labels.push(top.unwrap_or(ANY).into());
}

/// Values and labels that would belong to two different labels of the next level.
fn contradictions(attribute: &str, rows: &[Row]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut parents: FxHashMap<(usize, &str), (&str, u64)> = FxHashMap::default();
    for row in rows {
        for (level, pair) in row.labels.windows(2).enumerate() {
            let (label, parent): (&str, &str) = (&pair[0], &pair[1]);
            let first = *parents.entry((level, label)).or_insert((parent, row.line));
            if first.0 != parent {
                problems.push(contradiction(attribute, level, label, first, (parent, row.line)));
            }
        }
    }
    problems
}

fn contradiction(
    attribute: &str,
    level: usize,
    label: &str,
    first: (&str, u64),
    second: (&str, u64),
) -> Problem {
    Problem::new(format!(
        "in the hierarchy of '{attribute}', '{label}' (level {level}) belongs to '{}' and, on \
         line {}, to '{}'",
        second.0, first.1, first.0
    ))
    .line(second.1)
    .fix(format!("let '{label}' belong to one of them, or give it two different names"))
}

fn shorten(problems: &mut Vec<Problem>, attribute: &str) {
    if problems.len() > SPELLED_OUT {
        let more = problems.len() - SPELLED_OUT;
        problems.truncate(SPELLED_OUT);
        problems.push(Problem::new(format!("and {more} more in the hierarchy of '{attribute}'")));
    }
}

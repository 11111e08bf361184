//! Random hierarchies as files would write them: ragged, with gaps, with or without a top.

use proptest::collection::vec;
use proptest::prelude::*;

/// Where the path of a label goes next.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// To a label that others may share.
    Join(u8),
    /// To its own label, written again.
    Alone,
    /// To its own label, which is left out.
    Gap,
    /// Nowhere: the row ends here.
    End,
}

/// How the rows end.
#[derive(Debug, Clone, Copy)]
enum Top {
    /// In `*`, all of them.
    Star,
    /// In `*`, the longest of them and some others.
    LongestStar,
    /// In another label, all of them.
    Named,
    /// In no label of their own.
    Missing,
}

/// What the rows of a hierarchy are written from.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) values: usize,
    /// How many levels lie between the values and the top.
    pub(super) between: usize,
    /// For each of these levels, the step of each label below it in the order of appearance, so
    /// that no label goes two ways.
    steps: Vec<Vec<Step>>,
    top: Top,
    starred: Vec<bool>,
}

/// The most values of a random hierarchy.
const VALUES: usize = 8;
/// The most levels between its values and its top.
const BETWEEN: usize = 3;
/// The labels that all levels of a tree choose from: more than a level has values.
const LABELS: usize = VALUES + 4;

pub(super) fn plans() -> impl Strategy<Value = Plan> {
    let step = prop_oneof![
        10 => (0..4_u8).prop_map(Step::Join),
        1 => Just(Step::Alone),
        1 => Just(Step::Gap),
        2 => Just(Step::End),
    ];
    let top =
        prop_oneof![Just(Top::Star), Just(Top::LongestStar), Just(Top::Named), Just(Top::Missing)];
    let steps = vec(vec(step, VALUES), BETWEEN);
    (1..=VALUES, 0..=BETWEEN, steps, top, vec(any::<bool>(), VALUES)).prop_map(
        |(values, between, steps, top, starred)| Plan { values, between, steps, top, starred },
    )
}

impl Plan {
    /// The name of a value.
    pub(super) fn value(code: usize) -> String {
        char::from(b'a' + code as u8).into()
    }

    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let mut rows: Vec<Vec<String>> =
            (0..self.values).map(|code| vec![Self::value(code)]).collect();
        let mut labels: Vec<Option<String>> = rows.iter().map(|row| Some(row[0].clone())).collect();
        for (level, steps) in self.steps[..self.between].iter().enumerate() {
            climb(level + 1, steps, &mut labels, &mut rows);
        }
        self.add_top(&mut rows);
        rows
    }

    fn add_top(&self, rows: &mut [Vec<String>]) {
        let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
        for (row, &starred) in rows.iter_mut().zip(&self.starred) {
            match self.top {
                Top::LongestStar if row.len() < longest && !starred => (),
                Top::Star | Top::LongestStar => row.push("*".into()),
                Top::Named => row.push("All".into()),
                Top::Missing => (),
            }
        }
    }
}

/// Writes one more level; `labels` are those the rows have reached, unless they have ended.
fn climb(level: usize, steps: &[Step], labels: &mut [Option<String>], rows: &mut [Vec<String>]) {
    let mut met: Vec<String> = Vec::new();
    for (row, label) in rows.iter_mut().zip(labels) {
        let Some(own) = label.clone() else { continue };
        let position = met.iter().position(|known| *known == own).unwrap_or_else(|| {
            met.push(own.clone());
            met.len() - 1
        });
        let (next, written) = match steps[position] {
            Step::Join(group) => (Some(format!("{level}.{group}")), format!("{level}.{group}")),
            Step::Alone => (Some(own.clone()), own),
            Step::Gap => (Some(own), String::new()),
            Step::End => (None, String::new()),
        };
        if next.is_some() {
            row.push(written);
        }
        *label = next;
    }
}

/// The rows of sound hierarchies of 1 to 8 values and 1 to 4 levels above them.
///
/// ```
/// use haggle_testkit::{generate, oracle};
///
/// generate::check(100, &generate::hierarchy_rows(), |rows| {
///     let paths = oracle::full_paths(&rows).expect("sound");
///     assert!((2..=5).contains(&paths["a"].len()));
///     Ok(())
/// });
/// ```
pub fn hierarchy_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    plans().prop_map(|plan| plan.rows())
}

/// Rows of a few labels in any order: some are sound, many contradict each other.
pub fn careless_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    let label = prop::sample::select(vec!["a", "b", "c", "d", "A", " A ", "B", "*", "* ", "", " "]);
    vec(vec(label.prop_map(String::from), 1..=4), 1..=6)
}

/// Full paths of a tree of 1 to 8 values, many labels of which stand for different values on
/// different levels.
///
/// ```
/// use haggle_testkit::{generate, oracle};
///
/// generate::check(100, &generate::repeated_labels(), |rows| {
///     assert!(oracle::full_paths(&rows).is_some());
///     Ok(())
/// });
/// ```
pub fn repeated_labels() -> impl Strategy<Value = Vec<Vec<String>>> {
    let level = (vec(any::<bool>(), VALUES), 0..LABELS);
    (1..=VALUES, vec(level, 1..=BETWEEN)).prop_map(|(values, levels)| {
        let mut nodes: Vec<usize> = (0..values).collect();
        let mut rows: Vec<Vec<String>> =
            nodes.iter().map(|&code| vec![Plan::value(code)]).collect();
        for (joins, shift) in levels {
            // A node joins the one before it, or begins the next node of this level.
            let above = |node: usize| (1..=node).filter(|&other| !joins[other]).count();
            for (node, row) in nodes.iter_mut().zip(&mut rows) {
                *node = above(*node);
                row.push(Plan::value((*node + shift) % LABELS));
            }
        }
        for row in &mut rows {
            row.push("*".into());
        }
        rows
    })
}

//! A hierarchy as a tree of text: a line for each value, large branches cut short.

use haggle::reports::Branch;

use crate::text::{counted, short, thousands};

/// A tree of more lines is cut short, unless all of it is asked for.
const LINES: usize = 60;
/// How many values a branch shows below it, the first that makes the tree short enough.
const SHOWN: [usize; 6] = [12, 8, 5, 3, 2, 1];

/// A line: the level, the tree with its label, the records.
struct TreeLine {
    level: String,
    tree: String,
    records: String,
}

/// The tree with its levels and records, all of it or as much as fits a screen.
pub(crate) fn tree(top: &Branch, all: bool) -> String {
    let fits = |shown: &usize| all || lines(top, *shown).len() <= LINES;
    let shown = [usize::MAX].into_iter().chain(SHOWN).find(fits).unwrap_or(1);
    table(&lines(top, shown))
}

fn lines(top: &Branch, shown: usize) -> Vec<TreeLine> {
    let mut lines = Vec::new();
    add(top, "", "", shown, &mut lines);
    lines
}

/// Adds a branch and what is shown below it; `first` precedes its label, `rest` all that follows.
fn add(branch: &Branch, first: &str, rest: &str, shown: usize, lines: &mut Vec<TreeLine>) {
    let lowest = lowest_alike(branch);
    let level = match lowest.level {
        level if level == branch.level => level.to_string(),
        level => format!("{}-{level}", branch.level),
    };
    let tree = format!("{first}{}", short(&branch.label));
    lines.push(TreeLine { level, tree, records: thousands(branch.records) });
    let below = &lowest.below;
    let shown_here = if below.len() <= shown.saturating_add(1) { below.len() } else { shown };
    for (i, child) in below[..shown_here].iter().enumerate() {
        let last = i + 1 == below.len();
        let (corner, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        add(child, &format!("{rest}{corner}"), &format!("{rest}{bar}"), shown, lines);
    }
    if shown_here < below.len() {
        let hidden = &below[shown_here..];
        lines.push(TreeLine {
            level: hidden[0].level.to_string(),
            tree: format!("{rest}└─ … and {} more", thousands(hidden.len() as u64)),
            records: thousands(hidden.iter().map(|branch| branch.records).sum()),
        });
    }
}

/// The lowest branch of a chain that repeats one label.
fn lowest_alike(branch: &Branch) -> &Branch {
    match &branch.below[..] {
        [only] if only.label == branch.label => lowest_alike(only),
        _ => branch,
    }
}

fn table(lines: &[TreeLine]) -> String {
    let width = |text: &str| text.chars().count();
    let tree = lines.iter().map(|line| width(&line.tree)).max().unwrap_or(0).max(1);
    let records = lines.iter().map(|line| width(&line.records)).max().unwrap_or(0).max(7);
    let row = |level: &str, label: &str, count: &str| {
        format!("  {level:<5}  {label:<tree$}  {count:>records$}\n")
    };
    let rows = lines.iter().map(|line| row(&line.level, &line.tree, &line.records));
    row("level", "", "records") + &rows.collect::<String>()
}

/// "72 values as recorded, 15 at level 1, 1 at level 2".
pub(crate) fn levels(levels: &[usize]) -> String {
    let level = |(i, &values): (usize, &usize)| match i {
        0 => format!("{} as recorded", counted(values as u64, "value")),
        _ => format!("{} at level {i}", thousands(values as u64)),
    };
    levels.iter().enumerate().map(level).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(label: &str) -> Branch {
        Branch { label: label.into(), level: 0, records: 10, below: Vec::new() }
    }

    fn branch(label: &str, level: u8, below: Vec<Branch>) -> Branch {
        let records = below.iter().map(|branch| branch.records).sum();
        Branch { label: label.into(), level, records, below }
    }

    #[test]
    fn small_trees_are_shown_whole_with_repeated_labels_as_one() {
        let alone = branch("C", 1, vec![leaf("C")]);
        let top = branch("*", 2, vec![branch("AB", 1, vec![leaf("A"), leaf("B")]), alone]);
        let expected = "  level           records
  2      *             30
  1      ├─ AB         20
  0      │  ├─ A       10
  0      │  └─ B       10
  1-0    └─ C          10
";
        assert_eq!(tree(&top, false), expected);
    }

    #[test]
    fn large_trees_are_cut_short_and_say_so() {
        let leaves = (0..100).map(|i| leaf(&i.to_string())).collect();
        let top = branch("*", 1, leaves);
        let short = tree(&top, false);
        assert_eq!(short.lines().count(), 15);
        let last = short.lines().last().unwrap();
        assert!(last.ends_with("└─ … and 88 more      880"), "{short}");
        assert_eq!(tree(&top, true).lines().count(), 102);
    }
}

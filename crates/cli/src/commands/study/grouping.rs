//! Attributes by grouping power, in words.

use haggle::reports::{GroupSize, GroupingPower, GroupingStudy};

use crate::text::{account, table, thousands};

/// How many sizes of an attribute's groups are printed; all are in the JSON.
const SHOWN: usize = 5;

pub(super) fn words(study: &GroupingStudy) -> String {
    let head = ["attribute", "smallest group", "groups", "sizes"].map(String::from).to_vec();
    let rows: Vec<Vec<String>> =
        [head].into_iter().chain(study.attributes.iter().map(row)).collect();
    format!(
        "Attributes by grouping power: the groups of each one alone, all others fully generalized; \
         the smallest group first.\n{}\n{}",
        account(&study.account),
        table(&rows)
    )
}

fn row(one: &GroupingPower) -> Vec<String> {
    let size = |&GroupSize { size, groups }: &GroupSize| match groups {
        1 => thousands(size),
        _ => format!("{} ({} groups)", thousands(size), thousands(groups)),
    };
    let mut sizes: Vec<String> = one.sizes.iter().take(SHOWN).map(size).collect();
    if one.sizes.len() > SHOWN {
        sizes.push("…".into());
    }
    vec![one.attribute.clone(), thousands(one.smallest), thousands(one.groups), sizes.join(", ")]
}

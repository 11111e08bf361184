//! Repairs a hierarchy in which a value is more uncertain than the value above it.
//!
//! The entropy of the recorded values below a value may exceed that below its parent, where the
//! parent has other children that are far more frequent. Then the entropy loss of a single cell
//! falls when the cell becomes more general. A. Gionis, T. Tassa, "k-Anonymization with minimal loss
//! of information", ESA 2007, and S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", 2008, section 4.2, merge such a child with one of its siblings until no edge of the
//! tree is left on which the entropy falls. The sibling is the one with which the merged value is
//! least uncertain. Merging at a level changes what is below, never what is above, so one pass from
//! the top down suffices; recorded values have no entropy and are never merged.

use haggle_api::{Branch, HierarchyView, MergedValues, RepairedHierarchy};

/// A difference of entropies below this is rounding.
const SLACK: f64 = 1e-12;

/// Returns the hierarchy with values merged where they were more uncertain than their parents.
///
/// ```
/// let project = haggle_project::Project::open("demo:adult")?;
/// let race = project.hierarchy("race", &haggle_model::Silent)?;
/// let repaired = haggle_project::repair_hierarchy(&race);
/// assert_eq!(repaired.hierarchy.tree.records, race.tree.records);
/// # Ok::<(), haggle_model::Error>(())
/// ```
pub fn repair_hierarchy(view: &HierarchyView) -> RepairedHierarchy {
    let mut tree = view.tree.clone();
    let mut merged = Vec::new();
    repair(&mut tree, &mut merged);
    let mut rows = Vec::new();
    let mut path = Vec::new();
    collect(&tree, &mut path, &mut rows);
    let levels = (0..view.levels.len()).map(|level| count(&tree, level as u8)).collect();
    let hierarchy = HierarchyView {
        attribute: view.attribute.clone(),
        source: view.source.clone(),
        levels,
        tree,
        rows,
    };
    RepairedHierarchy { merged, hierarchy }
}

/// Merges children until none is more uncertain than this value, then repairs each of them.
fn repair(parent: &mut Branch, merged: &mut Vec<MergedValues>) {
    let above = entropy(parent);
    while let Some((child, sibling)) = next_merge(parent, above) {
        merged.push(merge(parent, child, sibling, above));
    }
    parent.below.iter_mut().for_each(|child| repair(child, merged));
}

/// Returns a child that is more uncertain than its parent and the sibling to merge it with.
fn next_merge(parent: &Branch, above: f64) -> Option<(usize, usize)> {
    let child = children(parent).find(|&i| entropy(&parent.below[i]) > above + SLACK)?;
    let others = children(parent).filter(|&other| other != child);
    let together = |other: &usize| union(&parent.below[child], &parent.below[*other]);
    Some((child, others.min_by(|a, b| together(a).total_cmp(&together(b)))?))
}

/// The children of a value, by position; a branch of values that match nothing is not one.
fn children(parent: &Branch) -> impl Iterator<Item = usize> + '_ {
    let is_child = |child: &Branch| child.level + 1 == parent.level;
    (0..parent.below.len()).filter(move |&i| is_child(&parent.below[i]))
}

fn merge(parent: &mut Branch, child: usize, sibling: usize, above: f64) -> MergedValues {
    let (first, second) = (child.min(sibling), child.max(sibling));
    let entropy_before = entropy(&parent.below[child]);
    let values: Vec<String> =
        [first, second].iter().map(|&i| parent.below[i].label.clone()).collect();
    let removed = parent.below.remove(second);
    let is_all = children(parent).count() == 1;
    let into = if is_all { parent.label.clone() } else { values.join(" or ") };
    let kept = &mut parent.below[first];
    kept.label.clone_from(&into);
    kept.records += removed.records;
    kept.below.extend(removed.below);
    MergedValues { level: kept.level, values, into, entropy: entropy_before, above }
}

/// The records of the recorded values below a value, in the tree of known ones.
fn leaves(branch: &Branch, records: &mut Vec<u64>) {
    if branch.level == 0 {
        records.push(branch.records);
    }
    for child in children(branch) {
        leaves(&branch.below[child], records);
    }
}

/// The entropy of the recorded values below a value, in bits.
fn entropy(branch: &Branch) -> f64 {
    let mut records = Vec::new();
    leaves(branch, &mut records);
    bits(&records)
}

/// The entropy of the recorded values below two values.
fn union(one: &Branch, other: &Branch) -> f64 {
    let mut records = Vec::new();
    leaves(one, &mut records);
    leaves(other, &mut records);
    bits(&records)
}

fn bits(records: &[u64]) -> f64 {
    let all = records.iter().sum::<u64>() as f64;
    let shares = records.iter().filter(|&&n| n > 0).map(|&n| n as f64 / all);
    shares.map(|share| -share * share.log2()).sum()
}

/// Adds a row for each recorded value below a branch: its label, then those above it.
fn collect(branch: &Branch, path: &mut Vec<String>, rows: &mut Vec<Vec<String>>) {
    path.push(branch.label.clone());
    if branch.level == 0 {
        rows.push(path.iter().rev().cloned().collect());
    }
    for child in children(branch) {
        collect(&branch.below[child], path, rows);
    }
    path.pop();
}

/// How many values a level has.
fn count(branch: &Branch, level: u8) -> usize {
    let below: usize = children(branch).map(|child| count(&branch.below[child], level)).sum();
    below + usize::from(branch.level == level)
}

#[cfg(test)]
mod tests {
    use haggle_model::Hierarchy;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// A branch of levels below, whose leaves have these records.
    fn branch(label: &str, level: u8, below: Vec<Branch>) -> Branch {
        let records = below.iter().map(|child| child.records).sum();
        Branch { label: label.into(), level, records, below }
    }

    fn leaf(label: &str, records: u64) -> Branch {
        Branch { label: label.into(), level: 0, records, below: Vec::new() }
    }

    fn view(tree: Branch) -> HierarchyView {
        let levels = (0..=tree.level).map(|level| count(&tree, level)).collect();
        let (attribute, source) = ("a".into(), "b".into());
        HierarchyView { attribute, source, levels, tree, rows: Vec::new() }
    }

    /// Section 4.2, lemma 4.2.3: a and b share the parent x, c and d the parent y; a is almost
    /// everything, so y is more uncertain than the whole.
    #[test]
    fn the_tree_of_lemma_4_2_3_is_repaired() {
        let x = branch("x", 1, vec![leaf("a", 97), leaf("b", 1)]);
        let y = branch("y", 1, vec![leaf("c", 1), leaf("d", 1)]);
        let repaired = repair_hierarchy(&view(branch("*", 2, vec![x, y])));
        let [merged] = &repaired.merged[..] else { panic!("{:?}", repaired.merged) };
        assert_eq!((merged.level, merged.into.as_str()), (1, "*"));
        assert_eq!(merged.values, ["x", "y"]);
        assert!((merged.entropy - 1.0).abs() < 1e-9 && merged.above < 0.25);
        let rows = ["a", "b", "c", "d"].map(|value| [value, "*", "*"].map(String::from).to_vec());
        assert_eq!(repaired.hierarchy.rows, rows);
    }

    #[test]
    fn of_several_siblings_the_least_uncertain_union_is_taken() {
        let values = |label: &str, counts: [u64; 2]| {
            let leaves = counts.iter().zip([1, 2]).map(|(&n, i)| leaf(&format!("{label}{i}"), n));
            branch(label, 1, leaves.collect())
        };
        let tree =
            branch("*", 2, vec![values("x", [900, 1]), values("y", [5, 5]), values("z", [60, 1])]);
        let repaired = repair_hierarchy(&view(tree));
        assert_eq!(repaired.merged[0].values, ["x", "y"]);
        assert_eq!(repaired.merged[0].into, "x or y");
    }

    /// Whether the entropy falls along an edge.
    fn falls(branch: &Branch) -> bool {
        let above = entropy(branch);
        branch.below.iter().any(|child| entropy(child) > above + SLACK || falls(child))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(500)))]

        /// On random trees of four levels no edge is left on which the entropy falls, and the
        /// result is a hierarchy over the same values whose values are unions of the former ones.
        #[test]
        fn no_entropy_falls_after_the_repair(
            counts in vec(vec(vec(prop_oneof![0_u64..4, 0_u64..500], 1..4), 1..4), 1..5)
        ) {
            let (mut leaves, mut nodes) = (0, 0);
            let mut low = |counts: &Vec<u64>| {
                let below = counts.iter().map(|&n| { leaves += 1; leaf(&format!("v{leaves}"), n) });
                let below = below.collect();
                nodes += 1;
                branch(&format!("n{nodes}"), 1, below)
            };
            let middle: Vec<Branch> = counts.iter().enumerate().map(|(i, below)| {
                branch(&format!("m{i}"), 2, below.iter().map(&mut low).collect())
            }).collect();
            let before = view(branch("*", 3, middle));
            let after = repair_hierarchy(&before);
            prop_assert!(!falls(&after.hierarchy.tree));
            prop_assert_eq!(after.merged.is_empty(), !falls(&before.tree));
            prop_assert_eq!(after.hierarchy.tree.records, before.tree.records);
            let hierarchy = Hierarchy::from_paths("a", &after.hierarchy.rows).unwrap();
            prop_assert_eq!(hierarchy.len(0.into()), before.levels[0]);
        }
    }
}

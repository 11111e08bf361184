//! A tree that is written out: its leaves are values, its branches their generalizations.

use std::collections::BTreeSet;
use std::fmt;

use super::{Occurrence, Path, unplaced};
use crate::{Error, Problem, Problems};

/// A part of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A value.
    Leaf(String),
    /// A label and what lies below it.
    Branch {
        /// The label.
        label: String,
        /// What lies below it.
        below: Vec<Node>,
    },
}

impl Node {
    /// A branch with only values below it.
    pub fn with_values<S: Into<String>>(label: &str, values: impl IntoIterator<Item = S>) -> Self {
        let below = values.into_iter().map(|value| Self::Leaf(value.into())).collect();
        Self::Branch { label: label.into(), below }
    }
}

/// Branches below the top, with values as leaves; short paths repeat their last label.
///
/// ```
/// use haggle_model::{Builder, Node, Tree};
///
/// let public = Node::with_values("Government", ["Federal", "Local"]);
/// let rule = Builder::from(Tree::new(vec![public, Node::with_values("Private", ["Private"])], None)?);
/// assert_eq!(rule.to_string(), "a tree of 3 values");
/// let work = rule.build("work", &[], None)?;
/// assert_eq!(work.path(work.code("Local").unwrap()).collect::<Vec<_>>(), ["Local", "Government", "*"]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Branches only; no leaf and no branch occurs twice.
    below_top: Vec<Node>,
    rest: Option<String>,
}

impl Tree {
    /// The tree with these branches below the top. `rest` labels values that it does not list;
    /// without it, every value must be listed.
    pub fn new(below_top: Vec<Node>, rest: Option<String>) -> Result<Self, Error> {
        let tree = Self { below_top, rest };
        let mut problems = Vec::new();
        if tree.below_top.is_empty() {
            let fix = "write labels and their values: { Government = [\"Federal\", \"Local\"] }";
            problems.push(Problem::new("the tree has no branches").fix(fix));
        }
        let mut seen = VisitedNodes::default();
        for node in &tree.below_top {
            seen.visit(node, 0, &mut problems);
        }
        if let Some(rest) = tree.rest.as_deref().filter(|rest| seen.inner.contains(rest)) {
            let what = format!("rest = \"{rest}\" names a branch that lies below another");
            problems.push(Problem::new(what).fix("choose another label for the rest"));
        }
        Problems::check(problems)?;
        Ok(tree)
    }

    /// The branches below the top.
    pub fn below_top(&self) -> &[Node] {
        &self.below_top
    }

    /// The label of what the tree does not list.
    pub fn rest(&self) -> Option<&str> {
        self.rest.as_deref()
    }

    pub(super) fn lists(&self, value: &str) -> bool {
        self.leaves().iter().any(|labels| labels[0] == value)
    }

    /// The leaves' paths upwards.
    fn leaves(&self) -> Vec<Vec<&str>> {
        let mut leaves = Vec::new();
        for node in &self.below_top {
            climb(node, &mut Vec::new(), &mut leaves);
        }
        leaves
    }

    pub(super) fn paths(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
    ) -> Result<Vec<Path>, Problem> {
        let leaves = self.leaves();
        let known: BTreeSet<&str> = leaves.iter().map(|labels| labels[0]).collect();
        let others: Vec<_> = values.iter().filter(|o| !known.contains(o.value)).copied().collect();
        if self.rest.is_none() && !others.is_empty() {
            let what = format!("the tree of '{attribute}' does not list");
            let fix = "add each to a branch, or label what is left: rest = \"Other\"";
            return Err(unplaced(&others, &what, fix));
        }
        let listed = leaves.into_iter().map(|labels| {
            let leaf = Occurrence { value: labels[0], line: 1 };
            Path::new(&leaf, labels[1..].iter().map(|&label| label.into()))
        });
        Ok(listed.chain(others.iter().map(|o| Path::new(o, self.rest.clone()))).collect())
    }
}

/// Collects the paths of the leaves below a node; `above` are the labels from the top down.
fn climb<'t>(node: &'t Node, above: &mut Vec<&'t str>, leaves: &mut Vec<Vec<&'t str>>) {
    match node {
        Node::Leaf(value) => {
            leaves
                .push(std::iter::once(value.as_str()).chain(above.iter().rev().copied()).collect());
        }
        Node::Branch { label, below } => {
            above.push(label);
            for node in below {
                climb(node, above, leaves);
            }
            above.pop();
        }
    }
}

/// What a walk through the tree has visited.
#[derive(Default)]
struct VisitedNodes<'t> {
    leaves: BTreeSet<&'t str>,
    branches: BTreeSet<&'t str>,
    /// Branches that lie below another.
    inner: BTreeSet<&'t str>,
}

impl<'t> VisitedNodes<'t> {
    fn visit(&mut self, node: &'t Node, depth: usize, problems: &mut Vec<Problem>) {
        match node {
            Node::Leaf(value) if depth == 0 => {
                let what = format!("'{value}' is not in any branch of the tree");
                problems
                    .push(Problem::new(what).fix(format!("give it one: {value} = [\"{value}\"]")));
            }
            Node::Leaf(value) => {
                if !self.leaves.insert(value) {
                    let what = format!("the tree lists '{value}' twice");
                    problems.push(Problem::new(what).fix("keep it in one branch"));
                }
            }
            Node::Branch { label, below } => {
                self.branch(label, below, depth, problems);
                for node in below {
                    self.visit(node, depth + 1, problems);
                }
            }
        }
    }

    fn branch(
        &mut self,
        label: &'t str,
        below: &[Node],
        depth: usize,
        problems: &mut Vec<Problem>,
    ) {
        if !self.branches.insert(label) {
            let what = format!("two branches of the tree are named '{label}'");
            problems.push(Problem::new(what).fix("give them two different names"));
        }
        if depth > 0 {
            self.inner.insert(label);
        }
        if below.is_empty() || label.is_empty() {
            let what = format!("the branch '{label}' of the tree has no values or no name");
            problems
                .push(Problem::new(what).fix(format!("list its values: {label} = [\"{label}\"]")));
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leaves = self.leaves().len();
        write!(f, "a tree of {leaves} value{}", if leaves == 1 { "" } else { "s" })?;
        self.rest.as_ref().map_or(Ok(()), |rest| write!(f, ", the rest as '{rest}'"))
    }
}

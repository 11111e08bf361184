//! A condition as a decision diagram: each column is asked once, in order, so that what holds over a
//! product of value sets is exact for every Boolean function.
//!
//! Columns that are published as recorded come first: records that lead to the same node are
//! evaluated once for each group.

use haggle_model::{Error, ErrorKind};
use rustc_hash::FxHashMap;

use super::syntax::{Condition, Expression};
use super::value_set::ValueSet;
use super::variable::Variable;

/// Whether the combinations of a product of value sets satisfy a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Satisfaction {
    /// All of them do.
    Full,
    /// Some do, some do not.
    Partial,
    /// None of them does.
    None,
}

/// A node of a [`Diagram`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The condition does not hold.
    pub const FALSE: Self = Self(0);
    /// The condition holds.
    pub const TRUE: Self = Self(1);

    /// Returns whether the condition is decided.
    pub fn is_decided(self) -> bool {
        self.0 < 2
    }

    /// Returns the undecided node at this position.
    pub(super) fn undecided(position: usize) -> Self {
        Self(position as u32 + 2)
    }

    /// Returns its position among the undecided nodes.
    pub(super) fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(2)
    }
}

/// What remains to be decided: the next column, and by its value what remains then.
#[derive(Debug, Clone)]
struct DiagramNode {
    variable: usize,
    /// Disjoint sets that together are all codes of the column.
    branches: Vec<(ValueSet, NodeId)>,
}

/// A condition over columns in a fixed order.
#[derive(Debug, Clone)]
pub struct Diagram {
    nodes: Vec<DiagramNode>,
    root: NodeId,
}

/// A condition that needs more nodes is refused.
const MOST_NODES: usize = 100_000;

impl Diagram {
    /// Builds the diagram of a condition. Fails if it names a column or a value that does not exist.
    pub fn of(condition: &Condition, variables: &[Variable<'_>]) -> Result<Self, Error> {
        let mut atoms = Atoms::default();
        let root = atoms.collect(&condition.root, variables)?;
        let mut builder = DiagramBuilder {
            variables,
            atoms: &atoms,
            nodes: Vec::new(),
            known: FxHashMap::default(),
        };
        let root = builder.node(root)?;
        Ok(Self { nodes: builder.nodes, root })
    }

    /// The node at which every decision begins.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// How many undecided nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the condition is decided without a column.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, node: NodeId) -> &DiagramNode {
        &self.nodes[node.index().expect("an undecided node")]
    }

    /// Returns the column that an undecided node asks.
    pub fn variable(&self, node: NodeId) -> usize {
        self.node(node).variable
    }

    /// Returns the branches of an undecided node: disjoint sets of codes, and where each leads.
    pub fn branches(&self, node: NodeId) -> &[(ValueSet, NodeId)] {
        &self.node(node).branches
    }

    /// Returns the columns that decide the condition, in order.
    pub fn variables(&self) -> Vec<usize> {
        let mut variables: Vec<usize> = self.nodes.iter().map(|node| node.variable).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Follows the branches of columns before `end` by their codes.
    pub fn follow(&self, mut node: NodeId, end: usize, code: impl Fn(usize) -> u32) -> NodeId {
        while !node.is_decided() && self.variable(node) < end {
            let code = code(self.variable(node));
            let branch = self.branches(node).iter().find(|(set, _)| set.contains(code));
            node = branch.map_or(NodeId::FALSE, |(_, next)| *next);
        }
        node
    }

    /// Returns whether a record with these codes satisfies the condition.
    pub fn holds(&self, code: impl Fn(usize) -> u32) -> bool {
        self.follow(self.root, usize::MAX, code) == NodeId::TRUE
    }

    /// Returns whether the combinations of value sets, one for each column, satisfy what remains at
    /// a node. No combination does if a set that matters is empty.
    pub fn satisfaction<'s>(
        &self,
        node: NodeId,
        side: impl Fn(usize) -> &'s ValueSet,
    ) -> Satisfaction {
        let (mut seen, mut open) = (vec![false; self.nodes.len()], vec![node]);
        let mut reached = [false; 2];
        while let Some(node) = open.pop() {
            let Some(at) = node.index() else {
                reached[node.0 as usize] = true;
                continue;
            };
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let side = side(self.variable(node));
            let branches = self.branches(node).iter().filter(|(set, _)| set.intersects(side));
            open.extend(branches.map(|(_, next)| *next));
        }
        match reached {
            [false, true] => Satisfaction::Full,
            [true, true] => Satisfaction::Partial,
            [_, false] => Satisfaction::None,
        }
    }

    /// Returns the sum over all paths from a node to the satisfied end of the product of the
    /// branches' weights: a probability if the weights of a node's branches add up to 1.
    pub fn weight(&self, node: NodeId, branch: &mut impl FnMut(usize, &ValueSet) -> f64) -> f64 {
        self.weight_from(node, branch, &mut vec![None; self.nodes.len()])
    }

    fn weight_from(
        &self,
        node: NodeId,
        branch: &mut impl FnMut(usize, &ValueSet) -> f64,
        known: &mut [Option<f64>],
    ) -> f64 {
        let Some(at) = node.index() else { return f64::from(u8::from(node == NodeId::TRUE)) };
        if let Some(weight) = known[at] {
            return weight;
        }
        let mut total = 0.0;
        for (set, next) in self.branches(node) {
            if *next == NodeId::FALSE {
                continue;
            }
            let weight = branch(self.variable(node), set);
            if weight > 0.0 {
                total += weight * self.weight_from(*next, branch, known);
            }
        }
        known[at] = Some(total);
        total
    }
}

/// An expression over numbered comparisons, simplified: no constant inside, no nested `and` in `and`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Formula {
    Constant(bool),
    Atom(u32),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
}

impl Formula {
    fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Not(inner) => *inner,
            other => Self::Not(other.into()),
        }
    }

    /// Joins formulas by `and` (`deciding` is false) or by `or` (it is true).
    fn join(parts: impl IntoIterator<Item = Self>, deciding: bool) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::Constant(value) if value == deciding => return Self::Constant(deciding),
                Self::Constant(_) => {}
                Self::And(inner) if !deciding => all.extend(inner),
                Self::Or(inner) if deciding => all.extend(inner),
                other => all.push(other),
            }
        }
        all.sort_unstable();
        all.dedup();
        match all.len() {
            0 => Self::Constant(!deciding),
            1 => all.remove(0),
            _ if deciding => Self::Or(all),
            _ => Self::And(all),
        }
    }

    /// Returns what remains once some comparisons are decided.
    fn with(&self, value: &impl Fn(u32) -> Option<bool>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Atom(atom) => value(*atom).map_or_else(|| self.clone(), Self::Constant),
            Self::And(all) => Self::join(all.iter().map(|one| one.with(value)), false),
            Self::Or(all) => Self::join(all.iter().map(|one| one.with(value)), true),
            Self::Not(one) => one.with(value).not(),
        }
    }

    fn for_each_atom(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Constant(_) => {}
            Self::Atom(atom) => visit(*atom),
            Self::And(all) | Self::Or(all) => all.iter().for_each(|one| one.for_each_atom(visit)),
            Self::Not(one) => one.for_each_atom(visit),
        }
    }
}

/// The distinct comparisons: each a set of codes of one column.
#[derive(Debug, Default)]
struct Atoms {
    all: Vec<(usize, ValueSet)>,
    known: FxHashMap<(usize, ValueSet), u32>,
}

impl Atoms {
    fn collect(
        &mut self,
        expression: &Expression,
        variables: &[Variable<'_>],
    ) -> Result<Formula, Error> {
        let mut parts = |all: &[Expression]| -> Result<Vec<Formula>, Error> {
            all.iter().map(|one| self.collect(one, variables)).collect()
        };
        Ok(match expression {
            Expression::And(all) => Formula::join(parts(all)?, false),
            Expression::Or(all) => Formula::join(parts(all)?, true),
            Expression::Not(one) => self.collect(one, variables)?.not(),
            Expression::Comparison(comparison) => {
                let named = |v: &Variable<'_>| v.name() == comparison.column;
                let variable = variables.iter().position(named).ok_or_else(|| {
                    let what = format!(
                        "there is no column '{}' (at character {} of the condition)",
                        comparison.column, comparison.at
                    );
                    let known: Vec<&str> = variables.iter().map(Variable::name).collect();
                    let fix = format!("choose from: {}", known.join(", "));
                    Error::of_kind(ErrorKind::NotFound, what, fix)
                })?;
                self.atom(variable, variables[variable].selected(comparison)?, variables)
            }
        })
    }

    fn atom(&mut self, variable: usize, set: ValueSet, variables: &[Variable<'_>]) -> Formula {
        if set.is_empty() || set.len() == variables[variable].domain() as usize {
            return Formula::Constant(!set.is_empty());
        }
        let next = self.all.len() as u32;
        let key = (variable, set);
        let atom = *self.known.entry(key.clone()).or_insert(next);
        if atom == next {
            self.all.push(key);
        }
        Formula::Atom(atom)
    }
}

/// Builds nodes from what remains of the condition; equal remainders share a node.
struct DiagramBuilder<'a> {
    variables: &'a [Variable<'a>],
    atoms: &'a Atoms,
    nodes: Vec<DiagramNode>,
    known: FxHashMap<Formula, NodeId>,
}

impl DiagramBuilder<'_> {
    fn node(&mut self, formula: Formula) -> Result<NodeId, Error> {
        if let Formula::Constant(value) = formula {
            return Ok(if value { NodeId::TRUE } else { NodeId::FALSE });
        }
        if let Some(node) = self.known.get(&formula) {
            return Ok(*node);
        }
        let mut variable = usize::MAX;
        formula.for_each_atom(&mut |atom| variable = variable.min(self.atoms.all[atom as usize].0));
        let mut branches: Vec<(ValueSet, NodeId)> = Vec::new();
        for (set, remainder) in self.split(&formula, variable) {
            let next = self.node(remainder)?;
            match branches.iter_mut().find(|(_, known)| *known == next) {
                Some((known, _)) => *known = known.union(&set),
                None => branches.push((set, next)),
            }
        }
        let node = match branches.as_slice() {
            [(_, only)] => *only,
            _ => self.push(DiagramNode { variable, branches })?,
        };
        self.known.insert(formula, node);
        Ok(node)
    }

    fn push(&mut self, node: DiagramNode) -> Result<NodeId, Error> {
        if self.nodes.len() >= MOST_NODES {
            let what =
                "the condition is too complex: it combines too many columns in too many ways";
            return Err(Error::new(what, "ask several simpler questions"));
        }
        self.nodes.push(node);
        Ok(NodeId(self.nodes.len() as u32 + 1))
    }

    /// Splits a column's codes by which of its comparisons hold, with what remains of the formula.
    fn split(&self, formula: &Formula, variable: usize) -> Vec<(ValueSet, Formula)> {
        let mut asked = Vec::new();
        formula.for_each_atom(&mut |atom| {
            if self.atoms.all[atom as usize].0 == variable {
                asked.push(atom);
            }
        });
        asked.sort_unstable();
        asked.dedup();
        let domain = self.variables[variable].domain();
        let mut classes: Vec<(ValueSet, Vec<u32>)> = vec![(ValueSet::range(0..domain), Vec::new())];
        for &atom in &asked {
            let set = &self.atoms.all[atom as usize].1;
            let outside = set.complement(domain);
            classes = classes
                .into_iter()
                .flat_map(|(class, holding)| {
                    let with = holding.iter().copied().chain([atom]).collect();
                    [(class.intersection(set), with), (class.intersection(&outside), holding)]
                })
                .filter(|(class, _)| !class.is_empty())
                .collect();
        }
        let remainder = |(class, holding): (ValueSet, Vec<u32>)| {
            let value = |atom: u32| asked.contains(&atom).then(|| holding.contains(&atom));
            (class, formula.with(&value))
        };
        classes.into_iter().map(remainder).collect()
    }
}

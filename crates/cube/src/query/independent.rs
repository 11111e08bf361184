//! The probability of a condition in any group of any scheme, if attributes were independent.
//!
//! The share of each comparison is tabulated by level and code, so a query passes over a scheme's
//! groups with one lookup for each attribute that it names.

use std::ops::Range;

use haggle_model::{Error, Hierarchy, Level, QuasiIdentifier, Scheme};

use super::diagram::{Diagram, NodeId};
use super::syntax::Condition;
use super::value_set::ValueSet;
use super::variable::Variable;
use crate::groups::payload::{CodeMeaning, Generalized};
use crate::{Base, Cube};

/// A condition on quasi-identifiers with the shares of its comparisons at every level, so that its
/// probability in a group is a product of a few numbers that are looked up.
///
/// ```
/// use haggle_cube::query::Independent;
/// use haggle_cube::{CountedPart, Counter, Cube};
/// use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
///
/// let hierarchy = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
/// let age = QuasiIdentifier { name: "age".into(), hierarchy };
/// let mut counter = Counter::new(1, 0);
/// [0, 0, 1, 2].iter().for_each(|&code| counter.add(&[code]));
/// let cube = Cube::of(vec![age], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1, 2]] }]);
/// let over_37 = Independent::of(&"age > 37".parse()?, &cube)?;
/// assert_eq!(over_37.truth(), 2);
/// assert_eq!(over_37.in_scheme(&Scheme::new([1]), &[0]), 1.0 / 3.0);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug)]
pub struct Independent {
    diagram: Diagram,
    /// By attribute, the records before each recorded code, and all of them.
    sums: Vec<Vec<u64>>,
    nodes: Vec<LeveledNode>,
    /// The nodes from the first to the satisfied end, if there is only one way.
    chain: Option<Vec<(usize, usize)>>,
    truth: u64,
}

/// A node of the diagram with the shares of its branches.
#[derive(Debug)]
struct LeveledNode {
    attribute: usize,
    /// The branches that may lead to the satisfied end: by level and code, the share of the group's
    /// values that take it.
    branches: Vec<(Vec<Vec<f64>>, NodeId)>,
}

impl Independent {
    /// Prepares a condition on the quasi-identifiers of a table.
    pub fn of(condition: &Condition, cube: &Cube) -> Result<Self, Error> {
        Self::of_all(std::slice::from_ref(condition), cube).map(|mut all| all.remove(0))
    }

    /// Prepares several conditions.
    pub fn of_all(conditions: &[Condition], cube: &Cube) -> Result<Vec<Self>, Error> {
        let attributes = cube.attributes();
        let variables: Vec<Variable<'_>> =
            attributes.iter().map(|a| Variable::of_hierarchy(&a.name, &a.hierarchy)).collect();
        let base = Base::of(cube);
        let prepare = |condition: &Condition| {
            Ok(Self::with(Diagram::of(condition, &variables)?, attributes, &base))
        };
        conditions.iter().map(prepare).collect()
    }

    fn with(diagram: Diagram, attributes: &[QuasiIdentifier], base: &Base) -> Self {
        let sums = marginal_sums(attributes, base);
        let node = |at: usize| {
            let node = NodeId::undecided(at);
            let attribute = diagram.variable(node);
            let (hierarchy, sums) = (&attributes[attribute].hierarchy, &sums[attribute]);
            let branches = diagram.branches(node).iter().filter(|(_, next)| *next != NodeId::FALSE);
            let branches = branches.map(|(set, next)| (by_level(hierarchy, sums, set), *next));
            LeveledNode { attribute, branches: branches.collect() }
        };
        let nodes: Vec<LeveledNode> = (0..diagram.len()).map(node).collect();
        let holds = |row: &usize| diagram.holds(|attribute| base.codes(*row)[attribute]);
        let truth = (0..base.len()).filter(holds).map(|row| base.records(row)).sum();
        let chain = chain(&diagram, &nodes);
        Self { diagram, sums, nodes, chain, truth }
    }

    /// How many records of the table satisfy the condition.
    pub fn truth(&self) -> u64 {
        self.truth
    }

    /// Returns the attributes that the probability depends on, by position.
    pub fn attributes(&self) -> Vec<usize> {
        self.diagram.variables()
    }

    /// Returns the probability in a group of a scheme, by its codes.
    pub fn in_scheme(&self, scheme: &Scheme, codes: &[u32]) -> f64 {
        let share = |shares: &[Vec<f64>], attribute: usize| {
            shares[scheme.level(attribute).index()][codes[attribute] as usize]
        };
        if let Some(chain) = &self.chain {
            let shares = chain.iter().map(|&(node, branch)| {
                let node = &self.nodes[node];
                share(&node.branches[branch].0, node.attribute)
            });
            return shares.product();
        }
        let mut known = vec![None; self.nodes.len()];
        self.probability_at(self.diagram.root(), &share, &mut known)
    }

    fn probability_at(
        &self,
        node: NodeId,
        share: &impl Fn(&[Vec<f64>], usize) -> f64,
        known: &mut [Option<f64>],
    ) -> f64 {
        let Some(at) = node.index() else { return f64::from(u8::from(node == NodeId::TRUE)) };
        if let Some(probability) = known[at] {
            return probability;
        }
        let LeveledNode { attribute, branches } = &self.nodes[at];
        let mut total = 0.0;
        for (shares, next) in branches {
            let share_here = share(shares, *attribute);
            if share_here > 0.0 {
                total += share_here * self.probability_at(*next, share, known);
            }
        }
        known[at] = Some(total);
        total
    }

    /// Returns the probability in a group of any recoding.
    pub fn in_group(&self, group: &Generalized<'_>) -> f64 {
        match group.place {
            CodeMeaning::Scheme(scheme) => self.in_scheme(scheme, group.codes),
            CodeMeaning::Regions { regions, .. } => {
                let leaves = |a: usize| regions[a][group.codes[a] as usize].leaves.clone();
                let root = self.diagram.root();
                self.diagram.weight(root, &mut |a, set| share(&self.sums[a], set, &leaves(a)))
            }
        }
    }

    /// Returns the shares that are multiplied for groups of a scheme, by attribute and code; none if
    /// the condition is not a single product.
    pub fn factors(&self, scheme: &Scheme) -> Option<Vec<(usize, &[f64])>> {
        let factor = |&(node, branch): &(usize, usize)| {
            let node = &self.nodes[node];
            let level = scheme.level(node.attribute).index();
            (node.attribute, node.branches[branch].0[level].as_slice())
        };
        Some(self.chain.as_ref()?.iter().map(factor).collect())
    }
}

fn marginal_sums(attributes: &[QuasiIdentifier], base: &Base) -> Vec<Vec<u64>> {
    let size = |a: &QuasiIdentifier| vec![0; a.hierarchy.len(Level::RECORDED) + 1];
    let mut sums: Vec<Vec<u64>> = attributes.iter().map(size).collect();
    for row in 0..base.len() {
        for (sums, &code) in sums.iter_mut().zip(base.codes(row)) {
            sums[code as usize + 1] += base.records(row);
        }
    }
    for sums in &mut sums {
        (1..sums.len()).for_each(|i| sums[i] += sums[i - 1]);
    }
    sums
}

/// By level and code, the share of the records of a value that have one of a set of recorded values.
fn by_level(hierarchy: &Hierarchy, sums: &[u64], set: &ValueSet) -> Vec<Vec<f64>> {
    let at = |level: u8| {
        let codes = 0..hierarchy.len(level.into()) as u32;
        codes.map(|code| share(sums, set, &hierarchy.leaves(code, level.into()))).collect()
    };
    (0..=u8::from(hierarchy.top())).map(at).collect()
}

/// The share of a set among the records of neighbouring values; 0 if there are none.
fn share(sums: &[u64], set: &ValueSet, leaves: &Range<u32>) -> f64 {
    let of = |range: &Range<u32>| sums[range.end as usize] - sums[range.start as usize];
    let all = of(leaves);
    let inside: u64 = set.overlaps(&ValueSet::range(leaves.clone())).map(|range| of(&range)).sum();
    if all == 0 { 0.0 } else { inside as f64 / all as f64 }
}

/// The nodes and branches on the only way to the satisfied end.
fn chain(diagram: &Diagram, nodes: &[LeveledNode]) -> Option<Vec<(usize, usize)>> {
    let (mut chain, mut node) = (Vec::new(), diagram.root());
    while let Some(at) = node.index() {
        let [(_, next)] = nodes[at].branches.as_slice() else { return None };
        chain.push((at, 0));
        node = *next;
    }
    (node == NodeId::TRUE).then_some(chain)
}

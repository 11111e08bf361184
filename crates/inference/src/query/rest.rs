//! What lies outside of all groups: where suppressed records that are kept with stars may lie.

use haggle_cube::query::{Diagram, NodeId, Satisfaction, ValueSet};

/// Returns whether the combinations outside of all boxes satisfy what remains at a node, whose first
/// attribute is asked at position `first`. Exact: only combinations that decide it are visited.
pub(super) fn satisfaction(
    diagram: &Diagram,
    node: NodeId,
    first: usize,
    domains: &[ValueSet],
    boxes: &[Vec<&ValueSet>],
) -> Satisfaction {
    let mut search = CombinationSearch { diagram, first, domains, found: [false; 2] };
    search.visit(node, 0, &boxes.iter().collect::<Vec<_>>());
    match search.found {
        [false, true] => Satisfaction::Full,
        [true, true] => Satisfaction::Partial,
        [_, false] => Satisfaction::None,
    }
}

struct CombinationSearch<'a> {
    diagram: &'a Diagram,
    first: usize,
    domains: &'a [ValueSet],
    /// Whether a combination that does not satisfy the condition was found, and one that does.
    found: [bool; 2],
}

impl<'a> CombinationSearch<'a> {
    /// Decides the attributes from a position on; `boxes` contain what was decided before.
    fn visit(&mut self, node: NodeId, attribute: usize, boxes: &[&Vec<&'a ValueSet>]) {
        let reached = self.diagram.satisfaction(node, |v| &self.domains[v - self.first]);
        let possible = [reached != Satisfaction::Full, reached != Satisfaction::None];
        if (0..2).all(|end| self.found[end] || !possible[end]) {
            return;
        }
        if boxes.is_empty() {
            (0..2).for_each(|end| self.found[end] |= possible[end]);
            return;
        }
        if attribute == self.domains.len() {
            return; // inside a box
        }
        for (part, next) in self.branches(node, attribute) {
            for part in cut(part, boxes.iter().map(|sides| sides[attribute])) {
                let inside = boxes.iter().filter(|sides| sides[attribute].intersects(&part));
                self.visit(next, attribute + 1, &inside.copied().collect::<Vec<_>>());
            }
        }
    }

    /// The parts of an attribute's domain that lead to different nodes.
    fn branches(&self, node: NodeId, attribute: usize) -> Vec<(ValueSet, NodeId)> {
        let domain = &self.domains[attribute];
        if node.is_decided() || self.diagram.variable(node) != attribute + self.first {
            return vec![(domain.clone(), node)];
        }
        let branches = self.diagram.branches(node).iter();
        let branches = branches.map(|(set, next)| (set.intersection(domain), *next));
        branches.filter(|(set, _)| !set.is_empty()).collect()
    }
}

/// Cuts a set into parts that each side contains or does not touch.
fn cut<'s>(part: ValueSet, sides: impl Iterator<Item = &'s ValueSet>) -> Vec<ValueSet> {
    let mut sides: Vec<&ValueSet> = sides.collect();
    sides.sort_unstable();
    sides.dedup();
    let mut parts = vec![part];
    for side in sides {
        let split = |part: ValueSet| {
            let inside = part.intersection(side);
            let outside = part.intersection(&side.complement(u32::MAX));
            [inside, outside].into_iter().filter(|part| !part.is_empty())
        };
        parts = parts.into_iter().flat_map(split).collect();
    }
    parts
}

//! Differencing: an attacker with two publications of a table subtracts the counts of their groups. Where
//! a group differs by fewer than k records, these records are singled out.
//!
//! Groups are compared over the quasi-identifiers that both publications have, at the coarser of both
//! recodings. Of two schemes that is the higher level of each attribute; of other recodings the
//! groups are merged until no record of the table is in groups of both that are not compared with
//! each other.

use std::collections::{BTreeMap, BTreeSet};

use haggle_api::risk::Differing;
use haggle_cube::Applied;
use haggle_inference::attacks::SUPPRESSED;
use haggle_model::{Hierarchy, Level, QuasiIdentifier, Recoding, UNMATCHED, is_unmatched};
use rustc_hash::FxHashMap;

use super::present::PresentPublication;
use crate::publications::{GroupCount, PublicationRecord, ShownGroups};

/// A recoding on the table, and by base group its part if that is published.
pub(super) type Side<'a> = (&'a Applied, &'a [u32]);

/// The groups of an earlier publication that differ little from those of the present one.
pub(super) struct GroupDifference {
    groups: u64,
    from: String,
    over: Vec<String>,
}

/// The earlier publications that were compared so far.
pub(super) struct ComparedEarlier {
    report: Differing,
}

impl ComparedEarlier {
    pub(super) fn new(k: u64) -> Self {
        Self { report: Differing { k, ..Differing::default() } }
    }

    /// Adds an earlier publication; none if it could not be compared.
    pub(super) fn add(&mut self, found: Option<GroupDifference>) {
        let Some(GroupDifference { groups, from, over }) = found else {
            return self.report.not_compared += 1;
        };
        self.report.compared += 1;
        if groups >= self.report.groups {
            self.report.groups = groups;
            self.report.from = (groups > 0).then_some(from);
            self.report.over = over;
        }
    }

    pub(super) fn into_report(self) -> Differing {
        self.report
    }
}

/// Compares the groups of an earlier publication with those of the present one. `sides` are both
/// on the table, the earlier one first. None if there is no common coarsening, or if the groups of
/// the earlier one are not known.
pub(super) fn compare(
    present: &PresentPublication<'_>,
    record: &PublicationRecord,
    attributes: &[QuasiIdentifier],
    sides: Option<[Side<'_>; 2]>,
) -> Option<GroupDifference> {
    let recorded = record.groups.as_ref()?;
    let shared = SharedAttributes::between(present, record)?;
    let before = recorded.over(&shared.earlier)?;
    let now = over(present.groups, &shared.present);
    let by_values = recorded.sensitive() == present.sensitive;
    let groups = if let (Recoding::Levels { scheme: earlier }, Recoding::Levels { scheme }) =
        (&record.recoding, present.recoded.recoding())
    {
        let raise = |(&before, &now): (&usize, &usize)| {
            let hierarchy = &present.engine.cube().attributes()[now].hierarchy;
            let before = (*earlier.levels().get(before)?).min(hierarchy.top());
            let now = scheme.level(now);
            Some([before, now].map(|level| Raise::new(hierarchy, level, before.max(now))))
        };
        let raises: Vec<[Raise<'_>; 2]> = shared.positions().map(raise).collect::<Option<_>>()?;
        let (before, now) = (raised(&before, &raises, 0), raised(&now, &raises, 1));
        differing(&before, &now, present.k, by_values)
    } else {
        let merged = MergedGroups::merge(&shared.places(attributes)?, sides?)?;
        let (before, now) = (merged.by_root(&before, 0), merged.by_root(&now, 1));
        differing(&before, &now, present.k, by_values)
    };
    Some(GroupDifference { groups, from: record.output.clone(), over: shared.names })
}

/// The quasi-identifiers that both publications have.
struct SharedAttributes {
    names: Vec<String>,
    /// Their positions in the earlier one.
    earlier: Vec<usize>,
    /// Their positions in the present one.
    present: Vec<usize>,
}

impl SharedAttributes {
    fn between(present: &PresentPublication<'_>, record: &PublicationRecord) -> Option<Self> {
        let mut shared = Self { names: Vec::new(), earlier: Vec::new(), present: Vec::new() };
        for (position, name) in present.names.quasi_identifiers.iter().enumerate() {
            if let Some(earlier) = record.quasi_identifiers.iter().position(|other| other == name) {
                shared.names.push(name.clone());
                shared.earlier.push(earlier);
                shared.present.push(position);
            }
        }
        (!shared.names.is_empty()).then_some(shared)
    }

    /// The positions in both, by quasi-identifier.
    fn positions(&self) -> impl Iterator<Item = (&usize, &usize)> {
        self.earlier.iter().zip(&self.present)
    }

    /// Where they stand among the attributes of a table.
    fn places(&self, attributes: &[QuasiIdentifier]) -> Option<Vec<usize>> {
        let place = |name: &String| attributes.iter().position(|a| a.name == *name);
        self.names.iter().map(place).collect()
    }
}

/// Groups by the values of some quasi-identifiers.
fn over(groups: &ShownGroups, positions: &[usize]) -> ShownGroups {
    let mut over = ShownGroups::new();
    for (labels, &count) in groups {
        let shown = positions.iter().map(|&position| labels[position].clone()).collect();
        over.entry(shown).or_default().add(count);
    }
    over
}

/// What the values of a level become at another one, which is not lower.
struct Raise<'h> {
    hierarchy: &'h Hierarchy,
    to: Level,
    /// By value, a recorded value below it; nothing if the levels are the same.
    below: FxHashMap<&'h str, u32>,
}

impl<'h> Raise<'h> {
    fn new(hierarchy: &'h Hierarchy, from: Level, to: Level) -> Self {
        let codes = 0..if from == to { 0 } else { hierarchy.len(from) as u32 };
        let below = |code| (hierarchy.label(code, from), hierarchy.leaves(code, from).start);
        Self { hierarchy, to, below: codes.map(below).collect() }
    }

    /// The value above another one; one that the hierarchy does not have stays as it is, unless
    /// there is only one value above all.
    fn raised<'l>(&'l self, label: &'l str) -> &'l str {
        if self.below.is_empty() || label == UNMATCHED {
            return label;
        }
        let is_top = self.to == self.hierarchy.top();
        let below = self.below.get(label).copied().or(is_top.then_some(0));
        let above = |code| self.hierarchy.label(self.hierarchy.ancestor(code, self.to), self.to);
        below.map_or(label, above)
    }
}

/// The groups of one side at the coarser levels.
fn raised(groups: &ShownGroups, raises: &[[Raise<'_>; 2]], side: usize) -> ShownGroups {
    let mut coarser = ShownGroups::new();
    for (labels, &count) in groups {
        let raise =
            |(label, raises): (&String, &[Raise<'_>; 2])| raises[side].raised(label).to_owned();
        let shown = labels.iter().zip(raises).map(raise).collect();
        coarser.entry(shown).or_default().add(count);
    }
    coarser
}

/// Groups of two publications, merged where records of the table are in both.
struct MergedGroups {
    /// By publication, the node of each of its groups.
    nodes: [FxHashMap<Vec<String>, usize>; 2],
    /// By node, the first node that it is merged with.
    roots: Vec<usize>,
}

/// Merged groups by their root; groups without a record in the table by their values.
type ByRoot = BTreeMap<(Option<usize>, Vec<String>), GroupCount>;

impl MergedGroups {
    /// None if everything is merged though both publications have several groups.
    fn merge(places: &[usize], sides: [Side<'_>; 2]) -> Option<Self> {
        let mut parents: Vec<usize> = Vec::new();
        let [(before, before_parts), (now, now_parts)] = sides;
        let (before_nodes, before_of) = nodes(before, places, &mut parents);
        let (now_nodes, now_of) = nodes(now, places, &mut parents);
        let both = before_parts.iter().zip(now_parts);
        for (&one, &other) in both.filter(|(one, other)| ![**one, **other].contains(&SUPPRESSED)) {
            let one = root(&mut parents, before_of[one as usize]);
            let other = root(&mut parents, now_of[other as usize]);
            parents[one.max(other)] = one.min(other);
        }
        let roots: Vec<usize> = (0..parents.len()).map(|node| root(&mut parents, node)).collect();
        let published = |parts: &[u32], nodes: &[usize]| -> BTreeSet<usize> {
            let kept = parts.iter().filter(|part| **part != SUPPRESSED);
            kept.map(|&part| nodes[part as usize]).collect()
        };
        let (one, other) = (published(before_parts, &before_of), published(now_parts, &now_of));
        let merged: BTreeSet<usize> = one.union(&other).map(|&node| roots[node]).collect();
        let is_common = merged.len() > 1 || one.len() < 2 || other.len() < 2;
        is_common.then_some(Self { nodes: [before_nodes, now_nodes], roots })
    }

    /// The groups of one side, added up by root.
    fn by_root(&self, groups: &ShownGroups, side: usize) -> ByRoot {
        let mut merged = ByRoot::new();
        for (labels, &count) in groups {
            let node = self.nodes[side].get(labels).or_else(|| self.nodes[1 - side].get(labels));
            let key = match node {
                Some(&node) => (Some(self.roots[node]), Vec::new()),
                None => (None, labels.clone()),
            };
            merged.entry(key).or_default().add(count);
        }
        merged
    }
}

/// A new node for each group of a publication by its values at these places, and the node of each
/// of its parts.
fn nodes(
    applied: &Applied,
    places: &[usize],
    parents: &mut Vec<usize>,
) -> (FxHashMap<Vec<String>, usize>, Vec<usize>) {
    let mut known: FxHashMap<Vec<String>, usize> = FxHashMap::default();
    let node = |part: usize| {
        let labels = applied.labels(part);
        let label = |&place: &usize| {
            let label = labels[place];
            if is_unmatched(label) { UNMATCHED.to_owned() } else { label.to_owned() }
        };
        *known.entry(places.iter().map(label).collect()).or_insert_with(|| {
            parents.push(parents.len());
            parents.len() - 1
        })
    };
    let of_parts = (0..applied.len()).map(node).collect();
    (known, of_parts)
}

/// The first node of those that a node is merged with.
fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

/// How many groups differ by 1 to k - 1 records, or by sensitive values alone if these are compared.
fn differing<K: Ord>(
    before: &BTreeMap<K, GroupCount>,
    now: &BTreeMap<K, GroupCount>,
    k: u64,
    by_values: bool,
) -> u64 {
    let none = GroupCount::default();
    let differ = |one: &GroupCount, other: &GroupCount| match one.records.abs_diff(other.records) {
        0 => by_values && one.values != other.values,
        records => records < k,
    };
    let of_both =
        before.iter().filter(|&(group, count)| differ(count, now.get(group).unwrap_or(&none)));
    let is_new = |group: &K| !before.contains_key(group);
    let added = now.iter().filter(|&(group, count)| is_new(group) && differ(count, &none));
    (of_both.count() + added.count()) as u64
}

//! Top-down specialization: from the most general cut down, splits the value with the most
//! information about the class for the least privacy lost.
//!
//! A value of the cut is split if the result is still feasible. Of all candidates, the one with the
//! highest score is split: information gained about the class, divided by the privacy lost (by how
//! much the smallest group shrinks, plus one).

use std::collections::BTreeMap;

use super::cut::Forest;
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "top-down-specialization",
        title: "top-down specialization (TDS)",
        recoding: "cuts",
        definition: "Splits values from the top down, each time the one with the most information about the class for the least privacy lost, as long as the result is feasible.",
        finds: "some cut that keeps classes predictable",
        citation: "B. Fung, K. Wang, P. Yu: Top-down specialization for information and privacy preservation. ICDE 2005",
        needs: "a sensitive attribute, which is the class",
        loss: LossUse::Nothing,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let Some(class) = task.class else {
        let what = "top-down specialization needs a class";
        return Err(Error::unsupported(what, "give an attribute the role \"sensitive\""));
    };
    let forest = Forest::of(task);
    let mut search =
        SpecializationSearch { task, class, rows: task.rows(), evaluated: 0, forest: &forest };
    let mut cuts = forest.roots();
    let Some(mut smallest) = search.smallest(&cuts)? else {
        return Ok(Ending::Nothing { evaluated: search.evaluated });
    };
    let mut open: Vec<(usize, usize)> = search.within(&cuts);
    while let Some(best) = search.best(&mut open, &cuts, smallest)? {
        let (attribute, node) = open.remove(best.place);
        let nodes = &forest.trees[attribute].nodes;
        let below = nodes[node].below.iter().filter(|&&below| !nodes[below].below.is_empty());
        open.extend(below.map(|&below| (attribute, below)));
        (cuts, smallest) = (best.cuts, best.smallest);
    }
    Ok(forest.found(task, &cuts, search.evaluated, false))
}

/// A value that is split.
struct SplitValue {
    score: f64,
    /// Its position among the candidates.
    place: usize,
    cuts: Vec<Vec<usize>>,
    smallest: u64,
}

/// Returns a cut with one of its values split.
fn split(forest: &Forest, cuts: &[Vec<usize>], attribute: usize, node: usize) -> Vec<Vec<usize>> {
    let mut apart = cuts.to_vec();
    apart[attribute].retain(|&other| other != node);
    apart[attribute].extend(&forest.trees[attribute].nodes[node].below);
    apart
}

struct SpecializationSearch<'a, 'b> {
    task: &'a Task<'b>,
    forest: &'a Forest,
    class: usize,
    rows: Vec<u32>,
    evaluated: u64,
}

impl SpecializationSearch<'_, '_> {
    /// Returns the values of a cut that can be split.
    fn within(&self, cuts: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let nodes = cuts.iter().enumerate();
        let nodes = nodes.flat_map(|(a, cut)| cut.iter().map(move |&node| (a, node)));
        nodes.filter(|&(a, node)| !self.forest.trees[a].nodes[node].below.is_empty()).collect()
    }

    /// Returns the candidate with the highest score. Candidates after which the cut is infeasible
    /// are dropped permanently: under most models they stay infeasible.
    fn best(
        &mut self,
        open: &mut Vec<(usize, usize)>,
        cuts: &[Vec<usize>],
        smallest: u64,
    ) -> Result<Option<SplitValue>, Error> {
        let mut best: Option<SplitValue> = None;
        let mut kept = Vec::new();
        for (attribute, node) in std::mem::take(open) {
            if self.task.is_late() {
                return Ok(None);
            }
            let cuts = split(self.forest, cuts, attribute, node);
            let Some(size) = self.smallest(&cuts)? else { continue };
            let score = self.gain(attribute, node) / (smallest.saturating_sub(size) as f64 + 1.0);
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(SplitValue { score, place: kept.len(), cuts, smallest: size });
            }
            kept.push((attribute, node));
        }
        *open = kept;
        Ok(best)
    }

    /// Returns the records of the smallest group that is kept; none if the cut is infeasible.
    fn smallest(&mut self, cuts: &[Vec<usize>]) -> Result<Option<u64>, Error> {
        self.task.step()?;
        self.evaluated += 1;
        let maps = self.forest.maps(cuts);
        let grouping = self.forest.grouped(self.task, &self.rows, &maps);
        let (fails, suppressed) = self.task.failing(&grouping);
        let records =
            |rows: &[u32]| rows.iter().map(|&row| self.task.base.records(row as usize)).sum();
        let kept = grouping.iter().zip(&fails).filter(|(_, fails)| !**fails);
        let smallest = kept.map(|(rows, _)| records(rows)).min();
        Ok(smallest.filter(|_| self.task.allows(suppressed)))
    }

    /// Returns the information gained about the class by splitting a value, over the records that
    /// have it.
    fn gain(&self, attribute: usize, node: usize) -> f64 {
        let tree = &self.forest.trees[attribute];
        let child_of = tree.map(&tree.nodes[node].below);
        let leaves = &tree.nodes[node].region.leaves;
        let mut counts: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
        for row in 0..self.task.base.len() {
            let code = self.task.base.codes(row)[attribute];
            if !leaves.contains(&code) {
                continue;
            }
            let classes = counts.entry(child_of[code as usize]).or_default();
            for value in self.task.base.values(row, self.class) {
                *classes.entry(value.code).or_default() += value.count;
            }
        }
        let mut all: BTreeMap<u32, u64> = BTreeMap::new();
        for (&class, &count) in counts.values().flatten() {
            *all.entry(class).or_default() += count;
        }
        let below: f64 = counts.values().map(entropy).sum();
        let records = all.values().sum::<u64>().max(1) as f64;
        (entropy(&all) - below) / records
    }
}

/// Returns the entropy of classes times the number of records, in bits.
fn entropy(classes: &BTreeMap<u32, u64>) -> f64 {
    let all = classes.values().sum::<u64>() as f64;
    classes.values().map(|&count| -(count as f64) * (count as f64 / all).log2()).sum()
}

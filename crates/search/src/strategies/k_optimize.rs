//! k-Optimize over cuts: branch and bound, with the best found so far if time runs out.
//!
//! Published for intervals of ordered domains; here, as in the comparison by Nergiz et al. (ACM
//! TODS 36(1), 2011), over the cuts of hierarchies. A state of the search is a cut in which some
//! values are decided (they stay) and the others may still be split. All cuts of a state are
//! between its own cut (the most general one) and the one with everything undecided split (the most
//! detailed one). If the model allows it, groups that fail in the first fail in all cuts, and no
//! cut loses less in the other groups than the last one: that is the bound. With l-diversity it is
//! known as l-Optimize.

use std::collections::HashSet;

use haggle_cube::Merging;

use super::cut::Forest;
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "k-optimize",
        title: "k-Optimize (l-Optimize)",
        recoding: "cuts",
        definition: "Branch and bound over all cuts: each value of a hierarchy stays or is split, and cuts that cannot beat the best so far are pruned.",
        finds: "the cut with the least loss; with a time limit, the best found",
        citation: "R. Bayardo, R. Agrawal: Data privacy through optimal k-anonymization. ICDE 2005",
        needs: "nothing; it prunes only with models and measures that allow it",
        loss: LossUse::Measure,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let forest = Forest::of(task);
    let mut search = KOptimizeSearch {
        task,
        rows: task.rows(),
        evaluated: 0,
        best: None,
        stopped: false,
        bytes: 0,
        forest: &forest,
    };
    let roots = forest.roots();
    let undecided = roots.iter().enumerate();
    let undecided = undecided.flat_map(|(a, cut)| cut.iter().map(move |&node| (a, node)));
    let state = CutState { cuts: roots.clone(), undecided: undecided.collect() };
    search.branch(state, None)?;
    let KOptimizeSearch { evaluated, best, stopped, .. } = search;
    Ok(match best {
        Some((_, cuts)) => forest.found(task, &cuts, evaluated, !stopped),
        None if stopped => Ending::GaveUp { evaluated },
        None => Ending::Nothing { evaluated },
    })
}

/// A cut, and those of its values that may still be split: attribute and node.
#[derive(Clone)]
struct CutState {
    cuts: Vec<Vec<usize>>,
    undecided: Vec<(usize, usize)>,
}

impl CutState {
    fn bytes(&self) -> usize {
        let cuts: usize = self.cuts.iter().map(|cut| size_of_val(&cut[..])).sum();
        cuts + size_of_val(&self.cuts[..]) + size_of_val(&self.undecided[..])
    }
}

/// Which base groups fail in the most general cut of a state.
type Fails = std::rc::Rc<Vec<bool>>;

struct KOptimizeSearch<'a, 'b> {
    task: &'a Task<'b>,
    forest: &'a Forest,
    rows: Vec<u32>,
    evaluated: u64,
    best: Option<(f64, Vec<Vec<usize>>)>,
    /// Whether time or memory ran out.
    stopped: bool,
    /// The bytes of the states that are being searched.
    bytes: usize,
}

impl KOptimizeSearch<'_, '_> {
    /// Searches all cuts of a state. `fails` is given if the cut itself was evaluated before.
    fn branch(&mut self, state: CutState, fails: Option<Fails>) -> Result<(), Error> {
        let bytes = state.bytes() + self.task.base.len();
        self.bytes += bytes;
        let searched = self.branch_within_limits(state, fails);
        self.bytes -= bytes;
        searched
    }

    /// Whether there is no time or memory for another state. The first one is always searched, and
    /// without any result too little memory is an error.
    fn must_stop(&mut self) -> Result<bool, Error> {
        let memory = self.task.check_memory(STRATEGY.about.title, self.bytes);
        if self.best.is_none() {
            memory?;
            self.stopped = self.evaluated > 0 && self.task.is_late();
        } else {
            self.stopped |= memory.is_err() || self.task.is_late();
        }
        Ok(self.stopped)
    }

    fn branch_within_limits(&mut self, state: CutState, fails: Option<Fails>) -> Result<(), Error> {
        if self.must_stop()? {
            return Ok(());
        }
        let fails = match fails {
            Some(fails) => fails,
            None => match self.evaluate(&state)? {
                Some(fails) => fails,
                None => return Ok(()),
            },
        };
        let mut state = state;
        state.undecided.retain(|&(a, node)| !self.forest.trees[a].nodes[node].below.is_empty());
        let Some(chosen) = self.largest(&state) else { return Ok(()) };
        if !self.may_beat(&state, &fails)? {
            return Ok(());
        }
        let (attribute, node) = state.undecided.swap_remove(chosen);
        let mut apart = state.clone();
        let below = &self.forest.trees[attribute].nodes[node].below;
        apart.cuts[attribute].retain(|&other| other != node);
        apart.cuts[attribute].extend(below);
        apart.undecided.extend(below.iter().map(|&node| (attribute, node)));
        self.branch(apart, None)?;
        self.branch(state, Some(fails))
    }

    /// Returns the undecided value that covers the largest share of its attribute's values.
    fn largest(&self, state: &CutState) -> Option<usize> {
        let share = |&(attribute, node): &(usize, usize)| {
            let tree = &self.forest.trees[attribute];
            let all: usize = tree.roots.iter().map(|&root| tree.nodes[root].region.len()).sum();
            tree.nodes[node].region.len() as f64 / all as f64
        };
        let undecided = state.undecided.iter().enumerate();
        undecided.max_by(|a, b| share(a.1).total_cmp(&share(b.1))).map(|(i, _)| i)
    }

    /// Evaluates the most general cut of a state; none if no cut of the state is feasible.
    fn evaluate(&mut self, state: &CutState) -> Result<Option<Fails>, Error> {
        self.task.step()?;
        self.evaluated += 1;
        let maps = self.forest.maps(&state.cuts);
        let grouping = self.forest.grouped(self.task, &self.rows, &maps);
        let (failing, suppressed) = self.task.failing(&grouping);
        if self.task.allows(suppressed) {
            let loss = self.forest.loss(self.task, &grouping, &maps, |group, _| !failing[group]);
            if self.best.as_ref().is_none_or(|(best, _)| loss < *best) {
                self.best = Some((loss, state.cuts.clone()));
            }
        } else if self.task.rises() {
            return Ok(None);
        }
        let mut fails = vec![false; self.task.base.len()];
        if self.task.kind() == Merging::UnionMonotone {
            for (rows, &failing) in grouping.iter().zip(&failing) {
                for &row in rows {
                    fails[row as usize] = failing;
                }
            }
        }
        Ok(Some(fails.into()))
    }

    /// Returns whether a cut of a state may lose less than the best.
    fn may_beat(&mut self, state: &CutState, fails: &Fails) -> Result<bool, Error> {
        let Some((best, _)) = &self.best else { return Ok(true) };
        if !self.task.weight.bounds() {
            return Ok(true);
        }
        self.task.step()?;
        let undecided: HashSet<(usize, usize)> = state.undecided.iter().copied().collect();
        let split = |(attribute, cut): (usize, &Vec<usize>)| -> Vec<usize> {
            let (undecided, kept): (Vec<usize>, Vec<usize>) =
                cut.iter().partition(|&&node| undecided.contains(&(attribute, node)));
            let tree = &self.forest.trees[attribute];
            kept.into_iter().chain(undecided.iter().flat_map(|&node| tree.leaves(node))).collect()
        };
        let cuts: Vec<Vec<usize>> = state.cuts.iter().enumerate().map(split).collect();
        let maps = self.forest.maps(&cuts);
        let grouping = self.forest.grouped(self.task, &self.rows, &maps);
        let bound =
            self.forest.loss(self.task, &grouping, &maps, |_, rows| !fails[rows[0] as usize]);
        // Sums in another order may differ in their last digits; a bound must not be too large.
        Ok(bound - 1e-9 * bound.abs() < *best)
    }
}

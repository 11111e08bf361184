//! What a strategy is asked to solve, and how its candidates are evaluated.

use haggle_cube::{Applied, Base, BoxEnds, Cube, Group, Loss, Merging, Statistic, weigh};
use haggle_model::{ErrorKind, Level, Progress, QuasiIdentifier, Recoding, Region, Remedy, Scheme};

use super::{Ending, Grouping, StrategyOutcome};
use crate::Error;
use crate::order::loss_order;

/// A privacy model with its threshold.
#[derive(Debug, Clone, Copy)]
pub struct TaskCriterion<'a> {
    /// The statistic that groups are judged by.
    pub statistic: &'a dyn Statistic,
    /// The threshold.
    pub threshold: f64,
}

impl TaskCriterion<'_> {
    /// Whether a group passes.
    pub fn passes(&self, group: &Group<'_>) -> bool {
        self.statistic.passes(group, self.threshold)
    }
}

/// The properties of a loss measure that allow pruning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// Whether a more general recoding never loses less, with nothing suppressed.
    pub monotone: bool,
    /// Whether suppressing a record never lowers it.
    pub suppressing_costs: bool,
    /// Whether the loss of each group does not depend on the other groups.
    pub additive: bool,
}

impl Weight {
    /// Whether the loss of a finer recoding with fewer suppressed is a bound.
    pub(super) fn bounds(self) -> bool {
        self.monotone && self.suppressing_costs && self.additive
    }
}

/// A request on counted groups.
pub struct Task<'a> {
    /// The table.
    pub cube: &'a Cube,
    /// Its base groups.
    pub base: &'a Base,
    /// The requested privacy: every group must meet all of it. Never empty.
    pub criteria: Vec<TaskCriterion<'a>>,
    /// The maximum levels.
    pub caps: Scheme,
    /// How many records may be suppressed.
    pub limit: u64,
    /// The loss measure.
    pub loss: &'a dyn Loss,
    /// The properties of the loss measure.
    pub weight: Weight,
    /// How much a suppressed cell of each attribute counts, for strategies that count them.
    pub cell_weights: Vec<f64>,
    /// The position of the watched attribute that contains the classes.
    pub class: Option<usize>,
    /// What the ends of boxes are, for strategies that find boxes.
    pub box_ends: BoxEnds,
    /// Receives every candidate, can cancel the search, and says when it stops with the best result
    /// so far.
    pub progress: &'a dyn Progress,
    /// Bytes for what the search keeps in addition to the counted groups.
    pub memory: usize,
}

impl std::fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task")
            .field("caps", &self.caps)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Which parts of a recoding are suppressed.
#[derive(Debug, Clone, PartialEq)]
pub struct SuppressedParts {
    /// By part, whether it is suppressed.
    pub fails: Vec<bool>,
    /// The records suppressed.
    pub suppressed: u64,
}

impl Task<'_> {
    /// What merging groups does to the verdict of all criteria together.
    pub(super) fn kind(&self) -> Merging {
        let kinds = self.criteria.iter().map(|criterion| criterion.statistic.column().kind);
        kinds.max().unwrap_or(Merging::UnionMonotone)
    }

    /// Returns whether every recoding that is more general than a feasible one is feasible.
    pub(super) fn rises(&self) -> bool {
        match self.kind() {
            Merging::UnionMonotone => true,
            Merging::Closed => self.limit == 0,
            Merging::Free => false,
        }
    }

    /// Refuses a search that prunes more than the models allow.
    pub(super) fn must_rise(&self, who: &str) -> Result<(), Error> {
        if self.rises() {
            return Ok(());
        }
        let assumes = format!("{who} assumes that a more general scheme never suppresses more");
        let (why, fix) = match self.kind() {
            Merging::Free => (
                "under this privacy one may, even where nothing may be suppressed",
                "ask for k-anonymity or distinct l-diversity, or choose another strategy",
            ),
            _ => (
                "with this privacy and records suppressed one may",
                "ask for k-anonymity or distinct l-diversity, or allow nothing to be suppressed",
            ),
        };
        Err(Error::unsupported(format!("{assumes}, and {why}"), fix))
    }

    /// Reports an evaluated candidate; fails if the search was cancelled.
    pub(super) fn step(&self) -> Result<(), Error> {
        let stop = self.progress.step(1).is_break();
        if stop { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Fails if a search would keep more than its memory allows.
    pub(super) fn check_memory(&self, who: &str, bytes: usize) -> Result<(), Error> {
        if bytes <= self.memory {
            return Ok(());
        }
        let what = format!("{who} takes more memory than the limit allows on this table");
        let or = "or choose fewer quasi-identifiers or another strategy";
        Err(Error::of_kind(ErrorKind::OutOfMemory, what, Remedy::RaiseMemory(or.into())))
    }

    /// Whether time has run out.
    pub(super) fn is_late(&self) -> bool {
        self.progress.is_late()
    }

    /// Returns whether this many suppressed records are within the request, with some record left.
    pub(super) fn allows(&self, suppressed: u64) -> bool {
        suppressed <= self.limit && suppressed < self.base.all()
    }

    /// Whether the group of these base groups passes all criteria.
    pub(super) fn passes(&self, rows: &[u32]) -> bool {
        self.criteria.iter().all(|criterion| match criterion.statistic.column().watches {
            None => {
                let records = rows.iter().map(|&row| self.base.records(row as usize)).sum();
                criterion.passes(&Group { records, values: &[] })
            }
            Some(watched) => {
                let mut merger = self.base.merger(watched);
                criterion.passes(&merger.merge(rows.iter().copied()))
            }
        })
    }

    /// By group, whether it fails; and the records that do.
    pub(super) fn failing(&self, grouping: &Grouping) -> (Vec<bool>, u64) {
        let mut fails = vec![false; grouping.len()];
        for criterion in &self.criteria {
            let watched = criterion.statistic.column().watches;
            let mut merger = watched.map(|watched| self.base.merger(watched));
            for (fails, rows) in fails.iter_mut().zip(grouping.iter()).filter(|(fails, _)| !**fails)
            {
                let records = || rows.iter().map(|&row| self.base.records(row as usize)).sum();
                *fails = !match &mut merger {
                    None => criterion.passes(&Group { records: records(), values: &[] }),
                    Some(merger) => criterion.passes(&merger.merge(rows.iter().copied())),
                };
            }
        }
        let failing = grouping.iter().zip(&fails).filter(|(_, fails)| **fails);
        let rows = failing.flat_map(|(rows, _)| rows);
        let records = rows.map(|&row| self.base.records(row as usize)).sum();
        (fails, records)
    }

    /// Returns all base groups.
    pub(super) fn rows(&self) -> Vec<u32> {
        (0..self.base.len() as u32).collect()
    }

    /// The groups of a scheme among some base groups.
    pub(super) fn grouped(&self, rows: &[u32], scheme: &Scheme) -> Grouping {
        let attributes = self.cube.attributes().iter().zip(scheme.levels());
        let maps: Vec<(&[u32], usize)> = attributes
            .map(|(a, &level)| (a.hierarchy.ancestors(level), a.hierarchy.len(level)))
            .collect();
        Grouping::new(self.base, rows, &maps)
    }

    /// How many records a scheme suppresses.
    pub(super) fn suppressed(&self, scheme: &Scheme) -> Result<u64, Error> {
        self.step()?;
        Ok(self.failing(&self.grouped(&self.rows(), scheme)).1)
    }

    /// Determines which parts of a recoding are suppressed. A fully generalized part counts as
    /// suppressed when other parts exist.
    pub fn settle(&self, applied: &Applied) -> SuppressedParts {
        self.settle_on(self.base, applied)
    }

    /// Does the same for other counted groups of the same records.
    pub fn settle_on(&self, base: &Base, applied: &Applied) -> SuppressedParts {
        let mut fails: Vec<bool> = (0..applied.len())
            .map(|part| {
                applied.len() > 1 && applied.is_fully_generalized(part, self.cube.attributes())
            })
            .collect();
        for criterion in &self.criteria {
            let watched = criterion.statistic.column().watches.unwrap_or(0);
            applied.for_each_group(base, watched, |part, group| {
                fails[part] |= !criterion.passes(group);
            });
        }
        let records = |part: usize| -> u64 {
            applied.rows(part).iter().map(|&row| base.records(row as usize)).sum()
        };
        let suppressed = (0..applied.len()).filter(|&part| fails[part]).map(records).sum();
        SuppressedParts { fails, suppressed }
    }

    /// Returns the loss of a recoding whose parts are settled.
    pub fn loss_of(&self, applied: &Applied, settled: &SuppressedParts) -> f64 {
        let bottom = self.cube.space().bottom();
        applied.loss(self.base, &bottom, self.loss, |part| !settled.fails[part]).0
    }

    /// Returns a scheme as the result of a strategy.
    pub(super) fn scheme(&self, scheme: Scheme, evaluated: u64, proven: bool) -> Ending {
        let applied = Applied::levels(self.cube.attributes(), self.base, &scheme);
        let recoding = Recoding::levels(scheme);
        Ending::Found(StrategyOutcome { recoding, applied, split: None, evaluated, proven }.into())
    }

    /// The values of every level of every attribute.
    pub(super) fn nodes(&self) -> Vec<Vec<Vec<Region>>> {
        let at = |a: &QuasiIdentifier, level: Level| -> Vec<Region> {
            let codes = 0..a.hierarchy.len(level) as u32;
            codes.map(|code| Region::node(&a.hierarchy, code, level)).collect()
        };
        let levels = |a: &QuasiIdentifier| (0..=u8::from(a.hierarchy.top())).map(Level::from);
        let attributes = self.cube.attributes().iter();
        attributes.map(|a| levels(a).map(|level| at(a, level)).collect()).collect()
    }

    /// The codes of a base group at the levels of a scheme.
    pub(super) fn codes_at(&self, row: u32, scheme: &Scheme) -> Vec<u32> {
        let attributes = self.cube.attributes().iter().zip(scheme.levels());
        let codes = self.base.codes(row as usize).iter().zip(attributes);
        codes.map(|(&code, (a, &level))| a.hierarchy.ancestor(code, level)).collect()
    }

    /// Returns the loss of a scheme, and how many records it suppresses.
    fn loss_at(&self, scheme: &Scheme, nodes: &[Vec<Vec<Region>>], rows: &[u32]) -> (f64, u64) {
        let grouping = self.grouped(rows, scheme);
        let (fails, suppressed) = self.failing(&grouping);
        let levels = nodes.iter().zip(scheme.levels());
        let regions: Vec<Vec<Region>> =
            levels.map(|(at, level)| at[level.index()].clone()).collect();
        let codes: Vec<Vec<u32>> =
            grouping.iter().map(|rows| self.codes_at(rows[0], scheme)).collect();
        let groups = grouping.iter().zip(&codes).zip(fails);
        let groups = groups.map(|((rows, codes), fails)| (codes.as_slice(), rows, !fails));
        let bottom = self.cube.space().bottom();
        (weigh(&regions, self.base, &bottom, self.loss, groups).0, suppressed)
    }

    /// The best of some schemes by (loss, height, suppressed, levels), and whether all were
    /// compared; if time runs out, the best so far.
    pub(super) fn least_loss(&self, schemes: Vec<Scheme>) -> Result<Option<(Scheme, bool)>, Error> {
        let (nodes, rows) = (self.nodes(), self.rows());
        let mut best: Option<(f64, u64, Scheme)> = None;
        let mut all = true;
        for scheme in schemes {
            if best.is_some() && self.is_late() {
                all = false;
                break;
            }
            self.step()?;
            let (loss, suppressed) = self.loss_at(&scheme, &nodes, &rows);
            let better = best.as_ref().is_none_or(|best| {
                loss_order((loss, suppressed, &scheme), (best.0, best.1, &best.2)).is_lt()
            });
            if better {
                best = Some((loss, suppressed, scheme));
            }
        }
        Ok(best.map(|best| (best.2, all)))
    }
}

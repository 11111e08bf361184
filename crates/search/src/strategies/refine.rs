//! Local refinement: suppressed records are tried again at higher levels, until nothing changes.
//!
//! The records that a scheme suppresses are grouped again, on their own, at the levels after which
//! the total loss is least; groups that pass there are published at those levels, and so on with
//! the rest. A scheme that fully generalizes every attribute is not tried. Every part is evaluated
//! as published, so groups that merge in the end (because their regions are equal) are evaluated
//! once more.

use haggle_cube::{Applied, Weighing};
use haggle_model::{Recoding, Region, Scheme};

use super::{StrategyOutcome, Task};
use crate::Error;

/// At most this many schemes are tried for each part.
const MOST: usize = 50_000;

/// Groups that are published at the same levels: their codes there, and their base groups.
struct LevelPart {
    scheme: Scheme,
    groups: Vec<(Vec<u32>, Vec<u32>)>,
}

/// Refines a scheme: its own groups that pass, and what it suppresses at higher levels.
pub fn refine(task: &Task<'_>, scheme: &Scheme) -> Result<StrategyOutcome, Error> {
    let bottom = task.cube.space().bottom();
    let mut search = RefineSearch::new(task, &bottom);
    search.publish(scheme);
    let mut evaluated = 1;
    while !search.left.is_empty() && !task.is_late() {
        let Some(best) = search.next(scheme, &mut evaluated)? else { break };
        search.publish(&best);
    }
    Ok(search.outcome(evaluated))
}

/// Applies these schemes as parts, in order, on this table.
pub fn refined(task: &Task<'_>, schemes: &[Scheme]) -> StrategyOutcome {
    let bottom = task.cube.space().bottom();
    let mut search = RefineSearch::new(task, &bottom);
    for scheme in schemes {
        search.publish(scheme);
    }
    search.outcome(schemes.len() as u64)
}

struct RefineSearch<'a, 'b> {
    task: &'a Task<'b>,
    /// The values of each level of each attribute.
    nodes: Vec<Vec<Vec<Region>>>,
    parts: Vec<LevelPart>,
    /// The base groups that no part publishes.
    left: Vec<u32>,
    /// The loss of the parts, with nothing suppressed yet.
    weighing: Weighing<'a>,
}

impl<'a, 'b> RefineSearch<'a, 'b> {
    fn new(task: &'a Task<'b>, bottom: &'a Scheme) -> Self {
        Self {
            task,
            nodes: task.nodes(),
            parts: Vec::new(),
            left: task.rows(),
            weighing: Weighing::new(task.base, bottom, task.loss),
        }
    }

    /// Returns the groups of the rest that pass at these levels, and what is left then.
    fn part(&self, scheme: &Scheme) -> (LevelPart, Vec<u32>) {
        let grouping = self.task.grouped(&self.left, scheme);
        let (fails, _) = self.task.failing(&grouping);
        let mut part = LevelPart { scheme: scheme.clone(), groups: Vec::new() };
        let mut left = Vec::new();
        for (rows, fails) in grouping.iter().zip(fails) {
            if fails {
                left.extend_from_slice(rows);
            } else {
                part.groups.push((self.task.codes_at(rows[0], scheme), rows.to_vec()));
            }
        }
        (part, left)
    }

    fn publish(&mut self, scheme: &Scheme) {
        let (part, left) = self.part(scheme);
        self.weighing = self.with(&part);
        self.parts.push(part);
        self.left = left;
    }

    /// Returns the loss of the parts with one more.
    fn with(&self, part: &LevelPart) -> Weighing<'a> {
        let levels = self.nodes.iter().zip(part.scheme.levels());
        let regions: Vec<Vec<Region>> =
            levels.map(|(nodes, level)| nodes[level.index()].clone()).collect();
        let mut weighing = self.weighing.clone();
        for (codes, rows) in &part.groups {
            weighing.add(&regions, codes, rows, true);
        }
        weighing
    }

    /// Returns the loss if these base groups are suppressed.
    fn loss(&self, mut weighing: Weighing<'a>, left: &[u32]) -> f64 {
        weighing.suppress(left.iter().map(|&row| self.task.base.records(row as usize)).sum());
        weighing.loss().0
    }

    /// Returns the levels above the first ones after which the loss is least; none if no group
    /// passes anywhere, or none reduces the loss.
    fn next(&self, lowest: &Scheme, evaluated: &mut u64) -> Result<Option<Scheme>, Error> {
        let space = self.task.cube.space();
        let part = space.under(&self.task.caps).above(lowest);
        let now = self.loss(self.weighing.clone(), &self.left);
        let mut best: Option<(f64, Scheme)> = None;
        let schemes = part.heights().flat_map(|height| part.at_height(height));
        let above = schemes.filter(|s| s != lowest && s != space.top());
        for scheme in above.take(MOST) {
            if self.task.is_late() {
                break;
            }
            self.task.step()?;
            *evaluated += 1;
            let (part, left) = self.part(&scheme);
            if part.groups.is_empty() {
                continue;
            }
            let loss = self.loss(self.with(&part), &left);
            if loss < best.as_ref().map_or(now, |(least, _)| *least) {
                best = Some((loss, scheme));
            }
        }
        Ok(best.map(|(_, scheme)| scheme))
    }

    fn outcome(self, evaluated: u64) -> StrategyOutcome {
        let attributes = self.task.cube.attributes();
        let anything: Vec<Region> =
            attributes.iter().map(|a| Region::whole(&a.hierarchy)).collect();
        let mut sides: Vec<Vec<Region>> = vec![anything];
        let mut side_of = vec![0; self.task.base.len()];
        for LevelPart { scheme, groups } in &self.parts {
            for (codes, rows) in groups {
                let region = |(i, &code): (usize, &u32)| {
                    Region::node(&attributes[i].hierarchy, code, scheme.level(i))
                };
                for &row in rows {
                    side_of[row as usize] = sides.len();
                }
                sides.push(codes.iter().enumerate().map(region).collect());
            }
        }
        let applied = Applied::boxes(attributes, self.task.base, |row| &sides[side_of[row]]);
        let schemes = self.parts.into_iter().map(|part| part.scheme).collect();
        let recoding = Recoding::Parts { schemes };
        StrategyOutcome { recoding, applied, split: None, evaluated, proven: false }
    }
}

//! Frequency sets of many schemes, each rolled up from that of a lower scheme that is still in
//! memory.
//!
//! A scheme's set is computed from the one in which the last raised attribute is recorded, and so
//! on down to the base groups. Attributes that are fully generalized are raised first, and of the
//! others those with many values: similar schemes then share most of the path, and the last step is
//! short.

use std::collections::HashMap;
use std::rc::Rc;

use haggle_cube::FrequencySet;
use haggle_model::{Level, Scheme};

use super::Task;
use crate::Error;

/// Bytes for sets, however much memory there is; beyond that, all are discarded.
const ROOM: usize = 128 << 20;

/// The bytes of what is known about a scheme in addition to its levels.
const KNOWN_BYTES: usize = 64;

/// A scheme's set for each watched attribute that a criterion needs, or for none.
type Sets<'a> = Rc<[FrequencySet<'a>]>;

/// What schemes suppress, from their frequency sets.
pub(super) struct FrequencySets<'a, 'b> {
    task: &'a Task<'b>,
    /// The position of each criterion's watched attribute among the sets of a scheme.
    places: Vec<usize>,
    base: Sets<'b>,
    top: Scheme,
    /// The attributes in the order in which they are raised.
    order: Vec<usize>,
    kept: HashMap<Scheme, Sets<'b>>,
    bytes: usize,
    /// Bytes for the kept sets, and a quarter of that for what is known about schemes.
    room: usize,
    /// What is known about schemes.
    suppressed: HashMap<Scheme, u64>,
}

impl<'a, 'b> FrequencySets<'a, 'b> {
    pub(super) fn new(task: &'a Task<'b>) -> Self {
        let mut watched: Vec<Option<usize>> = Vec::new();
        let mut place = |watches: Option<usize>| {
            watched.iter().position(|&w| w == watches).unwrap_or_else(|| {
                watched.push(watches);
                watched.len() - 1
            })
        };
        let places = task.criteria.iter().map(|c| place(c.statistic.column().watches)).collect();
        let values =
            |position: &usize| task.cube.attributes()[*position].hierarchy.len(Level::RECORDED);
        let mut order: Vec<usize> = (0..task.cube.attributes().len()).collect();
        order.sort_by_key(|position| std::cmp::Reverse(values(position)));
        Self {
            task,
            places,
            base: watched.iter().map(|&watches| FrequencySet::count(task.cube, watches)).collect(),
            top: task.cube.space().top().clone(),
            order,
            kept: HashMap::new(),
            bytes: 0,
            room: ROOM.min(task.memory / 4),
            suppressed: HashMap::new(),
        }
    }

    /// How many records a scheme suppresses.
    pub(super) fn suppressed(&mut self, scheme: &Scheme) -> Result<u64, Error> {
        self.task.step()?;
        if let Some(&known) = self.suppressed.get(scheme) {
            return Ok(known);
        }
        let sets = self.sets(scheme);
        let suppressed = self.failing(&sets);
        let each = KNOWN_BYTES + scheme.levels().len();
        if self.suppressed.len() * each > self.room / 4 {
            self.suppressed.clear();
        }
        self.suppressed.insert(scheme.clone(), suppressed);
        Ok(suppressed)
    }

    /// Returns whether a scheme is within the request.
    pub(super) fn allow(&mut self, scheme: &Scheme) -> Result<bool, Error> {
        let suppressed = self.suppressed(scheme)?;
        Ok(self.task.allows(suppressed))
    }

    fn sets(&mut self, scheme: &Scheme) -> Sets<'b> {
        if let Some(kept) = self.kept.get(scheme) {
            return kept.clone();
        }
        let Some(lower) = self.lower(scheme) else { return self.base.clone() };
        let from = self.sets(&lower);
        let made: Sets<'b> = from.iter().map(|set| set.rolled_up(scheme)).collect();
        let bytes: usize = made.iter().map(FrequencySet::bytes).sum();
        if self.bytes + bytes > self.room {
            self.kept.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.kept.insert(scheme.clone(), made.clone());
        made
    }

    /// Returns the scheme with the attribute recorded that is raised last; none below the base.
    fn lower(&self, scheme: &Scheme) -> Option<Scheme> {
        let raised = |&&i: &&usize| scheme.level(i) > Level::RECORDED;
        let is_detailed = |&&i: &&usize| scheme.level(i) < self.top.level(i);
        let mut last = self.order.iter().rev().filter(raised);
        let last = last.clone().find(is_detailed).or_else(|| last.next())?;
        Some(scheme.with(*last, Level::RECORDED))
    }

    /// The records in groups that fail some criterion.
    fn failing(&self, sets: &Sets<'_>) -> u64 {
        let mut fails: Vec<bool> = Vec::new();
        let mut records = 0;
        for (criterion, &place) in self.task.criteria.iter().zip(&self.places) {
            let mut group_at = 0;
            sets[place].for_each_group(|group| {
                if fails.len() == group_at {
                    fails.push(false);
                }
                if !fails[group_at] && !criterion.passes(group) {
                    fails[group_at] = true;
                    records += group.records;
                }
                group_at += 1;
            });
        }
        records
    }
}

//! OLA: finds the minimal feasible schemes by halving sublattices, and of them the one with the
//! least loss.
//!
//! The schemes in the middle of a sublattice are evaluated: below a feasible one the lower half is
//! searched, above an infeasible one the upper half. The result is propagated to all schemes above
//! or below (predictive tagging), so most are never evaluated.

use std::collections::BTreeSet;

use haggle_model::{Scheme, Space};

use super::frequency_sets::FrequencySets;
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "ola",
        title: "OLA (optimal lattice anonymization)",
        recoding: "levels",
        definition: "Halves sublattices at their middle height, tagging all schemes above a feasible one and all below an infeasible one, until every scheme is tagged.",
        finds: "the least loss among the minimal feasible schemes",
        citation: "K. El Emam, F. Dankar, R. Issa, E. Jonker et al.: A globally optimal k-anonymity method for the de-identification of health data. JAMIA 16(5), 2009",
        needs: "a model under which more general schemes suppress no more, or nothing suppressed; at most a million schemes",
        loss: LossUse::Measure,
    },
    run,
};

/// More schemes than this are not tagged.
const MOST: usize = 1_000_000;

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    task.must_rise(STRATEGY.about.title)?;
    let space = task.cube.space();
    let Some(size) = space.size().filter(|&size| size <= MOST) else {
        let title = STRATEGY.about.title;
        let what = format!("{title} tags every scheme, and there are more than {MOST}");
        let fix = "choose another strategy, or fewer quasi-identifiers";
        return Err(Error::unsupported(what, fix));
    };
    let mut search = OlaSearch {
        task,
        sets: FrequencySets::new(task),
        strides: space.strides(),
        tags: vec![None; size],
        seen: BTreeSet::new(),
        evaluated: 0,
        space,
    };
    let (bottom, top) = (search.space.bottom(), task.caps.clone());
    if search.halve(&bottom, &top)?.is_none() {
        return Ok(Ending::GaveUp { evaluated: search.evaluated });
    }
    let evaluated = search.evaluated;
    let best = task.least_loss(search.minimal())?;
    let found = |(scheme, proven)| task.scheme(scheme, evaluated, proven);
    Ok(best.map_or(Ending::Nothing { evaluated }, found))
}

struct OlaSearch<'a, 'b> {
    task: &'a Task<'b>,
    sets: FrequencySets<'a, 'b>,
    space: Space,
    strides: Vec<usize>,
    /// Whether each scheme is feasible, as far as it is known.
    tags: Vec<Option<bool>>,
    seen: BTreeSet<(usize, usize)>,
    evaluated: u64,
}

impl OlaSearch<'_, '_> {
    /// Returns whether a scheme is feasible; it is evaluated if it has no tag.
    fn tag(&mut self, scheme: &Scheme) -> Result<bool, Error> {
        let index = self.space.index(scheme);
        if let Some(known) = self.tags[index] {
            return Ok(known);
        }
        self.evaluated += 1;
        let feasible = self.sets.allow(scheme)?;
        self.spread(scheme.clone(), feasible);
        Ok(feasible)
    }

    /// Tags a scheme and all above it, or all below it.
    fn spread(&mut self, scheme: Scheme, feasible: bool) {
        let index = self.space.index(&scheme);
        self.tags[index] = Some(feasible);
        let mut waiting = vec![(index, scheme)];
        while let Some((index, scheme)) = waiting.pop() {
            for (position, &stride) in self.strides.iter().enumerate() {
                let level = scheme.level(position);
                let next = if feasible {
                    (level < self.task.caps.level(position)).then(|| (index + stride, level.up()))
                } else {
                    let below = u8::from(level).checked_sub(1);
                    below.map(|below| (index - stride, below.into()))
                };
                // Each is tagged before it waits, so that it waits once.
                if let Some((index, level)) = next
                    && self.tags[index].is_none()
                {
                    self.tags[index] = Some(feasible);
                    waiting.push((index, scheme.with(position, level)));
                }
            }
        }
    }

    /// Tags every scheme between two; none if time ran out.
    fn halve(&mut self, low: &Scheme, high: &Scheme) -> Result<Option<()>, Error> {
        let ends = (self.space.index(low), self.space.index(high));
        let settled = self.tags[ends.0] == Some(true) || self.tags[ends.1] == Some(false);
        if settled || !self.seen.insert(ends) {
            return Ok(Some(()));
        }
        if self.task.is_late() {
            return Ok(None);
        }
        if high.height() - low.height() <= 1 {
            if !self.tag(low)? {
                self.tag(high)?;
            }
            return Ok(Some(()));
        }
        let middle = u32::midpoint(low.height(), high.height());
        for scheme in between(&self.space, low, high, middle) {
            let half = if self.tag(&scheme)? { (low, &scheme) } else { (&scheme, high) };
            if self.halve(half.0, half.1)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Returns the feasible schemes with no feasible scheme below them.
    fn minimal(&self) -> Vec<Scheme> {
        let part = self.space.under(&self.task.caps);
        let schemes = part.heights().flat_map(|height| part.at_height(height));
        let feasible = |scheme: &Scheme| self.tags[self.space.index(scheme)] == Some(true);
        let is_minimal = |scheme: &Scheme| {
            let levels = scheme.levels().iter().enumerate().filter(|(_, level)| level.index() > 0);
            let below = levels.map(|(i, &level)| scheme.with(i, (u8::from(level) - 1).into()));
            feasible(scheme) && !below.into_iter().any(|below| feasible(&below))
        };
        schemes.filter(is_minimal).collect()
    }
}

/// The schemes of a height between two.
fn between(space: &Space, low: &Scheme, high: &Scheme, height: u32) -> Vec<Scheme> {
    space.under(high).above(low).at_height(height).collect()
}

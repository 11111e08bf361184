//! The front of one point per scheme with a tighter rule for ground nodes than `POkA`'s depth: their
//! ceilings. The rule is our own.
//!
//! After a point N, the next one is the strongest scheme M that loses less than N. Let D be the
//! attributes in which M is lower than N, and G the ground node that has M's levels in D and N's
//! levels elsewhere. The **ceiling** of G has G's levels in D and the top elsewhere. M lies below
//! the ceiling. If merging groups never weakens a group, the strongest threshold within a
//! suppression limit never falls from a scheme to a more general one (at the same threshold the
//! more general one suppresses no record more), so M is at most as strong as the ceiling. A ground
//! node is therefore left out, with all below it, whose ceilings are lower still, if its ceiling is
//! weaker than the best scheme found so far; no depth is needed.
//!
//! From a ground node the search climbs in the attributes outside D. It stops at a scheme that is
//! at least as strong as N, and at one that would lose at least as much as N if it suppressed
//! nothing: above it both stay true if the measure never falls with generalization. That differs
//! from the published height search, which stops at the loss as it is and so assumes that losses
//! with suppression rise on every edge. Both reasons hold after every later point, too, so a scheme
//! that was reached for the last time is never evaluated again.
//!
//! For union-monotone models and measures that rise with generalization and with suppression the
//! front is complete: every point of [`best_of_each`](super::best_of_each) is found, and nothing
//! else.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use haggle_model::{Scheme, Space};

use super::poka::{Evaluate, EvaluatedSchemes, Poka, PokaPoint, Valued, better, lower};
use crate::Error;

/// Lower bounds of the loss of a scheme and of all above it.
pub struct LossBounds<'a> {
    /// What the levels alone say, if they say anything; free of any evaluation.
    pub by_levels: &'a dyn Fn(&Scheme) -> Option<f64>,
    /// The loss if nothing were suppressed, for a scheme that was evaluated.
    pub unsuppressed: &'a dyn Fn(&Scheme) -> Result<f64, Error>,
}

/// Runs the search with ceilings, down to the weakest useful strength.
pub fn poka_by_ceilings(
    space: &Space,
    weakest: f64,
    evaluate: &Evaluate<'_>,
    bounds: &LossBounds<'_>,
) -> Result<Poka, Error> {
    let mut search = CeilingSearch {
        space,
        weakest,
        schemes: EvaluatedSchemes::new(evaluate),
        bounds,
        unsuppressed: BTreeMap::new(),
        done: HashSet::new(),
    };
    let mut points: Vec<PokaPoint> = Vec::new();
    let before_all = Valued { strength: f64::INFINITY, loss: f64::INFINITY };
    let mut base = PokaPoint { scheme: space.top().clone(), valued: before_all };
    while base.valued.strength > weakest {
        let Some(next) = search.after(&base)? else { break };
        base = next.clone();
        points.push(next);
    }
    Ok(Poka { points, evaluated: search.schemes.len() })
}

/// What is known about schemes.
struct CeilingSearch<'a> {
    space: &'a Space,
    /// The weakest useful strength.
    weakest: f64,
    schemes: EvaluatedSchemes<'a>,
    bounds: &'a LossBounds<'a>,
    unsuppressed: BTreeMap<Scheme, f64>,
    /// Schemes that neither come after the last point, nor do any above them.
    done: HashSet<Scheme>,
}

impl CeilingSearch<'_> {
    /// Returns the next point: ground nodes are visited from the nearest on.
    fn after(&mut self, base: &PokaPoint) -> Result<Option<PokaPoint>, Error> {
        let mut best: Option<PokaPoint> = None;
        let mut waiting = VecDeque::from([base.scheme.clone()]);
        let mut seen = BTreeSet::from([base.scheme.clone()]);
        while let Some(ground) = waiting.pop_front() {
            if !self.may_lead_to_better(&ground, base, best.as_ref())? {
                continue;
            }
            best = self.climb(&ground, base, best)?;
            waiting.extend(lower(&ground).into_iter().filter(|next| seen.insert(next.clone())));
        }
        Ok(best)
    }

    /// Returns whether the ceiling of a ground node is as strong as the best scheme so far.
    fn may_lead_to_better(
        &mut self,
        ground: &Scheme,
        base: &PokaPoint,
        best: Option<&PokaPoint>,
    ) -> Result<bool, Error> {
        let top = self.space.top();
        let lowered = |i: &usize| ground.level(*i) < base.scheme.level(*i);
        let lowered: Vec<usize> = (0..ground.levels().len()).filter(lowered).collect();
        let ceiling = lowered.iter().fold(top.clone(), |c, &i| c.with(i, ground.level(i)));
        let strength = self.schemes.value(&ceiling)?.strength;
        Ok(strength >= best.map_or(self.weakest, |best| best.valued.strength))
    }

    /// Climbs from a ground node in the attributes that it shares with the base.
    fn climb(
        &mut self,
        ground: &Scheme,
        base: &PokaPoint,
        mut best: Option<PokaPoint>,
    ) -> Result<Option<PokaPoint>, Error> {
        let mut waiting = VecDeque::from([ground.clone()]);
        let mut seen = BTreeSet::from([ground.clone()]);
        while let Some(scheme) = waiting.pop_front() {
            if self.is_done(&scheme, base)? {
                continue;
            }
            let found = self.schemes.point(&scheme)?;
            let useful = found.valued.strength >= self.weakest;
            let found = (useful && found.valued.loss < base.valued.loss).then_some(found);
            best = better(best, found);
            for i in 0..scheme.levels().len() {
                let shared = ground.level(i) == base.scheme.level(i);
                if shared && scheme.level(i) < self.space.top().level(i) {
                    let next = scheme.with(i, scheme.level(i).up());
                    if seen.insert(next.clone()) {
                        waiting.push_back(next);
                    }
                }
            }
        }
        Ok(best)
    }

    /// Returns whether neither a scheme nor any above it comes after the base.
    fn is_done(&mut self, scheme: &Scheme, base: &PokaPoint) -> Result<bool, Error> {
        let done = self.done.contains(scheme)
            || lower(scheme).iter().any(|below| self.done.contains(below))
            || (self.bounds.by_levels)(scheme).is_some_and(|loss| loss >= base.valued.loss)
            || self.schemes.value(scheme)?.strength >= base.valued.strength
            || self.loses_as_much(scheme, base)?;
        if done {
            self.done.insert(scheme.clone());
        }
        Ok(done)
    }

    fn loses_as_much(&mut self, scheme: &Scheme, base: &PokaPoint) -> Result<bool, Error> {
        if (self.bounds.by_levels)(scheme).is_some() || base.valued.loss == f64::INFINITY {
            return Ok(false); // the levels said all there is to say
        }
        if let Some(&loss) = self.unsuppressed.get(scheme) {
            return Ok(loss >= base.valued.loss);
        }
        let loss = (self.bounds.unsuppressed)(scheme)?;
        self.unsuppressed.insert(scheme.clone(), loss);
        Ok(loss >= base.valued.loss)
    }
}

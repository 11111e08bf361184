//! `POkA`: the Pareto-optimal schemes of privacy and loss by depth and height searches.
//!
//! After R. Dewri, I. Ray, I. Ray, D. Whitley, "`POkA`: identifying Pareto-optimal k-anonymous
//! nodes in a domain hierarchy lattice", CIKM 2009. Each scheme has one point: the strongest
//! threshold within the suppression bound, and the loss at it; one that protects nothing (k = 1)
//! has a point too, so that a height search continues above it. Starting with a given scheme, as
//! published the most general one, the next point is searched among schemes that a height search
//! reaches from those at a depth below the last one: the strongest that is weaker and loses less.
//!
//! Corrected: the depth is capped at the height of the last point, the search ends if there is no
//! next point or if it protects nothing, an immediate neighbour is a candidate only if it comes
//! after the last point, and ties are decided by levels. With suppression the loss of a more general
//! scheme at its own threshold can be lower, so points can be missed; [`best_of_each`] is exact, and
//! [`poka_by_ceilings`](super::poka_by_ceilings) where its rule is sound.

use std::collections::BTreeMap;

use haggle_model::{Level, Scheme, Space};

use crate::Error;

/// The point of a scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Valued {
    /// The strongest threshold within the bound, whether it protects or not; larger is stronger
    /// here, for every model.
    pub strength: f64,
    /// The loss at it.
    pub loss: f64,
}

/// A point and its scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct PokaPoint {
    /// The scheme.
    pub scheme: Scheme,
    /// Its point.
    pub valued: Valued,
}

/// The result of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Poka {
    /// The points, the strongest first.
    pub points: Vec<PokaPoint>,
    /// How many schemes were evaluated.
    pub evaluated: usize,
}

/// Evaluates a scheme.
pub type Evaluate<'a> = dyn Fn(&Scheme) -> Result<Valued, Error> + 'a;

/// Runs the published search from a scheme, to this depth, down to the weakest useful strength.
pub fn poka(
    space: &Space,
    start: &Scheme,
    depth: u32,
    weakest: f64,
    evaluate: &Evaluate<'_>,
) -> Result<Poka, Error> {
    let mut search = PokaSearch { space, schemes: EvaluatedSchemes::new(evaluate) };
    let mut points: Vec<PokaPoint> = Vec::new();
    let mut next = Some(search.schemes.point(start)?);
    while let Some(base) = next.filter(|point| point.valued.strength >= weakest) {
        let go_on = base.valued.strength > weakest && base.scheme.height() > 0;
        let depth = depth.min(base.scheme.height()).max(1);
        points.push(base);
        let base = points.last().expect("just pushed");
        let mut walk = PokaWalk { base, depth, risen: BTreeMap::new(), descended: BTreeMap::new() };
        next = if go_on { search.descend(&base.scheme, &mut walk)? } else { None };
    }
    Ok(Poka { points, evaluated: search.schemes.len() })
}

/// Returns the exact front with one point per scheme, down to the weakest useful strength: every
/// scheme is evaluated.
pub fn best_of_each(
    space: &Space,
    weakest: f64,
    evaluate: &Evaluate<'_>,
) -> Result<Vec<PokaPoint>, Error> {
    let all = space.all();
    let mut points = Vec::new();
    for scheme in all.heights().flat_map(|height| all.at_height(height)) {
        let valued = evaluate(&scheme)?;
        if valued.strength >= weakest {
            points.push(PokaPoint { scheme, valued });
        }
    }
    points.sort_by(|a, b| {
        let strength = b.valued.strength.total_cmp(&a.valued.strength);
        strength.then(a.valued.loss.total_cmp(&b.valued.loss)).then(a.scheme.cmp(&b.scheme))
    });
    let mut least = f64::INFINITY;
    points.retain(|point| {
        let better = point.valued.loss < least;
        least = least.min(point.valued.loss);
        better
    });
    Ok(points)
}

/// Schemes with their values, each evaluated once.
pub(super) struct EvaluatedSchemes<'a> {
    evaluate: &'a Evaluate<'a>,
    values: BTreeMap<Scheme, Valued>,
}

impl<'a> EvaluatedSchemes<'a> {
    pub(super) fn new(evaluate: &'a Evaluate<'a>) -> Self {
        Self { evaluate, values: BTreeMap::new() }
    }

    pub(super) fn value(&mut self, scheme: &Scheme) -> Result<Valued, Error> {
        if let Some(known) = self.values.get(scheme) {
            return Ok(*known);
        }
        let valued = (self.evaluate)(scheme)?;
        self.values.insert(scheme.clone(), valued);
        Ok(valued)
    }

    pub(super) fn point(&mut self, scheme: &Scheme) -> Result<PokaPoint, Error> {
        Ok(PokaPoint { scheme: scheme.clone(), valued: self.value(scheme)? })
    }

    /// How many were evaluated.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}

/// The space, and what is known about its schemes over all walks.
struct PokaSearch<'a> {
    space: &'a Space,
    schemes: EvaluatedSchemes<'a>,
}

/// One walk from a base, with the results of searches from each scheme, so that none is repeated.
struct PokaWalk<'a> {
    base: &'a PokaPoint,
    depth: u32,
    risen: BTreeMap<(Scheme, bool), Option<PokaPoint>>,
    descended: BTreeMap<Scheme, Option<PokaPoint>>,
}

impl PokaWalk<'_> {
    /// Returns whether a point comes after the base: weaker, with less loss.
    fn comes_after(&self, valued: Valued) -> bool {
        let base = self.base.valued;
        valued.strength < base.strength && valued.loss < base.loss
    }

    fn lies_below(&self, scheme: &Scheme) -> bool {
        scheme.levels().iter().zip(self.base.scheme.levels()).all(|(level, base)| level <= base)
    }

    fn distance(&self, scheme: &Scheme) -> u32 {
        let levels = scheme.levels().iter().zip(self.base.scheme.levels());
        levels.map(|(&level, &base)| u32::from(u8::from(level).abs_diff(base.into()))).sum()
    }
}

/// Returns the better of two: stronger, then with less loss, then by levels.
pub(super) fn better(one: Option<PokaPoint>, other: Option<PokaPoint>) -> Option<PokaPoint> {
    one.into_iter().chain(other).max_by(|a, b| {
        let strength = a.valued.strength.total_cmp(&b.valued.strength);
        strength.then(b.valued.loss.total_cmp(&a.valued.loss)).then(b.scheme.cmp(&a.scheme))
    })
}

impl PokaSearch<'_> {
    /// Searches down to the depth, and from there up.
    fn descend(
        &mut self,
        scheme: &Scheme,
        walk: &mut PokaWalk<'_>,
    ) -> Result<Option<PokaPoint>, Error> {
        if let Some(found) = walk.descended.get(scheme) {
            return Ok(found.clone());
        }
        let mut best = None;
        for child in lower(scheme) {
            let found = match walk.distance(&child) == walk.depth {
                false => self.descend(&child, walk)?,
                true if walk.depth == 1 => {
                    let valued = self.schemes.value(&child)?;
                    self.rise(&child, walk.comes_after(valued), walk)?
                }
                true => self.rise(&child, false, walk)?,
            };
            best = better(best, found);
        }
        walk.descended.insert(scheme.clone(), best.clone());
        Ok(best)
    }

    /// Searches up from a scheme, as long as points come after the base.
    fn rise(
        &mut self,
        scheme: &Scheme,
        usable: bool,
        walk: &mut PokaWalk<'_>,
    ) -> Result<Option<PokaPoint>, Error> {
        let place = (scheme.clone(), usable);
        if let Some(found) = walk.risen.get(&place) {
            return Ok(found.clone());
        }
        let mut best = if usable { Some(self.schemes.point(scheme)?) } else { None };
        for child in self.upper(scheme) {
            let found = if walk.lies_below(&child) && walk.distance(&child) > 1 {
                self.rise(&child, false, walk)?
            } else {
                let valued = self.schemes.value(&child)?;
                if walk.comes_after(valued) { self.rise(&child, true, walk)? } else { None }
            };
            best = better(best, found);
        }
        walk.risen.insert(place, best.clone());
        Ok(best)
    }

    fn upper(&self, scheme: &Scheme) -> Vec<Scheme> {
        let levels = scheme.levels().iter().zip(self.space.top().levels()).enumerate();
        let below_top = levels.filter(|(_, (level, top))| level < top);
        below_top.map(|(i, (level, _))| scheme.with(i, level.up())).collect()
    }
}

pub(super) fn lower(scheme: &Scheme) -> Vec<Scheme> {
    let levels = scheme.levels().iter().enumerate();
    let down = |(i, &level): (usize, &Level)| {
        u8::from(level).checked_sub(1).map(|below| scheme.with(i, below.into()))
    };
    levels.filter_map(down).collect()
}

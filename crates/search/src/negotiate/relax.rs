//! The relaxations of a request: suppression, privacy, height, or attributes.

use haggle_cube::Merging;
use haggle_model::{Level, Scheme, Sublattice};

use super::{Relaxations, left_out};
use crate::Error;
use crate::explore::View;
use crate::request::{HeightRelaxation, LatticeRequest, Negotiable, Requirement, Solution};

/// Finds every relaxation of a request that no scheme under its maximum levels meets.
pub(super) fn relaxations(
    view: &mut View<'_>,
    request: &LatticeRequest,
    part: &Sublattice,
) -> Result<Relaxations, Error> {
    let mut found = Relaxations {
        suppression: suppression(view, part)?,
        privacy: request
            .negotiable
            .iter()
            .map(|&number| privacy(view, number, part, request.limit))
            .collect::<Result<_, _>>()?,
        height: match request.height {
            HeightRelaxation::Lowest => view.lowest(&view.space().all(), request.limit)?,
            HeightRelaxation::Closest => closest(view, request)?,
            HeightRelaxation::Published => published(view, request)?,
        },
        attribute: attribute(view, request, part)?,
        attributes: Vec::new(),
    };
    found.attributes = left_out::attributes(view, request, part, &found.attribute)?;
    Ok(found)
}

/// The fewest records suppressed under the maximum levels, by the lowest scheme that attains it.
fn suppression(view: &mut View<'_>, part: &Sublattice) -> Result<Option<Solution>, Error> {
    if view.top_suppresses_least() {
        let Some(most_general) = view.solution(part.high(), u64::MAX)? else { return Ok(None) };
        return view.lowest(part, most_general.suppressed);
    }
    let mut best: Option<Solution> = None;
    for height in part.heights() {
        let limit = match &best {
            Some(Solution { suppressed: 0, .. }) => break,
            Some(solution) => solution.suppressed - 1,
            None => u64::MAX,
        };
        best = view.least_at(part, height, limit)?.or(best);
    }
    Ok(best)
}

/// Returns the strongest threshold of a negotiable number that is attained under the maximum
/// levels, with the others unchanged, by the lowest scheme that attains it.
fn privacy(
    view: &mut View<'_>,
    Negotiable { requirement, column }: Negotiable,
    part: &Sublattice,
    limit: u64,
) -> Result<Option<Solution>, Error> {
    let about = view.column(column);
    let strongest = if view.top_suppresses_least() {
        view.strongest(part.high(), requirement, column, limit)?
    } else {
        view.strongest_of_all(part, requirement, column, limit)?
    };
    match strongest.and_then(|statistic| about.offered(statistic)) {
        Some(threshold) => {
            let offered = Requirement { column, threshold };
            view.with(requirement, offered, |view| view.lowest(part, limit))
        }
        None => Ok(None),
    }
}

/// The lowest height from that of the maximum levels upwards, anywhere in the lattice.
fn published(view: &mut View<'_>, request: &LatticeRequest) -> Result<Option<Solution>, Error> {
    if view.kind() != Merging::UnionMonotone {
        return Err(Error::unsupported(
            "the height relaxation 'published' bisects heights, which is sound only where \
             suppression falls as schemes rise",
            "use 'lowest' or 'closest' for this model",
        ));
    }
    let all = view.space().all();
    if view.is_partial() {
        return published_of_some(view, request);
    }
    let Some(lowest) = view.lowest(&all, request.limit)? else { return Ok(None) };
    let height = lowest.scheme.height().max(request.caps.height());
    view.least_at(&all, height, request.limit)
}

/// Finds the same height by height, where a height without an annotated scheme says nothing about
/// those above.
fn published_of_some(
    view: &mut View<'_>,
    request: &LatticeRequest,
) -> Result<Option<Solution>, Error> {
    let all = view.space().all();
    for height in request.caps.height()..=all.high().height() {
        let found = view.least_at(&all, height, request.limit)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The fewest levels beyond the maximum in total, then height, then suppression.
fn closest(view: &mut View<'_>, request: &LatticeRequest) -> Result<Option<Solution>, Error> {
    let top = view.space().top();
    let room = Scheme::new(
        top.levels().iter().zip(request.caps.levels()).map(|(&t, &c)| u8::from(t) - u8::from(c)),
    );
    let excesses = haggle_model::Space::new(room).all();
    for beyond in excesses.heights().skip(1) {
        let mut best: Option<Solution> = None;
        for excess in excesses.at_height(beyond) {
            if !view.may_continue() {
                return Ok(best);
            }
            let found = view.lowest(&exceeding(view, request, &excess), request.limit)?;
            best = best.into_iter().chain(found).min_by(Solution::order);
        }
        if best.is_some() {
            return Ok(best);
        }
    }
    Ok(None)
}

/// Returns the schemes that exceed the maximum levels by exactly these levels in each attribute.
fn exceeding(view: &View<'_>, request: &LatticeRequest, excess: &Scheme) -> Sublattice {
    let part = view.space().under(&request.caps);
    let climbs = excess.levels().iter().enumerate().filter(|(_, by)| by.index() > 0);
    climbs.fold(part, |part, (i, &by)| {
        let level = u8::from(request.caps.level(i)) + u8::from(by);
        part.fixed(i, Level::from(level))
    })
}

/// Returns the attributes that, left out, make the rest feasible, best answer first.
fn attribute(
    view: &mut View<'_>,
    request: &LatticeRequest,
    part: &Sublattice,
) -> Result<Vec<(usize, Solution)>, Error> {
    let mut found = Vec::new();
    for (i, &top) in view.space().top().levels().iter().enumerate() {
        if request.caps.level(i) < top && view.may_continue() {
            let without = view.lowest(&part.fixed(i, top), request.limit)?;
            found.extend(without.map(|solution| (i, solution)));
        }
    }
    found.sort_by(|(_, one), (_, other)| one.order(other));
    Ok(found)
}

//! Requests on a table: names and percentages become what the search works with.

use haggle_api::{Amount, Ask, Levels};
use haggle_cube::Cube;
use haggle_model::{Error, Scheme};
use haggle_search::{LatticeRequest, Negotiable, Requirement};

use crate::criteria::start::not_below_start;
use crate::lattice::tables::Judged;

/// Returns the request on the lattice that carries its privacy.
pub fn request_of(ask: &Ask, judged: &Judged) -> Result<LatticeRequest, Error> {
    let (requirements, negotiable) = (judged.requirements.clone(), judged.negotiable.clone());
    request_on(ask, judged.lattice.cube(), requirements, negotiable)
}

/// Returns the request on any lattice of a cube, given the columns of what is required.
pub fn request_on(
    ask: &Ask,
    cube: &Cube,
    requirements: Vec<Requirement>,
    negotiable: Vec<Negotiable>,
) -> Result<LatticeRequest, Error> {
    if ask.top == Some(0) || (ask.top.is_some() && ask.optimize.is_none()) {
        let what = "'top' is the number of best schemes by a measure";
        return Err(Error::new(what, "state the measure as 'optimize', and at least 1"));
    }
    Ok(LatticeRequest {
        requirements,
        negotiable,
        caps: maximum_levels(ask, cube)?,
        limit: ask.max_suppressed.unwrap_or(Amount::ZERO).of(cube.records()),
        height: ask.relax_height.unwrap_or_default().into(),
    })
}

/// Returns the highest scheme that a request allows.
pub(crate) fn maximum_levels(ask: &Ask, cube: &Cube) -> Result<Scheme, Error> {
    let space = cube.space();
    let under = |levels: &Levels| {
        let names: Vec<_> = cube.attributes().iter().map(|a| a.name.as_str()).collect();
        levels.under(space.top(), &names)
    };
    let caps = ask.levels.as_ref().map_or_else(|| Ok(space.top().clone()), under)?;
    not_below_start(cube, &caps)?;
    Ok(caps)
}

#[cfg(test)]
#[path = "../../tests/unit/resolve.rs"]
mod tests;

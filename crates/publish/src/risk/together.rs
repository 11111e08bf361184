//! What a publication and the recorded earlier ones of the table reveal together.

use haggle_api::risk::Together;
use haggle_api::{Ask, Privacy};
use haggle_cube::{Applied, Base};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use haggle_inference::attacks::{Promise, in_common, parts_of_rows};
use haggle_model::{Error, QuasiIdentifier, Recoding, Region, Scheme, Span};

use super::promise::Thresholds;
use crate::publications::PublicationRecord;

/// An earlier publication on the present table: its recoding, and which parts were published.
pub(super) type Applications = Vec<(Applied, Vec<bool>)>;

/// Applies earlier publications to the present table; the number of those that cannot be.
///
/// Records that were added since are taken to have been published, so that what is found is an
/// upper bound.
pub(super) fn applied(
    engine: &Engine,
    base: &Base,
    earlier: &[Option<PublicationRecord>],
) -> (Applications, u64) {
    let apply =
        |record: &Option<PublicationRecord>| apply(engine, base, record.as_ref()?).ok().flatten();
    let found: Vec<Option<(Applied, Vec<bool>)>> = earlier.iter().map(apply).collect();
    let unchecked = found.iter().filter(|one| one.is_none()).count() as u64;
    (found.into_iter().flatten().collect(), unchecked)
}

/// Applies an earlier publication to a table; none if it is of other quasi-identifiers.
pub(super) fn apply(
    engine: &Engine,
    base: &Base,
    record: &PublicationRecord,
) -> Result<Option<(Applied, Vec<bool>)>, Error> {
    // Which sensitive value belongs to which record of a group is not published there.
    if record.anatomy {
        return Ok(None);
    }
    let attributes = engine.cube().attributes();
    let Some(recoding) = in_order(attributes, record) else { return Ok(None) };
    let applied = Applied::of(attributes, base, &recoding)?;
    let privacy: Vec<Privacy> =
        record.promises.iter().map(|words| words.parse()).collect::<Result<_, _>>()?;
    let criteria = engine.criteria(&Ask { privacy, ..Ask::default() })?;
    let promise = Thresholds { criteria: &criteria, base, watched: 0 };
    let kept = (0..applied.len()).map(|part| promise.holds(applied.rows(part))).collect();
    Ok(Some((applied, kept)))
}

/// The recoding over these attributes in their order; those that it does not have are fully
/// generalized. None if it has others, or is not given by value sets.
fn in_order(attributes: &[QuasiIdentifier], record: &PublicationRecord) -> Option<Recoding> {
    let names = &record.quasi_identifiers;
    if !names.iter().all(|name| attributes.iter().any(|a| a.name == *name)) {
        return None;
    }
    let places: Vec<Option<usize>> =
        attributes.iter().map(|a| names.iter().position(|name| *name == a.name)).collect();
    let whole = |a: &QuasiIdentifier| Span::of(&Region::whole(&a.hierarchy), &a.hierarchy);
    let with_places = || places.iter().zip(attributes);
    match &record.recoding {
        Recoding::Levels { scheme } => {
            let level = |(place, a): (&Option<usize>, &QuasiIdentifier)| {
                place.map_or(a.hierarchy.top(), |place| scheme.level(place).min(a.hierarchy.top()))
            };
            let levels: Vec<u8> = with_places().map(level).map(u8::from).collect();
            Some(Recoding::levels(Scheme::new(levels)))
        }
        Recoding::Cuts { cuts } => {
            let cut = |(place, a): (&Option<usize>, &QuasiIdentifier)| {
                place.map_or_else(|| vec![whole(a)], |place| cuts[place].clone())
            };
            Some(Recoding::Cuts { cuts: with_places().map(cut).collect() })
        }
        Recoding::Boxes { boxes } => {
            let side = |sides: &Vec<Span>| {
                let side = |(place, a): (&Option<usize>, &QuasiIdentifier)| {
                    place.map_or_else(|| whole(a), |place| sides[place].clone())
                };
                with_places().map(side).collect()
            };
            Some(Recoding::Boxes { boxes: boxes.iter().map(side).collect() })
        }
        // Which of several records with the same recorded values kept which cells is not recorded.
        Recoding::Parts { .. } | Recoding::Cells { .. } => None,
    }
}

/// Counts the records of a publication that fall below its promise once earlier publications are
/// intersected with it; none if there are none.
pub(crate) fn together(
    engine: &Engine,
    recoded: &Recoded<'_>,
    kept: impl Fn(&[u32]) -> bool,
    criteria: &[Criterion],
    earlier: &[Option<PublicationRecord>],
) -> Option<Together> {
    if earlier.is_empty() {
        return None;
    }
    let (base, present) = recoded.to_applied();
    let (earlier, unchecked) = applied(engine, &base, earlier);
    let places = |(applied, kept): &(Applied, Vec<bool>)| parts_of_rows(applied, kept, base.len());
    let kept: Vec<bool> = (0..present.len()).map(|part| kept(present.codes(part))).collect();
    let mut publications = vec![parts_of_rows(&present, &kept, base.len())];
    publications.extend(earlier.iter().map(places));
    let common = in_common(&publications);
    let promise = Thresholds { criteria, base: &base, watched: 0 };
    let records = |rows: &Vec<u32>| rows.iter().map(|&row| base.records(row as usize)).sum::<u64>();
    let below = common.values().filter(|rows| !promise.holds(rows)).map(records).sum();
    Some(Together { checked: earlier.len() as u64, unchecked, below })
}

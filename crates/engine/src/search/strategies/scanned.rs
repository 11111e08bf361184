//! Mondrian where the data is: strict median splits, each level counted in one scan.

use std::cell::Cell;
use std::time::Instant;

use haggle_cube::{Base, BoxEnds, BoxSource};
use haggle_model::{CancelOnly, Error};
use haggle_search::strategies::{LossUse, ScannedBoxes, StrategyEntry, mondrian_over};

use super::boxes::{SplitBox, data, passing, recoded_boxes, watched};
use crate::Engine;
use crate::answer::resolve::request_on;
use crate::search::strategies::{FoundRecoding, Own, Search, Searched};

/// The part of the memory in which places to split are counted.
const FOR_PLACES: usize = 4;

const PLACE_BYTES: usize = 256;
const VALUE_BYTES: usize = 64;

/// Mondrian without counted groups.
pub(crate) const MONDRIAN_SCANNED: Own = Own {
    about: StrategyEntry {
        id: "mondrian-scanned",
        title: "Mondrian in the data",
        recoding: "boxes",
        definition: "Splits boxes as mondrian-median does, without counted groups: each level of splits is counted in one scan of the data, in the files or in the database.",
        finds: "some boxes, by greedy splits; the same as mondrian-median",
        citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006; as a database implementation to compare M-INSTANT with: M. E. Nergiz, A. Tamersoy, Y. Saygin: Instant anonymization. ACM TODS 36(1), 2011, section 7.3",
        needs: "nothing; with the option `tight=true` the ends of boxes are their smallest and largest recorded values, for research. Without the data at hand, the groups of the lattice are counted instead",
        loss: LossUse::Nothing,
    },
    weighs: false,
    options: &["tight"],
    run: |engine, search, chosen| scanned(engine, search, chosen.options.box_ends()),
};

fn scanned<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    ends: BoxEnds,
) -> Result<Searched<'e>, Error> {
    let base = Base::of(engine.cube());
    let request = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?;
    let watched = watched(search.criteria);
    let reading = CancelOnly(search.progress);
    let (mut data, note) = data::data(engine, &base, &watched, &reading)?;
    let passes = passing(search.criteria, &watched);
    let attributes = engine.cube().attributes();
    // Another scan takes about as long as the last one.
    let (last, stopped) = (Cell::new(Instant::now()), Cell::new(false));
    let may_go_on = || {
        let has_time = search.has_time_for(last.replace(Instant::now()).elapsed());
        stopped.set(!has_time);
        has_time
    };
    let places = engine.memory() / FOR_PLACES / place_bytes(engine, &watched);
    let found: Result<ScannedBoxes, Error> =
        mondrian_over(&mut data, attributes, &request.caps, places, &passes, &may_go_on);
    let ScannedBoxes { boxes, evaluated } = found?;
    data::check_unchanged(engine, &data, engine.records())?;
    let scans = note.is_none().then(|| data.scans());
    drop(data);
    let boxes = boxes.into_iter().map(|one| SplitBox { sides: one.sides, tight: one.tight });
    let recoded = recoded_boxes(engine, search, base, boxes.collect(), ends)?;
    let failing = recoded.failing(search.criteria).records;
    if failing > request.limit || failing == engine.records() {
        return Ok(Searched::Nothing { evaluated });
    }
    let (proven, stopped) = (false, stopped.get());
    let found = FoundRecoding { recoded, evaluated, scans, note, proven, stopped };
    Ok(Searched::Found(found.into()))
}

/// What is counted of a place takes about this many bytes, for all threads and their sum.
fn place_bytes(engine: &Engine, watched: &[usize]) -> usize {
    let values = |&position: &usize| engine.cube().watched()[position].values.len();
    PLACE_BYTES + VALUE_BYTES * watched.iter().map(values).sum::<usize>()
}

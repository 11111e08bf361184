//! Mondrian where the data is: strict median splits, each level counted in one scan.

use haggle_cube::{Base, BoxEnds, BoxSource};
use haggle_model::{CancelOnly, Error};
use haggle_search::strategies::{LossUse, ScannedBoxes, StrategyEntry, mondrian_over};

use super::boxes::{SplitBox, data, passing, recoded_boxes, watched};
use crate::Engine;
use crate::resolve::request_on;
use crate::strategies::{FoundRecoding, Own, Search, Searched};

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
    let may_go_on = || search.may_go_on();
    let found: Result<ScannedBoxes, Error> =
        mondrian_over(&mut data, attributes, &request.caps, &passes, &may_go_on);
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
    let (proven, stopped) = (false, false);
    let found = FoundRecoding { recoded, evaluated, scans, note, proven, stopped };
    Ok(Searched::Found(found.into()))
}

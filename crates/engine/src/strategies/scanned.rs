//! Mondrian where the data is: strict median splits, each level counted in one scan.

use haggle_cube::{Applied, Base, BoxIndex, BoxSource};
use haggle_model::{CancelOnly, Error, Recoding, Region};
use haggle_search::strategies::{LossUse, ScannedBox, ScannedBoxes, StrategyEntry, mondrian_over};

use super::boxes::{data, passing, watched};
use crate::Engine;
use crate::recoded::Recoded;
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
        needs: "nothing. Without the data at hand, the groups of the lattice are counted instead",
        loss: LossUse::Nothing,
    },
    weighs: false,
    options: &[],
    run: |engine, search, _| scanned(engine, search),
};

fn scanned<'e>(engine: &'e Engine, search: &Search<'_>) -> Result<Searched<'e>, Error> {
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
    let recoded = recoded(engine, base, &boxes);
    let failing = recoded.failing(search.criteria).records;
    if failing > request.limit || failing == engine.records() {
        return Ok(Searched::Nothing { evaluated });
    }
    let (proven, stopped) = (false, false);
    let found = FoundRecoding { recoded, evaluated, scans, note, proven, stopped };
    Ok(Searched::Found(found.into()))
}

/// Boxes as a recoding, each as tight as its records.
fn recoded<'e>(engine: &'e Engine, base: Base, boxes: &[ScannedBox]) -> Recoded<'e> {
    let attributes = engine.cube().attributes();
    let region = |one: &ScannedBox| -> Vec<Region> {
        let sides = one.tight.iter().zip(attributes);
        sides.map(|(side, a)| Region::around(&a.hierarchy, side.clone())).collect()
    };
    let sides: Vec<Vec<Region>> = boxes.iter().map(region).collect();
    let index = BoxIndex::of(boxes.iter().map(|one| one.sides.as_slice()).collect());
    let applied = Applied::boxes(attributes, &base, |row| {
        &sides[index.find(base.codes(row)).expect("the boxes hold every value")]
    });
    let recoding = Recoding::Boxes { boxes: applied.spans(attributes) };
    Recoded::applied(engine.cube(), base, recoding, applied)
}

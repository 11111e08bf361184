//! M-INSTANT on a table: boxes that a summary predicts, counted where the data is.

use std::ops::Range;

use haggle_api::{Ask, BoxesReport, MeasureSpec};
use haggle_cube::{Base, BoxCount, BoxEnds, BoxIndex, BoxSource, FoundBox, published_boxes};
use haggle_instant::{
    Boxed, Boxing, Goal, PredictionOptions, SummaryKind, m_instant as find_boxes,
};
use haggle_model::{CancelOnly, Error};
use haggle_search::strategies::{LossUse, StrategyEntry};

use crate::Engine;
use crate::answer::resolve::request_on;
use crate::criteria::criterion::Criterion;
use crate::instant::summary_of;
use crate::recoding::recoded::Recoded;
use crate::search::strategies::{FoundRecoding, Own, Search, Searched};

pub(super) mod data;
pub(super) mod summary;

/// No more scans than this.
const SCANS: u64 = 64;

/// The probability above which boxes are split, by default.
const THRESHOLD: f64 = 0.8;

/// The summary that predicts, by default.
const SUMMARY: &str = "histogram";

/// Boxes from a summary of the data.
pub(crate) const M_INSTANT: Own = Own {
    about: StrategyEntry {
        id: "m-instant",
        title: "M-INSTANT",
        recoding: "boxes",
        definition: "Splits boxes by what a summary of the data predicts, counts them in one scan of the data, merges those that fail with their siblings and splits the large ones, one scan for each round.",
        finds: "some boxes, in few scans",
        citation: "M. E. Nergiz, A. Tamersoy, Y. Saygin: Instant anonymization. ACM TODS 36(1), 2011",
        needs: "nothing; it predicts by k-anonymity or frequency l-diversity, else that nobody is alone, and what is found keeps all that is asked. Another summary than histograms can be named: `m-instant:summary=bayes` (or `histogram`, `bayes-greedy`, `sample`, `pg`), and the probability above which boxes are split: `m-instant:threshold=0.95` (0.8 by default). With the option `tight=true` the ends of boxes are recorded values, for research. Without the data at hand, the groups of the lattice are counted instead",
        loss: LossUse::Nothing,
    },
    weighs: false,
    options: &["summary", "threshold", "tight"],
    run: |engine, search, chosen| {
        let kind = chosen.options.summary.map_or_else(|| summary_of(SUMMARY), Ok)?;
        let threshold = chosen.options.threshold.unwrap_or(THRESHOLD);
        m_instant(engine, search, kind, threshold, chosen.options.box_ends())
    },
};

/// M-INSTANT with a summary and a threshold of one's own.
pub(crate) fn instant_boxes(
    engine: &Engine,
    ask: &Ask,
    summary: &str,
    threshold: f64,
) -> Result<BoxesReport, Error> {
    let ask = ask.or(engine.defaults());
    let criteria = engine.criteria(&ask)?;
    let spec = MeasureSpec::plain();
    let search =
        Search { ask: &ask, criteria: &criteria, spec: &spec, progress: &haggle_model::Silent };
    let FoundBoxes { boxed, recoded, scans, .. } =
        boxed(engine, &search, summary_of(summary)?, threshold, BoxEnds::default())?;
    let failing = recoded.failing(&criteria);
    let resolved = engine.resolve_measure(&spec)?;
    Ok(BoxesReport {
        summary: summary.into(),
        boxes: boxed.boxes.len(),
        predicted: boxed.predicted,
        probability: boxed.probability,
        predictions: boxed.predictions,
        merged: boxed.merged,
        split: boxed.split,
        scans,
        suppressed: failing.records,
        lm: recoded.loss(&resolved, &failing).0,
    })
}

/// What M-INSTANT finds for a request.
fn m_instant<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    kind: &SummaryKind,
    threshold: f64,
    ends: BoxEnds,
) -> Result<Searched<'e>, Error> {
    let FoundBoxes { boxed, recoded, scans, note } = boxed(engine, search, kind, threshold, ends)?;
    let failing = recoded.failing(search.criteria).records;
    let limit = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.limit;
    let evaluated = boxed.predictions;
    if failing > limit || failing == engine.records() {
        return Ok(Searched::Nothing { evaluated });
    }
    let (proven, stopped) = (false, false);
    let found = FoundRecoding { recoded, evaluated, scans, note, proven, stopped };
    Ok(Searched::Found(found.into()))
}

fn boxed<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    kind: &SummaryKind,
    threshold: f64,
    ends: BoxEnds,
) -> Result<FoundBoxes<'e>, Error> {
    let base = Base::of(engine.cube());
    let (goal, sensitive) = goal(search.criteria);
    let summary = summary::summary(engine, &base, kind, sensitive, search.progress)?;
    let boxing = Boxing {
        goal,
        threshold,
        how: PredictionOptions::default(),
        most_scans: SCANS,
        progress: search.progress,
    };
    let caps = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.caps;
    let watched = watched(search.criteria);
    let passes = passing(search.criteria, &watched);
    let large = 2 * (goal.threshold().ceil() as u64).max(1);
    let reading = CancelOnly(search.progress);
    let (mut data, note) = data::data(engine, &base, &watched, &reading)?;
    let boxed: Result<Boxed, Error> =
        find_boxes(summary.as_ref(), &mut data, &boxing, &caps, &passes, large);
    let boxed = boxed?;
    data::check_unchanged(engine, &data, boxed.records)?;
    let scans = note.is_none().then(|| data.scans());
    drop(data);
    let split = |sides: &Vec<Range<u32>>| SplitBox { sides: sides.clone(), tight: sides.clone() };
    let split = boxed.boxes.iter().map(split).collect();
    let recoded = recoded_boxes(engine, search, base, split, ends)?;
    Ok(FoundBoxes { boxed, recoded, scans, note })
}

/// Returns whether a counted box meets all criteria, given the watched attributes that were counted.
pub(super) fn passing<'c>(
    criteria: &'c [Criterion],
    watched: &'c [usize],
) -> impl Fn(&BoxCount) -> bool + 'c {
    move |count: &BoxCount| {
        criteria.iter().all(|criterion| {
            let place = criterion.judge().column().watches;
            let place = place.and_then(|w| watched.iter().position(|&other| other == w));
            criterion.passes(&count.group(place.unwrap_or(watched.len())))
        })
    }
}

/// A box that was made by splitting.
pub(super) struct SplitBox {
    /// Its side in each attribute. Together the boxes cover every value.
    pub(super) sides: Vec<Range<u32>>,
    /// Its side in each attribute where ends are recorded values.
    pub(super) tight: Vec<Range<u32>>,
}

/// Returns boxes as a recoding.
pub(super) fn recoded_boxes<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    base: Base,
    boxes: Vec<SplitBox>,
    ends: BoxEnds,
) -> Result<Recoded<'e>, Error> {
    let caps = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.caps;
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); boxes.len()];
    let index = BoxIndex::of(boxes.iter().map(|one| one.sides.as_slice()).collect());
    for row in 0..base.len() {
        let one = index.find(base.codes(row)).expect("the boxes hold every value");
        rows[one].push(row as u32);
    }
    let passes = passing_rows(search.criteria, &base, &rows);
    let found = boxes.into_iter().zip(rows).zip(passes);
    let found: Vec<FoundBox> = found
        .map(|((SplitBox { sides, tight }, rows), passes)| FoundBox { rows, sides, tight, passes })
        .collect();
    let attributes = engine.cube().attributes();
    let (recoding, applied) = published_boxes(attributes, &base, &caps, &found, ends);
    Ok(Recoded::applied(engine.cube(), base, recoding, applied))
}

/// Returns which lists of base groups meet all criteria, each as one group; an empty one does not.
fn passing_rows(criteria: &[Criterion], base: &Base, lists: &[Vec<u32>]) -> Vec<bool> {
    let mut passes: Vec<bool> = lists.iter().map(|rows| !rows.is_empty()).collect();
    for criterion in criteria {
        let mut merger = base.merger(criterion.watches());
        for (passes, rows) in passes.iter_mut().zip(lists).filter(|(passes, _)| **passes) {
            *passes = criterion.passes(&merger.merge(rows.iter().copied()));
        }
    }
    passes
}

/// Boxes, and how they were found.
struct FoundBoxes<'e> {
    boxed: Boxed,
    recoded: Recoded<'e>,
    scans: Option<u64>,
    note: Option<String>,
}

/// The watched attributes that criteria use.
pub(super) fn watched(criteria: &[Criterion]) -> Vec<usize> {
    let mut watched: Vec<usize> =
        criteria.iter().filter_map(|criterion| criterion.judge().column().watches).collect();
    watched.sort_unstable();
    watched.dedup();
    watched
}

/// What boxes are predicted by, and the sensitive attribute that needs: the k or the l asked for, or that a
/// box must have as many records as sensitive values; else that nobody is alone.
pub(super) fn goal(criteria: &[Criterion]) -> (Goal, Option<usize>) {
    let number = |id: &str, name: &str| {
        let found = criteria.iter().find(|criterion| criterion.model.id == id)?;
        Some((*found.arguments.numbers.get(name)?, found.judge().column().watches))
    };
    if let Some((l, watches)) = number("frequency-l-diversity", "l") {
        return (Goal::L(l), watches);
    }
    let sizes = [number("k-anonymity", "k"), number("distinct-l-diversity", "l")];
    let most = sizes.iter().flatten().map(|(n, _)| *n).fold(2.0, f64::max);
    (Goal::K(most.ceil() as u64), None)
}

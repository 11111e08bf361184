//! M-INSTANT on a table: boxes that a summary predicts, held against the counted groups.

use haggle_cube::{Applied, Base, Overview};
use haggle_instant::{
    Basis, BoxCount, BoxSource, Boxed, Boxing, Goal, Groups, How, Summary, find as find_summary,
    m_instant,
};
use haggle_model::{Level, Recoding, Region};
use serde::Serialize;

use crate::criterion::Criterion;
use crate::loss::Judge;
use crate::recoded::Recoded;
use crate::strategies::{Found, Search, Searched};
use crate::{Ask, Engine, Error};

/// So many records are drawn for summaries that need some.
const SAMPLE: u64 = 10_000;
/// No more scans than this.
const SCANS: u64 = 64;
/// The probability above which boxes are split, unless told otherwise.
const THRESHOLD: f64 = 0.8;

/// What M-INSTANT did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoxesReport {
    /// The summary that predicted.
    pub summary: String,
    /// The boxes in the end.
    pub boxes: usize,
    /// The boxes that were predicted to pass.
    pub predicted: usize,
    /// The probability that all of them do.
    pub probability: f64,
    /// How many times one was computed.
    pub predictions: u64,
    /// Merges of boxes that failed.
    pub merged: u64,
    /// Splits of boxes that were large.
    pub split: u64,
    /// The scans that counting took.
    pub scans: u64,
    /// The records suppressed.
    pub suppressed: u64,
    /// What is lost, by LM.
    pub lm: f64,
}

impl Engine {
    /// M-INSTANT with a summary and a threshold of one's own.
    pub fn instant_boxes(
        &self,
        ask: &Ask,
        summary: &str,
        threshold: f64,
    ) -> Result<BoxesReport, Error> {
        let ask = ask.or(self.defaults());
        let criteria = self.criteria(&ask)?;
        let judge = Judge::plain();
        let watch = |_: usize| std::ops::ControlFlow::Continue(());
        let search =
            Search { ask: &ask, criteria: &criteria, judge: &judge, patience: None, watch: &watch };
        let (boxed, recoded) = self.boxed(&search, summary, threshold)?;
        let failing = recoded.failing(&criteria);
        let judging = judge.on(self.cube(), self.facts())?;
        Ok(BoxesReport {
            summary: summary.into(),
            boxes: boxed.boxes.len(),
            predicted: boxed.predicted,
            probability: boxed.probability,
            predictions: boxed.predictions,
            merged: boxed.merged,
            split: boxed.split,
            scans: boxed.scans,
            suppressed: failing.records,
            lm: recoded.loss(&judging, &failing).0,
        })
    }

    /// What M-INSTANT finds for a request, from histograms.
    pub(crate) fn m_instant(&self, search: &Search<'_>) -> Result<Searched<'_>, Error> {
        let (boxed, recoded) = self.boxed(search, "histogram", THRESHOLD)?;
        let failing = recoded.failing(search.criteria).records;
        let limit = search.ask.request_on(self.cube(), Vec::new(), Vec::new())?.limit;
        let evaluated = boxed.predictions;
        if failing > limit || failing == self.records() {
            return Ok(Searched::Nothing { evaluated });
        }
        let scans = Some(boxed.scans);
        Ok(Searched::Found(Found { recoded, evaluated, scans, proven: false }.into()))
    }

    fn boxed(
        &self,
        search: &Search<'_>,
        summary: &str,
        threshold: f64,
    ) -> Result<(Boxed, Recoded<'_>), Error> {
        let base = Base::of(self.cube());
        let (goal, sensitive) = goal(search.criteria);
        let summary = self.summary(&base, summary, sensitive)?;
        let (how, watch) = (How::default(), search.watch);
        let boxing = Boxing { goal, threshold, how, most_scans: SCANS, watch };
        let caps = search.ask.request_on(self.cube(), Vec::new(), Vec::new())?.caps;
        let mut watched: Vec<usize> =
            search.criteria.iter().filter_map(|c| c.judge().column().watches).collect();
        watched.sort_unstable();
        watched.dedup();
        let passes = |count: &BoxCount| {
            search.criteria.iter().all(|criterion| {
                let place = criterion.judge().column().watches;
                let place = place.and_then(|w| watched.iter().position(|&other| other == w));
                criterion.passes(&count.group(place.unwrap_or(watched.len())))
            })
        };
        let large = 2 * (goal.threshold().ceil() as u64).max(1);
        let mut source = Groups::new(&base, watched.clone());
        let boxed = m_instant(summary.as_ref(), &mut source, &boxing, &caps, &passes, large)?;
        debug_assert_eq!(source.scans(), boxed.scans);
        let recoded = self.recoded_boxes(base, &boxed);
        Ok((boxed, recoded))
    }

    /// Boxes as a recoding.
    fn recoded_boxes(&self, base: Base, boxed: &Boxed) -> Recoded<'_> {
        let attributes = self.cube().attributes();
        let region = |(side, a): (&std::ops::Range<u32>, &haggle_model::QuasiIdentifier)| {
            Region::around(&a.hierarchy, side.clone())
        };
        let sides: Vec<Vec<Region>> =
            boxed.boxes.iter().map(|b| b.iter().zip(attributes).map(region).collect()).collect();
        let holds = |i: &usize, row: usize| {
            boxed.boxes[*i].iter().zip(base.codes(row)).all(|(side, code)| side.contains(code))
        };
        let applied = Applied::boxes(attributes, &base, |row| {
            let found = (0..sides.len()).find(|i| holds(i, row));
            &sides[found.expect("the boxes hold every value")]
        });
        let recoding = Recoding::Boxes { boxes: applied.spans(attributes) };
        Recoded::applied(self.cube(), base, recoding, applied)
    }

    /// A summary of the counted groups.
    fn summary(
        &self,
        base: &Base,
        id: &str,
        sensitive: Option<usize>,
    ) -> Result<Box<dyn Summary>, Error> {
        let kind = find_summary(id).ok_or_else(|| {
            Error::new(format!("there is no summary '{id}'"), "choose histogram, bayes or sample")
        })?;
        let cube = self.cube();
        let basis = Basis {
            attributes: cube.attributes().to_vec(),
            sensitive: sensitive.map(|position| cube.watched()[position].clone()),
            overview: Some(self.overview_of(base, sensitive)),
            statistics: None,
        };
        Ok(kind.build(&basis)?)
    }

    /// How often each value occurs, and every so many records one.
    fn overview_of(&self, base: &Base, sensitive: Option<usize>) -> Overview {
        let attributes = self.cube().attributes().iter();
        let mut counts: Vec<Vec<u64>> =
            attributes.map(|a| vec![0; a.hierarchy.len(Level::RECORDED)]).collect();
        counts.extend(sensitive.map(|p| vec![0; self.cube().watched()[p].values.len() + 1]));
        let step = (base.all() / SAMPLE).max(1);
        let (mut sample, mut passed) = (Vec::new(), 0);
        let mut add = |codes: &[u32], records: u64| {
            for (counts, &code) in counts.iter_mut().zip(codes) {
                counts[code as usize] += records;
            }
            let drawn = (passed + records) / step - passed / step;
            (0..drawn).for_each(|_| sample.extend_from_slice(codes));
            passed += records;
        };
        for row in 0..base.len() {
            let Some(position) = sensitive else {
                add(base.codes(row), base.records(row));
                continue;
            };
            let mut known = 0;
            for value in base.values(row, position) {
                add(&[base.codes(row), &[value.code]].concat(), value.count.into());
                known += u64::from(value.count);
            }
            let none = self.cube().watched()[position].values.len() as u32;
            if base.records(row) > known {
                add(&[base.codes(row), &[none]].concat(), base.records(row) - known);
            }
        }
        Overview { records: base.all(), counts, sample }
    }
}

/// What boxes are predicted by, and the sensitive attribute that needs: the k or the l asked for, or that a
/// box must have as many records as sensitive values; else that nobody is alone.
fn goal(criteria: &[Criterion]) -> (Goal, Option<usize>) {
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

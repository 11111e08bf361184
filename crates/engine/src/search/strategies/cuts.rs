//! S-INSTANT over cuts on a table: cuts that a summary predicts, counted where the data is.

use std::ops::Range;

use haggle_cube::{Applied, Base, Counted, Source};
use haggle_data::{Plan, TableSource};
use haggle_instant::{
    CutCandidate, CutPlan, CutPlanning, PredictionOptions, PredictionRule, Pruning, plan_cuts,
};
use haggle_loss::ExpectedFrom;
use haggle_model::{Error, ErrorKind, Progress, QuasiIdentifier, Recoding, Region, Remedy, Scheme};
use haggle_project::survey::plan as columns;
use haggle_search::strategies::{LossUse, StrategyEntry};

use super::boxes::{goal, summary, watched};
use super::options::PromiseBy;
use crate::Engine;
use crate::answer::resolve::request_on;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;
use crate::instant::summary_of;
use crate::recoding::recoded::Recoded;
use crate::search::strategies::{Chosen, FoundRecoding, Own, Search, Searched};

/// No more scans than this.
const SCANS: u64 = 64;
/// No more predictions than this.
const PREDICTIONS: usize = 20_000;
/// The probability that suffices, by default.
const THRESHOLD: f64 = 0.8;

/// Cuts from a summary of the data.
pub(crate) const S_INSTANT: Own = Own {
    about: StrategyEntry {
        id: "s-instant",
        title: "S-INSTANT over cuts",
        recoding: "cuts",
        definition: "Splits values of hierarchies from the top down as long as a summary of the data predicts that every group passes, or that few records do not; then counts the cuts that are expected to lose least, one scan of the data each, until one keeps its promise.",
        finds: "a cut of little loss, in few scans; how far it is from the best one, `k-optimize` shows",
        citation: "M. E. Nergiz, A. Tamersoy, Y. Saygin: Instant anonymization. ACM TODS 36(1), 2011, section 7",
        needs: "a loss that can be expected (see the measures); it predicts by k-anonymity or frequency l-diversity, else that nobody is alone, and what is found keeps all that is asked. Options: `s-instant:threshold=0.95` (the least probability, 0.8 by default), `by=expectation` (then the threshold is the number of records expected in failing groups; by default as many as may be suppressed, or 1), `summary=bayes` (or `histogram`, `bayes-greedy`, `sample`, `pg`); several are separated by commas. Without the data at hand, the groups of the lattice are counted instead",
        loss: LossUse::Measure,
    },
    weighs: false,
    options: &["summary", "threshold", "by"],
    run: s_instant,
};

fn s_instant<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    chosen: &Chosen,
) -> Result<Searched<'e>, Error> {
    let resolved = engine.resolve_measure(search.spec)?;
    if resolved.entry.expected_from == ExpectedFrom::Nothing {
        let known = haggle_loss::expected_from(true).join(", ");
        let what = format!("{} cannot be expected before counting", resolved.entry.id);
        return Err(Error::unsupported(what, format!("minimize one of: {known}")));
    }
    let base = Base::of(engine.cube());
    let found = plan(engine, search, chosen, &resolved, &base)?;
    let evaluated = found.predicted as u64;
    let limit = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.limit;
    let mut data = CutData::new(engine, search, &base)?;
    for candidate in found.candidates.iter().take(SCANS as usize) {
        if data.scans > 0 && search.progress.is_over() {
            break;
        }
        let failing = data.failing(candidate)?;
        if failing > limit || failing == engine.records() {
            continue;
        }
        let (scans, note) = (data.table.is_some().then_some(data.scans), data.note(&found));
        let recoded = recoded(engine, Base::of(engine.cube()), candidate);
        let (proven, stopped) = (false, false);
        let found = FoundRecoding { recoded, evaluated, scans, note, proven, stopped };
        return Ok(Searched::Found(found.into()));
    }
    Ok(Searched::Nothing { evaluated })
}

/// The cuts worth counting.
fn plan(
    engine: &Engine,
    search: &Search<'_>,
    chosen: &Chosen,
    resolved: &ResolvedMeasure,
    base: &Base,
) -> Result<CutPlan, Error> {
    let request = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?;
    let (goal, diverse) = goal(search.criteria);
    let class = resolved.loss.watches();
    if let (Some(diverse), Some(class)) = (diverse, class)
        && diverse != class
    {
        let what = "a summary knows one sensitive attribute, and the loss looks at another one";
        return Err(Error::unsupported(what, "choose another measure"));
    }
    let kind = chosen.options.summary.map_or_else(|| summary_of("histogram"), Ok)?;
    let summary = summary::summary(engine, base, kind, diverse.or(class), search.progress)?;
    let rule = rule(chosen, request.limit);
    let enough = if let PredictionRule::Probability(least) = rule { least } else { THRESHOLD };
    let planning = CutPlanning {
        goal,
        rule,
        how: PredictionOptions { enough, ..PredictionOptions::default() },
        loss: resolved.loss.as_ref(),
        caps: &request.caps,
        may_suppress: request.limit > 0,
        most_predictions: PREDICTIONS,
        progress: search.progress,
    };
    plan_cuts(summary.as_ref(), &planning)
}

/// What must be promised: as stated; else the expectation where records may be suppressed.
fn rule(chosen: &Chosen, limit: u64) -> PredictionRule {
    let allowed = limit.max(1) as f64;
    let threshold = chosen.options.threshold;
    match (chosen.options.by, threshold) {
        (Some(PromiseBy::Expectation), x) => PredictionRule::Expectation(x.unwrap_or(allowed)),
        (None, None) if limit > 0 => PredictionRule::Expectation(allowed),
        (None, Some(x)) if x > 1.0 => PredictionRule::Expectation(x),
        (_, x) => PredictionRule::Probability(x.unwrap_or(THRESHOLD)),
    }
}

/// Where cuts are counted: in the table itself, or in the groups of its lattice if that is all
/// there is.
struct CutData<'a> {
    engine: &'a Engine,
    criteria: &'a [Criterion],
    progress: &'a dyn Progress,
    base: &'a Base,
    /// The watched attributes that criteria use.
    watched: Vec<usize>,
    table: Option<(haggle_data::Table, Plan)>,
    scans: u64,
}

impl<'a> CutData<'a> {
    fn new(engine: &'a Engine, search: &'a Search<'_>, base: &'a Base) -> Result<Self, Error> {
        let watched = watched(search.criteria);
        let at_hand = engine.project().filter(|_| engine.changed_since().is_none());
        let table = at_hand.map(|project| {
            let table = project.table(search.progress)?;
            let names: Vec<String> = engine.attributes().into_iter().map(String::from).collect();
            let all = columns(project, &table, &names)?;
            let watched = watched.iter().map(|&position| all.watched[position]).collect();
            Ok::<_, Error>((table, Plan { watched, ..all }))
        });
        let table = table.transpose()?;
        let Search { criteria, progress, .. } = *search;
        Ok(Self { engine, criteria, progress, base, watched, table, scans: 0 })
    }

    /// The records in groups of a cut that fail, counted in one scan.
    fn failing(&mut self, candidate: &CutCandidate) -> Result<u64, Error> {
        self.scans += 1;
        let Some((table, plan)) = &self.table else {
            let base = Base::of(self.engine.cube());
            return Ok(recoded(self.engine, base, candidate).failing(self.criteria).records);
        };
        let attributes = self.engine.cube().attributes();
        let cuts = attributes.iter().zip(&candidate.cuts);
        let parts: Vec<QuasiIdentifier> = cuts.map(|(a, cut)| in_parts(a, cut)).collect();
        let scheme = Scheme::new(parts.iter().map(|_| 1));
        let memory = self.engine.memory();
        let mut source = TableSource::new(table.clone(), plan.clone(), parts, memory);
        let counted = source.count(&scheme, self.progress)?;
        if counted.records() != self.base.all() {
            let what = "the data changed since it was counted";
            return Err(Error::of_kind(ErrorKind::DataChanged, what, Remedy::StartAgain));
        }
        Ok(self.failing_groups(&counted))
    }

    fn failing_groups(&self, counted: &Counted) -> u64 {
        let mut groups: Vec<(u64, bool)> = Vec::new();
        for criterion in self.criteria {
            let place = criterion.judge().column().watches;
            let place = place.and_then(|w| self.watched.iter().position(|&other| other == w));
            let mut position = 0;
            counted.for_each_group(place.unwrap_or(0), |_, group| {
                groups.resize(groups.len().max(position + 1), (0, false));
                groups[position].0 = group.records;
                groups[position].1 |= !criterion.passes(group);
                position += 1;
            });
        }
        groups.iter().filter(|(_, fails)| *fails).map(|(records, _)| records).sum()
    }

    fn note(&self, plan: &CutPlan) -> Option<String> {
        let uncounted = self.table.is_none().then_some(
            "only the lattice's groups are at hand: cuts were counted in them, and nothing was scanned",
        );
        let stopped = (!plan.complete).then_some("not every cut was predicted");
        let heuristic = (plan.pruning == Pruning::Heuristic)
            .then_some("a better cut may lie below one that was left out");
        let notes: Vec<&str> = [uncounted, stopped, heuristic].into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

/// An attribute whose next level is a cut.
fn in_parts(attribute: &QuasiIdentifier, cut: &[Range<u32>]) -> QuasiIdentifier {
    QuasiIdentifier { name: attribute.name.clone(), hierarchy: attribute.hierarchy.in_parts(cut) }
}

/// A cut as a recoding.
fn recoded<'e>(engine: &'e Engine, base: Base, candidate: &CutCandidate) -> Recoded<'e> {
    let attributes = engine.cube().attributes();
    let region = |(a, cut): (&QuasiIdentifier, &Vec<Range<u32>>)| -> Vec<Region> {
        cut.iter().map(|leaves| Region::new(&a.hierarchy, leaves.clone())).collect()
    };
    let cuts = attributes.iter().zip(&candidate.cuts).map(region).collect();
    let applied = Applied::cuts(attributes, &base, cuts);
    let recoding = Recoding::Cuts { cuts: applied.cut_spans(attributes) };
    Recoded::applied(engine.cube(), base, recoding, applied)
}

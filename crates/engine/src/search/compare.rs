//! All strategies on one request, side by side: what each finds, what it loses, what it took.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use haggle_api::{Ask, ComparedStrategy, Comparison, MeasureSpec};
use haggle_cube::{Base, Group, ValueCount};
use haggle_model::{CancelOnly, Error, ErrorKind, Progress, Recoder, Share, WithDeadline};

use crate::Engine;
use crate::answer::resolve::request_on;
use crate::answer::thresholds::in_full;
use crate::criteria::criterion::Criterion;
use crate::criteria::failing::Failing;
use crate::criteria::judging::ResolvedMeasure;
use crate::recoding::recoded::Recoded;
use crate::recoding::results::{KeptResult, ResultKey};
use crate::search::strategies::{
    Chosen, FoundRecoding, Search, Searched, prepare_search, search as search_by, strategies,
};

/// What was found may take this part of the memory, to be published later.
const ROOM: usize = 8;

/// How to compare.
pub struct CompareOptions<'a> {
    /// The measures to report; strategies minimize the first.
    pub measures: Vec<MeasureSpec>,
    /// The strategies; all if none is named. A summary can be chosen for one that predicts:
    /// `m-instant:summary=bayes`.
    pub strategies: Vec<String>,
    /// How long each strategy may search; until it is done if there is no limit.
    pub time_limit: Option<Duration>,
    /// Receives progress.
    pub progress: &'a dyn Progress,
}

/// Every strategy on the same request.
pub(crate) fn compare(
    engine: &Engine,
    ask: &Ask,
    options: &CompareOptions<'_>,
) -> Result<Comparison, Error> {
    Ask::refuse(&[("relax_height", ask.relax_height.is_some()), ("top", ask.top.is_some())])?;
    let ask = ask.or(engine.defaults());
    let criteria = engine.criteria(&ask)?;
    let request = request_on(&ask, engine.cube(), Vec::new(), Vec::new())?;
    let specs = match options.measures.as_slice() {
        [] => usual_measures(engine, &ask),
        given => given.to_vec(),
    };
    let resolved: Vec<ResolvedMeasure> =
        specs.iter().map(|spec| engine.resolve_measure(spec)).collect::<Result<_, _>>()?;
    let chosen: Vec<Chosen> = match options.strategies.as_slice() {
        [] => strategies().iter().map(|about| Chosen::parse(about.id)).collect::<Result<_, _>>(),
        named => named.iter().map(|typed| Chosen::parse(typed)).collect(),
    }?;
    let progress = options.progress;
    let search =
        Search { ask: &ask, criteria: &criteria, spec: &specs[0], progress: &CancelOnly(progress) };
    let measured: Vec<(&MeasureSpec, &ResolvedMeasure)> = specs.iter().zip(&resolved).collect();
    let (mut found, count) = (Vec::new(), chosen.len() as u64);
    for (done, chosen) in chosen.iter().enumerate() {
        let begin = || {
            progress.start(&format!("comparing ({})", chosen.id()), count);
            progress.advance(done as u64);
        };
        begin();
        let start = Instant::now();
        let searched = prepare_search(engine, chosen, &search, progress).and_then(|()| {
            begin();
            let within = WithDeadline::after(search.progress, options.time_limit);
            search_by(engine, chosen, &Search { progress: &within, ..search })
        });
        let micros = start.elapsed().as_micros() as u64;
        found.push(report(engine, chosen, micros, searched, &search, &measured)?);
        progress.finish();
    }
    Ok(Comparison {
        records: engine.records(),
        limit: request.limit,
        asked: in_full(engine, &ask, &criteria, &request),
        account: engine.account(),
        measures: specs.iter().map(ToString::to_string).collect(),
        strategies: found,
    })
}

/// The measure that is asked for or LM, and some that see other things.
fn usual_measures(engine: &Engine, ask: &Ask) -> Vec<MeasureSpec> {
    let first = ask.optimize.clone().unwrap_or_else(MeasureSpec::plain);
    let mut usual = vec![first];
    let class = (!engine.facts().is_empty()).then_some("classification");
    for id in
        ["lm", "discernibility", "average-class-size", "kl-divergence"].into_iter().chain(class)
    {
        if usual.iter().all(|spec| spec.measure != id) {
            let on = engine.facts().first().filter(|_| id == "classification");
            let on = on.map(|facts| facts.target.name.clone());
            usual.push(MeasureSpec { measure: id.into(), on, ..MeasureSpec::default() });
        }
    }
    usual
}

/// Reports the outcome of a strategy. What it cannot do, and how it failed, is reported, and the
/// others continue.
fn report(
    engine: &Engine,
    chosen: &Chosen,
    micros: u64,
    searched: Result<Searched<'_>, Error>,
    search: &Search<'_>,
    specs: &[(&MeasureSpec, &ResolvedMeasure)],
) -> Result<ComparedStrategy, Error> {
    let outline = ComparedStrategy {
        strategy: chosen.id(),
        title: chosen.title(),
        recoding: chosen.about().recoding,
        found: None,
        scheme: None,
        result: None,
        reason: None,
        error: None,
        loss: BTreeMap::new(),
        suppressed: None,
        groups: None,
        evaluated: 0,
        scans: None,
        note: None,
        proven: false,
        stopped: false,
        verified: false,
        micros,
    };
    let reported = match searched {
        Ok(Searched::Found(found)) => judge_found(engine, &found, search, specs, &outline),
        Ok(Searched::Nothing { evaluated }) => {
            let reason = Some("nothing within the request".into());
            Ok(ComparedStrategy { reason, evaluated, ..outline.clone() })
        }
        Ok(Searched::GaveUp { evaluated }) => {
            let reason = Some("time ran out".into());
            Ok(ComparedStrategy { reason, evaluated, stopped: true, ..outline.clone() })
        }
        Err(error) => Err(error),
    };
    match reported {
        Err(error) if error.is_cancelled() => Err(error),
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            Ok(ComparedStrategy { reason: Some(error.in_one_line()), ..outline })
        }
        Err(error) if error.kind() == ErrorKind::OutOfMemory => {
            let problem = error.into_problems().into_iter().next();
            Ok(ComparedStrategy { reason: problem.map(|problem| problem.what), ..outline })
        }
        Err(error) => Ok(ComparedStrategy { error: Some(error.to_string()), ..outline }),
        reported => reported,
    }
}

fn judge_found(
    engine: &Engine,
    found: &FoundRecoding<'_>,
    search: &Search<'_>,
    specs: &[(&MeasureSpec, &ResolvedMeasure)],
    outline: &ComparedStrategy,
) -> Result<ComparedStrategy, Error> {
    let criteria = search.criteria;
    let FoundRecoding { recoded, evaluated, scans, note, proven, stopped } = found;
    let failing = recoded.failing(criteria);
    let mut groups = 0;
    recoded.for_each_group(0, |codes, _| {
        groups += u64::from(!failing.groups.contains(codes));
    });
    let verified = is_kept(engine, recoded, &failing, criteria);
    let result = verified.then(|| recoded.name());
    if let Some(name) = &result {
        let caps = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.caps;
        let key = ResultKey { strategy: outline.strategy.clone(), caps, name: name.clone() };
        let kept = KeptResult { recoding: recoded.kept(), stopped: *stopped };
        engine.results().keep(key, kept, engine.memory() / ROOM);
    }
    let losses = specs.iter();
    let losses = losses.map(|(spec, j)| (spec.to_string(), recoded.loss(j, &failing).0));
    Ok(ComparedStrategy {
        found: Some(recoded.in_short()),
        scheme: recoded.levels().cloned(),
        result,
        loss: losses.collect(),
        suppressed: Some(failing.records),
        groups: Some(groups),
        evaluated: *evaluated,
        scans: *scans,
        note: note.clone(),
        proven: *proven,
        stopped: *stopped,
        verified,
        ..outline.clone()
    })
}

/// Whether the promise holds by what records look like once they are recoded, from nothing else.
fn is_kept(
    engine: &Engine,
    recoded: &Recoded<'_>,
    failing: &Failing,
    criteria: &[Criterion],
) -> bool {
    let base = Base::of(engine.cube());
    let by = recoded.recoder();
    if let Some(shares) = by.shares() {
        return are_shares_kept(engine, &base, shares, &by, failing, criteria);
    }
    let mut codes = vec![0; base.attributes()];
    let mut looks: BTreeMap<Vec<&str>, Vec<u32>> = BTreeMap::new();
    let mut suppressed = 0;
    for row in 0..base.len() {
        if !by.recode(base.codes(row), &mut codes) {
            return false;
        }
        if failing.groups.contains(codes.as_slice()) {
            suppressed += base.records(row);
            continue;
        }
        let look = codes.iter().enumerate().map(|(i, &code)| by.label(i, code));
        looks.entry(look.collect()).or_default().push(row as u32);
    }
    let passes = |criterion: &Criterion| {
        let mut merger = base.merger(criterion.watches());
        looks.values().all(|rows| {
            let group: Group<'_> = merger.merge(rows.iter().copied());
            criterion.passes(&group)
        })
    };
    suppressed == failing.records && criteria.iter().all(passes)
}

/// Whether the promise holds where records with the same recorded values may be published
/// differently.
fn are_shares_kept<'s>(
    engine: &Engine,
    base: &Base,
    shares: impl Iterator<Item = (&'s [u32], &'s [Share])>,
    by: &Recoder<'_>,
    failing: &Failing,
    criteria: &[Criterion],
) -> bool {
    let mut looks: BTreeMap<Vec<&str>, (u64, BTreeMap<u32, u64>)> = BTreeMap::new();
    let mut counted: BTreeMap<(&[u32], Option<u32>), u64> = BTreeMap::new();
    let mut suppressed = 0;
    for (recorded, share) in shares.flat_map(|(r, list)| list.iter().map(move |s| (r, s))) {
        *counted.entry((recorded, share.value)).or_default() += share.records;
        if failing.groups.contains(&share.published) {
            suppressed += share.records;
            continue;
        }
        let look = share.published.iter().enumerate().map(|(i, &code)| by.label(i, code));
        let (records, values) = looks.entry(look.collect()).or_default();
        *records += share.records;
        if let Some(value) = share.value {
            *values.entry(value).or_default() += share.records;
        }
    }
    let passes = |criterion: &Criterion| {
        looks.values().all(|(records, values)| {
            let count = |(&code, &count): (&u32, &u64)| ValueCount { code, count };
            let values: Vec<ValueCount> = values.iter().map(count).collect();
            criterion.passes(&Group { records: *records, values: &values })
        })
    };
    let all: u64 = counted.values().sum();
    let is_counted = |row: usize| {
        let known = base.values(row, 0).iter().map(|value| (Some(value.code), value.count));
        let without = base.records(row) - known.clone().map(|(_, count)| count).sum::<u64>();
        let mut pieces = known.chain([(None, without)]).filter(|(_, count)| *count > 0);
        pieces.all(|(value, count)| counted.get(&(base.codes(row), value)) == Some(&count))
    };
    all == engine.records()
        && (0..base.len()).all(is_counted)
        && suppressed == failing.records
        && criteria.iter().all(passes)
}

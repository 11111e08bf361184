//! Many queries at once: on one scheme, and on every scheme of the lattice.

use std::collections::BTreeMap;
use std::path::Path;

use haggle_api::{
    Ask, ErrorSummary, MeasureSpec, QueryAsk, QueryDomain, WorkloadErrors, WorkloadOfScheme,
    WorkloadOverSchemes, WorkloadReport,
};
use haggle_cube::query::{Condition, Independent};
use haggle_cube::{Applied, Base, Cube, rounded};
use haggle_inference::query::{GroundDistance, errors};
use haggle_inference::workload;
use haggle_inference::{
    JointCounts, Knowledge, PublishedGroups, Query, QueryOutcome, QueryTally, Reader,
};
use haggle_model::{Error, ErrorKind, Progress, Remedy, Scheme};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{QueriedPublication, answers, counts_with, published, with_recorded_values};
use crate::examined::criteria;
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::failing_groups;

/// The bytes of a scheme and of what is reported of it, without its levels.
const SCHEME_BYTES: usize = 256;

/// The name of an answer in reports, and where an outcome has it.
type NamedAnswer = (&'static str, fn(&QueryOutcome) -> &QueryTally);

/// The ways of answering.
const ANSWERS: [NamedAnswer; 3] = [
    ("non_corrected", |outcome| &outcome.non_corrected),
    ("corrected", |outcome| &outcome.corrected),
    ("independently_corrected", |outcome| &outcome.independently_corrected),
];

/// Answers many queries on a scheme, and summarizes their errors.
pub fn workload(
    engine: &Engine,
    publication: &QueriedPublication,
    queries: &[Query],
    progress: &dyn Progress,
) -> Result<WorkloadReport, Error> {
    let columns = answers::columns(&queries.iter().collect::<Vec<_>>(), None);
    workload_on(
        engine,
        &columns,
        queries,
        |joint| published(engine, publication, joint, progress),
        progress,
    )
}

/// Answers many queries on a publication, and summarizes their errors. `columns` are those that the
/// queries name, `groups` the publication on the counts of these columns.
pub fn workload_on<G>(
    engine: &Engine,
    columns: &[&str],
    queries: &[Query],
    groups: G,
    progress: &dyn Progress,
) -> Result<WorkloadReport, Error>
where
    G: for<'j> FnOnce(&'j JointCounts) -> Result<PublishedGroups<'j>, Error>,
{
    let counts = counts_with(engine, columns, progress)?;
    let with_values = |query: &Query| with_recorded_values(query.clone(), &counts);
    let queries: Vec<Query> = queries.iter().map(with_values).collect();
    let groups = groups(&counts.joint)?;
    let knowledge = Knowledge::Table(&counts.joint);
    let reader = Reader::new(&groups, knowledge, answers::domain(QueryDomain::default()));
    let outcomes: Vec<QueryOutcome> =
        queries.par_iter().map(|query| reader.answer(query)).collect::<Result<_, _>>()?;
    let mut by_answer = BTreeMap::new();
    for (name, answer) in ANSWERS {
        let (mut counts, mut distances) = (Vec::new(), Vec::new());
        for (query, outcome) in queries.iter().zip(&outcomes) {
            let named =
                |v: &&haggle_cube::query::Variable<'_>| Some(v.name()) == query.target.as_deref();
            let target = reader.variables().iter().find(named);
            let truth = outcome.truth.as_ref();
            let target = target.map(|variable| (variable, &GroundDistance::Equal));
            if let Some(found) = truth.and_then(|truth| errors(answer(outcome), truth, target)) {
                counts.push(found.relative_count);
                distances.extend(found.total_variation);
            }
        }
        let summary = summary(counts).ok_or_else(no_truth)?;
        let total_variation = self::summary(distances);
        by_answer
            .insert(name.to_owned(), WorkloadErrors { relative_count: summary, total_variation });
    }
    let is_empty = |outcome: &&QueryOutcome| outcome.truth.as_ref().is_some_and(|t| t.total == 0.0);
    Ok(WorkloadReport {
        queries: queries.len() as u64,
        empty_truth: outcomes.iter().filter(is_empty).count() as u64,
        basis: answers::basis(&reader, &groups, knowledge, QueryDomain::default(), counts.scans),
        errors: by_answer,
    })
}

fn summary(errors: Vec<f64>) -> Option<ErrorSummary> {
    let workload::ErrorSummary { mean, median, percentile_95 } =
        workload::ErrorSummary::of(errors)?;
    Some(ErrorSummary { mean, median, percentile_95 })
}

fn no_truth() -> Error {
    let what = "no record of the table satisfies any query of the workload, so there is no error";
    Error::new(what, "ask queries that select records")
}

/// Reads the queries of a workload file: one on each line, as a condition or as a JSON object with
/// `condition` and `of`. Empty lines and lines that begin with `#` are skipped.
pub fn read_workload(path: &Path) -> Result<Vec<Query>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
    let mut queries = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if !(line.is_empty() || line.starts_with('#')) {
            queries.push(parse_line(line).map_err(|error| at_line(error, path, number))?);
        }
    }
    if queries.is_empty() {
        let what = format!("{} has no queries", path.display());
        return Err(Error::new(what, "write one condition on each line, such as age < 25"));
    }
    Ok(queries)
}

/// Reads the workload file that a loss measure names, if it names one.
pub fn load_workload(mut spec: MeasureSpec) -> Result<MeasureSpec, Error> {
    if let Some(file) = &mut spec.workload {
        let queries = read_workload(Path::new(&file.name))?;
        file.conditions = Some(queries.iter().map(|query| query.condition.to_string()).collect());
    }
    Ok(spec)
}

fn parse_line(line: &str) -> Result<Query, Error> {
    if !line.starts_with('{') {
        return Ok(Query { condition: line.parse()?, target: None });
    }
    let ask: QueryAsk = serde_json::from_str(line).map_err(|error| {
        let fix = r#"write for instance {"condition": "age < 25", "of": "race"}"#;
        Error::new(format!("the query is not valid JSON: {error}"), fix)
    })?;
    if ask.group_by.is_some() || ask.domain != QueryDomain::default() {
        let what = "a query of a workload has a condition and a target (of), nothing else";
        return Err(Error::new(what, "leave out group_by and domain"));
    }
    answers::parse(&ask)
}

fn at_line(error: Error, path: &Path, number: u64) -> Error {
    error.map_problems(|problem| problem.file(path).line(number))
}

/// Which answer the errors of every scheme are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SchemeAnswer {
    NonCorrected,
    Independent,
    Corrected,
}

/// Computes how far the answers to count queries (`nc`, `cc` or `ic`) are from the truth under every
/// scheme, at the thresholds of a request, the smallest mean first.
pub fn over_schemes(
    engine: &Engine,
    ask: &Ask,
    conditions: &[Condition],
    answer: &str,
    progress: &dyn Progress,
) -> Result<WorkloadOverSchemes, Error> {
    let kind = match answer {
        "nc" | "non_corrected" => SchemeAnswer::NonCorrected,
        "ic" | "independently_corrected" => SchemeAnswer::Independent,
        "cc" | "corrected" => SchemeAnswer::Corrected,
        _ => {
            let what =
                format!("'{answer}' is not an answer whose errors are computed for every scheme");
            return Err(Error::new(
                what,
                "choose nc (non-corrected), cc (corrected) or ic (independently corrected)",
            ));
        }
    };
    check_schemes(engine)?;
    let (cube, criteria) = (engine.cube(), criteria(engine, ask)?);
    let prepared = Independent::of_all(conditions, cube)?;
    let asked: Vec<&Independent> = prepared.iter().filter(|query| query.truth() > 0).collect();
    let mut by_attributes: BTreeMap<Vec<usize>, Vec<&Independent>> = BTreeMap::new();
    for query in &asked {
        by_attributes.entry(query.attributes()).or_default().push(query);
    }
    let satisfied =
        (kind == SchemeAnswer::Corrected).then(|| SatisfiedQueries::count(cube, &asked));
    let space = cube.space();
    let all = space.all();
    let schemes: Vec<Scheme> = all.heights().flat_map(|height| all.at_height(height)).collect();
    progress.start("asking the queries of every scheme", schemes.len() as u64);
    let one = |scheme: &Scheme| {
        if progress.step(1).is_break() {
            return Err(Error::cancelled());
        }
        if let Some(satisfied) = &satisfied {
            return satisfied.errors(cube, scheme, &criteria, &asked);
        }
        let groups = KeptColumns::count(engine, scheme, &criteria);
        let errors = by_attributes.iter().flat_map(|(attributes, queries)| {
            let projected = groups.project(attributes);
            queries
                .iter()
                .map(move |query| projected.error(query, scheme, kind))
                .collect::<Vec<_>>()
        });
        let errors = errors.collect();
        let relative_count = summary(errors).ok_or_else(no_truth)?;
        Ok(WorkloadOfScheme {
            scheme: scheme.clone(),
            suppressed: groups.suppressed,
            relative_count,
        })
    };
    let mut found: Vec<WorkloadOfScheme> = schemes.par_iter().map(one).collect::<Result<_, _>>()?;
    progress.finish();
    found.sort_by(|a, b| {
        let key = |s: &WorkloadOfScheme| (s.scheme.height(), s.suppressed, s.scheme.clone());
        let mean = |s: &WorkloadOfScheme| rounded(s.relative_count.mean);
        mean(a).total_cmp(&mean(b)).then_with(|| key(a).cmp(&key(b)))
    });
    let empty_truth = (prepared.len() - asked.len()) as u64;
    let (queries, answer) = (conditions.len() as u64, answer.into());
    Ok(WorkloadOverSchemes { queries, empty_truth, answer, schemes: found })
}

/// Refuses a lattice of which not all schemes can be listed.
fn check_schemes(engine: &Engine) -> Result<(), Error> {
    let space = engine.cube().space();
    let each = SCHEME_BYTES + 2 * space.attributes();
    let bytes = space.size().map_or(usize::MAX, |schemes| schemes.saturating_mul(each));
    if bytes <= engine.memory() {
        return Ok(());
    }
    let what = "the answers under every scheme take more memory than the limit allows";
    let or = "choose fewer quasi-identifiers, or ask about one scheme";
    Err(Error::of_kind(ErrorKind::OutOfMemory, what, Remedy::RaiseMemory(or.into())))
}

/// Which queries the records of each base group satisfy. A corrected answer counts exactly the kept
/// records that satisfy the query, so its error is the share that is suppressed.
struct SatisfiedQueries {
    base: Base,
    /// The positions of the queries, by base group.
    by_row: Vec<Vec<u32>>,
}

impl SatisfiedQueries {
    fn count(cube: &Cube, queries: &[&Independent]) -> Self {
        let (base, bottom) = (Base::of(cube), cube.space().bottom());
        let satisfied = |row: usize| {
            let holds = |query: &Independent| query.in_scheme(&bottom, base.codes(row)) > 0.0;
            (0..).zip(queries).filter(|(_, query)| holds(query)).map(|(at, _)| at).collect()
        };
        let by_row = (0..base.len()).into_par_iter().map(satisfied).collect();
        Self { base, by_row }
    }

    fn errors(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        criteria: &[Criterion],
        queries: &[&Independent],
    ) -> Result<WorkloadOfScheme, Error> {
        let failing = failing_groups(cube, scheme, criteria);
        let mut missed = vec![0; queries.len()];
        if failing.records > 0 {
            let applied = Applied::levels(cube.attributes(), &self.base, scheme);
            let suppressed =
                (0..applied.len()).filter(|&part| failing.groups.contains(applied.codes(part)));
            for &row in suppressed.flat_map(|part| applied.rows(part)) {
                let records = self.base.records(row as usize);
                self.by_row[row as usize]
                    .iter()
                    .for_each(|&query| missed[query as usize] += records);
            }
        }
        let shares = missed.iter().zip(queries).map(|(&n, query)| n as f64 / query.truth() as f64);
        let relative_count = summary(shares.collect()).ok_or_else(no_truth)?;
        Ok(WorkloadOfScheme { scheme: scheme.clone(), suppressed: failing.records, relative_count })
    }
}

/// The kept groups of a scheme, column by column, so that each query passes over them in order.
struct KeptColumns {
    codes: Vec<Vec<u32>>,
    records: Vec<f64>,
    suppressed: u64,
}

impl KeptColumns {
    fn count(engine: &Engine, scheme: &Scheme, criteria: &[Criterion]) -> Self {
        let failing = failing_groups(engine.cube(), scheme, criteria);
        let mut codes = vec![Vec::new(); engine.cube().attributes().len()];
        let mut records = Vec::new();
        engine.cube().for_each_group(scheme, 0, |group_codes, group| {
            if !failing.groups.contains(group_codes) {
                codes.iter_mut().zip(group_codes).for_each(|(column, &code)| column.push(code));
                records.push(group.records as f64);
            }
        });
        Self { codes, records, suppressed: failing.records }
    }

    /// Merges the records by their codes in some attributes only: queries that name no others are
    /// answered from far fewer groups.
    fn project(&self, attributes: &[usize]) -> Self {
        let mut places: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut codes = vec![Vec::new(); self.codes.len()];
        let mut records: Vec<f64> = Vec::new();
        let mut key = Vec::with_capacity(attributes.len());
        for (group, count) in self.records.iter().enumerate() {
            key.clear();
            key.extend(attributes.iter().map(|&attribute| self.codes[attribute][group]));
            if let Some(&place) = places.get(&key) {
                records[place] += count;
                continue;
            }
            places.insert(key.clone(), records.len());
            attributes.iter().zip(&key).for_each(|(&a, &code)| codes[a].push(code));
            records.push(*count);
        }
        Self { codes, records, suppressed: self.suppressed }
    }

    fn error(&self, query: &Independent, scheme: &Scheme, kind: SchemeAnswer) -> f64 {
        let answer = self.answer(query, scheme, kind);
        (answer - query.truth() as f64).abs() / query.truth() as f64
    }

    fn answer(&self, query: &Independent, scheme: &Scheme, kind: SchemeAnswer) -> f64 {
        let counted = |probability: f64, records: f64| match kind {
            SchemeAnswer::Independent => probability * records,
            SchemeAnswer::NonCorrected if probability > 0.0 => records,
            SchemeAnswer::NonCorrected | SchemeAnswer::Corrected => 0.0,
        };
        let groups = self.records.iter().enumerate();
        let Some(factors) = query.factors(scheme) else {
            let mut codes = vec![0; self.codes.len()];
            let each = groups.map(|(group, &records)| {
                for (code, column) in codes.iter_mut().zip(&self.codes) {
                    // A column that the query does not name was left out.
                    *code = column.get(group).copied().unwrap_or(0);
                }
                counted(query.in_scheme(scheme, &codes), records)
            });
            return each.sum();
        };
        let factors: Vec<(&[u32], &[f64])> =
            factors.into_iter().map(|(a, shares)| (self.codes[a].as_slice(), shares)).collect();
        let each = groups.map(|(group, &records)| {
            let shares = factors.iter().map(|(codes, shares)| shares[codes[group] as usize]);
            counted(shares.product(), records)
        });
        each.sum()
    }
}

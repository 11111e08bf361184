//! From a publication to the answer as it is reported.

use haggle_api::{
    QueryAnswer, QueryAsk, QueryBasis, QueryDomain, QueryError, QueryErrors, QueryOfValue,
    QueryResult, SatisfyingGroups, SelectedRecords,
};
use haggle_cube::query::Variable;
use haggle_inference::query::{GroundDistance, errors};
use haggle_inference::{
    Domain, Knowledge, PublishedGroups, Query, QueryOutcome, QueryTally, Reader,
};
use haggle_model::{Error, ErrorKind};
use haggle_privacy::Facts;

/// Parses what is asked.
pub fn parse(ask: &QueryAsk) -> Result<Query, Error> {
    Ok(Query { condition: ask.condition.parse()?, target: ask.of.clone() })
}

/// Returns the columns that queries name, each once.
pub fn columns<'q>(queries: &[&'q Query], group_by: Option<&'q str>) -> Vec<&'q str> {
    let named = queries
        .iter()
        .flat_map(|query| query.condition.columns().into_iter().chain(query.target.as_deref()));
    let mut columns: Vec<&str> = Vec::new();
    for name in named.chain(group_by) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns
}

/// Answers a query on a publication, and for each value of the column that is grouped by.
pub fn answer(
    groups: &PublishedGroups<'_>,
    knowledge: Knowledge<'_>,
    ask: &QueryAsk,
    query: &Query,
    facts: &[Facts],
    scans: u64,
) -> Result<QueryAnswer, Error> {
    let reader = Reader::new(groups, knowledge, domain(ask.domain));
    let target = target(&reader, query, facts)?;
    let result = result(&reader.answer(query)?, target.as_ref());
    let mut by_value = Vec::new();
    if let Some(column) = &ask.group_by {
        let variable = find(&reader, column)?;
        for value in recorded_values(&variable) {
            let condition = query.condition.and_equals(column, value);
            let outcome = reader.answer(&Query { condition, target: query.target.clone() })?;
            let is_empty = outcome.truth.as_ref().is_none_or(|truth| truth.total == 0.0);
            if outcome.non_corrected.total > 0.0 || !is_empty {
                let result = self::result(&outcome, target.as_ref());
                by_value.push(QueryOfValue { value: value.into(), result });
            }
        }
    }
    let basis = QueryBasis {
        empty_truth: result.truth.as_ref().is_some_and(|truth| truth.total == 0.0),
        apportioned: target.as_ref().and_then(|(t, _)| apportioned(groups, knowledge, t)),
        distance: target.as_ref().map(|(_, distance)| distance.name().into()),
        ..basis(&reader, groups, knowledge, ask.domain, scans)
    };
    Ok(QueryAnswer { result, by_value, basis })
}

pub(super) fn domain(domain: QueryDomain) -> Domain {
    match domain {
        QueryDomain::Occurring => Domain::Occurring,
        QueryDomain::Leaves => Domain::Leaves,
    }
}

/// The recorded values of a column, each once: missing values that match nothing look alike.
fn recorded_values<'a>(variable: &Variable<'a>) -> Vec<&'a str> {
    let mut values: Vec<&str> = (0..variable.domain()).map(|code| variable.shown(code)).collect();
    let mut met = std::collections::BTreeSet::new();
    values.retain(|value| met.insert(*value));
    values
}

fn find<'a>(reader: &Reader<'a>, name: &str) -> Result<Variable<'a>, Error> {
    let names = || reader.variables().iter().map(Variable::name).collect::<Vec<_>>().join(", ");
    reader.variables().iter().find(|variable| variable.name() == name).copied().ok_or_else(|| {
        let fix = format!("choose from: {}", names());
        Error::of_kind(ErrorKind::NotFound, format!("there is no column '{name}'"), fix)
    })
}

/// A column whose distribution is asked for, and the distance between its values.
type QueryTarget<'a, 'f> = (Variable<'a>, GroundDistance<'f>);

fn target<'a, 'f>(
    reader: &Reader<'a>,
    query: &Query,
    facts: &'f [Facts],
) -> Result<Option<QueryTarget<'a, 'f>>, Error> {
    let Some(name) = query.target.as_deref() else { return Ok(None) };
    let variable = find(reader, name)?;
    let facts = facts.iter().find(|facts| facts.target.name == name);
    let distance = GroundDistance::new(&variable, facts);
    Ok(Some((variable, distance)))
}

/// Returns an outcome with the values' labels.
fn result(outcome: &QueryOutcome, target: Option<&QueryTarget<'_, '_>>) -> QueryResult {
    let variable = target.map(|(variable, _)| variable);
    let error = |answer: &QueryTally| {
        let target = target.map(|(variable, distance)| (variable, distance));
        let found = errors(answer, outcome.truth.as_ref()?, target)?;
        Some(QueryError {
            total_variation: found.total_variation,
            earth_movers: found.earth_movers,
            relative_count: found.relative_count,
        })
    };
    let all = || {
        Some(QueryErrors {
            non_corrected: error(&outcome.non_corrected)?,
            corrected: error(&outcome.corrected)?,
            independently_corrected: error(&outcome.independently_corrected)?,
        })
    };
    QueryResult {
        groups: SatisfyingGroups { full: outcome.full, partial: outcome.partial },
        truth: outcome.truth.as_ref().map(|truth| selected(truth, variable)),
        non_corrected: selected(&outcome.non_corrected, variable),
        corrected: selected(&outcome.corrected, variable),
        independently_corrected: selected(&outcome.independently_corrected, variable),
        error: all(),
    }
}

fn selected(tally: &QueryTally, target: Option<&Variable<'_>>) -> SelectedRecords {
    let mut records = SelectedRecords { total: tally.total, values: [].into(), mean: None };
    if let Some(variable) = target {
        for (&code, &count) in &tally.values {
            *records.values.entry(variable.shown(code).into()).or_default() += count;
        }
        records.mean = tally.mean(|code| variable.number(code));
    }
    records
}

/// How answers are computed, without what depends on the query.
pub(super) fn basis(
    reader: &Reader<'_>,
    groups: &PublishedGroups<'_>,
    knowledge: Knowledge<'_>,
    domain: QueryDomain,
    scans: u64,
) -> QueryBasis {
    let from_table = matches!(knowledge, Knowledge::Table(_));
    let recorded = reader.variables()[..groups.columns().len()].iter();
    QueryBasis {
        records: groups.records(),
        dropped: groups.dropped(),
        probabilities: if from_table { "table" } else { "uniform" }.into(),
        domain: if from_table { domain } else { QueryDomain::Leaves },
        as_recorded: recorded.map(|variable| variable.name().to_owned()).collect(),
        scans,
        empty_truth: false,
        apportioned: None,
        distance: None,
    }
}

/// How the records of a generalized target are divided among its recorded values.
fn apportioned(
    groups: &PublishedGroups<'_>,
    knowledge: Knowledge<'_>,
    target: &Variable<'_>,
) -> Option<String> {
    let generalized = groups.attributes().iter().any(|a| a.name == target.name());
    let share = match knowledge {
        Knowledge::Table(_) => "their shares in the table",
        Knowledge::Uniform => "equal shares",
    };
    generalized.then(|| {
        format!(
            "the non-corrected answer divides the records of a published value among its recorded \
             values by {share}; corrected answers divide them by the probabilities that the \
             condition is weighed by"
        )
    })
}

//! What an analyst can still do with a scheme: summaries, associations, models and rules.

mod models;
mod published;
mod rules;
mod summaries;

use haggle_api::{Ask, UtilityAsk, UtilityReport};
use haggle_inference::JointCounts;
use haggle_inference::utility::{Cases, Classes};
use haggle_model::{Error, Progress};

use crate::examined::{criteria, examined};
use crate::queries::{QueriedCounts, counts_with};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use published::PublishedRows;

/// Reports what an analyst can still do with a recoding.
pub fn utility(
    engine: &Engine,
    request: &Ask,
    ask: &UtilityAsk,
    progress: &dyn Progress,
) -> Result<UtilityReport, Error> {
    check(ask)?;
    let target = target(engine, ask)?;
    let request = request.or(engine.defaults());
    let criteria = criteria(engine, &request)?;
    let recoded = examined(engine, &request, &ask.choice()?, &criteria, progress)?;
    let sensitive = engine.cube().sensitive().map(|(_, watched)| watched.name.as_str());
    let others: Vec<&str> = sensitive.filter(|name| *name != target).collect();
    let columns: Vec<&str> = std::iter::once(target.as_str()).chain(others).collect();
    let QueriedCounts { joint, scans, .. } = counts_with(engine, &columns, progress)?;
    // First, because what the models need is not needed afterwards.
    let (models, models_reason) = match models::models(engine, &joint, &request, ask, progress) {
        Ok(models) => (Some(models), None),
        Err(models::NoModels::Because(why)) => (None, Some(why)),
        Err(models::NoModels::Error(error)) => return Err(error),
    };
    let publication = BeforeAndAfter::new(engine, &joint, &recoded, &criteria);
    let by_value = publication.published.is_by_value();
    let rules_reason = (!by_value).then(|| {
        "a recorded value is published differently in different groups, so that no rule of the \
         table is one of the publication"
            .into()
    });
    Ok(UtilityReport {
        quasi_identifiers: engine.attributes().into_iter().map(String::from).collect(),
        records: engine.records(),
        suppressed: publication.suppressed,
        scans,
        attributes: summaries::attributes(&publication, &target),
        pairs: summaries::pairs(&publication, &target),
        models,
        models_reason,
        rules: by_value.then(|| rules::rules(&publication, ask)),
        rules_reason,
        scheme: recoded.levels().cloned(),
        strategy: ask.strategy.clone(),
        target,
    })
}

fn check(ask: &UtilityAsk) -> Result<(), Error> {
    let inside = |what: &str, value: f64| {
        let valid = value > 0.0 && value < 1.0;
        let error = || Error::new(format!("{what} is {value}"), "choose a share between 0 and 1");
        if valid { Ok(()) } else { Err(error()) }
    };
    inside("the share of held-out records", ask.held_out)?;
    inside("the support of rules", ask.support)?;
    inside("the confidence of rules", ask.confidence)?;
    if (1..=4).contains(&ask.rule_length) {
        return Ok(());
    }
    Err(Error::new("rules would have no or too many values", "choose 1 to 4 values"))
}

/// The column that is predicted.
fn target(engine: &Engine, ask: &UtilityAsk) -> Result<String, Error> {
    let first = || engine.cube().sensitive().next().map(|(_, watched)| watched.name.clone());
    let target = ask.target.clone().or_else(first).ok_or_else(|| {
        Error::new("there is no sensitive attribute to predict", "name the column to predict")
    })?;
    if engine.attributes().contains(&target.as_str()) {
        let what =
            format!("'{target}' is a quasi-identifier here, from which others are predicted");
        return Err(Error::new(
            what,
            "name another column, or leave it out of the quasi-identifiers",
        ));
    }
    Ok(target)
}

/// A table before and after a recoding, by the values of the target.
struct BeforeAndAfter<'a> {
    joint: &'a JointCounts,
    /// As recorded.
    original: PublishedRows,
    /// As published.
    published: PublishedRows,
    before: Cases,
    /// Without suppressed records.
    after: Cases,
    suppressed: u64,
}

impl<'a> BeforeAndAfter<'a> {
    fn new(
        engine: &Engine,
        joint: &'a JointCounts,
        recoded: &Recoded<'_>,
        criteria: &[Criterion],
    ) -> Self {
        let values = joint.columns()[0].values.len() + 1;
        let original = as_recorded(engine);
        let published = PublishedRows::from_recoded(recoded, criteria);
        let before = original.all_cases(joint, |value| value, values);
        let after = published.kept_cases(joint, |value| value, values);
        let suppressed = before.records() - after.records();
        Self { joint, original, published, before, after, suppressed }
    }
}

/// The table as it was recorded.
fn as_recorded(engine: &Engine) -> PublishedRows {
    let bottom = engine.cube().space().bottom();
    PublishedRows::from_recoded(&Recoded::scheme(engine.cube(), bottom), &[])
}

/// The classes of the target, by its counts.
fn classes(joint: &JointCounts) -> Classes {
    let values = &joint.columns()[0].values;
    let mut counts = vec![0; values.len() + 1];
    for value in (0..joint.len()).flat_map(|row| joint.values(row)) {
        counts[value.codes[0] as usize] += value.count;
    }
    Classes::from_counts(values, &counts)
}

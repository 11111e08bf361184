//! Publishing: written, read again and proved, as every front end does it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use haggle::publishing::{
    PrivateManifest, PublishOptions, PublishOutcome, PublishRequest, PublishTarget, Replace,
    SqlForm, SqlScript, check_policy, sql_dialects,
};
use haggle::questions::BodyFields;
use haggle::{Amount, Ask, Engine, Error, Progress, WithDeadline};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::questions::{fields, malformed};

/// What a publication from Python takes as well.
#[derive(Deserialize)]
struct WorkOptions {
    /// Whether files that are no publications may be replaced.
    #[serde(default)]
    force: bool,
    /// Bytes for counting what was written.
    memory: Option<usize>,
}

/// Publishes what a body describes.
pub(crate) fn publish(
    engine: &Engine,
    output: PathBuf,
    private: PathBuf,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let (options, time) = options(body)?;
    let (to, private) = (PublishTarget::File(output), Some(private));
    let progress = &WithDeadline::after(progress, time);
    prepared(engine, &PublishOptions { to, private, progress, ..options })
}

/// Publishes into a table of the project's database.
pub(crate) fn publish_table(
    engine: &Engine,
    table: &str,
    manifest: Option<&Path>,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let (options, time) = options(body)?;
    let to = PublishTarget::table(table, manifest);
    let progress = &WithDeadline::after(progress, time);
    prepared(engine, &PublishOptions { to, progress, ..options })
}

/// Publishes once everything is prepared that the request needs.
fn prepared(engine: &Engine, options: &PublishOptions<'_>) -> Result<String, Error> {
    let project = project_of(engine)?;
    engine.prepare(&options.ask, &engine.measures(&options.ask), options.progress)?;
    Ok(described(haggle::publishing::publish(engine, project, options)?))
}

/// Which statements are written.
#[derive(Deserialize)]
struct Statements {
    dialect: String,
    #[serde(default)]
    dbt: bool,
    source: Option<String>,
    target: Option<String>,
}

/// Writes the statements that publish in an SQL engine.
pub(crate) fn publish_sql(
    engine: &Engine,
    output: PathBuf,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let (wanted, rest) =
        fields(body)?.split::<Statements, _>().map_err(|error| malformed(&error))?;
    let (options, time) = options_of(rest)?;
    let script = SqlScript {
        output,
        dialect: sql_dialects::named(&wanted.dialect)?,
        form: if wanted.dbt { SqlForm::Dbt } else { SqlForm::Script },
        source: wanted.source,
        target: wanted.target,
    };
    let (to, progress) = (PublishTarget::Script(script), &WithDeadline::after(progress, time));
    prepared(engine, &PublishOptions { to, progress, ..options })
}

/// Publishes the records of this engine as the manifest says, with another limit if one is given.
pub(crate) fn repeat(
    engine: &Engine,
    policy: &Path,
    place: (PathBuf, PathBuf),
    max_suppressed: Option<Amount>,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let policy = PrivateManifest::open(policy)?;
    check_policy(engine, &policy)?;
    let repeated = policy.thresholds();
    let max_suppressed = max_suppressed.or(repeated.max_suppressed);
    let (output, private) = place;
    let options = PublishOptions {
        choice: policy.choice(),
        as_recorded: Some(policy.as_recorded.clone()),
        columns: Some(policy.columns()),
        suppress: policy.suppress(),
        flag: policy.flag.clone(),
        formulas: policy.formulas(),
        private: Some(private),
        progress,
        ..PublishOptions::new(output, Ask { max_suppressed, ..repeated })
    };
    Ok(described(haggle::publishing::publish(engine, project_of(engine)?, &options)?))
}

/// Reads how to publish, and how long the search for a recoding may take.
fn options(body: &str) -> Result<(PublishOptions<'static>, Option<Duration>), Error> {
    options_of(fields(body)?)
}

fn options_of(body: BodyFields) -> Result<(PublishOptions<'static>, Option<Duration>), Error> {
    let (work, rest) =
        body.split::<WorkOptions, BodyFields>().map_err(|error| malformed(&error))?;
    let (publish, ask) = rest.split::<PublishRequest, Ask>().map_err(|error| malformed(&error))?;
    let time = publish.search_time()?;
    let options = PublishOptions {
        replace: if work.force { Replace::Files } else { Replace::Publications },
        memory: work.memory.unwrap_or(usize::MAX),
        ..PublishOptions::of_request(publish, ask)?
    };
    Ok((options, time))
}

fn project_of(engine: &Engine) -> Result<&haggle::Project, Error> {
    engine.project().ok_or_else(|| {
        let what = "the lattice comes from a lattice file alone, which has no records";
        Error::new(what, "open it with its project")
    })
}

/// The report or the refusal, as the command line prints it.
fn described(outcome: PublishOutcome) -> String {
    if let PublishOutcome::Written(report) = &outcome {
        return tagged("written", serde_json::to_value(report));
    }
    match outcome.into_report() {
        Ok(report) => tagged("published", serde_json::to_value(&*report)),
        Err(refusal) => tagged("refused", serde_json::to_value(&refusal)),
    }
}

/// What is described, with its outcome.
fn tagged(outcome: &str, mut described: serde_json::Result<Value>) -> String {
    if let Ok(Value::Object(fields)) = &mut described {
        fields.insert("outcome".into(), json!(outcome));
        fields.insert("published".into(), json!(outcome == "published"));
    }
    described.map(|described| described.to_string()).unwrap_or_default()
}

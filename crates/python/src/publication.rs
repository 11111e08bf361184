//! Publishing: written, read again and proved, as every front end does it.

use std::path::{Path, PathBuf};

use haggle::publishing::{
    Formulas, PrivateManifest, PublishOptions, PublishOutcome, RecordOrder, Replace, Suppress,
    check_policy,
};
use haggle::{Choice, Engine, Error, Progress, Publication, Scheme};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::questions::{seconds, split};

/// The fields of a publication in addition to a request.
const FIELDS: [&str; 13] = [
    "scheme",
    "strategy",
    "result",
    "refine",
    "anatomy",
    "as_recorded",
    "suppress",
    "keep_order",
    "spreadsheet_safe",
    "flag",
    "force",
    "time_limit",
    "memory",
];

#[derive(Deserialize)]
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
struct How {
    scheme: Option<Scheme>,
    strategy: Option<String>,
    result: Option<String>,
    #[serde(default)]
    refine: bool,
    #[serde(default)]
    anatomy: bool,
    as_recorded: Option<Vec<String>>,
    suppress: Option<String>,
    #[serde(default)]
    keep_order: bool,
    #[serde(default)]
    spreadsheet_safe: bool,
    flag: Option<String>,
    #[serde(default)]
    force: bool,
    time_limit: Option<f64>,
    memory: Option<usize>,
}

impl How {
    fn choice(&self) -> Result<Choice, Error> {
        let contradiction = |what: &str| {
            Err(Error::new(what, "name a scheme, or a strategy with the result that it found"))
        };
        let scheme = self.scheme.clone();
        match (&self.strategy, &self.result) {
            _ if self.anatomy => Ok(Choice::Anatomy),
            (None, Some(_)) => contradiction("a result is named, and no strategy that found it"),
            (Some(_), _) if scheme.is_some() => contradiction("a scheme and a strategy are named"),
            (Some(_), _) if self.refine => contradiction("only schemes can be refined"),
            (Some(strategy), Some(result)) => {
                Ok(Choice::Result { strategy: strategy.clone(), result: result.clone() })
            }
            (Some(strategy), None) => Ok(Choice::Strategy(strategy.clone())),
            (None, None) if self.refine => Ok(Choice::Refined(scheme)),
            (None, None) => Ok(scheme.map_or(Choice::Answer, Choice::Scheme)),
        }
    }

    fn suppress(&self) -> Result<Suppress, Error> {
        match self.suppress.as_deref() {
            None | Some("drop") => Ok(Suppress::Drop),
            Some("star") => Ok(Suppress::Star),
            Some(_) => Err(Error::new("there is no such way to suppress", "choose drop or star")),
        }
    }
}

/// Publishes what a body describes.
pub(crate) fn publish(
    engine: &Engine,
    output: PathBuf,
    private: PathBuf,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let options = PublishOptions { output, private: Some(private), ..options(body, progress)? };
    let project = project_of(engine)?;
    engine.prepare(&options.ask, &engine.measures(&options.ask), progress)?;
    Ok(described(haggle::publishing::publish(engine, project, &options)?))
}

/// What a publication would look like.
pub(crate) fn preview(
    engine: &Engine,
    body: &str,
    rows: usize,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let options = options(body, progress)?;
    let project = project_of(engine)?;
    engine.prepare(&options.ask, &[], progress)?;
    let preview = haggle::publishing::preview_of(engine, project, &options, rows)?;
    Ok(serde_json::to_string(&preview).unwrap_or_default())
}

/// Publishes the records of this engine as the manifest says.
pub(crate) fn repeat(
    engine: &Engine,
    policy: &Path,
    output: PathBuf,
    private: PathBuf,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let policy = PrivateManifest::open(policy)?;
    check_policy(engine, &policy)?;
    let publication = Publication::repeat(&policy).to(output).private(private).progress(progress);
    Ok(described(publication.outcome(engine)?))
}

fn options<'a>(body: &str, progress: &'a dyn Progress) -> Result<PublishOptions<'a>, Error> {
    let body = serde_json::from_str(body).map_err(|_| {
        Error::new("this does not say what is published", "give a request, a scheme or a strategy")
    })?;
    let (ask, how) = split::<How>(body, &FIELDS)?;
    Ok(PublishOptions {
        choice: how.choice()?,
        suppress: how.suppress()?,
        search_time: how.time_limit.map(seconds).transpose()?,
        replace: if how.force { Replace::Files } else { Replace::Publications },
        order: if how.keep_order { RecordOrder::Kept } else { RecordOrder::random() },
        formulas: if how.spreadsheet_safe { Formulas::Escaped } else { Formulas::Unchanged },
        as_recorded: how.as_recorded,
        flag: how.flag,
        memory: how.memory.unwrap_or(usize::MAX),
        progress,
        ..PublishOptions::new("", ask)
    })
}

fn project_of(engine: &Engine) -> Result<&haggle::Project, Error> {
    engine.project().ok_or_else(|| {
        let what = "the lattice comes from a lattice file alone, which has no records";
        Error::new(what, "open it with its project")
    })
}

/// The report or the refusal, as the command line prints it.
fn described(outcome: PublishOutcome) -> String {
    let (outcome, mut described) = match outcome.into_report() {
        Ok(report) => ("published", serde_json::to_value(&*report)),
        Err(refusal) => ("refused", serde_json::to_value(&refusal)),
    };
    if let Ok(Value::Object(fields)) = &mut described {
        fields.insert("outcome".into(), json!(outcome));
        fields.insert("published".into(), json!(outcome == "published"));
    }
    described.map(|described| described.to_string()).unwrap_or_default()
}

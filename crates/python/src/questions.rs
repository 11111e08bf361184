//! What a lattice can be asked: a body as HTTP takes it, an answer as JSON.

mod fronts;
mod pictures;
mod workloads;

use std::time::Duration;

use haggle::inference::{RiskAsk, RiskInputs};
use haggle::queries::{load_workload, read_workload};
use haggle::report::{ReportAsk, ReportFile, ReportForm, ReportFormat, gather};
use haggle::search::{CompareOptions, SecurityOptions};
use haggle::utility::UtilityAsk;
use haggle::{Ask, Engine, Error, Judge, Progress, Relaxation, Scheme, WithDeadline};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a question is called with.
pub(crate) struct Asked<'a> {
    engine: &'a Engine,
    body: Map<String, Value>,
    progress: &'a dyn Progress,
}

/// Answers a question as JSON.
type Answer = fn(Asked<'_>) -> Result<String, Error>;

/// Every question by name.
const QUESTIONS: &[(&str, Answer)] = &[
    ("ask", ask),
    ("accept", accept),
    ("pareto", fronts::pareto),
    ("poka", fronts::poka),
    ("study", study),
    ("histogram", histogram),
    ("estimators", estimators),
    ("why", why),
    ("compare", compare),
    ("scheme", scheme),
    ("security", security),
    ("grouping", grouping),
    ("risk", risk),
    ("utility", utility),
    ("query", workloads::query),
    ("workload", workloads::workload),
    ("report", report),
    ("plot", pictures::plot),
    ("overview", overview),
];

/// Answers the question of this name.
pub(crate) fn answer(
    engine: &Engine,
    question: &str,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let found = QUESTIONS.iter().find(|(name, _)| *name == question);
    let (_, answer) = found
        .ok_or_else(|| Error::new(format!("there is no question '{question}'"), "ask another"))?;
    let body = serde_json::from_str(body).map_err(|error| malformed(&error))?;
    answer(Asked { engine, body, progress })
}

/// Whether a question is answered so soon that it needs no thread of its own.
pub(crate) fn is_quick(engine: &Engine, question: &str, body: &str) -> bool {
    let asked = || serde_json::from_str::<Ask>(body).ok();
    question == "ask" && asked().is_some_and(|ask| engine.is_quick(&ask))
}

pub(crate) fn malformed(error: &serde_json::Error) -> Error {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    Error::new(what, "see the documentation of the method for what it takes")
}

/// An answer as JSON.
fn json(answer: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(answer).map_err(|error| malformed(&error))
}

/// Splits a body into a request and the fields of its question.
pub(crate) fn split<E: DeserializeOwned>(
    mut body: Map<String, Value>,
    fields: &[&str],
) -> Result<(Ask, E), Error> {
    let taken = fields.iter().filter_map(|field| body.remove_entry(*field));
    let extra: Map<String, Value> = taken.collect();
    let ask: Ask =
        serde_json::from_value(Value::Object(body)).map_err(|error| malformed(&error))?;
    let optimize = ask.optimize.clone().map(load_workload).transpose()?;
    let extra = serde_json::from_value(Value::Object(extra)).map_err(|error| malformed(&error))?;
    Ok((Ask { optimize, ..ask }, extra))
}

#[derive(Deserialize)]
struct Nothing {}

#[derive(Deserialize)]
struct Limited {
    time_limit: Option<f64>,
}

/// The answer; with a time limit the best that is found within it, and what is proved of better ones.
fn ask(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, Limited { time_limit }) = split(body, &["time_limit"])?;
    let progress = &WithDeadline::after(progress, time_limit.map(seconds).transpose()?);
    engine.prepare(&ask, &engine.measures(&ask), progress)?;
    json(&engine.ask_with(&ask, progress)?)
}

#[derive(Deserialize)]
struct Accepted {
    relaxation: String,
    #[serde(default)]
    attributes: Vec<String>,
}

/// The request that accepts a relaxation of the answer to a request.
fn accept(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, accepted) = split::<Accepted>(body, &["relaxation", "attributes"])?;
    engine.prepare(&ask, &engine.measures(&ask), progress)?;
    let answer = engine.ask(&ask)?;
    let offers = answer.relaxations()?;
    let relaxation: Relaxation<'_> = match (accepted.relaxation.as_str(), &accepted.attributes[..])
    {
        ("suppression", _) => offers.suppression()?,
        ("height", _) => offers.height()?,
        ("privacy", _) => offers.privacy()?,
        ("attribute", [name]) => offers.attribute(name)?,
        (kind, names) => {
            let is_set = |one: &Relaxation<'_>| matches!(&one.kind, haggle::RelaxationKind::Attributes(set) if set == names);
            offers.all().into_iter().find(is_set).ok_or_else(|| {
                let what = format!("there is no relaxation '{kind}' of these attributes");
                Error::new(what, "accept one of those that the answer names")
            })?
        }
    };
    json(&relaxation.accept(&ask.or(engine.defaults())))
}

fn study(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, Nothing {}) = split(body, &[])?;
    engine.prepare(&ask, &[], progress)?;
    json(&engine.study_in_full(&ask)?)
}

#[derive(Deserialize)]
struct Selected {
    /// Per cent of each height.
    partial: f64,
}

/// How well each estimator would select the schemes of a partial lattice.
fn estimators(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, Selected { partial }) = split(body, &["partial"])?;
    let ask = engine.over_all_levels(&ask);
    engine.prepare(&ask, &[], progress)?;
    json(&engine.estimators(&ask, partial)?)
}

#[derive(Deserialize)]
struct About {
    scheme: Option<Scheme>,
    #[serde(default = "Judge::plain")]
    loss: Judge,
}

fn histogram(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, about) = split::<About>(body, &["scheme"])?;
    engine.prepare(&ask, &[], progress)?;
    json(&engine.histogram(&ask, &engine.named_or_best(&ask, about.scheme.as_ref())?)?)
}

fn why(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, About { scheme, loss }) = split(body, &["scheme", "loss"])?;
    engine.prepare(&ask, &[], progress)?;
    let loss = load_workload(loss)?;
    json(&engine.why(&ask, &engine.named_or_best(&ask, scheme.as_ref())?, &loss)?)
}

fn scheme(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, about) = split::<About>(body, &["scheme"])?;
    engine.prepare(&ask, &[], progress)?;
    json(&engine.pinned(&ask, &engine.named_or_best(&ask, about.scheme.as_ref())?)?)
}

#[derive(Deserialize)]
struct Contenders {
    #[serde(default)]
    measures: Vec<Judge>,
    #[serde(default)]
    strategies: Vec<String>,
    #[serde(default)]
    time_limit: Option<f64>,
}

impl Contenders {
    const FIELDS: [&str; 3] = ["measures", "strategies", "time_limit"];

    fn options(self, progress: &dyn Progress) -> Result<CompareOptions<'_>, Error> {
        let Self { measures, strategies, time_limit } = self;
        let measures = measures.into_iter().map(load_workload).collect::<Result<_, _>>()?;
        let time_limit = time_limit.map(seconds).transpose()?;
        Ok(CompareOptions { measures, strategies, time_limit, progress })
    }
}

fn compare(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, contenders) = split::<Contenders>(body, &Contenders::FIELDS)?;
    json(&engine.compare(&ask, &contenders.options(progress)?)?)
}

/// A number of seconds as a duration.
pub(crate) fn seconds(number: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number).map_err(|_| {
        Error::new("the time limit is not a number of seconds", "give one such as 1.5")
    })
}

#[derive(Deserialize)]
struct Hidden {
    scheme: Scheme,
    on: Option<String>,
    width: Option<f64>,
    scale: Option<f64>,
    worst: Option<usize>,
}

fn security(Asked { engine, body, .. }: Asked<'_>) -> Result<String, Error> {
    let fields = ["scheme", "on", "width", "scale", "worst"];
    let (_, Hidden { scheme, on, width, scale, worst }) = split(body, &fields)?;
    let (width, scale, worst) = (width.unwrap_or(1.0), scale.unwrap_or(1.0), worst.unwrap_or(5));
    json(&engine.security(&scheme, &SecurityOptions { on, width, scale, worst })?)
}

fn grouping(Asked { engine, .. }: Asked<'_>) -> Result<String, Error> {
    json(&engine.grouping()?)
}

fn risk(Asked { engine, mut body, progress }: Asked<'_>) -> Result<String, Error> {
    let population = body.remove("population").and_then(|path| Some(path.as_str()?.into()));
    let fields: Vec<String> = fields_of::<RiskAsk>();
    let (ask, extra) =
        split::<RiskAsk>(body, &fields.iter().map(String::as_str).collect::<Vec<_>>())?;
    if !ask.privacy.is_empty() {
        engine.prepare(&ask, &[], progress)?;
    }
    let (files, memory) = (true, engine.memory());
    let inputs = RiskInputs { population, files, memory, progress };
    json(&haggle::inference::risk(engine, &ask, &extra, &inputs)?)
}

fn utility(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let fields: Vec<String> = fields_of::<UtilityAsk>();
    let (ask, extra) =
        split::<UtilityAsk>(body, &fields.iter().map(String::as_str).collect::<Vec<_>>())?;
    engine.prepare(&ask, &[], progress)?;
    json(&haggle::utility::utility(engine, &ask, &extra, progress)?)
}

/// The fields of a type that can be written as it is read.
pub(crate) fn fields_of<T: Default + Serialize>() -> Vec<String> {
    match serde_json::to_value(T::default()) {
        Ok(Value::Object(fields)) => fields.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

#[derive(Deserialize)]
struct WantedReport {
    #[serde(default)]
    private: bool,
    format: Option<String>,
    to: Option<std::path::PathBuf>,
    #[serde(default)]
    force: bool,
    published: Option<std::path::PathBuf>,
    workload: Option<std::path::PathBuf>,
    #[serde(flatten)]
    utility: UtilityAsk,
}

/// A report as the text of its file.
fn report(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let mut fields = fields_of::<UtilityAsk>();
    fields.extend(["private", "format", "to", "force", "published", "workload"].map(String::from));
    let names: Vec<&str> = fields.iter().map(String::as_str).collect();
    let (request, wanted) = split::<WantedReport>(body, &names)?;
    let WantedReport { private, format, to, force, published, workload, utility } = wanted;
    let form = if private { ReportForm::Private } else { ReportForm::Public };
    let format = match format.as_deref() {
        None => match &to {
            Some(to) => ReportFile::at(to)?.format(),
            None => ReportFormat::Html,
        },
        Some("html") => ReportFormat::Html,
        Some("md") => ReportFormat::Markdown,
        Some("json") => ReportFormat::Json,
        Some(_) => return Err(Error::new("there is no such format", "choose html, md or json")),
    };
    let file = to.map(|to| ReportFile::of(to, format).replacing(force));
    file.as_ref().map_or(Ok(()), ReportFile::check)?;
    let queries = workload.as_deref().map(read_workload).transpose()?;
    let ask = ReportAsk { request, utility, queries, published, form };
    let report = gather(engine, &ask, progress)?;
    file.map_or(Ok(()), |file| file.write(&report))?;
    Ok(format.text(&report))
}

fn overview(Asked { engine, .. }: Asked<'_>) -> Result<String, Error> {
    json(&engine.overview())
}

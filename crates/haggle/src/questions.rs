//! Every question that can be asked: the lists of all crates joined, and how one is put.

use std::path::{Path, PathBuf};

use haggle_api::MeasureSpec;
use haggle_assess::queries::read_workload;
use haggle_engine::Engine;
use haggle_model::{Error, Progress};

pub use haggle_api::questions::*;
pub use haggle_api::{Asked, BodyFields, Described, Document, Question, Reveals, fields_of};
pub use haggle_engine::catalog::any_file;
pub use haggle_engine::{Answered, AnyAsked, Asking, QuestionEntry};

/// The catalog of questions: command line, HTTP, Python and documents iterate it.
///
/// ```
/// use haggle::questions::{Questions, Reveals};
///
/// let questions = Questions::default();
/// let ask = questions.find("ask")?;
/// assert_eq!(ask.reveals, Reveals::Counts);
/// assert!(questions.iter().all(|question| question.reveals < Reveals::Records || question.id == "preview"));
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Questions(Vec<QuestionEntry>);

impl Default for Questions {
    fn default() -> Self {
        let lists = [
            haggle_engine::catalog::QUESTIONS,
            haggle_assess::questions::QUESTIONS,
            haggle_publish::questions::QUESTIONS,
            haggle_report::QUESTIONS,
            #[cfg(feature = "plot")]
            haggle_report::PICTURES,
        ];
        Self(lists.concat())
    }
}

impl Questions {
    /// Adds a question of one's own.
    pub fn with(mut self, entry: QuestionEntry) -> Self {
        self.0.push(entry);
        self
    }

    /// Iterates over the questions in the order in which documents list them.
    pub fn iter(&self) -> impl Iterator<Item = &QuestionEntry> {
        self.0.iter()
    }

    /// Returns the question of an id.
    pub fn find(&self, id: &str) -> Result<&QuestionEntry, Error> {
        self.0.iter().find(|entry| entry.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.0.iter().map(|entry| entry.id).collect();
            let what = format!("there is no question '{id}'");
            Error::new(what, format!("ask one of: {}", known.join(", ")))
        })
    }
}

/// Answers a question. What it needs is prepared, what the request leaves out comes from the project,
/// and files that it names are read.
///
/// ```
/// use haggle::questions::{Asked, ParetoAnswer, ParetoQuestion};
/// use haggle::{Engine, Project, Request, Silent, answer};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race"]).open()?;
/// let asked = Asked { request: Request::k(5), question: ParetoQuestion::default() };
/// let ParetoAnswer::One(front) = answer(&engine, &asked, &Silent)? else { unreachable!() };
/// assert!(front.points.len() > 1);
/// # Ok::<(), haggle::Error>(())
/// ```
pub fn answer<By, Q: Answered<By>>(
    engine: &Engine,
    asked: &Asked<Q>,
    progress: &dyn Progress,
) -> Result<Q::Answer, Error> {
    let mut asked = asked.clone();
    let asking = Asking { engine, progress, files: &any_file };
    read_workloads(asked.measures_mut(), &asking)?;
    asked.question.answer(&asked.request, &asking)
}

/// Answers the question of an id with JSON, from a body in JSON.
///
/// ```
/// use haggle::{Engine, Project, Silent, answer_json};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
/// let body = r#"{"privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 321}"#;
/// let answer = answer_json(&engine, "ask", body, &Silent)?;
/// assert!(answer.contains(r#""scheme":[1,1,0]"#));
/// # Ok::<(), haggle::Error>(())
/// ```
pub fn answer_json(
    engine: &Engine,
    id: &str,
    body: &str,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let entry = *Questions::default().find(id)?;
    let asked = BodyFields::parse(body.as_bytes()).and_then(|fields| (entry.read)(fields));
    let mut asked = asked.map_err(|error| malformed(&error))?;
    let asking = Asking { engine, progress, files: &any_file };
    read_workloads(asked.measures_mut(), &asking)?;
    let written = asked.answer_json(&asking)?;
    Ok(String::from_utf8_lossy(&written.content).into_owned())
}

/// Reads the workloads that measures name, from the files that the asker may read.
pub fn read_workloads(measures: Vec<&mut MeasureSpec>, asking: &Asking<'_>) -> Result<(), Error> {
    for file in measures.into_iter().filter_map(|spec| spec.workload.as_mut()) {
        let path: PathBuf = (asking.files)(Path::new(&file.name))?;
        let queries = read_workload(&path)?;
        file.conditions = Some(queries.iter().map(|query| query.condition.to_string()).collect());
    }
    Ok(())
}

/// Words an error in a body; its position is left out, because the body was taken apart.
pub fn malformed(error: &serde_json::Error) -> Error {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    Error::new(what, r#"write it as in {"privacy": {"k-anonymity": 10}, "max_suppressed": "1%"}"#)
}

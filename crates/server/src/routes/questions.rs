//! `POST /api/ID`: every question of the catalog, answered with JSON, with a document, or with lines of
//! progress and the answer last.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use haggle::questions::{
    AnyAsked, Asking, BodyFields, Document, QuestionEntry, Questions, read_workloads,
};
use haggle::{Engine, Error, ErrorKind, Progress, Silent};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::body::{malformed, read};
use crate::failure::{Failure, ProblemList};
use crate::state::{Shared, State, WantedWork};
use crate::steps::WorkSteps;
use crate::stream::stream;

/// The media type of lines of JSON.
pub(crate) const LINES: &str = "application/x-ndjson";

/// The routes of the questions.
pub(crate) fn routes(questions: &Questions) -> Router<Arc<State>> {
    questions.iter().fold(Router::new(), |router, &entry| {
        let route = post(move |state: Shared, request: Request| ask(state.0, entry, request));
        router.route(&format!("/api/{}", entry.id), route)
    })
}

/// A question as it was sent.
struct SentQuestion {
    /// The quasi-identifiers, in order; the project's if not given.
    qi: Option<Vec<String>>,
    asked: Box<dyn AnyAsked>,
}

/// The last of some lines.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum LastLine {
    Done(Box<RawValue>),
    Error(ProblemList),
}

async fn ask(
    state: Arc<State>,
    entry: QuestionEntry,
    request: Request,
) -> Result<Response, Failure> {
    let wants_lines = accepts_lines(request.headers());
    let sent = parse(entry, &read(request.into_body()).await?)?;
    if wants_lines {
        let steps = state.underway.begin();
        return Ok(stream(steps.clone(), last_line(state, sent, steps)));
    }
    let engine = state.served.current()?.engines.get(sent.qi.clone()).await?;
    if sent.asked.is_quick(&engine) {
        return Ok(sent_document(answer(&state, &engine, sent, &Silent, AS_SENT)?));
    }
    let steps = state.underway.begin();
    let answered = aside(&state, engine, sent, steps, AS_SENT).await?;
    Ok(sent_document(answered))
}

fn accepts_lines(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|kind| kind.trim().starts_with(LINES))
}

fn parse(entry: QuestionEntry, body: &[u8]) -> Result<SentQuestion, Failure> {
    let mut fields = BodyFields::parse(body).map_err(|error| malformed(&error))?;
    let qi = fields.take("qi").map_err(|error| malformed(&error))?;
    let asked = (entry.read)(fields).map_err(|error| malformed(&error))?;
    Ok(SentQuestion { qi, asked })
}

/// How a question is answered: in the form that is sent, or with JSON.
type AnswerForm = fn(&dyn AnyAsked, &Asking<'_>) -> Result<Document, Error>;

const AS_SENT: AnswerForm = |asked, asking| asked.answer(asking);

const AS_JSON: AnswerForm = |asked, asking| asked.answer_json(asking);

/// Answers on a worker thread; cancels the work when the caller stops waiting.
async fn aside(
    state: &Arc<State>,
    engine: Arc<Engine>,
    sent: SentQuestion,
    steps: Arc<WorkSteps>,
    form: AnswerForm,
) -> Result<Document, Failure> {
    let wanted = WantedWork(steps);
    let (steps, shared) = (wanted.0.clone(), state.clone());
    state.work(move || answer(&shared, &engine, sent, &*steps, form)).await
}

async fn last_line(state: Arc<State>, sent: SentQuestion, steps: Arc<WorkSteps>) -> LastLine {
    match in_json(&state, sent, steps).await {
        Ok(json) => LastLine::Done(json),
        Err(failure) => LastLine::Error(failure.into_body().error),
    }
}

async fn in_json(
    state: &Arc<State>,
    sent: SentQuestion,
    steps: Arc<WorkSteps>,
) -> Result<Box<RawValue>, Failure> {
    let engine = state.served.current()?.engines.get(sent.qi.clone()).await?;
    let answered = aside(state, engine, sent, steps, AS_JSON).await?;
    let text = String::from_utf8(answered.content).map_err(|_| Failure::internal())?;
    RawValue::from_string(text).map_err(|_| Failure::internal())
}

/// Answers with the files that this server may read on request: its own publications.
fn answer(
    state: &State,
    engine: &Engine,
    mut sent: SentQuestion,
    progress: &dyn Progress,
    form: AnswerForm,
) -> Result<Document, Error> {
    let files = |name: &Path| stored(state, name);
    let asking = Asking { engine, progress, files: &files };
    read_workloads(sent.asked.measures_mut(), &asking)?;
    form(&*sent.asked, &asking)
}

/// Returns the file of a publication that this server keeps for download, named `ID/FILE`.
fn stored(state: &State, name: &Path) -> Result<PathBuf, Error> {
    let name = name.to_str().and_then(|name| name.split_once('/'));
    name.and_then(|(id, file)| state.publications.file(id, file)).ok_or_else(|| {
        let what = "there is no such publication; a question over HTTP names no other file";
        let fix =
            "name ID/FILE of a download, or publish again: old publications make room for new ones";
        Error::of_kind(ErrorKind::NotFound, what, fix)
    })
}

fn sent_document(document: Document) -> Response {
    let Document { name, media_type, content } = document;
    let mut response = ([(header::CONTENT_TYPE, media_type)], content).into_response();
    let attachment = name.map(|name| format!("attachment; filename=\"{name}\""));
    if let Some(value) = attachment.and_then(|text| text.parse().ok()) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

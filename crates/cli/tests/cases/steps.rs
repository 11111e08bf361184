//! Carries out what a case says and compares the answers.

use haggle::queries::{QueriedPublication, QueryAsk, QueryDomain, SuppressedRecords, query};
use haggle::{Ask, Choice, Engine, Error, FrontAxes, MeasureSpec, Project, Scheme, Silent};
use serde::Deserialize;
use serde_json::{Value, json};

use super::format::{CaseFile, Section, project, records};
use crate::common::{Folder, holds};

/// Carries out the sections in order; an error says what is not so.
pub(super) fn carry_out(case: &CaseFile) -> Result<(), String> {
    let folder = Folder::empty();
    for section in &case.0 {
        let Section { kind, rest, .. } = section;
        step(&folder, section).map_err(|why| format!("--- {kind} {rest}\n{why}"))?;
    }
    Ok(())
}

fn step(folder: &Folder, Section { kind, rest, body }: &Section) -> Result<(), String> {
    match kind.as_str() {
        "file" => folder.write(rest, body),
        "project" => folder.write("haggle.toml", project(rest, body)),
        "records" => folder.write("d.csv", records(body)?),
        "run" => run(folder, rest, body)?,
        "has" => contains(folder, rest, true)?,
        "lacks" => contains(folder, rest, false)?,
        question => answered(folder, question, rest, body)?,
    }
    Ok(())
}

/// Runs a command line, which ends with the code before it, else with 0. Its output has these lines in
/// this order, or is JSON that holds this.
fn run(folder: &Folder, line: &str, expected: &str) -> Result<(), String> {
    let (code, line) = match line.split_once(" haggle ") {
        Some((code, line)) => (code.parse().map_err(|_| format!("'{code}' is no code"))?, line),
        None => (0, line.strip_prefix("haggle ").ok_or("a line begins with haggle")?),
    };
    let run = folder.strict_shell(&format!("haggle {line}"));
    if code == 2 && !run.stdout.is_empty() {
        return Err(format!("an error is printed after an answer\n{}", run.stdout));
    }
    if run.code != Some(code) {
        return Err(format!("ended with {:?}\n{}{}", run.code, run.stdout, run.stderr));
    }
    if expected.trim_start().starts_with('{') {
        let found = serde_json::from_str(&run.stdout).map_err(|error| error.to_string())?;
        return compare(&found, expected);
    }
    let printed = run.printed(code);
    let mut lines = printed.lines().map(str::trim);
    for expected in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !lines.any(|line| line == expected) {
            return Err(format!("printed no line '{expected}':\n{printed}"));
        }
    }
    Ok(())
}

/// `TEXT: FILE FILE …`: whether each of the files has the text.
fn contains(folder: &Folder, rest: &str, expected: bool) -> Result<(), String> {
    let (text, files) = rest.rsplit_once(": ").ok_or("TEXT: FILE FILE …")?;
    for file in files.split_whitespace() {
        let bytes = std::fs::read(folder.file(file)).map_err(|error| format!("{file}: {error}"))?;
        if String::from_utf8_lossy(&bytes).contains(text) != expected {
            return Err(format!("{file} {} '{text}'", if expected { "lacks" } else { "has" }));
        }
    }
    Ok(())
}

/// Asks the library, without a process, and compares the answer or the error.
fn answered(folder: &Folder, question: &str, body: &str, expected: &str) -> Result<(), String> {
    let body: Value = serde_json::from_str(if body.is_empty() { "{}" } else { body })
        .map_err(|error| format!("the question is no JSON: {error}"))?;
    let answer = Project::open(folder.path())
        .and_then(|project| Engine::builder(&project).open())
        .and_then(|engine| answer(&engine, question, body));
    match (answer, expected.trim().strip_prefix("error: ")) {
        (Ok(found), None) => compare(&found, expected),
        (Err(error), Some(expected)) if error.to_string().contains(expected) => Ok(()),
        (Ok(found), Some(_)) => Err(format!("it has an answer: {found}")),
        (Err(error), _) => Err(format!("{error}")),
    }
}

/// The fields of questions that are none of the request.
#[derive(Deserialize)]
struct Fields {
    scheme: Option<Scheme>,
    #[serde(default = "MeasureSpec::plain")]
    loss: MeasureSpec,
    #[serde(default)]
    condition: String,
    of: Option<String>,
}

/// The answer to a question as JSON.
fn answer(engine: &Engine, question: &str, mut body: Value) -> Result<Value, Error> {
    let fields = ["scheme", "loss", "condition", "of"];
    let object = body.as_object_mut().ok_or_else(|| malformed("a question is an object"))?;
    let taken = fields.iter().filter_map(|field| object.remove_entry(*field)).collect();
    let fields: Fields = serde_json::from_value(Value::Object(taken)).map_err(malformed)?;
    let ask: Ask = serde_json::from_value(body).map_err(malformed)?;
    match question {
        "ask" => {
            engine.prepare(&ask, &engine.measures(&ask), &Silent)?;
            Ok(json!(engine.ask(&ask)?))
        }
        "study" => {
            engine.prepare(&ask, &[], &Silent)?;
            Ok(json!(engine.study_in_full(&ask)?))
        }
        "pareto" => {
            engine.prepare(&ask, std::slice::from_ref(&fields.loss), &Silent)?;
            Ok(json!(engine.front(&ask, &fields.loss, FrontAxes::with_suppression(false))?))
        }
        "why" => {
            engine.prepare(&ask, &[], &Silent)?;
            let scheme = engine.named_or_best(&ask, fields.scheme.as_ref())?;
            Ok(json!(engine.why(&ask, &scheme, &fields.loss)?))
        }
        "query" => {
            let scheme = engine.named_or_best(&ask, fields.scheme.as_ref())?;
            let recoding = Choice::Scheme(scheme);
            let suppressed = SuppressedRecords::default();
            let publication = QueriedPublication { recoding, ask, suppressed };
            let asked = QueryAsk {
                condition: fields.condition,
                of: fields.of,
                group_by: None,
                domain: QueryDomain::default(),
            };
            Ok(json!(query(engine, &publication, &asked, &Silent)?))
        }
        other => Err(malformed(format!("a case has no section '{other}'"))),
    }
}

fn malformed(what: impl std::fmt::Display) -> Error {
    Error::new(what.to_string(), "see the README of the cases")
}

/// Whether an answer holds what is expected; objects may have more fields.
fn compare(found: &Value, expected: &str) -> Result<(), String> {
    let expected: Value = serde_json::from_str(expected)
        .map_err(|error| format!("the expected answer is no JSON: {error}"))?;
    if holds(found, &expected) { Ok(()) } else { Err(format!("the answer is {found:#}")) }
}

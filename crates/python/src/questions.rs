//! What a lattice can be asked: every question of the catalog, by its id.

use std::path::PathBuf;

use haggle::questions::{
    AnyAsked, Asked, Asking, BodyFields, Questions, ReportQuestion, any_file, read_workloads,
};
use haggle::report::{ReportFile, report};
use haggle::{Ask, Engine, Error, Progress};
use serde::de::DeserializeOwned;

/// A question as Python asks it.
pub(crate) struct NamedQuestion(Box<dyn AnyAsked>);

impl NamedQuestion {
    /// Reads the body of the question of an id.
    pub(crate) fn read(id: &str, body: &str) -> Result<Self, Error> {
        let entry = *Questions::default().find(id)?;
        let asked = (entry.read)(fields(body)?).map_err(|error| malformed(&error))?;
        Ok(Self(asked))
    }

    /// Returns whether it is answered so soon that it needs no thread of its own.
    pub(crate) fn is_quick(&self, engine: &Engine) -> bool {
        self.0.is_quick(engine)
    }

    /// Answers with JSON.
    pub(crate) fn answer(
        mut self,
        engine: &Engine,
        progress: &dyn Progress,
    ) -> Result<String, Error> {
        let asking = Asking { engine, progress, files: &any_file };
        read_workloads(self.0.measures_mut(), &asking)?;
        let answered = self.0.answer_json(&asking)?;
        Ok(String::from_utf8_lossy(&answered.content).into_owned())
    }
}

/// Writes the report that a body describes into a file, whose ending says the format unless the body
/// does; returns its text.
pub(crate) fn write_report(
    engine: &Engine,
    body: &str,
    path: PathBuf,
    force: bool,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let mut fields = fields(body)?;
    let format = fields.take("format").map_err(|error| malformed(&error))?;
    let format = match format {
        Some(format) => format,
        None => ReportFile::at(&path)?.format(),
    };
    let asked = Asked::<ReportQuestion>::read(fields).map_err(|error| malformed(&error))?;
    let file = ReportFile::new(path, format).replacing(force);
    file.check()?;
    let asking = Asking { engine, progress, files: &any_file };
    let report = report(&asked.question, &asked.request, &asking)?;
    file.write(&report)?;
    Ok(report.text(format))
}

/// Words what is wrong with a body.
pub(crate) fn malformed(error: &serde_json::Error) -> Error {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    Error::new(what, "see the documentation of the method for what it takes")
}

/// Reads the fields of a body.
pub(crate) fn fields(body: &str) -> Result<BodyFields, Error> {
    BodyFields::parse(body.as_bytes()).map_err(|error| malformed(&error))
}

/// Splits a body into a request and the fields of what is asked with it.
pub(crate) fn split<E: DeserializeOwned>(body: &str) -> Result<(Ask, E), Error> {
    let (own, ask) = fields(body)?.split().map_err(|error| malformed(&error))?;
    Ok((ask, own))
}

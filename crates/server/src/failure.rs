//! Why a request was not answered: a status and problems in words, never a record.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use haggle::Problem;
use serde::Serialize;
use utoipa::ToSchema;

/// An error as it is sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// What is wrong.
    pub(crate) error: ProblemList,
}

/// Everything that is wrong, found in one go.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProblemList {
    /// At least one.
    pub(crate) problems: Vec<ToldProblem>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ToldProblem {
    /// What.
    what: String,
    /// Where, if that is in a file.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl From<Problem> for ToldProblem {
    fn from(problem: Problem) -> Self {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        Self { place: some(problem.at.to_string()), what: problem.what, fix: some(problem.fix) }
    }
}

/// Why a request was not answered.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    problems: Vec<ToldProblem>,
}

impl Failure {
    /// One problem with what to do about it.
    pub(crate) fn new(status: StatusCode, what: &str, fix: &str) -> Self {
        Self { status, problems: vec![Problem::new(what).fix(fix).into()] }
    }

    /// An internal error: no request should cause it.
    pub(crate) fn internal() -> Self {
        let fix = "please report what you did";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong in haggle", fix)
    }

    /// The same in plain text, for a person who opened an address.
    pub(crate) fn into_text(self) -> Response {
        let line = |problem: &ToldProblem| {
            let fix = problem.fix.as_deref().unwrap_or_default();
            format!("{}\n{fix}\n", problem.what)
        };
        let text: String = self.problems.iter().map(line).collect();
        (self.status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
    }

    /// Returns the body of the response.
    pub(crate) fn into_body(self) -> ErrorBody {
        ErrorBody { error: ProblemList { problems: self.problems } }
    }
}

impl From<haggle::Error> for Failure {
    fn from(error: haggle::Error) -> Self {
        let problems = error.into_problems().into_iter().map(ToldProblem::from).collect();
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, problems }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.status;
        let json = serde_json::to_vec(&self.into_body()).unwrap_or_default();
        (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
    }
}

//! Why a request was not answered: a status, a kind and problems in words, never a record.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use haggle::{ErrorKind, Problem, Remedy};
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
    /// What programs can match, such as `data-changed`.
    pub(crate) kind: &'static str,
    /// At least one.
    pub(crate) problems: Vec<ReportedProblem>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ReportedProblem {
    /// What.
    what: String,
    /// Where, if that is in a file.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl From<Problem> for ReportedProblem {
    fn from(problem: Problem) -> Self {
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let fix = some(worded(&problem.fix));
        Self { place: some(problem.at.to_string()), what: problem.what, fix }
    }
}

/// Returns what to do, with the fields of a request that help.
fn worded(remedy: &Remedy) -> String {
    match remedy {
        Remedy::RaiseMemory(or) => format!("start the server with more memory, {or}"),
        Remedy::StateOnly => {
            "request what the project requests, or set `only` to true if less is intended".into()
        }
        Remedy::AllowReplacing => format!("{remedy} with `replace`"),
        Remedy::RaiseTimeLimit => format!("{remedy} (`time_limit`, `strategy`)"),
        Remedy::AnnotateAll => "choose fewer quasi-identifiers with `qi`".into(),
        Remedy::NameThreshold => format!("{remedy}, in `privacy`"),
        Remedy::StartAgain => "ask again; the server reads the data anew".into(),
        _ => remedy.to_string(),
    }
}

/// Returns the status of an error by its kind.
fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::BadInput | ErrorKind::Unsupported => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::RefusedByPolicy => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict | ErrorKind::DataChanged | ErrorKind::BrokenPromise => {
            StatusCode::CONFLICT
        }
        ErrorKind::OutOfMemory => StatusCode::INSUFFICIENT_STORAGE,
        ErrorKind::TimedOut | ErrorKind::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the kind of an error that only a server has, by its status.
fn kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "unauthorized",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::TOO_MANY_REQUESTS => "too-many-requests",
        StatusCode::INTERNAL_SERVER_ERROR => "internal",
        StatusCode::NOT_FOUND => ErrorKind::NotFound.as_str(),
        StatusCode::INSUFFICIENT_STORAGE => ErrorKind::Io.as_str(),
        StatusCode::REQUEST_TIMEOUT | StatusCode::SERVICE_UNAVAILABLE => {
            ErrorKind::TimedOut.as_str()
        }
        _ => ErrorKind::BadInput.as_str(),
    }
}

/// Why a request was not answered.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    kind: &'static str,
    problems: Vec<ReportedProblem>,
}

impl Failure {
    /// One problem with what to do about it.
    pub(crate) fn new(status: StatusCode, what: &str, fix: &str) -> Self {
        Self { status, kind: kind(status), problems: vec![Problem::new(what).fix(fix).into()] }
    }

    /// An internal error: no request should cause it.
    pub(crate) fn internal() -> Self {
        let fix = "please report what you did";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong in haggle", fix)
    }

    /// Returns the failure as plain text, for a person who opened an address.
    pub(crate) fn into_text(self) -> Response {
        let line = |problem: &ReportedProblem| {
            let fix = problem.fix.as_deref().unwrap_or_default();
            format!("{}\n{fix}\n", problem.what)
        };
        let text: String = self.problems.iter().map(line).collect();
        (self.status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
    }

    /// Returns the body of the response.
    pub(crate) fn into_body(self) -> ErrorBody {
        ErrorBody { error: ProblemList { kind: self.kind, problems: self.problems } }
    }
}

impl From<haggle::Error> for Failure {
    fn from(error: haggle::Error) -> Self {
        let kind = error.kind();
        let problems = error.into_problems().into_iter().map(ReportedProblem::from).collect();
        Self { status: status(kind), kind: kind.as_str(), problems }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.status;
        let json = serde_json::to_vec(&self.into_body()).unwrap_or_default();
        (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the table of kinds in the reference: kind, status and Python class.
    fn documented() -> Vec<[String; 3]> {
        let page = include_str!("../../../docs/reference/errors.md");
        let cells = |line: &str| -> Option<[String; 3]> {
            let cells = line.strip_prefix("| `")?.split('|').skip(1);
            let first = line.split('`').nth(1)?.to_owned();
            let rest: Vec<String> = cells.map(|cell| cell.trim().replace('`', "")).collect();
            Some([first, rest.get(1)?.clone(), rest.get(2)?.clone()])
        };
        page.lines().filter_map(cells).collect()
    }

    #[test]
    fn every_kind_is_documented_with_its_status_and_its_class_in_python() {
        let class = |kind: ErrorKind| match kind {
            ErrorKind::Io => "IoProblem".to_owned(),
            kind => format!("{kind:?}"),
        };
        let expected: Vec<[String; 3]> = ErrorKind::ALL
            .into_iter()
            .map(|kind| [kind.to_string(), status(kind).as_u16().to_string(), class(kind)])
            .collect();
        assert_eq!(documented(), expected);
    }

    #[test]
    fn a_body_has_the_kind_and_words_remedies_with_fields() {
        let refused = ErrorKind::RefusedByPolicy;
        let error = haggle::Error::of_kind(refused, "k = 3 is weaker", Remedy::StateOnly);
        let failure = Failure::from(error);
        assert_eq!(failure.status, StatusCode::FORBIDDEN);
        let body = serde_json::to_value(failure.into_body()).unwrap();
        assert_eq!(body["error"]["kind"], "refused-by-policy");
        let fix = body["error"]["problems"][0]["fix"].as_str().unwrap();
        assert!(fix.contains("`only`"), "{fix}");
    }
}

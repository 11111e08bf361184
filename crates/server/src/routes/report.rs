//! `POST /api/report`: a report on a publication as a file, the same as `haggle report` writes.

use std::path::PathBuf;

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use haggle::report::{ReportAsk, ReportForm, ReportFormat, gather};
use haggle::utility::UtilityAsk;
use haggle::{Ask, Engine, Progress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::{Shared, State};

/// Which report: its readers, its format, the scheme and what is predicted.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct WantedReport {
    /// Who may read it.
    #[serde(default)]
    form: WantedForm,
    /// The format of the file.
    #[serde(default)]
    format: WantedFormat,
    /// A publication of this server whose promise is measured again: `ID/FILE` of its download.
    #[serde(default)]
    published: Option<String>,
    #[serde(flatten)]
    utility: UtilityAsk,
}

impl ExtraFields for WantedReport {
    const FIELDS: &'static [&'static str] = &[
        "form",
        "format",
        "published",
        "scheme",
        "target",
        "held_out",
        "seed",
        "support",
        "confidence",
        "rule_length",
    ];
}

/// Who may read a report.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum WantedForm {
    /// Everybody: it follows from the published records.
    #[default]
    Public,
    /// The curator and the data-protection officer.
    Private,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum WantedFormat {
    /// A page that needs nothing else.
    #[default]
    Html,
    /// Text with tables.
    Md,
    /// The numbers.
    Json,
}

impl WantedForm {
    /// The form, and the name of the file without its ending.
    fn named(self) -> (ReportForm, &'static str) {
        match self {
            Self::Public => (ReportForm::Public, "report"),
            Self::Private => (ReportForm::Private, "report-private"),
        }
    }
}

impl WantedFormat {
    /// The format, its ending and its media type.
    fn described(self) -> (ReportFormat, &'static str, &'static str) {
        match self {
            Self::Html => (ReportFormat::Html, "html", "text/html; charset=utf-8"),
            Self::Md => (ReportFormat::Markdown, "md", "text/markdown; charset=utf-8"),
            Self::Json => (ReportFormat::Json, "json", "application/json"),
        }
    }
}

/// A report on a publication, public or private, as a file
#[utoipa::path(post, path = "/api/report", request_body = Asked<WantedReport>, responses(
    (status = 200, content(
        (String = "text/html"),
        (String = "text/markdown"),
        (Object = "application/json"),
    )),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn report(
    state: Shared,
    asked: Asked<WantedReport>,
) -> Result<impl IntoResponse, Failure> {
    let WantedReport { form, format, published, utility } = asked.extra;
    let published = published.map(|file| stored(&state, &file)).transpose()?;
    let (form, name) = form.named();
    let (format, ending, kind) = format.described();
    let text = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        let request = ask.clone();
        let ask = ReportAsk { request, utility, queries: None, published, form };
        Ok(format.text(&gather(engine, &ask, progress)?))
    };
    let text = state.ask_aside(asked.qi, asked.ask, text).await?;
    let attachment = format!("attachment; filename=\"{name}.{ending}\"");
    let headers =
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, attachment)];
    Ok((headers, text))
}

/// Returns the file of a publication that this server keeps for download.
fn stored(state: &State, file: &str) -> Result<PathBuf, Failure> {
    let path = file.split_once('/').and_then(|(id, name)| state.publications.file(id, name));
    path.ok_or_else(|| {
        let fix = "publish again; old publications make room for new ones";
        Failure::new(StatusCode::NOT_FOUND, "there is no such publication", fix)
    })
}

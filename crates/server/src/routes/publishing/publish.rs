//! `POST /api/publish`: the same verified publication as on the command line, with progress.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{FromRequest, Request};
use axum::response::Response;
use haggle::publishing::{
    PrivateManifest, PublishOptions, PublishRequest, PublishTarget, Readers, Refusal, Replace,
};
use haggle::questions::BodyFields;
use haggle::{Ask, Engine, Project, PublicationReport, WithDeadline};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Secret;
use crate::body;
use crate::failure::{ErrorBody, Failure, ProblemList};
use crate::private_files;
use crate::state::{Shared, State};
use crate::steps::WorkSteps;
use crate::storage::{Receipt, StoredPublication};
use crate::stream::{UnderwayLine, stream};

/// A publication as HTTP asks for it: a request, what is published, and the file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PublishBody {
    /// The quasi-identifiers, in order; the project's if not given.
    qi: Option<Vec<String>>,
    #[serde(flatten)]
    ask: Ask,
    #[serde(flatten)]
    publish: PublishRequest,
    #[serde(flatten)]
    file: FileOptions,
}

impl PublishBody {
    fn parse(body: &[u8]) -> Result<Self, serde_json::Error> {
        let mut fields = BodyFields::parse(body)?;
        let qi = fields.take("qi")?;
        let (file, rest) = fields.split::<FileOptions, BodyFields>()?;
        let (publish, ask) = rest.split()?;
        Ok(Self { qi, ask, publish, file })
    }
}

impl<S: Send + Sync> FromRequest<S> for PublishBody {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let body = body::read(request.into_body()).await?;
        Self::parse(&body).map_err(|error| body::malformed(&error))
    }
}

/// The file that is written.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
struct FileOptions {
    /// The format of the file.
    format: FileFormat,
    /// The name of a new file in the project's folder; without one, the file is for download.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

/// The format of a published file.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum FileFormat {
    /// Comma-separated text.
    #[default]
    Csv,
    /// Columns.
    Parquet,
}

impl FileFormat {
    fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// The last line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PublishEnded {
    /// The file is there and its promise is proved.
    Done(PublishedFiles),
    /// The answer is no.
    Refused(Refusal),
    /// It could not be done.
    Error(ProblemList),
}

/// What was published, and where it can be downloaded.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PublishedFiles {
    report: Box<PublicationReport>,
    /// The paths of data, manifest, mapping and private manifest, and of the table of sensitive
    /// values where two tables are published.
    downloads: BTreeMap<&'static str, String>,
}

/// A line of the answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it says what a line may be
pub(crate) enum PublishLine {
    /// On the way.
    UnderwayLine(UnderwayLine),
    /// The last.
    PublishEnded(PublishEnded),
}

/// A publication, proved from what was written, with progress; closing the connection stops the
/// work
#[utoipa::path(post, path = "/api/publish", request_body = PublishBody, responses(
    (status = 200, content_type = "application/x-ndjson", body = inline(PublishLine)),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn publish(state: Shared, asked: PublishBody) -> Result<Response, Failure> {
    if !asked.ask.only {
        let engine = state.served.current()?.engines.get(asked.qi.clone()).await?;
        keeps_thresholds(&engine, &asked.ask)?;
    }
    let steps = state.underway.begin();
    Ok(stream(steps.clone(), last(state.0, asked, steps)))
}

/// Returns an error if the request is weaker than the project's without `only`.
fn keeps_thresholds(engine: &Engine, ask: &Ask) -> Result<(), Failure> {
    let weaker = engine.weakened(&ask.or(engine.defaults()))?;
    if weaker.is_empty() {
        return Ok(());
    }
    let what: Vec<String> = weaker.iter().map(ToString::to_string).collect();
    let refused = haggle::ErrorKind::RefusedByPolicy;
    Err(haggle::Error::of_kind(refused, what.join("; "), haggle::Remedy::StateOnly).into())
}

async fn last(state: Arc<State>, asked: PublishBody, steps: Arc<WorkSteps>) -> PublishEnded {
    let ended = published(state, asked, steps).await;
    ended.unwrap_or_else(|failure| PublishEnded::Error(failure.into_body().error))
}

async fn published(
    state: Arc<State>,
    asked: PublishBody,
    steps: Arc<WorkSteps>,
) -> Result<PublishEnded, Failure> {
    let served = state.served.current()?;
    let engine = served.engines.get(asked.qi.clone()).await?;
    let shared = state.clone();
    let write = move || Ok(write(&shared, &served.project, &engine, asked, &steps));
    state.work(write).await.flatten()
}

/// Writes into a folder of our own, or into the project's; in the end the files can be downloaded.
fn write(
    state: &State,
    project: &Project,
    engine: &Engine,
    asked: PublishBody,
    steps: &WorkSteps,
) -> Result<PublishEnded, Failure> {
    let request = serde_json::to_value(&asked).map_err(|_| Failure::internal())?;
    let PublishBody { ask, publish, file: FileOptions { format, output }, .. } = asked;
    let progress = &WithDeadline::after(steps, publish.search_time()?);
    let described = PublishOptions::of_request(publish, ask)?;
    let folder = state.folder.subfolder().map_err(|_| Failure::internal())?;
    let name = output.clone().unwrap_or_else(|| format!("data.{}", format.ending()));
    let path = match output {
        Some(output) => project.output(&output, format.ending())?,
        None => folder.path().join(&name),
    };
    let private = folder.path().join("private");
    private_files::create_private_folder(&private).map_err(|_| Failure::internal())?;
    // A publication may be read by everyone; one that was not downloaded yet may not.
    let is_ours = path.starts_with(folder.path());
    let readers = if is_ours { Readers::Owner } else { Readers::AsUsual };
    let options = PublishOptions {
        to: PublishTarget::File(path),
        replace: Replace::Nothing,
        readers,
        private: Some(private.clone()),
        memory: state.memory,
        progress,
        ..described
    };
    let report = match haggle::publishing::publish(engine, project, &options)?.into_report() {
        Ok(report) => report,
        Err(refusal) => return Ok(PublishEnded::Refused(refusal)),
    };
    let mapping = private.join("mapping.csv");
    let policy = PrivateManifest::open(&private.join("policy.json"))?;
    private_files::write_private(&mapping, &policy.mapping_csv())
        .map_err(|_| Failure::internal())?;
    let manifest = format!("{name}.manifest.json");
    let mut files = vec![
        ("data", name.clone(), report.output.clone()),
        ("manifest", manifest, report.manifest.clone().unwrap_or_default()),
        ("mapping", "mapping.csv".into(), mapping),
        ("private", "policy.json".into(), private.join("policy.json")),
    ];
    if let Some(anatomy) = &report.anatomy {
        let name = anatomy.sensitive.file_name().unwrap_or_default().to_string_lossy();
        files.push(("sensitive", name.into_owned(), anatomy.sensitive.clone()));
    }
    let id = Secret::random().map_err(|_| Failure::internal())?.into_name();
    let address = |name: &str| format!("/api/published/{id}/{}", encoded(name));
    let downloads: BTreeMap<&'static str, String> =
        files.iter().map(|(what, name, _)| (*what, address(name))).collect();
    let files: BTreeMap<String, PathBuf> =
        files.into_iter().map(|(_, name, path)| (name, path)).collect();
    let report = Box::new(report.with_names_only());
    state.publications.keep(StoredPublication { id: id.clone(), files, folder });
    keep_receipt(state, id, request, &report, &downloads);
    Ok(PublishEnded::Done(PublishedFiles { report, downloads }))
}

/// Keeps the receipt of a publication, for this server and the next.
fn keep_receipt(
    state: &State,
    id: String,
    request: serde_json::Value,
    report: &PublicationReport,
    downloads: &BTreeMap<&'static str, String>,
) {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let report = serde_json::to_value(report).unwrap_or_default();
    let downloads = downloads.iter().map(|(&what, path)| (what.to_owned(), path.clone())).collect();
    let receipt = Receipt { id, time, request, report, downloads };
    state.memory_of_sessions.remember_receipt(receipt.clone());
    state.receipts.add(receipt);
}

/// What need not be encoded in a path.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_');

fn encoded(name: &str) -> String {
    utf8_percent_encode(name, &PLAIN).to_string()
}

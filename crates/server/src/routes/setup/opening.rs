//! `POST /api/setup/upload` and `POST /api/setup/open`: a table to set up, sent by the page or named by
//! it.

use std::io::Write;
use std::path::{Path, PathBuf};

use axum::body::{Body, HttpBody as _};
use axum::http::{StatusCode, Uri};
use bytes::Bytes;
use haggle::Error;
use haggle::setup::{SetupSource, SetupTable, TableSetup};
use http_body_util::BodyExt;
use hyper::body::Frame;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tempfile::TempDir;
use utoipa::ToSchema;

use super::super::Json;
use super::{without_folder, work};
use crate::access::Secret;
use crate::body::{BODY_TIMEOUT, JsonBody, too_slow};
use crate::failure::{ErrorBody, Failure};
use crate::private_files::{create_private_folder, open_private};
use crate::state::{Shared, State};
use crate::storage::{StoredDraft, plain_name};

/// Opens a table that is sent as the body: CSV, Parquet, or compressed CSV. It is kept in a private
/// folder until it is discarded or the server ends
#[utoipa::path(post, path = "/api/setup/upload",
    params(("name" = String, Query, description = "the name of the file")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = SetupTable), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn upload(
    state: Shared,
    uri: Uri,
    body: Body,
) -> Result<Json<SetupTable>, Failure> {
    let name = plain_name(&name_in(&uri));
    let folder = state.folder.subfolder().map_err(|_| Failure::internal())?;
    let file = place_for(&folder, &name)?;
    receive(&file, body, state.drafts.upload_limit).await?;
    let private = folder.path().to_owned();
    let setup = work(&state, move |steps| {
        TableSetup::of_file(&file, steps).map_err(|error| without_folder(error, &private))
    });
    let setup = setup.await?.uploaded();
    keep(&state, name, SetupSource::Uploaded, setup, Some(folder))
}

/// The file name that the address states.
fn name_in(uri: &Uri) -> String {
    let mut pairs = uri.query().unwrap_or_default().split('&');
    let name = pairs.find_map(|pair| pair.strip_prefix("name=")).unwrap_or_default();
    percent_decode_str(&name.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// A folder named like the table, because a project is named like its folder.
fn place_for(folder: &TempDir, name: &str) -> Result<PathBuf, Failure> {
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("table");
    let inner = folder.path().join(stem);
    create_private_folder(&inner).map_err(|_| Failure::internal())?;
    Ok(inner.join(name))
}

/// Writes what is sent, as it arrives; a file that is too large is not kept.
async fn receive(file: &Path, mut body: Body, limit: u64) -> Result<(), Failure> {
    if body.size_hint().lower() > limit {
        return Err(too_large(limit));
    }
    let mut output = open_private(file).map_err(|_| Failure::internal())?;
    let mut bytes = 0;
    while let Some(frame) = next_frame(&mut body).await? {
        let Ok(data) = frame.into_data() else { continue };
        bytes += data.len() as u64;
        if bytes > limit {
            return Err(too_large(limit));
        }
        tokio::task::block_in_place(|| output.write_all(&data)).map_err(|_| {
            let fix = "make room on the disk, or start haggle with the path of the file";
            Failure::new(StatusCode::INSUFFICIENT_STORAGE, "the file cannot be stored", fix)
        })?;
    }
    if bytes == 0 {
        let fix = "choose a CSV or Parquet file that holds a table";
        return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "the file is empty", fix));
    }
    Ok(())
}

/// The next part of a file that is sent; an error if it does not come in time.
async fn next_frame(body: &mut Body) -> Result<Option<Frame<Bytes>>, Failure> {
    let next = tokio::time::timeout(BODY_TIMEOUT, body.frame()).await.map_err(|_| too_slow())?;
    next.transpose().map_err(|_| {
        let fix = "send the file again";
        Failure::new(StatusCode::BAD_REQUEST, "the file did not arrive as a whole", fix)
    })
}

fn too_large(limit: u64) -> Failure {
    let what = format!("the file is larger than {} MB", limit.div_ceil(1 << 20));
    let fix = "start haggle with its path instead: haggle serve FILE";
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, &what, fix)
}

/// A table that haggle can read itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenedSource {
    /// The table that the server was started with, the project that is served, or a table of a
    /// database.
    source: SetupSource,
    /// The address of the database; its password is not written anywhere.
    #[serde(default)]
    url: Option<String>,
    /// The table of the database.
    #[serde(default)]
    table: Option<String>,
}

/// Opens the table that the server was started with, the project that is served, or a table of a
/// database
#[utoipa::path(post, path = "/api/setup/open", request_body = OpenedSource,
    responses((status = 200, body = SetupTable), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn open(
    state: Shared,
    JsonBody(opened): JsonBody<OpenedSource>,
) -> Result<Json<SetupTable>, Failure> {
    match opened.source {
        SetupSource::Given => given(&state).await,
        SetupSource::Project => project(&state).await,
        SetupSource::Database => database(&state, opened).await,
        SetupSource::Uploaded => {
            let fix = "send the file to /api/setup/upload";
            Err(Error::new("a file is sent, not opened", fix).into())
        }
    }
}

async fn given(state: &State) -> Result<Json<SetupTable>, Failure> {
    let table = state.drafts.table.clone().ok_or_else(|| {
        Error::new("haggle was not started with a table", "send one, or start haggle with its path")
    })?;
    let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let setup = work(state, move |steps| TableSetup::of_file(&table, steps)).await?;
    keep(state, name, SetupSource::Given, setup, None)
}

async fn project(state: &State) -> Result<Json<SetupTable>, Failure> {
    let project = state.served.current()?.project.clone();
    let name = project.name();
    let setup = work(state, move |steps| TableSetup::of_project(&project, steps)).await?;
    keep(state, name, SetupSource::Project, setup, None)
}

async fn database(state: &State, opened: OpenedSource) -> Result<Json<SetupTable>, Failure> {
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let (Some(url), Some(table)) = (filled(opened.url), filled(opened.table)) else {
        let what = "a table of a database needs an address and a name";
        let fix = "state url, such as postgres://user@host:5432/database, and table";
        return Err(Error::new(what, fix).into());
    };
    let folder = state.folder.subfolder().map_err(|_| Failure::internal())?;
    let inner = folder.path().join(plain_name(&table));
    create_private_folder(&inner).map_err(|_| Failure::internal())?;
    let name = table.clone();
    let opening = work(state, move |steps| TableSetup::of_database(&url, &table, &inner, steps));
    keep(state, name, SetupSource::Database, opening.await?, Some(folder))
}

fn keep(
    state: &State,
    name: String,
    source: SetupSource,
    setup: TableSetup,
    folder: Option<TempDir>,
) -> Result<Json<SetupTable>, Failure> {
    let id = Secret::random().map_err(|_| Failure::internal())?.into_name();
    let draft = state.drafts.keep(StoredDraft::new(id, name, source, setup, folder));
    Ok(Json(draft.table()))
}

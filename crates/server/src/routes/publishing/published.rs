//! `GET /api/published/{id}/{file}`: a file of a publication, to keep.

use std::fs::File;
use std::io::Read;

use axum::body::Body;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use bytes::Bytes;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// Bytes read at a time.
const CHUNK: usize = 128 << 10;

/// A file of a publication
#[utoipa::path(get, path = "/api/published/{id}/{file}",
    params(
        ("id" = String, Path, description = "the publication"),
        ("file" = String, Path, description = "the file, as the publication named it"),
    ),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn published(
    state: Shared,
    Path((id, name)): Path<(String, String)>,
) -> Result<impl IntoResponse, Failure> {
    let file = state.publications.file(&id, &name).and_then(|path| File::open(path).ok());
    let file = file.ok_or_else(|| {
        let fix = "publish again; old publications make room for new ones";
        Failure::new(StatusCode::NOT_FOUND, "there is no such publication", fix)
    })?;
    let plain: String = name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    let attachment = format!("attachment; filename=\"{}\"", plain.replace(['"', '\\'], "_"));
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
    ];
    Ok((headers, Body::from_stream(ReceiverStream::new(read(file)))))
}

/// The file's bytes, read as fast as the client reads. A stalled client occupies no thread: each
/// chunk is read only when there is room for it.
fn read(mut file: File) -> mpsc::Receiver<std::io::Result<Bytes>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        // The client closed the connection.
        while let Ok(room) = sender.reserve().await {
            let reading = tokio::task::spawn_blocking(move || (chunk(&mut file), file));
            let Ok((read, rest)) = reading.await else { return };
            file = rest;
            let ends = read.as_ref().map_or(true, Bytes::is_empty);
            room.send(read);
            if ends {
                return;
            }
        }
    });
    receiver
}

/// The next bytes of a file; none at its end.
fn chunk(file: &mut File) -> std::io::Result<Bytes> {
    let mut chunk = vec![0; CHUNK];
    let bytes = file.read(&mut chunk)?;
    chunk.truncate(bytes);
    Ok(chunk.into())
}

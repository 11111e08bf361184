//! The page, embedded in the binary; or a note on how to build it.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::failure::Failure;

/// What building the page under `web/` made.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct BuiltPage;

/// Shown in place of a page that was not built.
const PLAIN: &str = include_str!("plain.html");

/// Whether the page has a file at this path; none of them contains data.
pub(crate) fn has(path: &str) -> bool {
    path == "/" || path == "/enter.js" || BuiltPage::get(name(path)).is_some()
}

fn name(path: &str) -> &str {
    match path {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    }
}

/// A file of the page.
pub(crate) async fn file(uri: Uri) -> Response {
    let path = name(uri.path());
    match BuiltPage::get(path) {
        Some(file) => ([(header::CONTENT_TYPE, kind(path))], file.data).into_response(),
        None if path == "index.html" => {
            ([(header::CONTENT_TYPE, kind(path))], PLAIN).into_response()
        }
        None => {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::NOT_FOUND, "there is nothing here", fix).into_response()
        }
    }
}

/// The media type of a file, by its ending.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "map" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

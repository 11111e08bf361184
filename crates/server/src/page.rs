//! The page, embedded in the binary, compressed where the browser accepts it; or a note on how to
//! build it.

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

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
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = name(uri.path());
    match BuiltPage::get(path) {
        Some(file) => sent(path, &file, &headers),
        None if path == "index.html" => {
            ([(header::CONTENT_TYPE, kind(path))], PLAIN).into_response()
        }
        None => {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::NOT_FOUND, "there is nothing here", fix).into_response()
        }
    }
}

/// The file, or that the browser already has it.
fn sent(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag = tag(file);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag);
    let mut response =
        if known { StatusCode::NOT_MODIFIED.into_response() } else { body(path, file, headers) };
    let own = response.headers_mut();
    own.insert(header::ETAG, tag);
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching(path)));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// The content, in the smallest form that the browser accepts.
fn body(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let kind = (header::CONTENT_TYPE, kind(path));
    for (encoding, ending) in ENCODINGS {
        let compressed = || BuiltPage::get(&format!("{path}.{ending}"));
        if let Some(compressed) = is_accepted(headers, encoding).then(compressed).flatten() {
            let encoding = (header::CONTENT_ENCODING, encoding);
            return ([kind, encoding], compressed.data).into_response();
        }
    }
    ([kind], file.data.clone()).into_response()
}

/// The compressed forms that building the page made, the smaller first.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Whether a browser accepts an encoding.
fn is_accepted(headers: &HeaderMap, encoding: &str) -> bool {
    let all = headers.get(header::ACCEPT_ENCODING).and_then(|all| all.to_str().ok());
    let mut each = all.unwrap_or_default().split(',').map(str::trim);
    each.any(|one| {
        one.split_once(';').map_or(one == encoding, |(name, quality)| {
            name.trim() == encoding && !matches!(quality.trim(), "q=0" | "q=0.0")
        })
    })
}

/// A name for the content of a file.
fn tag(file: &EmbeddedFile) -> HeaderValue {
    let digest: String =
        file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{digest}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Names in `assets` change with their content; other files are asked for again each time.
fn caching(path: &str) -> &'static str {
    if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encodings_of_a_browser_are_read() {
        let accepts = |all: &'static str, encoding: &str| {
            let headers = [(header::ACCEPT_ENCODING, HeaderValue::from_static(all))];
            is_accepted(&headers.into_iter().collect(), encoding)
        };
        assert!(accepts("gzip, deflate, br, zstd", "br"));
        assert!(accepts("gzip;q=0.8, br;q=1.0", "gzip"));
        assert!(!accepts("gzip, br;q=0", "br"));
        assert!(!accepts("gzip, brotli", "br"));
        assert!(!is_accepted(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn only_names_that_change_with_their_content_are_kept() {
        assert!(caching("assets/index-1a2b.js").contains("immutable"));
        assert_eq!(caching("index.html"), "no-cache");
    }
}

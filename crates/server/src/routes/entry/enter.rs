//! `GET /enter?code=…`: signs a browser in and sends it on to the page, whose address holds no secret.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::access::Credentials;
use crate::failure::Failure;
use crate::state::Shared;

/// Puts the secret into the storage of the page's origin and leaves for the page.
const SCRIPT: &str = include_str!("enter.js");

/// Signs a browser in: a cookie that scripts cannot read, and a secret that other ports cannot read.
pub(crate) async fn enter(
    state: Shared,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let code = uri.query().and_then(|query| query.strip_prefix("code=")).unwrap_or_default();
    // A browser that prefetches pages must not use up the code.
    if headers.contains_key("sec-purpose") || !state.guard.codes.take(code) {
        let fix = "an address works once, within five minutes; haggle says in its terminal how to \
                   get another";
        let what = "this address was used before, or is too old";
        return Err(Failure::new(StatusCode::UNAUTHORIZED, what, fix));
    }
    let Credentials { cookie, secret } =
        state.guard.sessions.start().map_err(|_| Failure::internal())?;
    state.memory_of_sessions.remember(&state.guard.sessions);
    let cookie = state.guard.set_cookie(&cookie).ok_or_else(Failure::internal)?;
    Ok(([(header::SET_COOKIE, cookie)], Html(page(secret.as_str()))).into_response())
}

fn page(secret: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"haggle-secret\" content=\"{secret}\">\n<title>haggle</title>\n\
         <script src=\"/enter.js\"></script>\n\
         <noscript>haggle negotiates with the help of JavaScript; please allow it.</noscript>\n"
    )
}

/// The script of the page that signs in.
pub(crate) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)
}

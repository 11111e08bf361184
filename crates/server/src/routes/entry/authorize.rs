//! The layer around every route: authorizes requests, limits their time, and adds the headers that keep
//! the page to itself.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State as Extracted};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;
use crate::listen::ConnectionPlace;
use crate::queue::Client;
use crate::state::State;

/// How long a response, or the first line of a streamed one, may take.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(2);

/// Only our own files are loaded, and no other site may show or read the page.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Runs before every route, the page included.
pub(crate) async fn authorize(
    Extracted(state): Extracted<Arc<State>>,
    request: Request,
    next: Next,
) -> Response {
    let for_people = !request.uri().path().starts_with("/api/");
    let mut response = match state.guard.check(&request) {
        Err(refused) if for_people => refused.into_text(),
        Err(refused) => refused.into_response(),
        Ok(client) if !has_place(&request, &client) => too_many().into_response(),
        Ok(client) => client.run(answer(request, next)).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Responses contain information about microdata, so they are not stored on disk; files of the
    // page contain none and say so.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether the connection of a request is within its client's share.
fn has_place(request: &Request, client: &Client) -> bool {
    let place = request.extensions().get::<ConnectionPlace>();
    place.is_none_or(|place| place.is_for(client))
}

fn too_many() -> Failure {
    let what = "too many requests of this client are under way";
    Failure::new(StatusCode::TOO_MANY_REQUESTS, what, "wait for their answers")
}

async fn answer(request: Request, next: Next) -> Response {
    tokio::time::timeout(ANSWER_TIMEOUT, next.run(request)).await.unwrap_or_else(|_| {
        let fix = "build the lattice first, and watch its progress";
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Failure::new(status, "this took too long", fix).into_response()
    })
}

//! The routes, one file each; every one is listed here and in the OpenAPI document.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::Serialize;

use crate::failure::Failure;
use crate::state::State;
use crate::{guard, page};

mod ask;
mod catalogs;
mod lattice;
mod project;
mod scheme;
mod suppressed;

/// All routes, the page, and the guard before them.
pub(crate) fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/api/project", get(project::project))
        .route("/api/lattice", post(lattice::lattice))
        .route("/api/models", get(catalogs::models))
        .route("/api/measures", get(catalogs::measures))
        .route("/api/ask", post(ask::ask))
        .route("/api/suppressed", post(suppressed::suppressed))
        .route("/api/scheme", post(scheme::scheme))
        .fallback(get(page::file))
        .method_not_allowed_fallback(async || {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "not in this way", fix)
        })
        .layer(middleware::from_fn_with_state(state.clone(), guard::stand))
        .with_state(state)
}

/// An answer in JSON.
struct Json<T>(T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(_) => Failure::internal().into_response(),
        }
    }
}

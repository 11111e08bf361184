//! The routes, one file each; every one is listed here and in the `OpenAPI` document.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::Serialize;

use crate::failure::Failure;
use crate::page;
use crate::state::State;

pub(crate) mod address;
pub(crate) mod ask;
mod authorize;
pub(crate) mod build;
pub(crate) mod catalogs;
pub(crate) mod compare;
pub(crate) mod cross_table;
pub(crate) mod data;
mod enter;
pub(crate) mod front;
pub(crate) mod instant;
pub(crate) mod lattice;
mod openapi;
pub(crate) mod pareto;
pub(crate) mod plot;
pub(crate) mod prepare;
pub(crate) mod preview;
pub(crate) mod project;
pub(crate) mod publications;
pub(crate) mod publish;
pub(crate) mod published;
pub(crate) mod query;
pub(crate) mod report;
pub(crate) mod risk;
pub(crate) mod scheme;
pub(crate) mod schemes;
pub(crate) mod setup;
pub(crate) mod study;
pub(crate) mod suppressed;
pub(crate) mod utility;
pub(crate) mod version;
pub(crate) mod why;

/// All routes, the page, and the guard before them.
pub(crate) fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/api/project", get(project::project))
        .route("/api/version", get(version::version))
        .route("/api/lattice", post(lattice::lattice))
        .route("/api/build", post(build::build))
        .route("/api/models", get(catalogs::models))
        .route("/api/measures", get(catalogs::measures))
        .route("/api/prepare", post(prepare::prepare))
        .route("/api/ask", post(ask::ask))
        .route("/api/suppressed", post(suppressed::suppressed))
        .route("/api/scheme", post(scheme::scheme))
        .route("/api/schemes", post(schemes::schemes))
        .route("/api/losses", post(schemes::losses))
        .route("/api/cross-table", post(cross_table::cross_table))
        .route("/api/study", post(study::study))
        .route("/api/pareto", post(pareto::pareto))
        .route("/api/front", post(front::front))
        .route("/api/compare", post(compare::compare))
        .route("/api/strategies", get(compare::strategies))
        .route("/api/predict", post(instant::predict))
        .route("/api/instant", post(instant::instant))
        .route("/api/firm", post(instant::firm))
        .route("/api/why", post(why::why))
        .route("/api/risk", post(risk::risk))
        .route("/api/query", post(query::query))
        .route("/api/utility", post(utility::utility))
        .route("/api/report", post(report::report))
        .route("/api/plot/{figure}/{format}", post(plot::plot))
        .route("/api/data", get(data::data))
        .route("/api/hierarchy/{attribute}", get(data::hierarchy))
        .route("/api/preview", post(preview::preview))
        .route("/api/publish", post(publish::publish))
        .route("/api/publications", get(publications::publications))
        .route("/api/published/{id}/{file}", get(published::published))
        .route("/api/setup", get(setup::status))
        .route("/api/setup/upload", post(setup::opening::upload))
        .route("/api/setup/open", post(setup::opening::open))
        .route("/api/setup/{id}", get(setup::table))
        .route("/api/setup/{id}/values/{column}", get(setup::values))
        .route("/api/setup/{id}/hierarchy", post(setup::planning::hierarchy))
        .route("/api/setup/{id}/check", post(setup::planning::check))
        .route("/api/setup/{id}/save", post(setup::planning::save))
        .route("/api/setup/{id}/serve", post(setup::planning::serve))
        .route("/api/setup/{id}/discard", post(setup::discard))
        .route("/api/openapi.json", get(openapi::description))
        .route("/api/address", post(address::address))
        .route("/enter", get(enter::enter))
        .route("/enter.js", get(enter::script))
        .fallback(get(page::file))
        .method_not_allowed_fallback(async || {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed here", fix)
        })
        .layer(middleware::from_fn_with_state(state.clone(), authorize::authorize))
        .with_state(state)
}

/// An answer in JSON.
pub(crate) struct Json<T>(T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(_) => Failure::internal().into_response(),
        }
    }
}

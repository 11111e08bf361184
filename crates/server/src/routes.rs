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

pub(crate) mod build;
pub(crate) mod catalogs;
pub(crate) mod data;
pub(crate) mod entry;
pub(crate) mod instant;
mod openapi;
pub(crate) mod project;
pub(crate) mod publishing;
pub(crate) mod questions;
pub(crate) mod setup;
pub(crate) mod version;

/// All routes, the page, and the guard before them.
pub(crate) fn router(state: Arc<State>) -> Router {
    questions::routes(&state.questions)
        .route("/api/project", get(project::project))
        .route("/api/version", get(version::version))
        .route("/api/build", post(build::build))
        .route("/api/models", get(catalogs::models))
        .route("/api/measures", get(catalogs::measures))
        .route("/api/strategies", get(catalogs::strategies))
        .route("/api/questions", get(catalogs::questions))
        .route("/api/predict", post(instant::predict))
        .route("/api/instant", post(instant::instant))
        .route("/api/firm", post(instant::firm))
        .route("/api/data", get(data::data))
        .route("/api/hierarchy/{attribute}", get(data::hierarchy))
        .route("/api/publish", post(publishing::publish::publish))
        .route("/api/publications", get(publishing::publications::publications))
        .route("/api/published/{id}/{file}", get(publishing::published::published))
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
        .route("/api/address", post(entry::address::address))
        .route("/enter", get(entry::enter::enter))
        .route("/enter.js", get(entry::enter::script))
        .fallback(get(page::file).fallback(async || {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::NOT_FOUND, "there is no such route", fix)
        }))
        .method_not_allowed_fallback(async || {
            let fix = "see /api/openapi.json for what there is";
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed here", fix)
        })
        .layer(middleware::from_fn_with_state(state.clone(), entry::authorize::authorize))
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

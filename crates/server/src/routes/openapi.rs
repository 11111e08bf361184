//! The `OpenAPI` document: what every route receives and returns.

use haggle::questions::{QuestionEntry, Questions};
use haggle::schema::QuestionSchemas;
use utoipa::openapi::path::Operation;
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Array, Content, HttpMethod, Object, OpenApi, PathItem, Ref, RefOr, Response, Schema,
};
use utoipa::{OpenApi as _, PartialSchema};

use super::Json;
use super::questions::LINES;
use crate::failure::ErrorBody;
use crate::routes;
use crate::state::Shared;

/// The interface as others read it.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "haggle", description = "Negotiate the anonymization of a data set. The JSON is that of the command line."),
    paths(
        routes::project::project,
        routes::version::version,
        routes::build::build,
        routes::catalogs::models,
        routes::catalogs::measures,
        routes::catalogs::strategies,
        routes::catalogs::questions,
        routes::instant::predict,
        routes::instant::instant,
        routes::instant::firm,
        routes::data::data,
        routes::data::hierarchy,
        routes::publishing::publish::publish,
        routes::publishing::publications::publications,
        routes::publishing::published::published,
        routes::setup::status,
        routes::setup::opening::upload,
        routes::setup::opening::open,
        routes::setup::table,
        routes::setup::values,
        routes::setup::planning::hierarchy,
        routes::setup::planning::check,
        routes::setup::planning::save,
        routes::setup::planning::serve,
        routes::setup::discard,
        routes::openapi::description,
        routes::entry::address::address,
    ),
    modifiers(&TokenHeader),
    security(("token" = [])),
)]
struct Document;

/// This description
#[utoipa::path(get, path = "/api/openapi.json", responses(
    (status = 200, body = Object),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn description(state: Shared) -> Json<OpenApi> {
    Json(described(&state.questions))
}

/// The document with every question of the catalog.
fn described(questions: &Questions) -> OpenApi {
    let mut document = Document::openapi();
    for entry in questions.iter() {
        add(&mut document, entry);
    }
    document
}

/// Adds the route of a question and the types that it refers to.
fn add(document: &mut OpenApi, entry: &QuestionEntry) {
    let QuestionSchemas { name, fields, answer_name, answer, types, .. } = (entry.schemas)();
    let schemas = &mut document.components.get_or_insert_default().schemas;
    schemas.extend(types);
    schemas.insert(name.clone(), body(entry, fields));
    schemas.insert(answer_name.clone(), answer);
    let operation = Operation::builder()
        .operation_id(Some(entry.id.replace('-', "_")))
        .summary(Some(entry.title))
        .description(Some(format!(
            "Reveals {}. With `Accept: {LINES}` the answer is lines of progress, and `done` or `error` \
             last; closing the connection stops the work.",
            entry.reveals.name()
        )))
        .request_body(Some(
            RequestBody::builder().content("application/json", content(&name)).build(),
        ))
        .response("200", success(entry, &answer_name))
        .response("4XX", failure());
    let item = PathItem::new(HttpMethod::Post, operation);
    document.paths.paths.insert(format!("/api/{}", entry.id), item);
}

fn content(name: &str) -> Content {
    Content::new(Some(Ref::from_schema_name(name)))
}

fn success(entry: &QuestionEntry, answer_name: &str) -> Response {
    let media = entry.media_types.iter().fold(Response::builder(), |response, &kind| {
        let kind = kind.split(';').next().unwrap_or(kind);
        let is_json = kind == "application/json" && entry.media_types.len() == 1;
        let sent = if is_json { content(answer_name) } else { Content::new(Some(anything(kind))) };
        response.content(kind, sent)
    });
    media.description("").build()
}

/// A document that has no schema of its own.
fn anything(media_type: &str) -> Schema {
    if media_type == "application/json" {
        let any = AdditionalProperties::FreeForm(true);
        return ObjectBuilder::new().additional_properties(Some(any)).build().into();
    }
    Object::with_type(Type::String).into()
}

fn failure() -> Response {
    Response::builder().content("application/json", content("ErrorBody")).description("").build()
}

/// The body of a question: its own fields, those of a request, and the quasi-identifiers.
fn body(entry: &QuestionEntry, fields: RefOr<Schema>) -> RefOr<Schema> {
    let RefOr::T(Schema::Object(mut own)) = fields else { return fields };
    if entry.takes_request
        && let RefOr::T(Schema::Object(request)) = haggle::Ask::schema()
    {
        own.properties.extend(request.properties);
    }
    let names = Array::new(Object::with_type(Type::String));
    own.properties.insert("qi".into(), Schema::Array(names).into());
    Schema::Object(own).into()
}

/// The token that `haggle serve --json` prints, as a header.
struct TokenHeader;

impl utoipa::Modify for TokenHeader {
    fn modify(&self, document: &mut OpenApi) {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        document.components.get_or_insert_default().add_security_scheme("token", bearer);
    }
}

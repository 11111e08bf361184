//! The `OpenAPI` document: what every route receives and returns.

use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::Json;
use crate::failure::ErrorBody;
use crate::routes;

/// The interface as others read it.
#[derive(OpenApi)]
#[openapi(
    info(title = "haggle", description = "Negotiate the anonymization of a data set. The JSON is that of the command line."),
    paths(
        routes::project::project,
        routes::version::version,
        routes::lattice::lattice,
        routes::build::build,
        routes::catalogs::models,
        routes::catalogs::measures,
        routes::prepare::prepare,
        routes::ask::ask,
        routes::suppressed::suppressed,
        routes::scheme::scheme,
        routes::schemes::schemes,
        routes::schemes::losses,
        routes::cross_table::cross_table,
        routes::study::study,
        routes::pareto::pareto,
        routes::front::front,
        routes::compare::compare,
        routes::compare::strategies,
        routes::instant::predict,
        routes::instant::instant,
        routes::instant::firm,
        routes::why::why,
        routes::risk::risk,
        routes::query::query,
        routes::utility::utility,
        routes::report::report,
        routes::plot::plot,
        routes::data::data,
        routes::data::hierarchy,
        routes::preview::preview,
        routes::publish::publish,
        routes::publications::publications,
        routes::published::published,
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
        routes::address::address,
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
pub(crate) async fn description() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}

/// The token that `haggle serve --json` prints, as a header.
struct TokenHeader;

impl utoipa::Modify for TokenHeader {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        document.components.get_or_insert_default().add_security_scheme("token", bearer);
    }
}

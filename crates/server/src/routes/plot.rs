//! `POST /api/plot/{figure}/{format}`: a picture, or the numbers behind it.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use haggle::plot::Figure;
use haggle::{Ask, Engine, Judge, Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// The fields of figures in addition to a request.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Drawn {
    /// The scheme of a histogram; that of the answer if not given.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u8>>)]
    scheme: Option<Scheme>,
    /// The loss measure of a front.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
    /// Whether suppression is a third dimension of a front.
    #[serde(default)]
    suppression: bool,
    /// The thresholds at which the least loss of a front is searched, for lattices of any size; the
    /// whole front if not given.
    #[serde(default)]
    thresholds: Option<Vec<f64>>,
}

impl ExtraFields for Drawn {
    const FIELDS: &'static [&'static str] = &["scheme", "loss", "suppression", "thresholds"];
}

impl Drawn {
    fn figure(self, name: &str) -> Result<Option<Figure>, haggle::Error> {
        if name != "front" && self.thresholds.is_some() {
            let what = "thresholds are where a front is searched, and this is another figure";
            return Err(haggle::Error::new(what, "leave out the thresholds"));
        }
        Ok(match name {
            "front" => Some(Figure::front(self.loss, self.suppression, self.thresholds)?),
            "study" => Some(Figure::Study),
            "histogram" => Some(Figure::Histogram(self.scheme)),
            "lattice" => Some(Figure::Lattice),
            _ => None,
        })
    }
}

/// Makes a figure's file.
type Draw = fn(&Engine, &Ask, &Figure) -> Result<Vec<u8>, haggle::Error>;

/// The formats with their media types.
const FORMATS: [(&str, &str, Draw); 3] = [
    ("svg", "image/svg+xml", |engine, ask, figure| {
        Ok(figure.picture(engine, ask)?.svg().into_bytes())
    }),
    ("png", "image/png", |engine, ask, figure| figure.picture(engine, ask)?.png()),
    ("csv", "text/csv; charset=utf-8", |engine, ask, figure| {
        Ok(figure.csv(engine, ask)?.into_bytes())
    }),
];

/// A picture, or the numbers behind it
#[utoipa::path(post, path = "/api/plot/{figure}/{format}", request_body = Asked<Drawn>,
    params(
        ("figure" = String, Path, description = "front, study, histogram or lattice"),
        ("format" = String, Path, description = "svg, png or csv"),
    ),
    responses(
        (status = 200, content(
            (String = "image/svg+xml"),
            (Vec<u8> = "image/png"),
            (String = "text/csv"),
        )),
        (status = "4XX", body = ErrorBody),
    ))]
pub(crate) async fn plot(
    state: Shared,
    Path((name, format)): Path<(String, String)>,
    asked: Asked<Drawn>,
) -> Result<impl IntoResponse, Failure> {
    let figure = asked.extra.figure(&name)?;
    let format = FORMATS.iter().find(|(ending, ..)| *ending == format);
    let (figure, (ending, kind, draw)) = figure.zip(format).ok_or_else(|| {
        let fix = "draw front, study, histogram or lattice as svg, png or csv";
        Failure::new(StatusCode::NOT_FOUND, "there is no such figure", fix)
    })?;
    let measures = match &figure {
        Figure::Front(loss, _) => vec![loss.clone()],
        _ => Vec::new(),
    };
    let drawn = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        if !matches!(figure, Figure::FrontAt(..)) {
            engine.prepare(ask, &measures, progress)?;
        }
        draw(engine, ask, &figure)
    };
    let drawn = state.ask_aside(asked.qi, asked.ask, drawn);
    let attachment = format!("attachment; filename=\"{name}.{ending}\"");
    let headers =
        [(header::CONTENT_TYPE, (*kind).to_owned()), (header::CONTENT_DISPOSITION, attachment)];
    Ok((headers, drawn.await?))
}

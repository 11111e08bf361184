//! Pictures of answers, as SVG.

use std::slice;

use haggle::plot::{Figure, Picture, picture_of_comparison, picture_of_poka, picture_of_two};
use haggle::queries::load_workload;
use haggle::{Ask, Engine, Error, Judge, Progress, Scheme};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::fronts::{Searched, varying};
use super::{Asked, Contenders, split};

/// Draws the figure that a body names.
pub(super) fn plot(Asked { engine, mut body, progress }: Asked<'_>) -> Result<String, Error> {
    let figure = body.remove("figure");
    let picture = match figure.as_ref().and_then(Value::as_str) {
        Some("comparison") => comparison(engine, body, progress)?,
        Some("poka") => poka(engine, body, progress)?,
        Some(figure) => drawn(engine, figure, body, progress)?,
        None => return Err(unknown()),
    };
    Ok(picture.svg())
}

fn unknown() -> Error {
    let fix = "draw front, study, histogram, lattice, comparison or poka";
    Error::new("there is no such figure", fix)
}

#[derive(Deserialize)]
struct Drawn {
    scheme: Option<Scheme>,
    #[serde(default = "Judge::plain")]
    loss: Judge,
    #[serde(default)]
    suppression: bool,
    max_loss: Option<f64>,
    thresholds: Option<Vec<f64>>,
}

fn drawn(
    engine: &Engine,
    figure: &str,
    body: Map<String, Value>,
    progress: &dyn Progress,
) -> Result<Picture, Error> {
    let (ask, drawn) =
        split::<Drawn>(body, &["scheme", "loss", "suppression", "max_loss", "thresholds"])?;
    let Drawn { scheme, loss, suppression, max_loss, thresholds } = drawn;
    if figure == "front" {
        let (ask, loss) = (varying(ask.varying())?, load_workload(loss)?);
        return match max_loss {
            Some(max_loss) if thresholds.is_none() => two(engine, &ask, &loss, max_loss, progress),
            Some(_) => {
                let what = "a front of two models is not searched at some thresholds";
                Err(Error::new(what, "leave out thresholds or max_loss"))
            }
            None => front(engine, &ask, Figure::front(loss, suppression, thresholds)?, progress),
        };
    }
    if thresholds.is_some() {
        let what = "thresholds are where a front is searched, and this is another figure";
        return Err(Error::new(what, "leave out the thresholds"));
    }
    let figure = match figure {
        "study" => Figure::Study,
        "histogram" => Figure::Histogram(scheme),
        "lattice" => Figure::Lattice,
        _ => return Err(unknown()),
    };
    engine.prepare(&ask, &[], progress)?;
    figure.picture(engine, &ask)
}

/// The front of a model against a loss.
fn front(
    engine: &Engine,
    ask: &Ask,
    figure: Figure,
    progress: &dyn Progress,
) -> Result<Picture, Error> {
    if let Figure::Front(loss, _) = &figure {
        engine.prepare(ask, slice::from_ref(loss), progress)?;
    }
    figure.picture(engine, ask)
}

/// The front of two models with at most this loss.
fn two(
    engine: &Engine,
    ask: &Ask,
    loss: &Judge,
    max_loss: f64,
    progress: &dyn Progress,
) -> Result<Picture, Error> {
    engine.prepare(ask, slice::from_ref(loss), progress)?;
    picture_of_two(engine, ask, &engine.pareto_of_two(ask, loss, max_loss)?)
}

fn poka(
    engine: &Engine,
    body: Map<String, Value>,
    progress: &dyn Progress,
) -> Result<Picture, Error> {
    let (ask, searched) = split::<Searched>(body, &Searched::FIELDS)?;
    let (ask, loss) = (varying(ask.varying())?, load_workload(searched.loss.clone())?);
    engine.prepare(&ask, slice::from_ref(&loss), progress)?;
    let found = engine.poka(&ask, &loss, &searched.options()?)?;
    picture_of_poka(engine, &ask, &loss, &found)
}

fn comparison(
    engine: &Engine,
    body: Map<String, Value>,
    progress: &dyn Progress,
) -> Result<Picture, Error> {
    let (ask, contenders) = split::<Contenders>(body, &Contenders::FIELDS)?;
    let compared = engine.compare(&ask, &contenders.options(progress)?)?;
    picture_of_comparison(engine, &ask, &compared)
}

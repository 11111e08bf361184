//! Pictures of what only researchers use.

use haggle_api::{Ask, MeasureSpec, PokaFront};
use haggle_engine::Engine;
use haggle_model::Error;
use haggle_model::numerals::grouped;
use haggle_plot::{self as plot, Picture};

use crate::pictures::{empty_front, point};

/// Draws what the published search found, with what it missed where that is known.
pub fn picture_of_poka(
    engine: &Engine,
    ask: &Ask,
    judge: &MeasureSpec,
    front: &PokaFront,
) -> Result<Picture, Error> {
    let from = front.start.as_ref().map_or(String::new(), |start| format!("from {start} "));
    let reach = front.depth.map_or("by ceilings".into(), |depth| format!("{from}to depth {depth}"));
    let found = format!(
        "{} points by POkA {reach}, {} of {} schemes evaluated",
        front.points.len(),
        grouped(front.evaluated as f64, 0),
        grouped(front.schemes as f64, 0)
    );
    let drawn =
        empty_front(engine, ask, judge, &front.model, front.parameter, front.limit, &found)?;
    let missed = front.exhaustive.iter().flat_map(|compared| &compared.missed);
    Ok(Picture::Front(plot::Front {
        best: "found by POkA".into(),
        points: front.points.iter().map(point).collect(),
        missed: missed.map(point).collect(),
        ..drawn
    }))
}

//! The marks of schemes and offers.

use super::Kind;
use crate::page::diamond;
use crate::scene::{Look, Pen, Point, Shape, Tone};
use crate::shade::Shade;

/// Around the schemes under the maximum levels; dashed, unlike any box.
pub(super) const FRAME: Look =
    Look { fill: None, pen: Some(Pen { tone: Tone::INK, width: 2.2, dashed: true }) };

/// A scheme among many: round if it is within the limit, else a square. The edges of small marks are
/// faint, because many of them would darken the rest.
pub(super) fn scheme_mark((x, y): Point, radius: f64, shade: Shade, within: bool) -> Shape {
    let look = Look::filled(shade.tone());
    let look = match radius {
        small if small < 2.5 => look.edged(Tone::GREY, 0.3),
        small if small < 4.5 => look.edged(Tone::GREY, 0.6),
        _ => look.edged(Tone::INK, 0.9),
    };
    if within {
        return Shape::disc((x, y), radius, look);
    }
    let side = radius * 1.9;
    Shape::rectangle((x - side / 2.0, y - side / 2.0), (side, side), look)
}

/// A scheme among few: a box, with a thick edge if it is within the limit.
pub(super) fn box_mark((x, y): Point, (wide, tall): Point, shade: Shade, within: bool) -> Shape {
    let look = Look::filled(shade.tone());
    let look = if within { look.edged(Tone::INK, 2.6) } else { look.edged(Tone::GREY, 0.8) };
    Shape::rectangle((x - wide / 2.0, y - tall / 2.0), (wide, tall), look)
}

/// What is offered, each kind by a shape of its own.
pub(super) fn sign_mark(kind: Kind, (x, y): Point, radius: f64) -> Shape {
    let look = Look::filled(Tone::INK).edged(Tone::WHITE, 1.6);
    match kind {
        Kind::Answer => diamond((x, y), radius * 1.35, look),
        Kind::Suppression => {
            let corner = (x - radius, y - radius);
            Shape::rectangle(corner, (2.0 * radius, 2.0 * radius), look)
        }
        Kind::Privacy => Shape::disc((x, y), radius * 1.1, look),
        Kind::Height => triangle((x, y), radius * 1.2, look),
        Kind::Attribute => triangle((x, y), -radius * 1.2, look),
    }
}

/// A triangle that points up, or down if its radius is negative.
fn triangle((x, y): Point, radius: f64, look: Look) -> Shape {
    let low = y + radius * 0.8;
    Shape::polygon(vec![(x, y - radius), (x + radius, low), (x - radius, low)], look)
}

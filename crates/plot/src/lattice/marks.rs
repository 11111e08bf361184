//! The marks of schemes and offers.

use super::MarkKind;
use crate::page::diamond;
use crate::scene::{PageShape, Position, ShapeStyle, Stroke, Tone};
use crate::shade::Shade;

/// Around the schemes under the maximum levels; dashed, unlike any box.
pub(super) const FRAME: ShapeStyle =
    ShapeStyle { fill: None, pen: Some(Stroke { tone: Tone::INK, width: 2.2, dashed: true }) };

/// A scheme among many: round if it is within the limit, else a square. The edges of small marks are
/// faint, because many of them would darken the rest.
pub(super) fn scheme_mark((x, y): Position, radius: f64, shade: Shade, within: bool) -> PageShape {
    let look = ShapeStyle::filled(shade.tone());
    let look = match radius {
        small if small < 2.5 => look.edged(Tone::GREY, 0.3),
        small if small < 4.5 => look.edged(Tone::GREY, 0.6),
        _ => look.edged(Tone::INK, 0.9),
    };
    if within {
        return PageShape::disc((x, y), radius, look);
    }
    let side = radius * 1.9;
    PageShape::rectangle((x - side / 2.0, y - side / 2.0), (side, side), look)
}

/// A scheme among few: a box, with a thick edge if it is within the limit.
pub(super) fn box_mark(
    (x, y): Position,
    (wide, tall): Position,
    shade: Shade,
    within: bool,
) -> PageShape {
    let look = ShapeStyle::filled(shade.tone());
    let look = if within { look.edged(Tone::INK, 2.6) } else { look.edged(Tone::GREY, 0.8) };
    PageShape::rectangle((x - wide / 2.0, y - tall / 2.0), (wide, tall), look)
}

/// What is offered, each kind by a shape of its own.
pub(super) fn sign_mark(kind: MarkKind, (x, y): Position, radius: f64) -> PageShape {
    let look = ShapeStyle::filled(Tone::INK).edged(Tone::WHITE, 1.6);
    match kind {
        MarkKind::Answer => diamond((x, y), radius * 1.35, look),
        MarkKind::Suppression => {
            let corner = (x - radius, y - radius);
            PageShape::rectangle(corner, (2.0 * radius, 2.0 * radius), look)
        }
        MarkKind::Privacy => PageShape::disc((x, y), radius * 1.1, look),
        MarkKind::Height => triangle((x, y), radius * 1.2, look),
        MarkKind::Attribute => triangle((x, y), -radius * 1.2, look),
    }
}

/// A triangle that points up, or down if its radius is negative.
fn triangle((x, y): Position, radius: f64, look: ShapeStyle) -> PageShape {
    let low = y + radius * 0.8;
    PageShape::polygon(vec![(x, y - radius), (x + radius, low), (x - radius, low)], look)
}

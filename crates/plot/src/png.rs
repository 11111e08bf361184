//! A page as PNG: the same shapes, each point of the page four points of the image.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use super::font;
use super::scene::{Anchor, PageItem, Position, Scene, ShapeStyle, Text, Tone};

/// How many points of the image one point of the page has, in each direction.
const SCALE: f32 = 2.0;

/// The page as a PNG file, or nothing if it is larger than an image can be.
pub(super) fn png(scene: &Scene) -> Option<Vec<u8>> {
    let pixels = |length: f64| (length * f64::from(SCALE)).ceil() as u32;
    let mut image = Pixmap::new(pixels(scene.width), pixels(scene.height))?;
    image.fill(Color::WHITE);
    for shape in &scene.shapes {
        match &shape.form {
            PageItem::Path { points, closed, look } => {
                paint(&mut image, lines(points, *closed), *look);
            }
            PageItem::Disc { center: (x, y), radius, look } => {
                let disc = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                paint(&mut image, disc, *look);
            }
            PageItem::Text(text) => write(&mut image, text),
        }
    }
    image.encode_png().ok()
}

fn page() -> Transform {
    Transform::from_scale(SCALE, SCALE)
}

fn colour(Tone(red, green, blue): Tone) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}

fn lines(points: &[Position], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, &(x, y)) in points.iter().enumerate() {
        let (x, y) = (x as f32, y as f32);
        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// An outline without extent has no path and is not seen.
fn paint(image: &mut Pixmap, path: Option<Path>, look: ShapeStyle) {
    let Some(path) = path else { return };
    if let Some(tone) = look.fill {
        image.fill_path(&path, &colour(tone), FillRule::Winding, page(), None);
    }
    if let Some(pen) = look.pen {
        let dash = if pen.dashed { StrokeDash::new(vec![6.0, 4.0], 0.0) } else { None };
        let width = pen.width as f32;
        let (line_cap, line_join) = (LineCap::Butt, LineJoin::Miter);
        let stroke = Stroke { width, dash, line_cap, line_join, ..Stroke::default() };
        image.stroke_path(&path, &colour(pen.tone), &stroke, page(), None);
    }
}

/// Letters are filled outlines; bold ones have a thicker edge.
fn write(image: &mut Pixmap, text: &Text) {
    let Some(path) = font::outline(&text.words, text.size) else { return };
    let width = font::width(&text.words, text.size) as f32;
    let back = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let turn = if text.upwards { Transform::from_rotate(-90.0) } else { Transform::identity() };
    let place = turn
        .pre_translate(-back, 0.0)
        .post_translate(text.at.0 as f32, text.at.1 as f32)
        .post_concat(page());
    let paint = colour(text.tone);
    image.fill_path(&path, &paint, FillRule::Winding, place, None);
    if text.bold {
        let stroke = Stroke { width: text.size as f32 / 28.0, ..Stroke::default() };
        image.stroke_path(&path, &paint, &stroke, place, None);
    }
}

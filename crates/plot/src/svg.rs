//! A page as SVG: plain text that scales, whose letters can be searched and copied.

use std::fmt::Write;

use super::font;
use super::scene::{Anchor, PageItem, PageShape, Position, Scene, ShapeStyle, Text, Tone};

/// Fonts that are about as wide as the one that texts are measured with.
const FONTS: &str = "Roboto, Arial, Helvetica, sans-serif";

/// The page as an SVG document.
pub(super) fn svg(scene: &Scene) -> String {
    let Scene { title, width, height, shapes } = scene;
    let title = escaped(title);
    let body: String = shapes.iter().map(element).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
         <title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

fn element(shape: &PageShape) -> String {
    let class = match shape.class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    let hint = shape.hint.as_ref().map(|hint| format!("<title>{}</title>", escaped(hint)));
    let hint = hint.unwrap_or_default();
    let (name, attributes, content) = match &shape.form {
        PageItem::Path { points, closed, look } => {
            ("path", format!(" d=\"{}\"{}", path(points, *closed), paint(*look)), hint)
        }
        PageItem::Disc { center: (x, y), radius, look } => {
            let place =
                format!(" cx=\"{}\" cy=\"{}\" r=\"{}\"", short(*x), short(*y), short(*radius));
            ("circle", place + &paint(*look), hint)
        }
        PageItem::Text(text) => ("text", letters(text), hint + &escaped(&text.words)),
    };
    match content.as_str() {
        "" => format!("<{name}{class}{attributes}/>\n"),
        content => format!("<{name}{class}{attributes}>{content}</{name}>\n"),
    }
}

fn path(points: &[Position], closed: bool) -> String {
    let mut text = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let step = if i == 0 { 'M' } else { 'L' };
        let _ = write!(text, "{step}{} {}", short(*x), short(*y));
    }
    text + if closed { "Z" } else { "" }
}

fn paint(look: ShapeStyle) -> String {
    let fill = look.fill.map_or("none".to_owned(), hex);
    let pen = look.pen.map_or(String::new(), |pen| {
        let dashes = if pen.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        format!(" stroke=\"{}\" stroke-width=\"{}\"{dashes}", hex(pen.tone), short(pen.width))
    });
    format!(" fill=\"{fill}\"{pen}")
}

/// The measured width is stated, so that texts stay apart whatever font there is.
fn letters(text: &Text) -> String {
    let (x, y) = (short(text.at.0), short(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let bold = if text.bold { " font-weight=\"bold\"" } else { "" };
    let turned =
        if text.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let width = short(font::width(&text.words, text.size));
    format!(
        " x=\"{x}\" y=\"{y}\" font-size=\"{}\"{anchor}{bold}{turned} fill=\"{}\" \
         textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"",
        short(text.size),
        hex(text.tone)
    )
}

fn hex(Tone(red, green, blue): Tone) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Writes a coordinate with as many decimals as are visible.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Escapes text for the document: names are untrusted input.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

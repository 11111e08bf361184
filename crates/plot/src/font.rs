//! The embedded font: how wide a text is, and the outlines of its letters.

use std::sync::LazyLock;

use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// The parts of the font that are read for every letter.
struct Face {
    charmap: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    outlines: OutlineGlyphCollection<'static>,
    units_per_em: f64,
}

static FACE: LazyLock<Face> = LazyLock::new(|| {
    let font = FontRef::new(include_bytes!("font/Roboto-Regular.ttf"));
    let font = font.expect("the embedded font is valid");
    let (size, location) = (Size::unscaled(), LocationRef::default());
    Face {
        charmap: font.charmap(),
        metrics: font.glyph_metrics(size, location),
        outlines: font.outline_glyphs(),
        units_per_em: font.metrics(size, location).units_per_em.into(),
    }
});

/// The glyph of a character; what the font lacks is shown as a replacement.
fn glyph(c: char) -> GlyphId {
    FACE.charmap.map(c).or_else(|| FACE.charmap.map('\u{fffd}')).unwrap_or_default()
}

fn advance(glyph: GlyphId) -> f64 {
    FACE.metrics.advance_width(glyph).unwrap_or(0.0).into()
}

fn scale(size: f64) -> f64 {
    size / FACE.units_per_em
}

/// How wide a line of text is.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| advance(glyph(c))).sum::<f64>() * scale(size)
}

/// Breaks the text between words into lines of at most this width; a word that is wider stays
/// whole.
pub(super) fn wrapped(text: &str, size: f64, widest: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || width(&longer, size) <= widest {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Returns the text, cut to at most this width.
pub(super) fn fitted(text: &str, size: f64, widest: f64) -> String {
    if width(text, size) <= widest {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() && width(&short, size) + width("…", size) > widest {}
    short.trim_end().to_owned() + "…"
}

/// Draws the outlines of a text, a pen's movements in units of its size, its baseline at 0 and up
/// being positive.
pub(super) fn outline(text: &str, size: f64, pen: &mut impl Pen) {
    let mut right = 0.0;
    for glyph in text.chars().map(glyph) {
        let mut placed = Placed { pen, right, scale: scale(size) };
        if let Some(outline) = FACE.outlines.get(glyph) {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            outline.draw(settings, &mut placed).expect("the embedded font is valid");
        }
        right += advance(glyph) * scale(size);
    }
}

/// Follows outlines.
pub(super) trait Pen {
    fn move_to(&mut self, x: f64, y: f64);
    fn line_to(&mut self, x: f64, y: f64);
    fn curve_to(&mut self, over: (f64, f64), x: f64, y: f64);
    fn close(&mut self);
}

/// A glyph that is drawn further to the right.
struct Placed<'a, P> {
    pen: &'a mut P,
    right: f64,
    scale: f64,
}

impl<P> Placed<'_, P> {
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (self.right + f64::from(x) * self.scale, f64::from(y) * self.scale)
    }
}

impl<P: Pen> OutlinePen for Placed<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (over, (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.pen.curve_to(over, x, y);
    }

    /// Not in fonts of this format, whose curves are quadratic.
    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
        self.line_to(x, y);
    }

    fn close(&mut self) {
        self.pen.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_never_inside_one() {
        assert_eq!(wrapped("one two three", 10.0, width("one two", 10.0)), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 10.0, 1.0), ["unbreakable"]);
    }

    #[test]
    fn what_does_not_fit_ends_in_dots() {
        let text = "marital-status";
        assert_eq!(fitted(text, 10.0, 1000.0), text);
        let short = fitted(text, 10.0, 40.0);
        assert!(short.ends_with('…') && width(&short, 10.0) <= 40.0, "{short}");
    }

    #[test]
    fn letters_of_many_languages_have_a_shape_of_their_own() {
        let missing = glyph('\u{fffd}');
        for c in "Aé€ßłλЖ≤–[1,0]%".chars() {
            assert!(glyph(c) != missing, "{c}");
        }
        assert_eq!(glyph('語'), missing);
    }
}

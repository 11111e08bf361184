//! The embedded font: how wide a text is, and the outlines of its letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use tiny_skia::{Path, PathBuilder};

/// A letter in units of the font: how far the next one is to the right, and the movements of a
/// pen around it (`M x y`, `L x y`, `Q over-x over-y x y`, `Z`).
#[derive(PartialEq)]
struct Letter {
    advance: f64,
    steps: &'static str,
}

struct Font {
    units_per_em: f64,
    letters: HashMap<char, Letter>,
}

const VALID: &str = "the embedded font is valid";

static FONT: LazyLock<Font> = LazyLock::new(|| {
    let mut lines = include_str!("font/letters.txt").lines();
    Font { units_per_em: number(lines.next()), letters: lines.map(letter).collect() }
});

/// Reads a line of the font: the code of a character, its advance, its steps.
fn letter(line: &'static str) -> (char, Letter) {
    let mut words = line.splitn(3, ' ');
    let code = words.next().and_then(|code| u32::from_str_radix(code, 16).ok());
    let advance = number(words.next());
    let letter = Letter { advance, steps: words.next().unwrap_or_default() };
    (code.and_then(char::from_u32).expect(VALID), letter)
}

fn number(word: Option<&str>) -> f64 {
    word.and_then(|word| word.parse().ok()).expect(VALID)
}

/// The letter of a character; what the font lacks is shown as a replacement.
fn shape(c: char) -> &'static Letter {
    let letters = &FONT.letters;
    letters.get(&c).or_else(|| letters.get(&char::REPLACEMENT_CHARACTER)).expect(VALID)
}

fn scale(size: f64) -> f64 {
    size / FONT.units_per_em
}

/// How wide a line of text is.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| shape(c).advance).sum::<f64>() * scale(size)
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

/// The outlines of a text whose baseline starts at (0, 0); letters grow upwards, pages downwards.
/// A text of blanks has none.
pub(super) fn outline(text: &str, size: f64) -> Option<Path> {
    let scale = scale(size);
    let mut path = PathBuilder::new();
    let mut right = 0.0;
    for letter in text.chars().map(shape) {
        let mut words = letter.steps.split_ascii_whitespace();
        while let Some(step) = words.next() {
            let mut point = || {
                let (x, y) = (number(words.next()), number(words.next()));
                ((right + x * scale) as f32, (-y * scale) as f32)
            };
            if step == "Z" {
                path.close();
                continue;
            }
            let (x, y) = point();
            match step {
                "M" => path.move_to(x, y),
                "L" => path.line_to(x, y),
                _ => {
                    let (to_x, to_y) = point();
                    path.quad_to(x, y, to_x, to_y);
                }
            }
        }
        right += letter.advance * scale;
    }
    path.finish()
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
        let missing = shape(char::REPLACEMENT_CHARACTER);
        for c in "Aé€ßłλЖ≤–[1,0]%".chars() {
            assert!(shape(c) != missing, "{c}");
        }
        assert!(shape('語') == missing);
    }
}

//! The losses of strategies: a bar for each, with what it found next to it.

use super::axis::{Axis, value};
use super::font;
use super::page::{Caption, SIZE, headline};
use super::scene::{Anchor, PageShape, Scene, ShapeStyle, Text, Tone};

const WIDTH: f64 = 900.0;
const ROW: f64 = 34.0;
const MARGIN: f64 = 24.0;

/// Strategies as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The caption.
    pub caption: Caption,
    /// What the length of the bars means.
    pub measure: String,
    /// One for each strategy.
    pub bars: Vec<Bar>,
}

/// One strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// What it loses, if it found anything.
    pub value: Option<f64>,
    /// What it found, or why it did not.
    pub note: String,
}

impl Compared {
    fn most(&self) -> f64 {
        self.bars.iter().filter_map(|bar| bar.value).fold(0.0, f64::max)
    }

    pub(super) fn scene(&self) -> Scene {
        let lines = 2.0 + self.caption.asked.len() as f64;
        let height = 60.0 + lines * SIZE * 2.0 + ROW * self.bars.len() as f64;
        let mut scene = Scene::new(&self.caption.title, WIDTH, height);
        let top = headline(&mut scene, &self.caption) + SIZE;
        let names = self.bars.iter().map(|bar| font::width(&bar.name, SIZE));
        let left = MARGIN + names.fold(0.0, f64::max).min(WIDTH / 3.0) + 12.0;
        let axis = Axis::of_losses([0.0, self.most()], 5);
        for (i, bar) in self.bars.iter().enumerate() {
            self.row(&mut scene, bar, &axis, left, top + ROW * i as f64);
        }
        scene
    }

    fn row(&self, scene: &mut Scene, bar: &Bar, axis: &Axis, left: f64, y: f64) {
        let name = font::fitted(&bar.name, SIZE, left - MARGIN - 8.0);
        let at = (left - 8.0, y + ROW * 0.45);
        scene.add(PageShape::from(Text::new(name, at, SIZE).anchored(Anchor::End)).class("tick"));
        let wide = WIDTH - MARGIN - left;
        let Some(loss) = bar.value else {
            let note = font::fitted(&bar.note, SIZE, wide);
            scene.add(
                PageShape::from(Text::new(note, at_note(left, y), SIZE).toned(Tone::GREY))
                    .class("value"),
            );
            return;
        };
        let long = (axis.place(loss).clamp(0.0, 1.0) * wide * 0.5).max(1.0);
        let look = ShapeStyle::filled(Tone::RAMP[3]).edged(Tone::INK, 0.8);
        let hint = format!("{}: {} {}", bar.name, self.measure, value(loss));
        let shape = PageShape::rectangle((left, y + 4.0), (long, ROW - 14.0), look);
        scene.add(shape.class("bar").hint(hint));
        let words = format!("{}  {}", value(loss), bar.note);
        let words = font::fitted(&words, SIZE, wide - long - 10.0);
        scene.add(
            PageShape::from(Text::new(words, at_note(left + long + 8.0, y), SIZE)).class("value"),
        );
    }

    pub(super) fn text(&self) -> String {
        const WIDE: f64 = 30.0;
        let most = if self.most() > 0.0 { self.most() } else { 1.0 };
        let longest = self.bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        let line = |bar: &Bar| {
            let pad = " ".repeat(longest - bar.name.chars().count());
            match bar.value {
                Some(loss) => {
                    let long = "#".repeat((loss / most * WIDE).round() as usize);
                    format!("{pad}{} |{long} {}  {}\n", bar.name, value(loss), bar.note)
                }
                None => format!("{pad}{} |{}\n", bar.name, bar.note),
            }
        };
        format!("{}\n{}", self.measure, self.bars.iter().map(line).collect::<String>())
    }
}

fn at_note(x: f64, y: f64) -> (f64, f64) {
    (x, y + ROW * 0.45)
}

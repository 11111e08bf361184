//! What all pictures share: the headline, what was asked, the key to the marks, and axes.

use super::axis::Axis;
use super::font;
use super::scene::{Anchor, PageShape, Position, Scene, ShapeStyle, Stroke, Text, Tone};

/// The size of ordinary text.
pub(super) const SIZE: f64 = 13.0;
const HEADLINE: f64 = 19.0;
const MARGIN: f64 = 24.0;

/// What a picture says above its marks.
#[derive(Debug, Clone, PartialEq)]
pub struct Caption {
    /// What is shown.
    pub title: String,
    /// What was asked: model, parameters, limit, quasi-identifiers.
    pub asked: Vec<String>,
}

/// A mark of the key, drawn around a point, and its meaning.
pub(super) type LegendKey<'a> = (Box<dyn Fn(Position) -> PageShape + 'a>, String);

/// Writes the headline and the request; returns where the rest begins.
pub(super) fn headline(scene: &mut Scene, caption: &Caption) -> f64 {
    let widest = scene.width - 2.0 * MARGIN;
    let mut y = MARGIN + HEADLINE * 0.75;
    for line in font::wrapped(&caption.title, HEADLINE, widest * 0.95) {
        let line = font::fitted(&line, HEADLINE, widest);
        scene.add(PageShape::from(Text::new(line, (MARGIN, y), HEADLINE).bold()).class("title"));
        y += HEADLINE * 1.3;
    }
    for line in caption.asked.iter().flat_map(|asked| font::wrapped(asked, SIZE, widest)) {
        let line = font::fitted(&line, SIZE, widest);
        scene.add(
            PageShape::from(Text::new(line, (MARGIN, y), SIZE).toned(Tone::GREY)).class("asked"),
        );
        y += SIZE * 1.4;
    }
    y
}

/// Draws the key from left to right, in as many lines as needed; returns where the rest begins.
pub(super) fn key(scene: &mut Scene, keys: &[LegendKey<'_>], top: f64) -> f64 {
    const MARK: f64 = 26.0;
    let (mut x, mut y) = (MARGIN, top + SIZE * 0.6);
    for (mark, words) in keys {
        let words = font::fitted(words, SIZE, scene.width - 2.0 * MARGIN - MARK);
        let wide = MARK + font::width(&words, SIZE);
        if x > MARGIN && x + wide > scene.width - MARGIN {
            (x, y) = (MARGIN, y + SIZE * 1.7);
        }
        scene.add(mark((x + 9.0, y - SIZE * 0.35)).class("key"));
        scene.add(PageShape::from(Text::new(words, (x + MARK - 4.0, y), SIZE)).class("key-text"));
        x += wide + 18.0;
    }
    if keys.is_empty() { top } else { y + SIZE }
}

/// The area between the axes.
#[derive(Debug, Clone)]
pub(super) struct PlotArea {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl PlotArea {
    /// The field below what was written so far, with room for the axes' numbers and names.
    pub(super) fn below(scene: &Scene, top: f64, y: &Axis) -> Self {
        let labels = y.ticks.iter().map(|&tick| font::width(&y.label(tick), SIZE));
        let widest = labels.fold(0.0, f64::max);
        Self {
            left: MARGIN + SIZE * 1.8 + widest + 8.0,
            top: top + SIZE,
            right: scene.width - MARGIN - 16.0,
            bottom: scene.height - MARGIN - SIZE * 3.0,
        }
    }

    pub(super) fn across(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    pub(super) fn up(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    /// The vertical axis: numbers, lines across the field, and its name running upwards.
    pub(super) fn vertical(&self, scene: &mut Scene, axis: &Axis, name: &str) {
        for &tick in &axis.ticks {
            let y = self.up(axis.place(tick));
            scene.add(PageShape::line(
                vec![(self.left, y), (self.right, y)],
                Stroke::new(Tone::PALE, 1.0),
            ));
            let label = Text::new(axis.label(tick), (self.left - 8.0, y + SIZE * 0.35), SIZE);
            scene.add(PageShape::from(label.anchored(Anchor::End)).class("tick"));
        }
        let middle = f64::midpoint(self.top, self.bottom);
        let name = font::fitted(&format!("{name}{}", axis.manner()), SIZE, scene.height - 80.0);
        let half = font::width(&name, SIZE) / 2.0;
        let middle = middle.clamp(half + 8.0, (scene.height - half - 8.0).max(half + 8.0));
        let at = (MARGIN + SIZE * 0.6, middle);
        let text = Text::new(name, at, SIZE).anchored(Anchor::Middle).upwards();
        scene.add(PageShape::from(text).class("axis"));
        scene.add(PageShape::line(
            vec![(self.left, self.top), (self.left, self.bottom)],
            Stroke::new(Tone::INK, 1.2),
        ));
    }

    /// The horizontal axis: numbers below short strokes, as many as have room, and its name.
    pub(super) fn horizontal(&self, scene: &mut Scene, axis: &Axis, name: &str) {
        let mut free = f64::NEG_INFINITY;
        for &tick in &axis.ticks {
            let (x, label) = (self.across(axis.place(tick)), axis.label(tick));
            let half = font::width(&label, SIZE) / 2.0;
            if x - half > free + 8.0 {
                free = x + half;
                self.tick(scene, x, label);
            }
        }
        self.horizontal_name(scene, &format!("{name}{}", axis.manner()));
    }

    /// A number below the field, and a short stroke to it.
    pub(super) fn tick(&self, scene: &mut Scene, x: f64, label: String) {
        let stroke = vec![(x, self.bottom), (x, self.bottom + 5.0)];
        scene.add(PageShape::line(stroke, Stroke::new(Tone::INK, 1.0)));
        let at = (x, self.bottom + 6.0 + SIZE);
        scene.add(
            PageShape::from(Text::new(label, at, SIZE).anchored(Anchor::Middle)).class("tick"),
        );
    }

    /// The line below the field, and what it counts.
    pub(super) fn horizontal_name(&self, scene: &mut Scene, name: &str) {
        let line = vec![(self.left, self.bottom), (self.right, self.bottom)];
        scene.add(PageShape::line(line, Stroke::new(Tone::INK, 1.2)));
        let name = font::fitted(name, SIZE, self.right - self.left);
        let at = (f64::midpoint(self.left, self.right), self.bottom + SIZE * 3.1);
        scene
            .add(PageShape::from(Text::new(name, at, SIZE).anchored(Anchor::Middle)).class("axis"));
    }
}

/// A square on its corner.
pub(super) fn diamond((x, y): Position, radius: f64, look: ShapeStyle) -> PageShape {
    PageShape::polygon(
        vec![(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)],
        look,
    )
}

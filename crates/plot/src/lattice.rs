//! The lattice itself: every scheme by its height, the darker the more records it suppresses.

use std::collections::BTreeMap;

use haggle_model::numerals::{grouped, records};
use haggle_model::{Level, Scheme};

use super::page::{Caption, LegendKey, SIZE, headline, key};
use super::scene::{Anchor, PageShape, Position, Scene, ShapeStyle, Stroke, Text, Tone};
use super::shade::Shade;

mod layout;
mod marks;
mod terminal;

use layout::{Layout, WIDTH};
use marks::{FRAME, box_mark, scheme_mark, sign_mark};

/// A lattice as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// The caption.
    pub caption: Caption,
    /// All records.
    pub records: u64,
    /// How many records may be suppressed.
    pub limit: u64,
    /// The maximum levels asked for.
    pub caps: Scheme,
    /// All schemes with the records they suppress.
    pub schemes: Vec<(Scheme, u64)>,
    /// What was answered.
    pub offers: Vec<Offer>,
}

/// A scheme that was offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What kind of offer it is.
    pub kind: MarkKind,
    /// The scheme.
    pub scheme: Scheme,
    /// What it is, in words.
    pub words: String,
}

/// The answer, or a kind of relaxation; each has a mark of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// The scheme that meets the request.
    Answer,
    /// More records suppressed.
    Suppression,
    /// Less privacy.
    Privacy,
    /// Levels beyond the maximum.
    Height,
    /// An attribute left out.
    Attribute,
}

impl Lattice {
    fn inside(&self, scheme: &Scheme) -> bool {
        scheme.is_under(&self.caps)
    }

    /// How many schemes are under the maximum levels, unless all are.
    fn framed(&self) -> Option<usize> {
        let inside = self.schemes.iter().filter(|(scheme, _)| self.inside(scheme)).count();
        (inside < self.schemes.len()).then_some(inside)
    }

    pub(super) fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.caption.title, WIDTH, 0.0);
        let top = headline(&mut scene, &self.caption);
        let top = key(&mut scene, &self.keys(), top);
        let layout = Layout::new(self, top + 4.0);
        scene.height = layout.bottom + SIZE;
        if layout.box_size.is_some() {
            self.edges(&mut scene, &layout);
        }
        for (place, (scheme, suppressed)) in layout.places.iter().zip(&self.schemes) {
            self.mark(&mut scene, &layout, *place, scheme, *suppressed);
        }
        if self.framed().is_some() {
            scene.add(PageShape::polygon(layout.frame(), FRAME).class("frame"));
        }
        self.offered(&mut scene, &layout);
        if layout.box_size.is_none() {
            let words = "in each row the schemes that suppress less are further left";
            let words = match self.framed() {
                Some(_) => format!("{words}, those in the frame by themselves"),
                None => words.to_owned(),
            };
            let note = Text::new(words, (WIDTH / 2.0, layout.bottom), SIZE).toned(Tone::GREY);
            scene.add(PageShape::from(note.anchored(Anchor::Middle)).class("note"));
        }
        rows(&mut scene, &layout);
        scene
    }

    /// Lines to the schemes one level up.
    fn edges(&self, scene: &mut Scene, layout: &Layout) {
        let places: BTreeMap<&Scheme, Position> = self
            .schemes
            .iter()
            .map(|(scheme, _)| scheme)
            .zip(layout.places.iter().copied())
            .collect();
        for (scheme, &from) in &places {
            for (i, &level) in scheme.levels().iter().enumerate() {
                let up = scheme.with(i, Level::from(u8::from(level).saturating_add(1)));
                if let Some(&to) = places.get(&up) {
                    scene.add(PageShape::line(vec![from, to], Stroke::new(Tone::LIGHT, 0.8)));
                }
            }
        }
    }

    fn mark(
        &self,
        scene: &mut Scene,
        layout: &Layout,
        at: Position,
        scheme: &Scheme,
        suppressed: u64,
    ) {
        let (shade, within) =
            (Shade::for_share(suppressed, self.records), suppressed <= self.limit);
        let hint = format!("{scheme}: {}", records(suppressed, self.records));
        let Some(size) = layout.box_size else {
            let mark = scheme_mark(at, layout.pitch * 0.42, shade, within);
            scene.add(mark.class("scheme").hint(hint));
            return;
        };
        scene.add(box_mark(at, size, shade, within).class("scheme").hint(hint));
        let line = |text: String, size: f64, down: f64| {
            let text = Text::new(text, (at.0, at.1 + down), size);
            PageShape::from(text.anchored(Anchor::Middle).toned(shade.ink())).class("label")
        };
        scene.add(line(scheme.to_string(), layout::LABEL, -2.0));
        scene.add(line(grouped(suppressed as f64, 0), layout::LABEL - 1.0, layout::LABEL));
    }

    /// The marks of what was offered, side by side where a scheme is offered twice.
    fn offered(&self, scene: &mut Scene, layout: &Layout) {
        for (i, offer) in self.offers.iter().enumerate() {
            let Some(at) = self.schemes.iter().position(|(scheme, _)| *scheme == offer.scheme)
            else {
                continue;
            };
            let same =
                |offers: &[Offer]| offers.iter().filter(|o| o.scheme == offer.scheme).count();
            let (position, several) = (same(&self.offers[..i]), same(&self.offers));
            let at = layout.corner(layout.places[at], position, several);
            let mark = sign_mark(offer.kind, at, 6.5);
            scene.add(mark.class("offer").hint(offer.words.clone()));
        }
    }

    fn keys(&self) -> Vec<LegendKey<'_>> {
        let mut keys: Vec<LegendKey<'_>> = Vec::new();
        for shade in Shade::ALL {
            let look = ShapeStyle::filled(shade.tone()).edged(Tone::INK, 0.8);
            let swatch = move |(x, y)| PageShape::rectangle((x - 8.0, y - 6.0), (16.0, 12.0), look);
            keys.push((Box::new(swatch), shade.words().into()));
        }
        let limit = grouped(self.limit as f64, 0);
        if Layout::has_boxes(self) {
            let swatch = |within| move |at| box_mark(at, (18.0, 12.0), Shade::ALL[0], within);
            keys.push((Box::new(swatch(true)), format!("within the limit of {limit}")));
            keys.push((Box::new(swatch(false)), "beyond it".into()));
        } else {
            let swatch = |within| move |at| scheme_mark(at, 5.0, Shade::ALL[2], within);
            keys.push((Box::new(swatch(true)), format!("within the limit of {limit}")));
            keys.push((Box::new(swatch(false)), "beyond it".into()));
        }
        if let Some(inside) = self.framed() {
            let frame = |(x, y)| PageShape::rectangle((x - 8.0, y - 6.0), (16.0, 12.0), FRAME);
            let count = grouped(inside as f64, 0);
            let words = format!("under the maximum levels {}: {count} schemes", self.caps);
            keys.push((Box::new(frame), words));
        }
        for offer in &self.offers {
            let mark = |at| sign_mark(offer.kind, at, 6.5);
            keys.push((Box::new(mark), offer.words.clone()));
        }
        keys
    }
}

/// Draws the heights next to the rows, and how many schemes have them.
fn rows(scene: &mut Scene, layout: &Layout) {
    for band in &layout.bands {
        let y = band.middle + SIZE * 0.35;
        let height = Text::new(band.height.to_string(), (layout::LEFT - 14.0, y), SIZE);
        scene.add(PageShape::from(height.anchored(Anchor::End)).class("tick"));
        let schemes = Text::new(grouped(band.schemes as f64, 0), (WIDTH - 24.0, y), SIZE);
        let schemes = schemes.anchored(Anchor::End).toned(Tone::GREY);
        scene.add(PageShape::from(schemes).class("count"));
    }
    let (Some(bottom), Some(top)) = (layout.bands.first(), layout.bands.last()) else { return };
    let middle = f64::midpoint(bottom.middle, top.middle);
    let name = Text::new("height (sum of the levels)", (32.0, middle), SIZE);
    scene.add(PageShape::from(name.anchored(Anchor::Middle).upwards()).class("axis"));
    let count = Text::new("schemes", (WIDTH - 24.0, layout.bottom), SIZE).toned(Tone::GREY);
    scene.add(PageShape::from(count.anchored(Anchor::End)).class("axis"));
}

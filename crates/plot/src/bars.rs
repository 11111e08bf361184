//! What a threshold costs at each height: three bars for the least, the mean and the most.

use haggle_model::numerals::grouped;

use super::axis::Axis;
use super::font;
use super::page::{Caption, LegendKey, PlotArea, headline, key};
use super::scene::{Anchor, PageShape, Scene, ShapeStyle, Text, Tone};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;
const LABEL: f64 = 10.5;
const KINDS: [(&str, Tone); 3] =
    [("least", Tone::RAMP[1]), ("mean", Tone::RAMP[3]), ("most", Tone::RAMP[5])];

/// A study of heights as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// The caption.
    pub caption: Caption,
    /// All records.
    pub records: u64,
    /// The heights, from the bottom.
    pub heights: Vec<HeightBar>,
}

/// The suppression of the schemes of one height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightBar {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: u64,
    /// The fewest records suppressed.
    pub least: u64,
    /// The mean.
    pub mean: f64,
    /// The most records suppressed.
    pub most: u64,
}

impl HeightBar {
    fn numbers(&self) -> [f64; 3] {
        [self.least as f64, self.mean, self.most as f64]
    }
}

impl Bars {
    fn most(&self) -> u64 {
        self.heights.iter().map(|height| height.most).max().unwrap_or(0)
    }

    fn name(&self) -> String {
        format!("records suppressed, of {}", grouped(self.records as f64, 0))
    }

    pub(super) fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.caption.title, WIDTH, HEIGHT);
        let top = headline(&mut scene, &self.caption);
        let keys = KINDS.map(|(kind, tone)| -> LegendKey<'_> {
            let look = ShapeStyle::filled(tone).edged(Tone::INK, 0.8);
            let words = match kind {
                "most" => "most of the schemes of a height".to_owned(),
                kind => kind.to_owned(),
            };
            (
                Box::new(move |(x, y)| {
                    PageShape::rectangle((x - 6.0, y - 6.0), (12.0, 12.0), look)
                }),
                words,
            )
        });
        let top = key(&mut scene, &keys, top);
        let axis = Axis::of_counts(self.most(), 6);
        let mut field = PlotArea::below(&scene, top, &axis);
        // Numbers above the highest bar must not reach into the key.
        let room = (field.bottom - field.top) * (1.0 - axis.place(self.most() as f64));
        let label = font::width(&grouped(self.most() as f64, 0), LABEL);
        field.top += (label + LABEL - room).max(0.0);
        field.vertical(&mut scene, &axis, &self.name());
        let slot = (field.right - field.left) / self.heights.len().max(1) as f64;
        for (i, height) in self.heights.iter().enumerate() {
            let left = field.left + slot * i as f64;
            bars(&mut scene, &field, &axis, height, left, slot);
            if self.ticked(i, slot) {
                field.tick(&mut scene, left + slot / 2.0, height.height.to_string());
            }
        }
        field.horizontal_name(&mut scene, "height (sum of the levels)");
        scene
    }

    /// Whether there is room to number this height.
    fn ticked(&self, i: usize, slot: f64) -> bool {
        let widest =
            self.heights.last().map_or(0.0, |last| font::width(&last.height.to_string(), 13.0));
        i.is_multiple_of(((widest + 6.0) / slot).ceil().max(1.0) as usize)
    }

    pub(super) fn text(&self) -> String {
        const WIDE: f64 = 60.0;
        let most = self.most().max(1) as f64;
        let line = |height: &HeightBar| {
            let [least, mean, most] = height.numbers().map(|n| (n / most * WIDE).round() as usize);
            let sign = |at: usize| match at {
                at if at < least => '#',
                at if at < mean => '+',
                _ => '-',
            };
            let bar: String = (0..most).map(sign).collect();
            format!("{:>6} |{bar}\n", height.height)
        };
        let lines: String = self.heights.iter().map(line).collect();
        let end = grouped(most, 0);
        let gap = WIDE as usize - 1;
        format!(
            "height\n{lines}       +{}\n        0{end:>gap$}\n        {}\n        # least, + mean, - most of the schemes of a height\n",
            "-".repeat(WIDE as usize),
            self.name()
        )
    }
}

fn bars(
    scene: &mut Scene,
    field: &PlotArea,
    axis: &Axis,
    height: &HeightBar,
    left: f64,
    slot: f64,
) {
    let wide = (slot * 0.84 / 3.0).min(48.0);
    let left = left + (slot - 3.0 * wide) / 2.0;
    let labels = height.numbers().map(|number| grouped(number.round(), 0));
    let widest = labels.iter().map(|label| font::width(label, LABEL)).fold(0.0, f64::max);
    for (i, ((kind, tone), number)) in KINDS.into_iter().zip(height.numbers()).enumerate() {
        let (x, y) = (left + wide * i as f64, field.up(axis.place(number)));
        let look = ShapeStyle::filled(tone).edged(Tone::INK, 0.8);
        let hint = format!("height {}, {kind}: {}", height.height, labels[i]);
        let bar = PageShape::rectangle((x, y), (wide, field.bottom - y), look);
        scene.add(bar.class("bar").hint(hint));
        let middle = x + wide / 2.0;
        if widest + 3.0 <= wide {
            let text = Text::new(labels[i].clone(), (middle, y - 4.0), LABEL);
            scene.add(PageShape::from(text.anchored(Anchor::Middle)).class("value"));
        } else if wide > LABEL + 0.5 {
            let text = Text::new(labels[i].clone(), (middle + LABEL * 0.35, y - 4.0), LABEL);
            scene.add(PageShape::from(text.upwards()).class("value"));
        }
    }
}

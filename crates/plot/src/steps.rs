//! A scheme's cumulative histogram: how many records each threshold suppresses.

use haggle_model::numerals::{grouped, records};

use super::axis::{Axis, value};
use super::page::{Caption, LegendKey, PlotArea, headline, key};
use super::scene::{PageShape, Scene, ShapeStyle, Stroke, Tone};
use super::terminal::Grid;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;

/// A cumulative histogram as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps {
    /// The caption.
    pub caption: Caption,
    /// The threshold's letter, such as k.
    pub parameter: String,
    /// What the threshold means.
    pub privacy: String,
    /// All records.
    pub records: u64,
    /// For each value that groups have, weakest first: the value, and the records that a threshold
    /// of just this value suppresses.
    pub steps: Vec<(f64, u64)>,
    /// The threshold asked for, and what it suppresses.
    pub asked: Option<(f64, u64)>,
}

impl Steps {
    fn axes(&self, across: usize, up: usize) -> (Axis, Axis) {
        let values = self.steps.iter().chain(&self.asked).map(|(value, _)| *value);
        let most = self.steps.iter().chain(&self.asked).map(|(_, records)| *records).max();
        (Axis::covering(values, across), Axis::of_counts(most.unwrap_or(0), up))
    }

    fn describe(&self, (threshold, suppressed): (f64, u64)) -> String {
        let suppressed = records(suppressed, self.records);
        format!("{} = {} suppresses {suppressed}", self.parameter, value(threshold))
    }

    fn name(&self) -> String {
        format!("records suppressed, of {}", grouped(self.records as f64, 0))
    }

    pub(super) fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.caption.title, WIDTH, HEIGHT);
        let top = headline(&mut scene, &self.caption);
        let top = key(&mut scene, &self.keys(), top);
        let (x, y) = self.axes(10, 7);
        let field = PlotArea::below(&scene, top, &y);
        field.vertical(&mut scene, &y, &self.name());
        field.horizontal(&mut scene, &x, &self.privacy);
        let place = |(threshold, records): (f64, u64)| {
            (field.across(x.place(threshold)), field.up(y.place(records as f64)))
        };
        if let Some((threshold, _)) = self.asked {
            let x = field.across(x.place(threshold));
            let pen = Stroke::new(Tone::INK, 1.4).dashed();
            scene.add(
                PageShape::line(vec![(x, field.top), (x, field.bottom)], pen).class("asked-for"),
            );
        }
        let stairs = self.steps.windows(2).flat_map(|pair| {
            let (weaker, stronger) = (place(pair[0]), place(pair[1]));
            [weaker, (weaker.0, stronger.1), stronger]
        });
        scene.add(
            PageShape::line(stairs.collect(), Stroke::new(Tone::RAMP[4], 1.6)).class("stairs"),
        );
        let radius = if self.steps.len() > 60 { 2.0 } else { 3.5 };
        for &step in &self.steps {
            let mark = PageShape::disc(place(step), radius, ShapeStyle::filled(Tone::RAMP[5]));
            scene.add(mark.class("step").hint(self.describe(step)));
        }
        scene
    }

    fn keys(&self) -> Vec<LegendKey<'_>> {
        let dot = |at| PageShape::disc(at, 3.5, ShapeStyle::filled(Tone::RAMP[5]));
        let mut keys: Vec<LegendKey<'_>> =
            vec![(Box::new(dot), format!("a value of {} that groups have", self.parameter))];
        if let Some(asked) = self.asked {
            let line = |(x, y)| {
                PageShape::line(
                    vec![(x, y - 8.0), (x, y + 8.0)],
                    Stroke::new(Tone::INK, 1.4).dashed(),
                )
            };
            keys.push((Box::new(line), format!("asked for: {}", self.describe(asked))));
        }
        keys
    }

    pub(super) fn text(&self) -> String {
        let (x, y) = self.axes(6, 5);
        let mut grid = Grid::new(&x, &y);
        if let Some((threshold, _)) = self.asked {
            grid.upright(threshold, ':');
        }
        for &(threshold, records) in &self.steps {
            grid.mark(threshold, records as f64, '*');
        }
        let asked = self
            .asked
            .map_or(String::new(), |asked| format!(": = asked for: {}\n", self.describe(asked)));
        grid.text(&self.privacy, &self.name()) + &asked
    }
}

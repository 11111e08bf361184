//! The front of privacy against loss: a point for each Pareto-optimal threshold.

use haggle_model::Scheme;
use haggle_model::numerals::records;

use super::axis::{Axis, value};
use super::page::{Caption, LegendKey, PlotArea, diamond, headline, key};
use super::scene::{PageShape, Scene, ShapeStyle, Stroke, Tone};
use super::shade::Shade;
use super::terminal::Grid;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 600.0;

/// A front as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    /// The caption.
    pub caption: Caption,
    /// The threshold's letter, such as k.
    pub parameter: String,
    /// What the threshold means.
    pub privacy: String,
    /// What the loss is, and its range.
    pub loss: String,
    /// The name of the other axis next to a point's number.
    pub second: String,
    /// What a point is.
    pub best: String,
    /// All records; 0 if neither schemes nor suppressed records are described.
    pub records: u64,
    /// Whether suppression is a third dimension; then points are shaded by it.
    pub suppression: bool,
    /// The points, the strongest threshold first.
    pub points: Vec<Point>,
    /// Points of the exact front that a search missed.
    pub missed: Vec<Point>,
    /// The point that was chosen, on the front or not.
    pub chosen: Option<Point>,
}

/// A point of a front.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The threshold.
    pub threshold: f64,
    /// The loss of the scheme, by the measure asked for.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    pub scheme: Scheme,
    /// Whether the front bends here most.
    pub knee: bool,
}

impl Front {
    fn axes(&self, across: usize, up: usize) -> (Axis, Axis) {
        let all = || self.points.iter().chain(&self.missed).chain(&self.chosen);
        let x = Axis::covering(all().map(|point| point.threshold), across);
        (x, Axis::of_losses(all().map(|point| point.loss), up))
    }

    fn describe(&self, point: &Point) -> String {
        let (threshold, loss) = (value(point.threshold), value(point.loss));
        let (parameter, second) = (&self.parameter, &self.second);
        let detail = match self.records {
            0 => String::new(),
            all => format!(", {}, {} suppressed", point.scheme, records(point.suppressed, all)),
        };
        format!("{parameter} = {threshold}, {second} {loss}{detail}")
    }

    fn knee(&self) -> Option<&Point> {
        self.points.iter().find(|point| point.knee)
    }

    pub(super) fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.caption.title, WIDTH, HEIGHT);
        let top = headline(&mut scene, &self.caption);
        let top = key(&mut scene, &self.keys(), top);
        let (x, y) = self.axes(9, 7);
        let field = PlotArea::below(&scene, top, &y);
        field.vertical(&mut scene, &y, &self.loss);
        field.horizontal(&mut scene, &x, &self.privacy);
        let place =
            |point: &Point| (field.across(x.place(point.threshold)), field.up(y.place(point.loss)));
        if !self.suppression {
            let corners = self.points.windows(2).flat_map(|pair| {
                let (stronger, weaker) = (place(&pair[0]), place(&pair[1]));
                [stronger, (weaker.0, stronger.1), weaker]
            });
            scene.add(
                PageShape::line(corners.collect(), Stroke::new(Tone::GREY, 1.2)).class("front"),
            );
        }
        let radius = if self.points.len() > 150 { 2.5 } else { 4.0 };
        for point in &self.points {
            let mark = PageShape::disc(place(point), radius, self.look(point));
            scene.add(mark.class("point").hint(self.describe(point)));
        }
        for point in &self.missed {
            scene.add(missed_mark(place(point)).class("missed").hint(self.describe(point)));
        }
        if let Some(point) = self.knee() {
            scene.add(knee_mark(place(point)).class("knee"));
        }
        if let Some(point) = &self.chosen {
            scene.add(chosen_mark(place(point)).class("chosen").hint(self.describe(point)));
        }
        scene
    }

    fn look(&self, point: &Point) -> ShapeStyle {
        let shade = Shade::for_share(point.suppressed, self.records);
        let tone = if self.suppression { shade.tone() } else { Tone::INK };
        ShapeStyle::filled(tone).edged(Tone::INK, 0.8)
    }

    fn keys(&self) -> Vec<LegendKey<'_>> {
        let mut keys: Vec<LegendKey<'_>> = Vec::new();
        if self.suppression {
            keys.extend(Shade::ALL.into_iter().map(|shade| -> LegendKey<'_> {
                let look = ShapeStyle::filled(shade.tone()).edged(Tone::INK, 0.8);
                (Box::new(move |at| PageShape::disc(at, 4.5, look)), shade.words().into())
            }));
        } else {
            let point = |at| PageShape::disc(at, 4.0, ShapeStyle::filled(Tone::INK));
            keys.push((Box::new(point), self.best.clone()));
        }
        if !self.missed.is_empty() {
            keys.push((Box::new(missed_mark), "optimal, but missed".into()));
        }
        if let Some(point) = self.knee() {
            keys.push((Box::new(knee_mark), format!("knee: {}", self.describe(point))));
        }
        if let Some(point) = &self.chosen {
            keys.push((Box::new(chosen_mark), format!("chosen: {}", self.describe(point))));
        }
        keys
    }

    pub(super) fn text(&self) -> String {
        let (x, y) = self.axes(6, 5);
        let mut grid = Grid::new(&x, &y);
        for point in &self.points {
            grid.mark(point.threshold, point.loss, '*');
        }
        for point in &self.missed {
            grid.mark(point.threshold, point.loss, 'o');
        }
        if let Some(point) = self.knee() {
            grid.mark(point.threshold, point.loss, 'K');
        }
        let knee = self
            .knee()
            .map_or(String::new(), |knee| format!("K = knee: {}\n", self.describe(knee)));
        let missed = if self.missed.is_empty() { "" } else { "o = optimal, but missed\n" };
        grid.text(&self.privacy, &self.loss) + missed + &knee
    }
}

fn missed_mark(at: (f64, f64)) -> PageShape {
    PageShape::disc(at, 5.0, ShapeStyle::drawn(Tone::INK, 1.5))
}

fn chosen_mark(at: (f64, f64)) -> PageShape {
    PageShape::disc(at, 8.0, ShapeStyle::drawn(Tone::INK, 2.5))
}

fn knee_mark(at: (f64, f64)) -> PageShape {
    diamond(at, 9.0, ShapeStyle::drawn(Tone::INK, 2.0))
}

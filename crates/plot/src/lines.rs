//! Several curves over the same numbers, such as the results of an experiment.

use super::axis::{Axis, value};
use super::page::{Caption, LegendKey, PlotArea, headline, key};
use super::scene::{PageShape, Scene, ShapeStyle, Stroke, Tone};
use super::terminal::Grid;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
const TONES: [Tone; 4] = [Tone::INK, Tone::RAMP[3], Tone::RAMP[4], Tone::LIGHT];

/// Curves as a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The caption.
    pub caption: Caption,
    /// What runs to the right.
    pub across: String,
    /// What runs upwards.
    pub up: String,
    /// The curves: a name, and points.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Lines {
    fn axes(&self, across: usize, up: usize) -> (Axis, Axis) {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let x = Axis::covering(points().map(|point| point.0), across);
        (x, Axis::covering(points().map(|point| point.1).chain([0.0]), up))
    }

    /// Tone and dashes distinguish curves, also in grey.
    fn pen(position: usize) -> Stroke {
        let pen = Stroke::new(TONES[position % TONES.len()], 1.8);
        if position / TONES.len() % 2 == 1 { pen.dashed() } else { pen }
    }

    pub(super) fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.caption.title, WIDTH, HEIGHT);
        let top = headline(&mut scene, &self.caption);
        let mark = |position: usize| {
            let pen = Self::pen(position);
            move |(x, y): (f64, f64)| PageShape::line(vec![(x - 9.0, y), (x + 9.0, y)], pen)
        };
        let keys: Vec<LegendKey<'_>> = self
            .curves
            .iter()
            .enumerate()
            .map(|(i, (name, _))| (Box::new(mark(i)) as Box<_>, name.clone()))
            .collect();
        let top = key(&mut scene, &keys, top);
        let (x, y) = self.axes(10, 7);
        let field = PlotArea::below(&scene, top, &y);
        field.vertical(&mut scene, &y, &self.up);
        field.horizontal(&mut scene, &x, &self.across);
        for (position, (name, points)) in self.curves.iter().enumerate() {
            let place = |&(a, b): &(f64, f64)| (field.across(x.place(a)), field.up(y.place(b)));
            let line = points.iter().map(place).collect();
            scene.add(PageShape::line(line, Self::pen(position)).class("curve"));
            for point in points {
                let disc = PageShape::disc(
                    place(point),
                    3.2,
                    ShapeStyle::filled(Self::pen(position).tone),
                );
                let hint = format!("{name}: {} at {}", value(point.1), value(point.0));
                scene.add(disc.class("point").hint(hint));
            }
        }
        scene
    }

    pub(super) fn text(&self) -> String {
        let (x, y) = self.axes(6, 5);
        let mut grid = Grid::new(&x, &y);
        let signs = "*o+x#@%&";
        let mut keys = String::new();
        for ((name, points), sign) in self.curves.iter().zip(signs.chars().cycle()) {
            for &(a, b) in points {
                grid.mark(a, b, sign);
            }
            keys += &format!("{sign} = {name}\n");
        }
        grid.text(&self.across, &self.up) + &keys
    }
}

//! The front of privacy against loss, point by point with the price of the next step.

use haggle_cube::Lattice;
use haggle_model::Scheme;
use haggle_search::pareto::{Against, Point, front, front_with_suppression};
use serde::Serialize;

use crate::ask::Ask;
use crate::loss::Judge;
use crate::{Engine, Error};

/// A front of privacy against loss.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Front {
    /// The model.
    pub model: String,
    /// The number that varies.
    pub parameter: &'static str,
    /// The measure.
    pub loss: String,
    /// How many records may be suppressed.
    pub limit: u64,
    /// The points, the strongest threshold first.
    pub points: Vec<FrontPoint>,
}

/// A scheme at a threshold that no other beats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrontPoint {
    /// The threshold.
    pub threshold: f64,
    /// What is lost.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    pub scheme: Scheme,
    /// Its height.
    pub height: u32,
    /// What one unit of the threshold costs on the way from the next weaker point; none for the
    /// weakest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// Whether the front bends here most.
    pub knee: bool,
}

impl Engine {
    /// The exact front of the model asked for (its threshold varies) against a measure; with
    /// `suppression`, suppressed records are a price of their own.
    pub fn pareto(&self, ask: &Ask, judge: &Judge, suppression: bool) -> Result<Front, Error> {
        let ask = ask.or(self.defaults());
        let (judged, criteria) = self.judged(&ask)?;
        let [criterion] = criteria.as_slice() else {
            return Err(Error::new("a front is of one model", "ask for each model alone"));
        };
        let judging = judge.on(self.cube(), self.facts())?;
        let weighed = self.weighed(&judged, criterion, 0, judge, &judging)?;
        let request = ask.request(&judged)?;
        let part = judged.lattice.space().under(&request.caps);
        let against = Against {
            column: judged.lattice.column(0),
            weighed: &weighed,
            loss: judging.loss.as_ref(),
        };
        let make = if suppression { front_with_suppression } else { front };
        let points = make(&judged.lattice, &part, against, request.limit);
        Ok(Front {
            model: criterion.label.clone(),
            parameter: criterion.numbers[0].parameter.name,
            loss: judge.to_string(),
            limit: request.limit,
            points: described(&points, suppression),
        })
    }
}

fn described(points: &[Point], suppression: bool) -> Vec<FrontPoint> {
    let knee = if suppression { None } else { knee(points) };
    let price = |i: usize| {
        let (here, next) = (points.get(i)?, points.get(i + 1)?);
        (!suppression).then(|| (here.loss - next.loss) / (here.threshold - next.threshold).abs())
    };
    let point = |(i, point): (usize, &Point)| FrontPoint {
        threshold: point.threshold,
        loss: point.loss,
        suppressed: point.suppressed,
        scheme: point.scheme.clone(),
        height: point.scheme.height(),
        price: price(i),
        knee: knee == Some(i),
    };
    points.iter().enumerate().map(point).collect()
}

/// The point farthest below the line from the first to the last, both axes scaled to one.
fn knee(points: &[Point]) -> Option<usize> {
    let (first, last) = (points.first()?, points.last()?);
    let scaled = |point: &Point| {
        let privacy = (point.threshold - last.threshold) / (first.threshold - last.threshold);
        let loss = (point.loss - last.loss) / (first.loss - last.loss);
        privacy - loss
    };
    let bends: Vec<f64> = points.iter().map(scaled).collect();
    let (most, bend) = bends.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (points.len() > 2 && *bend > 0.0).then_some(most)
}

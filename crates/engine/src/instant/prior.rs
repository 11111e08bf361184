//! A summary as what an attacker knows beforehand.

use std::ops::Range;

use haggle_api::{Ask, InstantAsk, Privacy};
use haggle_cube::Cube;
use haggle_cube::query::ValueSet;
use haggle_inference::belief::Prior;
use haggle_instant::Summary;
use haggle_model::{Error, Hierarchy, Level, Watched};
use haggle_project::Project;

use super::{Instant, InstantOptions};

/// A summary's joint distribution of the quasi-identifiers and one sensitive attribute.
#[derive(Debug)]
struct SummaryPrior {
    summary: Box<dyn Summary>,
    /// The number of recorded values of each quasi-identifier.
    domains: Vec<u32>,
    /// For each sensitive value of the cube, its code in the summary.
    codes: Vec<Option<usize>>,
}

/// Makes a summary of a project's table and returns it as a prior over the codes of a cube.
pub fn summary_prior(
    project: &Project,
    cube: &Cube,
    sensitive: &Watched,
    options: &InstantOptions<'_>,
) -> Result<Box<dyn Prior>, Error> {
    // Of the request only the sensitive attribute matters.
    let mut privacy = Privacy::new("frequency-l-diversity", 2.0);
    privacy.on = Some(sensitive.name.clone());
    let ask = Ask { privacy: vec![privacy], only: true, ..Ask::default() };
    let instant = Instant::open(project, &InstantAsk { ask, ..InstantAsk::default() }, options)?;
    let Instant { summary, sensitive: watched, .. } = instant;
    let attributes = cube.attributes().iter().zip(summary.attributes());
    if !attributes.into_iter().all(|(a, b)| same_values(&a.hierarchy, &b.hierarchy)) {
        let what = "the summary was made of other values than were counted";
        return Err(Error::new(what, "choose another summary as the prior"));
    }
    let domains = cube.attributes().iter().map(|a| a.hierarchy.len(Level::RECORDED) as u32);
    let known = |value: &str| Some(watched.as_ref()?.values.code(value)? as usize);
    let codes = sensitive.values.values().map(known).collect();
    Ok(Box::new(SummaryPrior { domains: domains.collect(), codes, summary }))
}

fn same_values(one: &Hierarchy, other: &Hierarchy) -> bool {
    let values = one.len(Level::RECORDED);
    let same = |code: u32| one.label(code, Level::RECORDED) == other.label(code, Level::RECORDED);
    values == other.len(Level::RECORDED) && (0..values as u32).all(same)
}

impl SummaryPrior {
    fn in_box(&self, sides: &[Range<u32>], weights: &mut [f64]) {
        let found = self.summary.within(sides, None, true);
        for (weight, code) in weights.iter_mut().zip(&self.codes) {
            *weight += code.and_then(|code| found.get(code)).copied().unwrap_or(0.0);
        }
    }

    /// Adds up the boxes of which a product of value sets consists.
    fn in_boxes(&self, sides: &[&ValueSet], chosen: &mut Vec<Range<u32>>, weights: &mut [f64]) {
        let Some(side) = sides.get(chosen.len()) else { return self.in_box(chosen, weights) };
        for range in side.ranges() {
            chosen.push(range);
            self.in_boxes(sides, chosen, weights);
            chosen.pop();
        }
    }
}

impl Prior for SummaryPrior {
    fn at(&self, codes: &[u32]) -> Vec<f64> {
        let mut weights = vec![0.0; self.codes.len()];
        self.in_box(&codes.iter().map(|&code| code..code + 1).collect::<Vec<_>>(), &mut weights);
        weights
    }

    fn within(&self, sides: &[&ValueSet]) -> Vec<f64> {
        let mut weights = vec![0.0; self.codes.len()];
        self.in_boxes(sides, &mut Vec::new(), &mut weights);
        weights
    }

    fn total(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.codes.len()];
        self.in_box(&self.domains.iter().map(|&all| 0..all).collect::<Vec<_>>(), &mut weights);
        weights
    }
}

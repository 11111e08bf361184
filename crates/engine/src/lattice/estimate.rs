//! What building a lattice will take, estimated beforehand: schemes, touches, seconds and bytes.

use std::time::Instant;

use haggle_api::BuildEstimate;
use haggle_cube::{Cube, FullLattice, Limits, Statistic};
use haggle_model::{Error, Silent};
use haggle_project::Project;
use haggle_project::facts::facts;
use haggle_project::survey::GeneralSurvey;

use crate::criteria::criterion::{plain, unit};
use crate::criteria::start::counted;
use crate::lattice::cheaper::CheaperWay;
use crate::options::Options;

/// A lattice of this many schemes is annotated to measure how long reading a cell takes.
const MEASURED: usize = 400;

/// It is annotated so often, and the quickest time counts.
const TIMES: usize = 3;

/// Counts a project's data and says what annotating every scheme will take, without doing it.
pub(crate) fn estimate(project: &Project, options: &Options<'_>) -> Result<BuildEstimate, Error> {
    let start = Instant::now();
    let qi = options.qi.clone().unwrap_or_else(|| project.default_qi());
    options.progress.start("reading", project.input(options.progress)?.bytes().unwrap_or(0));
    let counted = counted(project, &qi, options);
    options.progress.finish();
    let GeneralSurvey { cube, stated, .. } = counted?;
    let scan_seconds = start.elapsed().as_secs_f64();
    let statistics = plain(&facts(&cube, &stated)?, unit(&cube).as_ref(), |model| model.stored);
    let each: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
    let estimated = cube.estimate(&each);
    let touch = seconds_per_touch(&cube, &statistics)?;
    let annotate_seconds = estimated.touches * touch;
    Ok(BuildEstimate {
        schemes: whole(estimated.schemes),
        records: cube.records(),
        base_groups: cube.base_groups(),
        touches: whole(estimated.touches),
        scan_seconds,
        annotate_seconds,
        seconds: scan_seconds + annotate_seconds,
        nanoseconds_per_touch: touch * 1e9,
        bytes: whole(estimated.bytes),
        file_bytes: whole(estimated.file_bytes),
        full_by_default: CheaperWay::of(options).allows_full(&cube),
        looked_at: estimated.looked_at,
    })
}

/// To the nearest whole number that there is.
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// How long a touch takes: the lattice of some of the quasi-identifiers is annotated and timed.
fn seconds_per_touch(cube: &Cube, statistics: &[Box<dyn Statistic>]) -> Result<f64, Error> {
    let mut by_values: Vec<usize> = (0..cube.attributes().len()).collect();
    let hierarchy = |i: usize| &cube.attributes()[i].hierarchy;
    by_values.sort_by_key(|&i| std::cmp::Reverse(hierarchy(i).len(0.into())));
    let (mut chosen, mut schemes) = (Vec::new(), 1);
    for i in by_values {
        let more = schemes * (hierarchy(i).top().index() + 1);
        if chosen.is_empty() || more <= MEASURED {
            chosen.push(i);
            schemes = more;
        }
    }
    chosen.sort_unstable();
    let small = std::sync::Arc::new(cube.select(&chosen));
    let mut quickest = f64::INFINITY;
    for _ in 0..TIMES {
        let start = Instant::now();
        let lattice = FullLattice::build(small.clone(), statistics, Limits::default(), &Silent)?;
        let touches = lattice.work().touches.max(1) as f64;
        quickest = quickest.min(start.elapsed().as_secs_f64() / touches);
    }
    Ok(quickest)
}

#[cfg(test)]
#[path = "../../tests/unit/estimate.rs"]
mod tests;

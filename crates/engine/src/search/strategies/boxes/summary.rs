//! What boxes are predicted by: a summary of the data, made without reading it once more.

use haggle_cube::{Base, Overview};
use haggle_instant::{Needs, Summary, SummaryInput, SummaryKind};
use haggle_model::{Error, Level, Progress};

use crate::Engine;
use crate::instant::statistics_of;

/// So many records are drawn for summaries that need some.
const SAMPLE: u64 = 10_000;

/// A summary of the counted groups, or of what the database keeps for itself.
pub(in crate::search::strategies) fn summary(
    engine: &Engine,
    base: &Base,
    kind: &SummaryKind,
    sensitive: Option<usize>,
    progress: &dyn Progress,
) -> Result<Box<dyn Summary>, Error> {
    let statistics = match (kind.needs, engine.project()) {
        (Needs::Overview | Needs::Sample, _) => None,
        (Needs::Statistics, Some(project)) => Some(statistics_of(&project.table(progress)?)?),
        (Needs::Statistics, None) => {
            let what = "only the lattice file is at hand, and no database that keeps statistics";
            return Err(Error::new(what, "choose another summary, or name the project"));
        }
    };
    let cube = engine.cube();
    let basis = SummaryInput {
        attributes: cube.attributes().to_vec(),
        sensitive: sensitive.map(|position| cube.watched()[position].clone()),
        overview: statistics.is_none().then(|| overview_of(engine, base, sensitive)),
        statistics,
    };
    kind.build(&basis)
}

/// How often each value occurs, and every so many records one.
fn overview_of(engine: &Engine, base: &Base, sensitive: Option<usize>) -> Overview {
    let attributes = engine.cube().attributes().iter();
    let mut counts: Vec<Vec<u64>> =
        attributes.map(|a| vec![0; a.hierarchy.len(Level::RECORDED)]).collect();
    counts.extend(sensitive.map(|p| vec![0; engine.cube().watched()[p].values.len() + 1]));
    let step = (base.all() / SAMPLE).max(1);
    let (mut sample, mut passed) = (Vec::new(), 0);
    let mut add = |codes: &[u32], records: u64| {
        for (counts, &code) in counts.iter_mut().zip(codes) {
            counts[code as usize] += records;
        }
        let drawn = (passed + records) / step - passed / step;
        (0..drawn).for_each(|_| sample.extend_from_slice(codes));
        passed += records;
    };
    for row in 0..base.len() {
        let Some(position) = sensitive else {
            add(base.codes(row), base.records(row));
            continue;
        };
        let mut known = 0;
        for value in base.values(row, position) {
            add(&[base.codes(row), &[value.code]].concat(), value.count);
            known += value.count;
        }
        let none = engine.cube().watched()[position].values.len() as u32;
        if base.records(row) > known {
            add(&[base.codes(row), &[none]].concat(), base.records(row) - known);
        }
    }
    Overview { records: base.all(), counts, sample }
}

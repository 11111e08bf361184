//! The full lattice: every scheme annotated beforehand.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use haggle_model::{Scheme, Space};

use crate::annotate::{Limits, Task, annotate};
use crate::cube::{Marginal, any_width};
use crate::histogram::Tallied;
use crate::lattice::{Annotated, Column, Costs, Lattice};
use crate::{Cube, Error, Histograms, Statistic};

/// Bytes for the costs of thresholds that were asked for; the oldest go first.
const KEPT_COSTS: usize = 16 << 20;

/// What annotating a lattice took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// The schemes annotated.
    pub schemes: usize,
    /// The cells read by roll-ups, over all schemes; groups, where nothing is watched.
    pub touches: u64,
}

/// A lattice with an annotation for every scheme, and the cube it came from.
#[derive(Debug)]
pub struct FullLattice {
    cube: Arc<Cube>,
    space: Space,
    columns: Vec<Column>,
    histograms: Vec<Histograms>,
    work: Work,
    costs: Mutex<VecDeque<(usize, u64, Costs)>>,
}

impl FullLattice {
    /// Annotates every scheme of the cube with these statistics. `progress` is told of schemes as
    /// they are done.
    pub fn build(
        cube: Arc<Cube>,
        statistics: &[Box<dyn Statistic>],
        limits: Limits,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Error> {
        let space = cube.space();
        let schemes = annotatable(&space, statistics.len(), limits)?;
        let (histograms, touches) = annotate_all(&cube, &space, statistics, limits, progress)?;
        Ok(Self {
            columns: statistics.iter().map(|s| s.as_ref().into()).collect(),
            work: Work { schemes, touches },
            costs: Mutex::default(),
            cube,
            space,
            histograms,
        })
    }

    pub(crate) fn from_parts(
        cube: Cube,
        columns: Vec<Column>,
        histograms: Vec<Histograms>,
    ) -> Option<Self> {
        let space = cube.space();
        let schemes = space.size()?;
        let records = cube.records();
        let whole = columns.len() == histograms.len()
            && histograms.iter().all(|h| h.len() == schemes && h.are_sound(records));
        let work = Work { schemes, touches: 0 };
        let costs = Mutex::default();
        whole.then(|| Self { cube: cube.into(), space, columns, histograms, work, costs })
    }

    /// The counted base groups that every scheme was rolled up from.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// What annotating took; no touches for a lattice that was loaded.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Every scheme's histograms, by column.
    pub(crate) fn histograms(&self) -> &[Histograms] {
        &self.histograms
    }
}

impl Lattice for FullLattice {
    fn space(&self) -> &Space {
        &self.space
    }

    fn records(&self) -> u64 {
        self.cube.records()
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn annotate(&self, scheme: &Scheme) -> Result<Annotated<'_>, Error> {
        Ok(Annotated::kept(&self.histograms, self.space.index(scheme)))
    }

    /// One walk through all histograms; the next request with this threshold finds it done.
    fn costs(&self, column: usize, threshold: f64) -> Option<Costs> {
        let mut kept = self.costs.lock().expect("no search panicked");
        let known = kept.iter().find(|(c, t, _)| (*c, *t) == (column, threshold.to_bits()));
        if let Some((_, _, costs)) = known {
            return Some(costs.clone());
        }
        let histograms = &self.histograms[column];
        let cost = |scheme| histograms.get(scheme).suppressed(threshold) as u32;
        let costs: Costs = (0..histograms.len()).map(cost).collect();
        kept.push_back((column, threshold.to_bits(), costs.clone()));
        if kept.len() * size_of_val(&*costs) > KEPT_COSTS {
            kept.pop_front();
        }
        Some(costs)
    }
}

/// How many schemes there are, unless their bare number is more than memory allows.
fn annotatable(space: &Space, columns: usize, limits: Limits) -> Result<usize, Error> {
    let least = columns * (size_of::<Tallied>() + size_of::<u32>());
    let fits = |schemes: &usize| schemes.saturating_mul(least) <= limits.memory;
    space.size().filter(fits).ok_or_else(|| Error::Memory {
        schemes: space.size().unwrap_or(usize::MAX),
        limit: limits.memory >> 20,
        height: 0,
    })
}

/// Every scheme's histograms by statistic, and the cells touched.
fn annotate_all(
    cube: &Cube,
    space: &Space,
    statistics: &[Box<dyn Statistic>],
    limits: Limits,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(Vec<Histograms>, u64), Error> {
    let hierarchies = cube.hierarchies();
    let task = Task {
        space,
        hierarchies: &hierarchies,
        limits,
        progress,
        used: 0.into(),
        touches: 0.into(),
    };
    let empty = |statistic: &dyn Statistic| Histograms::new(statistic.comparison(), cube.records());
    let mut columns: Vec<Histograms> = statistics.iter().map(|s| empty(s.as_ref())).collect();
    for (watched, Marginal { layout, cells }) in cube.marginals.iter().enumerate() {
        let mine = |position: &usize| statistics[*position].watches().unwrap_or(0) == watched;
        let positions: Vec<usize> = (0..statistics.len()).filter(mine).collect();
        if positions.is_empty() {
            continue;
        }
        let here: Vec<&dyn Statistic> = positions.iter().map(|&p| statistics[p].as_ref()).collect();
        for scheme in any_width!(cells, cells => annotate(cells, layout, &here, &task))? {
            for (&position, tallied) in positions.iter().zip(&scheme) {
                columns[position].push(tallied);
            }
        }
    }
    Ok((columns, task.touches.into_inner()))
}

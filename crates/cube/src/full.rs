//! The full lattice: every scheme annotated beforehand.

use std::sync::Arc;

use haggle_model::{Scheme, Space};

use crate::annotate::{Limits, Task, annotate};
use crate::cube::{Marginal, any_width};
use crate::lattice::{Annotated, Annotation, Column, Lattice};
use crate::{Cube, Error, Histogram, Statistic};

/// What annotating a lattice took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// The schemes annotated.
    pub schemes: usize,
    /// The cells read by roll-ups, over all schemes; groups, where nothing is watched.
    pub touches: u64,
}

/// A lattice with an annotation for every scheme, and the cube it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct FullLattice {
    cube: Arc<Cube>,
    space: Space,
    columns: Vec<Column>,
    annotations: Vec<Annotation>,
    work: Work,
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
        let annotations = histograms.into_iter().map(|histograms| Annotation { histograms });
        Ok(Self {
            annotations: annotations.collect(),
            columns: statistics.iter().map(|s| s.as_ref().into()).collect(),
            work: Work { schemes, touches },
            cube,
            space,
        })
    }

    pub(crate) fn from_parts(
        cube: Cube,
        columns: Vec<Column>,
        annotations: Vec<Annotation>,
    ) -> Option<Self> {
        let space = cube.space();
        let work = Work { schemes: annotations.len(), touches: 0 };
        let whole = space.size() == Some(annotations.len());
        let sound =
            |histogram: &Histogram| histogram.is_sound() && histogram.records() == cube.records();
        let sound = whole
            && annotations.iter().all(|annotation| {
                annotation.histograms.len() == columns.len()
                    && annotation.histograms.iter().all(sound)
            });
        sound.then(|| Self { cube: cube.into(), space, columns, annotations, work })
    }

    /// The counted base groups that every scheme was rolled up from.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// What annotating took; no touches for a lattice that was loaded.
    pub fn work(&self) -> Work {
        self.work
    }

    pub(crate) fn annotations(&self) -> &[Annotation] {
        &self.annotations
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
        Ok(Annotated::Kept(&self.annotations[self.space.index(scheme)]))
    }
}

/// How many schemes there are, unless their bare number is more than memory allows.
fn annotatable(space: &Space, columns: usize, limits: Limits) -> Result<usize, Error> {
    let least = size_of::<Annotation>() + columns * size_of::<Histogram>();
    let fits = |schemes: &usize| schemes.saturating_mul(least) <= limits.memory;
    space.size().filter(fits).ok_or_else(|| Error::Memory {
        schemes: space.size().unwrap_or(usize::MAX),
        limit: limits.memory >> 20,
        height: 0,
    })
}

/// Every scheme's histograms in the order of the statistics, and the cells touched.
type Annotations = (Vec<Box<[Histogram]>>, u64);

fn annotate_all(
    cube: &Cube,
    space: &Space,
    statistics: &[Box<dyn Statistic>],
    limits: Limits,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Annotations, Error> {
    let hierarchies = cube.hierarchies();
    let task = Task {
        space,
        hierarchies: &hierarchies,
        limits,
        progress,
        used: 0.into(),
        touches: 0.into(),
    };
    let size = space.size().unwrap_or(0);
    let mut columns: Vec<Vec<Option<Histogram>>> = vec![vec![None; statistics.len()]; size];
    for (watched, Marginal { layout, cells }) in cube.marginals.iter().enumerate() {
        let mine = |s: &&dyn Statistic| s.watches().unwrap_or(0) == watched;
        let here: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).filter(mine).collect();
        if here.is_empty() {
            continue;
        }
        let positions = statistics.iter().enumerate().filter(|(_, s)| mine(&s.as_ref()));
        let positions: Vec<usize> = positions.map(|(i, _)| i).collect();
        let histograms = any_width!(cells, cells => annotate(cells, layout, &here, &task))?;
        for (scheme, histograms) in columns.iter_mut().zip(histograms) {
            for (&position, histogram) in positions.iter().zip(histograms) {
                scheme[position] = Some(histogram);
            }
        }
    }
    let whole = |scheme: Vec<Option<Histogram>>| scheme.into_iter().flatten().collect();
    Ok((columns.into_iter().map(whole).collect(), task.touches.into_inner()))
}

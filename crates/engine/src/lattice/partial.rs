//! Partial lattices: which schemes are annotated, and answers from them alone.

use std::sync::Arc;

use haggle_api::PartialKnown;
use haggle_cube::{Cube, Lattice, Limits, PartialLattice, Statistic};
use haggle_model::{Error, Remedy, Scheme};
use haggle_project::facts::{AllStated, facts};
use haggle_search::partial::{LevelMetrics, Selection, find_estimator};
use serde::{Deserialize, Serialize};

use crate::criteria::criterion::{plain, unit};
use crate::lattice::lattices::Lattices;
use crate::options::Options;

/// How schemes were selected, as it is kept in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Selected {
    pub(crate) estimator: String,
    pub(crate) percent: f64,
}

impl Selected {
    /// The selection that it was.
    pub(crate) fn selection(&self) -> Result<Selection, Error> {
        let unknown = || {
            let what = format!("this haggle knows no estimator '{}'", self.estimator);
            Error::unsupported(what, Remedy::BuildAgain)
        };
        let estimator = find_estimator(&self.estimator).ok_or_else(unknown)?;
        Selection::new(estimator, self.percent)
    }
}

/// A partial lattice that carries the models of every lattice, and those made of it for others.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) lattice: PartialLattice,
    pub(crate) selected: Selected,
    /// Lattices of the same schemes with other models.
    pub(crate) lattices: Lattices<PartialLattice>,
}

impl Partial {
    /// Selects schemes of a cube and annotates them.
    pub(crate) fn build(
        cube: Arc<Cube>,
        selection: &Selection,
        stated: &AllStated,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let schemes = selection.select(&cube.space(), &LevelMetrics::of(&cube)?)?;
        let statistics = plain(&facts(&cube, stated)?, unit(&cube).as_ref(), |model| model.stored);
        let marginals = cube.watched().len().max(1);
        options.progress.start("annotating", (schemes.len() * marginals) as u64);
        let lattice = annotate(cube, &schemes, &statistics, false, options);
        options.progress.finish();
        let estimator = selection.estimator().id.to_owned();
        let selected = Selected { estimator, percent: selection.percent() };
        Ok(Self::new(lattice?, selected))
    }

    /// One that is annotated already.
    pub(crate) fn new(lattice: PartialLattice, selected: Selected) -> Self {
        Self { lattice, selected, lattices: Lattices::default() }
    }

    /// Returns whether every scheme was selected.
    pub(crate) fn has_all_schemes(&self) -> bool {
        Some(self.lattice.work().schemes) == self.lattice.space().size()
    }

    /// Which schemes it has.
    pub(crate) fn known(&self) -> PartialKnown {
        PartialKnown::new(
            self.selected.estimator.clone(),
            self.selected.percent,
            self.lattice.work().schemes,
            self.lattice.space().size().unwrap_or(usize::MAX),
        )
    }

    /// The lattice of these statistics, over the same schemes.
    pub(crate) fn carrying(
        &self,
        statistics: &[Box<dyn Statistic>],
        rows: bool,
        memory: usize,
    ) -> Result<PartialLattice, Error> {
        let wanted: Vec<_> = statistics.iter().map(|statistic| statistic.column()).collect();
        if let Some(lattice) = self.lattice.columns(&wanted).filter(|_| !rows) {
            return Ok(lattice);
        }
        let schemes: Vec<Scheme> = self.lattice.schemes().cloned().collect();
        let options = Options { memory, ..Options::default() };
        annotate(self.lattice.cube().clone(), &schemes, statistics, rows, &options)
    }
}

fn annotate(
    cube: Arc<Cube>,
    schemes: &[Scheme],
    statistics: &[Box<dyn Statistic>],
    rows: bool,
    options: &Options<'_>,
) -> Result<PartialLattice, Error> {
    let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
    let limits = Limits { memory: options.memory };
    PartialLattice::build(cube, schemes, &statistics, rows, limits, options.progress)
}

//! Partial lattices: which schemes are annotated, and answers from them alone.

use std::sync::Arc;
use std::time::Instant;

use haggle_api::{Answer, Ask, Obtained, PartialKnown};
use haggle_cube::{Cube, Lattice, Limits, PartialLattice, Statistic};
use haggle_model::{Error, Scheme};
use haggle_project::facts::{AllStated, facts};
use haggle_search::negotiate;
use haggle_search::optimize::optimize;
use haggle_search::partial::{LevelMetrics, Selection, find_estimator};
use serde::{Deserialize, Serialize};

use crate::Engine;
use crate::criterion::{plain, unit};
use crate::engine::Options;
use crate::judging::ByGroups;
use crate::on_demand::{Lattices, columns};
use crate::resolve::request_on;
use crate::tables::positions;
use crate::wording::Wording;

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
            Error::new(what, "write the lattice anew with `haggle build`")
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
    made: Lattices<PartialLattice>,
}

impl Partial {
    /// Selects schemes of a cube and annotates them.
    pub(crate) fn build(
        cube: Arc<Cube>,
        selection: &Selection,
        stated: &AllStated,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let schemes = selection.of(&cube.space(), &LevelMetrics::of(&cube)?)?;
        let statistics = plain(&facts(&cube, stated)?, unit(&cube).as_ref(), |model| model.stored);
        let marginals = cube.watched().len().max(1);
        options.progress.start("annotating", (schemes.len() * marginals) as u64);
        let lattice = annotate(cube, &schemes, &statistics, false, options);
        options.progress.finish();
        let estimator = selection.estimator().id.to_owned();
        let selected = Selected { estimator, percent: selection.percent() };
        Ok(Self::of(lattice?, selected))
    }

    /// One that is annotated already.
    pub(crate) fn of(lattice: PartialLattice, selected: Selected) -> Self {
        Self { lattice, selected, made: Lattices::default() }
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
    fn carrying(
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

impl Engine {
    /// Which schemes are annotated, if some were selected.
    ///
    /// ```
    /// # use haggle::{Engine, Options, Project, Selection, Way, find_estimator};
    /// # let project = Project::open("demo:adult")?;
    /// let selection = Selection::new(find_estimator("lambda").unwrap(), 5.0)?;
    /// let way = Way::Partial(selection);
    /// let engine = Engine::open(&project, &Options { way, stored: false, ..Options::default() })?;
    /// let partial = engine.partial().expect("some schemes only");
    /// assert!(partial.schemes < partial.of / 10);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn partial(&self) -> Option<PartialKnown> {
        self.built().partial.clone()
    }

    /// Answers a request from the selected schemes, and that of the maximum levels if the engine was
    /// opened so.
    pub(crate) fn ask_partially(&self, ask: &Ask, partial: &Partial) -> Result<Answer, Error> {
        let ask = ask.or(self.defaults());
        let criteria = self.criteria(&ask)?;
        let rows = criteria.len() > 1;
        let (statistics, id) = columns(self.criteria(&ask)?);
        let memory = self.memory();
        let lattice =
            partial.made.of(id, memory, || partial.carrying(&statistics, rows, memory))?;
        let (requirements, negotiable) = positions(&criteria);
        let request = request_on(&ask, self.cube(), requirements, negotiable)?;
        let wording = Wording::new(self, &ask, &criteria, &request).of_some();
        let start = Instant::now();
        let with = self
            .annotates_maximum()
            .then(|| lattice.with(&request.caps, statistics, Limits { memory }))
            .transpose()?;
        let lattice = with.as_ref().unwrap_or(&lattice);
        let micros = || start.elapsed().as_micros() as u64;
        let best = ask.optimize.as_ref().map(|judge| -> Result<_, Error> {
            let judging = self.judging(judge)?;
            let losses = ByGroups { cube: self.cube(), judging: &judging, criteria: &criteria };
            let best = optimize(lattice, &request, &losses, ask.top.unwrap_or(1).max(1))?;
            let error = |scheme: &Scheme| judging.error(self.cube(), scheme, &criteria);
            let ranked = || wording.ranked(&best, &judge.to_string(), error, micros());
            Ok((!best.is_empty()).then(ranked))
        });
        let answer = match best.transpose()?.flatten() {
            Some(ranked) => ranked,
            None => wording.answer(negotiate(lattice, &request)?, micros()),
        };
        let known = partial.known();
        let obtained = Obtained {
            way: "partial",
            proven: known.schemes == known.of,
            impossible: false,
            none_below: ask.optimize.is_none().then_some(0),
            no_loss_below: None,
            annotated: u64::from(with.is_some()),
            partial: Some(known),
        };
        let under = |scheme: &&Scheme| scheme.is_under(&request.caps);
        let visited = match ask.optimize {
            Some(_) => lattice.schemes().filter(under).count() as u64,
            None => answer.visited,
        };
        Ok(Answer { obtained: Some(obtained), visited, ..answer })
    }
}

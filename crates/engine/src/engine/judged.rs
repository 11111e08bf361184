//! What an engine is asked: for the best scheme, by height or by loss, and what thresholds cost.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use haggle_api::{Ask, Judge};
use haggle_cube::{FullLattice, Lattice, Limits, OnDemand, Statistic, Weighed};
use haggle_model::{Error, ErrorKind, Remedy};

use super::{Engine, Progress, Silent};
use crate::criterion::{Criterion, unit};
use crate::form::{Form, Mode};
use crate::judging::{JudgedLosses, Judging};
use crate::lattices::Lattices;
use crate::tables::Judged;

impl Engine {
    /// The privacy of a request on this table. A threshold may be beyond what its values allow: the
    /// answer then says what could be relaxed.
    pub fn criteria(&self, ask: &Ask) -> Result<Vec<Criterion>, Error> {
        let unit = unit(self.cube());
        Criterion::all(&ask.privacy, &self.facts, unit.as_ref())
    }

    /// Resolves a loss measure on this table.
    pub fn judging(&self, judge: &Judge) -> Result<Judging, Error> {
        Judging::of(judge, self.cube(), &self.facts)
    }

    /// A lattice that carries the privacy of a request; its tables are made if nobody asked before.
    pub fn judged(&self, ask: &Ask) -> Result<(Judged, Vec<Criterion>), Error> {
        self.all_annotated("this question")?;
        self.judge(self.criteria(ask)?, &Silent)
    }

    /// Makes what a request needs beyond the lattice, and what weighing by these measures needs;
    /// questions then find it. Only this tells of its progress and can be given up.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Silent};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::of("t-closeness", 0.2)], ..Ask::default() };
    /// engine.prepare(&ask, &["lm".parse()?], &Silent)?;
    /// assert!(engine.is_quick(&ask));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn prepare(
        &self,
        ask: &Ask,
        measures: &[Judge],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let ask = ask.at_weakest()?; // every value of a range needs the same tables
        if !matches!(self.form, Form::Full) || self.lattices_for(&ask)?.is_some() {
            return Ok(()); // schemes are counted as the question touches them, or were selected
        }
        match (self.make_tables(&ask, measures, progress), &self.flexible) {
            (Err(error), Some(flexible)) if error.kind() == ErrorKind::OutOfMemory => {
                flexible.too_little_memory.store(true, Relaxed);
                Ok(())
            }
            (made, _) => made,
        }
    }

    fn make_tables(
        &self,
        ask: &Ask,
        measures: &[Judge],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judge(self.criteria(&ask)?, progress)?;
        for judge in measures {
            let judging = self.judging(judge)?;
            for (criterion, required) in criteria.iter().zip(&judged.requirements) {
                let column = required.column;
                self.weighed_by(&judged, criterion, column, judge, &judging, progress)?;
            }
        }
        Ok(())
    }

    /// How often every scheme is gone through to make the tables that a question lacks.
    pub(crate) fn passes_for(&self, ask: &Ask) -> Result<usize, Error> {
        let ask = ask.or(&self.defaults);
        let criteria = self.criteria(&ask)?;
        let tables = if self.tables.has(&self.lattice, &criteria) { 0 } else { criteria.len() };
        let lacks = |criterion: &&Criterion| {
            let column = criterion.numbers[0].statistic.column();
            ask.optimize
                .as_ref()
                .is_some_and(|judge| !self.tables.has_weighed(&self.weighed_id(&column.id, judge)))
        };
        Ok(tables + criteria.iter().filter(lacks).count())
    }

    /// The measures that [`ask`](Self::ask) weighs by.
    pub fn measures(&self, ask: &Ask) -> Vec<Judge> {
        ask.or(&self.defaults).optimize.into_iter().collect()
    }

    /// Whether a request is answered in less than the blink of an eye: one model whose table is
    /// there, and no loss to weigh. A request that makes no sense is refused as quickly.
    pub fn is_quick(&self, ask: &Ask) -> bool {
        if !matches!(self.form, Form::Full) {
            return false;
        }
        let ask = ask.or(&self.defaults);
        if matches!(ask.range(), Ok(Some(_))) {
            return false;
        }
        let known = |criteria: Vec<Criterion>| {
            criteria.len() == 1 && self.tables.has(&self.lattice, &criteria)
        };
        ask.optimize.is_none() && self.criteria(&ask).map_or(true, known)
    }

    /// An error if not every scheme is annotated, naming what needs that.
    fn all_annotated(&self, what: &str) -> Result<(), Error> {
        match self.form {
            Form::Full => Ok(()),
            _ => Err(self.needs_all(&format!("{what} needs every scheme"))),
        }
    }

    /// Annotates every scheme with statistics of your own, from the groups that were counted.
    pub fn annotate_with(&self, statistics: &[Box<dyn Statistic>]) -> Result<FullLattice, Error> {
        let limits = Limits { memory: self.memory };
        FullLattice::build(self.shared_cube().clone(), statistics, limits, &Silent)
    }

    /// Returns what every scheme loses under the criteria.
    pub(crate) fn losses<'a>(
        &self,
        judged: &'a Judged,
        criteria: &'a [Criterion],
        judge: &Judge,
        judging: &'a Judging,
    ) -> Result<JudgedLosses<'a>, Error> {
        let weighed = criteria.iter().zip(&judged.requirements);
        let weighed = weighed
            .map(|(criterion, r)| self.weighed(judged, criterion, r.column, judge, judging))
            .collect::<Result<Vec<_>, _>>()?;
        let (space, loss) = (judged.lattice.space(), judging.loss.as_ref());
        let alone = weighed.iter().zip(&judged.requirements);
        let losses = alone.map(|(weighed, r)| weighed.losses(loss, space, r.threshold)).collect();
        Ok(JudgedLosses { lattice: &judged.lattice, judging, criteria, losses })
    }

    /// The key of a measure's weights behind a table, for this order of attributes.
    fn weighed_id(&self, column: &str, judge: &Judge) -> String {
        format!("{column}|{judge}{}", self.order_name())
    }

    /// A measure weighed behind a criterion's table; made if nobody asked before.
    pub(crate) fn weighed(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
    ) -> Result<Arc<Weighed>, Error> {
        self.weighed_by(judged, criterion, column, judge, judging, &Silent)
    }

    fn weighed_by(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
        progress: &dyn Progress,
    ) -> Result<Arc<Weighed>, Error> {
        let id = self.weighed_id(&judged.lattice.column(column).id, judge);
        self.tables.weighed(&self.lattice, &id, progress, |limits| {
            progress.start(&format!("weighing by {judge}"), self.built.schemes as u64);
            let weighed = judging.weigh(&judged.lattice, criterion, column, limits, progress);
            progress.finish();
            weighed
        })
    }

    /// Chooses how a question is answered.
    pub(crate) fn mode_for(&self, ask: &Ask) -> Result<Mode<'_>, Error> {
        if let Form::Partial(partial) = self.form() {
            return Ok(Mode::Partial(partial));
        }
        Ok(self.lattices_for(ask)?.map_or(Mode::Full, Mode::OnDemand))
    }

    /// The lattices on demand, if a question is answered from those: where no scheme is annotated
    /// beforehand, or the tables that the question needs would take too long or too much memory.
    pub(crate) fn lattices_for(&self, ask: &Ask) -> Result<Option<&Lattices<OnDemand>>, Error> {
        if let Form::OnDemand(lattices) = self.form() {
            return Ok(Some(lattices));
        }
        let Some(flexible) = self.flexible() else { return Ok(None) };
        let passes = self.passes_for(ask)?;
        if passes == 0 {
            return Ok(None);
        }
        if flexible.too_little_memory.load(Relaxed) {
            return Ok(Some(&flexible.lattices));
        }
        let all = *flexible.all.get_or_init(|| match self.built().touches {
            0 => self.cube().guess_touches(),
            touches => touches as f64,
        });
        Ok((all * passes as f64 > flexible.touches).then_some(&flexible.lattices))
    }

    /// Why a question cannot be answered if not every scheme is annotated.
    pub(crate) fn needs_all(&self, what: &str) -> Error {
        let schemes = self.cube().space().size();
        let schemes = schemes.map_or("more than can be counted".into(), |s| s.to_string());
        let how = match self.form() {
            Form::Partial(_) => "in part",
            _ => "on demand",
        };
        let what = format!("{what}, and this lattice ({schemes} schemes) is annotated {how}");
        Error::unsupported(what, Remedy::AnnotateAll)
    }
}

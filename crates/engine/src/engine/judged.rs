//! What an engine is asked: for the best scheme, by height or by loss, and what thresholds cost.

use std::sync::Arc;

use haggle_api::{Ask, MeasureSpec};
use haggle_cube::{FullLattice, Lattice, Limits, Merging, Statistic, Weighed};
use haggle_model::{Error, Remedy};

use super::{Engine, Progress, Silent};
use crate::criteria::criterion::{Criterion, unit};
use crate::criteria::judging::{JudgedLosses, ResolvedMeasure};
use crate::lattice::cheaper::Lacking;
use crate::lattice::store::{AnnotatedSchemes, or_on_demand};
use crate::lattice::tables::Judged;

impl Engine {
    /// The privacy of a request on this table. A threshold may be beyond what its values allow: the
    /// answer then says what could be relaxed.
    pub fn criteria(&self, ask: &Ask) -> Result<Vec<Criterion>, Error> {
        let unit = unit(self.cube());
        Criterion::all(&ask.privacy, &self.facts, unit.as_ref())
    }

    /// Resolves a loss measure on this table.
    pub fn resolve_measure(&self, spec: &MeasureSpec) -> Result<ResolvedMeasure, Error> {
        ResolvedMeasure::resolve(spec, self.cube(), &self.facts)
    }

    /// A lattice that carries the privacy of a request; its tables are made if nobody asked before.
    pub fn judged(&self, ask: &Ask) -> Result<(Judged, Vec<Criterion>), Error> {
        self.all_schemes()?;
        self.judge(self.criteria(ask)?, &Silent)
    }

    /// Makes what a request needs beyond the lattice, and what weighing by these measures needs;
    /// questions then find it. Only this call reports progress and can be cancelled.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Silent};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::new("t-closeness", 0.2)], ..Ask::default() };
    /// engine.prepare(&ask, &["lm".parse()?], &Silent)?;
    /// assert!(engine.is_quick(&ask));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn prepare(
        &self,
        ask: &Ask,
        measures: &[MeasureSpec],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let ask = ask.at_weakest()?; // every value of a range needs the same tables
        if self.store.tables().is_none() {
            return Ok(()); // schemes are counted as the question touches them, or were selected
        }
        self.in_cheaper_way(&ask, |on_demand| {
            if on_demand { Ok(()) } else { self.make_tables(&ask, measures, progress) }
        })
    }

    fn make_tables(
        &self,
        ask: &Ask,
        measures: &[MeasureSpec],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judge(self.criteria(&ask)?, progress)?;
        for spec in measures {
            let resolved = self.resolve_measure(spec)?;
            for (criterion, required) in criteria.iter().zip(&judged.requirements) {
                let column = required.column;
                self.weighed_by(&judged, criterion, column, spec, &resolved, progress)?;
            }
        }
        Ok(())
    }

    /// Returns what a question lacks to be answered from tables of every scheme.
    fn lacking(&self, full: &FullLattice, ask: &Ask) -> Result<Lacking, Error> {
        let ask = ask.or(&self.defaults);
        let criteria = self.criteria(&ask)?;
        let tables = if self.tables.has(full, &criteria) { 0 } else { criteria.len() };
        let lacks = |criterion: &&Criterion| {
            let column = criterion.numbers[0].statistic.column();
            ask.optimize
                .as_ref()
                .is_some_and(|spec| !self.tables.has_weighed(&self.weighed_id(&column.id, spec)))
        };
        let monotone = |criterion: &Criterion| {
            criterion.numbers[0].statistic.column().kind == Merging::UnionMonotone
        };
        let bounds = match &ask.optimize {
            Some(spec) => {
                let entry = spec.entry()?;
                entry.monotone && entry.suppressing_costs
            }
            None => true,
        };
        Ok(Lacking {
            tables,
            weighings: criteria.iter().filter(lacks).count(),
            prunes: bounds && criteria.iter().all(monotone),
        })
    }

    /// The measures that [`ask`](Self::ask) weighs by.
    pub fn measures(&self, ask: &Ask) -> Vec<MeasureSpec> {
        ask.or(&self.defaults).optimize.into_iter().collect()
    }

    /// Whether a request is answered in less than the blink of an eye: one model whose table is
    /// there, and no loss to weigh. A request that makes no sense is refused as quickly.
    pub fn is_quick(&self, ask: &Ask) -> bool {
        let Some(full) = self.store.tables() else { return false };
        let ask = ask.or(&self.defaults);
        if matches!(ask.range(), Ok(Some(_))) {
            return false;
        }
        let known =
            |criteria: Vec<Criterion>| criteria.len() == 1 && self.tables.has(full, &criteria);
        ask.optimize.is_none() && self.criteria(&ask).map_or(true, known)
    }

    /// Returns the tables of every scheme; an error if not every scheme is annotated.
    pub(super) fn all_schemes(&self) -> Result<&FullLattice, Error> {
        let none = || self.needs_all("this question needs every scheme");
        self.store.tables().ok_or_else(none)
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
        spec: &MeasureSpec,
        resolved: &'a ResolvedMeasure,
    ) -> Result<JudgedLosses<'a>, Error> {
        let weighed = criteria.iter().zip(&judged.requirements);
        let weighed = weighed
            .map(|(criterion, r)| self.weighed(judged, criterion, r.column, spec, resolved))
            .collect::<Result<Vec<_>, _>>()?;
        let (space, loss) = (judged.lattice.space(), resolved.loss.as_ref());
        let alone = weighed.iter().zip(&judged.requirements);
        let losses = alone.map(|(weighed, r)| weighed.losses(loss, space, r.threshold)).collect();
        Ok(JudgedLosses { lattice: &judged.lattice, resolved, criteria, losses })
    }

    /// The key of a measure's weights behind a table, for this order of attributes.
    fn weighed_id(&self, column: &str, spec: &MeasureSpec) -> String {
        format!("{column}|{spec}{}", self.order_name())
    }

    /// A measure weighed behind a criterion's table; made if nobody asked before.
    pub(crate) fn weighed(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        spec: &MeasureSpec,
        resolved: &ResolvedMeasure,
    ) -> Result<Arc<Weighed>, Error> {
        self.weighed_by(judged, criterion, column, spec, resolved, &Silent)
    }

    fn weighed_by(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        spec: &MeasureSpec,
        resolved: &ResolvedMeasure,
        progress: &dyn Progress,
    ) -> Result<Arc<Weighed>, Error> {
        let id = self.weighed_id(&judged.lattice.column(column).id, spec);
        self.tables.weighed(self.all_schemes()?, &id, progress, |limits| {
            progress.start(&format!("weighing by {spec}"), self.built.schemes as u64);
            let weighed = resolved.weigh(&judged.lattice, criterion, column, limits, progress);
            progress.finish();
            weighed
        })
    }

    /// Returns whether a question is answered from schemes that are annotated as it touches them:
    /// none is annotated beforehand, or that is cheaper than the tables that the question lacks.
    pub(crate) fn is_on_demand(&self, ask: &Ask) -> Result<bool, Error> {
        match (self.store.annotated(), self.store.fallback()) {
            (AnnotatedSchemes::OnDemand, _) => Ok(true),
            (AnnotatedSchemes::Full(full), Some(fallback)) => {
                Ok(fallback.is_chosen(self.lacking(full, ask)?, || self.touches()))
            }
            _ => Ok(false),
        }
    }

    /// Returns how many cells roll-ups read to go through every scheme.
    fn touches(&self) -> f64 {
        match self.built.touches {
            0 => self.cube().guess_touches(),
            touches => touches as f64,
        }
    }

    /// Does work in the cheaper way for a question: from what is annotated, or on demand. It is done
    /// on demand, too, if tables of all schemes do not fit into memory.
    pub(crate) fn in_cheaper_way<T>(
        &self,
        ask: &Ask,
        work: impl Fn(bool) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let on_demand = self.is_on_demand(ask)?;
        match self.store.fallback().filter(|_| !on_demand) {
            None => work(on_demand),
            Some(fallback) => or_on_demand(
                self.cube(),
                self.memory,
                || work(false),
                |_| {
                    fallback.set_too_little_memory();
                    work(true)
                },
            ),
        }
    }

    /// Why a question cannot be answered if not every scheme is annotated.
    pub(crate) fn needs_all(&self, what: &str) -> Error {
        let schemes = self.cube().space().size();
        let schemes = schemes.map_or("more than can be counted".into(), |s| s.to_string());
        let how = if self.store.selected().is_some() { "in part" } else { "on demand" };
        let what = format!("{what}, and this lattice ({schemes} schemes) is annotated {how}");
        Error::unsupported(what, Remedy::AnnotateAll)
    }
}

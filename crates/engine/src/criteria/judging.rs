//! Loss measures on a table: what each scheme loses.

use std::sync::Arc;

use haggle_api::MeasureSpec;
use haggle_cube::{Cube, FullLattice, KeptGroups, Lattice, Limits, Loss, Weighed, rounded};
use haggle_loss::{Basis, CountingRule, Measure, Workload};
use haggle_model::{Error, ErrorKind, Progress, Scheme};
use haggle_privacy::{Facts, TCloseness};
use haggle_search::{LowerBound, Objective};

use crate::criteria::criterion::Criterion;
use crate::criteria::failing::{Failing, failing_groups};
use crate::criteria::start::needs_recorded;

/// A measure on a table.
pub struct ResolvedMeasure {
    pub(crate) entry: &'static Measure,
    pub(crate) loss: Box<dyn Loss>,
}

impl ResolvedMeasure {
    /// Resolves a measure on a table.
    pub fn resolve(spec: &MeasureSpec, cube: &Cube, facts: &[Facts]) -> Result<Self, Error> {
        let entry = spec.entry()?;
        if !haggle_loss::FROM_GENERAL_VALUES.contains(&entry.id) {
            needs_recorded(cube, &format!("the measure '{}'", entry.id))?;
        }
        let names: Vec<&str> = cube.attributes().iter().map(|a| a.name.as_str()).collect();
        let weighted: Vec<String> = spec.weights.keys().cloned().collect();
        positions(&weighted, &names)?;
        let weight = |name: &&str| spec.weights.get(*name).copied().unwrap_or(1.0);
        let mut basis = Basis::of(cube).with_weights(names.iter().map(weight).collect());
        if entry.watches
            && let Some(facts) = watched(spec, facts)?
        {
            basis = basis.with_class(facts.target.position);
            basis = match TCloseness::on(facts) {
                Ok(distance) => basis.with_distance(Arc::new(distance)),
                Err(error) if error.kind() != ErrorKind::BadInput => return Err(error),
                Err(error) => basis.without_distance(error.problems().clone()),
            };
        }
        if !spec.over.is_empty() {
            basis = basis.with_over(positions(&spec.over, &names)?);
        }
        let volumes = entry.options.iter().flat_map(|option| option.options);
        let volume = volumes.copied().find(|known| spec.volume.as_deref() == Some(known));
        basis = volume.into_iter().fold(basis, Basis::with_volume);
        if entry.workload {
            basis = basis.with_workload(stated_workload(spec)?);
        }
        Ok(Self { entry, loss: (entry.loss)(&basis)? })
    }

    /// The measure weighed behind the statistic that a criterion is judged by.
    pub(crate) fn weigh(
        &self,
        lattice: &FullLattice,
        criterion: &Criterion,
        column: usize,
        limits: Limits,
        progress: &dyn Progress,
    ) -> Result<Weighed, Error> {
        let table = lattice.tables()[column].clone();
        let loss: &dyn haggle_cube::Payload = self.loss.as_ref();
        let judge = criterion.judge();
        Weighed::with_progress(lattice.cube(), table, judge, loss, limits, progress)
    }

    /// What a scheme loses if groups that fail any criterion are suppressed, from its groups; and
    /// the standard error of that, if it is an estimate.
    pub(crate) fn of_groups(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        criteria: &[Criterion],
    ) -> (f64, Option<f64>) {
        self.of_kept(cube, scheme, &failing_groups(cube, scheme, criteria))
    }

    /// The standard error of what a scheme loses, if that is an estimate.
    pub(crate) fn error(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        criteria: &[Criterion],
    ) -> Option<f64> {
        self.entry.estimate.then(|| self.of_groups(cube, scheme, criteria).1)?
    }

    /// What a scheme loses if just these groups are suppressed, and the standard error of that, if
    /// it is an estimate.
    pub(crate) fn of_kept(
        &self,
        cube: &Cube,
        scheme: &Scheme,
        failing: &Failing,
    ) -> (f64, Option<f64>) {
        let mut sums = vec![0.0; self.loss.width()];
        let mut numbers = sums.clone();
        let (mut groups, mut records) = (0, 0);
        cube.for_each_generalized(scheme, self.loss.as_ref(), |group| {
            if failing.groups.contains(group.codes) {
                return;
            }
            (groups, records) = (groups + 1, records + group.records);
            self.loss.measure(group, &mut numbers);
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        });
        let suppressed = failing.records;
        let kept = KeptGroups { levels: scheme.into(), sums: &sums, groups, records, suppressed };
        (self.loss.compared(&kept), self.loss.standard_error(&kept).map(rounded))
    }
}

/// The positions of quasi-identifiers, all of which must be among those asked for; in order, so that
/// a set is the same however it is written.
fn positions(wanted: &[String], names: &[&str]) -> Result<Vec<usize>, Error> {
    let position = |name: &String| {
        names.iter().position(|known| known == name).ok_or_else(|| {
            let what = format!("'{name}' is not among the quasi-identifiers asked for");
            let fix = format!("choose from: {}", names.join(", "));
            Error::of_kind(ErrorKind::NotFound, what, fix)
        })
    };
    let mut positions = wanted.iter().map(position).collect::<Result<Vec<usize>, Error>>()?;
    positions.sort_unstable();
    Ok(positions)
}

/// The queries that a measure is stated with.
fn stated_workload(spec: &MeasureSpec) -> Result<Workload, Error> {
    let rule = spec.answer.as_deref().and_then(CountingRule::named).unwrap_or_default();
    let Some(file) = &spec.workload else {
        return Ok(Workload { conditions: Vec::new(), rule });
    };
    let conditions = file.conditions.as_ref().ok_or_else(|| {
        let what =
            format!("the workload {} was not read: files are not opened for a request", file.name);
        Error::new(what, "optimize for a workload on the command line")
    })?;
    let conditions = conditions.iter().map(|condition| condition.parse());
    Ok(Workload { conditions: conditions.collect::<Result<_, _>>()?, rule })
}

/// What schemes lose under one criterion or several.
pub(crate) struct JudgedLosses<'a> {
    pub lattice: &'a FullLattice,
    pub(crate) resolved: &'a ResolvedMeasure,
    pub(crate) criteria: &'a [Criterion],
    /// For each requirement, what every scheme loses under it alone.
    pub(crate) losses: Vec<Arc<[f64]>>,
}

impl Objective for JudgedLosses<'_> {
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error> {
        if self.criteria.len() == 1 {
            return Ok(self.losses[0][self.lattice.space().index(scheme)]);
        }
        Ok(self.resolved.of_groups(self.lattice.cube(), scheme, self.criteria).0)
    }

    /// Several criteria suppress at least what each does.
    fn lower_bound(&self, scheme: &Scheme) -> Result<LowerBound, Error> {
        if self.criteria.len() == 1 {
            return self.loss(scheme).map(LowerBound::Exact);
        }
        if !self.resolved.entry.suppressing_costs {
            return Ok(LowerBound::AtLeast(f64::NEG_INFINITY));
        }
        let position = self.lattice.space().index(scheme);
        let alone = self.losses.iter().map(|losses| losses[position]);
        let most = alone.fold(f64::NEG_INFINITY, f64::max);
        // Sums in another order may differ in their last digits; a bound must not be too large.
        Ok(LowerBound::AtLeast(most - 1e-9 * most.abs()))
    }
}

/// What schemes lose under any criteria, from their groups: for lattices of few schemes.
pub(crate) struct ByGroups<'a> {
    pub(crate) cube: &'a Cube,
    pub(crate) resolved: &'a ResolvedMeasure,
    pub(crate) criteria: &'a [Criterion],
}

impl Objective for ByGroups<'_> {
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.resolved.of_groups(self.cube, scheme, self.criteria).0)
    }
}

/// The sensitive attribute that the measure looks at; none if there is none.
fn watched<'f>(spec: &MeasureSpec, facts: &'f [Facts]) -> Result<Option<&'f Facts>, Error> {
    let names: Vec<&str> = facts.iter().map(|facts| facts.target.name.as_str()).collect();
    match (&spec.on, facts) {
        (None, [] | [_]) => Ok(facts.first()),
        (Some(on), _) => {
            let found = facts.iter().find(|facts| facts.target.name == *on);
            found.map(Some).ok_or_else(|| {
                let what = format!("'{on}' is not a sensitive attribute of this project");
                let fix = format!("choose one of: {}", names.join(", "));
                Error::of_kind(ErrorKind::NotFound, what, fix)
            })
        }
        (None, _) => {
            let what = format!("{}: on which sensitive attribute?", spec.measure);
            Err(Error::new(what, format!("add on=NAME with one of: {}", names.join(", "))))
        }
    }
}

//! What both sides know about a random table: the product's measures, the oracle's records.

use std::sync::Arc;

use haggle_cube::{
    Cube, Distance, FullLattice, KeptGroups, Lattice, Limits, Loss, Statistic, Weighed,
};
use haggle_loss::{Basis, CATALOG, Measure};
use haggle_model::Scheme;
use haggle_privacy::{DistinctLDiversity, Facts, KAnonymity, TCloseness, Target};
use haggle_testkit::Table;
use haggle_testkit::generate::{Shape, tables_of};
use haggle_testkit::oracle::losses::MEASURES;
use haggle_testkit::oracle::{self, Oracle};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Measures that brute force on records cannot compute: estimates from random queries.
pub(crate) const ESTIMATES: &[&str] = &["noise-scanning"];

/// A table with two sensitive attributes, weights, and the attribute that measures use.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) table: Table,
    pub(crate) weights: Vec<f64>,
    pub(crate) sensitive: usize,
}

/// Small tables with weights, some of which are zero.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { attributes: 3, schemes: 18, records: 50, sensitive: 2 };
    let weight = prop_oneof![3 => Just(1.0), 2 => select(vec![0.0, 0.5, 2.0, 3.7])];
    (tables_of(shape), vec(weight, shape.attributes), 0..2_usize).prop_map(
        |(table, mut weights, sensitive)| {
            weights.truncate(table.attributes.len());
            Case { table, weights, sensitive }
        },
    )
}

/// How far the sensitive values of groups are from those of the whole table.
pub(crate) fn closeness(cube: &Cube, position: usize) -> Arc<dyn Distance> {
    let watched = &cube.watched()[position];
    let mut counts = vec![0; watched.values.len()];
    cube.for_each_group(&cube.space().top().clone(), position, |_, group| {
        for value in group.values {
            counts[value.code as usize] += value.count;
        }
    });
    let target = Target { position, name: watched.name.clone() };
    let facts = Facts::plain(target, watched.values.clone(), counts);
    Arc::new(TCloseness::on(&facts).unwrap())
}

/// A measure on a table.
pub(crate) struct CatalogLoss {
    pub(crate) entry: &'static Measure,
    pub(crate) loss: Box<dyn Loss>,
}

/// Every measure that the oracle knows, on a cube.
pub(crate) fn judges(cube: &Cube, weights: &[f64], sensitive: usize) -> Vec<CatalogLoss> {
    let basis = Basis::of(cube).with_weights(weights.to_vec()).with_class(sensitive);
    let basis = basis.with_distance(closeness(cube, sensitive));
    let known = CATALOG.iter().filter(|entry| MEASURES.contains(&entry.id));
    known.map(|entry| CatalogLoss { entry, loss: (entry.loss)(&basis).unwrap() }).collect()
}

/// The product's lattice and measures, and the oracle's statistics, of a table.
pub(crate) struct Sides<'a> {
    pub(crate) case: &'a Case,
    pub(crate) lattice: FullLattice,
    /// k-anonymity, and distinct l-diversity on each sensitive attribute.
    pub(crate) statistics: Vec<Box<dyn Statistic>>,
    pub(crate) defined: Vec<oracle::Measure>,
    pub(crate) judges: Vec<CatalogLoss>,
    pub(crate) oracle: Oracle<'a>,
}

impl<'a> Sides<'a> {
    pub(crate) fn of(case: &'a Case) -> Self {
        let cube: Arc<Cube> = case.table.cube().unwrap().into();
        let mut statistics: Vec<Box<dyn Statistic>> = vec![Box::new(KAnonymity::of_records())];
        let mut defined = vec![oracle::Measure::size()];
        for (position, name) in case.table.sensitive.iter().enumerate() {
            let target = Target { position, name: name.clone() };
            statistics.push(Box::new(DistinctLDiversity::on(target)));
            defined.push(oracle::Measure::distinct(position));
        }
        let columns: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
        let judges = judges(&cube, &case.weights, case.sensitive);
        let lattice =
            FullLattice::tabulate(cube, &columns, true, Limits::default(), &haggle_model::Silent)
                .unwrap();
        Self { case, lattice, statistics, defined, judges, oracle: Oracle::of(&case.table) }
    }

    /// A measure aligned with a statistic.
    pub(crate) fn weighed(&self, judge: &CatalogLoss, column: usize) -> Weighed {
        let table = self.lattice.tables()[column].clone();
        let statistic = self.statistics[column].as_ref();
        let cube = self.lattice.cube();
        Weighed::new(cube, table, statistic, judge.loss.as_ref(), Limits::default()).unwrap()
    }

    /// Returns the loss of a scheme that keeps exactly the groups whose codes pass, from the groups
    /// themselves, and its standard error.
    pub(crate) fn estimate(
        &self,
        loss: &dyn Loss,
        scheme: &Scheme,
        keep: impl Fn(&[u32]) -> bool,
    ) -> (f64, Option<f64>) {
        let mut sums = vec![0.0; loss.width()];
        let mut numbers = sums.clone();
        let (mut groups, mut records, mut suppressed) = (0, 0, 0);
        self.lattice.cube().for_each_generalized(scheme, loss, |group| {
            if !keep(group.codes) {
                suppressed += group.records;
                return;
            }
            (groups, records) = (groups + 1, records + group.records);
            loss.measure(group, &mut numbers);
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
        });
        let kept = KeptGroups { levels: scheme.into(), sums: &sums, groups, records, suppressed };
        (loss.loss(&kept), loss.standard_error(&kept))
    }

    /// Returns the same without the error, which only estimates have.
    pub(crate) fn of_groups(
        &self,
        judge: &CatalogLoss,
        scheme: &Scheme,
        keep: impl Fn(&[u32]) -> bool,
    ) -> f64 {
        let (loss, error) = self.estimate(judge.loss.as_ref(), scheme, keep);
        assert_eq!(error, None, "{} is exact", judge.entry.id);
        loss
    }

    /// Every scheme.
    pub(crate) fn schemes(&self) -> Vec<Scheme> {
        let all = self.lattice.space().all();
        all.heights().flat_map(|height| all.at_height(height)).collect()
    }
}

/// A scheme's levels in the oracle's form.
pub(crate) fn levels(scheme: &Scheme) -> Vec<u8> {
    scheme.levels().iter().map(|&level| level.into()).collect()
}

/// Whether two losses are the same but for rounding.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

//! A table's lattice of k-anonymity and distinct l-diversity, and its comparison with the oracle.

use haggle_cube::{Cube, FullLattice, Histogram, Lattice, Limits, Statistic};
use haggle_model::Scheme;
use haggle_privacy::{DistinctLDiversity, KAnonymity, Target};
use haggle_testkit::Table;
use haggle_testkit::oracle::{Bin, Judged, Measure, Oracle};

/// k-anonymity, and distinct l-diversity on each sensitive attribute.
pub(crate) fn statistics(table: &Table) -> Vec<Box<dyn Statistic>> {
    let mut statistics: Vec<Box<dyn Statistic>> = vec![Box::new(KAnonymity::of_records())];
    for (position, name) in table.sensitive.iter().enumerate() {
        let target = Target { position, name: name.clone() };
        statistics.push(Box::new(DistinctLDiversity::on(target)));
    }
    statistics
}

pub(crate) fn lattice(table: &Table, cube: Cube) -> FullLattice {
    FullLattice::build(cube.into(), &statistics(table), Limits::default(), &haggle_model::Silent)
        .unwrap()
}

/// Every histogram of every scheme is the oracle's.
pub(crate) fn assert_lattice(table: &Table, lattice: &FullLattice) {
    let measures: Vec<Measure> = std::iter::once(Measure::size())
        .chain((0..table.sensitive.len()).map(Measure::distinct))
        .collect();
    let judged = Oracle::of(table).judge_all(&measures);
    assert_eq!(lattice.tables().len(), judged.len());
    assert_eq!(lattice.space().size(), Some(judged[0].schemes().count()));
    assert_eq!(lattice.records(), table.records.len() as u64);
    for (column, judged) in judged.iter().enumerate() {
        for levels in judged.schemes() {
            let annotation = lattice.annotate(&Scheme::new(levels.to_vec())).unwrap();
            assert_histogram(&annotation.histogram(column), judged, levels);
        }
        assert_costs(lattice, column, judged);
    }
}

/// What all schemes suppress at once is what each of them suppresses, also when asked again.
fn assert_costs(lattice: &FullLattice, column: usize, judged: &Judged) {
    let thresholds = judged.thresholds();
    let some = 1 + thresholds.len() * judged.schemes().count() / 500;
    let there = thresholds.iter().step_by(some);
    for &threshold in there.clone().chain(&[1e9]).chain(there) {
        let costs = lattice.costs(column, threshold).expect("a full lattice knows all costs");
        let expected = judged.schemes().map(|levels| judged.suppressed(levels, threshold));
        assert!(costs.iter().copied().eq(expected), "at {threshold}");
    }
}

pub(crate) fn assert_histogram(histogram: &Histogram<'_>, judged: &Judged, levels: &[u8]) {
    let expected = judged.bins(levels);
    let bins = histogram.bins().map(|haggle_cube::Bin { value, groups, records, weaker }| Bin {
        value,
        groups,
        records,
        weaker,
    });
    assert_eq!(bins.collect::<Vec<_>>(), expected, "under {levels:?}");
    assert_eq!(histogram.records(), judged.records());
    assert_eq!(histogram.groups(), expected.iter().map(|bin| bin.groups).sum::<u64>());
    for Bin { value, weaker, .. } in expected {
        for threshold in [value, value + 0.5, value + 1.0] {
            assert_eq!(histogram.suppressed(threshold), judged.suppressed(levels, threshold));
            assert_eq!(histogram.attained(threshold), judged.attained(levels, threshold));
        }
        for limit in [weaker, weaker.saturating_sub(1), judged.records(), u64::MAX] {
            assert_eq!(histogram.strongest(limit), judged.strongest(levels, limit));
        }
    }
}

//! Negotiation over partial lattices on random tables, compared with an oracle that knows the same
//! schemes only.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::synthetic::{LargestShare, Loners};
use haggle_cube::{FullLattice, Lattice, Limits, Merging, PartialLattice, Statistic};
use haggle_model::{ErrorKind, Scheme, Silent};
use haggle_privacy::KAnonymity;
use haggle_search::partial::{ESTIMATORS, LevelMetrics, Selection, accuracy};
use haggle_search::{
    HeightRelaxation, LatticeAnswer, LatticeRequest, Requirement, Solution, negotiate,
};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Draw, Shape, check, draws, tables_of};
use haggle_testkit::oracle::{self, Judged, Measure, Offer, Oracle};
use proptest::collection::vec;
use proptest::prelude::*;

type Column = fn() -> (Box<dyn Statistic>, Measure);

fn offer(solution: &Solution) -> Offer {
    Offer {
        levels: solution.scheme.levels().iter().map(|&level| level.into()).collect(),
        suppressed: solution.suppressed,
        threshold: solution.requirements[0].threshold,
        attained: solution.attained[0],
    }
}

fn offered(solution: Option<&Solution>) -> Option<Offer> {
    solution.map(offer)
}

fn cases() -> impl Strategy<Value = (Table, u64, Vec<Draw>)> {
    let shape = Shape { sensitive: 1, ..Shape::default() };
    (tables_of(shape), any::<u64>(), vec(draws(), 1..=4))
}

/// Both sides know the same schemes; `None` where the draw took none.
fn sides(table: &Table, mask: u64, column: Column) -> (PartialLattice, Judged) {
    let (statistic, measure) = column();
    let judged = Oracle::of(table).judge(&measure);
    let mut place = 0;
    let kept: Vec<Vec<u8>> = judged
        .schemes()
        .filter(|_| {
            place += 1;
            !((mask ^ place).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(3)
        })
        .map(<[u8]>::to_vec)
        .collect();
    let schemes: Vec<Scheme> = kept.iter().map(|levels| Scheme::new(levels.clone())).collect();
    let cube = table.cube().unwrap().into();
    let limits = Limits::default();
    let statistics: [&dyn Statistic; 1] = [statistic.as_ref()];
    let lattice =
        PartialLattice::build(cube, &schemes, &statistics, false, limits, &Silent).unwrap();
    (lattice, judged.only(|levels| kept.iter().any(|kept| kept == levels)))
}

fn assert_answers(column: Column, at_least: usize) {
    let (seen, partial) = (RefCell::new([0_usize; 2]), Cell::new(0));
    check(2000, &cases(), |(table, mask, draws)| {
        let (lattice, judged) = sides(&table, mask, column);
        let whole = Oracle::of(&table).judge(&column().1);
        let some = judged.schemes().count();
        partial.set(partial.get() + u32::from(0 < some && some < whole.schemes().count()));
        for draw in &draws {
            let asked = draw.request(&whole);
            let expected = judged.negotiate(&asked);
            seen.borrow_mut()[usize::from(matches!(expected, oracle::Answer::Exact(_)))] += 1;
            for height in
                [HeightRelaxation::Lowest, HeightRelaxation::Closest, HeightRelaxation::Published]
            {
                let requirement = Requirement { column: 0, threshold: asked.threshold };
                let caps = Scheme::new(asked.caps.clone());
                let request = LatticeRequest {
                    height,
                    ..LatticeRequest::new(requirement, caps, asked.limit)
                };
                assert_answer(&lattice, &request, &expected);
            }
        }
        Ok(())
    });
    assert!(seen.borrow().iter().all(|&seen| seen > enough(at_least)), "{seen:?}");
    assert!(partial.get() > enough(1000), "only {} lattices were partial", partial.get());
}

fn assert_answer(lattice: &PartialLattice, request: &LatticeRequest, expected: &oracle::Answer) {
    match (expected, negotiate(lattice, request).map(|found| found.answer)) {
        (oracle::Answer::Exact(expected), Ok(LatticeAnswer::Exact(found))) => {
            assert_eq!(offer(&found), *expected, "{request:?}");
        }
        (oracle::Answer::Relaxed(expected), Ok(LatticeAnswer::Relaxed(found))) => {
            assert_eq!(offered(found.suppression.as_ref()), expected.suppression, "{request:?}");
            assert_eq!(offered(found.privacy[0].as_ref()), expected.privacy, "{request:?}");
            let height = match request.height {
                HeightRelaxation::Lowest => &expected.lowest,
                HeightRelaxation::Closest => &expected.closest,
                HeightRelaxation::Published => &expected.published,
            };
            assert_eq!(offered(found.height.as_ref()), *height, "{request:?}");
            let attributes = found.attribute.iter().map(|(i, s)| (*i, offer(s)));
            assert_eq!(attributes.collect::<Vec<_>>(), expected.attribute, "{request:?}");
            let sets = found.attributes.iter().map(|(set, s)| (set.clone(), offer(s)));
            assert_eq!(sets.collect::<Vec<_>>(), expected.attributes, "{request:?}");
        }
        (oracle::Answer::Relaxed(_), Err(why)) if why.kind() == ErrorKind::Unsupported => {
            assert_eq!(request.height, HeightRelaxation::Published, "{why}");
            assert_ne!(lattice.column(0).kind, Merging::UnionMonotone, "{why}");
        }
        (expected, found) => panic!("{request:?}: {expected:?}, but {found:?} was found"),
    }
}

#[test]
fn negotiation_by_k_is_the_oracles_that_knows_the_same_schemes() {
    assert_answers(|| (Box::new(KAnonymity::of_records()), Measure::size()), 500);
}

#[test]
fn negotiation_by_a_closed_model_is_the_oracles_that_knows_the_same_schemes() {
    assert_answers(|| (LargestShare::boxed(), LargestShare::measure()), 100);
}

#[test]
fn negotiation_by_a_free_model_is_the_oracles_that_knows_the_same_schemes() {
    assert_answers(|| (Loners::boxed(), Loners::measure()), 100);
}

/// The level metrics, the estimate, the choice and its accuracy, by the definitions and from records.
#[test]
fn selections_are_the_best_of_each_height_by_the_definitions() {
    check(500, &(cases(), 1..=100_u32), |((table, _, _), percent)| {
        let cube = Arc::new(table.cube().unwrap());
        let judged = Oracle::of(&table).judge(&Measure::size());
        let metrics = LevelMetrics::of(&cube).unwrap();
        let lattice = full(&cube);
        let groups = |levels: &[u8]| judged.bins(levels).iter().map(|bin| bin.groups).sum::<u64>();
        let average = |position: usize, level: u8| {
            let mut levels = vec![0; judged.tops().len()];
            levels[position] = level;
            match groups(&levels) {
                0 => 1.0,
                groups => judged.records() as f64 / groups as f64,
            }
        };
        let worth = |position: usize, level: u8, id: &str| {
            let top = judged.tops()[position];
            let growth = |level: u8| average(position, level) / average(position, level - 1);
            let importance = match (level, top) {
                (0, 0) => 1.0,
                (0, _) => 1.0 / growth(1),
                _ => growth(level),
            };
            let average = average(position, level);
            match id {
                "gamma" => average,
                "mu" => importance,
                "gamma-mu" => average * importance,
                "lambda" => average.log2() * importance,
                other => panic!("no definition of {other}"),
            }
        };
        for estimator in ESTIMATORS {
            let estimate = |levels: &[u8]| -> f64 {
                levels.iter().enumerate().map(|(i, &level)| worth(i, level, estimator.id)).sum()
            };
            let selection = Selection::new(estimator, f64::from(percent)).unwrap();
            let selected = selection.select(lattice.space(), &metrics).unwrap();
            let judged_by = Requirement { column: 0, threshold: 3.0 };
            let found = accuracy(&lattice, &[judged_by], &selected).unwrap();
            for height in &found.heights {
                let here = |levels: &&[u8]| {
                    levels.iter().map(|&level| u32::from(level)).sum::<u32>() == height.height
                };
                let all: Vec<&[u8]> = judged.schemes().filter(here).collect();
                let is_in =
                    |levels: &&[u8]| selected.contains(&Scheme::new(levels.iter().copied()));
                let (chosen, others): (Vec<&[u8]>, Vec<&[u8]>) = all.iter().partition(|l| is_in(l));
                let count = (f64::from(percent) * all.len() as f64 / 100.0 + 0.5).floor() as usize;
                prop_assert_eq!(chosen.len(), count.max(2).min(all.len()));
                for (chosen, other) in
                    chosen.iter().flat_map(|c| others.iter().map(move |o| (c, o)))
                {
                    let (better, worse) = (estimate(chosen), estimate(other));
                    prop_assert!(better > worse - 1e-8, "{chosen:?} {better} {other:?} {worse}");
                    prop_assert!(better > worse + 1e-8 || chosen < other || better > worse + 1e-10);
                }
                let least = |schemes: &[&[u8]]| {
                    schemes.iter().map(|levels| judged.suppressed(levels, 3.0)).min().unwrap()
                };
                prop_assert_eq!((height.actual, height.chosen), (least(&all), least(&chosen)));
            }
        }
        Ok(())
    });
}

fn full(cube: &Arc<haggle_cube::Cube>) -> FullLattice {
    let statistics: [Box<dyn Statistic>; 1] = [Box::new(KAnonymity::of_records())];
    FullLattice::build(cube.clone(), &statistics, Limits::default(), &Silent).unwrap()
}

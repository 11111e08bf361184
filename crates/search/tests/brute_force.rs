//! Negotiation and study on random tables against full enumeration on their records.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::synthetic::{LargestShare, Loners};
use haggle_cube::{FullLattice, Lattice, Limits, Merging, OnDemand, Statistic};
use haggle_model::{ErrorKind, Scheme};
use haggle_privacy::{DistinctLDiversity, KAnonymity, Target};
use haggle_search::study::{HeightCost, study};
use haggle_search::{
    HeightRelaxation, LatticeAnswer, LatticeRequest, Requirement, Solution, negotiate,
};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Draw, Shape, check, draws, tables_of};
use haggle_testkit::oracle::{self, Cost, Judged, Measure, Offer, Oracle};
use insta::{allow_duplicates, assert_snapshot};
use proptest::collection::vec;
use proptest::prelude::*;

/// What both sides know of a table: the product's lattice, and the oracle's view of each column.
struct Sides {
    lattice: FullLattice,
    /// The lattices without anything annotated in advance, with much memory and with very little.
    on_demand: [OnDemand; 3],
    judged: Vec<Judged>,
}

impl Sides {
    fn of(table: &Table, columns: impl Fn() -> Vec<(Box<dyn Statistic>, Measure)>) -> Self {
        let (statistics, measures): (Vec<_>, Vec<_>) = columns().into_iter().unzip();
        let cube = Arc::new(table.cube().unwrap());
        let on_demand = |memory: usize| {
            let statistics = columns().into_iter().map(|(statistic, _)| statistic).collect();
            OnDemand::new(cube.clone(), statistics, false, Limits { memory })
        };
        Self {
            on_demand: [1 << 30, 100_000, 4_000].map(on_demand),
            lattice: FullLattice::build(
                cube.clone(),
                &statistics,
                Limits::default(),
                &haggle_model::Silent,
            )
            .unwrap(),
            judged: Oracle::of(table).judge_all(&measures),
        }
    }

    /// k-anonymity, and distinct l-diversity on each sensitive attribute.
    fn of_monotone_models(table: &Table) -> Self {
        Self::of(table, || {
            let mut columns: Vec<(Box<dyn Statistic>, Measure)> =
                vec![(Box::new(KAnonymity::of_records()), Measure::size())];
            for (position, name) in table.sensitive.iter().enumerate() {
                let target = Target { position, name: name.clone() };
                let distinct = Box::new(DistinctLDiversity::on(target));
                columns.push((distinct, Measure::distinct(position)));
            }
            columns
        })
    }

    /// The product's request and the oracle's, from the same draw.
    fn requests(&self, column: usize, draw: &Draw) -> (LatticeRequest, oracle::Request) {
        let asked = draw.request(&self.judged[column]);
        let requirement = Requirement { column, threshold: asked.threshold };
        let request =
            LatticeRequest::new(requirement, Scheme::new(asked.caps.clone()), asked.limit);
        (request, asked)
    }
}

/// How often each answer occurred, so that no path remains untested.
#[derive(Debug, Default)]
struct Seen(BTreeMap<(String, bool), u32>);

impl Seen {
    fn count(&mut self, what: &str, is: bool) {
        *self.0.entry((what.into(), is)).or_default() += 1;
    }

    fn assert_each(&self, what: &[&str], at_least: u32) {
        for what in what {
            for is in [true, false] {
                let times = self.0.get(&((*what).into(), is)).copied().unwrap_or(0);
                assert!(times >= enough(at_least), "{what}: {is} only {times} times in {self:?}");
            }
        }
    }
}

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

/// Answers one draw with each height relaxation; all of it must match the oracle.
fn assert_answers(sides: &Sides, column: usize, draw: &Draw, seen: &mut Seen) {
    let (mut request, asked) = sides.requests(column, draw);
    let expected = sides.judged[column].negotiate(&asked);
    seen.count("exact", matches!(expected, oracle::Answer::Exact(_)));
    for height in [HeightRelaxation::Lowest, HeightRelaxation::Closest, HeightRelaxation::Published]
    {
        request.height = height;
        let found = negotiate(&sides.lattice, &request).map(|negotiation| negotiation.answer);
        for lattice in &sides.on_demand {
            let on_demand = negotiate(lattice, &request).map(|n| n.answer);
            assert_eq!(on_demand.ok(), found.as_ref().ok().cloned(), "{asked:?}");
        }
        match (&expected, found) {
            (oracle::Answer::Exact(expected), Ok(LatticeAnswer::Exact(found))) => {
                assert_eq!(offer(&found), *expected, "{asked:?}");
            }
            (oracle::Answer::Relaxed(expected), Ok(LatticeAnswer::Relaxed(found))) => {
                assert_eq!(offered(found.suppression.as_ref()), expected.suppression, "{asked:?}");
                assert_eq!(offered(found.privacy[0].as_ref()), expected.privacy, "{asked:?}");
                let expected_height = match height {
                    HeightRelaxation::Lowest => &expected.lowest,
                    HeightRelaxation::Closest => &expected.closest,
                    HeightRelaxation::Published => &expected.published,
                };
                assert_eq!(
                    offered(found.height.as_ref()),
                    *expected_height,
                    "{height:?} {asked:?}"
                );
                let attributes = found.attribute.iter().map(|(i, s)| (*i, offer(s)));
                assert_eq!(attributes.collect::<Vec<_>>(), expected.attribute, "{asked:?}");
                let sets = found.attributes.iter().map(|(set, s)| (set.clone(), offer(s)));
                assert_eq!(sets.collect::<Vec<_>>(), expected.attributes, "{asked:?}");
                let nothing = found.suppression.is_none()
                    && found.privacy[0].is_none()
                    && found.height.is_none()
                    && found.attribute.is_empty()
                    && found.attributes.is_empty();
                assert_eq!(found.is_empty(), nothing);
                seen.count("suppression", found.suppression.is_some());
                seen.count("privacy", found.privacy[0].is_some());
                seen.count(&format!("{height:?}"), found.height.is_some());
                seen.count("attribute", !found.attribute.is_empty());
                seen.count("several attributes", found.attribute.len() > 1);
                let members: Vec<usize> =
                    found.attributes.iter().map(|(set, _)| set.len()).collect();
                seen.count("sets of attributes", members.len() > 1);
                seen.count(
                    "a set and an attribute",
                    !members.is_empty() && !found.attribute.is_empty(),
                );
                seen.count("a set of three", members.contains(&3));
                seen.count("differing heights", expected.lowest != expected.closest);
                seen.count("higher published", expected.lowest != expected.published);
            }
            (oracle::Answer::Relaxed(_), Err(why)) if why.kind() == ErrorKind::Unsupported => {
                assert_eq!(height, HeightRelaxation::Published);
                assert_ne!(sides.lattice.column(column).kind, Merging::UnionMonotone);
                allow_duplicates!(
                    assert_snapshot!(why.in_one_line(), @"the height relaxation 'published' bisects heights, which is sound only where suppression falls as schemes rise; use 'lowest' or 'closest' for this model")
                );
            }
            (expected, found) => panic!("{asked:?}: {expected:?}, but {found:?} was found"),
        }
    }
}

/// Tables with a sensitive attribute, each with several draws.
fn cases() -> impl Strategy<Value = (Table, Vec<Draw>)> {
    let shape = Shape { sensitive: 1, ..Shape::default() };
    (tables_of(shape), vec(draws(), 1..=8))
}

#[test]
fn negotiation_by_k_and_l_is_the_oracles() {
    let seen = RefCell::new(Seen::default());
    check(3000, &cases(), |(table, draws)| {
        let sides = Sides::of_monotone_models(&table);
        for draw in &draws {
            for column in 0..sides.judged.len() {
                assert_answers(&sides, column, draw, &mut seen.borrow_mut());
            }
        }
        Ok(())
    });
    let alternatives = ["exact", "suppression", "privacy", "Lowest", "Closest", "Published"];
    seen.borrow().assert_each(&alternatives, 500);
    let refinements = ["attribute", "several attributes", "differing heights", "higher published"];
    seen.borrow().assert_each(&refinements, 200);
    let sets = ["sets of attributes", "a set and an attribute", "a set of three"];
    seen.borrow().assert_each(&sets, 100);
}

#[test]
fn negotiation_by_a_closed_model_is_the_oracles() {
    assert_negotiation(|| vec![(LargestShare::boxed(), LargestShare::measure())]);
}

#[test]
fn negotiation_by_a_free_model_is_the_oracles() {
    assert_negotiation(|| vec![(Loners::boxed(), Loners::measure())]);
}

fn assert_negotiation(columns: impl Fn() -> Vec<(Box<dyn Statistic>, Measure)>) {
    let seen = RefCell::new(Seen::default());
    check(3000, &cases(), |(table, draws)| {
        let sides = Sides::of(&table, &columns);
        for draw in &draws {
            assert_answers(&sides, 0, draw, &mut seen.borrow_mut());
        }
        Ok(())
    });
    let alternatives = ["exact", "suppression", "privacy", "Lowest", "Closest", "attribute"];
    seen.borrow().assert_each(&alternatives, 100);
    seen.borrow().assert_each(&["several attributes", "differing heights"], 50);
}

/// The synthetic models have the stated properties: if they were union-monotone, pruning would
/// never be tested.
#[test]
fn the_synthetic_models_are_not_union_monotone() {
    let rises = RefCell::new(Seen::default());
    check(1000, &cases(), |(table, _)| {
        let columns = || -> Vec<(Box<dyn Statistic>, Measure)> {
            vec![
                (LargestShare::boxed(), LargestShare::measure()),
                (Loners::boxed(), Loners::measure()),
            ]
        };
        let sides = Sides::of(&table, columns);
        for (judged, name) in sides.judged.iter().zip(["share", "loners"]) {
            let bottom = vec![0; judged.tops().len()];
            for threshold in judged.thresholds() {
                let (low, high) = (
                    judged.suppressed(&bottom, threshold),
                    judged.suppressed(judged.tops(), threshold),
                );
                rises.borrow_mut().count(name, high > low);
                if low == 0 {
                    rises.borrow_mut().count(&format!("{name} without suppression"), high > 0);
                }
            }
        }
        Ok(())
    });
    rises.borrow().assert_each(&["share", "loners", "loners without suppression"], 20);
    let closed = ("share without suppression".to_owned(), true);
    assert!(!rises.borrow().0.contains_key(&closed), "closed: all passing groups merge into one");
}

#[test]
fn study_is_the_oracles() {
    let cost = |HeightCost { height, schemes, least, mean, most }: HeightCost| Cost {
        height,
        schemes,
        least,
        mean,
        most,
    };
    check(3000, &cases(), |(table, draws)| {
        let sides = Sides::of_monotone_models(&table);
        for draw in &draws {
            for column in 0..sides.judged.len() {
                let (request, asked) = sides.requests(column, draw);
                let space = sides.lattice.space();
                for (part, caps) in [
                    (space.under(&request.caps), &asked.caps[..]),
                    (space.all(), sides.judged[column].tops()),
                ] {
                    let costs = study(&sides.lattice, &part, &request.requirements).unwrap();
                    let costs: Vec<Cost> = costs.into_iter().map(cost).collect();
                    prop_assert_eq!(costs, sides.judged[column].study(caps, asked.threshold));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_table_without_records_has_no_answer() {
    let mut table = haggle_testkit::published::philosophers();
    table.records.clear();
    let sides = Sides::of_monotone_models(&table);
    for height in [HeightRelaxation::Lowest, HeightRelaxation::Closest, HeightRelaxation::Published]
    {
        let requirement = Requirement { column: 0, threshold: 2.0 };
        let request = LatticeRequest {
            height,
            ..LatticeRequest::new(requirement, Scheme::new([1, 1, 1]), 0)
        };
        let LatticeAnswer::Relaxed(relaxations) =
            negotiate(&sides.lattice, &request).unwrap().answer
        else {
            panic!("a scheme that keeps no record is not a solution")
        };
        assert!(relaxations.is_empty());
    }
}

//! A group passes a model exactly if the definition on its records says so, whichever of the
//! model's numbers is negotiated.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use haggle_privacy::CATALOG;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::definitions;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sample::{Asked, Sample, asked_of, samples, with_group};

/// A table of a few values, and a group of its records.
pub(crate) fn groups() -> impl Strategy<Value = (Sample, Vec<u64>)> {
    vec((prop_oneof![2 => Just(0_u64), 5 => 1_u64..5], 0_u64..6), 2..6)
        .prop_filter("a group has records", |counts| counts.iter().any(|(here, _)| *here > 0))
        .prop_flat_map(|counts| {
            let here: Vec<u64> = counts.iter().map(|(here, _)| *here).collect();
            let all = counts.iter().map(|(here, elsewhere)| (here + elsewhere).max(1)).collect();
            (samples(all), Just(here))
        })
}

fn assert_defined(asked: &Asked, sample: &Sample, group: &[u64]) -> u32 {
    let facts = sample.facts();
    let (here, table) = (sample.records(group), sample.records(&sample.counts));
    let mut judged = 0;
    for (parameter, value) in asked.negotiated() {
        let Some(statistic) = asked.any_statistic(&facts, parameter) else { continue };
        let parameters = asked.parameters(None);
        let expected =
            definitions::passes(asked.model.id, &parameters, &sample.stated(), &here, &table);
        let found = with_group(group, |group| statistic.passes(group, value));
        let of = with_group(group, |group| statistic.of(group));
        assert_eq!(found, expected, "{} of {} is {of}: {asked:?}", parameter.name, asked.model.id);
        judged += 1;
    }
    judged
}

#[test]
fn every_model_judges_groups_by_its_definition() {
    let judged: RefCell<BTreeMap<&str, u32>> = RefCell::default();
    for model in CATALOG {
        check(3000, &(asked_of(model), groups()), |(asked, (sample, group))| {
            let times = assert_defined(&asked, &sample, &group);
            *judged.borrow_mut().entry(model.id).or_default() += times;
            Ok(())
        });
    }
    for model in CATALOG {
        let times = judged.borrow()[model.id];
        assert!(times >= enough(1500), "{}: only {times} groups judged", model.id);
    }
}

/// A group of values that need no protection passes every l, however few values there are.
#[test]
fn values_that_need_no_protection_pass_every_l() {
    let ids = ["pd-recursive-l-diversity", "recursive-density-control"];
    let others = ["npd-recursive-l-diversity", "recursive-categorical-diversity"];
    let seen = Cell::new(0);
    for id in ids.into_iter().chain(others) {
        let model = haggle_privacy::find(id).unwrap();
        check(500, &(asked_of(model), groups()), |(asked, (sample, group))| {
            let cares = group.iter().zip(&sample.masks).any(|(n, mask)| *n > 0 && *mask > 0);
            if cares {
                return Ok(());
            }
            let l = model.parameters.iter().find(|p| p.name == "l").unwrap();
            let mut far = asked.clone();
            far.arguments.numbers.insert("l", 1000.0);
            if let Some(c2) = far.arguments.numbers.get_mut("c2") {
                *c2 = 1e-9;
            }
            let statistic = far.any_statistic(&sample.facts(), l).unwrap();
            let passes = with_group(&group, |group| statistic.passes(group, 1000.0));
            let named = id.starts_with("npd") && !sample.occurring;
            prop_assert!(passes || named, "{}", id);
            seen.set(seen.get() + 1);
            Ok(())
        });
    }
    assert!(seen.get() > enough(40), "{}", seen.get());
}

#[test]
fn the_definitions_cover_the_catalog() {
    let ids: Vec<&str> = CATALOG.iter().map(|model| model.id).collect();
    let (mut defined, mut ids) = (definitions::MODELS.to_vec(), ids);
    defined.sort_unstable();
    ids.sort_unstable();
    assert_eq!(defined, ids);
}

/// Between a group and the whole table, the distance is what the model compares with t, for every
/// ground distance; and it is symmetric.
#[test]
fn distances_between_groups_agree_with_the_distance_from_the_whole_table() {
    use haggle_cube::{Distance as _, Group, Statistic as _, ValueCount};
    use haggle_privacy::{DistanceKind, Facts, TCloseness};

    let values = |counts: &[u64]| -> Vec<ValueCount> {
        let occur = (0..).zip(counts).filter(|(_, count)| **count > 0);
        occur.map(|(code, &count)| ValueCount { code, count }).collect()
    };
    check(2000, &groups(), |(sample, group)| {
        for (name, distance) in DistanceKind::ALL {
            let facts = Facts { distance: Some(distance), ..sample.facts() };
            let closeness = TCloseness::on(&facts).unwrap();
            let (here, all) = (values(&group), values(&sample.counts));
            if here.is_empty() {
                continue;
            }
            let records = group.iter().sum();
            let expected = closeness.of(&Group { records, values: &here });
            let (there, back) = (closeness.between(&here, &all), closeness.between(&all, &here));
            prop_assert!((there - expected).abs() < 1e-9, "{name}: {there}, not {expected}");
            prop_assert!((there - back).abs() < 1e-9, "{name}: {there} and {back}");
            prop_assert!(there <= closeness.largest() + 1e-9, "{name}");
        }
        Ok(())
    });
}

//! What models declare about merged groups is true, and no model could declare more.

use std::cell::RefCell;
use std::collections::BTreeMap;

use haggle_cube::Merging;
use haggle_privacy::{CATALOG, find};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sample::{Asked, Sample, asked_of, samples, with_group};

/// A table and two groups of its values, even enough that strict models pass some of them.
fn pairs() -> impl Strategy<Value = (Sample, Vec<u64>, Vec<u64>)> {
    let count = || prop_oneof![1 => Just(0_u64), 4 => 2_u64..6];
    vec((count(), count(), 0_u64..4), 2..5)
        .prop_filter("both have records", |counts| {
            counts.iter().any(|c| c.0 > 0) && counts.iter().any(|c| c.1 > 0)
        })
        .prop_flat_map(|counts| {
            let all = counts.iter().map(|(a, b, elsewhere)| (a + b + elsewhere).max(1)).collect();
            let of = |pick: fn(&(u64, u64, u64)) -> u64| counts.iter().map(pick).collect();
            let (a, b): (Vec<u64>, Vec<u64>) = (of(|c| c.0), of(|c| c.1));
            (samples(all), Just(a), Just(b))
        })
}

/// Whether the first, the second and the merged group pass.
fn verdicts(asked: &Asked, sample: &Sample, a: &[u64], b: &[u64]) -> Option<[bool; 3]> {
    let merged: Vec<u64> = a.iter().zip(b).map(|(a, b)| a + b).collect();
    let (parameter, value) = asked.negotiated()[0];
    let statistic = asked.statistic(&sample.facts(), parameter)?;
    let passes = |counts: &[u64]| with_group(counts, |group| statistic.passes(group, value));
    Some([passes(a), passes(b), passes(&merged)])
}

/// What the statistic declares, which depends on options and on what is stated.
fn kind(asked: &Asked, sample: &Sample) -> Merging {
    let (parameter, _) = asked.negotiated()[0];
    let statistic = asked.statistic(&sample.facts(), parameter);
    statistic.map_or(asked.model.kind, |statistic| statistic.column().kind)
}

#[test]
fn declared_kinds_are_true() {
    let relevant: RefCell<BTreeMap<&str, u32>> = RefCell::default();
    for model in CATALOG {
        check(6000, &(asked_of(model), pairs()), |(asked, (sample, a, b))| {
            let Some([first, second, merged]) = verdicts(&asked, &sample, &a, &b) else {
                return Ok(());
            };
            let kind = kind(&asked, &sample);
            let must_pass = match kind {
                Merging::UnionMonotone => first || second,
                Merging::Closed => first && second,
                Merging::Free => true,
            };
            if must_pass {
                *relevant.borrow_mut().entry(model.id).or_default() += 1;
                prop_assert!(merged || kind == Merging::Free, "{asked:?} {a:?} + {b:?}");
            }
            Ok(())
        });
    }
    for model in CATALOG {
        let merges = relevant.borrow().get(model.id).copied().unwrap_or(0);
        assert!(merges >= enough(1000), "{}: only {merges} relevant merges", model.id);
    }
}

/// Thresholds are often exactly the statistic of a group, so its last digit decides. If passing
/// groups merge into passing ones, a merged group's number is never weaker, not even in the last
/// digit.
#[test]
fn merged_groups_are_not_weaker_by_the_last_digit() {
    for model in CATALOG.iter().filter(|model| model.kind != Merging::Free) {
        let case = (asked_of(model), pairs(), 1_u64..400);
        check(2000, &case, |(asked, (sample, a, b), times)| {
            for (parameter, _) in asked.negotiated() {
                let Some(statistic) = asked.statistic(&sample.facts(), parameter) else { continue };
                if statistic.column().kind == Merging::Free {
                    continue;
                }
                let of = |counts: &[u64]| with_group(counts, |group| statistic.of(group));
                let strength = |a: &f64, b: &f64| statistic.column().comparison.by_strength(*a, *b);
                // With every record repeated, exact arithmetic gives the same result.
                let many: Vec<u64> = a.iter().map(|count| count * times).collect();
                for other in [&a, &b, &many] {
                    let merged: Vec<u64> = a.iter().zip(other).map(|(a, b)| a + b).collect();
                    let weaker = std::cmp::min_by(of(&a), of(other), strength);
                    let kept = strength(&of(&merged), &weaker).is_ge();
                    prop_assert!(kept, "{asked:?} {a:?} + {other:?}: {} < {weaker}", of(&merged));
                }
            }
            Ok(())
        });
    }
}

/// Values "0" and "10" in their own categories, "20" in the don't-care set, "30" like the first.
fn fixed() -> Sample {
    Sample {
        values: ["0", "10", "20", "30"].map(String::from).to_vec(),
        counts: vec![50, 50, 50, 50],
        order: vec![0, 1, 2, 3],
        parents: vec![0, 0, 1, 1],
        masks: vec![0b01, 0b10, 0, 0b01],
        never_rule_out: vec![1],
        occurring: false,
        classes: vec![0.0, 1.0, 2.0, 3.0],
        matrix: (0..4_i32).map(|i| (0..4).map(|j| f64::from((i - j).abs())).collect()).collect(),
        prior: None,
    }
}

fn asked(
    id: &str,
    numbers: &[(&'static str, f64)],
    choices: &[(&'static str, &'static str)],
) -> Asked {
    let model = find(id).unwrap();
    let arguments = haggle_privacy::Arguments {
        numbers: numbers.iter().copied().collect(),
        choices: choices.iter().copied().collect(),
    };
    Asked { model, arguments }
}

/// A failing group that makes a passing one fail, for each model that is not union-monotone.
#[test]
fn a_failing_group_makes_a_passing_one_fail_for_models_that_are_not_union_monotone() {
    let even = [3, 3, 3, 3];
    let lopsided = [40, 0, 0, 0];
    let lone = [0, 0, 0, 1];
    let cases = [
        (asked("extended-k-anonymity", &[("k", 2.0), ("level", 0.0)], &[]), [3, 3, 3, 0], lone),
        (asked("frequency-l-diversity", &[("l", 3.0)], &[]), even, lopsided),
        (asked("entropy-l-diversity", &[("l", 3.0)], &[]), even, lopsided),
        (asked("recursive-l-diversity", &[("l", 2.0), ("c", 2.0)], &[]), even, lopsided),
        (asked("pd-recursive-l-diversity", &[("l", 2.0), ("c", 2.0)], &[]), even, lopsided),
        (
            asked("npd-recursive-l-diversity", &[("l", 2.0), ("c1", 9.0), ("c2", 0.2)], &[]),
            even,
            lopsided,
        ),
        (asked("t-closeness", &[("t", 0.1)], &[("distance", "equal")]), even, lopsided),
        (asked("t-closeness", &[("t", 0.1)], &[("distance", "ordered")]), even, lopsided),
        (asked("t-closeness", &[("t", 0.1)], &[("distance", "hierarchical")]), even, lopsided),
        (asked("t-closeness", &[("t", 0.1)], &[("distance", "matrix")]), even, lopsided),
        (asked("basic-beta-likeness", &[("beta", 1.0)], &[]), even, lopsided),
        (asked("enhanced-beta-likeness", &[("beta", 1.0)], &[]), even, lopsided),
        (asked("delta-disclosure", &[("delta", 1.0)], &[("over", "table")]), even, lopsided),
        (asked("alpha-k-anonymity", &[("alpha", 0.5), ("k", 2.0)], &[]), even, lopsided),
        (asked("density-control", &[("d", 0.6)], &[]), even, lopsided),
        (asked("dilution", &[("mu", 0.2)], &[]), even, lopsided),
        (asked("recursive-categorical-diversity", &[("l", 2.0), ("c", 2.0)], &[]), even, lopsided),
        (asked("recursive-density-control", &[("l", 2.0), ("c", 3.0)], &[]), even, lopsided),
        (asked("psi-security", &[("least", 0.15)], &[("scale", "shares")]), even, [40, 0, 0, 1]),
        (asked("positive-disclosure", &[("delta", 0.5)], &[]), even, lopsided),
        (asked("negative-disclosure", &[("epsilon", 0.2)], &[]), even, lopsided),
        (asked("rho-privacy", &[("rho1", 0.3), ("rho2", 0.5)], &[]), even, lopsided),
    ];
    for (asked, passing, failing) in &cases {
        let verdicts = verdicts(asked, &fixed(), passing, failing);
        assert_eq!(verdicts, Some([true, false, false]), "{asked:?}");
    }
    let spoiled = |id: &str| cases.iter().any(|(asked, ..)| asked.model.id == id);
    let untold = CATALOG.iter().filter(|m| m.kind != Merging::UnionMonotone && !spoiled(m.id));
    assert_eq!(untold.map(|model| model.id).collect::<Vec<_>>(), Vec::<&str>::new());
}

/// Over the values of the groups alone, two groups that pass δ-disclosure may fail together: the
/// rare value of one is even rarer in both.
#[test]
fn delta_disclosure_over_the_groups_values_is_free() {
    let asked = asked("delta-disclosure", &[("delta", 1.4)], &[("over", "group")]);
    assert_eq!(asked.model.kind, Merging::Free);
    let verdicts = verdicts(&asked, &fixed(), &[3, 3, 3, 3], &[40, 0, 0, 0]);
    assert_eq!(verdicts, Some([true, true, false]));
}

/// The typical values are valid.
#[test]
fn usual_numbers_are_in_range() {
    for model in haggle_privacy::CATALOG {
        for parameter in model.parameters {
            assert_eq!(
                parameter.check(parameter.usual()).unwrap(),
                parameter.usual(),
                "{}",
                model.id
            );
        }
    }
}

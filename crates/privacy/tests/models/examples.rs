//! The worked examples of the catalog, and those of the sources.

use haggle_cube::Statistic;
use haggle_model::Dictionary;
use haggle_privacy::{
    Arguments, ClassFunction, DistanceKind, Facts, Ground, Setting, Stated, Target, find,
};

use super::sample::with_group;

/// A sensitive attribute of these values, with these numbers of records in the whole table.
pub(crate) fn facts(values: &[&str], counts: &[u64], stated: &Stated) -> Facts {
    let boxed: Vec<Box<str>> = values.iter().map(|&value| value.into()).collect();
    let target = Target { position: 0, name: "disease".into() };
    Facts::new(target, Dictionary::from(boxed), counts.to_vec(), stated).unwrap()
}

pub(crate) fn plain(counts: &[u64]) -> Facts {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    facts(&names[..counts.len()], counts, &Stated::default())
}

/// The statistic of a number, with the others given.
pub(crate) fn statistic(
    facts: &Facts,
    id: &str,
    negotiated: &str,
    numbers: &[(&'static str, f64)],
    choices: &[(&'static str, &'static str)],
) -> Box<dyn Statistic> {
    let model = find(id).unwrap();
    let negotiated = model.parameters.iter().find(|p| p.name == negotiated).unwrap();
    let arguments = Arguments {
        numbers: numbers.iter().copied().collect(),
        choices: choices.iter().copied().collect(),
    };
    let facts = model.sensitive.then_some(facts);
    Setting { model, negotiated, arguments: &arguments, facts, unit: None }.statistic().unwrap()
}

/// The statistic of a group with these counts of the attribute's values.
pub(crate) fn attained(
    facts: &Facts,
    id: &str,
    negotiated: &str,
    numbers: &[(&'static str, f64)],
    group: &[u64],
) -> f64 {
    let statistic = statistic(facts, id, negotiated, numbers, &[]);
    with_group(group, |group| statistic.of(group))
}

pub(crate) fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[test]
fn k_anonymity_counts_records() {
    assert_eq!(attained(&plain(&[9]), "k-anonymity", "k", &[], &[4]), 4.0);
}

#[test]
fn extended_k_anonymity_counts_generalized_values() {
    let rows = [
        ["gastritis", "stomach disease", "*"],
        ["ulcer", "stomach disease", "*"],
        ["flu", "infection", "*"],
    ];
    let hierarchy = Some(rows.iter().map(|row| texts(row)).collect());
    let stated = Stated { hierarchy, ..Stated::default() };
    let facts = facts(&["flu", "gastritis", "ulcer"], &[9, 9, 9], &stated);
    let at = |level| attained(&facts, "extended-k-anonymity", "k", &[("level", level)], &[1, 3, 2]);
    assert_eq!([at(0.0), at(1.0), at(2.0)], [1.0, 1.0, 6.0]);
}

#[test]
fn distinct_values_are_counted() {
    let hours = plain(&[9, 9, 9]);
    assert_eq!(attained(&hours, "distinct-l-diversity", "l", &[], &[2, 1, 1]), 3.0);
}

/// Salaries of table I of N. Nergiz et al., "Instant anonymization": the pairs of the second
/// generalization have one low and one high salary each; the first has a pair of two low ones.
#[test]
fn the_most_frequent_value_has_a_share_of_one_in_l() {
    let salary = plain(&[4, 4]);
    let l = |group: &[u64]| attained(&salary, "frequency-l-diversity", "l", &[], group);
    assert_eq!([l(&[1, 1]), l(&[2, 0])], [2.0, 1.0]);
    let distinct = |group: &[u64]| attained(&salary, "distinct-l-diversity", "l", &[], group);
    assert_eq!([distinct(&[1, 1]), distinct(&[2, 0])], [2.0, 1.0]);
}

#[test]
fn entropy_equals_that_of_equally_frequent_values() {
    let l = |group: &[u64]| attained(&plain(&[9, 9, 9]), "entropy-l-diversity", "l", &[], group);
    // exp(1.5 ln 2) = 2.828…
    assert!((l(&[2, 1, 1]) - 2.0_f64.powf(1.5)).abs() < 1e-9);
    assert_eq!(l(&[5, 5, 5]), 3.0);
}

/// Example 3.5.1 of S.-Y. Hsu: ten of one disease; nine and one; six, two and two. The source says
/// that the third block passes (1.5,2)-recursive diversity; as the comparison is strict, it does
/// not.
#[test]
fn the_three_blocks_of_the_hospital() {
    let facts = plain(&[10, 9, 7, 6, 2]);
    let blocks = [[10, 0, 0, 0, 0], [0, 9, 1, 0, 0], [0, 0, 2, 6, 2]];
    for block in &blocks {
        assert_eq!(attained(&facts, "k-anonymity", "k", &[], block), 10.0);
    }
    let l = |block: &[u64]| attained(&facts, "distinct-l-diversity", "l", &[], block);
    assert_eq!(blocks.map(|block| l(&block) >= 2.0), [false, true, true]);
    let c = |block: &[u64]| attained(&facts, "recursive-l-diversity", "c", &[("l", 2.0)], block);
    assert_eq!(blocks.map(|block| c(&block)), [f64::INFINITY, 9.0, 1.5]);
    let third = statistic(&facts, "recursive-l-diversity", "c", &[("l", 2.0)], &[]);
    with_group(&blocks[2], |group| {
        assert!(!third.passes(group, 1.5));
        assert!(third.passes(group, 1.6));
    });
    let at_three = attained(&facts, "recursive-l-diversity", "c", &[("l", 3.0)], &blocks[2]);
    assert_eq!(at_three, 3.0);
    let l = attained(&facts, "recursive-l-diversity", "l", &[("c", 1.6)], &blocks[2]);
    assert_eq!(l, 2.0);
}

/// Table 2.1-2 of S.-Y. Hsu: heart disease and infection twice each; cancer, heart disease and two
/// infections; four cancers.
#[test]
fn the_generalized_hospital_is_four_anonymous_and_not_diverse() {
    let facts = plain(&[5, 3, 4]); // cancer, heart disease, viral infection
    let blocks = [[0, 2, 2], [1, 1, 2], [4, 0, 0]];
    let of = |id: &str, negotiated: &str, numbers: &[(&'static str, f64)]| {
        blocks.map(|block| attained(&facts, id, negotiated, numbers, &block))
    };
    assert_eq!(of("k-anonymity", "k", &[]), [4.0, 4.0, 4.0]);
    assert_eq!(of("distinct-l-diversity", "l", &[]), [2.0, 3.0, 1.0]);
    assert_eq!(of("alpha-k-anonymity", "alpha", &[("k", 4.0)]), [0.5, 0.5, 1.0]);
    assert_eq!(of("alpha-k-anonymity", "k", &[("alpha", 0.5)]), [4.0, 4.0, f64::NEG_INFINITY]);
}

#[test]
fn dont_care_values_may_be_frequent() {
    let stated = Stated {
        dont_care: texts(&["cold"]).into(),
        never_rule_out: texts(&["cancer", "flu"]).into(),
        ..Stated::default()
    };
    let facts = facts(&["cancer", "cold", "flu"], &[9, 9, 9], &stated);
    let group = [2, 6, 2];
    let c = attained(&facts, "pd-recursive-l-diversity", "c", &[("l", 2.0)], &group);
    assert_eq!(c, 0.25);
    let numbers = [("l", 2.0), ("c1", 0.3)];
    assert_eq!(attained(&facts, "npd-recursive-l-diversity", "c2", &numbers, &group), 0.2);
    assert_eq!(attained(&facts, "dilution", "mu", &[], &group), 0.6);
}

/// The salaries of N. Li et al., "t-closeness": 3k to 11k.
#[test]
fn closeness_of_the_published_salaries() {
    let salaries = ["3000", "4000", "5000", "6000", "7000", "8000", "9000", "10000", "11000"];
    let facts = facts(&salaries, &[1; 9], &Stated::default());
    let low = [1, 1, 1, 0, 0, 0, 0, 0, 0];
    let mixed = [0, 0, 0, 1, 0, 1, 0, 0, 1];
    let t = |group: &[u64]| attained(&facts, "t-closeness", "t", &[], group);
    assert_eq!(t(&low), 0.375);
    assert!((t(&mixed) - 1.0 / 6.0).abs() < 1e-12);
    let equal = statistic(&facts, "t-closeness", "t", &[], &[("distance", "equal")]);
    for group in [low, mixed] {
        assert_eq!(with_group(&group, |group| equal.of(group)), 2.0 / 3.0);
    }
}

/// The values of some of the records must not suggest another distance than those of all.
#[test]
fn a_distance_is_settled_only_where_part_of_the_values_suggests_the_same() {
    let (ordered, equal) = (Some(DistanceKind::Ordered), Some(DistanceKind::Equal));
    for (values, expected) in [
        (&["10", "30", "9.5"][..], ordered),
        (&["2020-01-31", "2020-02-01"], ordered),
        (&["flu", "gout"], equal),
        (&["flu", "inf", "nan"], equal),
        (&["10", "?"], None),
        (&["10", "20", "high", "low"], None),
        (&["2020-01-31", "unknown"], None),
        (&["2020-01-31", "31.1.2020"], None),
    ] {
        let found = facts(values, &vec![1; values.len()], &Stated::default());
        assert_eq!(found.settled_distance(), expected, "{values:?}");
        let stated = Stated { distance: equal, ..Stated::default() };
        let stated = facts(values, &vec![1; values.len()], &stated);
        assert_eq!(stated.settled_distance(), equal, "{values:?}");
    }
}

/// Two of three go to their sibling in the tree, at half the height of the top.
#[test]
fn closeness_in_a_tree_and_by_a_matrix() {
    let rows = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]];
    let stated = Stated {
        hierarchy: Some(rows.iter().map(|row| texts(row)).collect()),
        distance: Some(DistanceKind::Hierarchical),
        matrix: Some(Ground {
            values: texts(&["a", "b", "c"]),
            rows: vec![vec![0.0, 0.5, 1.0], vec![0.5, 0.0, 1.0], vec![1.0, 1.0, 0.0]],
        }),
        ..Stated::default()
    };
    let facts = facts(&["a", "b", "c"], &[1, 1, 1], &stated);
    // From (1, 0, 0): a third to b at 0.5, a third to c at 1.
    let expected = 0.5 / 3.0 + 1.0 / 3.0;
    assert!((attained(&facts, "t-closeness", "t", &[], &[3, 0, 0]) - expected).abs() < 1e-12);
    let matrix = statistic(&facts, "t-closeness", "t", &[], &[("distance", "matrix")]);
    let by_matrix = with_group(&[3, 0, 0], |group| matrix.of(group));
    assert!((by_matrix - expected).abs() < 1e-9);
}

#[test]
fn gains_and_logarithms_against_the_whole_table() {
    let facts = plain(&[10, 90]);
    let group = [1, 3];
    assert_eq!(attained(&facts, "basic-beta-likeness", "beta", &[], &group), 1.5);
    assert_eq!(attained(&facts, "enhanced-beta-likeness", "beta", &[], &group), 1.5);
    let delta = attained(&facts, "delta-disclosure", "delta", &[], &group);
    assert!((delta - 2.5_f64.ln()).abs() < 1e-9);
    // Half of all may gain 0.69 of their share at most; nine in ten gain 0.8.
    let half = plain(&[50, 50]);
    assert_eq!(attained(&half, "basic-beta-likeness", "beta", &[], &[9, 1]), 0.8);
    let beyond = attained(&half, "enhanced-beta-likeness", "beta", &[], &[9, 1]);
    assert_eq!(beyond, f64::INFINITY);
}

/// The categories of figure 3.5-1 of S.-Y. Hsu: AIDS is both terminal and infectious.
pub(crate) fn illnesses() -> Facts {
    let stated = Stated {
        categories: vec![
            ("terminal".into(), texts(&["AIDS", "cancer"])),
            ("infectious".into(), texts(&["AIDS", "tuberculosis"])),
        ],
        dont_care: texts(&["cold"]).into(),
        ..Stated::default()
    };
    facts(&["AIDS", "cancer", "cold", "tuberculosis"], &[9, 9, 9, 9], &stated)
}

#[test]
fn categories_that_cover_a_group_are_counted() {
    let l = |group: &[u64]| attained(&illnesses(), "categorical-diversity", "l", &[], group);
    assert_eq!([l(&[1, 1, 0, 0]), l(&[0, 1, 0, 1]), l(&[1, 1, 1, 1])], [1.0, 2.0, 3.0]);
}

#[test]
fn no_category_holds_too_much() {
    let group = [1, 3, 3, 3]; // terminal 4, infectious 4, neither 3
    let d = |numbers: &[(&'static str, f64)]| {
        attained(&illnesses(), "density-control", "d", numbers, &group)
    };
    assert_eq!(d(&[]), 0.4);
    assert_eq!(d(&[("mu", 0.3)]), 0.4);
    assert_eq!(d(&[("mu", 0.35)]), f64::INFINITY);
    let mu = attained(&illnesses(), "density-control", "mu", &[("d", 0.4)], &group);
    assert_eq!(mu, 0.3);
}

#[test]
fn categories_that_become_likely_when_others_are_ruled_out() {
    let group = [2, 5, 0, 3];
    let c = |id: &str, l: f64| attained(&illnesses(), id, "c", &[("l", l)], &group);
    assert_eq!(c("recursive-categorical-diversity", 2.0), 7.0 / 3.0);
    assert_eq!(c("recursive-categorical-diversity", 3.0), f64::INFINITY);
    // Terminal 7, infectious 5: at l = 2 the rest is 5.
    assert_eq!(c("recursive-density-control", 2.0), 7.0 / 5.0);
    let stated = Stated {
        categories: vec![
            ("x".into(), texts(&["a"])),
            ("y".into(), texts(&["b"])),
            ("z".into(), texts(&["c"])),
        ],
        ..Stated::default()
    };
    let disjoint = facts(&["a", "b", "c"], &[9, 9, 9], &stated);
    for (l, expected) in [(2.0, 1.0), (3.0, 2.5)] {
        for id in [
            "recursive-density-control",
            "recursive-categorical-diversity",
            "recursive-l-diversity",
        ] {
            let c = attained(&disjoint, id, "c", &[("l", l)], &[5, 3, 2]);
            assert_eq!(c, expected, "{id}: they agree on disjoint categories");
        }
    }
}

pub(crate) fn salaries(values: &[&str], points: &[(f64, f64)]) -> Facts {
    let class_function = Some(ClassFunction::Points(points.to_vec()));
    let stated = Stated { class_function, ..Stated::default() };
    facts(values, &vec![1; values.len()], &stated)
}

#[test]
fn classes_span_a_range() {
    let facts = salaries(&["8000", "16500"], &[(8000.0, 1.0), (25000.0, 2.0)]);
    assert_eq!(attained(&facts, "range-control", "delta", &[], &[1, 1]), 0.5);
}

/// The classes of the block of figure 3.6-3.
#[test]
fn ranges_that_cover_a_group_are_counted() {
    let values = ["0", "1", "2", "2.5", "4", "5", "6", "8", "9"];
    let facts = salaries(&values, &[(0.0, 0.0), (9.0, 9.0)]);
    let group = [1, 1, 2, 1, 1, 1, 1, 1, 2];
    assert_eq!(attained(&facts, "linear-diversity", "l", &[("r", 2.0)], &group), 4.0);
    assert_eq!(attained(&facts, "linear-diversity", "l", &[("r", 9.0)], &group), 1.0);
    // Three ranges suffice from a width of 2.5: [0, 2.5], [4, 6.5], [8, 10.5].
    assert_eq!(attained(&facts, "linear-diversity", "r", &[("l", 4.0)], &group), 2.5);
}

#[test]
fn beliefs_after_seeing_the_publication() {
    let facts = plain(&[10, 90]);
    assert_eq!(attained(&facts, "positive-disclosure", "delta", &[], &[9, 1]), 0.1);
    assert_eq!(attained(&facts, "negative-disclosure", "epsilon", &[], &[9, 1]), 0.1);
    assert_eq!(attained(&facts, "negative-disclosure", "epsilon", &[], &[9, 0]), 0.0);
    let rho2 = |rho1| attained(&facts, "rho-privacy", "rho2", &[("rho1", rho1)], &[5, 5]);
    assert_eq!([rho2(0.2), rho2(0.1)], [0.5, 0.0]);
}

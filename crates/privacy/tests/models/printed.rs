//! The definitions of S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes",
//! 2008, as they are printed, next to the corrected ones.

use haggle_cube::Merging;
use haggle_model::Dictionary;
use haggle_privacy::{
    Arguments, ClassFunction, DontCare, Facts, NeverRuleOut, Possible, Setting, Stated, Target,
    Transform, find,
};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::definitions;
use proptest::collection::vec;
use proptest::prelude::*;

use super::definitions::groups;
use super::examples::{attained, facts, illnesses, plain, statistic, texts};
use super::sample::with_group;

/// Section 3.5, example 3.5.1 and table 3.5-1: which of the blocks need not be generalized.
///
/// | row | 10-anonymity | 2-diversity | (1.5, 2)-recursive |
/// |---|---|---|---|
/// | acute leukemia | kept | lost | lost |
/// | pancreatic cancer | kept | kept | kept |
/// | bladder cancer | kept | kept | lost |
#[test]
fn table_3_5_1_counts_a_quotient_of_exactly_c_as_passing() {
    // leukemia, bladder cancer, pancreatic cancer, cold, flu
    let facts = plain(&[10, 9, 6, 2, 3]);
    let blocks = [[10, 0, 0, 0, 0], [0, 0, 6, 2, 2], [0, 9, 0, 0, 1]];
    let kept =
        |id: &str, name: &str, numbers: &[(&'static str, f64)], choices: &[_], value: f64| {
            let statistic = statistic(&facts, id, name, numbers, choices);
            blocks.map(|block| with_group(&block, |group| statistic.passes(group, value)))
        };
    assert_eq!(kept("k-anonymity", "k", &[], &[], 10.0), [true, true, true]);
    assert_eq!(kept("distinct-l-diversity", "l", &[], &[], 2.0), [false, true, true]);
    let recursive = |name, numbers: &[(&'static str, f64)], choices: &[_], value| {
        kept("recursive-l-diversity", name, numbers, choices, value)
    };
    let printed = [("bound", "at-most")];
    assert_eq!(recursive("c", &[("l", 2.0)], &printed, 1.5), [false, true, false]);
    assert_eq!(recursive("l", &[("c", 1.5)], &printed, 2.0), [false, true, false]);
    assert_eq!(recursive("c", &[("l", 2.0)], &[], 1.5), [false; 3], "definition 3.3.3 is strict");
    assert_eq!(recursive("l", &[("c", 1.5)], &[], 2.0), [false; 3]);
}

/// A default is the same column whether or not it is named; the other side is another one.
#[test]
fn options_that_are_not_the_default_are_part_of_the_columns_name() {
    let column = |choices: &[(&'static str, &'static str)]| {
        let l = [("l", 2.0)];
        statistic(&illnesses(), "recursive-categorical-diversity", "c", &l, choices)
            .column()
            .clone()
    };
    assert_eq!(column(&[("covering", "l-1"), ("cover", "exact")]), column(&[]));
    let name = "recursive-categorical-diversity:on=disease,covering=l,l=2";
    assert_eq!(column(&[("covering", "l")]).id, name);
}

/// Definition 3.5.8 prints MC(l): what is (c,l) there is (c,l+1) with the corrected MC(l − 1).
#[test]
fn the_printed_categorical_recursive_diversity_is_the_corrected_one_at_l_plus_one() {
    let id = "recursive-categorical-diversity";
    let c = |l: f64, choices: &[_]| {
        let statistic = statistic(&illnesses(), id, "c", &[("l", l)], choices);
        with_group(&[2, 5, 4, 3], |group| statistic.of(group))
    };
    // Terminal 7, infectious 5, together 10 of 14: 7/(14 - 7) and 7/(14 - 10).
    assert_eq!([c(2.0, &[]), c(3.0, &[])], [1.0, 7.0 / 4.0]);
    assert_eq!(c(2.0, &[("covering", "l")]), 7.0 / 4.0);
    check(2000, &(groups(), 2_u32..4), |((sample, group), l)| {
        let facts = sample.facts();
        let at = |l: u32, covering: &'static str| {
            let l = [("l", f64::from(l))];
            let statistic = statistic(&facts, id, "c", &l, &[("covering", covering)]);
            with_group(&group, |group| statistic.of(group))
        };
        prop_assert_eq!(at(l, "l").to_bits(), at(l + 1, "l-1").to_bits());
        Ok(())
    });
}

/// Definition 3.3.5: the least frequent value that appears in the block has a share of at least c2.
#[test]
fn a_value_that_is_absent_need_not_stay_possible_as_printed() {
    let stated = Stated {
        dont_care: texts(&["cold"]).into(),
        never_rule_out: NeverRuleOut::occurring(),
        ..Stated::default()
    };
    let facts = facts(&["cancer", "cold", "flu"], &[9, 9, 9], &stated);
    assert_eq!(facts.never_rule_out, Possible::Occurring);
    let least = |group: &[u64]| {
        let numbers = [("l", 2.0), ("c1", 9.0)];
        attained(&facts, "npd-recursive-l-diversity", "c2", &numbers, group)
    };
    assert_eq!([least(&[2, 6, 2]), least(&[2, 2, 0]), least(&[2, 7, 1])], [0.2, 0.5, 0.1]);
    // Two groups that pass c2 = 0.2 fail together: flu is rare in both.
    assert_eq!([least(&[4, 4, 0]), least(&[0, 4, 1]), least(&[4, 8, 1])], [0.5, 0.2, 1.0 / 13.0]);
    let numbers = [("l", 2.0), ("c1", 9.0)];
    let statistic = statistic(&facts, "npd-recursive-l-diversity", "c2", &numbers, &[]);
    assert_eq!(statistic.column().kind, Merging::Free);
}

fn stated_facts(values: &[&str], counts: &[u64], stated: &Stated) -> Result<Facts, String> {
    let boxed: Vec<Box<str>> = values.iter().map(|&value| value.into()).collect();
    let target = Target { position: 0, name: "disease".into() };
    let facts = Facts::new(target, Dictionary::from(boxed), counts.to_vec(), stated);
    facts.map_err(|problems| problems[0].what.clone())
}

/// Section 3.3: "the set of first y most frequent values in S is called don't-care set".
#[test]
fn the_most_frequent_values_are_the_dont_care_set() {
    let most = |y: usize, counts: &[u64]| {
        let dont_care = DontCare::MostFrequent { most_frequent: y };
        let stated = Stated { dont_care, ..Stated::default() };
        stated_facts(&["a", "b", "c", "d"], counts, &stated).map(|facts| facts.dont_care)
    };
    assert_eq!(most(2, &[5, 9, 1, 7]), Ok(vec![false, true, false, true]));
    assert_eq!(most(1, &[5, 5, 5, 1]), Ok(vec![true, false, false, false]), "the first of equals");
    let none = "dont_care of 'disease' is its 0 most frequent values, and 4 occur";
    assert_eq!(most(0, &[5, 9, 1, 7]), Err(none.to_owned()));
    let all = "dont_care of 'disease' is its 3 most frequent values, and 3 occur";
    assert_eq!(most(3, &[5, 9, 0, 7]), Err(all.to_owned()), "something is left to protect");
    let stated = Stated {
        categories: vec![("x".into(), texts(&["a", "b"]))],
        dont_care: DontCare::MostFrequent { most_frequent: 1 },
        ..Stated::default()
    };
    let both = "'disease' has 'a' in dont_care and in a category";
    assert_eq!(stated_facts(&["a", "b"], &[9, 1], &stated).map(drop), Err(both.to_owned()));
}

/// Section 3.6: "the parameter s can be replaced with any function f of s".
#[test]
fn a_class_function_of_a_function_of_the_value() {
    let classes = |values: &[&str], counts: &[u64], class: ClassFunction, function: Transform| {
        let class_function = Some(ClassFunction::Of { class: class.into(), function });
        let stated = Stated { class_function, ..Stated::default() };
        stated_facts(values, counts, &stated).map(|facts| facts.classes.unwrap())
    };
    let gompertz = ClassFunction::Gompertz { b: 0.5, eta: 2.0 };
    let found = classes(&["1", "10", "100"], &[1; 3], gompertz.clone(), Transform::Log10).unwrap();
    // (1 - e^-0.5) e^(-2 e^-0.5) and (1 - e^-1) e^(-2 e^-1) by hand.
    let expected = [0.0, 0.116_973, 0.302_875];
    assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-6), "{found:?}");
    let line = ClassFunction::Points(vec![(0.0, 0.0), (10.0, 5.0)]);
    let power = Transform::Power(2.0);
    assert_eq!(classes(&["1", "2", "3"], &[1; 3], line.clone(), power), Ok(vec![0.5, 2.0, 4.5]));
    let from = Transform::DistanceFrom(37.0);
    assert_eq!(classes(&["35", "37", "41"], &[1; 3], line.clone(), from), Ok(vec![1.0, 0.0, 2.0]));
    // By distance from 37, one record is at 0, three are at most 2, and all at most 4.
    let (from, empirical) = (Transform::DistanceFrom(37.0), ClassFunction::Empirical);
    let found = classes(&["35", "37", "41"], &[2, 1, 1], empirical, from);
    assert_eq!(found, Ok(vec![0.75, 0.25, 1.0]));
    let undefined = "the class function of 'disease' is not defined at '0'";
    assert_eq!(classes(&["0", "1"], &[1; 2], gompertz, Transform::Ln), Err(undefined.to_owned()));
    let constant = "the function that 'disease' is classed by is the same for all values";
    let found = classes(&["0", "1"], &[1; 2], line, Transform::Linear(0.0, 1.0));
    assert_eq!(found, Err(constant.to_owned()));
}

/// The example of the catalog, and figure 3.6-3: s₆, of class 6, is the easiest to rule out.
#[test]
fn psi_is_bounded_from_both_sides() {
    let line = |values: &[&str], counts: &[u64]| {
        let class_function = Some(ClassFunction::Points(vec![(0.0, 0.0), (9.0, 9.0)]));
        facts(values, counts, &Stated { class_function, ..Stated::default() })
    };
    let id = "psi-security";
    let (two, group) = (line(&["0", "3"], &[2, 1]), [2, 1]);
    let least = |numbers: &[(&'static str, f64)]| attained(&two, id, "least", numbers, &group);
    assert!((least(&[]) - 0.4078).abs() < 1e-4);
    assert_eq!(least(&[("most", 0.8)]), f64::NEG_INFINITY, "0.802 is too much");
    assert!((attained(&two, id, "most", &[("least", 0.4)], &group) - 0.8023).abs() < 1e-4);
    let values = ["0", "1", "2", "2.5", "4", "5", "6", "8", "9"];
    let block = [1, 1, 2, 1, 1, 1, 1, 1, 2];
    let psi = attained(&line(&values, &block), id, "least", &[], &block);
    // The density at 0, 1, twice 2, twice 3, 3.5 and twice 4 standard deviations.
    let at_6 = 0.398_942 + 0.241_971 + 2.0 * (0.053_991 + 0.004_432 + 0.000_134) + 0.000_873;
    assert!((psi - at_6).abs() < 2e-4, "{psi}");
}

/// Up to 24 categories for 8 values, as bits, all of which overlap.
fn overlapping() -> impl Strategy<Value = (Vec<u32>, Vec<u64>)> {
    (vec(vec(0_u32..24, 2..5), 8), vec(0_u64..4, 8)).prop_map(|(categories, mut group)| {
        group[0] = group[0].max(1);
        let mask = |bits: &Vec<u32>| bits.iter().fold(0, |mask, bit| mask | 1 << bit);
        (categories.iter().map(mask).collect(), group)
    })
}

const DISEASES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn categories(masks: &[u32]) -> Vec<(String, Vec<String>)> {
    let members = |bit: usize| -> Vec<String> {
        let held = DISEASES.iter().zip(masks).filter(|(_, mask)| *mask >> bit & 1 == 1);
        held.map(|(value, _)| (*value).to_owned()).collect()
    };
    (0..24).map(|bit| (format!("c{bit}"), members(bit))).collect()
}

/// Section 3.5, footnote 1: approximations for complicated categorical structures. A group passes
/// only if it does by the definition.
#[test]
fn more_than_twenty_overlapping_categories_are_bounded_on_the_safe_side() {
    let passed = std::cell::Cell::new([0; 2]);
    check(400, &(overlapping(), 2_u32..4), |((masks, group), l)| {
        let categories = categories(&masks);
        let stated = Stated { categories: categories.clone(), ..Stated::default() };
        let facts = stated_facts(&DISEASES, &[9; 8], &stated).unwrap();
        let records = DISEASES.iter().zip(&group);
        let records: Vec<&str> =
            records.flat_map(|(v, &n)| std::iter::repeat_n(*v, n as usize)).collect();
        let definition = definitions::Stated { categories, ..definitions::Stated::default() };
        let l = f64::from(l);
        let asked: [(&str, &[(&'static str, f64)]); 2] = [
            ("categorical-diversity", &[("l", l)]),
            ("recursive-categorical-diversity", &[("l", l), ("c", 2.0)]),
        ];
        for (place, (id, numbers)) in asked.into_iter().enumerate() {
            let statistic = statistic(&facts, id, "l", numbers, &[]);
            prop_assert!(statistic.is_bound() && statistic.column().id.contains("cover=bounds"));
            prop_assert_eq!(statistic.column().kind, Merging::Free);
            let found = with_group(&group, |group| statistic.passes(group, l));
            let numbers = numbers.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
            let parameters = definitions::Parameters { numbers, ..Default::default() };
            let expected = definitions::passes(id, &parameters, &definition, &records, &records);
            prop_assert!(expected || !found, "{} passes though it should not", id);
            let mut both = passed.get();
            both[place] += i32::from(found);
            passed.set(both);
        }
        Ok(())
    });
    assert!(passed.get().iter().all(|passed| *passed >= enough(20)), "{:?}", passed.get());
}

/// Categories that do not overlap are covered exactly, however many there are.
#[test]
fn categories_that_do_not_overlap_are_not_approximated() {
    let values: Vec<String> = (100..160).map(|value| value.to_string()).collect();
    let names: Vec<&str> = values.iter().map(String::as_str).collect();
    let one = |value: &String| (format!("c{value}"), vec![value.clone()]);
    let stated = Stated { categories: values.iter().map(one).collect(), ..Stated::default() };
    let facts = stated_facts(&names, &[9; 60], &stated).unwrap();
    let statistic = statistic(&facts, "categorical-diversity", "l", &[], &[]);
    assert!(!statistic.is_bound());
    assert_eq!(with_group(&[1; 60], |group| statistic.of(group)), 60.0);
    let many = (0..64).map(|i| (format!("c{i}"), values.clone())).collect();
    let stated = Stated { categories: many, ..Stated::default() };
    let refused = "'disease' has more than 63 categories".to_owned();
    assert_eq!(stated_facts(&names, &[9; 60], &stated).map(drop), Err(refused));
}

#[test]
fn exact_covers_of_too_many_overlapping_categories_are_refused() {
    let masks: Vec<u32> = (0..8).map(|i| 0b111 << i).collect();
    let stated = Stated { categories: categories(&masks), ..Stated::default() };
    let facts = stated_facts(&DISEASES, &[9; 8], &stated).unwrap();
    let model = find("categorical-diversity").unwrap();
    let choices = [("cover", "exact")].into();
    let arguments = Arguments { numbers: [("l", 2.0)].into(), choices };
    let negotiated = model.threshold();
    let setting =
        Setting { model, negotiated, arguments: &arguments, facts: Some(&facts), unit: None };
    let refused = setting.statistic().unwrap_err().to_string();
    assert!(refused.contains("cannot cover 24 overlapping categories exactly"), "{refused}");
}

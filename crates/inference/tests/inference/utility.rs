//! Utility previews against brute force on random records.

#![allow(clippy::float_cmp)] // shares of the same counts are the same

use std::collections::BTreeSet;

use haggle_inference::utility::{CATALOG, Cases, RuleLimits, RuleSet, Score, association};
use proptest::prelude::*;

/// A record: its values and its class.
type Record = (Vec<u32>, u32);

const VALUES: u32 = 3;
const CLASSES: u32 = 3;

fn records() -> impl Strategy<Value = Vec<Record>> {
    let record = (prop::collection::vec(0..VALUES, 3), 0..CLASSES);
    prop::collection::vec(record, 1..40)
}

fn cases(records: &[Record]) -> Cases {
    let alike = records.iter().map(|(values, class)| (values, *class, 1));
    Cases::new(vec![VALUES as usize; 3], CLASSES as usize, alike)
}

/// The share of records for which a classifier is right, one record at a time.
fn accuracy(held_out: &[Record], class: impl Fn(&[u32]) -> u32) -> f64 {
    let right = held_out.iter().filter(|(values, own)| class(values) == *own).count();
    right as f64 / held_out.len() as f64
}

fn score(id: &str, training: &[Record], held_out: &[Record]) -> f64 {
    let predictor = CATALOG.iter().find(|predictor| predictor.id == id).unwrap();
    let tested = cases(held_out);
    let predicted = (predictor.predict)(&cases(training), &tested).unwrap();
    Score::compare(&tested, &predicted).unwrap().accuracy
}

/// Naive Bayes by its definition, as whole numbers: the product of the counts plus one, over the
/// product of the denominators. Comparing cross products needs no logarithm.
fn naive_bayes(training: &[Record], values: &[u32]) -> Vec<f64> {
    let count =
        |holds: &dyn Fn(&Record) -> bool| training.iter().filter(|r| holds(r)).count() as f64;
    let score = |class: u32| {
        let of_class = count(&|(_, own)| *own == class);
        let given = values.iter().enumerate().map(|(attribute, value)| {
            let with = count(&|(values, own)| *own == class && values[attribute] == *value);
            (with + 1.0) / (of_class + f64::from(VALUES))
        });
        (of_class + 1.0) * given.product::<f64>()
    };
    (0..CLASSES).map(score).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(400)))]

    #[test]
    fn the_majority_baseline_is_the_share_of_the_most_frequent_training_class(
        training in records(), held_out in records(),
    ) {
        let count = |class: u32| training.iter().filter(|(_, own)| *own == class).count();
        let most = (0..CLASSES).map(count).max().unwrap();
        let first = (0..CLASSES).find(|&class| count(class) == most).unwrap();
        prop_assert_eq!(score("majority", &training, &held_out), accuracy(&held_out, |_| first));
    }

    #[test]
    fn naive_bayes_scores_as_its_definition_on_records(training in records(), held_out in records()) {
        let tied = |scores: &[f64]| {
            let most = scores.iter().copied().fold(0.0, f64::max);
            scores.iter().filter(|&&score| score > most * (1.0 - 1e-9)).count() > 1
        };
        // Rounding may decide between classes that are equally likely.
        let clear: Vec<Record> = held_out
            .into_iter()
            .filter(|(values, _)| !tied(&naive_bayes(&training, values)))
            .collect();
        prop_assume!(!clear.is_empty());
        let best = |values: &[u32]| {
            let scores = naive_bayes(&training, values);
            (0..CLASSES).max_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize])).unwrap()
        };
        prop_assert_eq!(score("naive-bayes", &training, &clear), accuracy(&clear, best));
    }

    #[test]
    fn rules_are_those_that_counting_records_finds(records in records()) {
        let limits = RuleLimits { support: 0.1, confidence: 0.5, longest: 2 };
        let found: BTreeSet<(Vec<(u32, u32)>, u32)> = RuleSet::mine(&cases(&records), &limits, |_| false)
            .rules
            .into_iter()
            .map(|rule| (rule.items, rule.class))
            .collect();
        let singles: Vec<(u32, u32)> =
            (0..3).flat_map(|attribute| (0..VALUES).map(move |value| (attribute, value))).collect();
        let pairs = singles.iter().flat_map(|&a| {
            singles.iter().filter(move |b| b.0 > a.0).map(move |&b| vec![a, b])
        });
        let all = singles.iter().map(|&one| vec![one]).chain(pairs);
        let mut expected = BTreeSet::new();
        for items in all {
            let has = |(values, _): &&Record| items.iter().all(|&(a, v)| values[a as usize] == v);
            let with = records.iter().filter(has).count() as f64;
            for class in 0..CLASSES {
                let both = records.iter().filter(has).filter(|(_, own)| *own == class).count() as f64;
                if both > 0.0 && both >= 0.1 * records.len() as f64 && both >= 0.5 * with {
                    expected.insert((items.clone(), class));
                }
            }
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn cramers_v_is_the_root_of_chi_squared(records in records()) {
        let n = records.len() as f64;
        let rows: BTreeSet<u32> = records.iter().map(|(values, _)| values[0]).collect();
        let columns: BTreeSet<u32> = records.iter().map(|(_, class)| *class).collect();
        let mut chi_squared = 0.0;
        for &row in &rows {
            for &column in &columns {
                let of = |holds: &dyn Fn(&Record) -> bool| {
                    records.iter().filter(|r| holds(r)).count() as f64
                };
                let expected = of(&|r| r.0[0] == row) * of(&|r| r.1 == column) / n;
                let seen = of(&|r| r.0[0] == row && r.1 == column);
                chi_squared += (seen - expected) * (seen - expected) / expected;
            }
        }
        let smaller = rows.len().min(columns.len()) - 1;
        let expected = if smaller == 0 { 0.0 } else { (chi_squared / n / smaller as f64).sqrt() };
        let found = association(records.iter().map(|(values, class)| (values[0], *class, 1)));
        prop_assert!((found.cramers_v - expected).abs() < 1e-6, "{} {}", found.cramers_v, expected);
    }
}

#[test]
fn learned_models_find_what_separates_the_classes() {
    let record = |i: u32| (vec![i % 3, (i / 3) % 3, (i / 9) % 3], u32::from(i % 3 == 1));
    let all: Vec<Record> = (0..270).map(record).collect();
    for id in ["logistic-regression", "decision-tree"] {
        assert_eq!(score(id, &all, &all[..27]), 1.0, "{id}");
    }
    let one_class: Vec<Record> = all.iter().filter(|(_, class)| *class == 1).cloned().collect();
    for predictor in CATALOG {
        assert_eq!(score(predictor.id, &one_class, &one_class), 1.0, "{}", predictor.id);
    }
}

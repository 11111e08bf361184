//! Shadows of an age that is published by decade, or of an attribute that is dropped.

use std::collections::BTreeMap;

use super::*;

fn decades() -> Hierarchy {
    let path = |age: u32| [age.to_string(), format!("{}0s", age / 10)];
    Hierarchy::from_paths("age", (20..60).map(path)).unwrap()
}

/// The shadows among free columns, which come before the published and the recorded value.
fn shadows(records: &[(Vec<String>, u64)], hierarchy: Option<&Hierarchy>, k: u64) -> Vec<Shadow> {
    let width = records[0].0.len();
    let (published, recorded) = (width - 2, width - 1);
    let layout = ProfileLayout {
        sampled: (0..width).collect(),
        hidden: vec![HiddenFields { published: hierarchy.map(|_| published), recorded }],
        ..ProfileLayout::of_columns(width - 1, Vec::new(), 1 << 30)
    };
    let mut sample = RecordSample::default();
    for (fields, records) in records {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let hashes: Vec<u64> = fields.iter().map(|field| hash(field)).collect();
        sample.add(&layout, &fields, &hashes, *records);
    }
    let candidate = |column| Candidate { column, is_negotiated: false, is_free: true };
    let search = ShadowSearch {
        layout: &layout,
        sample: &sample,
        candidates: (0..published).map(candidate).collect(),
        hidden: &[Hidden { name: "age", hierarchy }],
        k,
    };
    search.shadows()
}

/// Four records of each age, published as `published`; the column is what `column` makes of it.
fn is_shadow(published: fn(u32) -> String, column: fn(u32, u32) -> String) -> bool {
    let each = (20..60).flat_map(|age| (0..4).map(move |copy| (age, copy)));
    let record = |(age, copy): (u32, u32)| {
        (vec![column(age, copy), published(age), age.to_string()], 1)
    };
    !shadows(&each.map(record).collect::<Vec<_>>(), Some(&decades()), 4).is_empty()
}

#[test]
fn a_copy_under_another_name_is_a_shadow() {
    assert!(is_shadow(|age| format!("{}0s", age / 10), |age, _| format!("born {}", 2026 - age)));
    assert!(is_shadow(|_| "*".into(), |age, _| format!("decade {}", age / 10)));
}

#[test]
fn what_completes_the_published_value_is_a_shadow() {
    assert!(is_shadow(|age| format!("{}0s", age / 10), |age, _| format!("digit {}", age % 10)));
}

#[test]
fn what_says_no_more_than_is_published_is_no_shadow() {
    assert!(!is_shadow(|age| format!("{}0s", age / 10), |age, _| (age / 10).to_string()));
    assert!(!is_shadow(|age| age.to_string(), |age, _| age.to_string()));
    assert!(!is_shadow(|_| "*".into(), |_, copy| copy.to_string()));
}

/// How many records have each value of a column and each value of an attribute that is dropped.
fn determines(counts: &[(u64, u64, u64)], k: u64) -> bool {
    let record = |&(value, recorded, records): &(u64, u64, u64)| {
        (vec![format!("v{value}"), String::new(), format!("r{recorded}")], records)
    };
    !shadows(&counts.iter().map(record).collect::<Vec<_>>(), None, k).is_empty()
}

#[test]
fn a_copy_of_what_is_dropped_is_a_shadow() {
    let counts = |column: fn(u64) -> u64| -> Vec<(u64, u64, u64)> {
        (0..40).map(|value| (column(value), value, 5)).collect()
    };
    assert!(determines(&counts(|value| value + 1000), 4));
    assert!(!determines(&counts(|value| value % 7), 4));
}

#[test]
fn a_shadow_is_right_for_ninety_five_per_cent_of_the_records() {
    for (wrong, expected) in [(5, true), (6, false)] {
        let counts = [(1, 1, 50), (1, 2, wrong), (2, 2, 50 - wrong)];
        assert_eq!(determines(&counts, 5), expected, "{wrong} of 100 are wrong");
    }
}

#[test]
fn a_shadow_is_wrong_for_at_most_half_as_many_records_as_a_guess_without_it() {
    // 98 of 100 records have the same value, so a guess is wrong for two.
    assert!(!determines(&[(1, 1, 98), (1, 2, 2)], 5));
    assert!(determines(&[(1, 1, 98), (1, 2, 1), (2, 2, 1)], 5));
}

#[test]
fn pairs_that_few_records_have_determine_nothing() {
    let record = |age: u32| {
        let digit = format!("digit {}", age % 10);
        (vec![digit, format!("{}0s", age / 10), age.to_string()], 4)
    };
    let records: Vec<_> = (20..60).map(record).collect();
    assert_eq!(shadows(&records, Some(&decades()), 4).len(), 1);
    assert!(shadows(&records, Some(&decades()), 5).is_empty());
}

#[test]
fn three_columns_may_determine_what_no_two_do() {
    let record = |age: u32| {
        let bit = |n: u32| format!("bit {}", (age >> n) & 1);
        (vec![bit(0), bit(1), bit(2), "*".into(), age.to_string()], 5)
    };
    let paths = (24..32).map(|age: u32| [age.to_string()]);
    let ages = Hierarchy::from_paths("age", paths).unwrap();
    let found = shadows(&(24..32).map(record).collect::<Vec<_>>(), Some(&ages), 5);
    let quality = Quality::Records(1.0);
    assert_eq!(found, [Shadow { columns: vec![0, 1, 2], attribute: 0, quality }]);
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A table of four columns that know something of an age, which is published by decade.
fn random_records(random: &mut Random) -> Vec<(Vec<String>, u64)> {
    let knows: Vec<u64> = (0..4).map(|_| random.below(6)).collect();
    let ages = if random.below(2) == 0 { 8 } else { 20 };
    let mut records = Vec::new();
    for _ in 0..300 {
        let age = 20 + random.below(ages);
        let mut fields: Vec<String> = Vec::new();
        for what in &knows {
            let value = match what {
                0 => age % 2,
                1 => age / 2 % 2,
                2 => age / 4 % 2,
                3 if random.below(40) == 0 => 99,
                3 => age % 10,
                4 => age / 2 % 5,
                _ => random.below(3),
            };
            fields.push(format!("v{value}"));
        }
        fields.extend([format!("{}0s", age / 10), age.to_string()]);
        records.push((fields, 1));
    }
    records
}

/// The records for which the most frequent value under their key is right, by the definition.
fn right(records: &[(Vec<String>, u64)], key: &[usize], least: u64) -> u64 {
    let mut counts: BTreeMap<Vec<&str>, BTreeMap<&str, u64>> = BTreeMap::new();
    for (fields, records) in records {
        let key = key.iter().map(|&field| fields[field].as_str()).collect();
        let recorded = fields.last().unwrap().as_str();
        *counts.entry(key).or_default().entry(recorded).or_default() += records;
    }
    let crowds = counts.values().filter(|values| values.values().sum::<u64>() >= least);
    crowds.filter_map(|values| values.values().max()).sum()
}

/// Whether columns determine the recorded age, by the definition: values that few records have show
/// nothing, except those of one column.
fn determined_by_definition(records: &[(Vec<String>, u64)], set: &[usize], k: u64) -> bool {
    let all: u64 = records.iter().map(|(_, records)| records).sum();
    let published = records[0].0.len() - 2;
    let with_published: Vec<usize> = set.iter().copied().chain([published]).collect();
    let least = if set.len() == 1 { 0 } else { k };
    let right_by = right(records, set, least).max(right(records, &with_published, k));
    let shared = {
        let mut counts: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
        for (fields, records) in records {
            let key = set.iter().map(|&field| fields[field].as_str()).collect();
            *counts.entry(key).or_default() += records;
        }
        counts.values().filter(|&&records| records >= k).sum::<u64>()
    };
    let by_published = right(records, &[published], 0);
    (set.len() == 1 || 100 * shared >= 95 * all)
        && by_published < all
        && 100 * right_by >= 95 * all
        && 2 * (all - right_by) <= all - by_published
}

#[test]
fn what_is_found_is_what_the_definition_says() {
    let (mut random, mut sets) = (Random(7), 0);
    for _ in 0..haggle_testkit::effort::cases(200) {
        let records = random_records(&mut random);
        // Recorded values only, so that the definition has one level.
        let ages = Hierarchy::flat((20..60).map(|age: u32| age.to_string()));
        let found = shadows(&records, Some(&ages), 5);
        let mut expected: Vec<Vec<usize>> = Vec::new();
        for bits in 1..16_usize {
            let set: Vec<usize> = (0..4).filter(|n| (bits >> n) & 1 == 1).collect();
            if set.len() <= LARGEST && determined_by_definition(&records, &set, 5) {
                expected.push(set);
            }
        }
        let all = expected.clone();
        let is_smallest = |set: &Vec<usize>| {
            !all.iter().any(|other| other != set && other.iter().all(|one| set.contains(one)))
        };
        expected.retain(is_smallest);
        let mut found: Vec<Vec<usize>> = found.into_iter().map(|shadow| shadow.columns).collect();
        found.sort();
        expected.sort();
        sets += found.iter().filter(|set| set.len() > 1).count();
        assert_eq!(found, expected);
    }
    assert!(sets > 0, "no set of several columns was a shadow");
}

//! Shadows of an age that is published by decade, or of an attribute that is dropped.

use std::collections::BTreeMap;

use haggle_model::Silent;

use super::*;

fn decades() -> Hierarchy {
    let path = |age: u32| [age.to_string(), format!("{}0s", age / 10)];
    Hierarchy::from_paths("age", (20..60).map(path)).unwrap()
}

/// The shadows among free columns, which come before the published and the recorded value.
fn shadows(records: &[(Vec<String>, u64)], hierarchy: Option<&Hierarchy>) -> Vec<Shadow> {
    let width = records[0].0.len();
    let (published, recorded) = (width - 2, width - 1);
    let mut sample = RecordSample::new((0..width).collect(), 100_000);
    for (fields, records) in records {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let hashes: Vec<u64> = fields.iter().map(|field| hash(field)).collect();
        sample.add(&fields, &hashes, *records);
    }
    let candidate = |column| PublishedCandidate { column, is_negotiated: false, is_free: true };
    let search = ShadowSearch {
        sample: &sample,
        candidates: (0..published).map(candidate).collect(),
        hidden: &[Hidden { name: "age", hierarchy }],
        fields: &[HiddenFields { published: hierarchy.map(|_| published), recorded }],
        progress: &Silent,
    };
    search.shadows()
}

/// Four records of each age, published as `published`; the column is what `column` makes of it.
fn is_shadow(published: fn(u32) -> String, column: fn(u32, u32) -> String) -> bool {
    let each = (20..60).flat_map(|age| (0..4).map(move |copy| (age, copy)));
    let record =
        |(age, copy): (u32, u32)| (vec![column(age, copy), published(age), age.to_string()], 1);
    !shadows(&each.map(record).collect::<Vec<_>>(), Some(&decades())).is_empty()
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

#[test]
fn what_completes_the_labels_of_narrow_boxes_is_a_shadow() {
    // Four years to a label, in which all records have other ages; ages are known by twenties.
    let record = |(age, below): (u32, u32)| {
        let (from, to) = (age - below, age - below + 3);
        (vec![format!("rest {}", age % 20), format!("{from}-{to}"), age.to_string()], 1)
    };
    let each = (20..60).flat_map(|age| (0..4).map(move |below| (age, below)));
    let path = |age: u32| [age.to_string(), format!("from {}", age / 20 * 20)];
    let twenties = Hierarchy::from_paths("age", (20..60).map(path)).unwrap();
    let found = shadows(&each.map(record).collect::<Vec<_>>(), Some(&twenties));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(matches!(found[0].quality, Quality::Records(share) if share > 0.95), "{found:?}");
}

/// How many records have each value of a column and each value of an attribute that is dropped.
fn determines(counts: &[(u64, u64, u64)]) -> bool {
    let record = |&(value, recorded, records): &(u64, u64, u64)| {
        (vec![format!("v{value}"), String::new(), format!("r{recorded}")], records)
    };
    !shadows(&counts.iter().map(record).collect::<Vec<_>>(), None).is_empty()
}

#[test]
fn a_copy_of_what_is_dropped_is_a_shadow() {
    let counts = |column: fn(u64) -> u64| -> Vec<(u64, u64, u64)> {
        (0..40).map(|value| (column(value), value, 5)).collect()
    };
    assert!(determines(&counts(|value| value + 1000)));
    assert!(!determines(&counts(|value| value % 7)));
}

#[test]
fn a_shadow_is_right_for_ninety_five_per_cent_of_the_records() {
    for (wrong, expected) in [(5, true), (6, false)] {
        let counts = [(1, 1, 50), (1, 2, wrong), (2, 2, 50 - wrong)];
        assert_eq!(determines(&counts), expected, "{wrong} of 100 are wrong");
    }
}

#[test]
fn a_shadow_is_wrong_for_at_most_half_as_many_records_as_a_guess_without_it() {
    // 98 of 100 records have the same value, so a guess is wrong for two.
    assert!(!determines(&[(1, 1, 98), (1, 2, 2)]));
    assert!(determines(&[(1, 1, 98), (1, 2, 1), (2, 2, 1)]));
}

#[test]
fn pairs_that_one_record_has_determine_nothing() {
    for (records, expected) in [(2, 1), (1, 0)] {
        let record = |age: u32| {
            let digit = format!("digit {}", age % 10);
            (vec![digit, format!("{}0s", age / 10), age.to_string()], records)
        };
        let table: Vec<_> = (20..60).map(record).collect();
        assert_eq!(shadows(&table, Some(&decades())).len(), expected, "{records} of each pair");
    }
}

#[test]
fn what_quasi_identifiers_determine_is_no_other_columns_doing() {
    // The town follows from the postcode, which is published; the ward says nothing.
    let mut sample = RecordSample::new(vec![0, 1, 2], 100);
    for number in 0..40 {
        let (postcode, ward) = (format!("p{}", number % 10), format!("w{}", number / 10 % 2));
        let fields = [postcode, ward, format!("t{}", number % 10 / 2)];
        let fields = fields.each_ref().map(String::as_str);
        sample.add(&fields, &fields.map(hash), 1);
    }
    for (is_negotiated, expected) in [(true, vec![]), (false, vec![vec![0]])] {
        let postcode = PublishedCandidate { column: 0, is_negotiated, is_free: !is_negotiated };
        let ward = PublishedCandidate { column: 1, is_negotiated: false, is_free: true };
        let search = ShadowSearch {
            sample: &sample,
            candidates: vec![postcode, ward],
            hidden: &[Hidden { name: "town", hierarchy: None }],
            fields: &[HiddenFields { published: None, recorded: 2 }],
            progress: &Silent,
        };
        let found: Vec<Vec<usize>> = search.shadows().into_iter().map(|one| one.columns).collect();
        assert_eq!(found, expected, "{is_negotiated}");
    }
}

#[test]
fn three_columns_may_determine_what_no_two_do() {
    let record = |age: u32| {
        let bit = |n: u32| format!("bit {}", (age >> n) & 1);
        (vec![bit(0), bit(1), bit(2), "*".into(), age.to_string()], 5)
    };
    let paths = (24..32).map(|age: u32| [age.to_string()]);
    let ages = Hierarchy::from_paths("age", paths).unwrap();
    let found = shadows(&(24..32).map(record).collect::<Vec<_>>(), Some(&ages));
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
    for _ in 0..120 {
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

/// The values of a record in some fields.
fn key<'r>(record: &'r [String], fields: &[usize]) -> Vec<&'r str> {
    fields.iter().map(|&field| record[field].as_str()).collect()
}

/// The records whose age is the only most frequent one among the others with the same key.
fn guessed_by_others(records: &[Vec<String>], fields: &[usize]) -> usize {
    let keys: Vec<Vec<&str>> = records.iter().map(|record| key(record, fields)).collect();
    let is_right = |own: &usize| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for other in (0..records.len()).filter(|other| other != own && keys[*other] == keys[*own]) {
            *counts.entry(records[other].last().unwrap()).or_default() += 1;
        }
        let most = counts.values().max().copied().unwrap_or_default();
        let frequent: Vec<&str> =
            counts.iter().filter(|(_, count)| **count == most).map(|(age, _)| *age).collect();
        frequent == [records[*own].last().unwrap().as_str()]
    };
    (0..records.len()).filter(is_right).count()
}

/// The records that a guess gets right which takes one of the most frequent ages for each key.
fn guessed(records: &[Vec<String>], fields: &[usize]) -> usize {
    let mut counts: BTreeMap<Vec<&str>, BTreeMap<&str, usize>> = BTreeMap::new();
    for record in records {
        let ages = counts.entry(key(record, fields)).or_default();
        *ages.entry(record.last().unwrap()).or_default() += 1;
    }
    counts.values().filter_map(|ages| ages.values().max()).sum()
}

/// Whether columns determine the recorded age, by the definition.
fn determined_by_definition(records: &[Vec<String>], set: &[usize]) -> bool {
    let all = records.len();
    let published = records[0].len() - 2;
    let with_published: Vec<usize> = set.iter().copied().chain([published]).collect();
    let is_alone = |record: &&Vec<String>| {
        records.iter().filter(|other| key(other, set) == key(record, set)).count() == 1
    };
    let alone = records.iter().filter(is_alone).count();
    let by_set =
        if set.len() == 1 { guessed(records, set) } else { guessed_by_others(records, set) };
    let right_by = by_set.max(guessed_by_others(records, &with_published));
    let by_published = guessed(records, &[published]);
    (set.len() == 1 || 100 * (all - alone) >= 95 * all)
        && by_published < all
        && 100 * right_by >= 95 * all
        && 2 * (all - right_by) <= all - by_published
}

#[test]
fn what_is_found_is_what_the_definition_says() {
    let (mut random, mut sets) = (Random(7), 0);
    for _ in 0..haggle_testkit::effort::cases(100) {
        let records = random_records(&mut random);
        // Recorded values only, so that the definition has one level.
        let ages = Hierarchy::flat((20..60).map(|age: u32| age.to_string()));
        let found = shadows(&records, Some(&ages));
        let records: Vec<Vec<String>> = records.into_iter().map(|(fields, _)| fields).collect();
        let mut expected: Vec<Vec<usize>> = Vec::new();
        for bits in 1..16_usize {
            let set: Vec<usize> = (0..4).filter(|n| (bits >> n) & 1 == 1).collect();
            if set.len() <= LARGEST && determined_by_definition(&records, &set) {
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

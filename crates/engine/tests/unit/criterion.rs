//! Thresholds as typed, on a table of ten records: six colds, two flus and two ulcers.

use haggle_cube::ValueCount;
use haggle_model::ErrorKind;

use super::*;

/// A sensitive attribute, with how many records of the whole table have each value.
fn attribute(position: usize, name: &str, counts: &[(&str, u64)]) -> Facts {
    let values: Vec<Box<str>> = counts.iter().map(|&(value, _)| value.into()).collect();
    let target = Target { position, name: name.into() };
    Facts::plain(target, values.into(), counts.iter().map(|&(_, count)| count).collect())
}

fn disease() -> Facts {
    attribute(0, "disease", &[("cold", 6), ("flu", 2), ("ulcer", 2)])
}

fn job() -> Facts {
    attribute(1, "job", &[("clerk", 5), ("nurse", 5)])
}

fn privacy(typed: &[&str]) -> Vec<Privacy> {
    typed.iter().map(|text| text.parse().unwrap()).collect()
}

/// A threshold on the table's only sensitive attribute, the disease.
fn criterion(typed: &str) -> Criterion {
    Criterion::all(&privacy(&[typed]), &[disease()], None).unwrap().remove(0)
}

/// Why thresholds are refused.
fn refusal(typed: &[&str], sensitive: &[Facts]) -> String {
    let error = Criterion::all(&privacy(typed), sensitive, None).unwrap_err();
    // Only an attribute that the table does not have is not found.
    let names_no_attribute = typed.iter().any(|one| one.ends_with(",on=age"));
    let expected = if names_no_attribute { ErrorKind::NotFound } else { ErrorKind::BadInput };
    assert_eq!(error.kind(), expected, "{typed:?}");
    error.to_string()
}

/// Whether a group with this many colds, flus and ulcers passes.
fn passes(typed: &str, counts: [u64; 3]) -> bool {
    let values = counts.iter().zip(0..).filter(|(count, _)| **count > 0);
    let values: Vec<ValueCount> = values.map(|(&count, code)| ValueCount { code, count }).collect();
    criterion(typed).passes(&Group { records: counts.iter().sum(), values: &values })
}

#[test]
fn each_model_says_which_side_of_its_threshold_passes() {
    for (typed, counts, expected) in [
        ("k-anonymity=4", [4, 0, 0], true),
        ("k-anonymity=5", [4, 0, 0], false),
        ("distinct-l-diversity=3", [2, 1, 1], true),
        ("distinct-l-diversity=3", [2, 2, 0], false),
        // The most frequent value has exactly one in l of the records.
        ("frequency-l-diversity=2", [2, 2, 0], true),
        ("frequency-l-diversity=2", [3, 2, 0], false),
        // 6 / (2 + 2) is exactly 1.5.
        ("recursive-l-diversity:l=2,c=1.5", [6, 2, 2], false),
        ("recursive-l-diversity:l=2,c=1.5,bound=at-most", [6, 2, 2], true),
        ("recursive-l-diversity:l=2,c=1.6", [6, 2, 2], true),
        // The flu has a share of 2/5 in the group and of 2/10 in the table: ln 2.
        ("delta-disclosure=0.6931471805599453", [3, 2, 0], false),
        ("delta-disclosure=0.6932", [3, 2, 0], true),
        // One of the five records would have to move: 1/5.
        ("t-closeness=0.2", [3, 2, 0], true),
        ("t-closeness=0.19", [3, 2, 0], false),
        ("alpha-k-anonymity:alpha=0.5,k=4", [2, 2, 0], true),
        ("alpha-k-anonymity:alpha=0.5,k=4", [2, 1, 0], false),
        ("alpha-k-anonymity:alpha=0.5,k=4", [3, 1, 0], false),
    ] {
        assert_eq!(passes(typed, counts), expected, "{typed} of {counts:?}");
    }
}

#[test]
fn a_threshold_that_makes_no_sense_is_refused_by_name() {
    for (typed, named) in [
        ("k-anonymity=1", "k = 1"),
        ("k-anonymity=2.5", "k = 2.5"),
        ("k-anonymity=5..20", "k = 5..20"),
        ("k-anonymity:k=5,on=disease", "on=disease"),
        ("no-such-model=2", "'no-such-model'"),
        ("distinct-l-diversity:c=2", "'c'"),
        ("distinct-l-diversity:l=2,on=age", "'age'"),
        ("recursive-l-diversity=3", "parameter c"),
        ("recursive-l-diversity:l=3,c=0", "c = 0"),
        ("t-closeness:t=0.2,distance=far", "'far'"),
    ] {
        let why = refusal(&[typed], &[disease()]);
        assert!(why.contains(named), "{typed}: {why}");
    }
}

#[test]
fn no_privacy_is_refused() {
    assert!(refusal(&[], &[disease()]).contains("no privacy"));
}

#[test]
fn a_model_of_sensitive_values_watches_the_attribute_it_names() {
    let both = [disease(), job()];
    let on = |name: &str| {
        let typed = format!("distinct-l-diversity:l=2,on={name}");
        Criterion::all(&privacy(&[typed.as_str()]), &both, None).unwrap().remove(0)
    };
    assert_eq!((on("disease").watches(), on("job").watches()), (0, 1));
    let alone = Criterion::all(&privacy(&["distinct-l-diversity=2"]), &both[1..], None).unwrap();
    assert_eq!(alone[0].watches(), 1, "the only one need not be named");
    let unclear = refusal(&["distinct-l-diversity=2"], &both);
    assert!(unclear.contains("disease, job"), "{unclear}");
    let none = refusal(&["distinct-l-diversity=2"], &[]);
    assert!(none.contains("distinct-l-diversity needs a sensitive attribute"), "{none}");
}

#[test]
fn a_model_that_is_asked_for_on_two_attributes_is_labelled_by_them() {
    let both = [disease(), job()];
    let typed =
        ["distinct-l-diversity:l=2,on=disease", "k-anonymity=5", "distinct-l-diversity:l=2,on=job"];
    let criteria = Criterion::all(&privacy(&typed), &both, None).unwrap();
    let labels: Vec<&str> = criteria.iter().map(|criterion| criterion.label.as_str()).collect();
    let expected =
        ["distinct-l-diversity:on=disease", "k-anonymity", "distinct-l-diversity:on=job"];
    assert_eq!(labels, expected);
}

#[test]
fn the_same_threshold_twice_is_refused() {
    for typed in [["k-anonymity=5", "k-anonymity=7"], ["t-closeness=0.2", "t-closeness=0.1"]] {
        let why = refusal(&typed, &[disease()]);
        assert!(why.contains("is asked for twice"), "{why}");
    }
}

#[test]
fn a_threshold_beyond_the_values_that_occur_is_out_of_reach() {
    let never = attribute(0, "disease", &[("cold", 6), ("flu", 4), ("ulcer", 0)]);
    let constant = attribute(0, "disease", &[("cold", 6)]);
    for (typed, sensitive, parts) in [
        ("distinct-l-diversity=4", disease(), ["l = 4", "allow 3 at most"]),
        ("recursive-l-diversity:l=4,c=2", disease(), ["l = 4", "allow 3 at most"]),
        ("distinct-l-diversity=3", never, ["l = 3", "allow 2 at most"]),
        ("distinct-l-diversity=2", constant, ["l = 2", "too few values"]),
    ] {
        let criteria = Criterion::all(&privacy(&[typed]), &[sensitive], None).unwrap();
        let error = criteria[0].within_reach().unwrap_err();
        let why = error.to_string();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert!(parts.iter().all(|part| why.contains(part)), "{typed}: {why}");
    }
    assert!(criterion("distinct-l-diversity=3").within_reach().is_ok());
}

#[test]
fn only_the_first_number_is_relaxed_where_it_is_out_of_reach() {
    let names = |typed: &str| -> Vec<&'static str> {
        criterion(typed).numbers.iter().map(|number| number.parameter.name).collect()
    };
    assert_eq!(names("recursive-l-diversity:l=3,c=2"), ["l", "c"]);
    assert_eq!(names("recursive-l-diversity:l=4,c=2"), ["l"]);
}

#[test]
fn where_persons_are_counted_records_of_one_person_are_no_crowd() {
    let person = Target { position: 1, name: "person".into() };
    let criteria = Criterion::all(&privacy(&["k-anonymity=3"]), &[], Some(&person)).unwrap();
    assert_eq!(criteria[0].watches(), 1);
    let of_persons =
        |persons: &[ValueCount]| criteria[0].passes(&Group { records: 4, values: persons });
    let counts = |counts: &[u64]| -> Vec<ValueCount> {
        counts.iter().zip(0..).map(|(&count, code)| ValueCount { code, count }).collect()
    };
    assert!(!of_persons(&counts(&[3, 1])), "four records of two persons");
    assert!(of_persons(&counts(&[2, 1, 1])));
    let error = Criterion::all(&privacy(&["t-closeness=0.2"]), &[disease()], Some(&person));
    let why = error.unwrap_err().to_string();
    assert!(why.contains("t-closeness counts records"), "{why}");
}

#[test]
fn a_threshold_in_full_states_every_parameter_and_means_the_same() {
    for (typed, expected) in [
        ("k-anonymity=5", "k-anonymity:k=5"),
        ("distinct-l-diversity=3", "distinct-l-diversity:l=3,on=disease"),
        ("t-closeness=0.2", "t-closeness:t=0.2,on=disease,distance=equal"),
        ("recursive-l-diversity:c=2,l=3", "recursive-l-diversity:l=3,c=2,on=disease"),
        ("recursive-l-diversity:c=2,l=3,bound=below", "recursive-l-diversity:l=3,c=2,on=disease"),
        (
            "recursive-l-diversity:c=2,l=3,bound=at-most",
            "recursive-l-diversity:l=3,c=2,on=disease,bound=at-most",
        ),
    ] {
        let found = criterion(typed);
        assert_eq!(found.words(), expected);
        assert_eq!(criterion(expected).words(), expected);
        let again = Criterion::all(&[found.to_privacy()], &[disease()], None).unwrap();
        assert_eq!(again[0].words(), expected);
    }
}

#[test]
fn a_threshold_is_as_strong_as_another_if_no_number_is_weaker_and_all_options_agree() {
    for (own, other, expected) in [
        ("k-anonymity=5", "k-anonymity=5", true),
        ("k-anonymity=10", "k-anonymity=5", true),
        ("k-anonymity=5", "k-anonymity=10", false),
        ("t-closeness=0.1", "t-closeness=0.2", true),
        ("t-closeness=0.2", "t-closeness=0.1", false),
        ("t-closeness:t=0.1,distance=ordered", "t-closeness=0.2", false),
        ("recursive-l-diversity:l=3,c=2", "recursive-l-diversity:l=2,c=2", true),
        ("recursive-l-diversity:l=3,c=3", "recursive-l-diversity:l=2,c=2", false),
        ("recursive-l-diversity:l=3,c=1", "recursive-l-diversity:l=3,c=2,bound=at-most", false),
        ("alpha-k-anonymity:alpha=0.4,k=5", "alpha-k-anonymity:alpha=0.5,k=5", true),
        ("alpha-k-anonymity:alpha=0.4,k=3", "alpha-k-anonymity:alpha=0.5,k=5", false),
        ("frequency-l-diversity=3", "distinct-l-diversity=2", false),
    ] {
        let (own, other) = (criterion(own), criterion(other));
        assert_eq!(own.is_as_strong_as(&other), expected, "{} {}", own.words(), other.words());
    }
    let typed = ["distinct-l-diversity:l=2,on=disease", "distinct-l-diversity:l=2,on=job"];
    let both = Criterion::all(&privacy(&typed), &[disease(), job()], None).unwrap();
    assert!(!both[0].is_as_strong_as(&both[1]), "they are on different attributes");
}

#[test]
fn a_relaxed_number_leaves_the_others_as_they_are() {
    assert_eq!(criterion("k-anonymity=5").threshold(0, 7.0), Threshold::One(7.0));
    let recursive = criterion("recursive-l-diversity:l=3,c=2");
    let several = |l: f64, c: f64| {
        Threshold::Several(BTreeMap::from([("l".to_owned(), l), ("c".to_owned(), c)]))
    };
    assert_eq!(recursive.asked(), several(3.0, 2.0));
    assert_eq!(recursive.threshold(0, 2.0), several(2.0, 2.0));
    assert_eq!(recursive.threshold(1, 2.5), several(3.0, 2.5));
}

#[test]
fn the_weaker_of_two_statistics_is_the_one_that_protects_less() {
    let (size, closeness) = (criterion("k-anonymity=5"), criterion("t-closeness=0.2"));
    assert_eq!(weaker(size.judge(), Some(5.0), 3.0), Some(3.0));
    assert_eq!(weaker(closeness.judge(), Some(0.1), 0.2), Some(0.2));
    assert_eq!(weaker(closeness.judge(), None, 0.1), Some(0.1));
}

#[test]
fn every_lattice_carries_sizes_and_the_number_of_values_of_each_sensitive_attribute() {
    let ids = |sensitive: &[Facts]| -> Vec<String> {
        let statistics = plain(sensitive, None, |model| model.stored);
        statistics.iter().map(|statistic| statistic.column().id.clone()).collect()
    };
    assert_eq!(ids(&[]), ["k-anonymity"]);
    let expected =
        ["k-anonymity", "distinct-l-diversity:on=disease", "distinct-l-diversity:on=job"];
    assert_eq!(ids(&[disease(), job()]), expected);
}

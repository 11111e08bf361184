//! Requests: their levels, their JSON, and what they take from the defaults of a project.

use haggle_model::{ErrorKind, Scheme};

use super::{Ask, Levels, RelaxHeight};
use crate::{Amount, percent};

const NAMES: [&str; 3] = ["age", "race", "workclass"];

fn top() -> Scheme {
    Scheme::new([4, 2, 3])
}

fn levels(text: &str) -> Levels {
    text.parse().unwrap()
}

fn by_name<const N: usize>(levels: [(&str, u8); N]) -> Levels {
    Levels::ByName(levels.map(|(name, level)| (name.to_owned(), level)).into())
}

/// A request in which everything is stated.
fn full() -> Ask {
    let privacy = Ask::k(10).and("t-closeness:t=0.2,on=disease").unwrap();
    let limited = privacy.max_suppressed(percent(1.0)).level("age", 2);
    limited.relax_height(RelaxHeight::Closest).optimize("lm:age=2").unwrap().top(3).only()
}

/// Reads the privacy of a request, and writes it with every parameter by its name.
fn privacy_of(json: &str) -> Vec<String> {
    let ask: Ask = serde_json::from_str(&format!(r#"{{"privacy":{json}}}"#)).unwrap();
    ask.spelled_out().privacy.iter().map(ToString::to_string).collect()
}

#[test]
fn levels_are_read_in_order_or_by_name() {
    for (text, expected, json) in [
        ("2,1,0", Levels::InOrder(vec![2, 1, 0]), "[2,1,0]"),
        ("[2,1,0]", Levels::InOrder(vec![2, 1, 0]), "[2,1,0]"),
        ("3", Levels::InOrder(vec![3]), "[3]"),
        ("age=2", by_name([("age", 2)]), r#"{"age":2}"#),
        ("race=1,age=2", by_name([("age", 2), ("race", 1)]), r#"{"age":2,"race":1}"#),
    ] {
        assert_eq!(levels(text), expected);
        assert_eq!(serde_json::to_string(&expected).unwrap(), json);
        assert_eq!(serde_json::from_str::<Levels>(json).unwrap(), expected);
    }
}

#[test]
fn what_is_no_level_is_refused_and_named() {
    for (text, part) in [
        ("", "''"),
        ("2,x", "'x'"),
        ("2,-1", "'-1'"),
        ("256", "'256'"),
        ("age=256", "'age=256'"),
        ("age=2,race", "'age=2,race'"),
        ("age=2,age=1", "'age=2,age=1'"),
    ] {
        let error = text.parse::<Levels>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput, "{text}");
        assert!(error.to_string().contains(part), "{error}");
    }
    for json in ["2", "[256]", r#"{"age":-1}"#, r#""age=2""#] {
        assert!(serde_json::from_str::<Levels>(json).is_err(), "{json}");
    }
}

#[test]
fn attributes_without_a_level_may_rise_to_the_top_and_start_as_recorded() {
    for (text, highest, lowest) in [
        ("2,1,1", [2, 1, 1], [2, 1, 1]),
        ("age=2", [2, 2, 3], [2, 0, 0]),
        ("race=0,workclass=3", [4, 0, 3], [0, 0, 3]),
    ] {
        assert_eq!(levels(text).under(&top(), &NAMES).unwrap(), Scheme::new(highest));
        assert_eq!(levels(text).lowest(&top(), &NAMES).unwrap(), Scheme::new(lowest));
    }
}

#[test]
fn levels_that_the_attributes_do_not_have_are_refused() {
    for (text, part) in [
        ("2,1", "2 levels"),
        ("2,1,1,1", "4 levels"),
        ("5,0,0", "'age'"),
        ("race=3", "'race'"),
        ("sex=1", "'sex'"),
    ] {
        for refused in [levels(text).under(&top(), &NAMES), levels(text).lowest(&top(), &NAMES)] {
            let error = refused.unwrap_err();
            let expected = if part == "'sex'" { ErrorKind::NotFound } else { ErrorKind::BadInput };
            assert_eq!(error.kind(), expected, "{text}");
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}

#[test]
fn height_relaxations_have_one_name_in_text_and_json() {
    for (name, expected) in [
        ("lowest", RelaxHeight::Lowest),
        ("closest", RelaxHeight::Closest),
        ("published", RelaxHeight::Published),
    ] {
        assert_eq!(name.parse::<RelaxHeight>().unwrap(), expected);
        assert_eq!(serde_json::to_value(expected).unwrap(), name);
        assert_eq!(serde_json::from_value::<RelaxHeight>(name.into()).unwrap(), expected);
    }
    assert_eq!(RelaxHeight::default(), RelaxHeight::Lowest);
    let error = "highest".parse::<RelaxHeight>().unwrap_err();
    assert!(error.to_string().contains("'highest'"), "{error}");
}

#[test]
fn privacy_is_a_list_a_map_or_a_text() {
    for (json, expected) in [
        (r#"[{"model":"k-anonymity","k":10}]"#, &["k-anonymity:k=10"][..]),
        ("[]", &[]),
        (r#"{"k-anonymity":10}"#, &["k-anonymity:k=10"]),
        (r#"{"k-anonymity":{"k":10}}"#, &["k-anonymity:k=10"]),
        (r#""k-anonymity=10""#, &["k-anonymity:k=10"]),
        (r#"{"k-anonymity":"5..20"}"#, &["k-anonymity:k=5..20"]),
        (r#"{"distinct-l-diversity:on=disease":3}"#, &["distinct-l-diversity:l=3,on=disease"]),
        (
            r#"{"k-anonymity":10,"recursive-l-diversity":{"l":3,"c":2,"on":"disease"}}"#,
            &["k-anonymity:k=10", "recursive-l-diversity:l=3,c=2,on=disease"],
        ),
    ] {
        assert_eq!(privacy_of(json), expected, "{json}");
    }
}

#[test]
fn a_request_comes_back_from_json() {
    for ask in [Ask::default(), Ask::l(3).levels([2, 1, 0]).max_suppressed(321), full()] {
        let json = serde_json::to_string(&ask).unwrap();
        assert_eq!(serde_json::from_str::<Ask>(&json).unwrap(), ask, "{json}");
    }
    assert_eq!(serde_json::from_str::<Ask>("{}").unwrap(), Ask::default());
}

#[test]
fn json_that_is_no_request_is_refused_and_named() {
    for (json, part) in [
        (r#"{"k":5}"#, "`k`"),
        (r#"{"privacy":5}"#, "privacy"),
        (r#"{"privacy":{"k-anonymity":"ten"}}"#, "privacy"),
        (r#"{"privacy":{"k-anonymity":10,"k-anonymity":5}}"#, "privacy"),
        (r#"{"privacy":"k-anonymity"}"#, "'k-anonymity'"),
        (r#"{"levels":2}"#, "levels"),
        (r#"{"max_suppressed":"101%"}"#, "'101%'"),
        (r#"{"max_suppressed":1,"max_suppressed":9}"#, "`max_suppressed`"),
        (r#"{"relax_height":"highest"}"#, "`highest`"),
        (r#"{"optimize":"no-such-measure"}"#, "'no-such-measure'"),
        ("[]", "expected"),
        (r#"[[{"model":"k-anonymity","k":10}]]"#, "expected"),
    ] {
        let error = serde_json::from_str::<Ask>(json).unwrap_err();
        assert!(error.to_string().contains(part), "{json}: {error}");
    }
}

#[test]
fn what_is_left_out_comes_from_the_defaults() {
    let defaults = full();
    let merged = Ask::default().or(&defaults);
    assert_eq!(merged, Ask { only: false, ..defaults.clone() });
    let stated = Ask::l(2).levels([1, 1]).max_suppressed(0).relax_height(RelaxHeight::Lowest);
    let stated = stated.optimize("height").unwrap().top(1);
    assert_eq!(stated.or(&defaults), stated, "what is stated is kept");
    let limited = Ask::default().max_suppressed(7).or(&defaults);
    assert_eq!(limited, Ask { max_suppressed: Some(Amount::Records(7)), ..merged });
}

#[test]
fn a_complete_list_takes_no_threshold_from_the_defaults() {
    let merged = Ask::default().only().or(&full());
    assert!(merged.privacy.is_empty() && merged.only);
    assert_eq!(merged.levels, full().levels, "only thresholds are complete");
}

//! What a private manifest fixes, and what must still agree with it.

use std::collections::BTreeMap;
use std::path::Path;

use haggle_api::{Amount, Ask, Choice};
use haggle_data::sinks::Formulas;
use haggle_data::{Input, Suppress};
use haggle_model::{ErrorKind, Recoding, Scheme};
use haggle_project::Project;
use haggle_testkit::people::{AGE_AND_SEX, DISEASE};
use serde_json::{Value, json};

use super::*;

const PEOPLE: &[u8] = b"age,sex,disease\n21,f,flu\n22,f,cold\n31,m,flu\n32,m,cold\n";

fn engine() -> Engine {
    let text = [AGE_AND_SEX, DISEASE].concat();
    let project = Project::from_text(&text, Path::new("no-such-folder")).unwrap();
    Engine::builder(&project.over(Input::embedded("people.csv", PEOPLE))).open().unwrap()
}

/// A policy that publishes decades, after a change of what its file says.
fn policy(change: impl FnOnce(&mut Value)) -> PrivateManifest {
    let mut policy = json!({
        "version": 2,
        "public": {
            "version": 2,
            "haggle": "0.1.0",
            "output": {"file": "out.csv", "records": 4},
            "recoding": {"kind": "levels", "scheme": [1, 0]},
            "attributes": [
                {"name": "age", "level": 1, "values": ["20-29", "30-39"]},
                {"name": "sex", "level": 0, "values": ["f", "m"]},
            ],
            "sensitive": ["disease"],
            "guarantees": {"k-anonymity": 2},
        },
        "input_sha256": [],
        "asked": {
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "levels": {"age": 1},
            "max_suppressed": 3,
            "optimize": "lm",
        },
        "records": 4,
        "suppressed": 0,
        "suppress": "drop",
        "flag": null,
        "seed": null,
        "mapping": {},
        "reference": {},
    });
    change(&mut policy);
    serde_json::from_value(policy).unwrap()
}

#[test]
fn a_policy_repeats_its_thresholds_and_its_limit_alone() {
    let thresholds = policy(|_| ()).thresholds();
    let expected = Ask { max_suppressed: Some(Amount::Records(3)), ..Ask::k(2) };
    assert_eq!(thresholds, expected, "neither levels nor a measure: the recoding is fixed");
}

#[test]
fn a_policy_repeats_the_recoding_that_was_applied_in_full() {
    let repeated = |scheme: [u8; 2]| Choice::Repeat(Recoding::levels(Scheme::new(scheme)));
    assert_eq!(policy(|_| ()).choice(), repeated([1, 0]));
    let private = policy(|policy| {
        policy["recoding"] = json!({"kind": "levels", "scheme": [2, 1]});
    });
    assert_eq!(private.choice(), repeated([2, 1]), "the public one may say less");
    let anatomy = policy(|policy| {
        policy["public"]["anatomy"] = json!({
            "file": "out.sensitive.csv",
            "sha256": "",
            "group": "group",
            "attribute": "disease",
            "exact": ["age", "sex"],
        });
    });
    assert_eq!(anatomy.choice(), Choice::Anatomy);
}

#[test]
fn a_policy_repeats_how_suppressed_records_and_formulas_are_written() {
    let plain = policy(|_| ());
    assert_eq!((plain.suppress(), plain.formulas()), (Suppress::Drop, Formulas::Unchanged));
    let other = policy(|policy| {
        policy["suppress"] = json!("star");
        policy["public"]["spreadsheet_safe"] = json!(true);
    });
    assert_eq!((other.suppress(), other.formulas()), (Suppress::Star, Formulas::Escaped));
    assert_eq!(other.quasi_identifiers(), ["age", "sex"]);
}

#[test]
fn a_mapping_has_a_line_for_each_value_or_each_combination() {
    let lines = |policy: &PrivateManifest| -> Vec<String> {
        let text = String::from_utf8(policy.mapping_csv()).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let by_value = policy(|policy| {
        policy["mapping"] = json!({"age": {"21": "20-29", "31": "30-39"}});
    });
    let expected = ["attribute,recorded,published", "age,21,20-29", "age,31,30-39"];
    assert_eq!(lines(&by_value), expected);
    let combined = policy(|policy| {
        policy["combinations"] = json!([{"recorded": ["21", "f"], "published": ["21-22", "*"]}]);
    });
    assert_eq!(lines(&combined), ["age,sex,published age,published sex", "21,f,21-22,*"]);
}

#[test]
fn statements_are_the_same_if_they_agree_on_the_values_that_both_have() {
    let rows = |rows: &[[&str; 2]]| {
        let rows = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        Stated { hierarchy: Some(rows), ..Stated::default() }
    };
    let ordered = Stated { order: Some(vec!["cold".into(), "flu".into()]), ..Stated::default() };
    let then = rows(&[["flu", "lung"], ["ulcer", "stomach"]]);
    for (now, expected) in [
        (then.clone(), true),
        (rows(&[["cold", "lung"], ["flu", "lung"], ["ulcer", "stomach"]]), true),
        (rows(&[["flu", "lung"]]), true),
        (rows(&[["flu", "virus"], ["ulcer", "stomach"]]), false),
        (Stated::default(), false),
        (Stated { order: ordered.order.clone(), ..then.clone() }, false),
    ] {
        assert_eq!(same(&then, &now), expected, "{now:?}");
    }
    assert!(!same(&Stated::default(), &ordered));
}

#[test]
fn a_hierarchy_that_publishes_a_value_differently_breaks_the_policy() {
    // Nobody of age 99 is in the table.
    let mapped = |published: &str| {
        policy(|policy| {
            policy["mapping"] = json!({"age": {"21": published, "99": "somewhere else"}});
        })
    };
    assert!(check_policy(&engine(), &mapped("20-29")).is_ok());
    let error = check_policy(&engine(), &mapped("twenties")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DataChanged);
    let why = error.to_string();
    assert!(why.contains("'age'") && why.contains("'21'") && !why.contains("'99'"), "{why}");
}

#[test]
fn a_sensitive_attribute_that_is_stated_differently_breaks_the_policy() {
    let ordered = Stated { order: Some(vec!["cold".into(), "flu".into()]), ..Stated::default() };
    let then = |stated: Stated| PrivateManifest {
        stated: BTreeMap::from([("disease".to_owned(), stated)]),
        ..policy(|_| ())
    };
    assert!(check_policy(&engine(), &then(Stated::default())).is_ok());
    let error = check_policy(&engine(), &then(ordered)).unwrap_err();
    assert!(error.to_string().contains("'disease'"), "{error}");
}

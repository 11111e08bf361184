//! Ranges of acceptable thresholds, and sets of attributes to leave out, as programs see them.

use serde_json::{Value, json};

use crate::common::{Folder, offered, untimed};
use crate::contract::{THREE, adult, six};

/// A range of acceptable k: the strongest that is possible, and what weaker ones would buy.
#[test]
fn a_range_is_answered_at_its_strongest_possible_value_with_the_front_within_it() {
    let asked = ["--k", "5..20", "--max-suppressed", "100"];
    let answer = adult(&[&asked[..], &["--levels", "3,1,1"]].concat());
    let range = &answer["range"];
    assert_eq!(answer["outcome"], "exact");
    assert_eq!((&range["weakest"], &range["strongest"]), (&json!(5), &json!(20)));
    assert_eq!((&range["possible"], &range["by"]), (&json!(20), &json!("height")));
    let points = range["points"].as_array().unwrap();
    let point = |p: &Value| (p["privacy"]["k-anonymity"].clone(), p["scheme"].clone());
    let expected = [(20, [2, 1, 1]), (14, [2, 1, 0]), (6, [1, 1, 0])];
    let expected = expected.map(|(k, scheme)| (json!(k), json!(scheme)));
    assert_eq!(points.iter().map(point).collect::<Vec<_>>(), expected);
    assert_eq!(answer["exact"], points[0]);
    assert_eq!(answer["asked"]["privacy"][0]["k"], "5..20", "it can be asked again");

    let none = adult(&[&asked[..], &["--levels", "0,0,0"]].concat());
    assert_eq!((&none["outcome"], &none["range"]["possible"]), (&json!("relaxed"), &Value::Null));
    assert_eq!(offered(&none, "suppression")["privacy"]["k-anonymity"], 5);
    let accept = &none["relaxations"][0]["accept"]["privacy"];
    assert_eq!(*accept, json!([{"model": "k-anonymity", "k": 5}]), "the value that was settled");
}

#[test]
fn requests_state_a_range_in_every_way_that_a_threshold_is_stated() {
    let ways = [
        r#"{"privacy":{"k-anonymity":"5..20"}}"#,
        r#"{"privacy":{"k-anonymity":{"k":"5..20"}}}"#,
        r#"{"privacy":[{"model":"k-anonymity","k":"5..20"}]}"#,
        r#"{"privacy":"k-anonymity=5..20"}"#,
    ];
    let arguments = [&["ask"], THREE, &["--requests", "-"]].concat();
    let answers = Folder::empty().haggle_reading(&arguments, &ways.join("\n")).json_lines();
    let answers: Vec<Value> = answers.into_iter().map(untimed).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    assert_eq!(answers[0], adult(&["--k", "5..20"]));
    assert_eq!(answers[0], adult(&["--privacy", "k-anonymity:k=5..20"]));
}

/// No single attribute is enough, and of the sets none has a part that is.
#[test]
fn sets_of_attributes_to_leave_out_are_minimal_and_the_smallest_come_first() {
    let six = six();
    let asked = ["six.lattice", "--k", "10", "--max-suppressed", "321"];
    let answer = six.answer(&[&asked[..], &["--levels", "2,2,2,1,1,2"]].concat());
    let of_kind = |kind: &str| -> Vec<&Value> {
        let all = answer["relaxations"].as_array().unwrap().iter();
        all.filter(|one| one["kind"] == kind && one["offer"].is_object()).collect()
    };
    let (sets, alone) = (of_kind("attributes"), of_kind("attribute"));
    assert!(!sets.is_empty());
    let names = |set: &Value| -> Vec<String> {
        set["without"].as_array().unwrap().iter().map(|n| n.as_str().unwrap().into()).collect()
    };
    let sizes: Vec<usize> = sets.iter().map(|set| names(set).len()).collect();
    assert!(sizes.is_sorted() && sizes[0] > 1, "{sizes:?}");
    for (i, set) in sets.iter().map(|set| names(set)).enumerate() {
        assert!(alone.iter().all(|one| !set.contains(&names(one)[0])));
        let first = sets.iter().position(|other| names(other).iter().all(|n| set.contains(n)));
        assert_eq!(first, Some(i), "{set:?} has a part that is enough");
    }
    let csv = six.haggle(&[&["ask"], &asked[..], &["--levels", "2,2,2,1,1,2", "--csv"]].concat());
    let rows = csv.text().lines().filter(|line| line.starts_with("attributes,")).count();
    assert_eq!(rows, sets.len());
}

//! What `why`, `hierarchy` and `init` say of missing values.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::Folder;
use crate::missing::brute_force::{Model, Policy, TOPS, is_missing, levels, schemes};
use crate::missing::{folders, json as shown};

#[test]
fn why_names_gaps_as_one_kind_of_records() {
    for (policy, folder) in folders() {
        for scheme in schemes(&[0, 1]) {
            for model in [Model::K(2), Model::K(3), Model::L(2)] {
                let [name, threshold] = model.asked();
                let at = levels(&scheme);
                let arguments = ["why", ".", "--scheme", &at, &name, &threshold, "--json"];
                let why = shown(&folder.haggle(&arguments));
                let lost = policy.suppressed(&scheme, model);
                assert_eq!(why["suppressed"], lost.len(), "{policy:?} {at} {model:?}");
                let gaps: Vec<Value> =
                    scheme.iter().filter_map(|&at| kind_of_gaps(policy, at, &lost)).collect();
                let kinds = why["kinds"].as_array().unwrap().iter();
                let named: Vec<Value> =
                    kinds.filter(|kind| kind["value"] == label(policy)).cloned().collect();
                assert_eq!(named, gaps, "{policy:?} {at} {model:?}");
            }
        }
    }
}

/// The label of missing values below the top.
fn label(policy: Policy) -> &'static str {
    if policy == Policy::Unmatched { "(missing, matches nothing)" } else { "?" }
}

/// The gaps of an attribute as a kind of records, if any of them is lost below the top.
fn kind_of_gaps(
    policy: Policy,
    (attribute, level): (usize, usize),
    lost: &[usize],
) -> Option<Value> {
    let gaps = policy.records().filter(|(_, record)| is_missing(record[attribute]));
    let gaps: Vec<usize> = gaps.map(|(number, _)| number).collect();
    let suppressed = gaps.iter().filter(|number| lost.contains(number)).count();
    let kind = json!({
        "attribute": if attribute == 0 { "age" } else { "sex" },
        "value": label(policy),
        "records": gaps.len(),
        "suppressed": suppressed,
    });
    (suppressed > 0 && level < TOPS[attribute]).then_some(kind)
}

#[test]
fn a_hierarchy_shows_gaps_in_one_line_and_exports_none_of_them() {
    let mut printed = Vec::new();
    for (policy, folder) in folders() {
        let view = shown(&folder.haggle(&["hierarchy", "show", ".", "age", "--json"]));
        let (label, levels) = match policy {
            Policy::Value => ("?", json!([5, 3, 1])),
            Policy::Drop => ("", json!([4, 2, 1])),
            Policy::Unmatched => ("(missing, matches nothing)", json!([4, 2, 1])),
        };
        assert_eq!(view["levels"], levels);
        assert_eq!(view["tree"]["records"], policy.records().count());
        let below = view["tree"]["below"].as_array().unwrap();
        let gaps: Vec<&Value> = below.iter().filter(|branch| branch["label"] == label).collect();
        let records: Vec<u64> = gaps.iter().map(|b| b["records"].as_u64().unwrap()).collect();
        assert_eq!(records, if policy == Policy::Drop { vec![] } else { vec![3] }, "{view}");
        printed.push((policy.key(), folder.haggle(&["hierarchy", "show", ".", "age"]).printed(0)));
        let run = folder.haggle(&["hierarchy", "export", ".", "age"]);
        let rows = if policy == Policy::Value { 5 } else { 4 };
        assert_eq!(run.text().lines().count(), rows, "{run:#?}");
        assert!(!run.text().lines().any(|line| line.starts_with([' ', '"'])), "{run:#?}");
    }
    assert_snapshot!(titled(printed));
}

/// Hierarchies by rule and none at all, numbers in their order whatever is missing.
#[test]
fn gaps_leave_hierarchies_by_rule_as_they_are() {
    for (policy, folder) in folders() {
        folder.edit("haggle.toml", "\"age.csv\"", "{ intervals = [10], origin = 0 }");
        folder.edit("haggle.toml", "hierarchy = \"sex.csv\"\n", "");
        let study = shown(&folder.haggle(&["study", ".", "--k", "2", "--json"]));
        let least = |height: usize| {
            let at = schemes(&[0, 1]).into_iter().filter(move |scheme| {
                scheme.iter().map(|(_, level)| level).sum::<usize>() == height
            });
            at.map(|scheme| policy.suppressed(&scheme, Model::K(2)).len()).min().unwrap()
        };
        for height in 0..=3 {
            assert_eq!(study["heights"][height]["least"], least(height), "{policy:?}");
        }
        let export = folder.haggle(&["hierarchy", "export", ".", "age"]);
        let known: Vec<&str> =
            export.text().lines().map(|l| &l[..2]).filter(|l| *l != "?;").collect();
        assert_eq!(known, ["34", "36", "41", "47"], "{policy:?}");
    }
}

#[test]
fn init_names_every_policy_and_each_of_them_works() {
    let folder = Folder::empty();
    let rows: String = (0..40)
        .map(|i| {
            let age = if i % 20 == 7 { "?".into() } else { (20 + i % 10).to_string() };
            format!("{age},{},{}\n", ["f", "m"][i % 2], ["flu", "gout", "asthma"][i % 3])
        })
        .collect();
    folder.write("people.csv", format!("age,sex,disease\n{rows}"));
    folder.haggle(&["init", "people.csv"]).text();
    let text = String::from_utf8(folder.read("haggle.toml")).unwrap();
    assert_snapshot!(text);
    for (policy, code, records) in
        [("value", 0, 40), ("unmatched", 0, 40), ("drop", 0, 40), ("error", 2, 0)]
    {
        let stated = text.lines().find(|line| line.starts_with("on_missing")).unwrap();
        folder.write("haggle.toml", text.replace(stated, &format!("on_missing = \"{policy}\"")));
        let run = folder.haggle(&["check", ".", "--json"]);
        assert_eq!(run.code, Some(code), "{policy}: {run:#?}");
        if code == 0 {
            assert_eq!(shown(&run)["records"], records);
        }
    }
}

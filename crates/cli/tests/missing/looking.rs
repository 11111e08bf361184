//! What `check`, `why`, `hierarchy` and `init` say of missing values.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::brute_force::{Model, Policy, TOPS, is_missing, levels, schemes};
use crate::common::{Folder, holds};
use crate::{folders, json as shown, people};

#[test]
fn check_counts_values_and_says_what_becomes_of_gaps() {
    let mut reported = Vec::new();
    for (policy, folder) in folders() {
        let report = shown(&folder.haggle(&["check", ".", "--json"]));
        // There are 4 ages, 2 sexes and 3 diseases; where missing is a value, one more of each.
        // Records 3, 4, 5, 6, 11 and 12 have a gap.
        let more = i32::from(policy == Policy::Value);
        let expected = json!({
            "records": 12,
            "dropped": if policy == Policy::Drop { 6 } else { 0 },
            "attributes": [{"values": 4 + more}, {"values": 2 + more}, {"values": 3 + more}],
        });
        assert!(holds(&report, &expected), "{policy:?}: {report}");
        let notes = report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap());
        reported.push((policy.key(), notes.collect::<Vec<_>>().join("\n")));
    }
    assert_snapshot!(titled(reported), @r#"
    == value
    'name' repeats: 12 records, 1 different value. If it names persons, say unit = "name" under [data], because k records of one person do not hide that person.
    == drop
    'name' repeats: 12 records, 1 different value. If it names persons, say unit = "name" under [data], because k records of one person do not hide that person.
    == unmatched
    'age' is missing in 3 records. A missing value matches nothing, so each is a group of its own unless 'age' is at its top level.
    'sex' is missing in 1 record. A missing value matches nothing, so each is a group of its own unless 'sex' is at its top level.
    'name' repeats: 12 records, 1 different value. If it names persons, say unit = "name" under [data], because k records of one person do not hide that person.
    "#);
}

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

/// A column without any value: below its top no record matches another.
#[test]
fn a_column_may_be_missing_throughout() {
    let folder = people("unmatched");
    folder.write("people.csv", "name,age,sex,disease\na,?,f,flu\nb,?,f,?\nc,,f,\n");
    let rules = ["\"age.csv\"", "{ intervals = [10] }", "{ prefix = [1] }"];
    for pair in rules.windows(2).chain([&rules[..1]]) {
        let study = shown(&folder.haggle(&["study", ".", "--qi", "age", "--k", "2", "--json"]));
        let heights = study["heights"].as_array().unwrap();
        let least: Vec<u64> = heights.iter().map(|h| h["least"].as_u64().unwrap()).collect();
        assert!(least[..least.len() - 1].iter().all(|n| *n == 3), "{study}");
        assert_eq!(least.last(), Some(&0), "{study}");
        if let [now, next] = pair {
            folder.edit("haggle.toml", now, next);
        }
    }
    folder.write("people.csv", "name,age,sex,disease\na,34,f,?\nb,34,f,?\nc,34,f,\n");
    let sexes = ["study", ".", "--qi", "sex", "--json"];
    let k = shown(&folder.haggle(&[&sexes[..], &["--k", "3"]].concat()));
    assert_eq!(k["heights"][0]["least"], 0, "the three are alike: {k}");
    let l = shown(&folder.haggle(&[&sexes[..], &["--l", "2"]].concat()));
    assert_eq!(l["heights"][0]["least"], 3, "no disease is known, so there is no diversity: {l}");
    let no = folder.haggle(&["ask", ".", "--qi", "sex", "--l", "2", "--json"]).json(1);
    assert_snapshot!(no["relaxations"]["suppression_reason"].as_str().unwrap(), @"under [1] no group reaches distinct-l-diversity = 2, so no record would be left; the sensitive values allow l = 0 at most");
}

#[test]
fn persons_who_are_not_known_are_not_a_group() {
    for policy in ["value", "unmatched", "drop"] {
        let folder = people(policy);
        folder.edit("haggle.toml", "[data]\n", "[data]\nunit = \"name\"\n");
        folder.write("people.csv", "name,age,sex,disease\n?,34,f,flu\n,34,f,gout\na,41,m,flu\n");
        let study = shown(&folder.haggle(&["study", ".", "--k", "2", "--scheme", "0,0", "--json"]));
        let crowd = study["bins"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(crowd["value"], 1.0, "{policy}: {study}");
        folder.haggle(&["build", "."]).text();
        let again = shown(&folder.haggle(&["study", ".", "--k", "2", "--scheme", "0,0", "--json"]));
        assert_eq!(again, study);
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

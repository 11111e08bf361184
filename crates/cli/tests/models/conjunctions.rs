//! Several models in one request: exact, relaxed, studied, explained, and worded.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::Folder;
use crate::models::hospital::folder;

fn ask(folder: &Folder, arguments: &[&str]) -> Value {
    folder.answer(&[&["."], arguments].concat())
}

#[test]
fn a_conjunction_suppresses_between_the_largest_and_the_sum() {
    let folder = folder();
    let scheme = ["--scheme", "1,0", "--json"];
    let suppressed = |privacy: &[&str]| {
        let run = folder.haggle(&[&["why", "."], privacy, &scheme].concat());
        run.json(0)["suppressed"].as_u64().unwrap()
    };
    let closeness = ["--privacy", "t-closeness:t=0.06,on=disease"];
    let (k, t) = (suppressed(&["--k", "12"]), suppressed(&closeness));
    let both = suppressed(&[&["--k", "12"], &closeness[..]].concat());
    assert!(k > 0 && t > 0 && both > k.max(t) && both <= k + t, "{k} {t} {both}");
}

#[test]
fn each_number_says_how_far_it_would_have_to_be_relaxed() {
    let folder = folder();
    let asked = [
        "--k",
        "12",
        "--privacy",
        "recursive-l-diversity:l=3,c=0.5,on=disease",
        "--levels",
        "1,0",
        "--max-suppressed",
        "10%",
    ];
    let answer = ask(&folder, &asked);
    assert_eq!(answer["outcome"], "relaxed");
    let relaxations = answer["relaxations"].as_array().unwrap().iter();
    let each: Vec<&Value> = relaxations.filter(|one| one["kind"] == "privacy").collect();
    let names: Vec<_> = each.iter().map(|e| (&e["model"], &e["parameter"])).collect();
    let recursive = json!("recursive-l-diversity");
    let (k, c, l) = (json!("k"), json!("c"), json!("l"));
    assert_eq!(names, [(&json!("k-anonymity"), &k), (&recursive, &l), (&recursive, &c)]);
    for offer in each.iter().filter(|each| !each["value"].is_null()) {
        let given = &offer["offer"]["privacy"];
        match offer["parameter"].as_str().unwrap() {
            "k" => assert_eq!(given[&recursive.as_str().unwrap()], json!({"c": 0.5, "l": 3})),
            _ => assert_eq!(given["k-anonymity"], 12),
        }
    }
}

/// Accepting an offer by the printed command gives exactly that offer.
#[test]
fn every_offered_command_is_exact() {
    let folder = folder();
    let line = "haggle ask . --k 12 --privacy recursive-l-diversity:l=2,c=0.7,on=disease \
                --privacy t-closeness:t=0.1,on=disease --levels 1,0 --max-suppressed 20%";
    let report = folder.shell(line);
    let offers: Vec<&str> = report
        .text()
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("haggle ask"))
        .collect();
    assert!(offers.len() >= 2, "{}", report.stdout);
    for offer in offers {
        let run = folder.shell(&format!("{offer} --json"));
        assert_eq!(run.json(0)["outcome"], "exact", "{offer}");
    }
}

#[test]
fn requests_in_json_may_name_several_models() {
    let folder = folder();
    let line = r#"{"privacy":[{"model":"k-anonymity","k":4},{"model":"t-closeness","t":0.3,"distance":"equal","on":"disease"}],"max_suppressed":"20%"}"#;
    let run = folder.haggle_reading(&["ask", ".", "--requests", "-"], &format!("{line}\n"));
    let answer = &run.json_lines()[0];
    assert_eq!(answer["exact"]["privacy"], json!({"k-anonymity": 4, "t-closeness": 0.3}));
    let words = ["--k", "4", "--privacy", "t-closeness:t=0.3,distance=equal,on=disease"];
    let asked = ask(&folder, &[&words[..], &["--max-suppressed", "20%"]].concat());
    assert_eq!(asked["exact"], answer["exact"]);
}

#[test]
fn a_model_on_two_attributes_is_two_thresholds() {
    let folder = folder();
    let both = ["--privacy", "distinct-l-diversity:l=3,on=disease", "--privacy"];
    let asked = ask(&folder, &[&both[..], &["distinct-l-diversity:l=2,on=cost"]].concat());
    let expected = json!({
        "distinct-l-diversity:on=disease": 3,
        "distinct-l-diversity:on=cost": 2,
    });
    assert_eq!(asked["exact"]["privacy"], expected);
    let twice = folder
        .haggle(&[&["ask", "."], &both[..], &["distinct-l-diversity:l=2,on=disease"]].concat());
    assert_snapshot!(twice.printed(2), @"
    error: distinct-l-diversity:on=disease is asked for twice
        fix: ask for it once, with the stronger threshold
    ");
}

/// A lattice file holds what the project states, so it answers for every model without the data.
#[test]
fn a_stored_lattice_answers_for_every_model() {
    let folder = folder();
    let asked = [
        "--privacy",
        "density-control:d=0.6,on=disease",
        "--privacy",
        "t-closeness:t=0.3,distance=matrix,on=cost",
        "--privacy",
        "t-closeness:t=0.3,distance=hierarchical,on=disease",
        "--max-suppressed",
        "20%",
    ];
    let fresh = ask(&folder, &asked);
    folder.haggle(&["build", ".", "-o", "stored.lattice"]).text();
    let stored = folder.answer(&[&["stored.lattice"], &asked[..]].concat());
    assert_eq!(stored, fresh);
    let study = |project: &str| {
        folder.haggle(&[&["study", project, "--json"], &asked[..6]].concat()).json(0)
    };
    assert_eq!(study("stored.lattice"), study("."));
}

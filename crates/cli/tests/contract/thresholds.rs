//! Thresholds of the project stay unless they are replaced, and those offered can be asked for.

use std::collections::BTreeSet;

use haggle_privacy::{CATALOG, Model};
use serde_json::{Value, json};

use crate::common::{Folder, Run, offered};

/// Twelve people, k = 3 and two different diseases in every group asked for by the project.
fn careful() -> Folder {
    let rows = (0..12).map(|i| {
        let (age, sex) = (30 + i % 6, if i < 6 { "f" } else { "m" });
        format!("n{i},{age},{sex},{}\n", ["flu", "asthma", "gout", "none"][i % 4])
    });
    let ages = (30..36).map(|age| format!("{age};{}-{};*\n", age / 3 * 3, age / 3 * 3 + 2));
    Folder::with([
        (
            "haggle.toml",
            format!("[request]\nk = 3\nl = 2\nmax_suppressed = 0\n{}", crate::common::PEOPLE[0].1),
        ),
        ("people.csv", format!("name,age,sex,disease\n{}", rows.collect::<String>())),
        ("age.csv", ages.collect::<String>()),
        ("sex.csv", "f;*\nm;*\n".into()),
    ])
}

/// The thresholds that an answer was asked for, as `MODEL VALUE`.
fn asked(run: &Run) -> Vec<String> {
    let answer = run.json(0);
    let list = answer["asked"]["privacy"].as_array().unwrap().clone();
    let one = |one: &Value| {
        let number = one.as_object().unwrap().values().find(|value| value.is_number());
        format!("{} {}", one["model"].as_str().unwrap(), number.cloned().unwrap_or_default())
    };
    let mut list: Vec<String> = list.iter().map(one).collect();
    list.sort();
    list
}

#[test]
fn a_named_model_replaces_its_own_threshold_and_the_others_stay() {
    let folder = careful();
    let cases: [(&[&str], &[&str]); 6] = [
        (&[], &["distinct-l-diversity 2", "k-anonymity 3"]),
        (&["--l", "3"], &["distinct-l-diversity 3", "k-anonymity 3"]),
        (
            &["--privacy", "distinct-l-diversity:l=3,on=disease"],
            &["distinct-l-diversity 3", "k-anonymity 3"],
        ),
        (&["--k", "2"], &["distinct-l-diversity 2", "k-anonymity 2"]),
        (
            &["--privacy", "t-closeness=0.9"],
            &["distinct-l-diversity 2", "k-anonymity 3", "t-closeness 0.9"],
        ),
        (&["--only", "--k", "2"], &["k-anonymity 2"]),
    ];
    for (typed, expected) in cases {
        for command in [
            &["ask", "."][..],
            &["why", ".", "--scheme", "2,1"],
            &["compare", ".", "--strategies", "lattice", "--measures", "lm"],
        ] {
            let run = folder.haggle(&[command, typed, &["--json"]].concat());
            assert_eq!(asked(&run), expected, "{command:?} {typed:?}");
        }
    }
    let words = folder.haggle(&["ask", ".", "--l", "3"]);
    assert!(
        words
            .text()
            .starts_with("Asked: distinct-l-diversity with l = 3 and k-anonymity with k = 3, "),
        "{}",
        words.stdout
    );
}

#[test]
fn json_states_the_whole_list() {
    let folder = careful();
    folder.write("asked.jsonl", "{\"privacy\":{\"distinct-l-diversity\":3}}\n{}\n");
    let lines = folder.haggle(&["ask", ".", "--requests", "asked.jsonl"]).json_lines();
    assert_eq!(
        lines[0]["asked"]["privacy"],
        json!([{"model": "distinct-l-diversity", "on": "disease", "l": 3}])
    );
    assert_eq!(lines[1]["asked"]["privacy"].as_array().unwrap().len(), 2);
}

#[test]
fn a_request_as_it_was_asked_can_be_asked_again() {
    let folder = careful();
    for typed in [
        &["--levels", "age=1"][..],
        &["--max-suppressed", "20%"],
        &["--optimize", "lm", "--top", "2"],
        &["--k", "13"],
    ] {
        let first = folder.answer(&[&["."], typed].concat());
        folder.write("asked.jsonl", first["asked"].to_string());
        let again =
            folder.haggle(&["ask", ".", "--requests", "asked.jsonl"]).json_lines().remove(0);
        assert_eq!(crate::common::untimed(again), first, "{typed:?}");
    }
}

/// A project in which every model of the catalog can be asked for.
fn stated() -> Folder {
    let folder = Folder::empty();
    let values = ["flu", "asthma", "gout", "none"];
    let rows = (0..40).map(|i| {
        let (age, disease) = (30 + i % 8, values[(i * i + i / 8) % 4]);
        format!("{age},{},{disease},{}\n", if i % 5 < 2 { "f" } else { "m" }, i % 7)
    });
    let ages = (30..38).map(|age| format!("{age};{}-{};*\n", age / 2 * 2, age / 2 * 2 + 1));
    folder.write("people.csv", format!("age,sex,disease,visits\n{}", rows.collect::<String>()));
    folder.write("age.csv", ages.collect::<String>());
    folder.write("disease.csv", "flu;ill;*\nasthma;ill;*\ngout;ill;*\nnone;well;*\n");
    folder.write(
        "haggle.toml",
        r#"[data]
path = "people.csv"
[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = "age.csv"
[[attribute]]
name = "sex"
role = "quasi-identifier"
[[attribute]]
name = "disease"
role = "sensitive"
hierarchy = "disease.csv"
order = ["none", "flu", "gout", "asthma"]
categories = { short = ["flu"], long = ["asthma", "gout"] }
dont_care = ["none"]
never_rule_out = ["flu"]
class_function = "empirical"
"#,
    );
    folder
}

/// A request for a model with the numbers that people begin with, under these levels.
fn usual(model: &Model, levels: [u8; 2]) -> Value {
    let mut privacy = json!({"model": model.id});
    for parameter in model.parameters.iter().filter(|parameter| !parameter.optional) {
        privacy[parameter.name] = json!(parameter.usual());
    }
    if model.sensitive {
        privacy["on"] = json!("disease");
    }
    json!({"privacy": [privacy], "levels": levels, "max_suppressed": 0})
}

/// The answers to requests, in order.
fn answers(folder: &Folder, requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(ToString::to_string).collect();
    folder.write("asked.jsonl", lines.join("\n"));
    folder.haggle(&["ask", ".", "--requests", "asked.jsonl"]).json_lines()
}

#[test]
fn the_threshold_of_an_offer_can_be_asked_for_whatever_the_model() {
    let folder = stated();
    let levels = [[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [2, 1]];
    let asked: Vec<(&str, Value)> = CATALOG
        .iter()
        .flat_map(|model| levels.map(|levels| (model.id, usual(model, levels))))
        .collect();
    let requests: Vec<Value> = asked.iter().map(|(_, request)| request.clone()).collect();
    let (mut offers, mut again) = (Vec::new(), Vec::new());
    for ((model, request), answer) in asked.iter().zip(answers(&folder, &requests)) {
        let relaxed = offered(&answer, "privacy");
        let offer = if relaxed.is_null() { &answer["exact"] } else { relaxed };
        for list in ["privacy", "thresholds"].iter().filter(|_| !offer.is_null()) {
            let mut request = request.clone();
            request["privacy"] = offer[list].clone();
            again.push(request);
            offers.push((*model, offer.clone()));
        }
    }
    let models: BTreeSet<&str> = offers.iter().map(|(model, _)| *model).collect();
    assert_eq!(models.len(), CATALOG.len(), "only {models:?} offer something");
    for ((model, offer), answer) in offers.iter().zip(answers(&folder, &again)) {
        assert_eq!(answer["exact"]["scheme"], offer["scheme"], "{model}: {answer} for {offer}");
        assert_eq!(answer["exact"]["privacy"], offer["privacy"], "{model}");
    }
}

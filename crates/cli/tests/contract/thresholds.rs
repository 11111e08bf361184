//! Thresholds of the project stay unless they are replaced, and nothing weaker is published in silence.

use std::collections::BTreeSet;

use haggle_privacy::{CATALOG, Model};
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, Run};

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
fn studies_and_fronts_look_at_the_models_they_name() {
    let folder = careful();
    assert_eq!(
        asked(&folder.haggle(&["study", ".", "--l", "3", "--json"])),
        ["distinct-l-diversity 3"]
    );
    assert_eq!(
        asked(&folder.haggle(&["study", ".", "--json"])),
        ["distinct-l-diversity 2", "k-anonymity 3"]
    );
    assert_eq!(asked(&folder.haggle(&["pareto", ".", "--json"])), ["k-anonymity null"]);
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

/// What `publish --json` says and the exit code.
fn publish(folder: &Folder, typed: &[&str]) -> (Option<i32>, Value) {
    let run = folder.haggle(&[&["publish", ".", "-o", "out.csv", "--json"], typed].concat());
    let report = serde_json::from_str(&run.stdout);
    (run.code, report.unwrap_or_else(|error| panic!("{error}: {run:#?}")))
}

#[test]
fn nothing_weaker_than_the_project_is_published_unless_it_is_said_so() {
    let folder = careful();
    let scheme = ["--scheme", "2,1"];
    let weaker = |typed: &[&str], expected: Value| {
        let (code, report) = publish(&folder, &[&scheme[..], typed].concat());
        assert_eq!(
            (code, &report["outcome"], &report["published"]),
            (Some(1), &json!("refused"), &json!(false)),
            "{report:#}"
        );
        assert_eq!(report["weaker"], expected, "{typed:?}");
        assert!(!folder.file("out.csv").exists());
    };
    weaker(&["--k", "2"], json!([{"project": "k-anonymity:k=3", "promised": "k-anonymity:k=2"}]));
    folder.edit("haggle.toml", "l = 2", "privacy = [\"t-closeness:t=0.9,distance=equal\"]\nl = 2");
    let t = "t-closeness:t=0.9,on=disease,distance=equal";
    weaker(
        &["--privacy", "t-closeness:t=0.95"],
        json!([{"project": t, "promised": "t-closeness:t=0.95,on=disease,distance=equal"}]),
    );
    folder.edit("haggle.toml", "[\"t-closeness:t=0.9,distance=equal\"]", "[]");
    let words = folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv", "--scheme", "2,1"]);
    assert_snapshot!(words.printed(1), @"
    Not published: k-anonymity:k=2 is weaker than the project's k-anonymity:k=3.
    To publish with only the thresholds named, weaker than the project's, add --only.
    ");
    for typed in [
        &["--only", "--k", "2"][..],
        &["--k", "4"],
        &[],
        &["--l", "3"],
        &["--only", "--k", "3", "--l", "2"],
    ] {
        let (code, report) = publish(&folder, &[&scheme[..], typed].concat());
        assert_eq!(
            (code, &report["outcome"]),
            (Some(0), &json!("published")),
            "{typed:?} {report:#}"
        );
    }
}

#[test]
fn a_policy_weaker_than_the_project_needs_to_be_said_so() {
    let folder = careful();
    let first = [
        "publish",
        ".",
        "--only",
        "--k",
        "2",
        "--scheme",
        "2,1",
        "--private",
        "private",
        "-o",
        "first.csv",
    ];
    folder.haggle(&first).text();
    let again = ["--policy", "private/policy.json"];
    let (code, report) = publish(&folder, &again);
    assert_eq!((code, &report["outcome"]), (Some(1), &json!("refused")));
    let weaker = report["weaker"].as_array().unwrap();
    assert_eq!(weaker.len(), 2, "{report:#}");
    assert_eq!(weaker[1], json!({"project": "distinct-l-diversity:l=2,on=disease"}), "missing");
    let (code, report) = publish(&folder, &[&again[..], &["--only"]].concat());
    assert_eq!((code, &report["outcome"]), (Some(0), &json!("published")), "{report:#}");
}

#[test]
fn verify_judges_the_other_thresholds_of_the_project_as_well() {
    let folder = careful();
    folder
        .haggle(&["publish", ".", "--only", "--l", "2", "--scheme", "1,0", "-o", "out.csv"])
        .text();
    folder.edit("haggle.toml", "k = 3", "k = 4");
    let verify =
        |typed: &[&str]| folder.haggle(&[&["verify", "out.csv"], typed, &["--json"]].concat());
    let both = verify(&[".", "--l", "2"]).json(1);
    assert_eq!(both["asked"], json!({"distinct-l-diversity": 2, "k-anonymity": 4}), "{both:#}");
    assert_eq!(verify(&[".", "--only", "--l", "2"]).code, Some(0));
    assert_eq!(verify(&["--l", "2"]).code, Some(0), "a file alone has no project");
    assert_snapshot!(verify(&["--only", "--l", "2"]).printed(2), @"
    error: --only leaves out the thresholds of a project, and none is named
        fix: leave it out, or name the project behind the file
    ");
}

#[test]
fn publish_says_in_json_whatever_comes_of_it() {
    let folder = careful();
    let cases: [&[&str]; 5] = [
        &["--scheme", "0,0", "--max-suppressed", "1"],
        &["--scheme", "0,0"],
        &["--strategy", "datafly", "--levels", "0,0"],
        &["--levels", "0,0"],
        &["--k", "2"],
    ];
    let reasons = cases.map(|typed| {
        let (code, report) = publish(&folder, typed);
        assert_eq!(
            (code, &report["outcome"], &report["published"]),
            (Some(1), &json!("refused"), &json!(false)),
            "{typed:?}"
        );
        (typed.join(" "), report["reason"].as_str().unwrap().to_owned())
    });
    assert_snapshot!(titled(reasons), @"
    == --scheme 0,0 --max-suppressed 1
    the scheme suppresses 12 records, and at most 1 may be
    == --scheme 0,0
    every group fails, so no record would be left; choose a higher scheme or a weaker threshold
    == --strategy datafly --levels 0,0
    datafly found nothing within the request; allow more records to be suppressed, or raise the maximum levels
    == --levels 0,0
    no scheme meets the request
    == --k 2
    k-anonymity:k=2 is weaker than the project's k-anonymity:k=3
    ");
    let (_, report) = publish(&folder, &["--levels", "0,0"]);
    assert!(
        report["relaxations"].is_object() && report["answer"]["asked"].is_object(),
        "{report:#}"
    );
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
    let (mut offered, mut again) = (Vec::new(), Vec::new());
    for ((model, request), answer) in asked.iter().zip(answers(&folder, &requests)) {
        let relaxed = &answer["relaxations"]["privacy"];
        let offer = if relaxed.is_null() { &answer["exact"] } else { relaxed };
        for list in ["privacy", "thresholds"].iter().filter(|_| !offer.is_null()) {
            let mut request = request.clone();
            request["privacy"] = offer[list].clone();
            again.push(request);
            offered.push((*model, offer.clone()));
        }
    }
    let models: BTreeSet<&str> = offered.iter().map(|(model, _)| *model).collect();
    assert_eq!(models.len(), CATALOG.len(), "only {models:?} offer something");
    for ((model, offer), answer) in offered.iter().zip(answers(&folder, &again)) {
        assert_eq!(answer["exact"]["scheme"], offer["scheme"], "{model}: {answer} for {offer}");
        assert_eq!(answer["exact"]["privacy"], offer["privacy"], "{model}");
    }
}

//! The JSON of `study`, `build` and `models`, and tables for other programs.

use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, PEOPLE, holds};
use crate::contract::THREE;

#[test]
fn a_study_has_a_row_for_every_height() {
    let folder = Folder::empty();
    let study = folder.haggle(&[&["study"], THREE, &["--k", "3", "--json"]].concat()).json(0);
    let heights = study["heights"].as_array().unwrap();
    let column =
        |name: &str| -> Vec<u64> { heights.iter().map(|h| h[name].as_u64().unwrap()).collect() };
    assert_eq!(column("height"), (0..=9).collect::<Vec<_>>());
    assert_eq!(column("schemes").iter().sum::<u64>(), 60);
    assert_eq!(column("least")[..7], [554, 125, 28, 12, 4, 1, 0]);
    assert!(holds(&heights[0], &json!({"schemes": 1, "least": 554, "mean": 554.0, "most": 554})));
    for height in heights {
        let [least, mean, most] =
            ["least", "mean", "most"].map(|name| height[name].as_f64().unwrap());
        assert!(least <= mean && mean <= most, "{height}");
    }
}

#[test]
fn a_scheme_has_a_histogram() {
    let folder = Folder::empty();
    let arguments = [&["study"], THREE, &["--k", "3", "--scheme", "1,0,1", "--json"]].concat();
    let study = folder.haggle(&arguments).json(0);
    let bins = study["bins"].as_array().unwrap();
    let groups: Vec<_> = bins.iter().take(7).map(|bin| bin["groups"].as_u64().unwrap()).collect();
    assert_eq!(groups, [26, 16, 10, 5, 8, 6, 4]);
    assert!(holds(&bins[2], &json!({"value": 3.0, "groups": 10, "records": 30, "weaker": 58})));
    let expected = json!({"scheme": [1, 0, 1], "model": "k-anonymity", "records": 30_162});
    assert!(holds(&study, &expected), "{study}");
}

#[test]
fn a_build_tells_what_it_took() {
    let built = Folder::empty().haggle(&["build", "demo:adult", "--json"]).json(0);
    assert!(holds(&built, &json!({"schemes": 3600, "records": 30_162, "base_groups": 15_537})));
    for millis in ["scan_millis", "annotate_millis", "millis"] {
        assert!(built[millis].is_u64(), "{built}");
    }
}

#[test]
fn every_model_tells_of_itself() {
    let folder = Folder::empty();
    let models = folder.haggle(&["models", "--json"]).json(0);
    let ids: Vec<_> =
        models.as_array().unwrap().iter().map(|m| m["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"k-anonymity") && ids.contains(&"distinct-l-diversity"));
    for model in models.as_array().unwrap() {
        let id = model["id"].as_str().unwrap();
        for field in ["title", "definition", "formula", "citation", "example"] {
            assert!(
                model[field].as_str().is_some_and(|text| !text.is_empty()),
                "{id} has a {field}"
            );
        }
        let threshold = &model["parameters"][0];
        let low = [&threshold["minimum"], &threshold["above"]];
        assert!(threshold["name"].is_string() && low.iter().any(|low| low.is_number()), "{id}");
        assert_eq!(folder.haggle(&["models", id, "--json"]).json(0), *model);
    }
    let shown = ids.iter().map(|id| (id, folder.haggle(&["models", id]).printed(0)));
    assert_snapshot!("models", folder.haggle(&["models"]).printed(0));
    assert_snapshot!("each_model", titled(shown));
}

#[test]
fn a_project_is_its_file_its_folder_or_the_embedded_one() {
    let folder = Folder::with(
        PEOPLE
            .iter()
            .map(|(name, text)| (format!("my project/{name}"), *text))
            .collect::<Vec<_>>()
            .iter()
            .map(|(name, text)| (name.as_str(), *text)),
    );
    let answers = ["my project", "my project/haggle.toml", "./my project/"]
        .map(|project| folder.answer(&[project, "--k", "2"]));
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    let demo = folder.haggle(&["check", "demo:adult", "--json"]).json(0);
    assert!(holds(&demo, &json!({"records": 32_561, "dropped": 2_399})));
}

#[test]
fn help_and_version_are_answers() {
    let folder = Folder::empty();
    for arguments in [&["--help"][..], &["help"], &["--version"], &["ask", "--help"]] {
        let run = folder.haggle(arguments);
        assert!(run.code == Some(0) && run.stderr.is_empty() && !run.stdout.is_empty(), "{run:#?}");
    }
    assert_ne!(folder.haggle(&["models", "--json"]).json(0), Value::Null);
}

#[test]
fn offers_and_reasons_are_also_tables() {
    let folder = Folder::empty();
    let rows = |command: &str, arguments: &[&str]| -> Vec<Vec<String>> {
        let run = folder.haggle(&[&[command], THREE, arguments, &["--csv"]].concat());
        let mut reader = csv::Reader::from_reader(run.text().as_bytes());
        reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
    };
    // The published requests: one answer, and what could be relaxed.
    let exact = rows("ask", &["--k", "10", "--max-suppressed", "321", "--levels", "2,1,1"]);
    assert_eq!(exact[0][..5], ["exact", "", "1 1 0", "2", "170"]);
    let relaxed = rows("ask", &["--k", "10", "--max-suppressed", "32", "--levels", "2,1,1"]);
    let reported: Vec<_> = relaxed.iter().map(|row| (&*row[0], &*row[4])).collect();
    assert_eq!(reported[..3], [("suppression", "55"), ("height", "28"), ("privacy", "31")]);
    let top = ["--k", "10", "--max-suppressed", "321", "--optimize", "lm", "--top", "3"];
    assert_eq!(rows("ask", &top).len(), 3);
    let why = ["--k", "10", "--scheme", "1,1,0"];
    let reported = folder.haggle(&[&["why"], THREE, &why, &["--json"]].concat()).json(0);
    let table = rows("why", &why);
    let count = |name: &str| reported[name].as_array().unwrap().len();
    assert_eq!(table.len(), count("kinds") + count("changes") + count("attributes"));
}

#[test]
fn two_models_bargain_within_a_bound_of_loss() {
    let folder = Folder::empty();
    let two = [
        "pareto",
        "demo:adult",
        "--qi",
        "age,race,workclass",
        "--privacy",
        "k-anonymity",
        "--privacy",
        "distinct-l-diversity",
        "--max-loss",
        "0.3",
        "--max-suppressed",
        "1%",
    ];
    let front = folder.haggle(&[&two[..], &["--json"]].concat()).json(0);
    let points = front["points"].as_array().unwrap();
    assert!(points.len() > 1, "{front}");
    for pair in points.windows(2) {
        let at = |i: usize, model: usize| pair[i]["thresholds"][model].as_f64().unwrap();
        assert!(at(0, 0) > at(1, 0) && at(0, 1) < at(1, 1), "what one gains the other loses");
    }
    for point in points {
        let asked = ["k-anonymity", "distinct-l-diversity"].iter().zip(0..);
        let asked = asked.map(|(model, i)| format!("{model}={}", point["thresholds"][i]));
        let mut privacy = Vec::new();
        asked.for_each(|one| privacy.extend(["--privacy".to_owned(), one]));
        let mut question: Vec<&str> = vec!["ask", "demo:adult", "--qi", "age,race,workclass"];
        question.extend(privacy.iter().map(String::as_str));
        question.extend(["--max-suppressed", "1%", "--optimize", "lm", "--json"]);
        let best = &folder.haggle(&question).json(0)["exact"];
        assert_eq!(best["loss"]["lm"], point["loss"], "the best scheme of both thresholds");
    }
    let table = folder.haggle(&[&two[..], &["--csv"]].concat());
    assert_eq!(table.text().lines().next(), Some("k,l,lm,suppressed,height,scheme"));
    assert_eq!(table.text().lines().count(), points.len() + 1);
    let one = folder.haggle(&["pareto", "demo:adult", "--qi", "age,race", "--max-loss", "0.3"]);
    assert_snapshot!(one.printed(2), @"
    error: a front within a limit of loss compares two privacy models
        fix: name two, such as k-anonymity and t-closeness
    ");
}

#[test]
fn estimates_say_how_far_they_may_be_off() {
    let folder = Folder::empty();
    let ask = |more: &[&str]| {
        let plain = ["ask", "demo:adult", "--qi", "age,race,workclass", "--k", "10"];
        folder.haggle(&[&plain[..], &["--optimize", "noise-scanning"], more].concat())
    };
    let best = &ask(&["--json"]).json(0)["exact"];
    let number = |field: &str| best[field]["noise-scanning"].as_f64().unwrap();
    assert!(number("loss") > 0.0 && number("loss_error") > 0.0, "{best}");
    assert!(number("loss_error") < number("loss"), "{best}");
    assert_snapshot!(ask(&[]).printed(0), @"
    Asked: k-anonymity with k = 10, at most 301 of 30,162 records suppressed, any level (age, race, workclass).
    Records: 32,561 read, 2,399 dropped for missing values, 55 suppressed, 30,107 left.

    Yes: scheme [2,1,1], height 4, noise-scanning 0.003596 ± 0.000282, suppresses 55 records (0.18 %) and attains k = 11.

      age              level 2 of 4   36 becomes 27-36
      race             level 1 of 2   Black becomes Non-white
      workclass        level 1 of 3   Self-emp-not-inc becomes Self-employed

    60 schemes looked at in [time].
    ");
    assert_eq!(ask(&["--json"]).json(0)["exact"], *best, "and the same each time");
}

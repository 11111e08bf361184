//! `haggle compare`, and publishing what strategies find.

use crate::common::{Folder, holds};
use haggle_testkit::titled;
use insta::{allow_duplicates, assert_snapshot};
use serde_json::{Value, json};

const THREE: &[&str] = &["demo:adult", "--qi", "age,race,workclass"];

fn compare(folder: &Folder, more: &[&str]) -> crate::common::Run {
    folder.haggle(&[&["compare"], THREE, &["--k", "10", "--max-suppressed", "1%"], more].concat())
}

#[test]
fn every_strategy_is_in_one_table() {
    let folder = Folder::empty();
    let compared = compare(&folder, &["--json", "--time-limit", "5"]).json(0);
    assert!(holds(&compared, &json!({"records": 30_162, "limit": 301})), "{compared}");
    let all = folder.haggle(&["strategies", "--json"]).json(0);
    let ids = |list: &Value, key: &str| -> Vec<String> {
        let ids = list.as_array().unwrap().iter();
        ids.map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&compared["strategies"], "strategy"), ids(&all, "id"));
    for one in compared["strategies"].as_array().unwrap() {
        // Two strategies answer one threshold only, and say so.
        if ["simplex-matching", "two-diversity"].iter().any(|id| one["strategy"] == *id) {
            let reason = one["reason"].as_str().unwrap();
            assert!(one["found"].is_null() && reason.contains("only"), "{one}");
            continue;
        }
        assert!(one["found"].is_string() && one["verified"] == true, "{one}");
        assert!(one["suppressed"].as_u64().unwrap() <= 301, "{one}");
        assert!(one["loss"]["lm"].as_f64().unwrap() < 0.6, "{one}");
        // A recoding by levels is also named by its scheme.
        assert_eq!(one["scheme"].is_array(), one["recoding"] == "levels", "{one}");
    }
    let by = |id: &str| {
        let list = compared["strategies"].as_array().unwrap();
        list.iter().find(|one| one["strategy"] == id).unwrap()
    };
    let loss = |id: &str| by(id)["loss"]["lm"].as_f64().unwrap();
    // What is exact over a larger space of recodings never loses more.
    assert!(loss("k-optimize") <= loss("lattice") || by("k-optimize")["proven"] == false);
    assert!(loss("lattice") <= loss("ola") && loss("ola") <= loss("datafly"));
    assert!((loss("incognito") - loss("ola")).abs() < 1e-12);
    assert!(loss("refined") <= loss("lattice") && loss("mondrian") < loss("k-optimize"));
    assert!(by("m-instant")["scans"].as_u64().unwrap() >= 1);
}

#[test]
fn a_comparison_is_a_table_a_file_and_a_picture() {
    let folder = Folder::empty();
    let few = ["--strategies", "datafly,mondrian", "--measures", "lm;discernibility"];
    assert_snapshot!(compare(&folder, &few).printed(0), @"
    Asked: k-anonymity with k = 10, at most 301 of 30,162 records suppressed, any level (age, race, workclass).
    Records: 32,561 read, 2,399 dropped for missing values, 30,162 counted.

    strategy  recoding  lm  discernibility  suppressed  groups  time  looked at  verified
    datafly  [3,0,0]  0.0842  170,812,351  133 (0.44 %)  60  [time]  4  yes
    mondrian  490 boxes  0.0025  8,782,304  0 (0.00 %)  490  [time]  1,091  yes
    ");
    let csv = compare(&folder, &[&few[..], &["--csv", "--plot", "all.svg"]].concat());
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("strategy,recoding,found,lm,discernibility,suppressed"));
    let picture = String::from_utf8(folder.read("all.svg")).unwrap();
    assert!(picture.contains("Datafly") && picture.contains("Mondrian, best split"));
    assert_snapshot!(compare(&folder, &["--strategies", "magic"]).printed(2), @"
    error: there is no strategy 'magic'
        fix: choose one of: lattice, refined, samarati, incognito, incognito-top-down, ola, datafly, k-optimize, top-down-specialization, mondrian, mondrian-median, mondrian-relaxed, local-suppression, simplex-matching, two-diversity, mondrian-scanned, s-instant, m-instant
    ");
}

#[test]
fn a_lattice_file_alone_is_never_scanned() {
    let folder = Folder::empty();
    let built = ["build", "demo:adult", "--qi", "age,race,workclass", "-o", "census.lattice"];
    assert_eq!(folder.haggle(&built).code, Some(0));
    let few = "m-instant:summary=bayes,m-instant";
    let asked = ["compare", "census.lattice", "--k", "10", "--strategies", few];
    let compared = folder.haggle(&[&asked[..], &["--json"]].concat()).json(0);
    for (one, id) in compared["strategies"].as_array().unwrap().iter().zip(few.split(',')) {
        assert_eq!((&one["strategy"], &one["verified"]), (&json!(id), &json!(true)));
        assert!(one["scans"].is_null(), "{one}");
        allow_duplicates!(
            assert_snapshot!(one["note"].as_str().unwrap(), @"only the lattice file is at hand, not the data: boxes were counted in its groups, and nothing was scanned")
        );
    }
    assert_snapshot!(folder.haggle(&asked).printed(0), @"
    Asked: k-anonymity with k = 10, at most 301 of 30,162 records suppressed, any level (age, race, workclass).
    Records: 32,561 read, 2,399 dropped for missing values, 30,162 counted.

    strategy  recoding  lm  discernibility  average-class-size  kl-divergence  classification:on=hours-per-week  suppressed  groups  time  looked at  verified
    m-instant:summary=bayes  475 boxes  0.0035  8,787,966  63.4989  0.0295  0.5215  0 (0.00 %)  475  [time]  489  yes
    m-instant  466 boxes  0.0038  8,791,400  64.7253  0.0304  0.5213  0 (0.00 %)  466  [time]  490  yes

    m-instant:summary=bayes: only the lattice file is at hand, not the data: boxes were counted in its groups, and nothing was scanned
    m-instant: only the lattice file is at hand, not the data: boxes were counted in its groups, and nothing was scanned
    ");
}

#[test]
fn what_a_strategy_finds_is_published_and_verified() {
    let folder = Folder::empty();
    for (arguments, kind) in [
        (vec!["--strategy", "mondrian"], "boxes"),
        (vec!["--strategy", "k-optimize"], "cuts"),
        (vec!["--strategy", "m-instant"], "boxes"),
        (vec!["--strategy", "m-instant:summary=bayes-greedy"], "boxes"),
        (vec!["--refine"], "parts"),
    ] {
        let asked =
            ["--k", "10", "--max-suppressed", "1%", "-o", "out.csv", "--private", "private"];
        let publish = [&["publish"], THREE, &asked, &arguments, &["--json"]].concat();
        let report = folder.haggle(&publish).json(0);
        assert_eq!(report["recoding"], kind, "{report}");
        assert!(report["scheme"].is_null() && report["groups"].as_u64().unwrap() > 10);
        let manifest: Value =
            serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
        assert_eq!(manifest["recoding"]["kind"], kind);
        let verify = ["verify", "out.csv", "demo:adult", "--qi", "age,race,workclass", "--k", "10"];
        assert!(folder.haggle(&verify).text().starts_with("Yes"));
        let sorted = || {
            let text = String::from_utf8(folder.read("out.csv")).unwrap();
            let mut lines: Vec<String> = text.lines().map(String::from).collect();
            lines.sort();
            lines
        };
        let first = sorted();
        let again = ["publish", "demo:adult", "--policy", "private/policy.json", "-o", "out.csv"];
        folder.haggle(&again).text();
        assert!(sorted() == first, "{kind}: the policy repeats it");
    }
}

#[test]
fn a_strategy_that_finds_nothing_publishes_nothing() {
    let folder = Folder::empty();
    let asked = ["--k", "10", "--max-suppressed", "0", "--levels", "0,0,0", "-o", "out.csv"];
    let run = folder.haggle(&[&["publish"], THREE, &asked, &["--strategy", "datafly"]].concat());
    assert_snapshot!(run.printed(1), @"Not published: datafly found nothing within the request; allow more records to be suppressed, or raise the maximum levels.");
    assert!(!folder.path().join("out.csv").exists());
}

#[test]
fn time_limits_are_any_number_of_seconds() {
    let folder = Folder::empty();
    let mondrian = ["compare", "demo:adult", "--qi", "age,race", "--strategies", "mondrian"];
    let endless = ["--k", "5", "--time-limit", "1e19", "--json"];
    assert!(
        folder.haggle(&[&mondrian[..], &endless].concat()).json(0)["strategies"][0]["found"]
            .is_string()
    );
    assert_snapshot!(titled(["-1", "nan", "soon"].map(|wrong| {
        let limit = format!("--time-limit={wrong}");
        (wrong, folder.haggle(&["ask", "demo:adult", "--k", "5", &limit]).printed(2))
    })), @"
    == -1
    error: invalid value '-1' for '--time-limit <SECONDS>': write seconds such as 2.5

    For more information, try '--help'.
    == nan
    error: invalid value 'nan' for '--time-limit <SECONDS>': write seconds such as 2.5

    For more information, try '--help'.
    == soon
    error: invalid value 'soon' for '--time-limit <SECONDS>': write seconds such as 2.5

    For more information, try '--help'.
    ");
}

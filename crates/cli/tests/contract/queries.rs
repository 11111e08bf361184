//! What a publication answers to queries: the published tables, and the contract of the JSON.

use serde_json::{Value, json};

use crate::common::Folder;
use crate::contract::{THREE, adult_query};

/// Figure 4.5-1: six records with six different values in one block.
#[test]
fn the_noise_of_figure_4_5_1_is_the_total_variation_of_the_non_corrected_answer() {
    let project = "[data]\npath = \"block.csv\"\n\
                   [[attribute]]\nname = \"A1\"\nrole = \"quasi-identifier\"\n\
                   [[attribute]]\nname = \"A2\"\nrole = \"quasi-identifier\"\n\
                   [[attribute]]\nname = \"S\"\nrole = \"sensitive\"\n";
    let records = "A1,A2,S\n1,3,s1\n2,4,s2\n2,5,s3\n3,2,s4\n7,4,s5\n8,1,s6\n";
    let folder = Folder::with([("haggle.toml", project), ("block.csv", records)]);
    let noise = |condition: &str| {
        let ask = ["query", ".", "--scheme", "1,1", condition, "--of", "S", "--json"];
        let answer = folder.haggle(&ask).json(0);
        (
            answer["error"]["non_corrected"]["total_variation"].as_f64(),
            answer["basis"]["empty_truth"].clone(),
        )
    };
    let near = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
    for c in 3..7 {
        assert!(near(noise(&format!("A1 <= {c}")).0, 1.0 / 3.0), "{c}");
    }
    assert!(near(noise("A1 <= 2").0, 0.5));
    // As printed this selects none of the records; there is nothing to compare with.
    assert_eq!(noise("(A1 <= 2 and A2 <= 2) or (A1 >= 4 and A1 <= 6)"), (None, json!(true)));
}

#[test]
fn a_query_has_the_fields_of_the_contract_and_the_corrected_total_is_the_true_one() {
    let answer =
        adult_query(&["--scheme", "2,1,1", "age < 25 and race = White", "--of", "hours-per-week"]);
    let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
    let expected = [
        "basis",
        "corrected",
        "error",
        "groups",
        "independently_corrected",
        "non_corrected",
        "truth",
    ];
    assert_eq!(fields, expected);
    assert_eq!(answer["corrected"]["total"], answer["truth"]["total"]);
    assert!(answer["groups"]["partial"].as_u64().unwrap() > 0);
    let records: f64 =
        answer["truth"]["values"].as_object().unwrap().values().map(|n| n.as_f64().unwrap()).sum();
    assert_eq!(json!(records), answer["truth"]["total"]);
    for how in ["non_corrected", "corrected", "independently_corrected"] {
        assert!(answer["error"][how]["total_variation"].is_number());
        assert!(answer["error"][how]["relative_count"].is_number());
    }
    assert_eq!(answer["basis"]["scans"], 0);
    assert_eq!(answer["basis"]["dropped"], 0, "the project's default request does not apply");
}

#[test]
fn thresholds_leave_out_failing_groups_but_not_the_truth() {
    let plain = adult_query(&["--scheme", "0,0,0", "race = Other"]);
    let strict = adult_query(&["--scheme", "0,0,0", "race = Other", "--k", "3"]);
    let starred =
        adult_query(&["--scheme", "0,0,0", "race = Other", "--k", "3", "--suppress", "star"]);
    let total = |answer: &Value, how: &str| answer[how]["total"].as_f64().unwrap();
    assert_eq!(strict["basis"]["dropped"], 554);
    assert_eq!(plain["truth"], strict["truth"]);
    assert!(total(&strict, "non_corrected") < total(&plain, "non_corrected"));
    assert!((total(&starred, "corrected") - total(&plain, "truth")).abs() < 1e-6);
    assert_eq!(starred["basis"]["dropped"], 0);
}

#[test]
fn columns_that_are_not_counted_together_are_joined_by_a_scan_that_is_reported() {
    let scans = |condition: &str, of: &str| {
        let answer = adult_query(&["--scheme", "2,1,1", condition, "--of", of]);
        let exact = answer["corrected"]["total"] == answer["truth"]["total"];
        (answer["basis"]["scans"].clone(), answer["basis"]["as_recorded"].clone(), exact)
    };
    let hours = json!(["hours-per-week"]);
    assert_eq!(
        scans("age < 25 and hours-per-week > 40", "hours-per-week"),
        (json!(0), hours, false)
    );
    let both = json!(["sex", "hours-per-week"]);
    assert_eq!(scans("age < 25 and sex = Female", "hours-per-week"), (json!(1), both, false));
}

#[test]
fn workloads_summarize_errors_and_a_request_can_be_optimized_for_them() {
    let folder = Folder::empty();
    let queries = "# two of an analyst\nage < 25 and race = White\n{\"condition\": \"age > 60\", \"of\": \"hours-per-week\"}\nage = 17 and age = 18\n";
    folder.write("queries.txt", queries);
    let run = |arguments: &[&str]| folder.haggle(&[arguments, THREE, &["--json"]].concat()).json(0);
    let report = run(&["query", "--workload", "queries.txt", "--scheme", "2,1,1"]);
    assert_eq!((&report["queries"], &report["empty_truth"]), (&json!(3), &json!(1)));
    assert_eq!(report["errors"]["corrected"]["relative_count"]["mean"], 0.0);
    assert!(report["errors"]["corrected"]["total_variation"]["mean"].as_f64().unwrap() > 0.0);
    let random = run(&["query", "--random", "40", "--scheme", "0,0,0"]);
    assert_eq!(random["errors"]["non_corrected"]["relative_count"]["percentile_95"], 0.0);

    let optimize = "query-error:workload=queries.txt,answer=ic";
    let ask = ["ask", "--k", "10", "--max-suppressed", "1%", "--optimize", optimize];
    let best = run(&ask);
    let every = run(&["query", "--workload", "queries.txt", "--every-scheme", "ic", "--k", "10"]);
    let schemes = every["schemes"].as_array().unwrap();
    assert_eq!(schemes.len(), 60);
    let first = schemes.iter().find(|one| one["suppressed"].as_u64().unwrap() <= 301).unwrap();
    assert_eq!(best["exact"]["scheme"], first["scheme"]);
    let (loss, error) = (&best["exact"]["loss"][optimize], &first["relative_count"]["mean"]);
    assert!((loss.as_f64().unwrap() - error.as_f64().unwrap()).abs() < 1e-9, "{loss} {error}");
}

/// What `--every-scheme cc` and the loss measure say of a scheme is what asking the workload of that
/// scheme says.
#[test]
fn corrected_errors_of_every_scheme_are_those_of_each_scheme() {
    let folder = Folder::empty();
    folder.write("queries.txt", "age < 25\nage > 60 and race = Other\nworkclass = Private\n");
    let run = |arguments: &[&str]| folder.haggle(&[arguments, THREE, &["--json"]].concat()).json(0);
    let workload = ["query", "--workload", "queries.txt", "--k", "30"];
    let every = run(&[&workload[..], &["--every-scheme", "cc"]].concat());
    let mut errors = Vec::new();
    for one in every["schemes"].as_array().unwrap().iter().step_by(7) {
        let levels = one["scheme"].as_array().unwrap().iter().map(ToString::to_string);
        let scheme = levels.collect::<Vec<_>>().join(",");
        let alone = run(&[&workload[..], &["--scheme", &scheme]].concat());
        let numbers = |value: &Value| {
            ["mean", "median", "percentile_95"].map(|name| value[name].as_f64().unwrap())
        };
        let (here, there) = (
            numbers(&one["relative_count"]),
            numbers(&alone["errors"]["corrected"]["relative_count"]),
        );
        let far = here.iter().zip(there).any(|(a, b)| (a - b).abs() > 1e-9);
        assert!(!far, "{scheme}: {here:?} and {there:?}");
        errors.push(here[0]);
    }
    assert!(errors.iter().any(|error| *error > 0.001), "some scheme suppresses: {errors:?}");
    let optimize = "query-error:workload=queries.txt,answer=cc";
    let ask = ["ask", "--k", "30", "--max-suppressed", "2%", "--optimize", optimize];
    let best = &run(&ask)["exact"];
    let same = |one: &&Value| one["scheme"] == best["scheme"];
    let found = every["schemes"].as_array().unwrap().iter().find(same).unwrap();
    let (loss, error) = (&best["loss"][optimize], &found["relative_count"]["mean"]);
    assert!((loss.as_f64().unwrap() - error.as_f64().unwrap()).abs() < 1e-9, "{loss} {error}");
}

/// A query on what a strategy finds is answered as from the file that it publishes.
#[test]
fn a_strategy_is_asked_as_its_published_file_is() {
    let folder = Folder::people();
    let records: String = (0..60)
        .map(|i| {
            let age = [34, 36, 41, 47][i * 7 % 4];
            let (sex, disease) = (["f", "m"][i % 2], ["flu", "asthma", "gout"][i * i % 3]);
            format!("X,{age},{sex},{disease}\n")
        })
        .collect();
    folder.write("people.csv", format!("name,age,sex,disease\n{records}"));
    for strategy in ["mondrian", "k-optimize", "lattice"] {
        let found = ["--strategy", strategy, "--k", "7"];
        let out = format!("{strategy}.csv");
        let publish =
            [&["publish", "."], &found[..], &["--max-suppressed", "0", "-o", &out]].concat();
        folder.haggle(&publish).text();
        let query = ["age < 40 and sex = f", "--of", "disease", "--json"];
        let before = folder.haggle(&[&["query", "."], &found[..], &query].concat()).json(0);
        let file = [&["query", &out], &query[..], &["--with-project", "."]].concat();
        let after = folder.haggle(&file).json(0);
        for part in ["truth", "non_corrected", "corrected", "independently_corrected", "groups"] {
            assert_eq!(before[part], after[part], "{strategy}: {part}");
        }
        assert!(before["truth"]["total"].as_f64().unwrap() > 0.0);
    }
    let refused = folder.haggle(&["query", ".", "age < 40", "--strategy", "mondrian"]);
    assert!(refused.stderr.contains("a strategy needs a threshold"), "{refused:#?}");
}

/// The true number of records and the corrected one.
fn total(folder: &Folder, arguments: &[&str]) -> (Value, Value) {
    let answer = folder.haggle(&[&["query", "."], arguments, &["--json"]].concat()).json(0);
    (answer["truth"]["total"].clone(), answer["corrected"]["total"].clone())
}

/// What `utility` says of a strategy's recoding is what the file shows that it publishes.
#[test]
fn the_utility_of_a_strategy_is_that_of_its_file() {
    let folder = Folder::people();
    let records: String = (0..90)
        .map(|i| {
            let age = [34, 36, 41, 47][(i * 7 + i / 5) % 4];
            let (sex, disease) = (["f", "m"][i % 3 % 2], ["flu", "asthma", "gout"][i * i % 3]);
            format!("X,{age},{sex},{disease}\n")
        })
        .collect();
    folder.write("people.csv", format!("name,age,sex,disease\n{records}"));
    for strategy in ["mondrian", "k-optimize", "refined"] {
        let found = ["--strategy", strategy, "--k", "8"];
        let out = format!("{strategy}.csv");
        let publish =
            [&["publish", "."], &found[..], &["--max-suppressed", "0", "-o", &out]].concat();
        folder.haggle(&publish).text();
        let text = String::from_utf8(folder.read(&out)).unwrap();
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let utility =
            [&["utility", "."], &found[..], &["--max-suppressed", "0", "--json"]].concat();
        let report = folder.haggle(&utility).json(0);
        assert_eq!((&report["strategy"], &report["suppressed"]), (&json!(strategy), &json!(0)));
        for one in report["attributes"].as_array().unwrap() {
            let at = header.iter().position(|name| *name == one["attribute"]).unwrap();
            let mut counts = std::collections::BTreeMap::new();
            for line in text.lines().skip(1) {
                *counts.entry(line.split(',').nth(at).unwrap()).or_insert(0.0) += 1.0;
            }
            let bits = |n: &f64| -n / 90.0 * (n / 90.0).log2();
            let entropy: f64 = counts.values().map(bits).sum();
            let number = |what: &str| one[what]["after"].as_f64().unwrap();
            assert_eq!(one["values"]["after"], json!(counts.len() as f64), "{strategy}: {one}");
            assert!((number("entropy") - entropy).abs() < 1e-9, "{strategy}: {one} {entropy}");
        }
        let explained =
            |what: &str| report[what].is_object() || report[format!("{what}_reason")].is_string();
        assert!(explained("models") && explained("rules"), "{report}");
        assert_eq!(report["rules"].is_object(), strategy == "k-optimize", "{report}");
        assert_eq!(report["models"].is_object(), strategy != "refined", "{report}");
    }
}

/// Columns that are counted together by a further scan belong to the combinations that they were
/// recorded with: at the base scheme, every answer is the truth.
#[test]
fn columns_of_a_further_scan_stay_with_their_records() {
    for policy in ["", "on_missing = \"unmatched\"", "on_missing = \"drop\""] {
        let folder = Folder::people();
        let visits = "\n[[attribute]]\nname = \"visits\"\nrole = \"sensitive\"\n";
        let project = crate::common::PEOPLE[0].1.replace("[data]", &format!("[data]\n{policy}"));
        folder.write("haggle.toml", project + visits);
        let record = |i: usize| {
            let missing = !policy.is_empty() && i % 11 == 3;
            let age = if missing { "" } else { ["34", "36", "41", "47"][(i * i + i) % 9 % 4] };
            let (sex, disease) = (["f", "m"][i % 3 % 2], ["flu", "asthma", "gout"][i * 7 % 3]);
            format!("X{i},{age},{sex},{disease},{}\n", i % 5)
        };
        let records: String = (0..50).map(record).collect();
        folder.write("people.csv", format!("name,age,sex,disease,visits\n{records}"));
        for condition in
            ["disease = flu and visits = 1", "age < 40 and disease = gout and visits > 2"]
        {
            let (truth, corrected) = total(&folder, &["--scheme", "0,0", condition]);
            assert_eq!(truth, corrected, "{policy}: {condition}");
            assert!(truth.as_f64().unwrap() > 0.0, "{policy}: {condition}");
            let of_age = ["--qi", "sex", "--scheme", "0", condition];
            assert_eq!(total(&folder, &of_age), (truth.clone(), truth), "{policy}: {condition}");
        }
        folder.haggle(&["utility", ".", "--k", "2", "--max-suppressed", "50%"]).text();
    }
}

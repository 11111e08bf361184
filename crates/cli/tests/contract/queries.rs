//! What a publication answers to queries: the published tables, and the contract of the JSON.

use serde_json::{Value, json};

use crate::common::Folder;
use crate::{THREE, adult_query};

/// The records of a published answer as a numerator and its denominator.
fn fraction(answer: &Value, how: &str, value: &str) -> (f64, f64) {
    let records = &answer[how];
    (records["values"][value].as_f64().unwrap_or(0.0), records["total"].as_f64().unwrap())
}

/// Table 4.3-2 of the thesis: two ways to publish table 4.3-1, with cells of different levels.
const HEAD: &str = "Gender,Nationality,Disease\n";
const FIRST: &str = "*,U.S.,Flu\n*,Canada,Cold\n*,U.S.,Flu\n*,Canada,Cold\n\
                     M,*,Flu\nM,*,Flu\nF,*,Cold\nF,*,Cold\n";
const SECOND: &str = "M,*,Flu\nM,*,Cold\nF,*,Flu\nF,*,Cold\n\
                      *,U.S.,Flu\n*,Canada,Flu\n*,U.S.,Cold\n*,Canada,Cold\n";
const TABLE: &str = "M,U.S.,Flu\nM,Canada,Cold\nF,U.S.,Flu\nF,Canada,Cold\n\
                     M,U.S.,Flu\nM,Canada,Flu\nF,U.S.,Cold\nF,Canada,Cold\n";

/// The project of table 4.3-1, and both publications.
fn hospital() -> Folder {
    let project = "[data]\npath = \"table.csv\"\n\
                   [[attribute]]\nname = \"Gender\"\nrole = \"quasi-identifier\"\n\
                   [[attribute]]\nname = \"Nationality\"\nrole = \"quasi-identifier\"\n\
                   [[attribute]]\nname = \"Disease\"\nrole = \"sensitive\"\n";
    let file = |records: &str| format!("{HEAD}{records}");
    Folder::with([
        ("haggle.toml", project.to_owned()),
        ("table.csv", file(TABLE)),
        ("first.csv", file(FIRST)),
        ("second.csv", file(SECOND)),
    ])
}

#[test]
fn table_4_3_3_is_answered_from_files_with_mixed_cells() {
    let folder = hospital();
    // Whether a value goes with flu (and not cold), of the first publication.
    let values = [
        ("Gender", "M", true),
        ("Gender", "F", false),
        ("Nationality", "U.S.", true),
        ("Nationality", "Canada", false),
    ];
    for (column, value, flu) in values {
        let condition = format!("{column} = {value}");
        for project in [&[][..], &["--with-project", "."]] {
            let ask = |file: &str| {
                let arguments = ["query", file, &condition, "--of", "Disease", "--json"];
                folder.haggle(&[&arguments[..], project].concat()).json(0)
            };
            let (usual, other) = if flu { ("Flu", "Cold") } else { ("Cold", "Flu") };
            let first = ask("first.csv");
            assert_eq!(fraction(&first, "non_corrected", usual), (4.0, 6.0), "{condition}");
            assert_eq!(fraction(&first, "non_corrected", other), (2.0, 6.0));
            assert_eq!(fraction(&first, "independently_corrected", usual), (3.0, 4.0));
            assert_eq!(fraction(&first, "independently_corrected", other), (1.0, 4.0));
            let second = ask("second.csv");
            for disease in ["Flu", "Cold"] {
                assert_eq!(fraction(&second, "non_corrected", disease), (3.0, 6.0));
                assert_eq!(fraction(&second, "independently_corrected", disease), (2.0, 4.0));
            }
            assert_eq!(first["truth"].is_null(), project.is_empty());
            assert_eq!(first["error"].is_null(), project.is_empty());
        }
    }
}

#[test]
fn the_corrected_answers_by_value_add_up_to_all_records() {
    let folder = hospital();
    let answer = folder
        .haggle(&["query", "first.csv", "--of", "Disease", "--group-by", "Gender", "--json"])
        .json(0);
    let totals = |how: &str| -> Vec<f64> {
        let values = answer["by_value"].as_array().unwrap().iter();
        values.map(|one| one[how]["total"].as_f64().unwrap()).collect()
    };
    assert_eq!(totals("non_corrected"), [6.0, 6.0]);
    assert_eq!(totals("independently_corrected"), [4.0, 4.0]);
    assert_eq!(answer["basis"]["probabilities"], "uniform");
}

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

/// Table 3.5-1: what each model keeps of three blocks of ten records.
#[test]
fn the_blocks_of_table_3_5_1_are_kept_or_lost_as_the_models_say() {
    let block = |age: u32, diseases: &[(&str, usize)]| -> String {
        let lines = diseases.iter().map(|(d, n)| format!("{age},{d}\n").repeat(*n));
        lines.collect()
    };
    let records = [
        "age,disease\n".to_owned(),
        block(10, &[("acute leukemia", 10)]),
        block(70, &[("bladder cancer", 9), ("flu", 1)]),
        block(40, &[("pancreatic cancer", 6), ("cold", 2), ("flu", 2)]),
        // Enough others, so that no block must be generalized with another of the three.
        block(20, &[("cold", 30), ("flu", 30), ("gout", 30)]),
    ]
    .concat();
    let project = "[data]\npath = \"people.csv\"\n\
                   [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n\
                   [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n";
    let folder = Folder::with([("haggle.toml", project.to_owned()), ("people.csv", records)]);
    let kept = |age: u32, privacy: &str| {
        let condition = format!("age = {age}");
        let ask = [
            "query",
            ".",
            "--scheme",
            "0",
            &condition,
            "--of",
            "disease",
            "--privacy",
            privacy,
            "--json",
        ];
        folder.haggle(&ask).json(0)["non_corrected"]["total"] == 10.0
    };
    let all = |privacy: &str| [10, 70, 40].map(|age| kept(age, privacy));
    assert_eq!(all("k-anonymity=10"), [true, true, true]);
    assert_eq!(all("distinct-l-diversity=2"), [false, true, true]);
    // 6 < c * 4 needs c above 1.5.
    assert_eq!(all("recursive-l-diversity:l=2,c=1.5"), [false, false, false]);
    assert_eq!(all("recursive-l-diversity:l=2,c=1.6"), [false, false, true]);
    assert_eq!(all("t-closeness=0.4"), [false, false, false]);
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
fn mistakes_in_a_query_are_explained() {
    let folder = Folder::empty();
    let error = |condition: &str, more: &[&str]| {
        let arguments = [&["query"], THREE, &["--scheme", "2,1,1", condition], more].concat();
        let run = folder.haggle(&arguments);
        assert_eq!(run.code, Some(2), "{}", run.stdout);
        run.stderr
    };
    assert!(error("age <", &[]).contains("its end at character 6, where a value is expected"));
    assert!(error("agee < 3", &[]).contains("'agee'"));
    assert!(
        error("race = Whit", &[])
            .contains("'Whit' (after character 1 of the condition) is not a value of 'race'")
    );
    assert!(error("race < 3", &[]).contains("needs numbers or dates"));
    assert!(error("age < 25", &["--of", "nothing"]).contains("no column 'nothing'"));
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

/// Conditions name values of any column's hierarchy, whether the column is generalized or not.
#[test]
fn values_of_the_hierarchies_of_recorded_columns_may_be_named() {
    let folder = Folder::people();
    folder.edit(
        "haggle.toml",
        "role = \"sensitive\"",
        "role = \"sensitive\"\nhierarchy = \"disease.csv\"",
    );
    folder.write("disease.csv", "flu;lungs;*\nasthma;lungs;*\ngout;joints;*\ncoxitis;joints;*\n");
    let selected = |arguments: &[&str]| total(&folder, arguments);
    let scheme = ["--scheme", "1,1"];
    let with = |condition| selected(&[&scheme[..], &[condition]].concat());
    assert_eq!(with("disease = lungs"), with("disease in (flu, asthma)"));
    assert_eq!(with("disease = lungs").0, json!(3.0));
    assert_eq!(with("not disease = joints").0, json!(3.0));
    assert_eq!(with("disease in (joints, flu)").0, json!(3.0));
    // Age is not negotiated: it is published as recorded, and counted by a further scan.
    let of_age = |condition| selected(&["--qi", "sex", "--scheme", "1", condition]);
    assert_eq!(of_age("age = 30-39"), of_age("age in (34, 36)"));
    assert_eq!(of_age("age = 30-39").0, json!(2.0));
    assert_eq!(of_age("age = 40-49 and disease = joints").0, json!(1.0));
    let run = folder.haggle(&["query", ".", "--scheme", "1,1", "disease = heart"]);
    assert!(
        run.stderr.contains("'heart' (after character 1 of the condition) is not a value"),
        "{run:#?}"
    );
}

/// The distance between values that the project states for its models is the one of errors too.
#[test]
fn the_stated_distance_is_used() {
    let folder = Folder::people();
    folder.write("disease.csv", "flu;lungs;*\nasthma;lungs;*\ngout;joints;*\n");
    let error = |stated: &str| {
        folder.write("haggle.toml", crate::common::PEOPLE[0].1.to_owned() + stated);
        let asked = ["query", ".", "--scheme", "1,0", "age = 34", "--of", "disease", "--json"];
        let answer = folder.haggle(&asked).json(0);
        let error = &answer["error"]["non_corrected"];
        let number = |name: &str| error[name].as_f64().unwrap();
        (answer["basis"]["distance"].clone(), number("total_variation"), number("earth_movers"))
    };
    // The group of ages 30-39 and sex f has one flu and one asthma, the truth is flu: half of it
    // moves from asthma to flu.
    assert_eq!(error(""), (json!("equal"), 0.5, 0.5));
    let hierarchical = "hierarchy = \"disease.csv\"\ndistance = \"hierarchical\"\n";
    assert_eq!(error(hierarchical), (json!("hierarchical"), 0.5, 0.25));
    let ordered = "order = [\"asthma\", \"gout\", \"flu\"]\ndistance = \"ordered\"\n";
    assert_eq!(error(ordered), (json!("ordered"), 0.5, 0.5));
    let close = "order = [\"asthma\", \"flu\", \"gout\"]\ndistance = \"ordered\"\n";
    assert_eq!(error(close), (json!("ordered"), 0.5, 0.25));
}

/// Records are counted, also where several are of one person.
#[test]
fn queries_count_records_of_persons() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "[data]", "[data]\nunit = \"name\"");
    folder.write(
        "people.csv",
        "name,age,sex,disease\nAda,34,f,flu\nAda,34,f,gout\nBea,36,f,asthma\nCid,41,m,flu\nDan,47,m,gout\n",
    );
    assert_eq!(total(&folder, &["--scheme", "1,1", "age < 40"]), (json!(3.0), json!(3.0)));
    assert_eq!(total(&folder, &["--scheme", "0,0", "age = 34"]), (json!(2.0), json!(2.0)));
    // Ada is one person, and her group has two records.
    assert_eq!(total(&folder, &["--scheme", "0,0", "age = 34", "--k", "2"]).1, json!(0.0));
}

/// A missing value that matches nothing satisfies what names it or excludes others, and no range.
#[test]
fn unmatched_values_are_in_no_range() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "[data]", "[data]\non_missing = \"unmatched\"");
    folder.write(
        "people.csv",
        "name,age,sex,disease\nAda,34,f,flu\nBea,,f,asthma\nCid,41,m,flu\nDan,,m,gout\nEve,36,f,flu\n",
    );
    for scheme in ["0,0", "1,0", "1,1"] {
        let selected = |condition: &str| total(&folder, &["--scheme", scheme, condition]);
        for (condition, records) in [
            ("age < 40", 2.0),
            ("age >= 40", 1.0),
            ("age < 40 or age >= 40", 3.0),
            ("age != 34", 4.0),
            ("not age < 40", 3.0),
            ("sex = f and age != 36", 2.0),
        ] {
            let records = json!(records);
            assert_eq!(selected(condition), (records.clone(), records), "{scheme}: {condition}");
        }
    }
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

//! `haggle risk`: numbers by hand on small tables, before publishing and from published files.

use serde_json::{Value, json};

use crate::common::Folder;

/// The hospital of the source's table 2.1-1, with hierarchies that give its table 2.1-2.
fn hospital() -> Folder {
    hospital_stating("")
}

/// The hospital with more stated about the condition.
fn hospital_stating(more: &str) -> Folder {
    let attribute = |name: &str, file: &str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{file}\"\n"
        )
    };
    let project = format!(
        "[data]\npath = \"hospital.csv\"\n{}{}{}[[attribute]]\nname = \"condition\"\nrole = \"sensitive\"\n{more}",
        attribute("zip", "zip.csv"),
        attribute("age", "age.csv"),
        attribute("nationality", "nationality.csv"),
    );
    let records = "zip,age,nationality,condition\n\
        13053,28,Russian,Heart Disease\n13068,29,American,Heart Disease\n\
        13068,21,Japanese,Viral Infection\n13053,23,American,Viral Infection\n\
        14853,50,Indian,Cancer\n14853,55,Russian,Heart Disease\n\
        14850,47,American,Viral Infection\n14850,49,American,Viral Infection\n\
        13053,31,American,Cancer\n13053,37,Indian,Cancer\n\
        13068,36,Japanese,Cancer\n13068,35,American,Cancer\n";
    let decade = |age: u32| match age / 10 {
        2 => "<30",
        3 => "3*",
        _ => "≥40",
    };
    let ages = [21, 23, 28, 29, 31, 35, 36, 37, 47, 49, 50, 55];
    let ages: String = ages.iter().map(|age| format!("{age};{};*\n", decade(*age))).collect();
    Folder::with([
        ("haggle.toml", project),
        ("hospital.csv", records.to_owned()),
        ("zip.csv", "13053;130**;*\n13068;130**;*\n14850;1485*;*\n14853;1485*;*\n".to_owned()),
        ("age.csv", ages),
        ("nationality.csv", "American;*\nIndian;*\nJapanese;*\nRussian;*\n".to_owned()),
    ])
}

fn attack<'r>(report: &'r Value, name: &str) -> &'r Value {
    let attacks = report["sensitive"][0]["attacks"].as_array().unwrap();
    attacks.iter().find(|attack| attack["attack"] == name).unwrap()
}

#[test]
fn the_scheme_and_the_file_expose_the_same_patients() {
    let folder = hospital();
    let before = folder.haggle(&["risk", ".", "--scheme", "1,1,1", "--json"]).json(0);
    folder.haggle(&["publish", ".", "--k", "4", "--scheme", "1,1,1", "-o", "out.csv"]).text();
    let after = folder.haggle(&["risk", "out.csv", ".", "--json"]).json(0);
    for report in [&before, &after] {
        assert_eq!((&report["records"], &report["groups"]), (&json!(12), &json!(3)));
        let risk = &report["risk"];
        assert_eq!(risk["prosecutor"], json!({"highest": 0.25, "mean": 0.25, "above": 12}));
        assert_eq!((&risk["marketer"], &risk["unique"]), (&json!(0.25), &json!(0)));
        let homogeneity = attack(report, "homogeneity");
        assert_eq!((&homogeneity["exposed"], &homogeneity["groups"]), (&json!(4), &json!(1)));
        let worst = json!([{"values": ["130**", "3*", "*"], "exposed": 4, "records": 4, "why": "all records have the same value"}]);
        assert_eq!(homogeneity["worst"], worst);
        assert_eq!(attack(report, "background-knowledge")["exposed"], 8);
        assert_eq!(report["sensitive"][0]["belief"]["exposed"]["positive"], 4);
    }
}

#[test]
fn a_target_is_believed_as_theorem_3_1_3_says() {
    let folder = hospital();
    // The population: of the Japanese only one in four has a heart disease, of the others half.
    let mut population = String::from("zip,age,nationality,condition\n");
    for (zip, age, nationality, condition, persons) in [
        ("13053", 28, "Russian", "Heart Disease", 2),
        ("13053", 28, "Russian", "Viral Infection", 2),
        ("13068", 29, "American", "Heart Disease", 2),
        ("13068", 29, "American", "Viral Infection", 2),
        ("13068", 21, "Japanese", "Heart Disease", 1),
        ("13068", 21, "Japanese", "Viral Infection", 3),
        ("13053", 23, "American", "Heart Disease", 2),
        ("13053", 23, "American", "Viral Infection", 2),
        ("14853", 50, "Indian", "Cancer", 2),
        ("14853", 55, "Russian", "Heart Disease", 2),
        ("14850", 47, "American", "Viral Infection", 2),
        ("14850", 49, "American", "Viral Infection", 2),
        ("13053", 31, "American", "Cancer", 1),
        ("13053", 37, "Indian", "Cancer", 1),
        ("13068", 36, "Japanese", "Cancer", 1),
        ("13068", 35, "American", "Cancer", 1),
    ] {
        population += &format!("{zip},{age},{nationality},{condition}\n").repeat(persons);
    }
    folder.write("population.csv", population);
    let fixed = ["risk", ".", "--scheme", "1,1,1", "--population", "population.csv", "--json"];
    let target = ["--prior", "population", "--target", "zip=13068,age=21,nationality=Japanese"];
    let report = folder.haggle(&[&fixed[..], &target].concat()).json(0);
    // n = 2 and 2; N(q₀,s)/N(q₀*,s) = 1/7 and 3/9.
    let (heart, viral) = (2.0 / 7.0, 2.0 * 3.0 / 9.0);
    let values = report["sensitive"][0]["belief"]["target"]["values"].as_array().unwrap();
    let after = |name: &str| {
        let value = values.iter().find(|value| value["value"] == name).unwrap();
        (value["before"].as_f64().unwrap(), value["most"].as_f64().unwrap())
    };
    let close = |(a, b): (f64, f64), (x, y): (f64, f64)| (a - x).abs() + (b - y).abs() < 1e-12;
    assert!(close(after("Heart Disease"), (0.25, heart / (heart + viral))), "{values:?}");
    assert!(close(after("Viral Infection"), (0.75, viral / (heart + viral))), "{values:?}");
    // The journalist: 12 of 28 persons; groups of 4 in 16, 8 and 4.
    let journalist = &report["risk"]["journalist"];
    assert_eq!((&journalist["highest"], &journalist["above"]), (&json!(0.25), &json!(4)));
    assert_eq!(report["risk"]["population"], 28);
    // Ruling out both leaves nothing: a contradiction.
    let ruled_out = ["--rule-out", "Heart Disease", "--rule-out", "Viral Infection"];
    let marginal = ["--target", "zip=13068,age=21,nationality=Japanese"];
    let report = folder.haggle(&[&fixed[..], &marginal, &ruled_out].concat()).json(0);
    assert_eq!(report["sensitive"][0]["belief"]["target"]["contradiction"], true);
    // A population that lacks a published person is refused.
    folder.write("population.csv", "zip,age,nationality,condition\n13068,21,Japanese,Cancer\n");
    let refused = folder.haggle(&[&fixed[..], &target].concat());
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("rules out"), "{refused:#?}");
}

#[test]
fn stated_conditionals_and_summaries_are_priors() {
    let folder = hospital();
    let mut stated = String::from("zip,age,nationality,condition,probability,share\n");
    let records = String::from_utf8(folder.read("hospital.csv")).unwrap();
    for line in records.lines().skip(1) {
        let (q, _) = line.rsplit_once(',').unwrap();
        for (condition, probability) in
            [("Heart Disease", 0.5), ("Viral Infection", 0.25), ("Cancer", 0.25)]
        {
            stated += &format!("{q},{condition},{probability},0.08333333\n");
        }
    }
    folder.write("stated.csv", &stated);
    let run = |prior: &str| {
        folder.haggle(&["risk", ".", "--scheme", "1,1,1", "--prior", prior, "--json"])
    };
    // Everyone has the same conditional, so the belief is that of the marginal.
    let belief = run("conditionals:stated.csv").json(0)["sensitive"][0]["belief"].clone();
    assert_eq!(belief["exposed"]["positive"], belief["marginal"]["positive"]);
    let table = run("table").json(0)["sensitive"][0]["belief"]["exposed"].clone();
    assert_eq!(table["positive"], 12, "every patient is alone with the recorded values");
    let summary = run("summary:bayes").json(0)["sensitive"][0]["belief"]["exposed"].clone();
    assert_eq!(summary["targets"], 12);
    folder.write("stated.csv", stated.replace(",0.5,", ",half,"));
    let refused = run("conditionals:stated.csv");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("not a number") && !refused.stderr.contains("13053"));
}

#[test]
fn columns_that_single_people_out_are_ranked() {
    let folder = hospital();
    let report = folder.haggle(&["risk", ".", "--key-size", "1", "--json"]).json(0);
    let columns = &report["columns"];
    assert_eq!((&columns["largest"], &columns["records"]), (&json!(1), &json!(12)));
    let sets = json!([{"columns": ["age"], "records": 12}]);
    assert_eq!(columns["sets"], sets, "every age occurs once");
    assert_eq!(columns["ranking"][0]["column"], "age");
    assert_eq!(columns["ranking"][0]["quasi_identifier"], true);
    assert_eq!(report["risk"]["unique"], 12);
    assert_eq!(report["risk"]["contributions"][0]["attribute"], "age");
    let text = folder.haggle(&["risk", "."]).text().to_owned();
    assert!(!text.contains("13053") && !text.contains("Russian"), "a record is printed: {text}");
}

#[test]
fn publish_says_what_falls_below_the_promise_together_with_earlier_publications() {
    let folder = hospital();
    let publish = |k: &str, scheme: &str, output: &str| {
        folder.haggle(&["publish", ".", "--k", k, "--scheme", scheme, "-o", output, "--json"])
    };
    let first = publish("4", "1,1,1", "one.csv");
    assert!(first.json(0).get("together").is_none());
    let same = publish("4", "1,2,1", "two.csv");
    let same = same.json(0)["together"].clone();
    assert_eq!((&same["checked"], &same["unchecked"]), (&json!(1), &json!(0)));
    assert_eq!((&same["below"], &same["unique"]), (&json!(0), &json!(0)));
    // At the coarser of both schemes every group has the same records in both.
    assert_eq!(
        (&same["differing"]["compared"], &same["differing"]["groups"]),
        (&json!(1), &json!(0))
    );
    // By zip code alone there are groups of 4, 4, 2 and 2; with the ages of the first publication
    // the eight patients of 13053 and 13068 are in groups of 2.
    let finer = publish("2", "0,2,1", "three.csv");
    assert_eq!(finer.json(0)["together"]["below"], 0, "groups of 2 keep k = 2");
    let stronger = publish("4", "0,2,1", "four.csv");
    let together = stronger.json(0)["together"].clone();
    assert_eq!((&together["checked"], &together["below"]), (&json!(3), &json!(8)));
    assert_eq!(together["over"], json!(["zip", "age", "nationality"]));
    // The third publication shows 14850 and 14853, two patients each, whom this one suppresses.
    let differing = &together["differing"];
    assert_eq!((&differing["groups"], &differing["from"]), (&json!(2), &json!("three.csv")));
    assert!(stronger.stderr.contains("8 records fall below the promise"), "{stronger:#?}");
    let report = folder.haggle(&["risk", ".", "--k", "4", "--scheme", "0,2,1", "--json"]).json(0);
    assert_eq!(attack(&report, "composition")["exposed"], 8);
}

#[test]
fn what_cannot_be_is_refused_with_a_fix() {
    let folder = hospital();
    for (arguments, words) in [
        (&["--target", "zip=13068"][..], "'age' is not stated"),
        (&["--target", "zip=130**,age=21,nationality=Japanese"], "not a recorded value"),
        (&["--target", "city=Rome"], "not a quasi-identifier"),
        (&["--sampling-fraction", "0"], "sampling fraction"),
        (&["--prior", "population"], "no population is given"),
        (&["--prior", "summary:luck"], "there is no summary 'luck'"),
        (&["--rho1", "0.7"], "not below rho2"),
        (&["--population", "nothing.csv"], "nothing.csv"),
    ] {
        let run = folder.haggle(&[&["risk", "."], arguments].concat());
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:#?}");
        assert!(run.stderr.contains(words) && run.stderr.contains("fix:"), "{run:#?}");
    }
}

#[test]
fn boxes_are_examined_before_and_after_they_are_published() {
    let folder = hospital();
    let found = ["--k", "3", "--strategy", "mondrian"];
    let before = folder.haggle(&[&["risk", ".", "--json"], &found[..]].concat()).json(0);
    folder.haggle(&[&["publish", ".", "-o", "boxes.csv"], &found[..]].concat()).text();
    let after = folder.haggle(&["risk", "boxes.csv", ".", "--json"]).json(0);
    assert!(before["groups"].as_u64().unwrap() > 1, "{before}");
    assert_eq!(before["groups"], after["groups"]);
    assert_eq!(before["risk"]["prosecutor"], after["risk"]["prosecutor"]);
    for attack_name in ["homogeneity", "background-knowledge", "skewness"] {
        let exposed = |report| attack(report, attack_name)["exposed"].clone();
        assert_eq!(exposed(&before), exposed(&after), "{attack_name}");
    }
    let believed = |report: &Value| report["sensitive"][0]["belief"]["exposed"].clone();
    assert_eq!(believed(&before), believed(&after));
}

#[test]
fn every_attack_is_in_the_book() {
    let report = hospital().haggle(&["risk", ".", "--json"]).json(0);
    let book = include_str!("../../../../docs/reference/catalogs.md");
    for attack in report["sensitive"][0]["attacks"].as_array().unwrap() {
        let line = format!("| `{}` |", attack["attack"].as_str().unwrap());
        assert!(book.contains(&line), "docs/reference/catalogs.md lacks {line}");
    }
}

/// What a project states of values holds for its files as for its schemes: the ages of table 2.1-2's
/// second group all have cancer, which may be disclosed here, and conditions have classes.
#[test]
fn files_are_examined_by_what_their_project_states() {
    let folder = hospital_stating(
        "dont_care = [\"Cancer\"]\nclass_function = \"empirical\"\n\
         order = [\"Viral Infection\", \"Heart Disease\", \"Cancer\"]\n",
    );
    let before = folder.haggle(&["risk", ".", "--scheme", "1,1,1", "--json"]).json(0);
    folder.haggle(&["publish", ".", "--k", "4", "--scheme", "1,1,1", "-o", "out.csv"]).text();
    let after = folder.haggle(&["risk", "out.csv", ".", "--json"]).json(0);
    for report in [&before, &after] {
        assert_eq!(attack(report, "homogeneity")["exposed"], 0, "{report}");
        assert_eq!(attack(report, "elimination")["reason"], Value::Null, "{report}");
    }
    for name in ["background-knowledge", "skewness", "similarity", "elimination"] {
        assert_eq!(attack(&before, name), attack(&after, name));
    }
    assert_eq!(before["sensitive"][0]["belief"], after["sensitive"][0]["belief"]);
}

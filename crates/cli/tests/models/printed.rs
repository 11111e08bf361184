//! What S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, prints,
//! by the real binary: options of models, of measures and of the project file.

use std::collections::BTreeMap;

use haggle_testkit::oracle::definitions::{self, Parameters};
use serde_json::{Value, json};

use crate::common::Folder;
use crate::models::hospital::{DISEASES, folder, folder_with, patients, stated};

/// Definition 3.5.8 with MC(l): what is asked as (c,2) of the printed definition is (c,3) here.
#[test]
fn the_printed_covering_is_asked_for_as_an_option() {
    let ask = |privacy: &str| {
        let privacy = format!("recursive-categorical-diversity:{privacy},on=disease");
        let run = ["ask", ".", "--privacy", &privacy, "--max-suppressed", "100%", "--json"];
        let answer = folder().haggle(&run).json(0);
        answer["exact"]["suppressed"].as_u64().map(|n| (n, answer["exact"]["scheme"].clone()))
    };
    let c = ["0.6", "0.8", "1", "1.5", "3"];
    let at = |l: &str, option: &str| c.map(|c| ask(&format!("l={l},c={c}{option}")));
    assert_eq!(at("2", ",covering=l"), at("3", ""));
    assert_ne!(at("2", ",covering=l"), at("2", ""));
    let privacy = "recursive-categorical-diversity:l=2,c=3,covering=2,on=disease";
    let refused = folder().haggle(&["ask", ".", "--privacy", privacy]).printed(2);
    assert!(refused.contains("covering"), "{refused}");
}

/// Definition 3.3.5 over the values that occur, and 3.3's don't-care set of the most frequent
/// values: the published file is judged by the definition on its own records.
#[test]
fn values_that_occur_and_most_frequent_values_are_stated_in_the_project() {
    let folder = folder_with(&[
        ("never_rule_out = [\"flu\"]", "never_rule_out = \"occurring\""),
        ("dont_care = [\"cold\"]\n", "dont_care = { most_frequent = 2 }\n"),
        (
            "categories = { terminal = [\"AIDS\", \"cancer\"], infectious = [\"AIDS\", \"flu\", \"tuberculosis\"], lung = [\"asthma\", \"tuberculosis\"] }\n",
            "",
        ),
    ]);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for patient in patients() {
        *counts.entry(patient[2].clone()).or_default() += 1;
    }
    let mut frequent: Vec<(usize, String)> = counts.into_iter().map(|(v, n)| (n, v)).collect();
    frequent.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let dont_care = frequent.iter().take(2).map(|(_, value)| value.clone()).collect();
    let stated = definitions::Stated { occurring: true, dont_care, ..stated("disease") };
    let privacy = "npd-recursive-l-diversity:l=2,c1=0.6,c2=0.05,on=disease";
    let run = ["publish", ".", "--privacy", privacy, "--scheme", "2,0", "-o", "out.csv", "--json"];
    let report = folder.haggle(&run).json(0);
    assert!(report["suppressed"].as_u64().unwrap() < 120, "{report}");
    let numbers = [("l", 2.0), ("c1", 0.6), ("c2", 0.05)];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), number)).into();
    let parameters = Parameters { numbers, ..Parameters::default() };
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        groups.entry(fields[..2].join(",")).or_default().push(fields[2]);
    }
    for group in groups.values() {
        let id = "npd-recursive-l-diversity";
        assert!(definitions::passes(id, &parameters, &stated, group, group), "{group:?}");
    }
    let verdict =
        folder.haggle(&["verify", "out.csv", ".", "--privacy", privacy, "--json"]).json(0);
    assert_eq!(verdict["holds"], Value::Bool(true), "{verdict}");
}

#[test]
fn statements_that_are_not_possible_are_refused() {
    let refused =
        |from: &str, to: &str| folder_with(&[(from, to)]).haggle(&["check", "."]).printed(2);
    let zero = refused("dont_care = [\"cold\"]", "dont_care = { most_frequent = 0 }");
    assert!(zero.contains("dont_care") && zero.contains("most_frequent = 3"), "{zero}");
    let every = refused("never_rule_out = [\"flu\"]", "never_rule_out = \"all\"");
    assert!(every.contains("never_rule_out") && every.contains("\"occurring\""), "{every}");
    let class = "class_function = { points = [[0, 0], [100, 1], [1000, 2]] }";
    let sine = refused(class, "class_function = { points = [[0, 0], [100, 1]], of = \"sine\" }");
    assert!(sine.contains("class_function") && sine.contains("log10"), "{sine}");
    let prior = "prior = { AIDS = 0.05, asthma = 0.2, cancer = 0.1, cold = 0.3, flu = 0.3, tuberculosis = 0.05 }";
    let unknown = refused(prior, "alpha = { given = \"zip\", values = { a = { flu = 0 } } }");
    assert!(unknown.contains("alpha of 'disease' is given 'zip'"), "{unknown}");
    let negative = refused(prior, "alpha = { flu = -1 }");
    assert!(negative.contains("alpha of 'disease' has a factor below 0"), "{negative}");
}

/// Section 3.6: cf(f(s)) in the project file.
#[test]
fn a_class_function_of_a_logarithm() {
    let class = "class_function = { points = [[0, 0], [100, 1], [1000, 2]] }";
    let of_log = "class_function = { points = [[0, 0], [3, 6]], of = \"log10\" }";
    let folder = folder_with(&[(class, of_log)]);
    let run = ["security", ".", "--scheme", "4,1", "--on", "cost", "--json"];
    let found = folder.haggle(&run).json(0);
    for value in found["values"].as_array().unwrap() {
        let cost: f64 = value["value"].as_str().unwrap().parse().unwrap();
        assert!((value["class"].as_f64().unwrap() - 2.0 * cost.log10()).abs() < 1e-9, "{value}");
    }
}

/// 24 overlapping categories: each disease is in several.
fn complicated() -> Folder {
    let members = |i: usize| {
        let held = DISEASES.iter().enumerate().filter(|(d, _)| (d * 7 + i * 5) % 6 < 2 || i == *d);
        let held = held.map(|(_, disease)| format!("\"{disease}\"")).collect::<Vec<_>>();
        format!("c{i} = [{}]", held.join(", "))
    };
    let categories = (0..24).map(members).collect::<Vec<_>>().join(", ");
    folder_with(&[
        (
            "categories = { terminal = [\"AIDS\", \"cancer\"], infectious = [\"AIDS\", \"flu\", \"tuberculosis\"], lung = [\"asthma\", \"tuberculosis\"] }",
            &format!("categories = {{ {categories} }}"),
        ),
        ("dont_care = [\"cold\"]\n", ""),
    ])
}

/// Section 3.5, footnote 1: more categories than can be covered exactly are bounded, which the
/// answer reports.
#[test]
fn many_overlapping_categories_are_reported_as_approximate() {
    let folder = complicated();
    let privacy = "categorical-diversity:l=2,on=disease";
    let answer = folder.haggle(&["ask", ".", "--privacy", privacy, "--json"]).json(0);
    assert_eq!(answer["approximate"], json!(["categorical-diversity"]));
    assert_eq!(answer["asked"]["privacy"][0]["cover"], "bounds");
    let text = folder.haggle(&["ask", ".", "--privacy", privacy]).text().to_owned();
    assert!(text.contains("categorical-diversity is approximate"), "{text}");
    let exact = format!("{privacy},cover=exact");
    let refused = folder.haggle(&["ask", ".", "--privacy", &exact]).printed(2);
    assert!(refused.contains("cannot cover 24 overlapping categories exactly"), "{refused}");
    let plain = self::folder().haggle(&["ask", ".", "--privacy", privacy, "--json"]).json(0);
    assert_eq!(plain.get("approximate"), None);
}

/// Definitions 4.4.2 and 4.4.6 as measures: over a set, and by another volume.
#[test]
fn relational_losses_take_a_set_and_a_volume() {
    let loss = |measure: &str| {
        let run = ["ask", ".", "--k", "5", "--optimize", measure, "--json"];
        folder().haggle(&run).json(0)["exact"]["loss"].clone()
    };
    for measure in ["variance:on=disease,over=age", "hybrid:on=disease,volume=redaction"] {
        let found = loss(measure);
        assert!(found[measure].as_f64().is_some(), "{measure}: {found}");
    }
    let sets = ["age", "sex", "age,sex"].map(|over| {
        let measure = format!("variance:on=disease,over={over}");
        loss(&measure)[&measure].as_f64().unwrap()
    });
    assert!((sets[0] - sets[1]).abs() > 1e-6, "{sets:?}");
    let whole = loss("variance:on=disease")["variance:on=disease"].as_f64().unwrap();
    assert!((sets[2] - whole).abs() < 1e-9, "{sets:?} {whole}");
    let refused = |measure: &str| {
        folder().haggle(&["ask", ".", "--k", "5", "--optimize", measure]).printed(2)
    };
    for (measure, reason) in [
        ("variance:on=disease,over=zip", "'zip' is not among the quasi-identifiers"),
        ("variance:on=disease,over=age,age", "'over' names 'age' twice"),
        ("variance:on=disease,over=", "'over' names no quasi-identifier"),
        ("hybrid:on=disease,volume=height", "hybrid has no volume 'height'"),
        ("hybrid:volume=lm,volume=entropy", "'volume' is stated twice"),
        ("lm:over=age", "lm"),
    ] {
        let text = refused(measure);
        assert!(text.contains(reason), "{measure}: {text}");
    }
}

/// The groups in which a value is most easily ruled out or guessed, from their records.
#[test]
fn the_worst_groups_of_psi_are_shown() {
    let run = ["security", ".", "--scheme", "2,0", "--on", "cost", "--worst", "3", "--json"];
    let found = folder().haggle(&run).json(0);
    let class = |cost: &str| match cost {
        "20" => 0.2,
        "60" => 0.6,
        "100" => 1.0,
        "550" => 1.5,
        _ => 2.0,
    };
    let bell = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let mut groups: BTreeMap<(u64, String), Vec<f64>> = BTreeMap::new();
    for [age, sex, _, cost] in patients() {
        let decade = age.parse::<u64>().unwrap() / 20;
        groups.entry((decade, sex)).or_default().push(class(&cost));
    }
    let psi = |group: &Vec<f64>, x: f64| group.iter().map(|mean| bell(x - mean)).sum::<f64>();
    let extreme = |group: &Vec<f64>, pick: fn(f64, f64) -> f64| {
        group.iter().map(|&x| psi(group, x)).reduce(pick).unwrap()
    };
    for (key, pick) in
        [("easily_ruled_out", f64::min as fn(f64, f64) -> f64), ("easily_guessed", f64::max)]
    {
        let mut expected: Vec<f64> = groups.values().map(|group| extreme(group, pick)).collect();
        expected.sort_by(f64::total_cmp);
        if key == "easily_guessed" {
            expected.reverse();
        }
        let shown = found[key].as_array().unwrap();
        assert_eq!(shown.len(), 3.min(groups.len()));
        for (group, expected) in shown.iter().zip(expected) {
            assert!((group["psi"].as_f64().unwrap() - expected).abs() < 1e-9, "{group} {expected}");
        }
    }
    let text =
        folder().haggle(&["security", ".", "--scheme", "2,0", "--on", "cost"]).text().to_owned();
    assert!(text.contains("Groups with a value that is easily ruled out"), "{text}");
}

/// Theorem 3.1.3 and section 3.2: β(X,s) is proportional to n(q*,s) · α(X,s) · f(s|q) / f(s|q*),
/// with a prior and factors that depend on the sex.
#[test]
fn beliefs_follow_a_prior_and_factors_that_depend_on_a_quasi_identifier() {
    let prior = "prior = { AIDS = 0.05, asthma = 0.2, cancer = 0.1, cold = 0.3, flu = 0.3, tuberculosis = 0.05 }";
    let given = "prior = { given = \"sex\", values = { f = { AIDS = 0.1, asthma = 0.1, cancer = 0.3, cold = 0.2, flu = 0.2, tuberculosis = 0.1 }, m = { AIDS = 0.2, asthma = 0.3, cancer = 0.1, cold = 0.1, flu = 0.2, tuberculosis = 0.1 } } }\nalpha = { given = \"sex\", values = { f = { asthma = 0, flu = 0.5 } } }";
    let folder = folder_with(&[(prior, given)]);
    let f = [0.1, 0.1, 0.3, 0.2, 0.2, 0.1];
    let m = [0.2, 0.3, 0.1, 0.1, 0.2, 0.1];
    let alpha = [1.0, 0.0, 1.0, 1.0, 0.5, 1.0];
    let of = |sex: &str| patients().iter().filter(|p| p[1] == sex).count() as f64;
    let (women, men) = (of("f"), of("m"));
    let all = patients();
    let n = |s: usize| all.iter().filter(|p| p[2] == DISEASES[s]).count() as f64;
    // Sex is published as *, age too: f(s|q*) is the mean over all patients.
    let among = |s: usize| (women * f[s] + men * m[s]) / (women + men);
    let terms: Vec<f64> = (0..6).map(|s| n(s) * alpha[s] * f[s] / among(s)).collect();
    let sum: f64 = terms.iter().sum();
    let target = all.iter().find(|p| p[1] == "f").unwrap();
    let target = format!("age={},sex=f", target[0]);
    let run = ["risk", ".", "--scheme", "4,1", "--on", "disease", "--prior", "stated"];
    let report = folder.haggle(&[&run[..], &["--target", &target, "--json"]].concat()).json(0);
    let belief = &report["sensitive"][0]["belief"];
    assert_eq!((&belief["prior"], &belief["alpha"]), (&json!("stated"), &json!("sex")));
    let values = belief["target"]["values"].as_array().unwrap();
    assert_eq!(values.len(), 6);
    let known: f64 = (0..6).map(|s| alpha[s] * f[s]).sum();
    for value in values {
        let s = DISEASES.iter().position(|d| value["value"] == *d).unwrap();
        let (before, after) = (alpha[s] * f[s] / known, terms[s] / sum);
        assert!((value["before"].as_f64().unwrap() - before).abs() < 1e-9, "{value} {before}");
        assert!((value["most"].as_f64().unwrap() - after).abs() < 1e-9, "{value} {after}");
    }
    // Of a file that was published by the scheme the belief is the same.
    let publish = ["publish", ".", "--k", "2", "--scheme", "4,1", "-o", "all.csv"];
    folder.haggle(&publish).text();
    let of_file = ["risk", "all.csv", ".", "--on", "disease", "--prior", "stated"];
    let of_file = folder.haggle(&[&of_file[..], &["--target", &target, "--json"]].concat()).json(0);
    assert_eq!(of_file["sensitive"][0]["belief"]["target"], belief["target"]);
    // A factor for the target alone multiplies the others.
    let halved = [&run[..], &["--target", &target, "--alpha", "cold=0.5", "--json"]].concat();
    let halved = folder.haggle(&halved).json(0);
    let values = halved["sensitive"][0]["belief"]["target"]["values"].as_array().unwrap();
    let cold = values.iter().find(|value| value["value"] == "cold").unwrap();
    let expected = terms[3] / 2.0 / (sum - terms[3] / 2.0);
    assert!((cold["most"].as_f64().unwrap() - expected).abs() < 1e-9, "{cold} {expected}");
    let wrong = [&run[..], &["--target", &target, "--alpha", "cold=-1"]].concat();
    let wrong = folder.haggle(&wrong).printed(2);
    assert!(wrong.contains("alpha = -1 of 'cold' is out of range"), "{wrong}");
    let rho = "rho-privacy:rho1=0.15,rho2=0.4,on=disease";
    let refused = folder.haggle(&["ask", ".", "--privacy", rho]).printed(2);
    assert!(refused.contains("depends on 'sex'"), "{refused}");
    let none = folder_with(&[(prior, "")]).haggle(&run).printed(2);
    assert!(none.contains("the project states no prior of 'disease'"), "{none}");
}

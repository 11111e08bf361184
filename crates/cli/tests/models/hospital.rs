//! A hospital of 120 patients whose project states everything that a model can ask for.

use std::fmt::Write;

use haggle_testkit::oracle::definitions::Stated;

use crate::common::Folder;

pub(crate) const DISEASES: [&str; 6] = ["AIDS", "asthma", "cancer", "cold", "flu", "tuberculosis"];

pub(crate) const PROJECT: &str = r#"[data]
path = "patients.csv"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [10, 20, 40] }

[[attribute]]
name = "sex"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
hierarchy = { tree = { infection = ["AIDS", "cold", "flu", "tuberculosis"], other = ["asthma", "cancer"] } }
order = ["cold", "flu", "asthma", "tuberculosis", "cancer", "AIDS"]
categories = { terminal = ["AIDS", "cancer"], infectious = ["AIDS", "flu", "tuberculosis"], lung = ["asthma", "tuberculosis"] }
dont_care = ["cold"]
never_rule_out = ["flu"]
distance = "ordered"
prior = { AIDS = 0.05, asthma = 0.2, cancer = 0.1, cold = 0.3, flu = 0.3, tuberculosis = 0.05 }

[[attribute]]
name = "cost"
role = "sensitive"
class_function = { points = [[0, 0], [100, 1], [1000, 2]] }
distance = "costs.csv"
"#;

/// The patients, drawn by a small generator so that no file is needed: age, sex, disease, cost.
pub(crate) fn patients() -> Vec<[String; 4]> {
    let mut state = 17_u64;
    let mut draw = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let costs = ["20", "60", "100", "550", "1000"];
    (0..120)
        .map(|_| {
            let disease = [3, 3, 4, 4, 1, 1, 2, 5, 0, 3, 4][draw(11) as usize];
            let age = (20 + draw(40)).to_string();
            let sex = ["f", "m"][draw(2) as usize].to_owned();
            let cost = costs[draw(5) as usize].to_owned();
            [age, sex, DISEASES[disease].to_owned(), cost]
        })
        .collect()
}

/// The folder with something else in the project file.
pub(crate) fn folder_with(replaced: &[(&str, &str)]) -> Folder {
    let folder = folder();
    let project = replaced.iter().fold(PROJECT.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    folder.write("haggle.toml", project);
    folder
}

pub(crate) fn folder() -> Folder {
    let mut csv = String::from("age,sex,disease,cost\n");
    for patient in patients() {
        writeln!(csv, "{}", patient.join(",")).unwrap();
    }
    let costs = ["20", "60", "100", "550", "1000"];
    let mut matrix = format!(";{}\n", costs.join(";"));
    for (i, cost) in costs.iter().enumerate() {
        let row = (0..costs.len()).map(|j| (i.abs_diff(j) as f64 / 4.0).to_string());
        writeln!(matrix, "{cost};{}", row.collect::<Vec<_>>().join(";")).unwrap();
    }
    Folder::with([
        ("haggle.toml", PROJECT.to_owned()),
        ("patients.csv", csv),
        ("costs.csv", matrix),
    ])
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

/// What is stated of an attribute, for the definitions; `attribute` is disease or cost.
pub(crate) fn stated(attribute: &str) -> Stated {
    if attribute == "cost" {
        let costs = ["20", "60", "100", "550", "1000"];
        let classes = [0.2, 0.6, 1.0, 1.5, 2.0];
        let pairs = (0..5_usize).flat_map(|i| (0..5_usize).map(move |j| (i, j)));
        return Stated {
            order: texts(&costs),
            class_function: texts(&costs).into_iter().zip(classes).collect(),
            matrix: pairs
                .map(|(i, j)| ((costs[i].into(), costs[j].into()), i.abs_diff(j) as f64 / 4.0))
                .collect(),
            ..Stated::default()
        };
    }
    let parent = |disease: &str| match disease {
        "asthma" | "cancer" => "other",
        _ => "infection",
    };
    let prior = [0.05, 0.2, 0.1, 0.3, 0.3, 0.05];
    Stated {
        order: texts(&["cold", "flu", "asthma", "tuberculosis", "cancer", "AIDS"]),
        hierarchy: DISEASES.iter().map(|d| texts(&[d, parent(d), "*"])).collect(),
        categories: vec![
            ("terminal".into(), texts(&["AIDS", "cancer"])),
            ("infectious".into(), texts(&["AIDS", "flu", "tuberculosis"])),
            ("lung".into(), texts(&["asthma", "tuberculosis"])),
        ],
        dont_care: texts(&["cold"]),
        never_rule_out: texts(&["flu"]),
        prior: Some(texts(&DISEASES).into_iter().zip(prior).collect()),
        ..Stated::default()
    }
}

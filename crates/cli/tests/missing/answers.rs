//! Histograms, studies, answers and lattice files under every policy.

use insta::{allow_duplicates, assert_snapshot};
use serde_json::{Value, json};

use crate::common::{Folder, untimed};
use crate::missing::brute_force::{Model, Policy, levels, schemes};
use crate::missing::{folders, json as shown};

/// The choices of quasi-identifiers: age is 0, sex is 1.
const CHOICES: [(&str, &[usize]); 4] =
    [("age,sex", &[0, 1]), ("age", &[0]), ("sex", &[1]), ("sex,age", &[1, 0])];

#[test]
fn every_histogram_is_that_of_the_records() {
    for (policy, folder) in folders() {
        for (qi, attributes) in CHOICES {
            for scheme in schemes(attributes) {
                for model in [Model::K(2), Model::L(2)] {
                    let [name, threshold] = model.asked();
                    let at = levels(&scheme);
                    let arguments = ["study", ".", "--qi", qi, "--scheme", &at, "--json"];
                    let run = folder.haggle(&[&arguments[..], &[&name, &threshold]].concat());
                    let found = shown(&run);
                    assert_eq!(
                        bins(&found),
                        expected(policy, &scheme, model),
                        "{policy:?} {qi} {at}"
                    );
                }
            }
        }
    }
}

/// A histogram's values with their groups and records.
fn bins(histogram: &Value) -> Vec<[u64; 3]> {
    let number = |bin: &Value, key: &str| bin[key].as_f64().expect("a number") as u64;
    let bins = histogram["bins"].as_array().unwrap().iter();
    bins.map(|bin| ["value", "groups", "records"].map(|key| number(bin, key))).collect()
}

fn expected(policy: Policy, scheme: &[(usize, usize)], model: Model) -> Vec<[u64; 3]> {
    let mut bins: Vec<[u64; 3]> = Vec::new();
    for group in policy.groups(scheme).values() {
        let (value, records) = (model.of(group) as u64, group.records.len() as u64);
        match bins.iter_mut().find(|bin| bin[0] == value) {
            Some(bin) => *bin = [value, bin[1] + 1, bin[2] + records],
            None => bins.push([value, 1, records]),
        }
    }
    bins.sort_unstable();
    bins
}

#[test]
fn studies_are_those_of_the_records() {
    for (policy, folder) in folders() {
        for model in [Model::K(2), Model::K(3), Model::L(2), Model::L(3)] {
            let [name, threshold] = model.asked();
            let found = shown(&folder.haggle(&["study", ".", &name, &threshold, "--json"]));
            for height in 0..=3 {
                let mut costs: Vec<usize> = schemes(&[0, 1])
                    .iter()
                    .filter(|scheme| scheme.iter().map(|(_, level)| level).sum::<usize>() == height)
                    .map(|scheme| policy.suppressed(scheme, model).len())
                    .collect();
                costs.sort_unstable();
                let row = &found["heights"][height];
                let least_and_most = (&row["least"], &row["most"]);
                assert_eq!(
                    least_and_most,
                    (&costs[0].into(), &costs[costs.len() - 1].into()),
                    "{policy:?} {model:?} at height {height}"
                );
            }
        }
    }
}

/// Every request of two attributes: a model, a limit, maximum levels.
fn requests() -> Vec<(Model, usize, [usize; 2])> {
    let models = [2, 3, 4, 6].map(Model::K).into_iter().chain([2, 3].map(Model::L));
    let caps = |age: usize| [0, 1].map(move |sex| [age, sex]);
    let caps: Vec<[usize; 2]> = (0..=2).flat_map(caps).collect();
    models
        .flat_map(|model| [0, 1, 3, 5].map(|limit| (model, limit)))
        .flat_map(|(model, limit)| caps.clone().into_iter().map(move |caps| (model, limit, caps)))
        .collect()
}

/// The lowest scheme under the caps that suppresses no more than the limit and not everything.
fn exact(policy: Policy, (model, limit, caps): (Model, usize, [usize; 2])) -> Option<Value> {
    let all = policy.records().count();
    let under = schemes(&[0, 1]).into_iter().filter(|s| s.iter().zip(caps).all(|(l, c)| l.1 <= c));
    let costs = under.map(|scheme| (policy.suppressed(&scheme, model).len(), scheme));
    let best = costs
        .filter(|(suppressed, _)| *suppressed <= limit && *suppressed < all)
        .map(|(suppressed, scheme)| {
            let levels: Vec<usize> = scheme.iter().map(|(_, level)| *level).collect();
            (levels.iter().sum::<usize>(), suppressed, levels)
        })
        .min()?;
    Some(json!({"scheme": best.2, "suppressed": best.1}))
}

#[test]
fn exact_answers_are_those_of_the_records_from_data_and_from_a_lattice_file() {
    for (policy, folder) in folders() {
        let line = |(model, limit, levels): &(Model, usize, [usize; 2])| {
            let id = match model {
                Model::K(_) => "k-anonymity",
                Model::L(_) => "distinct-l-diversity",
            };
            let privacy = json!({id: model.threshold()});
            format!("{}\n", json!({"privacy": privacy, "levels": levels, "max_suppressed": limit}))
        };
        let input: String = requests().iter().map(line).collect();
        let from_data = answers(&folder, ".", &input);
        for (request, answer) in requests().into_iter().zip(&from_data) {
            let found = &answer["exact"];
            let found = (!found.is_null())
                .then(|| json!({"scheme": found["scheme"], "suppressed": found["suppressed"]}));
            assert_eq!(found, exact(policy, request), "{policy:?} {request:?}");
        }
        let built = shown(&folder.haggle(&["build", ".", "--json"]));
        assert_eq!(built["records"], policy.records().count());
        assert_eq!(built["base_groups"], policy.groups(&[(0, 0), (1, 0)]).len());
        assert_eq!(answers(&folder, ".", &input), from_data);
        std::fs::rename(folder.file("haggle.lattice"), folder.file("alone.lattice")).unwrap();
        assert_eq!(answers(&folder, "alone.lattice", &input), from_data);
    }
}

fn answers(folder: &Folder, project: &str, input: &str) -> Vec<Value> {
    let run = folder.haggle_reading(&["ask", project, "--requests", "-"], input);
    assert!(run.stderr.is_empty(), "{run:#?}");
    run.json_lines().into_iter().map(untimed).collect()
}

/// A lattice over both attributes answers for one of them, as does the data.
#[test]
fn a_lattice_file_answers_for_some_of_its_attributes() {
    for (policy, folder) in folders() {
        for model in [Model::K(3), Model::L(2)] {
            let [name, threshold] = model.asked();
            let study = ["study", ".", "--qi", "sex", &name, &threshold, "--json"];
            let from_data = shown(&folder.haggle(&study));
            folder.haggle(&["build", "."]).text();
            let run = folder.haggle(&study);
            assert!(run.stderr.is_empty(), "the lattice file is used: {run:#?}");
            assert_eq!(shown(&run), from_data);
            let least = policy.suppressed(&[(1, 0)], model).len();
            assert_eq!(from_data["heights"][0]["least"], least, "{policy:?} {model:?}");
            std::fs::remove_file(folder.file("haggle.lattice")).unwrap();
        }
    }
}

#[test]
fn another_policy_makes_a_lattice_file_out_of_date() {
    for (policy, folder) in folders() {
        folder.haggle(&["build", "."]).text();
        for other in ["value", "drop", "unmatched"] {
            folder.edit("haggle.toml", &format!("\"{}\"", policy.key()), &format!("\"{other}\""));
            let run = folder.haggle(&["ask", ".", "--k", "2", "--max-suppressed", "90%"]);
            if other == policy.key() {
                assert_eq!(run.stderr, "");
            } else {
                allow_duplicates!(
                    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: the project file's data section or attributes changed; build the lattice again")
                );
            }
            folder.edit("haggle.toml", &format!("\"{other}\""), &format!("\"{}\"", policy.key()));
        }
    }
}

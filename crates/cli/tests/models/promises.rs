//! What is published keeps its promise by the definition of the model, on the file's own records.

use std::collections::BTreeMap;

use haggle::catalog::{MODELS, find_model};
use haggle_testkit::oracle::definitions::{self, Parameters};
use insta::assert_snapshot;
use serde_json::Value;

use crate::common::Folder;
use crate::models::hospital::{folder, patients, stated};

/// Something to ask of each model, and on which attribute.
const PROMISES: &[(&str, &str)] = &[
    ("k-anonymity=5", ""),
    ("extended-k-anonymity:k=3,level=1", "disease"),
    ("distinct-l-diversity:l=3", "disease"),
    ("frequency-l-diversity:l=2", "disease"),
    ("entropy-l-diversity:l=2.5", "disease"),
    ("recursive-l-diversity:l=2,c=1", "disease"),
    ("recursive-l-diversity:l=2,c=1,bound=at-most", "disease"),
    ("pd-recursive-l-diversity:l=2,c=0.6", "disease"),
    ("npd-recursive-l-diversity:l=2,c1=0.8,c2=0.15", "disease"),
    ("t-closeness:t=0.15", "disease"),
    ("t-closeness:t=0.2,distance=equal", "disease"),
    ("t-closeness:t=0.15,distance=hierarchical", "disease"),
    ("t-closeness:t=0.15,distance=matrix", "cost"),
    ("basic-beta-likeness:beta=0.8", "disease"),
    ("enhanced-beta-likeness:beta=0.9", "disease"),
    ("delta-disclosure:delta=0.9", "disease"),
    ("delta-disclosure:delta=2,over=table", "disease"),
    ("alpha-k-anonymity:alpha=0.45,k=4", "disease"),
    ("categorical-diversity:l=3", "disease"),
    ("categorical-diversity:l=3,cover=bounds", "disease"),
    ("density-control:d=0.5", "disease"),
    ("density-control:d=0.5,mu=0.2", "disease"),
    ("dilution:mu=0.2", "disease"),
    ("recursive-categorical-diversity:l=2,c=0.9", "disease"),
    ("recursive-categorical-diversity:l=2,c=2,covering=l", "disease"),
    ("recursive-density-control:l=2,c=1.5", "disease"),
    ("range-control:delta=1.5", "cost"),
    ("linear-diversity:l=3,r=0.5", "cost"),
    ("psi-security:least=1.5", "cost"),
    ("psi-security:least=0.2,most=0.6,width=0.5,scale=shares", "cost"),
    ("positive-disclosure:delta=0.5", "disease"),
    ("negative-disclosure:epsilon=0.01", "disease"),
    ("rho-privacy:rho1=0.15,rho2=0.4", "disease"),
];

/// The published groups: the sensitive values of each.
fn groups(folder: &Folder, file: &str, attribute: &str) -> BTreeMap<String, Vec<String>> {
    let text = String::from_utf8(folder.read(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = header.iter().position(|name| *name == attribute).unwrap_or(2);
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fields in lines {
        groups.entry(fields[..2].join(",")).or_default().push(fields[column].to_owned());
    }
    groups
}

/// What the words of a request ask for, as the definitions take it.
fn parameters(promise: &str) -> (String, Parameters) {
    let (id, words) = promise.split_once([':', '=']).unwrap();
    let model = find_model(id).unwrap();
    let mut parameters = Parameters::default();
    for word in words.split(',') {
        let (name, value) = word.split_once('=').unwrap_or((model.threshold().name, word));
        match value.parse() {
            Ok(number) => drop(parameters.numbers.insert(name.into(), number)),
            Err(_) => drop(parameters.choices.insert(name.into(), value.into())),
        }
    }
    let natural = [("t-closeness", "distance", "ordered"), ("delta-disclosure", "over", "group")];
    for (_, choice, word) in natural.iter().filter(|(model, ..)| *model == id) {
        parameters.choices.entry((*choice).into()).or_insert((*word).into());
    }
    (id.to_owned(), parameters)
}

/// Where the sensitive value is published generalized, the definition is of those values.
fn generalized(promise: &str) -> bool {
    promise.starts_with("extended")
}

fn assert_kept(folder: &Folder, promise: &str, attribute: &str) {
    let (id, mut parameters) = parameters(promise);
    let mut stated = stated(attribute);
    if generalized(promise) {
        stated.hierarchy =
            ["infection", "other"].map(|v| vec![v.to_owned(), v.to_owned(), "*".into()]).to_vec();
    }
    let column = if attribute == "cost" { 3 } else { 2 };
    let all = patients();
    let table: Vec<&str> = all.iter().map(|patient| patient[column].as_str()).collect();
    parameters.numbers.entry("level".into()).and_modify(|level| *level = 0.0);
    let groups = groups(folder, "out.csv", attribute);
    assert!(groups.len() > 1, "{promise}: more than one group is published");
    for group in groups.values() {
        let group: Vec<&str> = group.iter().map(String::as_str).collect();
        assert!(definitions::passes(&id, &parameters, &stated, &group, &table), "{promise}");
    }
}

#[test]
fn publications_keep_their_promises_by_definition() {
    let folder = folder();
    for (promise, attribute) in PROMISES {
        let on = if attribute.is_empty() { String::new() } else { format!(",on={attribute}") };
        let privacy = format!("{promise}{on}");
        let published = ["publish", ".", "--privacy", &privacy, "--scheme", "2,0"];
        let run = folder.haggle(&[&published[..], &["-o", "out.csv", "--json"]].concat());
        let report = run.json(0);
        assert!(report["suppressed"].as_u64().unwrap() < 120, "{promise}");
        assert_kept(&folder, promise, attribute);
        let verify = ["verify", "out.csv", ".", "--privacy", &privacy, "--json"];
        let verdict = folder.haggle(&verify).json(0);
        assert_eq!(verdict["holds"], Value::Bool(true), "{promise}: {verdict}");
        assert_eq!(verdict["attained"], report["attained"], "{promise}");
    }
    let promised = |id: &str| PROMISES.iter().any(|(promise, _)| promise.starts_with(id));
    let unpromised = MODELS.iter().filter(|model| !promised(model.id)).map(|model| model.id);
    assert_eq!(unpromised.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_broken_promise_is_seen() {
    let folder = folder();
    for (promise, attribute) in PROMISES.iter().filter(|(promise, _)| !generalized(promise)) {
        let on = if attribute.is_empty() { String::new() } else { format!(",on={attribute}") };
        let privacy = format!("{promise}{on}");
        let verify = ["verify", "patients.csv", ".", "--privacy", &privacy, "--json"];
        let verdict = folder.haggle(&verify).json(1);
        assert_eq!(verdict["holds"], Value::Bool(false), "{promise}: {verdict}");
    }
}

/// The sensitive attribute is shown at the level that the promise is about, and nothing else may be
/// promised of its recorded values.
#[test]
fn extended_k_anonymity_publishes_the_sensitive_attribute_at_its_level() {
    let folder = folder();
    let privacy = "extended-k-anonymity:k=3,level=1,on=disease";
    let run = ["publish", ".", "--privacy", privacy, "--scheme", "2,0", "-o", "out.csv"];
    folder.haggle(&run).text();
    for group in groups(&folder, "out.csv", "disease").values() {
        assert!(group.iter().all(|disease| disease == "infection" || disease == "other"));
    }
    let also = "distinct-l-diversity:l=2,on=disease";
    let both = folder.haggle(&[&run[..], &["--privacy", also]].concat());
    assert_snapshot!(both.printed(2), @"
    error: the promises ask for 'disease' at different levels
        fix: promise what holds of one level of it
    ");
    let close = ["verify", "out.csv", ".", "--privacy", "t-closeness:t=0.5,on=disease"];
    assert_snapshot!(folder.haggle(&close).printed(2), @"
    error: the file shows 'disease' generalized, so t-closeness cannot be compared with the project's data
        fix: verify without the project, by the file's own values
    ");
}

/// Suppression shifts a file's own distribution; the promise is about the input's.
#[test]
fn closeness_is_to_the_input_unless_there_is_only_the_file() {
    let folder = folder();
    let privacy = "t-closeness:t=0.06,on=disease";
    let publish = ["publish", ".", "--privacy", privacy, "--scheme", "1,0", "-o", "out.csv"];
    let report = folder.haggle(&[&publish[..], &["--json"]].concat()).json(0);
    assert!(report["suppressed"].as_u64().unwrap() > 0);
    let verify = |arguments: &[&str]| {
        let fixed = ["--privacy", privacy, "--json"];
        let run = folder.haggle(&[&["verify", "out.csv"], arguments, &fixed].concat());
        run.json(run.code.unwrap())
    };
    let (with, alone) = (verify(&["."]), verify(&["--qi", "age,sex", "--sensitive", "disease"]));
    assert_eq!((&with["reference"], &alone["reference"]), (&"project".into(), &"file".into()));
    assert_eq!(with["attained"], report["attained"]);
    assert_ne!(alone["attained"], with["attained"]);
}

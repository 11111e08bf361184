//! `haggle instant` on the embedded project: what it answers, and what it refuses.

use std::process::{Command, Output};

use serde_json::Value;

const THREE: [&str; 3] = ["demo:adult", "--qi", "age,race,workclass"];

fn run(args: &[&str]) -> Output {
    let mut haggle = Command::new(env!("CARGO_BIN_EXE_haggle"));
    haggle.arg("instant").args(THREE).args(args).output().expect("the binary runs")
}

fn json(args: &[&str]) -> Value {
    let output = run(&[args, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
fn the_answer_has_its_fields() {
    for summary in ["histogram", "bayes", "bayes-greedy", "sample"] {
        let answer =
            json(&["--k", "60", "--max-suppressed", "1%", "--summary", summary, "--compare"]);
        assert_eq!(answer["scheme"].as_array().map(Vec::len), Some(3), "{answer}");
        assert!(answer["scans"].as_u64() >= Some(1));
        assert_eq!(answer["summary"]["id"], summary);
        assert_eq!(answer["summary"]["scans"], 1);
        let predicted = &answer["predicted"];
        assert!(predicted["at_least"].as_f64() <= predicted["at_most"].as_f64());
        assert!(predicted["suppressed"].as_f64() <= Some(301.0));
        let attained = &answer["attained"];
        assert!(
            attained["k-anonymity"].as_f64() >= Some(60.0)
                && attained["suppressed"].as_u64() <= Some(301)
        );
        let beyond = attained["loss"]["lm"].as_f64().unwrap()
            - answer["optimum"]["loss"]["lm"].as_f64().unwrap();
        assert!((-1e-9..0.06).contains(&beyond), "{summary}: {beyond}");
    }
}

#[test]
fn the_text_says_what_is_predicted_and_what_is_counted() {
    let output = run(&["--k", "60", "--max-suppressed", "1%", "--compare"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for word in ["Summary (", "predicted", "counted", "optimum", "Nothing is published yet"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn every_predictor_and_every_shortcut_finds_a_scheme_that_holds() {
    for more in [
        &["--predictor", "bonferroni"][..],
        &["--predictor", "hybrid", "--threshold", "0.9"],
        &["--by", "expectation", "--threshold", "2"],
        &["--without", "hybrid,expo,max"],
        &["--without", "limit"],
    ] {
        let diverse = ["--only", "--privacy", "frequency-l-diversity=1.8"];
        for privacy in [&["--k", "60"][..], &diverse] {
            let answer = json(&[privacy, &["--max-suppressed", "0"], more].concat());
            assert_eq!(answer["attained"]["suppressed"], 0, "{more:?} {privacy:?}: {answer}");
        }
    }
}

#[test]
fn levels_limit_the_study() {
    let answer = json(&["--k", "10", "--max-suppressed", "321", "--levels", "2,1,1"]);
    let scheme: Vec<u64> =
        answer["scheme"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(scheme[0] <= 2 && scheme[1] <= 1 && scheme[2] <= 1, "{scheme:?}");
}

/// Nothing promises enough: the answer is no.
#[test]
fn no_candidate_is_an_answer() {
    let output = run(&["--k", "60", "--max-suppressed", "0", "--levels", "0,0,0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("No candidate keeps its promise"));
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    for (args, said) in [
        (&["--k", "5", "--summary", "oracle"][..], "choose from: histogram"),
        (&["--k", "5", "--summary", "pg"], "in no database"),
        (&["--only", "--l", "2"], "cannot be predicted"),
        (&["--l", "2"], "one privacy model"),
        (&["--k", "5", "--privacy", "frequency-l-diversity=2"], "one privacy model"),
        (&["--k", "5", "--predictor", "guess"], "choose from: normal"),
    ] {
        let output = run(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(said), "{error}");
    }
}

//! `haggle instant` on the embedded project: what it answers, and what it refuses.

use crate::common::{Folder, Run};
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::Value;

const THREE: [&str; 3] = ["demo:adult", "--qi", "age,race,workclass"];

fn run(args: &[&str]) -> Run {
    Folder::empty().haggle(&[&["instant"], &THREE[..], args].concat())
}

fn json(args: &[&str]) -> Value {
    run(&[args, &["--json"]].concat()).json(0)
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
    let run = run(&["--k", "60", "--max-suppressed", "1%", "--compare"]);
    assert_snapshot!(run.printed(0), @"
    Summary (histogram, 1 pass over the data): about 30,162 records.
    Predicted: 40 of 60 schemes looked at, 34 promise enough.
    Counted: 1 scan.
    Records: 32,561 read, 2,399 dropped for missing values, 251 suppressed, 29,911 left.

                  scheme    suppressed              lm                            privacy
      predicted  [2,1,1]   about 261.9  about 0.098919  all groups with probability 0.000
      counted    [2,1,1]  251 (0.83 %)        0.099032                     k-anonymity 61
      optimum    [2,1,1]  251 (0.83 %)        0.099032           by counting every scheme

    Nothing is published yet: haggle publish demo:adult --qi age,race,workclass --scheme 2,1,1 --from-level 2,1,1 …
    ");
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

/// The bounds hold for every multinomial, so a prediction outside of them would be wrong.
#[test]
fn a_predicted_probability_lies_within_its_bounds() {
    for summary in ["histogram", "bayes", "bayes-greedy", "sample"] {
        for k in ["20", "60", "200"] {
            let asked = ["instant", "demo:adult", "--k", k, "--max-suppressed", "0", "--summary"];
            let run = Folder::empty().haggle(&[&asked[..], &[summary, "--json"]].concat());
            let answer: Value = run.json(0);
            let of = |name: &str| answer["predicted"][name].as_f64();
            let [least, most, probability] =
                ["at_least", "at_most", "probability"].map(|name| of(name).unwrap());
            assert!((least..=most).contains(&probability), "{summary} {k}: {answer}");
        }
    }
}

/// Without any time nothing is found, and the answer says why.
#[test]
fn a_time_limit_stops_predictions_and_scans() {
    let stopped: Value = run(&["--k", "60", "--time-limit", "0", "--json"]).json(1);
    assert_eq!((&stopped["scheme"], &stopped["stopped"]), (&Value::Null, &Value::Bool(true)));
    assert!(run(&["--k", "60", "--time-limit", "0"]).printed(1).contains("Raise --time-limit"));
    let diverse = ["--only", "--privacy", "frequency-l-diversity=1.8", "--time-limit", "600"];
    assert!(json(&diverse)["stopped"].is_null(), "there was time enough");
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
    let run = run(&["--k", "60", "--max-suppressed", "0", "--levels", "0,0,0"]);
    assert_snapshot!(run.printed(1), @"
    Summary (histogram, 1 pass over the data): about 30,162 records.
    Predicted: 1 of 60 schemes looked at, 0 promise enough.
    Counted: 0 scans.
    Records: 32,561 read, 2,399 dropped for missing values, 30,162 counted.
    No candidate keeps its promise. Allow more suppression, a lower --threshold, or ask the counted lattice: haggle ask.
    ");
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    let asked: [&[&str]; 6] = [
        &["--k", "5", "--summary", "oracle"],
        &["--k", "5", "--summary", "pg"],
        &["--only", "--l", "2"],
        &["--l", "2"],
        &["--k", "5", "--privacy", "frequency-l-diversity=2"],
        &["--k", "5", "--predictor", "guess"],
    ];
    assert_snapshot!(titled(asked.map(|args| (args.join(" "), run(args).printed(2)))));
}

/// What is accepted is obeyed: each measure orders candidates by its own expectation, and what is
/// counted loses what the counted lattice says.
#[test]
fn the_loss_asked_for_decides() {
    let mut schemes = std::collections::BTreeSet::new();
    for measure in ["lm", "discernibility", "classification", "height", "lm:age=9"] {
        let asked = ["--k", "10", "--max-suppressed", "1%", "--optimize", measure, "--compare"];
        let answer = json(&asked);
        assert_eq!(answer["asked"]["optimize"], measure);
        let [counted, optimum] =
            ["attained", "optimum"].map(|one| answer[one]["loss"][measure].as_f64().unwrap());
        assert!(counted >= optimum * (1.0 - 1e-12), "{measure}: {answer}");
        if answer["scheme"] == answer["optimum"]["scheme"] {
            assert_eq!(counted.to_bits(), optimum.to_bits(), "{measure}: counted as `ask` counts");
        }
        assert!(answer["predicted"]["loss"][measure].is_f64());
        schemes.insert(answer["scheme"].to_string());
    }
    assert!(schemes.len() >= 3, "{schemes:?}");
}

#[test]
fn several_schemes_and_levels_beyond_the_maximum_are_counted_if_asked_for() {
    let run =
        run(&["--k", "10", "--max-suppressed", "1%", "--top", "3", "--optimize", "precision"]);
    assert_snapshot!(run.printed(0), @"
    Summary (histogram, 1 pass over the data): about 30,162 records.
    Predicted: 55 of 60 schemes looked at, 51 promise enough.
    Counted: 3 scans.
    Records: 32,561 read, 2,399 dropped for missing values, 257 suppressed, 29,905 left.

                  scheme    suppressed       precision                            privacy
      predicted  [1,0,1]   about 292.2  about 0.202249  all groups with probability 0.000
      counted    [1,0,1]  257 (0.85 %)        0.201308                     k-anonymity 10
      next       [3,0,0]  133 (0.44 %)        0.253307                     k-anonymity 10
      next       [1,1,0]  170 (0.56 %)        0.254227                     k-anonymity 10

    Nothing is published yet: haggle publish demo:adult --qi age,race,workclass --scheme 1,0,1 --from-level 1,0,1 …
    ");
    let no = ["--k", "60", "--max-suppressed", "0", "--levels", "0,0,0"];
    for how in ["lowest", "closest", "published"] {
        let answer = json(&[&no[..], &["--relax-height", how]].concat());
        let firm = &answer["relaxations"]["height"];
        assert!(answer["scheme"].is_null() && firm["suppressed"] == 0, "{answer}");
        assert!(firm["k-anonymity"].as_f64() >= Some(60.0), "{answer}");
    }
    let relaxed = self::run(&[&no[..], &["--relax-height", "closest"]].concat());
    assert_snapshot!(relaxed.printed(0), @"
    Summary (histogram, 1 pass over the data): about 30,162 records.
    Predicted: 1 of 60 schemes looked at, 0 promise enough.
    Counted: 1 scan.
    Records: 32,561 read, 2,399 dropped for missing values, 30,162 counted.
    No candidate keeps its promise. Beyond the maximum levels:

                scheme  suppressed        lm          privacy
      counted  [4,0,3]  0 (0.00 %)  0.666667  k-anonymity 231

    Nothing is published yet: haggle publish demo:adult --qi age,race,workclass --scheme 4,0,3 --from-level 4,0,3 …
    ");
}

#[test]
fn a_loss_that_cannot_be_expected_is_refused() {
    let refused = |args: &[&str]| run(args).printed(2);
    assert_snapshot!(refused(&["--k", "5", "--optimize", "variance"]), @"
    error: variance cannot be expected before every scheme's groups are counted
        fix: choose one of: height, precision, redaction, lm, normalised-loss, discernibility, average-class-size, classification, entropy, monotone-entropy, non-uniform-entropy
    ");
    assert_snapshot!(refused(&["--k", "5", "--optimize", "entropy", "--summary", "bayes"]), @"
    error: entropy cannot be expected from the summary bayes, which does not count every value
        fix: choose one of: height, precision, redaction, lm, normalised-loss, discernibility, average-class-size, classification
    ");
}

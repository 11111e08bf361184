//! The normal approximation of the µ-probability against Bonferroni's bound and the hybrid of both:
//! calibration on tables drawn from the summary itself, and the time of planning.

use std::fmt::Write;
use std::time::Instant as Clock;

use haggle::reports::By;
use haggle::search::{Instant, InstantAsk, InstantOptions, Predictor};
use haggle::{Ask, Engine, Options, Privacy, Project};
use tempfile::TempDir;

use crate::census::Census;
use crate::table::save;

/// Tables drawn for each summary.
const TABLES: u64 = 60;
const RECORDS: usize = 30_162;
/// How often planning is timed.
const RUNS: u32 = 9;
const QUASI: [&str; 5] = ["age", "education", "marital-status", "race", "workclass"];
const PREDICTORS: [(&str, Predictor); 3] = [
    ("normal", Predictor::Normal),
    ("bonferroni", Predictor::Bonferroni),
    ("hybrid", Predictor::Hybrid),
];

fn asked(k: f64, predictor: Predictor) -> InstantAsk {
    let max_suppressed = Some("0".parse().expect("an amount"));
    let privacy = vec![Privacy::new("k-anonymity", k)];
    let ask = Ask { privacy, max_suppressed, only: true, ..Ask::default() };
    InstantAsk { ask, by: By::Probability(0.8), predictor, ..InstantAsk::default() }
}

pub(crate) fn report(_: &Census) {
    let mut text = String::from(
        "summary,k,predictor,schemes_between,mean_error,largest_error,mean_signed_error,plan_millis,predicted,candidates\n",
    );
    let adult = Project::open("demo:adult").expect("it is embedded");
    for summary in ["histogram", "bayes"] {
        let options = InstantOptions {
            qi: Some(QUASI.map(String::from).to_vec()),
            summary: summary.into(),
            ..InstantOptions::default()
        };
        let open = |k: f64| Instant::open(&adult, &asked(k, Predictor::Normal), &options);
        let instant = open(20.0).expect("it can be summarized");
        let ks = [5.0, 20.0, 60.0];
        let truth = drawn(&instant, &ks);
        for (k, truth) in ks.into_iter().zip(truth) {
            for (name, predictor) in PREDICTORS {
                line(&mut text, summary, k, name, &instant, &asked(k, predictor), &truth);
            }
        }
    }
    save("predictors.csv", text.as_bytes());
}

/// For each k and scheme, the share of drawn tables in which all groups pass.
fn drawn(instant: &Instant, ks: &[f64]) -> Vec<Vec<f64>> {
    let mut passing: Vec<Vec<f64>> = vec![Vec::new(); ks.len()];
    for seed in 0..TABLES {
        let (_folder, project) = table(&instant.synthesize(RECORDS, seed));
        let options = Options { stored: false, ..Options::default() };
        let engine = Engine::open(&project, &options).expect("it can be counted");
        for (passing, &k) in passing.iter_mut().zip(ks) {
            let suppressed =
                engine.suppressed(&asked(k, Predictor::Normal).ask).expect("annotated");
            passing.resize(suppressed.len(), 0.0);
            for (share, &suppressed) in passing.iter_mut().zip(suppressed.iter()) {
                *share += f64::from(u8::from(suppressed == 0)) / TABLES as f64;
            }
        }
    }
    passing
}

fn table(text: &str) -> (TempDir, Project) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("table.csv"), text).expect("it can be written");
    let data = format!("{}/../../data/adult/hierarchies", env!("CARGO_MANIFEST_DIR"));
    let attribute = |name: &&str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{data}/{name}.csv\"\n"
        )
    };
    let attributes: String = QUASI.iter().map(attribute).collect();
    let file = folder.path().join("haggle.toml");
    std::fs::write(&file, format!("[data]\npath = \"table.csv\"\n{attributes}")).expect("written");
    let project = Project::open(&file).expect("it is sound");
    (folder, project)
}

fn line(
    text: &mut String,
    summary: &str,
    k: f64,
    name: &str,
    instant: &Instant,
    ask: &InstantAsk,
    truth: &[f64],
) {
    let predicted = instant.predict(ask).expect("it is predicted");
    let (mut between, mut absolute, mut largest, mut signed) = (0.0_f64, 0.0, 0.0_f64, 0.0);
    for (one, &truth) in predicted.iter().zip(truth) {
        let predicted = one.predicted.probability;
        let certain = |share: f64| !(0.02..=0.98).contains(&share);
        if certain(truth) && certain(predicted) && (truth - predicted).abs() < 0.5 {
            continue;
        }
        between += 1.0;
        absolute += (predicted - truth).abs();
        signed += predicted - truth;
        largest = largest.max((predicted - truth).abs());
    }
    let plan = instant.plan(ask).expect("it is planned");
    let planned = |_| {
        let start = Clock::now();
        let again = instant.plan(ask).expect("it is planned");
        assert_eq!(again.candidates, plan.candidates);
        start.elapsed().as_secs_f64() * 1e3
    };
    // The least of several runs: what else the machine does only adds to it.
    let millis = (0..RUNS).map(planned).fold(f64::INFINITY, f64::min);
    let mean = |sum: f64| sum / between.max(1.0);
    println!(
        "  {summary:<10} k = {k:<3} {name:<10} {between} schemes between, error {:.3} ({:+.3}), at most {largest:.3}; {millis:.1} ms",
        mean(absolute),
        mean(signed)
    );
    let _ = writeln!(
        text,
        "{summary},{k},{name},{between},{:.4},{largest:.4},{:.4},{millis:.2},{},{}",
        mean(absolute),
        mean(signed),
        plan.predicted,
        plan.candidates
    );
}

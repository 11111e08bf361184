//! Predicted against counted for every scheme: of Adult, and of half a million drawn records.

use std::fmt::Write;

use haggle::search::{Instant, InstantAsk, InstantOptions};
use haggle::{Ask, Engine, Options, Privacy, Project};

use crate::census::Census;
use crate::table::save;

const K: f64 = 60.0;

pub(crate) fn report(census: &Census) {
    let adult = Project::open("demo:adult").expect("it is embedded");
    let five = ["age", "education", "marital-status", "race", "workclass", "sex"].map(String::from);
    let mut errors = String::from(
        "table,summary,schemes,mean_absolute_error,mean_signed_error,held_out_log_likelihood\n",
    );
    let mut calibration =
        String::from("table,summary,predicted_from,predicted_to,schemes,mean_predicted,held\n");
    for (name, project, qi) in
        [("adult", adult, None), ("synthetic-500000", census.project(500_000), Some(five.to_vec()))]
    {
        let engine = Engine::open(&project, &Options { qi: qi.clone(), ..Options::default() })
            .expect("it can be counted");
        for summary in ["histogram", "bayes", "bayes-greedy", "sample"] {
            one(&mut errors, &mut calibration, name, summary, &project, qi.clone(), &engine);
        }
    }
    save("accuracy.csv", errors.as_bytes());
    save("calibration.csv", calibration.as_bytes());
}

fn one(
    errors: &mut String,
    calibration: &mut String,
    name: &str,
    summary: &str,
    project: &Project,
    qi: Option<Vec<String>>,
    engine: &Engine,
) {
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", K)], ..Ask::default() };
    let asked = InstantAsk { ask: ask.clone(), ..InstantAsk::default() };
    let options = InstantOptions {
        qi,
        summary: summary.into(),
        hold_out: 2_000,
        ..InstantOptions::default()
    };
    let instant = Instant::open(project, &asked, &options).expect("it can be summarized");
    let predicted = instant.predict(&asked).expect("it is predicted");
    let records = engine.records() as f64;
    let (mut absolute, mut signed) = (0.0, 0.0);
    let mut bins = vec![(0_u32, 0.0, 0_u32); 10];
    for scheme in &predicted {
        let histogram = engine.histogram(&ask, &scheme.scheme).expect("it is stored");
        let truth: f64 =
            histogram.bins.iter().filter(|bin| bin.value < K).map(|bin| bin.records as f64).sum();
        let error = (scheme.predicted.suppressed - truth) / records;
        (absolute, signed) = (absolute + error.abs(), signed + error);
        let bin = &mut bins[((scheme.predicted.probability * 10.0) as usize).min(9)];
        *bin = (bin.0 + 1, bin.1 + scheme.predicted.probability, bin.2 + u32::from(truth == 0.0));
    }
    let schemes = predicted.len() as f64;
    let likelihood = instant.held_out_likelihood();
    println!(
        "  {name} {summary:<13} error {:.4} ({:+.4}), held out {likelihood:.3}",
        absolute / schemes,
        signed / schemes
    );
    let _ = writeln!(
        errors,
        "{name},{summary},{schemes},{:.5},{:.5},{likelihood:.4}",
        absolute / schemes,
        signed / schemes
    );
    for (i, (schemes, sum, held)) in bins.into_iter().enumerate().filter(|(_, bin)| bin.0 > 0) {
        let n = f64::from(schemes);
        let low = i as f64 / 10.0;
        let _ = writeln!(
            calibration,
            "{name},{summary},{low:.1},{:.1},{schemes},{:.3},{:.3}",
            low + 0.1,
            sum / n,
            f64::from(held) / n
        );
    }
}

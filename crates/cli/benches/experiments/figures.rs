//! Figures 5, 7, 8, 10 and 11 of the paper, as runs on synthetic tables.

use std::time::Instant as Clock;

use haggle::reports::By;
use haggle::search::{Instant, InstantAsk, InstantOptions, Optimizations};
use haggle::{Ask, Engine, Options, Privacy, Project, Way};

use crate::census::{Census, QUASI};
use crate::table::{Results, Row};

const RECORDS: [usize; 5] = [100_000, 200_000, 300_000, 400_000, 500_000];
const SUMMARIES: [&str; 2] = ["histogram", "bayes"];
/// A run that needs more scans than this is reported as having found nothing.
const MOST_SCANS: usize = 60;

fn ask(privacy: Privacy, limit: &str, by: By) -> InstantAsk {
    let max_suppressed = Some(limit.parse().expect("it is an amount"));
    let ask = Ask { privacy: vec![privacy], max_suppressed, ..Ask::default() };
    InstantAsk { ask, by, max_scans: MOST_SCANS, ..InstantAsk::default() }
}

pub(crate) fn k(k: f64) -> Privacy {
    Privacy::new("k-anonymity", k)
}

pub(crate) fn l(l: f64) -> Privacy {
    Privacy::new("frequency-l-diversity", l)
}

fn qi(attributes: usize) -> Vec<String> {
    QUASI[..attributes].iter().map(|&name| name.to_owned()).collect()
}

pub(crate) fn engine(project: &Project, attributes: usize) -> Engine {
    let options = Options { qi: Some(qi(attributes)), way: Way::Full, ..Options::default() };
    Engine::open(project, &options).expect("it can be counted")
}

fn instant(project: &Project, attributes: usize, summary: &str, ask: &InstantAsk) -> Instant {
    let options = InstantOptions {
        qi: Some(qi(attributes)),
        summary: summary.into(),
        sample: 20_000,
        ..InstantOptions::default()
    };
    Instant::open(project, ask, &options).expect("it can be summarized")
}

/// One run, compared with the optimum.
fn run(
    results: &mut Results,
    value: f64,
    method: String,
    instant: &mut Instant,
    ask: &InstantAsk,
    optimum: Option<f64>,
) {
    let start = Clock::now();
    let answer = instant.find(ask, &haggle::Silent).expect("it runs");
    results.add(Row {
        value,
        method,
        plan_seconds: answer.plan_micros as f64 / 1e6,
        seconds: start.elapsed().as_secs_f64(),
        scans: answer.scans,
        loss: answer.attained.as_ref().map(|scheme| scheme.loss["lm"]),
        optimum,
        scheme: answer.scheme.map_or(String::new(), |s| s.to_string().replace(',', " ")),
    });
}

fn best(engine: &Engine, ask: &InstantAsk) -> Option<f64> {
    engine.optimum(ask).expect("it runs").map(|optimum| optimum.loss["lm"])
}

const RULES: [(&str, By); 2] =
    [("probability 0.8", By::Probability(0.8)), ("expectation 1", By::Expectation(Some(1.0)))];

/// Figure 5: k varies, then the number of records.
pub(crate) fn k_and_records(census: &Census) {
    let mut by_k = Results::new("figure-5-k", "k");
    let mut by_n = Results::new("figure-5-n", "records");
    for records in RECORDS {
        let project = census.project(records);
        let engine = engine(&project, 7);
        for summary in SUMMARIES {
            let first = ask(k(60.0), "0", By::Limit);
            let mut instant = instant(&project, 7, summary, &first);
            for (rule, by) in RULES {
                let method = format!("{summary} by {rule}");
                let sixty = ask(k(60.0), "0", by);
                let optimum = best(&engine, &sixty);
                run(&mut by_n, records as f64, method.clone(), &mut instant, &sixty, optimum);
                for threshold in [20.0, 40.0, 60.0, 80.0, 100.0] {
                    if records == 300_000 {
                        let ask = ask(k(threshold), "0", by);
                        let optimum = best(&engine, &ask);
                        run(&mut by_k, threshold, method.clone(), &mut instant, &ask, optimum);
                    }
                }
            }
        }
    }
    by_k.write("k-anonymity, 300,000 records, 7 attributes");
    by_n.write("60-anonymity, 7 attributes");
}

/// Figure 7: how many records may be suppressed.
pub(crate) fn suppression(census: &Census) {
    let mut results = Results::new("figure-7", "suppressed %");
    let project = census.project(300_000);
    let engine = engine(&project, 7);
    for summary in SUMMARIES {
        let mut instant = instant(&project, 7, summary, &ask(k(60.0), "0", By::Limit));
        for share in 1..=5 {
            let ask = ask(k(60.0), &format!("{share}%"), By::Expectation(None));
            let optimum = best(&engine, &ask);
            run(
                &mut results,
                f64::from(share),
                format!("{summary} by expectation"),
                &mut instant,
                &ask,
                optimum,
            );
        }
    }
    results.write("60-anonymity with suppression, 300,000 records, 7 attributes");
}

/// Figure 8: l, the number of records, the number of attributes.
pub(crate) fn diversity(census: &Census) {
    let mut by_l = Results::new("figure-8-l", "l");
    let mut by_n = Results::new("figure-8-n", "records");
    let mut by_d = Results::new("figure-8-d", "attributes");
    for records in RECORDS {
        let project = census.project(records);
        for attributes in 3..=7 {
            if attributes != 5 && records != 100_000 {
                continue;
            }
            let engine = engine(&project, attributes);
            for summary in SUMMARIES {
                let mut instant =
                    instant(&project, attributes, summary, &ask(l(2.0), "0", By::Limit));
                for (rule, by) in RULES {
                    let method = format!("{summary} by {rule}");
                    let three = ask(l(3.0), "0", by);
                    let optimum = best(&engine, &three);
                    if attributes == 5 {
                        run(
                            &mut by_n,
                            records as f64,
                            method.clone(),
                            &mut instant,
                            &three,
                            optimum,
                        );
                    }
                    if records == 100_000 {
                        run(
                            &mut by_d,
                            f64::from(attributes as u8),
                            method.clone(),
                            &mut instant,
                            &three,
                            optimum,
                        );
                    }
                    if attributes == 5 && records == 100_000 {
                        for threshold in [2.0, 3.0, 4.0, 5.0, 10.0] {
                            let ask = ask(l(threshold), "0", by);
                            let reach = engine.optimum(&ask);
                            let optimum = reach.ok().flatten().map(|optimum| optimum.loss["lm"]);
                            run(&mut by_l, threshold, method.clone(), &mut instant, &ask, optimum);
                        }
                    }
                }
            }
        }
    }
    by_l.write("frequency l-diversity, 100,000 records, 5 attributes");
    by_n.write("frequency 3-diversity, 5 attributes");
    by_d.write("frequency 3-diversity, 100,000 records");
}

/// Figure 10: what each shortcut saves.
pub(crate) fn shortcuts(census: &Census) {
    let mut results = Results::new("figure-10", "variant (0 all; 1 no MAX; 2 no LIMIT; 3 no EXPO)");
    let project = census.project(100_000);
    let engine = engine(&project, 5);
    let all = Optimizations::ALL;
    let variants = [
        all,
        Optimizations { max: false, ..all },
        Optimizations { limit: false, ..all },
        Optimizations { expo: false, ..all },
    ];
    for summary in SUMMARIES {
        for (rule, by) in RULES {
            let first = ask(l(3.0), "0", by);
            let mut instant = instant(&project, 5, summary, &first);
            let optimum = best(&engine, &first);
            for (i, optimizations) in variants.into_iter().enumerate() {
                let ask = InstantAsk { optimizations, ..first.clone() };
                run(
                    &mut results,
                    f64::from(i as u8),
                    format!("{summary} by {rule}"),
                    &mut instant,
                    &ask,
                    optimum,
                );
            }
        }
    }
    results.write("frequency 3-diversity, 100,000 records, 5 attributes");
}

/// Figure 11: the probability that is asked for.
pub(crate) fn thresholds(census: &Census) {
    let mut results = Results::new("figure-11", "threshold");
    let project = census.project(100_000);
    let engine = engine(&project, 5);
    for summary in SUMMARIES {
        let mut instant = instant(&project, 5, summary, &ask(l(3.0), "0", By::Limit));
        for threshold in [0.1, 0.3, 0.5, 0.7, 0.9] {
            let ask = ask(l(3.0), "0", By::Probability(threshold));
            let optimum = best(&engine, &ask);
            run(&mut results, threshold, summary.to_owned(), &mut instant, &ask, optimum);
        }
    }
    results.write("frequency 3-diversity, 100,000 records, 5 attributes");
}

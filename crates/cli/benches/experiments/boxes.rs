//! Figures 6, 9 and 12 and table V of the paper: cuts by S-INSTANT, k-Optimize and l-Optimize, boxes by
//! Mondrian and M-INSTANT, as k, l and the threshold vary.

use std::time::{Duration, Instant as Clock};

use haggle::search::CompareOptions;
use haggle::{Ask, Engine, Privacy, Silent};

use crate::census::Census;
use crate::figures::{engine, k, l};
use crate::table::{Results, Row};

/// k-Optimize is asked where there are at most this many cuts.
const MOST_CUTS: f64 = 1e5;
const SUMMARIES: [&str; 2] = ["histogram", "bayes"];
/// What cuts are compared by: the last four as figures 6 and 9 have them.
const CUTS: [&str; 7] = [
    "lattice",
    "k-optimize",
    "mondrian",
    "s-instant:summary=histogram,threshold=0.8",
    "s-instant:summary=histogram,threshold=1,by=expectation",
    "s-instant:summary=bayes,threshold=0.8",
    "s-instant:summary=bayes,threshold=1,by=expectation",
];

fn asked(privacy: Privacy) -> Ask {
    let max_suppressed = Some("0".parse().expect("an amount"));
    Ask { privacy: vec![privacy], max_suppressed, ..Ask::default() }
}

/// What strategies find, and how long each takes.
fn strategies(results: &mut Results, engine: &Engine, value: f64, privacy: &Privacy, ids: &[&str]) {
    let options = CompareOptions {
        measures: vec!["lm".parse().expect("a measure")],
        strategies: ids.iter().map(|&id| id.into()).collect(),
        time_limit: Some(Duration::from_mins(10)),
        progress: &Silent,
    };
    let found = engine.compare(&asked(privacy.clone()), &options);
    // An l that the values cannot reach is refused.
    let Ok(found) = found else { return };
    let best = found.strategies.iter().find(|one| one.strategy == "k-optimize");
    let optimum = best.and_then(|one| one.loss.get("lm").copied());
    for one in found.strategies {
        assert!(one.found.is_none() || one.verified, "{} keeps its promise", one.strategy);
        results.add(Row {
            value,
            optimum: optimum.filter(|_| one.strategy.starts_with("s-instant")),
            method: one.strategy.replace(',', " "),
            plan_seconds: 0.0,
            seconds: one.micros as f64 / 1e6,
            // What works in memory counts the data once.
            scans: one.scans.unwrap_or(1),
            loss: one.loss.get("lm").copied(),
            scheme: one.found.unwrap_or_default().replace(',', " "),
        });
    }
}

/// M-INSTANT with each summary.
fn instant(results: &mut Results, engine: &Engine, value: f64, privacy: &Privacy, threshold: f64) {
    for summary in SUMMARIES {
        let start = Clock::now();
        let found =
            engine.instant_boxes(&asked(privacy.clone()), summary, threshold).expect("it runs");
        assert_eq!(found.suppressed, 0, "every box passes");
        results.add(Row {
            value,
            method: format!("m-instant by {summary}"),
            plan_seconds: 0.0,
            seconds: start.elapsed().as_secs_f64(),
            scans: found.scans.expect("the data is at hand"),
            loss: Some(found.lm),
            optimum: None,
            scheme: format!(
                "{} boxes; {} predicted; {} merges",
                found.boxes, found.predicted, found.merged
            ),
        });
    }
}

/// How many cuts the hierarchies of an engine have.
fn cuts(engine: &Engine) -> f64 {
    fn below(hierarchy: &haggle::Hierarchy, code: u32, level: u8) -> f64 {
        let leaves = hierarchy.leaves(code, level.into());
        if leaves.len() == 1 {
            return 1.0;
        }
        let mut children: Vec<u32> =
            leaves.map(|leaf| hierarchy.ancestor(leaf, (level - 1).into())).collect();
        children.dedup();
        if let [only] = children[..] {
            return below(hierarchy, only, level - 1);
        }
        1.0 + children.iter().map(|&child| below(hierarchy, child, level - 1)).product::<f64>()
    }
    let attributes = engine.cube().attributes().iter();
    attributes.map(|a| below(&a.hierarchy, 0, a.hierarchy.top().into())).product()
}

/// Attributes whose hierarchies have few enough cuts, as many as there can be.
fn few_cuts(census: &Census, records: usize) -> Engine {
    let project = census.project(records);
    // Those with few cuts first; country and age have more than all of these together.
    let names = ["sex", "race", "marital-status", "workclass", "education"];
    let engine = |count: usize| {
        let qi = Some(names[..count].iter().map(|&name| name.to_owned()).collect());
        let options = haggle::Options { qi, ..haggle::Options::default() };
        Engine::open(&project, &options).expect("it can be counted")
    };
    (1..=names.len()).rev().map(engine).find(|engine| cuts(engine) <= MOST_CUTS).expect("one fits")
}

/// Figure 6: k-Optimize over cuts compared with the best scheme, k and the number of records varying.
pub(crate) fn optimal_cuts(census: &Census) {
    let mut by_k = Results::new("figure-6-k", "k");
    let mut by_n = Results::new("figure-6-n", "records");
    for records in [100_000, 300_000, 500_000] {
        let engine = few_cuts(census, records);
        println!("  {} attributes, {} cuts", engine.attributes().len(), cuts(&engine));
        strategies(&mut by_n, &engine, records as f64, &k(60.0), &CUTS);
        if records == 300_000 {
            for threshold in [20.0, 40.0, 60.0, 80.0, 100.0] {
                strategies(&mut by_k, &engine, threshold, &k(threshold), &CUTS);
            }
        }
    }
    by_k.write_loss_and_time("k-anonymity by cuts, 300,000 records");
    by_n.write_loss_and_time("60-anonymity by cuts");
}

/// Figure 9: the same with l.
pub(crate) fn diverse_cuts(census: &Census) {
    let mut by_l = Results::new("figure-9-l", "l");
    let mut by_n = Results::new("figure-9-n", "records");
    for records in [100_000, 300_000, 500_000] {
        let engine = few_cuts(census, records);
        strategies(&mut by_n, &engine, records as f64, &l(3.0), &CUTS);
        if records == 100_000 {
            for threshold in [2.0, 3.0, 4.0, 5.0] {
                strategies(&mut by_l, &engine, threshold, &l(threshold), &CUTS);
            }
        }
    }
    by_l.write_loss_and_time("frequency l-diversity by cuts, 100,000 records");
    by_n.write_loss_and_time("frequency 3-diversity by cuts");
}

/// Figure 12: Mondrian and M-INSTANT, k varying.
pub(crate) fn boxes(census: &Census) {
    let mut results = Results::new("figure-12", "k");
    let engine = engine(&census.project(300_000), 7);
    for threshold in [20.0, 40.0, 60.0, 80.0, 100.0] {
        strategies(
            &mut results,
            &engine,
            threshold,
            &k(threshold),
            &["mondrian-median", "mondrian"],
        );
        instant(&mut results, &engine, threshold, &k(threshold), 0.95);
    }
    results.write_loss_and_time("k-anonymity by boxes, 300,000 records, 7 attributes");
}

/// Table V: the threshold of M-INSTANT varying.
pub(crate) fn box_thresholds(census: &Census) {
    let mut results = Results::new("table-5", "threshold");
    let engine = engine(&census.project(300_000), 7);
    for threshold in [0.1, 0.3, 0.5, 0.7, 0.9] {
        instant(&mut results, &engine, threshold, &k(60.0), threshold);
    }
    results.write_loss_and_time("60-anonymity by boxes, 300,000 records, 7 attributes");
}

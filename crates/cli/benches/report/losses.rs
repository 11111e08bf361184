//! The best scheme by every loss measure, and the front, on the 12,960-scheme lattice.

use std::hint::black_box;

use haggle::{Amount, Ask, Judge, MEASURES, Privacy};

use crate::annotation::open;
use crate::{best, line, project};

pub(crate) fn report() {
    println!("Loss (12,960 schemes, k = 5, at most 4 % suppressed; once weighed)");
    let engine = open(&project("adult-9"), None);
    let limit = Amount::Records(1206);
    let (mut slowest, mut by) = (0.0, "");
    for measure in MEASURES.iter().filter(|measure| !measure.watches) {
        let ask = Ask {
            privacy: vec![Privacy::of("k-anonymity", 5.0)],
            max_suppressed: Some(limit),
            optimize: Some(measure.id.parse().expect("a measure of the catalog")),
            ..Ask::default()
        };
        let micros = (0..5).map(|_| engine.ask(&ask).expect("it can be answered").micros);
        let micros = micros.min().expect("several runs") as f64;
        if micros > slowest {
            (slowest, by) = (micros, measure.id);
        }
    }
    line(&format!("best scheme by any measure, the slowest ({by})"), slowest / 1e3, "ms", 1.0);
    let ask = Ask {
        privacy: vec![Privacy::of("k-anonymity", 2.0)],
        max_suppressed: Some(limit),
        ..Ask::default()
    };
    let judge: Judge = "lm".parse().expect("a measure of the catalog");
    let (time, front) = best(5, || engine.pareto(&ask, &judge, false).expect("there is a front"));
    line("the exact front of k against lm", time.as_secs_f64() * 1e3, "ms", 10.0);
    println!("  {:<58} {:>9}\n", "  its points", black_box(front).points.len());
}

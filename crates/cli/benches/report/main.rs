//! `make bench`: how fast haggle annotates, answers, reads and starts, compared with its targets and
//! with the plain way of doing the same in the same run.

mod annotation;
mod answers;
mod census;
mod database;
mod growth;
mod losses;
mod models;
mod naive;
mod poka;
mod process;
mod publishing;
mod queries;
mod reading;
mod serving;
mod strategies;
mod wide;

use std::time::{Duration, Instant};

fn main() {
    println!("haggle bench, {} cores; best of several runs, noise only ever adds\n", cores());
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    // Processes first: a child's peak memory counts that of the process it was forked from.
    let sections: [(&str, fn()); 15] = [
        ("process", process::report),
        ("publishing", publishing::report),
        ("wide", wide::report),
        ("database", database::report),
        ("census", census::report),
        ("annotation", annotation::report),
        ("growth", growth::report),
        ("answers", answers::report),
        ("models", models::report),
        ("losses", losses::report),
        ("queries", queries::report),
        ("poka", poka::report),
        ("strategies", strategies::report),
        ("reading", reading::report),
        ("serving", serving::report),
    ];
    for (name, report) in sections {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            report();
        }
    }
}

/// How many cores the work is spread over.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The shortest of several runs, and what it gave.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    (0..runs).map(|_| timed()).min_by_key(|(time, _)| *time).expect("at least one run")
}

/// One line: what, how much, and how that compares with the target (1 is met, less is better).
fn line(what: &str, measured: f64, unit: &str, target: f64) {
    println!("  {what:<58} {measured:>9.2} {unit:<22} {:>5.2} of target", measured / target);
}

/// The folder of a project in the repository.
fn project(name: &str) -> String {
    format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))
}

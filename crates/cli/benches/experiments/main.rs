//! `make experiments`: the published experiments on instant anonymization and on `POkA`, on Adult and
//! on tables drawn from a network fitted to it, and directions of search on Adult; written as tables
//! and pictures to docs/experiments.

mod accuracy;
mod boxes;
mod categories;
mod census;
mod database;
mod directions;
mod figures;
mod poka;
mod predictors;
mod pruning;
mod table;

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;

/// Where tables and pictures go.
fn output() -> PathBuf {
    let folder = std::env::var_os("HAGGLE_EXPERIMENTS").map(PathBuf::from);
    folder.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/experiments").into())
}

/// One experiment.
type Part = fn(&census::Census);

fn main() {
    std::fs::create_dir_all(output()).expect("the folder can be made");
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    if is_asked("categories") {
        timed("categories", categories::directions);
    }
    let parts: [(&str, Part); 14] = [
        ("accuracy", accuracy::report),
        ("figure-5", figures::k_and_records),
        ("figure-7", figures::suppression),
        ("figure-8", figures::diversity),
        ("figure-10", figures::shortcuts),
        ("figure-11", figures::thresholds),
        ("figure-6", boxes::optimal_cuts),
        ("figure-9", boxes::diverse_cuts),
        ("figure-12", boxes::boxes),
        ("table-5", boxes::box_thresholds),
        ("pruning", pruning::report),
        ("predictors", predictors::report),
        ("figure-12-database", database::report),
        ("poka", poka::report),
    ];
    let census = LazyLock::new(census::Census::draw);
    for (name, run) in parts {
        if is_asked(name) {
            LazyLock::force(&census);
            timed(name, || run(&census));
        }
    }
}

fn timed(name: &str, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
}

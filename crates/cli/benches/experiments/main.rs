//! `make experiments`: the published experiments on instant anonymization, on Adult and on tables
//! drawn from a network fitted to it; written as tables and pictures to docs/experiments.

mod accuracy;
mod boxes;
mod census;
mod figures;
mod table;

use std::path::PathBuf;

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
    let census = census::Census::draw();
    let parts: [(&str, Part); 10] = [
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
    ];
    for (name, run) in parts {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            let start = std::time::Instant::now();
            run(&census);
            println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        }
    }
}

//! The field's algorithms: Mondrian compared with another implementation of it, local refinement, and how long
//! a comparison of all takes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use haggle::reports::Comparison;
use haggle::search::CompareOptions;
use haggle::{Ask, Engine, Options, Privacy, Project, Silent};

use crate::line;

pub(crate) fn report() {
    println!("Strategies");
    mondrian();
    refinement();
    comparison();
    println!();
}

fn engine(name: &str) -> Engine {
    let project = Project::open(name).expect("the project");
    Engine::open(&project, &Options::default()).expect("its lattice")
}

fn compare(engine: &Engine, k: f64, limit: &str, strategies: &[&str]) -> Comparison {
    let ask = Ask {
        privacy: vec![Privacy::new("k-anonymity", k)],
        max_suppressed: Some(limit.parse().expect("an amount")),
        ..Ask::default()
    };
    let options = CompareOptions {
        measures: vec!["lm".parse().expect("a measure")],
        strategies: strategies.iter().map(|&id| id.into()).collect(),
        time_limit: Some(Duration::from_secs(1)),
        progress: &Silent,
    };
    engine.compare(&ask, &options).expect("a comparison")
}

/// LM of Mondrian on the demo's six attributes, compared with that of anonypy on the same records and values.
/// anonypy publishes a category as the list of the values that occur in a box, which costs less than the range
/// from the first to the last of them; strict medians are compared with its boxes as ranges.
fn mondrian() {
    let engine = engine("demo:adult");
    for k in [5_u32, 10, 50] {
        let found = compare(&engine, k.into(), "0", &["mondrian", "mondrian-median"]);
        assert!(found.strategies.iter().all(|one| one.verified), "every box keeps its promise");
        let (best, median) = (found.strategies[0].loss["lm"], found.strategies[1].loss["lm"]);
        match anonypy(&engine, k) {
            Ok((lists, ranges)) => {
                let what = format!("Mondrian, k = {k}: LM {best:.4}, anonypy's {lists:.4}");
                line(&what, best, "LM", lists);
                let what = format!("  strict medians {median:.4}, anonypy's as ranges {ranges:.4}");
                line(&what, median, "LM", ranges);
            }
            Err(why) => {
                println!("  Mondrian, k = {k}: LM {best:.4}; anonypy could not be run: {why}");
            }
        }
    }
}

/// The LM of anonypy's partition, with categories as lists of the values that occur and as ranges.
fn anonypy(engine: &Engine, k: u32) -> Result<(f64, f64), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (table, order) = (folder.path().join("table.csv"), folder.path().join("order.csv"));
    write_table(engine, &table);
    write_order(engine, &order);
    let python = python().ok_or("no Python with it; `make bench` installs it")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/report/mondrian.py");
    let output = Command::new(python)
        .arg(script)
        .args([&table, &order])
        .arg(k.to_string())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = text
        .trim()
        .split_once(' ')
        .and_then(|(lists, ranges)| Some((lists.parse().ok()?, ranges.parse().ok()?)));
    numbers.ok_or_else(|| String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

fn python() -> Option<PathBuf> {
    std::env::var_os("HAGGLE_PYTHON").map(PathBuf::from).filter(|path| path.is_file())
}

/// The recorded values of the quasi-identifiers, and in the first line how many values each has.
fn write_table(engine: &Engine, path: &Path) {
    let mut writer = csv::Writer::from_path(path).expect("it can be written");
    let attributes = engine.cube().attributes();
    let domains = attributes.iter().map(|a| format!("{}={}", a.name, a.hierarchy.len(0.into())));
    writer.write_record(domains).expect("it can be written");
    let bottom = engine.cube().space().bottom();
    engine.cube().for_each_group(&bottom, 0, |codes, group| {
        let values: Vec<&str> = codes
            .iter()
            .zip(attributes)
            .map(|(&code, a)| a.hierarchy.label(code, 0.into()))
            .collect();
        for _ in 0..group.records {
            writer.write_record(&values).expect("it can be written");
        }
    });
    writer.flush().expect("it can be written");
}

/// The recorded values of each quasi-identifier in the order of its hierarchy.
fn write_order(engine: &Engine, path: &Path) {
    let mut writer = csv::Writer::from_path(path).expect("it can be written");
    for attribute in engine.cube().attributes() {
        for code in 0..attribute.hierarchy.len(0.into()) as u32 {
            let value = attribute.hierarchy.label(code, 0.into());
            writer.write_record([attribute.name.as_str(), value]).expect("it can be written");
        }
    }
    writer.flush().expect("it can be written");
}

/// Nine attributes, k = 5, 4 %: what a second chance at higher levels saves.
fn refinement() {
    let engine = engine(&crate::project("adult-9"));
    let found = compare(&engine, 5.0, "4%", &["lattice", "refined"]);
    let [plain, refined] = &found.strategies[..] else { return };
    let records = |one: &haggle::reports::ComparedStrategy| one.suppressed.unwrap_or(0) as f64;
    let what = format!("nine attributes, k = 5, 4 %: records lost, of {}", records(plain));
    line(&what, records(refined), "records", records(plain) / 2.0);
    let (before, after) = (plain.loss["lm"], refined.loss["lm"]);
    println!("  {:<58} {after:>9.4} LM, {before:.4} before", "  and what is lost in all");
    println!("  {:<58} {:>9.2} s", "  time", refined.micros as f64 / 1e6);
    assert!(refined.verified, "every part keeps its promise");
}

fn comparison() {
    let engine = engine("demo:adult");
    let start = Instant::now();
    let found = compare(&engine, 10.0, "1%", &[]);
    line("all strategies on the demo, k = 10, 1 %", start.elapsed().as_secs_f64(), "s", 10.0);
    for one in found.strategies {
        let loss = one.loss.get("lm").map_or("-".into(), |loss| format!("{loss:.4}"));
        let found = one.found.or(one.reason).unwrap_or_default();
        println!(
            "    {:<26} LM {loss:>7} {:>7.0} ms {:>6} looked at  {found}",
            one.strategy,
            one.micros as f64 / 1e3,
            one.evaluated
        );
    }
}

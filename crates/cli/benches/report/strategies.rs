//! The field's algorithms: Mondrian beside another implementation of it, local refinement, and how long
//! a comparison of all takes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use haggle::{Ask, CompareOptions, Comparison, Engine, Options, Privacy, Project, Silent};

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
        privacy: vec![Privacy::of("k-anonymity", k)],
        max_suppressed: Some(limit.parse().expect("an amount")),
        ..Ask::default()
    };
    let options = CompareOptions {
        measures: vec!["lm".parse().expect("a measure")],
        strategies: strategies.iter().map(|&id| id.into()).collect(),
        patience: Duration::from_secs(1),
        progress: &Silent,
    };
    engine.compare(&ask, &options).expect("a comparison")
}

/// LM of Mondrian on the demo's six attributes, beside that of anonypy on the same records and values.
fn mondrian() {
    let engine = engine("demo:adult");
    for k in [5_u32, 10, 50] {
        let found = compare(&engine, k.into(), "0", &["mondrian", "mondrian-median"]);
        let (best, median) = (found.strategies[0].loss["lm"], found.strategies[1].loss["lm"]);
        match anonypy(&engine, k) {
            Ok(other) => {
                line(
                    &format!("Mondrian, k = {k}: LM beside anonypy's {other:.4}"),
                    best,
                    "LM",
                    other,
                );
                println!("  {:<58} {median:>9.4} LM", "  with strict median splits");
            }
            Err(why) => {
                println!("  Mondrian, k = {k}: LM {best:.4}; anonypy could not be run: {why}");
            }
        }
        assert!(found.strategies.iter().all(|one| one.verified), "every box keeps its promise");
    }
}

/// The LM of anonypy's partition: by cell, how many of an attribute's other values it could stand for.
fn anonypy(engine: &Engine, k: u32) -> Result<f64, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let table = folder.path().join("table.csv");
    write_table(engine, &table);
    let python = python().ok_or("no Python with it; `make bench` installs it")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/report/mondrian.py");
    let output = Command::new(python)
        .arg(script)
        .arg(&table)
        .arg(k.to_string())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())
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

/// Nine attributes, k = 5, 4 %: what a second chance at higher levels saves.
fn refinement() {
    let engine = engine(&crate::project("adult-9"));
    let found = compare(&engine, 5.0, "4%", &["lattice", "refined"]);
    let [plain, refined] = &found.strategies[..] else { return };
    let records = |one: &haggle::ComparedStrategy| one.suppressed.unwrap_or(0) as f64;
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

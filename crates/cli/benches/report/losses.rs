//! The best scheme by every loss measure, and the front, on the 12,960-scheme lattice.

use std::hint::black_box;
use std::time::Instant;

use haggle::catalog::MEASURES;
use haggle::{Amount, Ask, Engine, MeasureSpec, Options, Privacy, Project};

use crate::annotation::open;
use crate::{best, line, project};

pub(crate) fn report() {
    println!("Loss (12,960 schemes, k = 5, at most 4 % suppressed; once weighed)");
    let engine = open(&project("adult-9"), None);
    let folder = nine_with_sensitive();
    let watching = Project::open(folder.path().to_str().expect("a plain path")).expect("a project");
    let watching = Engine::open(&watching, &Options::default()).expect("it can be annotated");
    let limit = Amount::Records(1206);
    let (mut slowest, mut by) = (0.0, "");
    for measure in MEASURES {
        let engine = if measure.watches { &watching } else { &engine };
        let ask = Ask {
            privacy: vec![Privacy::new("k-anonymity", 5.0)],
            max_suppressed: Some(limit),
            optimize: Some(measure.id.parse().expect("a measure of the catalog")),
            ..Ask::default()
        };
        let start = Instant::now();
        engine.ask(&ask).expect("it can be answered");
        if measure.watches {
            let what = format!("  the first question by {}, which weighs every group", measure.id);
            println!("  {what:<58} {:>9.2} s", start.elapsed().as_secs_f64());
        }
        let micros = (0..5).map(|_| engine.ask(&ask).expect("it can be answered").micros);
        let micros = micros.min().expect("several runs") as f64;
        if micros > slowest {
            (slowest, by) = (micros, measure.id);
        }
    }
    line(&format!("best scheme by any measure, the slowest ({by})"), slowest / 1e3, "ms", 1.0);
    let ask = Ask {
        privacy: vec![Privacy::new("k-anonymity", 2.0)],
        max_suppressed: Some(limit),
        ..Ask::default()
    };
    let judge: MeasureSpec = "lm".parse().expect("a measure of the catalog");
    let (time, front) = best(5, || engine.pareto(&ask, &judge).expect("there is a front"));
    line("the exact front of k against lm", time.as_secs_f64() * 1e3, "ms", 10.0);
    println!("  {:<58} {:>9}\n", "  its points", black_box(front).points.len());
}

/// The nine-attribute project with working hours as sensitive, for measures that watch an attribute.
fn nine_with_sensitive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let nine = std::fs::canonicalize(project("adult-9")).expect("the project is in the repository");
    let text = std::fs::read_to_string(nine.join("haggle.toml")).expect("the project is there");
    let text = text
        .replace("\"../adult/", &format!("\"{}/../adult/", nine.display()))
        .replace("\"hierarchies/", &format!("\"{}/hierarchies/", nine.display()));
    let sensitive = "\n[[attribute]]\nname = \"hours-per-week\"\nrole = \"sensitive\"\n";
    let (attributes, request) = text.split_once("[request]").expect("it states a request");
    let text = format!("{attributes}{sensitive}\n[request]{request}");
    std::fs::write(folder.path().join("haggle.toml"), text).expect("it can be written");
    folder
}

//! Categorical diversity from the bottom up and from the top down: deciding it for one group is a
//! minimum set cover, so it may matter whether small groups or large ones are judged first.
//!
//! The experiment that S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes",
//! master's thesis, Lakehead University, 2008, section 6.2 proposes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use haggle::reports::Comparison;
use haggle::search::CompareOptions;
use haggle::{Ask, Engine, Options, Privacy, Project, Silent};

use crate::directions::{Direction, Walk};
use crate::table::save;

const STRATEGIES: [&str; 3] = ["incognito", "incognito-top-down", "top-down-specialization"];
const CATEGORIES: [usize; 4] = [8, 12, 16, 20];
/// The shortest time of this many runs is reported.
const RUNS: usize = 3;
/// Each sensitive value is in at most this many categories.
const OVERLAP: usize = 3;
const QUASI: [&str; 5] = ["age", "education", "marital-status", "race", "workclass"];
const SENSITIVE: &str = "hours-per-week";

pub(crate) fn directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::from("categories,model,l,strategy,evaluated,seconds,lm,found\n");
    let mut walks = String::from(
        "categories,l,direction,schemes,evaluated,groups,covers,mean_values,cover_seconds\n",
    );
    for categories in CATEGORIES {
        let engine = engine(folder.path(), categories);
        for l in 2..=6 {
            walked(&mut walks, &engine, categories, l);
        }
        for l in [2, 3] {
            for model in ["distinct-l-diversity", "categorical-diversity"] {
                for strategy in STRATEGIES {
                    one(&mut text, &engine, categories, model, l, strategy);
                }
            }
        }
    }
    save("categories.csv", text.as_bytes());
    save("directions.csv", walks.as_bytes());
}

/// Both directions through the same schemes; they find the same minimal ones.
fn walked(text: &mut String, engine: &Engine, categories: usize, l: u32) {
    let privacy = vec![Privacy::new("categorical-diversity", l.into())];
    let ask = Ask { privacy, ..Ask::default() };
    let [up, down] =
        [Direction::BottomUp, Direction::TopDown].map(|way| Walk::of(engine, &ask, way));
    assert_eq!(up.minimal, down.minimal, "{categories} categories, l = {l}");
    let schemes = engine.cube().space().size().unwrap_or(usize::MAX);
    for (direction, walk) in [("bottom-up", &up), ("top-down", &down)] {
        let Walk { evaluated, groups, sets, .. } = walk;
        let (covers, values) = (sets.len(), walk.mean_values());
        let seconds = (0..RUNS).map(|_| walk.cover_seconds(engine, &ask)).fold(f64::MAX, f64::min);
        let _ = writeln!(
            text,
            "{categories},{l},{direction},{schemes},{evaluated},{groups},{covers},{values:.1},{seconds:.4}"
        );
    }
}

/// One strategy alone, so that no cover is known from another.
fn one(text: &mut String, engine: &Engine, categories: usize, model: &str, l: u32, strategy: &str) {
    let ask = Ask { privacy: vec![Privacy::new(model, l.into())], ..Ask::default() };
    let options = CompareOptions {
        measures: vec!["lm".parse().expect("it is a measure")],
        strategies: vec![strategy.into()],
        time_limit: Some(Duration::from_mins(2)),
        progress: &Silent,
    };
    let run = || engine.compare(&ask, &options).expect("it can be searched");
    let runs: Vec<Comparison> = (0..RUNS).map(|_| run()).collect();
    let found = &runs[0].strategies[0];
    let micros = runs.iter().map(|run| run.strategies[0].micros).min().unwrap_or_default();
    let seconds = micros as f64 / 1e6;
    let loss = found.loss.get("lm").map_or(String::new(), |loss| format!("{loss:.6}"));
    let what = found.found.clone().or_else(|| found.reason.clone()).unwrap_or_default();
    println!("  {categories} {model} {l} {strategy}: {} in {seconds:.3} s", found.evaluated);
    let (evaluated, what) = (found.evaluated, what.replace(',', " "));
    let _ = writeln!(
        text,
        "{categories},{model},{l},{strategy},{evaluated},{seconds:.3},{loss},{what}"
    );
}

/// Adult with working hours in this many overlapping categories.
fn engine(folder: &Path, categories: usize) -> Engine {
    let demo = Project::open("demo:adult").expect("it is embedded");
    let demo = Engine::open(&demo, &Options::default()).expect("it can be counted");
    let watched = demo.cube().watched().iter().find(|watched| watched.name == SENSITIVE);
    let values = watched.expect("it is sensitive").values.values();
    let mut members: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (i, value) in values.enumerate() {
        for draw in 0..OVERLAP {
            let category = (7 * i + draw * (i * i + 3) + draw) % categories;
            let list = members.entry(category).or_default();
            if list.last().is_none_or(|last| last.trim_matches('"') != value) {
                list.push(format!("{value:?}"));
            }
        }
    }
    let lists = members.iter().map(|(name, list)| format!("c{name} = [{}]", list.join(", ")));
    let lists: Vec<String> = lists.collect();
    let path = folder.join(format!("{categories}.toml"));
    std::fs::write(&path, project(&lists.join(", "))).expect("it can be written");
    let project = Project::open(&path).expect("it is sound");
    Engine::open(&project, &Options::default()).expect("it can be counted")
}

/// The embedded project's data with these categories.
fn project(categories: &str) -> String {
    let data = format!("{}/../../data/adult", env!("CARGO_MANIFEST_DIR"));
    let embedded = std::fs::read_to_string(format!("{data}/haggle.toml")).expect("it is there");
    let columns = embedded.split("columns = [").nth(1).and_then(|rest| rest.split(']').next());
    let columns = columns.expect("it names its columns");
    let quasi = QUASI.iter().map(|name| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{data}/hierarchies/{name}.csv\"\n"
        )
    });
    let quasi: String = quasi.collect();
    format!(
        "[data]\npath = \"{data}/adult.data.gz\"\nheader = false\ncolumns = [{columns}]\n\
         missing = [\"?\"]\non_missing = \"drop\"\n{quasi}[[attribute]]\nname = \"{SENSITIVE}\"\n\
         role = \"sensitive\"\ncategories = {{ {categories} }}\n"
    )
}

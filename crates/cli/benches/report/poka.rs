//! How much of the exact front the published search finds, and for how many evaluations.

use haggle::reports::PokaFront;
use haggle::search::PokaOptions;
use haggle::{Ask, Engine, Options, Privacy, Project, Way};

/// What the study of `POkA` prints for the general loss metric (its table 3): schemes evaluated and
/// optima found of 45, by depth, over 17,920 schemes with its own hierarchies.
const PRINTED: [(u32, u32); 6] =
    [(502, 22), (1945, 41), (4033, 45), (6544, 45), (9205, 45), (11_751, 45)];

pub(crate) fn report() {
    println!("POkA: what it finds of the exact front, at most 1 % suppressed\n");
    let all = engine("adult-pareto", None);
    let classes = engine("adult-pareto/classes.toml", None);
    depths(&all, "lm", Some(PRINTED));
    depths(&all, "discernibility", None);
    depths(&classes, "classification:on=salary-class", None);
    attributes(&all);
}

fn engine(name: &str, qi: Option<Vec<String>>) -> Engine {
    let project = Project::open(super::project(name)).expect("the project");
    Engine::open(&project, &Options { qi, way: Way::Full, ..Options::default() })
        .expect("its lattice")
}

fn search(engine: &Engine, measure: &str, depth: Option<u32>) -> PokaFront {
    let ask = Ask {
        privacy: vec![Privacy::varying("k-anonymity").expect("a model")],
        max_suppressed: Some("1%".parse().expect("an amount")),
        ..Ask::default()
    };
    let options = PokaOptions { depth, exhaustive: true, ..PokaOptions::default() };
    engine.poka(&ask, &measure.parse().expect("a measure"), &options).expect("a front")
}

/// "5587 of 17920 evaluated (31.2 %), 37 of 37 optima,  0 missed,  0 not optimal"
fn words(found: &PokaFront) -> String {
    let exact = found.exhaustive.as_ref().expect("it was asked for");
    format!(
        "{:>6} of {} evaluated ({:>4.1} %), {:>2} of {} optima, {:>2} missed, {:>2} not optimal",
        found.evaluated,
        found.schemes,
        100.0 * found.evaluated as f64 / found.schemes as f64,
        exact.found,
        exact.optima,
        exact.missed.len(),
        exact.wrong.len()
    )
}

fn depths(engine: &Engine, measure: &str, printed: Option<[(u32, u32); 6]>) {
    println!("  k-anonymity against {measure}, by depth");
    for depth in 1..=6 {
        let found = search(engine, measure, Some(depth));
        let published = printed.map_or(String::new(), |printed| {
            let (evaluated, optima) = printed[depth as usize - 1];
            format!("; printed: {evaluated} evaluated, {optima} of 45")
        });
        println!("    {depth}  {}{published}", words(&found));
    }
    println!();
}

fn attributes(all: &Engine) {
    println!("  k-anonymity against discernibility, by quasi-identifiers, to the mean height");
    let names: Vec<String> = all.attributes().into_iter().map(String::from).collect();
    for count in 2..=names.len() {
        let engine = engine("adult-pareto", Some(names[..count].to_vec()));
        let found = search(&engine, "discernibility", None);
        let depth = found.depth.expect("by depth");
        println!("    {count}  depth {depth}: {}", words(&found));
    }
    println!();
}

//! Writes the Pareto front of privacy against loss as CSV, and points out its knee.
//!
//! Run it with `cargo run --example pareto_to_csv > front.csv`.

use haggle::{Engine, Error, Project, Request, percent};

fn main() -> Result<(), Error> {
    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;

    // The threshold of the request varies; the limit on suppression holds at every point.
    let front = engine.pareto(&Request::k(2).max_suppressed(percent(1.0)), "lm")?;
    print!("{}", front.csv());

    if let Some(knee) = front.points.iter().find(|point| point.knee) {
        eprintln!("beyond k = {} privacy gets expensive (scheme {})", knee.threshold, knee.scheme);
    }
    Ok(())
}

//! Accepts a relaxation: the request that is then met, and its answer.
//!
//! Run it with `cargo run --example accept_relaxation`.

use haggle::{Engine, Error, Project, Request};

fn main() -> Result<(), Error> {
    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;

    let request = Request::k(10).max_suppressed(32).levels([2, 1, 1]);
    let answer = engine.ask(&request)?;
    assert!(answer.exact().is_err(), "no scheme meets all of it");

    // Each relaxation weakens one constraint, keeps the others, and has the request that accepts it.
    let relaxations = answer.relaxations()?;
    let weaker = relaxations.privacy()?.accept;
    println!("settle for {}", weaker.privacy_words());

    let agreed = relaxations.suppression()?.accept;
    let exact = engine.ask(&agreed)?;
    let exact = exact.exact()?;
    println!("or suppress {} records under scheme {}", exact.suppressed, exact.scheme);
    Ok(())
}

//! Asks for several privacy models at once, and for the least loss among the schemes that keep all.
//!
//! Run it with `cargo run --example several_models`.

use haggle::catalog::MODELS;
use haggle::{Engine, Error, Project, Request, percent};

fn main() -> Result<(), Error> {
    println!("{} privacy models, such as:", MODELS.len());
    for model in MODELS.iter().take(5) {
        println!("  {:<28} {}", model.id, model.formula);
    }

    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;
    let request = Request::k(10)
        .and("distinct-l-diversity:l=5,on=hours-per-week")?
        .and("t-closeness:t=0.3,on=hours-per-week")?
        .max_suppressed(percent(5.0));

    let lowest = engine.ask(&request)?;
    println!("lowest scheme: {}", lowest.exact()?.scheme);
    let best = engine.ask(&request.optimize("lm")?)?;
    let best = best.exact()?;
    println!("least loss: {} loses {:.3} of the cells' detail", best.scheme, best.loss["lm"]);
    for (model, attained) in &best.attained {
        println!("  {model}: {attained}");
    }
    Ok(())
}

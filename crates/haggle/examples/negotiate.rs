//! Asks for privacy and prints the scheme that gives it, or what could be relaxed.
//!
//! Run it with `cargo run --example negotiate`.

use haggle::{Answer, Engine, Error, Project, Request, percent};

fn main() -> Result<(), Error> {
    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;
    println!("{} records over {}", engine.records(), engine.attributes().join(", "));

    let generous = Request::k(10).max_suppressed(percent(1.0)).levels([2, 1, 1]);
    print(&engine.ask(&generous)?);

    let strict = generous.max_suppressed(32);
    print(&engine.ask(&strict)?);
    Ok(())
}

fn print(answer: &Answer) {
    if let Ok(exact) = answer.exact() {
        println!("yes: scheme {} suppresses {} records", exact.scheme, exact.suppressed);
        return;
    }
    println!("no scheme meets the request; one of these would have to be relaxed:");
    for relaxation in answer.relaxations.all() {
        let (scheme, suppressed) = (&relaxation.offer.scheme, relaxation.offer.suppressed);
        let what = match &relaxation.without[..] {
            [] => relaxation.kind.id().to_owned(),
            attributes => format!("without {}", attributes.join(" and ")),
        };
        println!("  {what}: scheme {scheme} suppresses {suppressed} records");
    }
}

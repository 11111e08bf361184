//! Publishes an anonymized file that is proved from what was written, and verifies it again.
//!
//! Run it with `cargo run --example publish_and_verify`.

use haggle::{Engine, Error, Project, Publication, Request, percent, verify};

fn main() -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("haggle-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let output = folder.join("out.csv");

    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;
    let request = Request::k(10).max_suppressed(percent(1.0));

    let preview = Publication::of(&request).preview(&engine, 3)?;
    println!("{}", preview.columns.join(","));

    let report = Publication::of(&request).to(&output).publish(&engine)?;
    println!("{} records written, {} suppressed", report.records, report.suppressed());

    // A recipient can check the file without the project: its manifest is next to it.
    let verdict = verify(&output).against(&request).run()?;
    println!("the file keeps its promise: {}", verdict.is_yes());
    let stronger = verify(&output).against(&Request::k(1_000)).run()?;
    println!("it is 1000-anonymous: {}", stronger.is_yes());

    std::fs::remove_dir_all(&folder).map_err(Error::io(&folder))
}

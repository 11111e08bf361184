//! Builds a project of one's own: a table, and hierarchies by rules instead of files.
//!
//! Run it with `cargo run --example hierarchy_rules`.

use std::fmt::Write as _;

use haggle::{Engine, Error, Project, Request};

const PROJECT: &str = r#"
[data]
path = "visits.csv"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20], origin = 0 }

[[attribute]]
name = "postcode"
role = "quasi-identifier"
hierarchy = { prefix = [1, 2] }

[[attribute]]
name = "visit"
role = "quasi-identifier"
hierarchy = { dates = ["month", "year"] }

[[attribute]]
name = "diagnosis"
role = "sensitive"
"#;

fn main() -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("haggle-rules-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(Error::io(&folder.join(name)))
    };
    write("visits.csv", &visits())?;
    write("haggle.toml", PROJECT)?;

    let engine = Engine::builder(&Project::open(&folder)?).open()?;
    let answer = engine.ask(&Request::k(5).max_suppressed(20))?;
    let exact = answer.exact()?;
    println!("scheme {} suppresses {} records", exact.scheme, exact.suppressed);
    for example in engine.examples(&exact.scheme)? {
        println!("  {}: {} becomes {}", example.attribute, example.recorded, example.generalized);
    }
    std::fs::remove_dir_all(&folder).map_err(Error::io(&folder))
}

/// Returns 1,000 invented visits.
fn visits() -> String {
    let mut text = String::from("age,postcode,visit,diagnosis\n");
    for i in 0..1_000_u32 {
        let spread = i.wrapping_mul(2_654_435_761);
        let (age, postcode) = (20 + (spread >> 8) % 60, 100 + (spread >> 14) % 40);
        let (month, day) = (1 + (spread >> 20) % 12, 1 + (spread >> 24) % 28);
        let diagnosis = ["flu", "asthma", "fracture"][i as usize % 3];
        writeln!(text, "{age},{postcode},2026-{month:02}-{day:02},{diagnosis}")
            .expect("a string can be written to");
    }
    text
}

//! Publishing by the real binary: round trips, proofs, policies, and what an interruption leaves.

mod anatomy;
mod cells;
mod columns;
mod formulas;
mod independent;
mod interrupted;
#[cfg(target_os = "linux")]
mod killed;
mod order;
#[cfg(target_os = "linux")]
mod places;
mod policy;
mod reading;
mod recorded;
mod round_trip;
#[cfg(unix)]
mod secret;
mod stars;

/// A project of persons with age, town and a disease, without hierarchies.
const PERSONS: &str = r#"[data]
path = "table.csv"

[[attribute]]
name = "age"
role = "quasi-identifier"

[[attribute]]
name = "town"
role = "quasi-identifier"

[[attribute]]
name = "disease"
role = "sensitive"
"#;

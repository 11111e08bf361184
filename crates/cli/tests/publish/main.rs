//! Publishing by the real binary: round trips, proofs, policies, and what an interruption leaves.

#[path = "../common/mod.rs"]
mod common;

mod columns;
mod formulas;
mod independent;
mod interrupted;
mod order;
mod persons;
mod policy;
mod recorded;
mod round_trip;
mod stars;

//! Publishing by the real binary: round trips, proofs, policies, and what an interruption leaves.

#[path = "../common/mod.rs"]
mod common;

mod independent;
mod interrupted;
mod persons;
mod policy;
mod round_trip;

//! Every model of the catalog compared with its definition on records: single groups, merged
//! groups, and whole negotiations, alone and together.

#![allow(clippy::float_cmp)] // statistics are exact, and so are their tests

mod definitions;
mod examples;
mod kinds;
mod negotiation;
mod printed;
mod sample;

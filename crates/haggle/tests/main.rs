//! The library as its users program against it.

mod again;
mod boxes;
mod common;
mod error_kinds;
mod estimate;
mod examples;
mod facade;
mod files;
mod from_levels;
mod instant;
mod large_counts;
mod m_instant;
mod missing;
mod nine_attributes;
mod on_demand;
mod partial_figures;
mod poka;
mod prepare;
mod public;
mod publish;
mod published_figures;
mod recodings;
mod relaxations;
mod together;
mod update;

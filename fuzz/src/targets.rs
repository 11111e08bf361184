//! The targets, one file each.

mod argument;
mod hierarchy;
mod http;
mod lattice;
mod manifest;
mod parquet;
mod project;
mod request;
mod text;

use crate::properties::Verdict;

/// A function that reads input from outside.
#[derive(Debug)]
pub struct Target {
    /// Its name, which is also that of its folder of seeds.
    pub name: &'static str,
    /// Reads an input; panics if a property fails.
    pub check: fn(&[u8]) -> Verdict,
    /// Seeds that depend on this version of haggle, in addition to those in files.
    pub generated: fn() -> Vec<Vec<u8>>,
    /// How many damaged inputs a bounded run tries.
    pub tries: usize,
    /// Bytes that one input may allocate at most.
    pub memory: usize,
}

impl Target {
    const fn new(name: &'static str, check: fn(&[u8]) -> Verdict, tries: usize) -> Self {
        Self { name, check, generated: Vec::new, tries, memory: 64 << 20 }
    }

    const fn with_generated(self, generated: fn() -> Vec<Vec<u8>>) -> Self {
        Self { generated, ..self }
    }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target::new("project", project::check, 20_000),
    Target::new("hierarchy", hierarchy::check, 40_000),
    Target::new("text", text::check, 15_000),
    Target::new("parquet", parquet::check, 10_000),
    Target::new("lattice", lattice::check, 6_000).with_generated(lattice::generated),
    Target::new("request", request::check, 10_000),
    Target::new("argument", argument::check, 40_000),
    Target::new("http", http::check, 2_000).with_generated(http::generated),
    Target::new("manifest", manifest::check, 3_000).with_generated(manifest::generated),
];

/// The target of this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

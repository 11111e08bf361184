//! Negotiates a privacy model of one's own: a number of each group, and which side of a threshold passes.
//!
//! A model that others should find by name is a file and a line in the catalog; see ARCHITECTURE.md.
//! Run this with `cargo run --example own_privacy_model`.

use haggle::lattice::{
    Column, Group, Lattice as _, LatticeAnswer, LatticeRequest, Merging, Passing, Requirement,
    Statistic, negotiate,
};
use haggle::{Engine, Error, Project};

/// The largest share of a group that has one sensitive value; a guess is right that often.
#[derive(Debug)]
struct LargestShare(Column);

impl LargestShare {
    /// Builds the model for the watched attribute of this position.
    fn on(attribute: usize) -> Self {
        Self(Column {
            id: format!("largest-share on {attribute}"),
            watches: Some(attribute),
            comparison: Passing::AtMost,
            // Two groups that pass merge into one that passes; a failing one may spoil the other.
            kind: Merging::Closed,
            weakest: 0.99,
            strongest: 0.0,
        })
    }
}

impl Statistic for LargestShare {
    fn column(&self) -> &Column {
        &self.0
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let largest = group.values.iter().map(|value| value.count).max().unwrap_or(0);
        largest as f64 / group.known().max(1) as f64
    }
}

fn main() -> Result<(), Error> {
    let project = Project::demo();
    let engine = Engine::builder(&project).qi(["age", "race", "workclass"]).open()?;

    let lattice = engine.annotate_with(&[Box::new(LargestShare::on(0))])?;
    let maximum = lattice.space().top().clone();
    for share in [0.9, 0.7, 0.5] {
        let required = Requirement { column: 0, threshold: share };
        let request = LatticeRequest::new(required, maximum.clone(), 300);
        match negotiate(&lattice, &request)?.answer {
            LatticeAnswer::Exact(found) => println!(
                "no guess is right more often than {share}: scheme {} suppresses {} records",
                found.scheme, found.suppressed
            ),
            LatticeAnswer::Relaxed(_) => println!("no scheme keeps the share below {share}"),
        }
    }
    Ok(())
}

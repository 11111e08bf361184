//! Searching an annotated lattice: the best scheme for a request, or what would have to give.

mod best;
pub mod negotiate;
pub mod optimize;
pub mod pareto;
pub mod partial;
pub mod strategies;
pub mod study;

pub use negotiate::{
    Answer, Closing, HeightRelaxation, Negotiable, Negotiation, Relaxations, Request, Requirement,
    Solution, Watch, negotiate, negotiate_while,
};

/// Why a search could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Sound for some kinds of models only.
    #[error("{0}")]
    Unsupported(String),
    /// The lattice could not annotate a scheme.
    #[error(transparent)]
    Lattice(#[from] haggle_cube::Error),
}

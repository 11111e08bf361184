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

pub use haggle_model::Error;

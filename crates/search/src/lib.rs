//! Searches annotated lattices: the best scheme for a request, or what could be relaxed.

mod best;
mod explore;
mod matching;
pub mod negotiate;
mod objective;
pub mod optimize;
pub mod order;
pub mod pareto;
pub mod partial;
mod request;
pub mod strategies;
pub mod study;

pub use negotiate::{
    LatticeAnswer, Negotiation, Relaxations, lowest_while, negotiate, negotiate_while,
};
pub use objective::{LowerBound, Objective};
pub use request::{HeightRelaxation, LatticeRequest, Negotiable, Requirement, Solution};

pub use haggle_model::{Error, SearchState};

//! Searches annotated lattices: the best scheme for a request, or what could be relaxed.

mod best;
mod explore;
pub mod negotiate;
mod objective;
pub mod optimize;
pub mod pareto;
pub mod partial;
mod request;
pub mod strategies;
pub mod study;

pub use negotiate::{Answer, Negotiation, Relaxations, negotiate, negotiate_while};
pub use objective::{LowerBound, Objective};
pub use request::{
    HeightRelaxation, Negotiable, Request, Requirement, SearchState, Solution, Watch,
};

pub use haggle_model::Error;

//! Every model by the real binary: asked for, published, verified, and judged by its definition on
//! the records of the published file.

mod conjunctions;
mod edges;
mod hospital;
mod independent;
mod printed;
mod promises;
mod reviewed;
mod security;

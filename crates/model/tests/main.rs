//! Hierarchies, their builders and the space of schemes.

mod builders;
mod hierarchy;
mod space;

//! Searching in other ways: fronts, strategies and their comparison.

pub mod compare;
pub mod pareto;
pub mod strategies;

//! What an analyst can do with a recoding before it is published: the answers to queries next to the
//! truth, many queries at once, and what can still be mined.

pub mod queries;
pub mod questions;
pub mod utility;

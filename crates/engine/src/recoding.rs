//! A recoding applied to the counted groups, and those that were found before.

pub mod recoded;
pub mod results;

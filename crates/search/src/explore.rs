//! What a search knows about the schemes of a lattice: which were visited, which fail, and which part
//! is still to be searched.

mod attribute_sets;
mod border;
mod guess;
mod joint;
mod levels;
mod packed;
mod range;
mod turn;
mod view;
mod visited;

pub(crate) use attribute_sets::AttributeSets;
pub(crate) use border::{Border, SearchStop};
pub(crate) use levels::{Levels, height, levels, scheme, with};
pub(crate) use range::SchemeRange;
pub(crate) use turn::{Done, Turn, in_turns, most_workers};
pub(crate) use view::{View, visit};

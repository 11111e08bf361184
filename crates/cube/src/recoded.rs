//! Base groups that are published in other ways than a scheme: merged, recoded, in boxes.

mod applied;
mod base;
mod boxes;

pub use applied::{Applied, Weighing, weigh};
pub use base::{Base, BasePart, Merger};
pub use boxes::{
    BoxCount, BoxEnds, BoxIndex, BoxSource, BoxTally, CountedBox, Counting, FoundBox, GroupBoxes,
    Proposed, published_boxes,
};

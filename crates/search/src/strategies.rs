//! Published searches that look at some schemes only, one file each, for lattices that are not
//! annotated and to be compared with what is exact.

mod poka;

pub use poka::{Evaluate, Found, Poka, Valued, best_of_each, poka};

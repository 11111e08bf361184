//! Published searches and selections that look at some schemes only, one file each, for lattices that are
//! not annotated in full and to be compared with what is exact.

mod accuracy;
mod estimators;
mod levels;
mod poka;
mod selection;

pub use accuracy::{Accuracy, Deviations, HeightAccuracy, accuracy};
pub use estimators::{CATALOG as ESTIMATORS, Estimator, find as find_estimator};
pub use levels::{LevelMetrics, LevelPower};
pub use poka::{Evaluate, Found, Poka, Valued, best_of_each, poka};
pub use selection::Selection;

//! Selects which schemes of a large lattice to annotate: the effect of levels on groups, estimators
//! of schemes, the selection, and its accuracy.

mod accuracy;
mod estimators;
mod levels;
mod selection;

pub use accuracy::{Accuracy, Deviations, HeightAccuracy, accuracy};
pub use estimators::{CATALOG as ESTIMATORS, Estimator, find as find_estimator};
pub use levels::{LevelMetrics, LevelPower};
pub use selection::Selection;

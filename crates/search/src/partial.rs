//! Which schemes of a large lattice are worth annotating: what levels do to groups, estimators of a scheme
//! from that, the selection by them, and how well they choose.

mod accuracy;
mod estimators;
mod levels;
mod selection;

pub use accuracy::{Accuracy, Deviations, HeightAccuracy, accuracy};
pub use estimators::{CATALOG as ESTIMATORS, Estimator, find as find_estimator};
pub use levels::{LevelMetrics, LevelPower};
pub use selection::Selection;

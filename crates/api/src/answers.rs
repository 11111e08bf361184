//! What is answered: the best schemes, or the relaxations that make some possible.

mod account;
mod answer;
mod comparison;
mod estimators;
mod front;
mod instant;
mod obtained;
mod offer;
mod relaxation;

pub use account::Account;
pub use answer::{Answer, Outcome, RangeAnswer};
pub use comparison::{ComparedStrategy, Comparison};
pub use estimators::{ChosenStudy, DeviationStudy, EstimatorStudy, EstimatorsStudy, LevelStudy};
pub use front::{Compared, Front, FrontPoint, PairPoint, PairsFront, PokaFront};
pub use instant::{
    By, CountedScheme, ExactOptimum, InstantAnswer, InstantAsk, InstantPlan, InstantPrediction,
    InstantRelaxations, Predicted, PredictedScheme, SummaryReport,
};
pub use obtained::{Obtained, PartialKnown};
pub use offer::Offer;
pub use relaxation::{AcceptableRelaxation, Relaxation, RelaxationKind, Relaxations};

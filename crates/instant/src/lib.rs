//! Anonymization from a summary of the data: feasible schemes are predicted, and only the best of
//! them are counted.
//!
//! Before any record is read, a [`Summary`] estimates how likely a random record falls into a
//! generalized cell. From that follow, for every scheme, the probability that all groups are
//! protected (µ-probability) and the expected records in groups that are not (µ-expectation).
//! [`plan`] keeps the schemes whose prediction is good enough, [`verify`] counts them through a
//! [`Source`](haggle_cube::Source) until one is confirmed.
//!
//! Citation: M. E. Nergiz, A. Tamersoy, Y. Saygin, "Instant anonymization", ACM TODS 36(1), 2011.
//!
//! ```
//! use haggle_cube::Overview;
//! use haggle_instant::{SummaryInput, Goal, PredictionOptions, find, predict};
//! use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
//!
//! // Eight persons: four nations on two continents, as often as not.
//! let nation = QuasiIdentifier {
//!     name: "nation".into(),
//!     hierarchy: Hierarchy::from_paths("nation", [["US", "AM"], ["Brazil", "AM"], ["Italy", "EU"], ["Spain", "EU"]])?,
//! };
//! let overview = Overview { records: 8, counts: vec![vec![3, 1, 2, 2]], sample: vec![0, 0, 1, 2] };
//! let basis = SummaryInput { attributes: vec![nation], sensitive: None, overview: Some(overview), statistics: None };
//! let summary = find("histogram").unwrap().build(&basis)?;
//!
//! let by_continent = predict(summary.as_ref(), &Scheme::new([1]), Goal::K(2), &PredictionOptions::default())?;
//! let as_recorded = predict(summary.as_ref(), &Scheme::new([0]), Goal::K(2), &PredictionOptions::default())?;
//! assert!(by_continent.probability > 0.9 && as_recorded.probability < 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binomial;
mod diversity;
mod expected;
mod joint;
mod m_instant;
mod most_frequent;
mod network;
mod optimizations;
mod predict;
mod s_instant;
mod search;
mod sizes;
pub mod summaries;
mod summary;

pub use expected::ExpectedLoss;
pub use haggle_model::Error;
pub use m_instant::{Boxed, Boxing, m_instant};
pub use network::Network;
pub use optimizations::Optimizations;
pub use predict::{Goal, Prediction, PredictionOptions, Predictor, predict, predict_partition};
pub use s_instant::{CutCandidate, CutPlan, CutPlanning, plan_cuts};
pub use search::{
    Candidate, CandidatePlan, CountedCandidates, Counting, Planning, PredictionRule, Pruning,
    Trial, count, plan, verify,
};
pub use summaries::{CATALOG, find};
pub use summary::{LikelyCell, Needs, Summary, SummaryInput, SummaryKind, ValueMap};

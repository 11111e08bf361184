//! Negotiate the anonymization of a data set in the blink of an eye.
//!
//! An [`Engine`] holds a table's annotated lattice and answers requests from it.
//!
//! ```
//! use haggle::{Ask, Engine, Options, Project};
//!
//! let project = Project::open("demo:adult")?;
//! let options = Options { qi: Some(vec!["age".into(), "race".into(), "workclass".into()]), ..Options::default() };
//! let engine = Engine::open(&project, &options)?;
//!
//! let ask: Ask = serde_json::from_str(
//!     r#"{"privacy":{"k-anonymity":10},"levels":[2,1,1],"max_suppressed":321}"#,
//! )?;
//! let answer = engine.ask(&ask)?;
//! let exact = answer.exact.expect("this can be had");
//! assert_eq!((exact.scheme.to_string(), exact.suppressed), ("[1,1,0]".into(), 170));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod accounting;
mod amount;
mod answer;
mod ask;
mod atomic;
mod boxes;
mod columns;
mod compare;
mod covering;
mod criterion;
mod demo;
mod distance;
mod engine;
mod estimate;
mod estimators;
mod facts;
mod figure;
mod freshness;
mod init;
mod instant;
mod lattice_file;
mod loss;
mod manifest;
mod meaning;
mod measure;
mod on_demand;
mod origin;
mod overview;
mod pareto;
mod partial;
mod pictures;
mod pinned;
pub mod plot;
mod policy;
mod privacy;
mod project;
mod publications;
mod publish;
mod reading;
mod recoded;
mod results;
mod rows;
#[cfg(feature = "openapi")]
pub mod schema;
mod security;
mod strategies;
mod suggest;
mod survey;
mod tables;
mod thresholds;
mod update;
mod verify;
mod view;
mod why;
mod words;

pub use account::Account;
pub use accounting::{ColumnAccount, ColumnPlan, DropReason, OtherColumn, OtherColumns, Treatment};
pub use amount::Amount;
pub use answer::{Answer, AttributeOffer, Offer, Offers, Outcome, PrivacyOffer};
pub use ask::{Ask, Defaults, Levels, RelaxHeight};
pub use boxes::BoxesReport;
pub use columns::{ColumnView, Columns, ValueRecords};
pub use compare::{CompareOptions, ComparedStrategy, Comparison};
pub use criterion::{Threshold, number};
pub use distance::PublishedDistance;
pub use engine::{Built, Engine, HeightStudy, Options, Progress, SchemeHistogram, Silent, Study};
pub use estimate::BuildEstimate;
pub use estimators::{ChosenStudy, DeviationStudy, EstimatorStudy, EstimatorsStudy, LevelStudy};
pub use figure::Figure;
pub use init::{Draft, Guess};
pub use instant::{
    By, Firm, Instant, InstantAnswer, InstantAsk, InstantOptions, InstantPlan, InstantPrediction,
    Optimum, Predicted, PredictedScheme, SummaryReport,
};
pub use loss::Judge;
pub use manifest::{Combination, Manifest, PrivateManifest};
pub use on_demand::{Obtained, Way};
pub use overview::{
    AttributeOverview, LatticeOverview, LevelOverview, LevelsOverview, ProjectOverview,
};
pub use pareto::{Compared, Front, FrontPoint, PairPoint, PairsFront, PokaFront};
pub use partial::PartialKnown;
pub use pinned::{ExampleRow, Pinned, PinnedExample};
pub use privacy::{Privacy, Value};
pub use project::Project;
pub use publications::{AppliedInShort, EarlierPublication, PublicationRecord};
pub use publish::{
    Order, Preview, PreviewAttribute, PreviewRow, PublicationReport, PublishOptions,
    PublishOutcome, Refusal, Replace, SingleValued,
};
pub use security::{Security, SecurityOptions, ValueSecurity};
pub use strategies::{Recipe, StrategyEntry, strategies};
pub use suggest::Suggestion;
pub use survey::{AttributeReport, Report};
pub use thresholds::Weakened;
pub use update::{ChangeFiles, Changes, Updated};
pub use verify::{Assessment, Inspection, Reference, Verdict};
pub use view::{Branch, HierarchyView};
pub use why::{AttributeCost, Change, Kind, Why};
pub use words::Example;

pub use haggle_cube::{Bin, Kind as Merging};
pub use haggle_data::Suppress;
pub use haggle_data::output::Recovery;
pub use haggle_data::sinks::Formulas;
pub use haggle_instant::{
    CATALOG as SUMMARIES, Optimizations, Predictor, Pruning, SummaryKind, find as find_summary,
};
pub use haggle_loss::{CATALOG as MEASURES, Measure, find as find_measure};
pub use haggle_model::{
    Error, ErrorKind, Hierarchy, Level, Problem, Problems, Recoding, Role, Scheme,
};
pub use haggle_privacy::{CATALOG as MODELS, Choice, Model, Parameter, find as find_model};
pub use haggle_search::partial::{ESTIMATORS, Estimator, Selection, find_estimator};
pub use haggle_search::{Closing, Watch};

/// This version of haggle.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

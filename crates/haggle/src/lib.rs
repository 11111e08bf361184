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

mod canvas;
mod figure;
mod pictures;

pub use figure::Figure;

/// Pictures of answers: as SVG, as PNG or as text for a terminal.
pub mod plot {
    pub use haggle_plot::*;

    pub use crate::canvas::{Canvas, Format};
    pub use crate::pictures::{
        picture_of_comparison, picture_of_front, picture_of_histogram, picture_of_lattice,
        picture_of_poka, picture_of_study, picture_of_two,
    };
}

#[cfg(feature = "openapi")]
pub use haggle_api::schema;
pub use haggle_api::{
    Account, Amount, Answer, AppliedInShort, Ask, AttributeCost, AttributeOffer, AttributeOverview,
    AttributeReport, BoxesReport, Branch, BuildEstimate, Built, By, Change, Changes, ChosenStudy,
    ColumnAccount, ColumnPlan, ColumnView, Columns, Compared, ComparedStrategy, Comparison,
    Defaults, DeviationStudy, DropReason, EarlierPublication, EstimatorStudy, EstimatorsStudy,
    Example, ExampleRow, Firm, Front, FrontPoint, HeightStudy, HierarchyView, InstantAnswer,
    InstantAsk, InstantPlan, InstantPrediction, Judge, Kind, LatticeOverview, LevelOverview,
    LevelStudy, Levels, LevelsOverview, Obtained, Offer, Offers, Optimum, OtherColumn,
    OtherColumns, Outcome, PairPoint, PairsFront, PartialKnown, Pinned, PinnedExample, PokaFront,
    Predicted, PredictedScheme, Preview, PreviewAttribute, PreviewRow, Privacy, PrivacyOffer,
    ProjectOverview, PublicationReport, PublishOutcome, Refusal, RelaxHeight, Report,
    SchemeHistogram, Security, SecurityOptions, SingleValued, Study, SummaryReport, Threshold,
    Treatment, Updated, VERSION, Value, ValueRecords, ValueSecurity, Weakened, Why,
};
pub use haggle_cube::{Bin, Merging};
pub use haggle_data::Suppress;
pub use haggle_data::output::Recovery;
pub use haggle_data::sinks::Formulas;
pub use haggle_engine::{
    ChangeFiles, CompareOptions, Engine, Instant, InstantOptions, Options, Recipe, StrategyEntry,
    Way, strategies,
};
pub use haggle_instant::{
    CATALOG as SUMMARIES, Optimizations, Predictor, Pruning, SummaryKind, find as find_summary,
};
pub use haggle_loss::{CATALOG as MEASURES, Measure, find as find_measure};
pub use haggle_model::{
    Error, ErrorKind, Hierarchy, Level, Problem, Problems, Progress, Recoding, Role, Scheme,
    Silent, numerals,
};
pub use haggle_privacy::{CATALOG as MODELS, Choice, Model, Parameter, find as find_model};
pub use haggle_project::{Draft, Guess, Project, Suggestion, save_hierarchy};
pub use haggle_publish::{
    Assessment, Combination, Inspection, Manifest, Order, PrivateManifest, PublicationRecord,
    PublishOptions, PublishedDistance, Reference, Replace, Verdict, check, check_policy,
    check_within, preview, preview_of, publish, publish_table,
};
pub use haggle_search::partial::{ESTIMATORS, Estimator, Selection, find_estimator};
pub use haggle_search::{SearchState, Watch};

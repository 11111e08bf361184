//! What can be asked and answered: requests, answers and reports as data.
//!
//! Nothing here reads data or searches. The command line, HTTP and other bindings share these types, so
//! the same request gives the same JSON everywhere.

mod account;
mod amount;
mod answer;
pub mod ask;
mod boxes;
mod built;
mod changes;
mod check;
mod choice;
mod columns;
mod comparison;
mod cross_table;
mod estimators;
mod example;
mod front;
mod hierarchy;
mod instant;
mod judge;
mod obtained;
mod offer;
mod overview;
mod pinned;
mod preview;
pub mod privacy;
mod publication;
mod query;
mod question;
pub mod questions;
mod range;
mod relaxation;
mod request;
pub mod risk;
pub mod rows;
#[cfg(feature = "openapi")]
pub mod schema;
mod schemes;
mod security;
pub mod setup;
mod stricter;
mod study;
mod table;
pub mod threshold;
mod utility;
mod why;

pub use account::Account;
pub use amount::{Amount, percent};
pub use answer::{Answer, Outcome, RangeAnswer};
pub use ask::{Ask, Defaults, Levels, RelaxHeight};
pub use boxes::BoxesReport;
pub use built::{BuildEstimate, Built};
pub use changes::{Changes, UpdateRevealed, Updated};
pub use check::{AttributeReport, Report};
pub use choice::{Choice, PublicationForm, RecodingChoice};
pub use columns::{
    ColumnAccount, ColumnPlan, DropReason, KeptBy, OtherColumn, OtherColumns, Treatment,
    WholeRecords,
};
pub use comparison::{ComparedStrategy, Comparison};
pub use cross_table::{CrossTable, PublishedRun, TableAxis};
pub use estimators::{ChosenStudy, DeviationStudy, EstimatorStudy, EstimatorsStudy, LevelStudy};
pub use example::Example;
pub use front::{Compared, Front, FrontPoint, PairPoint, PairsFront, PokaFront};
pub use hierarchy::{Branch, HierarchyView, MergedValues, RepairedHierarchy};
pub use instant::{
    By, ExactOptimum, Firm, InstantAnswer, InstantAsk, InstantPlan, InstantPrediction,
    InstantRelaxations, Predicted, PredictedScheme, SummaryReport,
};
pub use judge::{Judge, WorkloadFile};
pub use obtained::{Obtained, PartialKnown};
pub use offer::Offer;
pub use overview::{
    AttributeOverview, LatticeOverview, LevelOverview, LevelsOverview, ProjectOverview,
};
pub use pinned::{ExampleRow, Pinned, PinnedExample};
pub use preview::{Preview, PreviewAttribute, PreviewRow};
pub use privacy::{Privacy, Value};
pub use publication::{
    AppliedInShort, EarlierPublication, PublicationReport, PublishOutcome, PublishedAnatomy,
    Refusal, SingleValued, SqlReport,
};
pub use query::{
    ErrorSummary, QueryAnswer, QueryAsk, QueryBasis, QueryDomain, QueryError, QueryErrors,
    QueryOfValue, QueryResult, SatisfyingGroups, SelectedRecords, SuppressedRecords,
    WorkloadErrors, WorkloadOfScheme, WorkloadOverSchemes, WorkloadReport,
};
pub use question::{Asked, BodyFields, Described, Document, Question, Reveals, fields_of};
pub use questions::*;
pub use range::AcceptableRange;
pub use relaxation::{AcceptableRelaxation, Relaxation, RelaxationKind, Relaxations};
pub use request::Request;
pub use risk::{Differing, RiskAsk, RiskReport, Together};
pub use schemes::{SchemeCost, SchemesReport};
pub use security::{GroupSecurity, Security, SecurityOptions, ValueSecurity};
pub use stricter::Weakened;
pub use study::{GroupSize, GroupingPower, GroupingStudy, HeightStudy, SchemeHistogram, Study};
pub use table::{ColumnView, Columns, ValueRecords};
pub use threshold::Threshold;
pub use utility::{
    AttributeUtility, BeforeAfter, ModelScore, ModelsUtility, PairUtility, RuleExample,
    RuleOutcome, RulesUtility, UtilityAsk, UtilityReport,
};
pub use why::{AttributeCost, Change, SuppressedValue, Why};

/// This version of haggle.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

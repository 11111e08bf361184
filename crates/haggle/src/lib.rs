//! Negotiate the anonymization of a data set in the blink of an eye.
//!
//! An [`Engine`] holds a table's annotated lattice and answers requests from it. A request is met by a
//! scheme, or the answer says which constraint could be relaxed. What was agreed on is published: the file
//! is written, read again, proved, and only then gets its name.
//!
//! ```
//! use haggle::{Engine, Project, Publication, Request, percent, verify};
//!
//! let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).memory_gb(2).open()?;
//!
//! let request = Request::k(10).max_suppressed(percent(1.0)).levels([2, 1, 1]);
//! let answer = engine.ask(&request)?;
//! let exact = answer.exact()?;
//! assert_eq!((exact.scheme.to_string(), exact.suppressed), ("[1,1,0]".into(), 170));
//!
//! let best = engine.ask(&request.clone().optimize("lm")?)?;
//! let front = engine.pareto(&request, "lm")?;
//! # let _ = (best, front);
//!
//! let strict = request.max_suppressed(32);
//! let agreed = engine.ask(&strict)?.relaxations()?.suppression()?.accept;
//! # let folder = std::env::temp_dir().join(format!("haggle-facade-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let out = folder.join("out.csv");
//! let report = Publication::of(&agreed).to(&out).publish(&engine)?;
//! assert!(verify(&out).against(&agreed).run()?.is_yes());
//! # assert_eq!(report.suppressed(), 55);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The names that most programs need are at the root; the modules hold the rest. Longer programs are in the
//! folder `examples` of this crate.
//!
//! These features are on by default: `parquet` (files), `postgres` (tables of databases), `plot` (pictures),
//! `demo` (the embedded census data) and `research` (`POkA`, and the study of the estimators of partial
//! lattices); all but `adbc` (tables of engines such as Apache Spark), which the command line has. What a
//! build does not have is refused with an error that says so.

pub mod questions;

pub use crate::questions::{answer, answer_json};
pub use haggle_api::{
    AcceptableRelaxation, Account, Amount, Answer, Ask, Choice, Front, FrontPoint, Levels,
    MeasureSpec, Offer, Outcome, Privacy, PublicationForm, PublicationReport, RecodingChoice,
    RelaxHeight, Relaxation, RelaxationKind, Relaxations, Request, Threshold, VERSION, percent,
};
pub use haggle_assess::Verdict;
pub use haggle_engine::{
    Engine, EngineBuilder, EngineSource, FrontAxes, Options, QuestionCount, Way,
};
pub use haggle_model::{
    CancelAt, Error, ErrorKind, Hierarchy, Level, Problem, Problems, Progress, Recoding, Remedy,
    Role, Scheme, Silent, WithDeadline, numerals,
};
pub use haggle_project::Project;
pub use haggle_publish::{Publication, Verification, verify};

#[cfg(feature = "openapi")]
pub use haggle_api::schema;

/// Reports: what the engine says about a table, its lattice, a scheme or a comparison.
pub mod reports {
    pub use haggle_api::{
        AcceptableRange, AppliedInShort, AttributeCost, AttributeOverview, AttributeReport,
        BoxesReport, Branch, BuildEstimate, Built, By, Change, Changes, ChosenStudy, ColumnAccount,
        ColumnPlan, ColumnView, Columns, Compared, ComparedStrategy, Comparison, CountedScheme,
        CrossTable, DeviationStudy, DropReason, EstimatorStudy, EstimatorsStudy, ExactOptimum,
        Example, ExampleRow, GroupSecurity, GroupSize, GroupingPower, GroupingStudy, HeightStudy,
        HierarchyView, InstantAnswer, InstantPlan, InstantPrediction, InstantRelaxations, KeptBy,
        LatticeOverview, LevelOverview, LevelStudy, LevelsOverview, MergedValues, Obtained,
        OtherColumn, OtherColumns, PairPoint, PairsFront, PartialKnown, Pinned, PinnedExample,
        PokaFront, Predicted, PredictedScheme, Preview, PreviewAttribute, PreviewRow,
        ProjectOverview, PublishedRun, RangeAnswer, RepairedHierarchy, Report, SchemeCost,
        SchemeHistogram, SchemesReport, Security, Study, SummaryReport, SuppressedValue, TableAxis,
        Treatment, Updated, ValueRecords, ValueSecurity, Weakened, WholeRecords, Why,
    };
    pub use haggle_cube::Bin;
}

/// What a publication tells an attacker: re-identification risk, attacks and beliefs.
///
/// ```
/// use haggle::inference::{RiskAsk, RiskInputs, risk};
/// use haggle::{Engine, Project, Request};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
/// let ask = RiskAsk { scheme: Some("1,1,0".parse()?), key_size: 1, ..RiskAsk::default() };
/// let report = risk(&engine, &Request::k(10), &ask, &RiskInputs::default())?;
/// assert!(report.risk.prosecutor.highest <= 0.1);
/// assert_eq!(report.suppressed, Some(170));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod inference {
    pub use haggle_api::risk::*;
    pub use haggle_assess::RiskInputs;
    pub use haggle_assess::security::security;
    pub use haggle_inference::attacks::{Attack, CATALOG as ATTACKS, find as find_attack};
    pub use haggle_publish::risk;
}

/// Catalogs: privacy models, loss measures, strategies, summaries and estimators, each by its id.
pub mod catalog {
    pub use haggle_api::Value;
    pub use haggle_cube::Merging;
    pub use haggle_engine::{LossUse, StrategyEntry, strategies};
    pub use haggle_instant::{CATALOG as SUMMARIES, SummaryKind, find as find_summary};
    pub use haggle_loss::{
        CATALOG as MEASURES, ExpectedFrom, Measure, MeasureOption, expected_from,
        find as find_measure,
    };
    pub use haggle_privacy::{
        CATALOG as MODELS, Model, Parameter, ParameterOption, find as find_model,
    };
    pub use haggle_search::partial::{ESTIMATORS, Estimator, find_estimator};
}

/// A bounded cache for programs that serve many clients.
pub mod cache {
    pub use haggle_model::{Cache, Capacity};
}

/// The memory of the whole process, for programs that keep to a limit.
pub mod memory {
    pub use haggle_engine::resident::MemoryWatch;
}

/// Searching in other ways: comparing strategies, predictions before counting, lattices in part, changes.
pub mod search {
    pub use haggle_api::{InstantAsk, SecurityOptions};
    pub use haggle_engine::{ChangeFiles, CompareOptions, Instant, InstantOptions};
    #[cfg(feature = "research")]
    pub use haggle_engine::{GroundRule, PokaOptions};
    pub use haggle_instant::{Optimizations, Predictor, Pruning};
    pub use haggle_model::SearchState;
    pub use haggle_search::partial::Selection;
}

/// The lattice itself, for privacy models of your own: statistics of groups, and requests on them.
pub mod lattice {
    pub use haggle_cube::{
        Column, Cube, FullLattice, Group, Lattice, Merging, Passing, Statistic, ValueCount,
    };
    pub use haggle_search::{
        LatticeAnswer, LatticeRequest, Negotiation, Relaxations, Requirement, Solution, negotiate,
    };
}

/// Queries: what an analyst learns from a scheme before it is published, or from a published file.
pub mod queries {
    pub use haggle_api::{
        ErrorSummary, QueryAnswer, QueryAsk, QueryBasis, QueryDomain, QueryError, QueryErrors,
        QueryOfValue, QueryResult, SatisfyingGroups, SelectedRecords, SuppressedRecords,
        WorkloadErrors, WorkloadOfScheme, WorkloadOverSchemes, WorkloadReport,
    };
    pub use haggle_assess::FileQueries;
    pub use haggle_assess::queries::{
        QueriedPublication, load_workload, over_schemes, query, read_workload, workload,
    };
    pub use haggle_cube::query::Condition;
    pub use haggle_inference::Query;
    pub use haggle_inference::workload::RandomQueries;
}

/// Utility: what an analyst can still do with a scheme.
pub mod utility {
    pub use haggle_api::{
        AttributeUtility, BeforeAfter, ModelScore, ModelsUtility, PairUtility, RuleExample,
        RuleOutcome, RulesUtility, UtilityAsk, UtilityReport,
    };
    pub use haggle_assess::utility::utility;
    pub use haggle_inference::utility::{CATALOG as PREDICTORS, HoldOut};
}

/// Reports on a publication, public or private.
pub mod report {
    pub use haggle_report::*;
}

/// Publishing in detail: options, outcomes, manifests, inspection of files.
pub mod publishing {
    pub use haggle_api::{
        Differing, EarlierPublication, PublishOutcome, PublishRequest, PublishedAnatomy, Refusal,
        SingleValued, SqlReport, SuppressedRecords, Together, UpdateRevealed,
    };
    pub use haggle_assess::{
        Assessment, Combination, Inspection, Manifest, PrivateManifest, PublicationRecord,
        PublishedDistance, Reference, revealed_by_update,
    };
    pub use haggle_data::Suppress;
    pub use haggle_data::sinks::Formulas;
    pub use haggle_output::{Readers, Recovery};
    pub use haggle_publish::{
        PublishOptions, PublishTarget, RecordOrder, Replace, SqlForm, SqlScript, check_policy,
        preview_of, publish,
    };
    pub use haggle_sql::{Dialect as SqlDialect, EngineFiles, dialects as sql_dialects};
}

/// Tables in memory as the data of projects: bytes, or record batches with the feature `frames`.
pub mod frames {
    pub use haggle_data::{CsvOptions, Frame, Input, Table};
}

/// Setting up a project: a first draft from data, suggested hierarchies, checks.
pub mod setup {
    pub use haggle_api::setup::*;
    pub use haggle_engine::study::pricing::price;
    pub use haggle_project::{
        Draft, Guess, Suggestion, TableSetup, repair_hierarchy, save_hierarchy,
    };
    pub use haggle_publish::{check, check_within};
}

/// Pictures of answers: as SVG, as PNG or as text for a terminal.
#[cfg(feature = "plot")]
pub mod plot {
    pub use haggle_plot::*;

    pub use haggle_report::plot::*;
}

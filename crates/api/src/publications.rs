//! A publication before and after it is written: its columns, its risk, the answers to queries, and
//! what analysts can still do with it.

mod boxes;
mod columns;
mod preview;
mod publication;
mod query;
pub mod risk;
mod utility;

pub use boxes::BoxesReport;
pub use columns::{
    ColumnAccount, ColumnPlan, DropReason, KeptBy, OtherColumn, OtherColumns, Treatment,
    WholeRecords,
};
pub use preview::{Preview, PreviewAttribute, PreviewRow};
pub use publication::{
    AppliedInShort, EarlierPublication, PublicationReport, PublishOutcome, PublishedAnatomy,
    Refusal, SingleValued, SqlReport,
};
pub use query::{
    ErrorSummary, QueryAnswer, QueryAsk, QueryBasis, QueryDomain, QueryError, QueryErrors,
    QueryOfValue, QueryResult, SatisfyingGroups, SelectedRecords, SuppressedRecords,
    WorkloadErrors, WorkloadOfScheme, WorkloadOverSchemes, WorkloadReport,
};
pub use risk::{Differing, RiskAsk, RiskReport, Together};
pub use utility::{
    AttributeUtility, BeforeAfter, ModelScore, ModelsUtility, PairUtility, RuleExample,
    RuleOutcome, RulesUtility, UtilityAsk, UtilityReport,
};

//! The fields of every question, in addition to a request.

mod costs;
mod fronts;
mod lattices;
mod pictures;
mod publications;
mod publish;
mod schemes;

pub use costs::{AllLosses, AllSuppressed, LossesQuestion, SchemesQuestion, SuppressedQuestion};
pub use fronts::{ParetoAnswer, ParetoQuestion, PokaQuestion};
pub use lattices::{
    AskQuestion, CompareQuestion, EstimatorsQuestion, GroupingQuestion, LatticeQuestion,
    PrepareQuestion, Prepared, StudyQuestion,
};
pub use pictures::{PlotFormat, PlotQuestion, PlottedFigure};
pub use publications::{
    ListedQuery, PreviewQuestion, QueryQuestion, ReportForm, ReportFormat, ReportQuestion,
    WorkloadAnswer, WorkloadQuestion,
};
pub use publish::PublishRequest;
pub use schemes::{
    CrossTableQuestion, HistogramQuestion, SchemeQuestion, SecurityQuestion, WhyQuestion,
};

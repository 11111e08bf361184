//! Questions about the lattice as a whole.

use serde::{Deserialize, Serialize};

use crate::{
    Answer, Comparison, EstimatorsStudy, GroupingStudy, LatticeOverview, MeasureSpec, Question,
    Reveals, Study,
};

/// The best scheme for a request, or what would have to be relaxed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AskQuestion {
    /// How long to search, in seconds, where schemes are annotated on demand: the best answer found
    /// by then is given, with what is proved about better ones. Until it is done if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
}

impl Question for AskQuestion {
    const ID: &'static str = "ask";
    const TITLE: &'static str = "The best scheme for a request, or what would have to be relaxed";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 321}"#,
        r#"{"privacy": {"k-anonymity": 10}, "levels": {"age": 2}, "max_suppressed": 32}"#,
        r#"{"privacy": "t-closeness=0.2", "optimize": "lm", "top": 2, "time_limit": 60, "only": true}"#,
        r#"{"privacy": [{"model": "k-anonymity", "k": 9000}], "relax_height": "closest"}"#,
    ];
    type Answer = Answer;
}

/// What a threshold costs at each height.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StudyQuestion {}

impl Question for StudyQuestion {
    const ID: &'static str = "study";
    const TITLE: &'static str = "What a threshold costs at each height";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 3}}"#, r#"{"privacy": "distinct-l-diversity=3"}"#];
    type Answer = Study;
}

/// How well estimators select the schemes of a partial lattice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EstimatorsQuestion {
    /// The percentage of each height that is selected.
    pub partial: f64,
}

impl Question for EstimatorsQuestion {
    const ID: &'static str = "estimators";
    const TITLE: &'static str = "How well each estimator selects the schemes of a partial lattice";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 3}, "partial": 20}"#];
    type Answer = EstimatorsStudy;
}

/// How strongly each quasi-identifier groups the records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupingQuestion {}

impl Question for GroupingQuestion {
    const ID: &'static str = "grouping";
    const TITLE: &'static str = "How strongly each quasi-identifier groups the records";
    const REVEALS: Reveals = Reveals::Counts;
    const TAKES_REQUEST: bool = false;
    const EXAMPLES: &'static [&'static str] = &["{}"];
    type Answer = GroupingStudy;
}

/// What the lattice is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LatticeQuestion {}

impl Question for LatticeQuestion {
    const ID: &'static str = "lattice";
    const TITLE: &'static str = "The lattice of some quasi-identifiers: levels, examples, size";
    const REVEALS: Reveals = Reveals::Labels;
    const TAKES_REQUEST: bool = false;
    const EXAMPLES: &'static [&'static str] = &["{}"];
    type Answer = LatticeOverview;
}

/// Builds what a request needs, so that it is answered at once afterwards.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PrepareQuestion {
    /// A loss measure that a front will be of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub loss: Option<MeasureSpec>,
}

impl Question for PrepareQuestion {
    const ID: &'static str = "prepare";
    const TITLE: &'static str = "Builds what a request needs and does not exist yet";
    const REVEALS: Reveals = Reveals::Nothing;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 10}, "optimize": "lm", "loss": "discernibility"}"#];
    type Answer = Prepared;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        self.loss.iter_mut().collect()
    }
}

/// What exists now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Prepared {
    /// How many schemes it describes.
    pub schemes: usize,
}

/// Every strategy on one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct CompareQuestion {
    /// The measures to report; strategies minimize the first.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub measures: Vec<MeasureSpec>,
    /// The strategies; all if none is named.
    pub strategies: Vec<String>,
    /// How long each strategy may search, in seconds; until it is done if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
}

impl Question for CompareQuestion {
    const ID: &'static str = "compare";
    const TITLE: &'static str = "Every strategy on one request: what it finds, loses and takes";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "measures": ["lm"], "strategies": ["lattice", "mondrian"], "time_limit": 60}"#,
    ];
    type Answer = Comparison;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        self.measures.iter_mut().collect()
    }
}

//! Questions about one scheme.

use haggle_model::Scheme;
use serde::{Deserialize, Serialize};

use crate::{CrossTable, MeasureSpec, Pinned, Question, Reveals, SchemeHistogram, Security, Why};

/// One scheme's histogram of the model asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct HistogramQuestion {
    /// The scheme; that of the answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
}

impl Question for HistogramQuestion {
    const ID: &'static str = "histogram";
    const TITLE: &'static str = "How many groups and records of a scheme have which statistic";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 3}, "scheme": [1, 0, 1]}"#,
        r#"{"privacy": {"k-anonymity": 10}}"#,
    ];
    type Answer = SchemeHistogram;
}

/// One scheme in detail.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct SchemeQuestion {
    /// The scheme; that of the answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
}

impl Question for SchemeQuestion {
    const ID: &'static str = "scheme";
    const TITLE: &'static str = "One scheme in detail";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0]}"#];
    type Answer = Pinned;
}

/// What a scheme suppresses, and which level would help.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WhyQuestion {
    /// The scheme; that of the answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The loss measure that attributes are compared by.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub loss: MeasureSpec,
}

impl Default for WhyQuestion {
    fn default() -> Self {
        Self { scheme: None, loss: MeasureSpec::plain() }
    }
}

impl Question for WhyQuestion {
    const ID: &'static str = "why";
    const TITLE: &'static str = "What a scheme suppresses, and which level would help";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "loss": "lm"}"#,
        r#"{"privacy": {"k-anonymity": 10}, "max_suppressed": 321}"#,
    ];
    type Answer = Why;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        vec![&mut self.loss]
    }
}

/// Records by the recorded values of attributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CrossTableQuestion {
    /// The scheme; that of the answer if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// One attribute or two: quasi-identifiers, or one of them sensitive.
    pub by: Vec<String>,
}

impl Question for CrossTableQuestion {
    const ID: &'static str = "cross-table";
    const TITLE: &'static str = "Records, and those that a scheme suppresses, by recorded values";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "by": ["race", "workclass"]}"#];
    type Answer = CrossTable;
}

/// The security estimate of sensitive values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SecurityQuestion {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The sensitive attribute, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// How wide a suspicion is, in classes: the standard deviation of the bell; 1 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// What the bells are scaled by; 1 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// How many groups with the lowest and with the highest estimate are reported; 5 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<usize>,
}

impl Question for SecurityQuestion {
    const ID: &'static str = "security";
    const TITLE: &'static str = "How hard each sensitive value is to rule out or to guess";
    const REVEALS: Reveals = Reveals::Labels;
    const TAKES_REQUEST: bool = false;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"scheme": [2, 1, 1], "on": "hours-per-week", "width": 2, "scale": 1, "worst": 3}"#];
    type Answer = Security;
}

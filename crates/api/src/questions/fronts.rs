//! Fronts: every threshold that is worth its price.

use haggle_model::Scheme;
use serde::{Deserialize, Serialize};

use crate::{Front, MeasureSpec, PairsFront, PokaFront, Question, Reveals};

/// The exact front of privacy against loss. The thresholds of the request vary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ParetoQuestion {
    /// The loss measure.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub loss: MeasureSpec,
    /// Whether suppression is a third dimension.
    pub suppression: bool,
    /// The most that may be lost, where two models are compared with each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_loss: Option<f64>,
    /// The thresholds at which the least loss is searched, for lattices of any size; the whole front
    /// if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Vec<f64>>,
}

impl Default for ParetoQuestion {
    fn default() -> Self {
        Self { loss: MeasureSpec::plain(), suppression: false, max_loss: None, thresholds: None }
    }
}

impl Question for ParetoQuestion {
    const ID: &'static str = "pareto";
    const TITLE: &'static str = "The exact front of privacy against loss";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "max_suppressed": "1%", "loss": "lm"}"#,
        r#"{"privacy": [{"model": "k-anonymity"}], "suppression": true}"#,
        r#"{"privacy": [{"model": "k-anonymity"}], "thresholds": [5, 50]}"#,
        r#"{"privacy": [{"model": "k-anonymity"}, {"model": "distinct-l-diversity"}], "max_loss": 0.6}"#,
    ];
    type Answer = ParetoAnswer;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        vec![&mut self.loss]
    }
}

/// The front of one model, or of two.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ParetoAnswer {
    /// Of one model against loss.
    One(Front),
    /// Of two models against each other.
    Two(PairsFront),
}

/// The front as `POkA` searches it. The threshold of the request varies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PokaQuestion {
    /// The loss measure.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub loss: MeasureSpec,
    /// The scheme that it starts from; the most general one if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub start: Option<Scheme>,
    /// How deep it searches below each point; the mean height of a hierarchy if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Where it starts to climb from: `depth` as published, or `ceiling`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_rule: Option<String>,
    /// Whether what was found is compared with every scheme.
    pub exhaustive: bool,
}

impl Default for PokaQuestion {
    fn default() -> Self {
        let loss = MeasureSpec::plain();
        Self { loss, start: None, depth: None, ground_rule: None, exhaustive: false }
    }
}

impl Question for PokaQuestion {
    const ID: &'static str = "poka";
    const TITLE: &'static str = "The front as POkA searches it: one point for each scheme";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": [{"model": "k-anonymity"}], "loss": "lm", "start": [2, 1, 1], "depth": 3}"#,
        r#"{"privacy": [{"model": "k-anonymity"}], "ground_rule": "ceiling", "exhaustive": true}"#,
    ];
    type Answer = PokaFront;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        vec![&mut self.loss]
    }
}

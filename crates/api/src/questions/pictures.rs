//! Pictures of answers, and the numbers behind them.

use haggle_model::Scheme;
use serde::{Deserialize, Serialize};

use crate::{
    CompareQuestion, Document, MeasureSpec, ParetoQuestion, PokaQuestion, Question, Reveals,
};

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlottedFigure {
    /// Privacy against loss.
    Front,
    /// Suppression by height.
    Study,
    /// A scheme's histogram.
    Histogram,
    /// Every scheme, with the answer.
    Lattice,
    /// What each strategy finds.
    Comparison,
    /// The front as `POkA` searches it.
    Poka,
}

impl PlottedFigure {
    /// Returns the name that JSON uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Study => "study",
            Self::Histogram => "histogram",
            Self::Lattice => "lattice",
            Self::Comparison => "comparison",
            Self::Poka => "poka",
        }
    }
}

/// The format of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlotFormat {
    /// A drawing.
    #[default]
    Svg,
    /// A picture of points.
    Png,
    /// The numbers behind the picture.
    Csv,
}

impl PlotFormat {
    /// Returns the ending of file names, and the media type.
    pub fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Svg => ("svg", "image/svg+xml"),
            Self::Png => ("png", "image/png"),
            Self::Csv => ("csv", "text/csv; charset=utf-8"),
        }
    }
}

/// A picture of an answer, or the numbers behind it. Each field belongs to the figures that it is
/// named with; with another one it is refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlotQuestion {
    /// What the picture shows.
    pub figure: PlottedFigure,
    /// The format; a drawing if not given.
    #[serde(default)]
    pub format: PlotFormat,
    /// Histogram: the scheme; that of the answer if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// Front and `POkA`: the loss measure; lm if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub loss: Option<MeasureSpec>,
    /// Front: whether suppression is a third dimension.
    #[serde(default)]
    pub suppression: bool,
    /// Front: the most that may be lost, where two models are compared with each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_loss: Option<f64>,
    /// Front: the thresholds at which the least loss is searched; the whole front if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Vec<f64>>,
    /// Comparison: the measures; strategies minimize the first.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub measures: Vec<MeasureSpec>,
    /// Comparison: the strategies; all if none is named.
    #[serde(default)]
    pub strategies: Vec<String>,
    /// Comparison: how long each strategy may search, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// `POkA`: the scheme that it starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub start: Option<Scheme>,
    /// `POkA`: how deep it searches below each point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `POkA`: where it starts to climb from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground_rule: Option<String>,
    /// `POkA`: whether what was found is compared with every scheme.
    #[serde(default)]
    pub exhaustive: bool,
}

impl PlotQuestion {
    /// Returns the loss measure.
    pub fn loss(&self) -> MeasureSpec {
        self.loss.clone().unwrap_or_else(MeasureSpec::plain)
    }

    /// Returns the question whose answer a front shows.
    pub fn pareto(&self) -> ParetoQuestion {
        ParetoQuestion {
            loss: self.loss(),
            suppression: self.suppression,
            max_loss: self.max_loss,
            thresholds: self.thresholds.clone(),
        }
    }

    /// Returns the question whose answer a comparison shows.
    pub fn compare(&self) -> CompareQuestion {
        CompareQuestion {
            measures: self.measures.clone(),
            strategies: self.strategies.clone(),
            time_limit: self.time_limit,
        }
    }

    /// Returns the question whose answer the figure of `POkA` shows.
    pub fn poka(&self) -> PokaQuestion {
        PokaQuestion {
            loss: self.loss(),
            start: self.start.clone(),
            depth: self.depth,
            ground_rule: self.ground_rule.clone(),
            exhaustive: self.exhaustive,
        }
    }

    /// Returns the first field that is given and that the figure does not use.
    pub fn unused(&self) -> Option<&'static str> {
        use PlottedFigure::{Comparison, Front, Histogram, Poka};
        let given = [
            ("scheme", self.scheme.is_some(), &[Histogram][..]),
            ("loss", self.loss.is_some(), &[Front, Poka]),
            ("suppression", self.suppression, &[Front]),
            ("max_loss", self.max_loss.is_some(), &[Front]),
            ("thresholds", self.thresholds.is_some(), &[Front]),
            ("measures", !self.measures.is_empty(), &[Comparison]),
            ("strategies", !self.strategies.is_empty(), &[Comparison]),
            ("time_limit", self.time_limit.is_some(), &[Comparison]),
            ("start", self.start.is_some(), &[Poka]),
            ("depth", self.depth.is_some(), &[Poka]),
            ("ground_rule", self.ground_rule.is_some(), &[Poka]),
            ("exhaustive", self.exhaustive, &[Poka]),
        ];
        let unused = |(_, is_given, figures): &&(&str, bool, &[PlottedFigure])| {
            *is_given && !figures.contains(&self.figure)
        };
        given.iter().find(unused).map(|(name, ..)| *name)
    }
}

impl Question for PlotQuestion {
    const ID: &'static str = "plot";
    const TITLE: &'static str = "A picture of an answer, or the numbers behind it";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"figure": "front", "privacy": {"k-anonymity": 10}, "loss": "lm", "suppression": true, "format": "csv"}"#,
        r#"{"figure": "front", "privacy": {"k-anonymity": 10}, "thresholds": [5, 50], "format": "png"}"#,
        r#"{"figure": "front", "privacy": [{"model": "k-anonymity"}, {"model": "distinct-l-diversity"}], "max_loss": 0.6}"#,
        r#"{"figure": "study", "privacy": {"k-anonymity": 3}}"#,
        r#"{"figure": "histogram", "privacy": {"k-anonymity": 3}, "scheme": [1, 0, 1]}"#,
        r#"{"figure": "lattice", "privacy": {"k-anonymity": 10}, "max_suppressed": 321}"#,
        r#"{"figure": "comparison", "privacy": {"k-anonymity": 10}, "measures": ["lm"], "strategies": ["lattice", "mondrian"], "time_limit": 60}"#,
        r#"{"figure": "poka", "privacy": [{"model": "k-anonymity"}], "start": [2, 1, 1], "depth": 3, "ground_rule": "depth", "exhaustive": true}"#,
    ];
    const MEDIA_TYPES: &'static [&'static str] =
        &["image/svg+xml", "image/png", "text/csv; charset=utf-8"];
    type Answer = Document;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        self.loss.iter_mut().chain(&mut self.measures).collect()
    }

    fn written(answer: &Document) -> Result<Document, haggle_model::Error> {
        Ok(answer.clone())
    }
}

//! Which recoding is meant: as fields of a question name it, and as one of several ways.

use haggle_model::{Error, Recoding, Scheme};
use serde::{Deserialize, Serialize};

/// Which recoding is meant, as the fields of a question name it. Without any of them, it is the exact
/// answer to the request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RecodingChoice {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy that finds the recoding, instead of a scheme.
    pub strategy: Option<String>,
    /// The result of a comparison that the strategy found; exactly that is meant.
    pub result: Option<String>,
    /// Whether suppressed records are grouped again at higher levels.
    pub refine: bool,
    /// Whether it is one table or two.
    pub form: PublicationForm,
}

/// Whether one table is published or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PublicationForm {
    /// One table of generalized records.
    #[default]
    Table,
    /// Two tables that are joined by group, with exact quasi-identifiers.
    Anatomy,
}

impl RecodingChoice {
    /// Names a scheme, or a strategy; the answer to the request if there is neither.
    pub fn named(scheme: Option<&Scheme>, strategy: Option<&str>) -> Self {
        Self { scheme: scheme.cloned(), strategy: strategy.map(str::to_owned), ..Self::default() }
    }

    /// Returns the one way that is meant; an error if the fields contradict each other.
    pub fn resolve(self) -> Result<Choice, Error> {
        if self.form == PublicationForm::Anatomy {
            return self.anatomy();
        }
        let Self { scheme, strategy, result, refine, .. } = self;
        let what = match (strategy, result) {
            (None, Some(_)) => "a result is named, and no strategy that found it",
            (Some(_), _) if scheme.is_some() => "a scheme and a strategy are named",
            (Some(_), _) if refine => "a strategy is to be refined, and only schemes can be",
            (Some(strategy), Some(result)) => return Ok(Choice::Result { strategy, result }),
            (Some(strategy), None) => return Ok(Choice::Strategy(strategy)),
            (None, None) if refine => return Ok(Choice::Refined(scheme)),
            (None, None) => return Ok(scheme.map_or(Choice::Answer, Choice::Scheme)),
        };
        Err(Error::new(what, "name a scheme, or a strategy with the result that it found"))
    }

    fn anatomy(self) -> Result<Choice, Error> {
        if self == (Self { form: PublicationForm::Anatomy, ..Self::default() }) {
            return Ok(Choice::Anatomy);
        }
        let what = "a publication in two tables keeps every recorded value";
        Err(Error::new(what, "name no scheme or strategy, or publish one table"))
    }
}

/// Which recoding is meant.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum Choice {
    /// The exact answer to the request.
    #[default]
    Answer,
    /// This scheme.
    Scheme(Scheme),
    /// This scheme, or the exact answer, with suppressed records grouped again at higher levels.
    Refined(Option<Scheme>),
    /// What this strategy finds, such as `mondrian` or `m-instant:summary=bayes`.
    Strategy(String),
    /// The result of a comparison. The strategy must find exactly that.
    Result {
        /// The strategy that found it.
        strategy: String,
        /// The result's name in the comparison.
        result: String,
    },
    /// Two tables that are joined by group: the quasi-identifiers as recorded, and how often each
    /// sensitive value occurs in each group.
    Anatomy,
    /// A recoding as it was applied before, from a private manifest.
    Repeat(Recoding),
}

impl Choice {
    /// Returns the strategy that is to find the recoding.
    pub fn strategy(&self) -> Option<&str> {
        match self {
            Self::Strategy(strategy) | Self::Result { strategy, .. } => Some(strategy),
            _ => None,
        }
    }

    /// Returns the result that the strategy must find.
    pub fn result(&self) -> Option<&str> {
        match self {
            Self::Result { result, .. } => Some(result),
            _ => None,
        }
    }

    /// Returns the scheme that is named.
    pub fn scheme(&self) -> Option<&Scheme> {
        match self {
            Self::Scheme(scheme)
            | Self::Refined(Some(scheme))
            | Self::Repeat(Recoding::Levels { scheme }) => Some(scheme),
            _ => None,
        }
    }

    /// Whether the recoding is given, not searched for.
    pub fn is_named(&self) -> bool {
        self.scheme().is_some() || matches!(self, Self::Repeat(_))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What is meant by these fields, or what is wrong with them.
    fn meant(fields: Value) -> Result<Choice, String> {
        let choice: RecodingChoice = serde_json::from_value(fields).unwrap();
        choice.resolve().map_err(|error| error.to_string())
    }

    #[test]
    fn fields_that_agree_mean_one_choice() {
        let scheme = || Scheme::new([1, 0]);
        let found = Choice::Result { strategy: "mondrian".into(), result: "0a".into() };
        for (fields, expected) in [
            (json!({}), Choice::Answer),
            (json!({"form": "table"}), Choice::Answer),
            (json!({"scheme": [1, 0]}), Choice::Scheme(scheme())),
            (json!({"refine": true}), Choice::Refined(None)),
            (json!({"scheme": [1, 0], "refine": true}), Choice::Refined(Some(scheme()))),
            (json!({"strategy": "mondrian"}), Choice::Strategy("mondrian".into())),
            (json!({"strategy": "mondrian", "result": "0a"}), found),
            (json!({"form": "anatomy"}), Choice::Anatomy),
        ] {
            assert_eq!(meant(fields.clone()), Ok(expected), "{fields}");
        }
    }

    #[test]
    fn fields_that_contradict_each_other_are_refused() {
        for (fields, expected) in [
            (json!({"result": "0a"}), "no strategy that found it"),
            (json!({"scheme": [1, 0], "strategy": "ola"}), "a scheme and a strategy are named"),
            (json!({"strategy": "ola", "refine": true}), "only schemes can be"),
            (json!({"form": "anatomy", "scheme": [0, 0]}), "keeps every recorded value"),
            (json!({"form": "anatomy", "strategy": "ola"}), "keeps every recorded value"),
            (json!({"form": "anatomy", "refine": true}), "keeps every recorded value"),
        ] {
            let why = meant(fields.clone()).unwrap_err();
            assert!(why.contains(expected), "{fields}: {why}");
        }
    }
}

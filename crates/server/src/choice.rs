//! What is published or previewed, as the fields of a body name it.

use haggle::{Choice, Scheme};

use crate::failure::Failure;

/// The fields of a body that choose a recoding.
pub(crate) struct ChoiceFields {
    pub(crate) scheme: Option<Scheme>,
    pub(crate) strategy: Option<String>,
    pub(crate) result: Option<String>,
    pub(crate) refine: bool,
    pub(crate) anatomy: bool,
}

impl ChoiceFields {
    /// Returns the choice; an error if the fields contradict each other.
    pub(crate) fn choice(self) -> Result<Choice, Failure> {
        let Self { scheme, strategy, result, refine, anatomy } = self;
        if anatomy {
            return if scheme.is_none() && strategy.is_none() && result.is_none() && !refine {
                Ok(Choice::Anatomy)
            } else {
                let what = "a publication in two tables keeps every recorded value";
                Err(haggle::Error::new(what, "name no scheme or strategy, or publish one table")
                    .into())
            };
        }
        let what = match (strategy, result) {
            (None, Some(_)) => "a result is named, and no strategy that found it",
            (Some(_), _) if scheme.is_some() => "a scheme and a strategy are named",
            (Some(_), _) if refine => "a strategy is to be refined, and only schemes can be",
            (Some(strategy), Some(result)) => return Ok(Choice::Result { strategy, result }),
            (Some(strategy), None) => return Ok(Choice::Strategy(strategy)),
            (None, None) if refine => return Ok(Choice::Refined(scheme)),
            (None, None) => return Ok(scheme.map_or(Choice::Answer, Choice::Scheme)),
        };
        let fix = "name a scheme, or a strategy with the result that it found";
        Err(haggle::Error::new(what, fix).into())
    }
}

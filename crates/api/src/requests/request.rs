//! Requests built step by step.

use std::collections::BTreeMap;

use haggle_model::Error;

use crate::{Amount, Ask, Levels, MeasureSpec, Privacy, RelaxHeight};

/// A request, as it is built in a program.
pub type Request = Ask;

/// ```
/// use haggle::{Request, percent};
///
/// let request = Request::k(10)
///     .and("t-closeness:t=0.2,on=disease")?
///     .max_suppressed(percent(1.0))
///     .level("age", 2)
///     .optimize("lm")?;
/// assert_eq!(
///     serde_json::to_value(&request)?,
///     serde_json::json!({
///         "privacy": [
///             {"model": "k-anonymity", "k": 10},
///             {"model": "t-closeness", "t": 0.2, "on": "disease"},
///         ],
///         "levels": {"age": 2},
///         "max_suppressed": "1%",
///         "optimize": "lm",
///     })
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Ask {
    /// Asks for k-anonymity.
    pub fn k(k: u32) -> Self {
        Self::of(Privacy::new("k-anonymity", f64::from(k)).spelled_out())
    }

    /// Asks for distinct l-diversity.
    pub fn l(l: u32) -> Self {
        Self::of(Privacy::new("distinct-l-diversity", f64::from(l)).spelled_out())
    }

    /// Asks for a privacy model.
    pub fn of(privacy: Privacy) -> Self {
        Self { privacy: vec![privacy], ..Self::default() }
    }

    /// Asks for a privacy model written as text, such as `recursive-l-diversity:l=3,c=2`.
    pub fn privacy(privacy: &str) -> Result<Self, Error> {
        Self::default().and(privacy)
    }

    /// Adds a privacy model that must hold as well, such as `t-closeness:t=0.2,on=disease`.
    pub fn and(mut self, privacy: &str) -> Result<Self, Error> {
        let privacy: Privacy = privacy.parse()?;
        privacy.resolve()?;
        self.privacy.push(privacy.spelled_out());
        Ok(self)
    }

    /// Limits the number of suppressed records, or their share of all records.
    pub fn max_suppressed(self, limit: impl Into<Amount>) -> Self {
        Self { max_suppressed: Some(limit.into()), ..self }
    }

    /// Limits the level of one attribute by name. Levels that were given in order are replaced.
    pub fn level(mut self, attribute: impl Into<String>, most: u8) -> Self {
        let mut levels = match self.levels.take() {
            Some(Levels::ByName(levels)) => levels,
            Some(Levels::InOrder(_)) | None => BTreeMap::new(),
        };
        levels.insert(attribute.into(), most);
        Self { levels: Some(Levels::ByName(levels)), ..self }
    }

    /// Limits the levels of all attributes, in the order of the quasi-identifiers.
    pub fn levels(self, most: impl IntoIterator<Item = u8>) -> Self {
        Self { levels: Some(Levels::InOrder(most.into_iter().collect())), ..self }
    }

    /// Asks for the scheme with the least loss by this measure, instead of the lowest scheme.
    pub fn optimize<M>(self, measure: M) -> Result<Self, Error>
    where
        M: TryInto<MeasureSpec>,
        Error: From<M::Error>,
    {
        Ok(Self { optimize: Some(measure.try_into()?), ..self })
    }

    /// Reports this many of the best schemes; needs a measure to optimize.
    pub fn top(self, schemes: usize) -> Self {
        Self { top: Some(schemes), ..self }
    }

    /// Chooses how the height relaxation is searched.
    pub fn relax_height(self, relax: RelaxHeight) -> Self {
        Self { relax_height: Some(relax), ..self }
    }

    /// Leaves out the thresholds of the project that this request does not name.
    pub fn only(self) -> Self {
        Self { only: true, ..self }
    }
}

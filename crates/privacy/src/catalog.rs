//! What a model tells of itself, so that commands, forms and manual pages need not know it.

use haggle_cube::Statistic;
use serde::Serialize;

/// Why a model cannot be used as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parameter out of its range.
    #[error("{name} = {value} is out of range: {name} is {range}")]
    BadInput {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        range: String,
    },
}

/// A number that a model is negotiated by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name, as in `--privacy distinct-l-diversity:l=3`.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The smallest value that means something.
    pub minimum: f64,
    /// The largest value that means something.
    pub maximum: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

impl Parameter {
    /// The value, if it lies in the parameter's range.
    pub fn check(&self, value: f64) -> Result<f64, Error> {
        let fits = (self.minimum..=self.maximum).contains(&value);
        if fits && (!self.whole || value.fract() == 0.0) {
            return Ok(value);
        }
        Err(Error::BadInput { name: self.name, value, range: self.range() })
    }

    /// The range in words.
    pub fn range(&self) -> String {
        let number = if self.whole { "a whole number" } else { "a number" };
        format!("{number} from {} to {}", self.minimum, self.maximum)
    }
}

/// The watched attribute that a model looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its position among the watched attributes.
    pub position: usize,
    /// Its name.
    pub name: String,
}

/// A catalog entry.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Model {
    /// The name used in requests, files and addresses.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// What it demands of a group.
    pub definition: &'static str,
    /// The same as a formula.
    pub formula: &'static str,
    /// Who proposed it, where.
    pub citation: &'static str,
    /// A worked example.
    pub example: &'static str,
    /// The negotiated number first, then the others.
    pub parameters: &'static [Parameter],
    /// Whether it needs a sensitive attribute.
    pub sensitive: bool,
    /// Makes the statistic: on the sensitive attribute if the model needs one, else on the
    /// attribute that names the persons, if there is one.
    #[serde(skip)]
    pub statistic: fn(Option<Target>) -> Box<dyn Statistic>,
}

impl Model {
    /// The parameter that is negotiated.
    pub fn threshold(&self) -> &'static Parameter {
        &self.parameters[0]
    }
}

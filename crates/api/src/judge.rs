//! A loss measure as it is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use haggle_loss::Measure;
use haggle_model::Error;
use serde::{Deserialize, Serialize, Serializer};

/// A loss measure as asked for: its id, weights of quasi-identifiers, and the attribute it looks at.
///
/// ```
/// use haggle::Judge;
///
/// let plain: Judge = "lm".parse()?;
/// let weighted: Judge = "lm:age=2,race=0.5".parse()?;
/// assert_eq!(plain.measure, weighted.measure);
/// assert_eq!(weighted.to_string(), "lm:age=2,race=0.5");
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judge {
    /// The measure's id.
    pub measure: String,
    /// The sensitive attribute it looks at, where it looks at one.
    pub on: Option<String>,
    /// How much quasi-identifiers count; 1 if not named.
    pub weights: BTreeMap<String, f64>,
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights.iter().map(|(name, weight)| format!("{name}={weight}"));
        let on = self.on.iter().map(|on| format!("on={on}"));
        let words: Vec<String> = on.chain(weights).collect();
        f.write_str(&self.measure)?;
        if words.is_empty() { Ok(()) } else { write!(f, ":{}", words.join(",")) }
    }
}

impl FromStr for Judge {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is no loss measure");
            Error::new(what, "write a measure such as lm, or with weights lm:age=2,race=0.5")
        };
        let (measure, words) = text.split_once(':').map_or((text, None), |(m, w)| (m, Some(w)));
        let mut judge = Self { measure: measure.trim().into(), ..Self::default() };
        let entry = judge.entry()?;
        for word in words.into_iter().flat_map(|words| words.split(',')) {
            let (name, value) = word.rsplit_once('=').ok_or_else(refuse)?;
            let (name, value) = (name.trim(), value.trim());
            if name == "on" {
                if !entry.watches || judge.on.replace(value.into()).is_some() {
                    return Err(no_effect(entry, word));
                }
                continue;
            }
            if !entry.weighted {
                return Err(no_effect(entry, word));
            }
            let weight: f64 = value.parse().map_err(|_| refuse())?;
            if !(weight >= 0.0 && weight.is_finite()) {
                let what = format!("the weight {value} of '{name}' is out of range");
                return Err(Error::new(what, "choose a weight of at least 0"));
            }
            if judge.weights.insert(name.into(), weight).is_some() {
                return Err(Error::new(format!("'{name}' is weighted twice"), "weigh it once"));
            }
        }
        Ok(judge)
    }
}

impl TryFrom<&str> for Judge {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<&Judge> for Judge {
    fn from(judge: &Judge) -> Self {
        judge.clone()
    }
}

/// A word after a measure that would change nothing.
fn no_effect(entry: &Measure, word: &str) -> Error {
    let takes = match (entry.weighted, entry.watches) {
        (true, true) => "takes weights and one sensitive attribute (on=NAME)",
        (true, false) => "takes weights of attributes, and looks at no sensitive attribute",
        (false, true) => "takes one sensitive attribute (on=NAME), and no weights",
        (false, false) => "takes neither weights nor a sensitive attribute",
    };
    let what = format!("'{}' has no effect on {}", word.trim(), entry.id);
    Error::new(what, format!("leave it out: {} {takes}", entry.id))
}

impl Serialize for Judge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Judge {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Judge {
    /// The measure that is reported by default: the mean loss of a cell.
    pub fn plain() -> Self {
        Self { measure: "lm".into(), ..Self::default() }
    }

    /// Returns the catalog entry of the measure.
    pub fn entry(&self) -> Result<&'static Measure, Error> {
        haggle_loss::find(&self.measure).ok_or_else(|| {
            let known: Vec<_> = haggle_loss::CATALOG.iter().map(|measure| measure.id).collect();
            let what = format!("there is no loss measure '{}'", self.measure);
            Error::new(what, format!("choose one of: {}", known.join(", ")))
        })
    }
}

//! A loss measure as it is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use haggle_loss::{CountingRule, Measure};
use haggle_model::Error;
use serde::{Deserialize, Serialize, Serializer};

use crate::privacy::pairs;

/// A loss measure as asked for: its id, weights of quasi-identifiers, and the attribute it looks at.
///
/// ```
/// use haggle::MeasureSpec;
///
/// let plain: MeasureSpec = "lm".parse()?;
/// let weighted: MeasureSpec = "lm:age=2,race=0.5".parse()?;
/// assert_eq!(plain.measure, weighted.measure);
/// assert_eq!(weighted.to_string(), "lm:age=2,race=0.5");
/// let some: MeasureSpec = "variance:over=age,sex".parse()?;
/// assert_eq!(some.over, ["age", "sex"]);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasureSpec {
    /// The measure's id.
    pub measure: String,
    /// The sensitive attribute it looks at, where it looks at one.
    pub on: Option<String>,
    /// How much quasi-identifiers count; 1 if not named.
    pub weights: BTreeMap<String, f64>,
    /// The queries that it asks, where it is about queries.
    pub workload: Option<WorkloadFile>,
    /// How it answers them: `nc` or `ic`.
    pub answer: Option<String>,
    /// The quasi-identifiers that it is over, where it is over a set; all if none is named.
    pub over: Vec<String>,
    /// The measure of volume that it uses, where it uses one.
    pub volume: Option<String>,
}

/// A file of queries, and its conditions once it was read. Only a program that may read files for
/// its user reads it: a name that comes from elsewhere is never opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadFile {
    /// The name as stated.
    pub name: String,
    /// The conditions, if it was read.
    pub conditions: Option<Vec<String>>,
}

impl fmt::Display for MeasureSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights.iter().map(|(name, weight)| format!("{name}={weight}"));
        let on = self.on.iter().map(|on| format!("on={on}"));
        let workload = self.workload.iter().map(|file| format!("workload={}", file.name));
        let answer = self.answer.iter().map(|answer| format!("answer={answer}"));
        let over = (!self.over.is_empty()).then(|| format!("over={}", self.over.join(",")));
        let volume = self.volume.iter().map(|volume| format!("volume={volume}"));
        let words = on.chain(weights).chain(workload).chain(answer).chain(over).chain(volume);
        let words: Vec<String> = words.collect();
        f.write_str(&self.measure)?;
        if words.is_empty() { Ok(()) } else { write!(f, ":{}", words.join(",")) }
    }
}

impl FromStr for MeasureSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is not a loss measure");
            Error::new(what, "write a measure such as lm, or with weights lm:age=2,race=0.5")
        };
        let (measure, words) = text.split_once(':').map_or((text, None), |(m, w)| (m, Some(w)));
        let mut spec = Self { measure: measure.trim().into(), ..Self::default() };
        let entry = spec.entry()?;
        for word in words.map(pairs).unwrap_or_default() {
            let (name, value) = stated(entry, &word).ok_or_else(refuse)?;
            let (name, value) = (name.trim(), value.trim());
            if name == "on" {
                if !entry.watches || spec.on.replace(value.into()).is_some() {
                    return Err(no_effect(entry, &word));
                }
                continue;
            }
            if spec.state_option(entry, name, value)? {
                continue;
            }
            if entry.workload && spec.state_queries(name, value)? {
                continue;
            }
            if !entry.weighted {
                return Err(no_effect(entry, &word));
            }
            let weight: f64 = value.parse().map_err(|_| refuse())?;
            if !(weight >= 0.0 && weight.is_finite()) {
                let what = format!("the weight {value} of '{name}' is out of range");
                return Err(Error::new(what, "choose a weight of at least 0"));
            }
            if spec.weights.insert(name.into(), weight).is_some() {
                return Err(Error::new(format!("'{name}' is weighted twice"), "weigh it once"));
            }
        }
        Ok(spec)
    }
}

impl MeasureSpec {
    /// Reads an option; returns false if the measure has no such option.
    fn state_option(&mut self, entry: &Measure, name: &str, value: &str) -> Result<bool, Error> {
        let Some(option) = entry.options.iter().find(|option| option.name == name) else {
            return Ok(false);
        };
        let known = match option.options {
            [] => {
                let names = value.split(',').map(|name| name.trim().to_owned()).collect();
                let known = !std::mem::replace(&mut self.over, names).is_empty();
                self.check_over(name)?;
                known
            }
            words if words.contains(&value) => self.volume.replace(value.into()).is_some(),
            words => {
                let what = format!("{} has no {name} '{value}'", entry.id);
                return Err(Error::new(what, format!("choose one of: {}", words.join(", "))));
            }
        };
        if known {
            return Err(Error::new(format!("'{name}' is stated twice"), "state it once"));
        }
        Ok(true)
    }

    /// Fails if a name of the set is empty or is there twice.
    fn check_over(&self, option: &str) -> Result<(), Error> {
        if self.over.iter().any(String::is_empty) {
            let what = format!("'{option}' names no quasi-identifier");
            return Err(Error::new(what, format!("name at least one, such as {option}=age,sex")));
        }
        let twice = self.over.iter().enumerate().find(|(i, name)| self.over[..*i].contains(name));
        match twice {
            Some((_, name)) => {
                Err(Error::new(format!("'{option}' names '{name}' twice"), "name it once"))
            }
            None => Ok(()),
        }
    }

    /// Takes a statement about queries; false if it is none.
    fn state_queries(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        let known = match name {
            "workload" => {
                let file = WorkloadFile { name: value.into(), conditions: None };
                self.workload.replace(file).is_some()
            }
            "answer" if CountingRule::named(value).is_none() => {
                let what = format!("'{value}' is not a way to count");
                return Err(Error::new(
                    what,
                    "choose nc (non-corrected) or ic (independently corrected)",
                ));
            }
            "answer" => self.answer.replace(value.into()).is_some(),
            _ => return Ok(false),
        };
        if known {
            return Err(Error::new(format!("'{name}' is stated twice"), "state it once"));
        }
        Ok(true)
    }
}

impl TryFrom<&str> for MeasureSpec {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<&MeasureSpec> for MeasureSpec {
    fn from(spec: &MeasureSpec) -> Self {
        spec.clone()
    }
}

/// A word as a name and a value. An option ends at the first `=`, its value may have more of them;
/// the name of a weighted attribute ends at the last.
fn stated<'w>(entry: &Measure, word: &'w str) -> Option<(&'w str, &'w str)> {
    let (first, rest) = word.split_once('=')?;
    let is_option = match first.trim() {
        "on" => entry.watches,
        "workload" | "answer" => entry.workload,
        name => entry.options.iter().any(|option| option.name == name),
    };
    if is_option { Some((first, rest)) } else { word.rsplit_once('=') }
}

/// A word after a measure that would change nothing.
fn no_effect(entry: &Measure, word: &str) -> Error {
    let takes = match (entry.weighted, entry.watches) {
        _ if entry.workload => {
            "takes queries (workload=FILE) and how they are answered (answer=ic)"
        }
        (true, true) => "takes weights and one sensitive attribute (on=NAME)",
        (true, false) => "takes weights of attributes, and does not use a sensitive attribute",
        (false, true) => "takes one sensitive attribute (on=NAME), and no weights",
        (false, false) => "takes neither weights nor a sensitive attribute",
    };
    let options: Vec<&str> = entry.options.iter().map(|option| option.name).collect();
    let also = if options.is_empty() {
        String::new()
    } else {
        format!("; its options are {}", options.join(" and "))
    };
    let what = format!("'{}' has no effect on {}", word.trim(), entry.id);
    Error::new(what, format!("leave it out: {} {takes}{also}", entry.id))
}

impl Serialize for MeasureSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MeasureSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl MeasureSpec {
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

#[cfg(test)]
mod tests {
    use haggle_model::ErrorKind;

    use super::*;

    #[test]
    fn every_measure_comes_back_from_text_and_json() {
        let plain = haggle_loss::CATALOG.iter().map(|measure| measure.id);
        let with_words = [
            "lm:age=2,race=0.5",
            "lm:age=0",
            "classification:on=income",
            "noise-scanning:on=disease,age=2",
            "variance:over=age,sex",
            "variance:on=disease,over=age,sex",
            "hybrid:volume=redaction",
            "hybrid:over=age,sex,volume=lm",
            "query-error:workload=queries.txt,answer=ic",
            "query-error:workload=k=5/queries.txt",
            "classification:on=income=high",
            "lm:a=b=2",
        ];
        for text in plain.chain(with_words) {
            let spec: MeasureSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(serde_json::to_value(&spec).unwrap(), text);
            assert_eq!(serde_json::from_value::<MeasureSpec>(text.into()).unwrap(), spec);
        }
    }

    #[test]
    fn words_that_a_measure_does_not_take_are_refused_and_named() {
        for (text, part) in [
            ("no-such-measure", "'no-such-measure'"),
            ("lm:age", "'lm:age'"),
            ("lm:age=two", "'lm:age=two'"),
            ("lm:age=-1", "'age'"),
            ("lm:age=inf", "'age'"),
            ("lm:age=NaN", "'age'"),
            ("lm:age=1,age=2", "'age'"),
            ("lm:on=disease", "'on=disease'"),
            ("discernibility:age=2", "'age=2'"),
            ("classification:on=income,on=disease", "'on=disease'"),
            ("variance:over=", "'over'"),
            ("variance:over=age,age", "'age'"),
            ("variance:over=age,over=sex", "'over'"),
            ("hybrid:volume=far", "'far'"),
            ("hybrid:volume=lm,volume=lm", "'volume'"),
            ("query-error:answer=guess", "'guess'"),
            ("query-error:answer=ic,answer=nc", "'answer'"),
        ] {
            let error = text.parse::<MeasureSpec>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadInput, "{text}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
}

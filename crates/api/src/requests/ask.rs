//! A request as it is written; what is left out comes from the project.

use std::collections::BTreeMap;
use std::str::FromStr;

use haggle_model::numerals::counted;
use haggle_model::{Error, ErrorKind, Level, Scheme};
use haggle_search::HeightRelaxation;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::privacy::{each_once, ends};
use crate::{Amount, MeasureSpec, Privacy, Value};

/// Maximum levels: for all quasi-identifiers in order, or for some by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "levels are not a list such as [2,1,0] or a map such as {\"age\": 2}"
)]
pub enum Levels {
    /// One for each quasi-identifier.
    InOrder(Vec<u8>),
    /// For those named; the others have no maximum.
    ByName(BTreeMap<String, u8>),
}

impl Levels {
    /// The highest scheme allowed, of attributes of these names.
    pub fn under(&self, top: &Scheme, names: &[&str]) -> Result<Scheme, Error> {
        let caps = match self {
            Self::InOrder(levels) if levels.len() == names.len() => {
                Scheme::new(levels.iter().copied())
            }
            Self::InOrder(levels) => {
                let what = format!(
                    "{} for {}",
                    counted(levels.len() as u64, "level"),
                    counted(names.len() as u64, "quasi-identifier")
                );
                return Err(Error::new(
                    what,
                    format!("give one for each of: {}", names.join(", ")),
                ));
            }
            Self::ByName(levels) => {
                let mut caps = top.clone();
                for (name, &level) in levels {
                    let position = names.iter().position(|n| n == name).ok_or_else(|| {
                        let what = format!("'{name}' is not among the quasi-identifiers asked for");
                        let fix = format!("choose from: {}", names.join(", "));
                        Error::of_kind(ErrorKind::NotFound, what, fix)
                    })?;
                    caps = caps.with(position, Level::from(level));
                }
                caps
            }
        };
        within_top(&caps, top, names)
    }
}

impl Levels {
    /// The lowest scheme meant, of attributes of these names: those not named start as recorded.
    pub fn lowest(&self, top: &Scheme, names: &[&str]) -> Result<Scheme, Error> {
        let caps = self.under(top, names)?;
        let Self::ByName(levels) = self else { return Ok(caps) };
        let level =
            |i: usize| if levels.contains_key(names[i]) { caps.level(i) } else { Level::RECORDED };
        Ok(Scheme::new((0..names.len()).map(|i| level(i).into())))
    }
}

/// The scheme, if no level is above its attribute's top.
pub fn within_top(scheme: &Scheme, top: &Scheme, names: &[&str]) -> Result<Scheme, Error> {
    for (i, name) in names.iter().enumerate() {
        if scheme.level(i) > top.level(i) {
            let what = format!("'{name}' has no level {}", scheme.level(i));
            return Err(Error::new(what, format!("its levels are 0 to {}", top.level(i))));
        }
    }
    Ok(scheme.clone())
}

impl FromStr for Levels {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if !text.contains('=') {
            let scheme: Scheme =
                text.parse().map_err(|error: haggle_model::ParseSchemeError| {
                    Error::new(
                        error.to_string(),
                        "write a level for each attribute, or name attributes: age=2,race=1",
                    )
                })?;
            return Ok(Self::InOrder(scheme.levels().iter().map(|&level| level.into()).collect()));
        }
        let pair = |pair: &str| {
            let (name, level) = pair.rsplit_once('=')?;
            Some((name.trim().to_owned(), level.trim().parse().ok()?))
        };
        let levels: Option<BTreeMap<_, _>> = text.split(',').map(pair).collect();
        let each_once = |levels: &BTreeMap<_, _>| levels.len() == text.split(',').count();
        levels.filter(each_once).map(Self::ByName).ok_or_else(|| {
            let fix = "write 2,1,0 or age=2,race=1, each name once";
            Error::new(format!("'{text}' are not levels"), fix)
        })
    }
}

/// How the height relaxation chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelaxHeight {
    /// The lowest height anywhere in the lattice.
    #[default]
    Lowest,
    /// The fewest levels beyond the maximum.
    Closest,
    /// The lowest height from that of the maximum levels upwards.
    Published,
}

impl FromStr for RelaxHeight {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "lowest" => Ok(Self::Lowest),
            "closest" => Ok(Self::Closest),
            "published" => Ok(Self::Published),
            _ => Err(Error::new(
                format!("'{text}' is not a height relaxation"),
                "choose lowest, closest or published",
            )),
        }
    }
}

impl From<RelaxHeight> for HeightRelaxation {
    fn from(relax: RelaxHeight) -> Self {
        match relax {
            RelaxHeight::Lowest => Self::Lowest,
            RelaxHeight::Closest => Self::Closest,
            RelaxHeight::Published => Self::Published,
        }
    }
}

/// A request as typed; what is left out comes from the project's defaults.
// Optional fields may be left out in braces without `default`; with it, `[]` would be a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a request in braces")]
pub struct Ask {
    /// What must hold of every published group.
    #[serde(default, deserialize_with = "privacy_list")]
    pub privacy: Vec<Privacy>,
    /// Maximum levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
    /// How many records may be suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_suppressed: Option<Amount>,
    /// How the height relaxation chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relax_height: Option<RelaxHeight>,
    /// The loss that is to be least; without one, the height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimize: Option<MeasureSpec>,
    /// How many of the best schemes are reported, with `optimize`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// Whether `privacy` is complete and may be weaker than what the project asks for. Publishing
    /// anything weaker needs it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only: bool,
}

/// The default request of a project.
pub type Defaults = Ask;

impl Ask {
    /// Returns the request with gaps filled from the defaults.
    pub fn or(&self, defaults: &Defaults) -> Self {
        let given = self.only || !self.privacy.is_empty();
        let privacy = if given { &self.privacy } else { &defaults.privacy };
        Self {
            privacy: privacy.clone(),
            levels: self.levels.clone().or_else(|| defaults.levels.clone()),
            max_suppressed: self.max_suppressed.or(defaults.max_suppressed),
            relax_height: self.relax_height.or(defaults.relax_height),
            optimize: self.optimize.clone().or_else(|| defaults.optimize.clone()),
            top: self.top.or(defaults.top),
            only: self.only,
        }
    }

    /// The privacy asked for, in words: "k-anonymity with k = 10".
    pub fn privacy_words(&self) -> String {
        let one = |privacy: &Privacy| {
            let first =
                haggle_privacy::find(&privacy.model).map_or("", |model| model.threshold().name);
            let words = privacy.parameters.iter().map(|(name, value)| {
                format!("{} = {value}", if name.is_empty() { first } else { name })
            });
            let on = privacy.on.as_ref().map_or(String::new(), |on| format!(" on {on}"));
            format!("{} with {}{on}", privacy.model, words.collect::<Vec<_>>().join(", "))
        };
        self.privacy.iter().map(one).collect::<Vec<_>>().join(" and ")
    }

    /// An error if something is given that would have no effect on what is asked.
    pub fn refuse(given: &[(&str, bool)]) -> Result<(), Error> {
        let idle = given.iter().find(|(_, given)| *given);
        idle.map_or(Ok(()), |(name, _)| {
            Err(Error::new(format!("'{name}' has no effect here"), "leave it out"))
        })
    }

    /// Returns the request with every parameter by its own name.
    pub fn spelled_out(&self) -> Self {
        let privacy = self.privacy.iter().map(Privacy::spelled_out).collect();
        Self { privacy, ..self.clone() }
    }
}

/// `[{"model":"k-anonymity","k":10}]`, or by model `{"k-anonymity":10}` and
/// `{"recursive-l-diversity":{"l":3,"c":2}}`, as in answers.
fn privacy_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Privacy>, D::Error> {
    #[derive(Deserialize)]
    struct Named(#[serde(deserialize_with = "each_once")] BTreeMap<String, Parameters>);

    #[derive(Deserialize)]
    struct Several(#[serde(deserialize_with = "each_once")] BTreeMap<String, Value>);

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Parameters {
        Threshold(f64),
        Range(#[serde(deserialize_with = "written_range")] Value),
        Several(Several),
    }

    impl Parameters {
        fn by_name(self) -> BTreeMap<String, Value> {
            match self {
                Self::Threshold(value) => BTreeMap::from([(String::new(), Value::Number(value))]),
                Self::Range(range) => BTreeMap::from([(String::new(), range)]),
                Self::Several(Several(values)) => values,
            }
        }
    }

    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "privacy is not a list of models or a map such as {\"k-anonymity\": 10}"
    )]
    enum Written {
        List(Vec<Privacy>),
        Map(Named),
        Text(String),
    }
    match Written::deserialize(deserializer)? {
        Written::List(list) => Ok(list),
        Written::Map(Named(map)) => {
            let one = |(label, given): (String, Parameters)| {
                Privacy::labelled(&label, given.by_name()).map_err(de::Error::custom)
            };
            map.into_iter().map(one).collect()
        }
        Written::Text(text) => text.parse().map(|privacy| vec![privacy]).map_err(de::Error::custom),
    }
}

/// Reads a range of acceptable values, such as `"5..20"`.
fn written_range<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let text = String::deserialize(deserializer)?;
    let refuse = || de::Error::custom(format!("'{text}' is not a range such as 5..20"));
    ends(&text).map(|_| Value::Word(text.clone())).ok_or_else(refuse)
}

#[cfg(test)]
mod tests;

//! What a person or a program asks, as typed; and the resolved request that the search understands.

use std::collections::BTreeMap;
use std::str::FromStr;

use haggle_cube::{FullLattice, Lattice};
use haggle_model::{Level, Scheme};
use haggle_privacy::Model;
use haggle_search::{HeightRelaxation, Request, Requirement};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Amount, Error};

/// One privacy model and its parameters, as asked.
///
/// ```
/// use haggle::Privacy;
///
/// let k: Privacy = "k-anonymity=10".parse()?;
/// let l: Privacy = "distinct-l-diversity:l=3,on=disease".parse()?;
/// assert_eq!(k.model, "k-anonymity");
/// assert_eq!(l.on.as_deref(), Some("disease"));
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Privacy {
    /// The model's id.
    pub model: String,
    /// Which sensitive attribute, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// The other parameters by name; the empty name stands for the threshold.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, f64>,
}

impl Privacy {
    /// A model with its threshold.
    pub fn of(model: &str, threshold: f64) -> Self {
        let parameters = BTreeMap::from([(String::new(), threshold)]);
        Self { model: model.into(), on: None, parameters }
    }

    /// The model of the catalog, and the threshold asked for, checked.
    fn resolve(&self) -> Result<(&'static Model, f64), Error> {
        let model = haggle_privacy::find(&self.model).ok_or_else(|| self.unknown_model())?;
        let threshold = model.threshold();
        let known = |name: &&String| name.is_empty() || *name == threshold.name;
        if let Some(name) = self.parameters.keys().find(|name| !known(name)) {
            let what = format!("{} has no parameter '{name}'", model.id);
            return Err(Error::new(
                what,
                format!("its parameter is {}: {}", threshold.name, threshold.meaning),
            ));
        }
        let given = self.parameters.get(threshold.name).or_else(|| self.parameters.get(""));
        let value = *given.ok_or_else(|| {
            let what = format!("{} needs its parameter {}", model.id, threshold.name);
            Error::new(what, format!("write {}={}", model.id, threshold.minimum))
        })?;
        let value = threshold.check(value).map_err(|error| {
            Error::new(error.to_string(), format!("{} is {}", threshold.name, threshold.meaning))
        })?;
        Ok((model, value))
    }

    fn unknown_model(&self) -> Error {
        let known: Vec<_> = haggle_privacy::CATALOG.iter().map(|model| model.id).collect();
        let what = format!("there is no privacy model '{}'", self.model);
        Error::new(what, format!("choose one of: {}", known.join(", ")))
    }

    /// The column of the lattice that carries this model, and the threshold.
    fn requirement(&self, lattice: &FullLattice) -> Result<Requirement, Error> {
        let (model, threshold) = self.resolve()?;
        let id = if model.sensitive { self.on_attribute(model, lattice)? } else { model.id.into() };
        let column = lattice.column(&id).ok_or_else(|| {
            Error::Unsupported(format!("this lattice carries no {id}; build it anew"))
        })?;
        Ok(Requirement { column, threshold })
    }

    /// The model's name with the sensitive attribute it shall look at.
    fn on_attribute(&self, model: &Model, lattice: &FullLattice) -> Result<String, Error> {
        let names: Vec<_> = lattice.cube().watched().iter().map(|w| w.name.as_str()).collect();
        let chosen = match (&self.on, names.as_slice()) {
            (_, []) => {
                let what =
                    format!("{} needs a sensitive attribute, and the project has none", model.id);
                return Err(Error::new(
                    what,
                    "give an attribute the role \"sensitive\" in the project",
                ));
            }
            (None, [only]) => only,
            (None, _) => {
                let what = format!("{}: on which sensitive attribute?", model.id);
                return Err(Error::new(
                    what,
                    format!("add on=NAME with one of: {}", names.join(", ")),
                ));
            }
            (Some(on), _) => names.iter().find(|name| *name == on).ok_or_else(|| {
                let what = format!("'{on}' is not a sensitive attribute of this project");
                Error::new(what, format!("choose one of: {}", names.join(", ")))
            })?,
        };
        Ok(format!("{}:on={chosen}", model.id))
    }
}

impl FromStr for Privacy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is no privacy model with its parameters");
            Error::new(
                what,
                "write MODEL=THRESHOLD, or MODEL:NAME=VALUE,…, such as k-anonymity=10 or distinct-l-diversity:l=3,on=disease",
            )
        };
        let number = |value: &str| value.trim().parse::<f64>().map_err(|_| refuse());
        if let Some((model, list)) = text.split_once(':') {
            let mut privacy =
                Self { model: model.trim().into(), on: None, parameters: BTreeMap::new() };
            for pair in list.split(',') {
                match pair.split_once('=').ok_or_else(refuse)? {
                    ("on", value) => privacy.on = Some(value.trim().into()),
                    (name, value) => {
                        privacy.parameters.insert(name.trim().into(), number(value)?);
                    }
                }
            }
            return Ok(privacy);
        }
        let (model, value) = text.split_once('=').ok_or_else(refuse)?;
        Ok(Self::of(model.trim(), number(value)?))
    }
}

/// Maximum levels: for all quasi-identifiers in order, or for some by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "levels as a list [2,1,0], or by name {\"age\": 2}")]
pub enum Levels {
    /// One for each quasi-identifier.
    InOrder(Vec<u8>),
    /// For those named; the others have no maximum.
    ByName(BTreeMap<String, u8>),
}

impl Levels {
    fn caps(&self, lattice: &FullLattice) -> Result<Scheme, Error> {
        let top = lattice.space().top();
        let names: Vec<_> = lattice.cube().attributes().iter().map(|a| a.name.as_str()).collect();
        let caps = match self {
            Self::InOrder(levels) if levels.len() == names.len() => {
                Scheme::new(levels.iter().copied())
            }
            Self::InOrder(levels) => {
                let what = format!("{} levels for {} quasi-identifiers", levels.len(), names.len());
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
                        Error::new(what, format!("choose from: {}", names.join(", ")))
                    })?;
                    caps = caps.with(position, Level::from(level));
                }
                caps
            }
        };
        within_top(&caps, top, &names)
    }
}

/// The scheme, if no level is above its attribute's top.
pub(crate) fn within_top(scheme: &Scheme, top: &Scheme, names: &[&str]) -> Result<Scheme, Error> {
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
                    Error::new(error.to_string(), "or name attributes: age=2,race=1")
                })?;
            return Ok(Self::InOrder(scheme.levels().iter().map(|&level| level.into()).collect()));
        }
        let pair = |pair: &str| {
            let (name, level) = pair.split_once('=')?;
            Some((name.trim().to_owned(), level.trim().parse().ok()?))
        };
        let levels: Option<BTreeMap<_, _>> = text.split(',').map(pair).collect();
        levels.map(Self::ByName).ok_or_else(|| {
            Error::new(format!("'{text}' are no levels"), "write 2,1,0 or age=2,race=1")
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
                format!("'{text}' is no height relaxation"),
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// What must hold of every published group.
    #[serde(default, deserialize_with = "privacy_list")]
    pub privacy: Vec<Privacy>,
    /// Maximum levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Levels>,
    /// How many records may be suppressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_suppressed: Option<Amount>,
    /// How the height relaxation chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relax_height: Option<RelaxHeight>,
}

/// What a project asks unless told otherwise.
pub type Defaults = Ask;

impl Ask {
    /// The same with gaps filled from the defaults.
    pub fn or(&self, defaults: &Defaults) -> Self {
        let privacy = if self.privacy.is_empty() { &defaults.privacy } else { &self.privacy };
        Self {
            privacy: privacy.clone(),
            levels: self.levels.clone().or_else(|| defaults.levels.clone()),
            max_suppressed: self.max_suppressed.or(defaults.max_suppressed),
            relax_height: self.relax_height.or(defaults.relax_height),
        }
    }

    /// The one requirement of this request.
    pub(crate) fn requirement(
        &self,
        lattice: &FullLattice,
    ) -> Result<(Requirement, &Privacy), Error> {
        match self.privacy.as_slice() {
            [] => Err(Error::new(
                "no privacy is asked for",
                "say for instance --k 5, or put k = 5 under [request] in the project",
            )),
            [one] => Ok((one.requirement(lattice)?, one)),
            several => {
                for privacy in several {
                    privacy.requirement(lattice)?;
                }
                Err(Error::Unsupported(
                    "one privacy model at a time: ask for each of them alone".into(),
                ))
            }
        }
    }

    /// The request that the search understands.
    pub(crate) fn resolve(&self, lattice: &FullLattice) -> Result<Request, Error> {
        let (requirement, _) = self.requirement(lattice)?;
        let top = || Ok(lattice.space().top().clone());
        Ok(Request {
            requirement,
            caps: self.levels.as_ref().map_or_else(top, |levels| levels.caps(lattice))?,
            limit: self.max_suppressed.unwrap_or(Amount::ZERO).of(lattice.records()),
            height: self.relax_height.unwrap_or_default().into(),
        })
    }
}

/// `[{"model":"k-anonymity","k":10}]`, or `{"k-anonymity":10}` for models of one parameter.
fn privacy_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Privacy>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "privacy as a list of models, or a map such as {\"k-anonymity\": 10}"
    )]
    enum Written {
        List(Vec<Privacy>),
        Map(BTreeMap<String, f64>),
        Text(String),
    }
    match Written::deserialize(deserializer)? {
        Written::List(list) => Ok(list),
        Written::Map(map) => {
            Ok(map.iter().map(|(model, &value)| Privacy::of(model, value)).collect())
        }
        Written::Text(text) => text.parse().map(|privacy| vec![privacy]).map_err(de::Error::custom),
    }
}

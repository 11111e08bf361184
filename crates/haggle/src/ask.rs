//! What a person or a program asks, as typed; and the resolved request that the search understands.

use std::collections::BTreeMap;
use std::str::FromStr;

use haggle_cube::{Cube, FullLattice, Lattice};
use haggle_model::{Level, Scheme};
use haggle_privacy::{Model, Target};
use haggle_search::{HeightRelaxation, Request, Requirement};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::verify::Threshold;
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

    /// The same, if there is such a model and the threshold makes sense.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        self.resolve().map(|_| self)
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
        if let (Some(on), false) = (&self.on, model.sensitive) {
            let what = format!("{} looks at no sensitive attribute", model.id);
            return Err(Error::new(what, format!("leave on={on} out")));
        }
        let given = self.parameters.get(threshold.name).or_else(|| self.parameters.get(""));
        let value = *given.ok_or_else(|| {
            let what = format!("{} needs its parameter {}", model.id, threshold.name);
            Error::new(what, format!("write {}={}", model.id, threshold.minimum))
        })?;
        let value = threshold.check(value).map_err(|error| {
            let fix =
                format!("choose {}, {}, within that range", threshold.name, threshold.meaning);
            Error::new(error.to_string(), fix)
        })?;
        Ok((model, value))
    }

    fn unknown_model(&self) -> Error {
        let known: Vec<_> = haggle_privacy::CATALOG.iter().map(|model| model.id).collect();
        let what = format!("there is no privacy model '{}'", self.model);
        Error::new(what, format!("choose one of: {}", known.join(", ")))
    }

    /// The model's statistic on the watched attributes of a cube, and the threshold.
    pub(crate) fn threshold(&self, cube: &Cube) -> Result<Threshold, Error> {
        let (model, value) = self.resolve()?;
        let target = if model.sensitive { Some(self.target(model, cube)?) } else { unit(cube) };
        Ok(Threshold { model: model.id, statistic: (model.statistic)(target), value })
    }

    /// The column of the lattice that carries this model, and the threshold.
    fn requirement(&self, lattice: &FullLattice) -> Result<Requirement, Error> {
        let Threshold { statistic, value: threshold, .. } = self.threshold(lattice.cube())?;
        let id = statistic.id();
        let column = lattice.column(&id).ok_or_else(|| {
            Error::Unsupported(format!("this lattice carries no {id}; build it anew"))
        })?;
        Ok(Requirement { column, threshold })
    }

    /// The sensitive attribute that the model shall look at.
    fn target(&self, model: &Model, cube: &Cube) -> Result<Target, Error> {
        let (positions, names): (Vec<_>, Vec<_>) =
            cube.sensitive().map(|(position, w)| (position, w.name.as_str())).unzip();
        let chosen = match (&self.on, names.as_slice()) {
            (_, []) => {
                let what = format!("{} needs a sensitive attribute, and there is none", model.id);
                let fix = "give an attribute the role \"sensitive\" in the project";
                return Err(Error::new(what, fix));
            }
            (None, [_]) => 0,
            (None, _) => {
                let what = format!("{}: on which sensitive attribute?", model.id);
                let fix = format!("add on=NAME with one of: {}", names.join(", "));
                return Err(Error::new(what, fix));
            }
            (Some(on), _) => names.iter().position(|name| name == on).ok_or_else(|| {
                let what = format!("'{on}' is not a sensitive attribute of this project");
                Error::new(what, format!("choose one of: {}", names.join(", ")))
            })?,
        };
        Ok(Target { position: positions[chosen], name: names[chosen].into() })
    }
}

/// The attribute that names the persons, for models that count them.
pub(crate) fn unit(cube: &Cube) -> Option<Target> {
    let position = cube.unit()?;
    Some(Target { position, name: cube.watched()[position].name.clone() })
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
                let (name, value) = pair.split_once('=').ok_or_else(refuse)?;
                let twice = match name.trim() {
                    "on" => privacy.on.replace(value.trim().into()).is_some(),
                    name => privacy.parameters.insert(name.into(), number(value)?).is_some(),
                };
                if twice {
                    return Err(refuse());
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
            let (name, level) = pair.rsplit_once('=')?;
            Some((name.trim().to_owned(), level.trim().parse().ok()?))
        };
        let levels: Option<BTreeMap<_, _>> = text.split(',').map(pair).collect();
        let each_once = |levels: &BTreeMap<_, _>| levels.len() == text.split(',').count();
        levels.filter(each_once).map(Self::ByName).ok_or_else(|| {
            let fix = "write 2,1,0 or age=2,race=1, each name once";
            Error::new(format!("'{text}' are no levels"), fix)
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

    /// Everything that is required, each with the words it was asked in; never empty.
    pub(crate) fn requirements(
        &self,
        lattice: &FullLattice,
    ) -> Result<Vec<(Requirement, &Privacy)>, Error> {
        if self.privacy.is_empty() {
            let fix = "say for instance --k 5, or put k = 5 under [request] in the project";
            return Err(Error::new("no privacy is asked for", fix));
        }
        self.privacy.iter().map(|one| Ok((one.requirement(lattice)?, one))).collect()
    }

    /// The one requirement of this request.
    pub(crate) fn requirement(
        &self,
        lattice: &FullLattice,
    ) -> Result<(Requirement, &Privacy), Error> {
        match self.requirements(lattice)?.as_slice() {
            [one] => Ok(*one),
            _ => Err(Error::new(
                "one privacy model at a time, for now",
                "ask for each of them alone",
            )),
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

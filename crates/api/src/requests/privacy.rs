//! A privacy model and its parameters, as typed; and found to be in the catalog and in range.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use haggle_model::Error;
use haggle_privacy::{Arguments, Model};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::threshold::Plain;

/// What a parameter was given as.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a number, or one of a model's words")]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word, such as a distance, or a range of acceptable numbers, such as `5..20`.
    Word(String),
}

impl FromStr for Value {
    type Err = Error;

    /// Reads a number, or a range of numbers.
    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let refuse = || {
            let what = format!("'{text}' is not a number or a range of numbers");
            Error::new(what, "write 5, or 5..20")
        };
        match (ends(text), text.parse()) {
            (Some(_), _) => Ok(Self::Word(text.into())),
            (None, Ok(number)) => Ok(Self::Number(number)),
            (None, Err(_)) => Err(refuse()),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => Plain(*number).serialize(serializer),
            Self::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => (number + 0.0).fmt(f), // -0 is 0
            Self::Word(word) => word.fmt(f),
        }
    }
}

/// Returns the ends of a range such as `5..20`, if a value is written as one.
pub(crate) fn ends(text: &str) -> Option<(f64, f64)> {
    let (least, most) = text.split_once("..")?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    number(least).zip(number(most))
}

/// One privacy model and its parameters, as asked.
///
/// ```
/// use haggle::Privacy;
///
/// let k: Privacy = "k-anonymity=10".parse()?;
/// let l: Privacy = "recursive-l-diversity:l=3,c=2,on=disease".parse()?;
/// assert_eq!(k.model, "k-anonymity");
/// assert_eq!(l.on.as_deref(), Some("disease"));
/// assert_eq!(l.to_string(), "recursive-l-diversity:l=3,c=2,on=disease");
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Privacy {
    /// The model's id.
    pub model: String,
    /// Which sensitive attribute, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// The parameters by name; the empty name stands for the first.
    #[serde(flatten, deserialize_with = "each_once")]
    pub parameters: BTreeMap<String, Value>,
}

/// A map whose keys come once: of two thresholds the weaker must not win in silence.
pub fn each_once<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Once<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Once<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map of names and values")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, V>()? {
                if entries.contains_key(&name) {
                    return Err(A::Error::custom(format!("'{name}' is given twice")));
                }
                entries.insert(name, value);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_map(Once(PhantomData))
}

impl Privacy {
    /// A model with the numbers that people begin with, on this sensitive attribute if it is of one.
    ///
    /// ```
    /// use haggle::Privacy;
    /// use haggle::catalog::find_model;
    ///
    /// let usual = Privacy::usual(find_model("t-closeness").unwrap(), Some("disease"));
    /// assert_eq!(usual.to_string(), "t-closeness:t=0.2,on=disease");
    /// ```
    pub fn usual(model: &Model, on: Option<&str>) -> Self {
        let needed = model.parameters.iter().filter(|parameter| !parameter.optional);
        let number = |p: &haggle_privacy::Parameter| (p.name.to_owned(), Value::Number(p.usual()));
        let on = on.filter(|_| model.sensitive).map(str::to_owned);
        Self { model: model.id.into(), on, parameters: needed.map(number).collect() }
    }

    /// A model with its threshold.
    pub fn new(model: &str, threshold: f64) -> Self {
        Self::given(model, Value::Number(threshold))
    }

    /// A model with what its first parameter was given as: a number, or a range.
    pub fn given(model: &str, value: Value) -> Self {
        let parameters = BTreeMap::from([(String::new(), value)]);
        Self { model: model.into(), on: None, parameters }
    }

    /// A threshold by the name that answers give it, `MODEL` or `MODEL:on=NAME,…`, with these
    /// parameters; they go before those in the name.
    pub fn labelled(label: &str, mut given: BTreeMap<String, Value>) -> Result<Self, Error> {
        let mut privacy = match label.split_once(':') {
            Some(_) => label.parse()?,
            None => Self { model: label.into(), on: None, parameters: BTreeMap::new() },
        };
        match given.remove("on") {
            Some(Value::Word(on)) => privacy.on = Some(on),
            Some(Value::Number(_)) => {
                let what = format!("on of {} is not the name of an attribute", privacy.model);
                return Err(Error::new(what, "name a sensitive attribute"));
            }
            None => {}
        }
        privacy.parameters.extend(given);
        Ok(privacy)
    }

    /// A model whose first number varies: only the others are given, as in
    /// `recursive-l-diversity:c=2`.
    pub fn varying(text: &str) -> Result<Self, Error> {
        let (model, rest) = text.split_once(':').map_or((text, ""), |(model, rest)| (model, rest));
        let unknown = Self::new(model.trim(), 0.0);
        let found = haggle_privacy::find(model.trim()).ok_or_else(|| unknown.unknown_model())?;
        let first = found.threshold();
        if rest.split(',').any(|word| word.split('=').next().map(str::trim) == Some(first.name)) {
            let what = format!("{} of {} varies along the front", first.name, found.id);
            return Err(Error::new(what, format!("leave {} out", first.name)));
        }
        let given = if rest.is_empty() { String::new() } else { format!(",{rest}") };
        let privacy: Self =
            format!("{}:{}={}{given}", found.id, first.name, first.weakest()).parse()?;
        privacy.checked()
    }

    /// Returns the threshold with another value of a parameter.
    pub fn with(&self, parameter: &str, value: f64) -> Self {
        let first = haggle_privacy::find(&self.model).map(|model| model.threshold().name);
        let mut changed = self.clone();
        if first == Some(parameter) {
            changed.parameters.remove("");
        }
        changed.parameters.insert(parameter.into(), Value::Number(value));
        changed
    }

    /// Returns the threshold with its first parameter by name.
    pub fn spelled_out(&self) -> Self {
        let mut named = self.clone();
        let first = haggle_privacy::find(&self.model).map(|model| model.threshold().name);
        if let Some((first, value)) = first.zip(named.parameters.remove("")) {
            named.parameters.insert(first.into(), value);
        }
        named
    }

    /// Checks that there is such a model and that its parameters are valid.
    pub fn checked(self) -> Result<Self, Error> {
        self.resolve().map(|_| self)
    }

    /// The model of the catalog, and what was asked of it.
    pub fn resolve(&self) -> Result<(&'static Model, Arguments), Error> {
        let model = haggle_privacy::find(&self.model).ok_or_else(|| self.unknown_model())?;
        if let (Some(on), false) = (&self.on, model.sensitive) {
            let what = format!("{} does not use a sensitive attribute", model.id);
            return Err(Error::new(what, format!("leave on={on} out")));
        }
        let mut arguments = Arguments::default();
        for (name, value) in &self.parameters {
            let name = if name.is_empty() { model.threshold().name } else { name };
            let twice = match (parameter(model, name), choice(model, name), value) {
                (Some(parameter), _, Value::Number(number)) => {
                    arguments.numbers.insert(parameter.name, parameter.check(*number)?).is_some()
                }
                (_, Some(choice), Value::Word(word)) => {
                    let option = choice.options.iter().find(|option| *option == word);
                    let option = option.ok_or_else(|| {
                        let what = format!("{} has no {name} '{word}'", model.id);
                        Error::new(what, format!("choose one of: {}", choice.options.join(", ")))
                    })?;
                    arguments.choices.insert(choice.name, option).is_some()
                }
                (Some(_), _, Value::Word(word)) if ends(word).is_some() => {
                    let what = format!("{name} = {word} is a range of acceptable values");
                    let fix =
                        "state one value here; only a question for the best scheme takes a range";
                    return Err(Error::new(what, fix));
                }
                (Some(parameter), _, Value::Word(word)) => {
                    let what = format!("{name} = '{word}' is not a number");
                    return Err(Error::new(what, format!("{name} is {}", parameter.range())));
                }
                (_, Some(choice), Value::Number(_)) => {
                    let options = choice.options.join(", ");
                    let what = format!("{name} of {} takes one of {options}", model.id);
                    return Err(Error::new(what, "give one of these words"));
                }
                (None, None, _) => return Err(unknown_parameter(model, name)),
            };
            if twice {
                let what = format!("{name} of {} is given twice", model.id);
                return Err(Error::new(what, "give it once"));
            }
        }
        let given = |name: &str| arguments.numbers.contains_key(name);
        let missing = model.parameters.iter().find(|p| !p.optional && !given(p.name));
        if let Some(parameter) = missing {
            let what = format!("{} needs its parameter {}", model.id, parameter.name);
            let fix = match model.parameters {
                [only] => format!("write {}={}", model.id, only.sample()),
                _ => format!("write {}:{}", model.id, model.example_arguments()),
            };
            return Err(Error::new(what, fix));
        }
        Ok((model, arguments))
    }

    fn unknown_model(&self) -> Error {
        let known: Vec<_> = haggle_privacy::CATALOG.iter().map(|model| model.id).collect();
        let what = format!("there is no privacy model '{}'", self.model);
        Error::new(what, format!("choose one of: {}", known.join(", ")))
    }
}

fn parameter(model: &Model, name: &str) -> Option<&'static haggle_privacy::Parameter> {
    model.parameters.iter().find(|parameter| parameter.name == name)
}

fn choice(model: &Model, name: &str) -> Option<&'static haggle_privacy::ParameterOption> {
    model.choices.iter().find(|choice| choice.name == name)
}

fn unknown_parameter(model: &Model, name: &str) -> Error {
    let what = format!("{} has no parameter '{name}'", model.id);
    let fix = match model.parameters {
        [only] if model.choices.is_empty() => {
            format!("its parameter is {}: {}", only.name, only.meaning)
        }
        several => {
            let words = model.choices.iter().map(|choice| choice.name);
            let names: Vec<_> = several.iter().map(|p| p.name).chain(words).collect();
            format!("its parameters are {}", names.join(", "))
        }
    };
    Error::new(what, fix)
}

/// The words of a list; a piece without `=` belongs to the one before it, whose name has a comma.
pub(crate) fn pairs(list: &str) -> Vec<String> {
    let mut pairs: Vec<String> = Vec::new();
    for piece in list.split(',') {
        match pairs.last_mut() {
            Some(before) if !piece.contains('=') => *before = format!("{before},{piece}"),
            _ => pairs.push(piece.into()),
        }
    }
    pairs
}

/// As `--privacy` takes it.
impl fmt::Display for Privacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = haggle_privacy::find(&self.model);
        if let (None, Some(value), 1) = (&self.on, self.parameters.get(""), self.parameters.len()) {
            return write!(f, "{}={value}", self.model);
        }
        let order = |name: &str| {
            let position = model.and_then(|m| m.parameters.iter().position(|p| p.name == name));
            position.unwrap_or(usize::MAX)
        };
        let first = model.map_or("", |model| model.threshold().name);
        let named =
            |name: &'_ String| if name.is_empty() { first.to_owned() } else { name.clone() };
        let mut words: Vec<(String, String)> =
            self.parameters.iter().map(|(name, value)| (named(name), value.to_string())).collect();
        words.sort_by_key(|(name, _)| order(name));
        words.extend(self.on.iter().map(|on| ("on".to_owned(), on.clone())));
        let words: Vec<_> = words.iter().map(|(name, value)| format!("{name}={value}")).collect();
        write!(f, "{}:{}", self.model, words.join(","))
    }
}

impl FromStr for Privacy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let what = format!("'{text}' is not a privacy model with its parameters");
            Error::new(
                what,
                "write MODEL=THRESHOLD, or MODEL:NAME=VALUE,…, such as k-anonymity=10 or distinct-l-diversity:l=3,on=disease",
            )
        };
        let number = |value: &str| {
            let number = value.trim().parse::<f64>().ok();
            number.filter(|number| !number.is_nan()).ok_or_else(refuse)
        };
        let number_or_range = |value: &str| match ends(value) {
            Some(_) => Ok(Value::Word(value.trim().into())),
            None => number(value).map(Value::Number),
        };
        let Some((model, list)) = text.split_once(':') else {
            let (model, value) = text.split_once('=').ok_or_else(refuse)?;
            return Ok(Self::given(model.trim(), number_or_range(value)?));
        };
        let model = model.trim();
        let is_word = |name: &str| {
            haggle_privacy::find(model).is_some_and(|model| choice(model, name).is_some())
        };
        let mut privacy = Self { model: model.into(), on: None, parameters: BTreeMap::new() };
        for pair in pairs(list) {
            let (name, value) = pair.split_once('=').ok_or_else(refuse)?;
            let twice = match name.trim() {
                "" => return Err(refuse()),
                "on" => privacy.on.replace(value.trim().into()).is_some(),
                name => {
                    let value = match number(value) {
                        Err(_) if is_word(name) => Value::Word(value.trim().into()),
                        _ => number_or_range(value)?,
                    };
                    privacy.parameters.insert(name.into(), value).is_some()
                }
            };
            if twice {
                return Err(refuse());
            }
        }
        Ok(privacy)
    }
}

/// The largest k that is asked for.
pub fn k_asked(privacy: &[Privacy]) -> Option<u64> {
    let k = |one: &Privacy| one.resolve().ok()?.1.numbers.get("k").copied();
    let asked = privacy.iter().filter_map(k).map(|k| k.ceil() as u64);
    asked.max().map(|k| k.max(2))
}

#[cfg(test)]
mod tests;

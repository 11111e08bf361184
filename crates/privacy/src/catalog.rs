//! The description of a model, from which commands, forms and manual pages are generated.

use std::collections::BTreeMap;
use std::ops::Bound;

use haggle_cube::{Column, Merging, Passing, Statistic};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::{Error, Facts, Target};

/// A number that belongs to a model.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, as in `distinct-l-diversity:l=3`.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The smallest valid value.
    pub low: Bound<f64>,
    /// The largest valid value.
    pub high: Bound<f64>,
    /// Whether only whole numbers are valid.
    pub whole: bool,
    /// Which side of it passes, if it is a number that can be negotiated.
    pub negotiated: Option<Passing>,
    /// Whether it may be left out.
    pub optional: bool,
    /// A typical value; one from the middle of its range if not stated.
    pub usual: Option<f64>,
}

/// The largest whole number that can be required of a group: what a record counter holds.
pub(crate) const MOST: f64 = 4_294_967_295.0;

impl Parameter {
    /// Builds a parameter that is a whole number from 2 on, such as k or l.
    pub(crate) const fn count(name: &'static str, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            low: Bound::Included(2.0),
            high: Bound::Included(MOST),
            whole: true,
            negotiated: Some(Passing::AtLeast),
            optional: false,
            usual: Some(3.0),
        }
    }

    /// Returns the same parameter with another typical value.
    pub(crate) const fn usually(self, value: f64) -> Self {
        Self { usual: Some(value), ..self }
    }

    /// Builds a parameter that is a number within bounds.
    pub(crate) const fn number(
        name: &'static str,
        meaning: &'static str,
        low: Bound<f64>,
        high: Bound<f64>,
        negotiated: Option<Passing>,
    ) -> Self {
        Self { name, meaning, low, high, whole: false, negotiated, optional: false, usual: None }
    }

    /// Returns the value, if it is in the parameter's range.
    pub fn check(&self, value: f64) -> Result<f64, Error> {
        let fits = std::ops::RangeBounds::contains(&(self.low, self.high), &value);
        if fits && value.is_finite() && (!self.whole || value.fract() == 0.0) {
            return Ok(value + 0.0); // -0 is 0
        }
        let (name, range) = (self.name, self.range());
        let what = format!("{name} = {} is out of range: {name} is {range}", readable(value));
        Err(Error::new(what, format!("choose {name}, {}, within that range", self.meaning)))
    }

    /// The range in words.
    pub fn range(&self) -> String {
        let number = if self.whole { "a whole number" } else { "a number" };
        let low = match self.low {
            Bound::Included(low) => format!(" from {low}"),
            Bound::Excluded(low) => format!(" above {low}"),
            Bound::Unbounded => String::new(),
        };
        let high = match self.high {
            Bound::Included(high) => format!(" to {high}"),
            Bound::Excluded(high) => format!(" below {high}"),
            Bound::Unbounded => String::new(),
        };
        let and = if low.starts_with(" above") && !high.is_empty() { " and" } else { "" };
        format!("{number}{low}{and}{high}")
    }

    /// Returns a valid value, for examples.
    pub fn sample(&self) -> f64 {
        match (self.low, self.high) {
            (Bound::Included(low), _) if self.whole => low,
            (
                Bound::Included(low) | Bound::Excluded(low),
                Bound::Included(high) | Bound::Excluded(high),
            ) => f64::midpoint(low, high),
            (Bound::Included(low), Bound::Unbounded) => low + 0.2,
            (Bound::Excluded(low), Bound::Unbounded) => low + 1.0,
            (Bound::Unbounded, _) => 0.0,
        }
    }

    /// Returns a typical value.
    ///
    /// ```
    /// let t = &haggle_privacy::find("t-closeness").unwrap().parameters[0];
    /// assert_eq!(t.usual(), 0.2);
    /// ```
    pub fn usual(&self) -> f64 {
        self.usual.unwrap_or_else(|| self.sample())
    }

    /// Returns the weakest threshold, which is valid for every value of the model's other
    /// parameters.
    pub fn weakest(&self) -> f64 {
        self.negotiated.map_or_else(|| self.sample(), |comparison| self.ends(comparison).0)
    }

    /// The weakest and the strongest threshold of a comparison.
    fn ends(&self, comparison: Passing) -> (f64, f64) {
        let low = match self.low {
            Bound::Included(low) => low,
            Bound::Excluded(low) => low.next_up(),
            Bound::Unbounded => f64::MIN,
        };
        let high = match self.high {
            Bound::Included(high) => high,
            Bound::Excluded(high) => high.next_down(),
            Bound::Unbounded => f64::MAX,
        };
        if comparison.rises() { (low, high) } else { (high, low) }
    }
}

/// Formats a number for a message, however large it is.
fn readable(value: f64) -> String {
    if value.abs() < 1e15 { value.to_string() } else { format!("{value:e}") }
}

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("meaning", self.meaning)?;
        for (ends, bound) in [(["minimum", "above"], self.low), (["maximum", "below"], self.high)] {
            match bound {
                Bound::Included(value) => map.serialize_entry(ends[0], &value)?,
                Bound::Excluded(value) => map.serialize_entry(ends[1], &value)?,
                Bound::Unbounded => (),
            }
        }
        map.serialize_entry("whole", &self.whole)?;
        map.serialize_entry("negotiated", &self.negotiated.is_some())?;
        map.serialize_entry("optional", &self.optional)?;
        map.serialize_entry("usual", &self.usual())?;
        map.end()
    }
}

/// An enumerated option of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ParameterOption {
    /// Its name, as in `t-closeness:t=0.2,distance=ordered`.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The valid words.
    pub options: &'static [&'static str],
}

/// The arguments of a model, all in range.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    /// The parameters by name.
    pub numbers: BTreeMap<&'static str, f64>,
    /// The choices by name.
    pub choices: BTreeMap<&'static str, &'static str>,
}

/// A catalog entry.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(clippy::struct_excessive_bools)] // each answers a question of its own
#[non_exhaustive]
pub struct Model {
    /// The name used in requests, files and addresses.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// What it requires of a group.
    pub definition: &'static str,
    /// The requirement as a formula.
    pub formula: &'static str,
    /// The publication that proposed it.
    pub citation: &'static str,
    /// A worked example.
    pub example: &'static str,
    /// The number that is negotiated first, then the others.
    pub parameters: &'static [Parameter],
    /// Its enumerated options.
    pub choices: &'static [ParameterOption],
    /// Whether it needs a sensitive attribute.
    pub sensitive: bool,
    /// What the project must state about that attribute.
    pub states: &'static [&'static str],
    /// What else it uses if the project states it.
    pub uses: &'static [&'static str],
    /// Whether it compares groups with the whole table.
    pub reference: bool,
    /// What merging groups does to the verdict.
    pub kind: Merging,
    /// Whether every lattice contains it, so that the first question finds it there.
    pub stored: bool,
    /// The parameter for the hierarchy level at which the sensitive attribute is published, if the
    /// guarantee is about that level.
    pub published_level: Option<&'static str>,
    /// Whether it counts records of sensitive values; these are not persons if a person may have
    /// several records.
    pub counts_records: bool,
    /// Builds the statistic of one of its numbers, with the others fixed.
    #[serde(skip)]
    pub statistic: fn(&Setting<'_>) -> Result<Box<dyn Statistic>, Error>,
}

impl Model {
    /// The parameter that is negotiated first.
    pub fn threshold(&self) -> &'static Parameter {
        &self.parameters[0]
    }

    /// Every parameter that can be negotiated.
    pub fn negotiated(&self) -> impl Iterator<Item = &'static Parameter> {
        self.parameters.iter().filter(|parameter| parameter.negotiated.is_some())
    }
}

/// Everything that a model's statistic is built from.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The model.
    pub model: &'static Model,
    /// The number that the statistic is compared with.
    pub negotiated: &'static Parameter,
    /// The model's parameters.
    pub arguments: &'a Arguments,
    /// The sensitive attribute, for models that need one.
    pub facts: Option<&'a Facts>,
    /// The attribute that identifies persons, if a person may have several records.
    pub unit: Option<&'a Target>,
}

impl<'a> Setting<'a> {
    /// Builds the statistic, or explains why there is none.
    pub fn statistic(&self) -> Result<Box<dyn Statistic>, Error> {
        if self.unit.is_some() && self.model.counts_records {
            let what = format!("{} counts records, and this project counts persons", self.model.id);
            let fix = "ask for k-anonymity and for a model of which values occur: \
                       distinct-l-diversity, categorical-diversity, range-control or linear-diversity";
            return Err(Error::new(what, fix));
        }
        (self.model.statistic)(self)
    }

    /// The sensitive attribute.
    pub(crate) fn facts(&self) -> Result<&'a Facts, Error> {
        self.facts.ok_or_else(|| {
            let what = format!("{} needs a sensitive attribute", self.model.id);
            Error::new(what, "give an attribute the role \"sensitive\" in the project")
        })
    }

    /// Returns something that the project states about the sensitive attribute, or an error if it
    /// does not.
    pub(crate) fn stated<T>(&self, value: Option<T>, key: &str, example: &str) -> Result<T, Error> {
        value.ok_or_else(|| {
            let name = self.facts.map_or("", |facts| &facts.target.name);
            let what =
                format!("{} needs {key} of '{name}', and the project states none", self.model.id);
            let key = key.trim_start_matches("a ");
            Error::new(what, format!("add {key} = {example} to the attribute in the project"))
        })
    }

    /// Whether this is the number that the statistic is compared with.
    pub(crate) fn negotiates(&self, name: &str) -> bool {
        self.negotiated.name == name
    }

    /// A parameter that was given.
    pub(crate) fn given(&self, name: &str) -> Option<f64> {
        self.arguments.numbers.get(name).copied()
    }

    /// Returns a parameter that the statistic requires.
    pub(crate) fn number(&self, name: &str) -> Result<f64, Error> {
        self.given(name).ok_or_else(|| {
            let what = format!("{} needs its parameter {name}", self.model.id);
            Error::new(what, format!("write {}:{}", self.model.id, self.model.example_arguments()))
        })
    }

    /// A choice that was made.
    pub(crate) fn choice(&self, name: &str) -> Option<&'static str> {
        self.arguments.choices.get(name).copied()
    }

    /// Returns the choices among these that differ from the given defaults, so that a default is
    /// the same column whether or not it was named.
    pub(crate) fn unusual(
        &self,
        defaults: &[(&'static str, &'static str)],
    ) -> Vec<(&'static str, &'static str)> {
        let chosen = |&(name, usual): &(&'static str, &'static str)| {
            self.choice(name).filter(|word| *word != usual).map(|word| (name, word))
        };
        defaults.iter().filter_map(chosen).collect()
    }

    /// Returns which side of c passes, for models that can count a quotient of exactly c as passing.
    pub(crate) fn side_of_c(&self) -> Passing {
        if self.choice("bound") == Some("at-most") { Passing::AtMost } else { Passing::Below }
    }

    /// Describes the statistic as a column of the lattice; `choices` are the options in effect.
    pub(crate) fn column(&self, choices: &[(&str, &str)]) -> Column {
        let declared = self.negotiated.negotiated.expect("a number that can be negotiated");
        let comparison = if declared == Passing::Below { self.strict_side() } else { declared };
        let (weakest, strongest) = self.negotiated.ends(comparison);
        let on = self.facts.map(|facts| format!("on={}", facts.target.name));
        let choices = choices.iter().map(|(name, word)| format!("{name}={word}"));
        let fixed = self.arguments.numbers.iter().filter(|(name, _)| !self.negotiates(name));
        let fixed = fixed.map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = on.into_iter().chain(choices).chain(fixed).collect();
        let words = if words.is_empty() { String::new() } else { format!(":{}", words.join(",")) };
        Column {
            id: format!("{}{words}", self.model.id),
            watches: self.facts.map(|facts| facts.target.position),
            comparison,
            kind: self.model.kind,
            weakest,
            strongest,
        }
    }

    /// Returns the side of a parameter that is declared strict.
    fn strict_side(&self) -> Passing {
        let has_bound = self.model.choices.iter().any(|choice| choice.name == "bound");
        if has_bound { self.side_of_c() } else { Passing::Below }
    }

    /// Describes a statistic that counts values, of which there are at most `most`.
    pub(crate) fn counting(&self, most: usize, choices: &[(&str, &str)]) -> Column {
        let column = self.column(choices);
        if self.negotiated.whole {
            return Column { strongest: column.strongest.min(most as f64), ..column };
        }
        column
    }
}

impl Model {
    /// Returns its parameters as a request would write them.
    pub fn example_arguments(&self) -> String {
        let needed = self.parameters.iter().filter(|parameter| !parameter.optional);
        needed.map(|p| format!("{}={}", p.name, p.sample())).collect::<Vec<_>>().join(",")
    }
}

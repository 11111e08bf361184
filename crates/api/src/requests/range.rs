//! A range of acceptable values of one number in a request, and what is possible within it.

use std::borrow::Cow;

use haggle_model::Error;
use haggle_privacy::{Model, Parameter};

use crate::privacy::ends;
use crate::{Ask, Value};

/// The acceptable values of one number of a request: whole numbers, both ends included.
///
/// ```
/// use haggle::Ask;
///
/// let ask: Ask = serde_json::from_str(r#"{"privacy": {"k-anonymity": "5..20"}}"#)?;
/// let range = ask.range()?.unwrap();
/// assert_eq!((range.weakest(), range.strongest(), range.count()), (5, 20, 16));
/// assert!(ask.within(&range, 7).range()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptableRange {
    /// The position of the model among those asked for.
    pub position: usize,
    /// The number.
    pub parameter: &'static str,
    least: u64,
    most: u64,
    /// Whether larger values are the stronger ones.
    rises: bool,
}

impl AcceptableRange {
    /// Returns the weakest acceptable value.
    pub fn weakest(&self) -> u64 {
        self.value(0)
    }

    /// Returns the strongest value of the range.
    pub fn strongest(&self) -> u64 {
        self.value(self.count() - 1)
    }

    /// Returns how many values it has.
    pub fn count(&self) -> u64 {
        self.most - self.least + 1
    }

    /// Returns the value at a step from the weakest one, which is 0.
    pub fn value(&self, step: u64) -> u64 {
        if self.rises { self.least + step } else { self.most - step }
    }

    /// Returns the range as it is written.
    fn word(&self) -> Value {
        Value::Word(format!("{}..{}", self.least, self.most))
    }
}

impl Ask {
    /// Returns the range of acceptable values, if a number is given as one.
    pub fn range(&self) -> Result<Option<AcceptableRange>, Error> {
        let mut found = None;
        for (position, privacy) in self.privacy.iter().enumerate() {
            let Some(model) = haggle_privacy::find(&privacy.model) else { continue };
            for (name, value) in &privacy.parameters {
                let Some(ends) = written_range(value) else { continue };
                let Some(parameter) = number(model, name) else { continue };
                if found.replace(acceptable(position, parameter, ends)?).is_some() {
                    let what = "two numbers of this request have a range of acceptable values";
                    return Err(Error::new(what, "state one value of all but one"));
                }
            }
        }
        Ok(found)
    }

    /// Returns the same with one value in place of the range.
    pub fn within(&self, range: &AcceptableRange, value: u64) -> Self {
        let mut ask = self.clone();
        let privacy = &mut ask.privacy[range.position];
        *privacy = privacy.with(range.parameter, value as f64);
        ask
    }

    /// Returns the same with the weakest acceptable value in place of a range.
    pub fn at_weakest(&self) -> Result<Cow<'_, Self>, Error> {
        Ok(match self.range()? {
            Some(range) => Cow::Owned(self.within(&range, range.weakest())),
            None => Cow::Borrowed(self),
        })
    }

    /// Returns the same with the range in place of one value, as it was asked.
    pub fn with_range(mut self, range: &AcceptableRange) -> Self {
        if let Some(privacy) = self.privacy.get_mut(range.position) {
            *privacy = privacy.spelled_out();
            privacy.parameters.insert(range.parameter.into(), range.word());
        }
        self
    }
}

fn written_range(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Word(word) => ends(word),
        Value::Number(_) => None,
    }
}

/// The number of a model by its name; the empty name is the first.
fn number(model: &'static Model, name: &str) -> Option<&'static Parameter> {
    let name = if name.is_empty() { model.threshold().name } else { name };
    model.parameters.iter().find(|parameter| parameter.name == name)
}

fn acceptable(
    position: usize,
    parameter: &'static Parameter,
    (least, most): (f64, f64),
) -> Result<AcceptableRange, Error> {
    let name = parameter.name;
    let Some(side) = parameter.negotiated.filter(|_| parameter.whole) else {
        let (why, fix) = if parameter.whole {
            ("is part of what is promised, not negotiated", "state one value")
        } else {
            ("is not a whole number", "state one value, or compute the front of this model")
        };
        let what = format!("{name} = {least}..{most} is a range, and {name} {why}");
        return Err(Error::new(what, fix));
    };
    let (least, most) = (parameter.check(least)?, parameter.check(most)?);
    if least > most {
        let what = format!("{name} = {least}..{most} is an empty range");
        return Err(Error::new(what, format!("write the smaller end first: {most}..{least}")));
    }
    let (least, most) = (least as u64, most as u64);
    Ok(AcceptableRange { position, parameter: name, least, most, rises: side.rises() })
}

#[cfg(test)]
mod tests {
    use haggle_model::ErrorKind;

    use super::*;

    fn asked(privacy: &[&str]) -> Ask {
        let privacy = privacy.iter().map(|text| text.parse().unwrap()).collect();
        Ask { privacy, ..Ask::default() }
    }

    #[test]
    fn a_range_runs_from_its_weakest_to_its_strongest_value() {
        let ask = asked(&["t-closeness=0.2", "distinct-l-diversity:l=2..4,on=disease"]);
        let range = ask.range().unwrap().unwrap();
        assert_eq!((range.position, range.parameter, range.count()), (1, "l", 3));
        assert_eq!((range.weakest(), range.value(1), range.strongest()), (2, 3, 4));
    }

    #[test]
    fn one_value_takes_the_place_of_a_range_and_gives_it_back() {
        let ask = asked(&["t-closeness=0.2", "k-anonymity=5..20"]);
        let range = ask.range().unwrap().unwrap();
        let settled = ask.within(&range, 7);
        assert_eq!(settled, asked(&["t-closeness=0.2", "k-anonymity:k=7"]));
        assert_eq!(settled.with_range(&range), asked(&["t-closeness=0.2", "k-anonymity:k=5..20"]));
        let weakest = ask.at_weakest().unwrap().into_owned();
        assert_eq!(weakest, asked(&["t-closeness=0.2", "k-anonymity:k=5"]));
        assert!(weakest.range().unwrap().is_none());
    }

    #[test]
    fn a_range_that_cannot_be_negotiated_is_refused() {
        for (privacy, part) in [
            (&["k-anonymity=20..5"][..], "k = 20..5"),
            (&["k-anonymity=1..5"], "k = 1"),
            (&["k-anonymity=2.5..5"], "k = 2.5"),
            (&["t-closeness=0.1..0.2"], "t = 0.1..0.2"),
            (&["extended-k-anonymity:k=2,level=0..1"], "not negotiated"),
            (&["k-anonymity=5..20", "distinct-l-diversity=2..4"], "two numbers"),
        ] {
            let error = asked(privacy).range().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadInput);
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}

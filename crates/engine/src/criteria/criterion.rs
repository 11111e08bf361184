//! A privacy model on a table: what was asked, and the statistic of each negotiable parameter.

use std::collections::BTreeMap;

use haggle_api::{Privacy, Threshold, Value};
use haggle_cube::{Cube, Group, Statistic};
use haggle_model::{Error, ErrorKind};
use haggle_privacy::{Arguments, Facts, Model, Parameter, Setting, Target};

/// A negotiable parameter of a criterion, and the statistic that it is compared with.
#[derive(Debug)]
pub struct Number {
    pub(crate) parameter: &'static Parameter,
    /// The threshold.
    pub value: f64,
    pub(crate) statistic: Box<dyn Statistic>,
}

impl Number {
    /// Whether no table with these values could ever reach it.
    fn is_out_of_reach(&self) -> bool {
        let column = self.statistic.column();
        column.comparison.by_strength(self.value, column.strongest).is_gt()
    }
}

/// A model as asked for, on a table.
#[derive(Debug)]
pub struct Criterion {
    /// The name in answers: the model's, with the attribute where the model is asked for twice.
    pub label: String,
    /// The model.
    pub model: &'static Model,
    /// The sensitive attribute, for models that look at one.
    on: Option<String>,
    /// Its parameters.
    pub arguments: Arguments,
    /// Every negotiable parameter; the first is the one that groups are judged by.
    pub numbers: Vec<Number>,
}

impl Criterion {
    /// The criteria asked for, over the sensitive attributes of a table.
    pub fn all(
        privacy: &[Privacy],
        facts: &[Facts],
        unit: Option<&Target>,
    ) -> Result<Vec<Self>, Error> {
        if privacy.is_empty() {
            let fix =
                "ask for one, such as k-anonymity=5, or put k = 5 under [request] in the project";
            return Err(Error::new("no privacy is asked for", fix));
        }
        let mut criteria: Vec<Self> =
            privacy.iter().map(|one| Self::new(one, facts, unit)).collect::<Result<_, _>>()?;
        let twice = |id: &str| criteria.iter().filter(|other| other.model.id == id).count() > 1;
        let twice: Vec<bool> = criteria.iter().map(|criterion| twice(criterion.model.id)).collect();
        for (criterion, twice) in criteria.iter_mut().zip(twice) {
            if twice {
                criterion.label = criterion.judge().column().id.clone();
            }
        }
        let same = |(i, criterion): (usize, &Self)| {
            criteria[..i].iter().any(|earlier| earlier.label == criterion.label)
        };
        if let Some((_, criterion)) = criteria.iter().enumerate().find(|&found| same(found)) {
            let what = format!("{} is asked for twice", criterion.label);
            return Err(Error::new(what, "ask for it once, with the stronger threshold"));
        }
        Ok(criteria)
    }

    fn new(privacy: &Privacy, facts: &[Facts], unit: Option<&Target>) -> Result<Self, Error> {
        let (model, arguments) = privacy.resolve()?;
        let facts = if model.sensitive { Some(target(model, privacy, facts)?) } else { None };
        let given = |parameter: &&'static Parameter| arguments.numbers.contains_key(parameter.name);
        let number = |parameter: &'static Parameter| -> Result<Number, Error> {
            let setting =
                Setting { model, negotiated: parameter, arguments: &arguments, facts, unit };
            let value = arguments.numbers[parameter.name];
            Ok(Number { parameter, value, statistic: setting.statistic()? })
        };
        let numbers = model.negotiated().filter(given).map(number);
        let numbers = within_first(numbers)?;
        let on = facts.map(|facts| facts.target.name.clone());
        Ok(Self { label: model.id.to_owned(), model, on, arguments, numbers })
    }

    /// An error if no table with these values could ever pass.
    pub fn within_reach(&self) -> Result<(), Error> {
        let Some((number, most)) = self.out_of_reach() else { return Ok(()) };
        let (Number { parameter, value, statistic }, name) = (number, number.parameter.name);
        let what = format!(
            "{}: {name} = {value} is out of reach: the sensitive values allow {most} at most",
            self.label
        );
        let column = statistic.column();
        let none = column.comparison.by_strength(column.strongest, column.weakest).is_lt();
        let fix = if none {
            "the attribute has too few values for this model; choose another".to_owned()
        } else {
            format!("choose {name}, {}, of at most {most}", parameter.meaning)
        };
        Err(Error::new(what, fix))
    }

    /// A number that no table with these values could ever reach, and the most that one could.
    pub(crate) fn out_of_reach(&self) -> Option<(&Number, f64)> {
        let number = self.numbers.iter().find(|number| number.is_out_of_reach())?;
        Some((number, number.statistic.column().strongest))
    }

    /// The statistic that groups are judged by.
    pub fn judge(&self) -> &dyn Statistic {
        self.numbers[0].statistic.as_ref()
    }

    /// Which marginal of a cube it looks at.
    pub fn watches(&self) -> usize {
        self.judge().column().watches.unwrap_or(0)
    }

    /// Whether a group passes.
    pub fn passes(&self, group: &Group<'_>) -> bool {
        self.judge().passes(group, self.numbers[0].value)
    }

    /// What is asked, with one number of it replaced.
    pub fn threshold(&self, number: usize, value: f64) -> Threshold {
        let replaced = self.numbers[number].parameter.name;
        if self.model.parameters.len() == 1 {
            return Threshold::One(value);
        }
        let mut several: BTreeMap<String, f64> =
            self.arguments.numbers.iter().map(|(name, value)| ((*name).into(), *value)).collect();
        several.insert(replaced.into(), value);
        Threshold::Several(several)
    }

    /// What is asked in full, as `--privacy` takes it: with the attribute and every word settled on.
    pub fn words(&self) -> String {
        let given = self.model.parameters.iter().filter_map(|parameter| {
            Some(format!("{}={}", parameter.name, self.arguments.numbers.get(parameter.name)?))
        });
        let on = self.on.iter().map(|on| format!("on={on}"));
        let options = self.options().map(|(name, word)| format!("{name}={word}"));
        let words: Vec<String> = given.chain(on).chain(options).collect();
        format!("{}:{}", self.model.id, words.join(","))
    }

    /// The options that were settled on, such as the distance; the column's name holds them.
    fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let settled = self.judge().column().id.strip_prefix(self.model.id).unwrap_or_default();
        let on = self.on.as_ref().map_or(String::new(), |on| format!(":on={on}"));
        let settled = settled.strip_prefix(&on).unwrap_or(settled);
        let pairs = settled.split([':', ',']).filter_map(|word| word.split_once('='));
        pairs.filter(|(name, _)| !self.arguments.numbers.contains_key(name))
    }

    /// The threshold as a request states it: every parameter by name, the attribute and every option
    /// settled on.
    pub(crate) fn to_privacy(&self) -> Privacy {
        let numbers = self.arguments.numbers.iter();
        let numbers = numbers.map(|(name, value)| ((*name).to_owned(), Value::Number(*value)));
        let options = self.options();
        let options = options.map(|(name, word)| (name.to_owned(), Value::Word(word.into())));
        Privacy {
            model: self.model.id.into(),
            on: self.on.clone(),
            parameters: numbers.chain(options).collect(),
        }
    }

    /// Whether both are of the same model on the same attribute.
    pub(crate) fn is_on(&self, other: &Self) -> bool {
        self.model.id == other.model.id && self.on == other.on
    }

    /// Whether every group that passes this one passes the other: the same model on the same
    /// attribute with the same options, each number the same or stronger.
    pub(crate) fn is_as_strong_as(&self, other: &Self) -> bool {
        let strong = |parameter: &Parameter| {
            let number =
                |criterion: &Self| criterion.arguments.numbers.get(parameter.name).copied();
            match (number(self), number(other), parameter.negotiated) {
                (Some(own), Some(theirs), Some(side)) => side.by_strength(own, theirs).is_ge(),
                (own, theirs, _) => own == theirs,
            }
        };
        self.is_on(other)
            && self.options().eq(other.options())
            && self.model.parameters.iter().all(strong)
    }

    /// What is asked.
    pub fn asked(&self) -> Threshold {
        self.threshold(0, self.numbers[0].value)
    }
}

/// The numbers. Where the first is beyond what the values allow, others have no statistic at it, and
/// nothing would be gained by relaxing them.
fn within_first(
    mut numbers: impl Iterator<Item = Result<Number, Error>>,
) -> Result<Vec<Number>, Error> {
    let first = numbers.next().transpose()?;
    if first.as_ref().is_some_and(Number::is_out_of_reach) {
        return Ok(first.into_iter().chain(numbers.filter_map(Result::ok)).collect());
    }
    first.into_iter().map(Ok).chain(numbers).collect()
}

/// The weaker of two statistics, if the first is one.
pub fn weaker(statistic: &dyn Statistic, known: Option<f64>, value: f64) -> Option<f64> {
    let by_strength = |a: &f64, b: &f64| statistic.column().comparison.by_strength(*a, *b);
    known.into_iter().chain([value]).min_by(by_strength)
}

/// The sensitive attribute that the model shall look at.
fn target<'f>(model: &Model, privacy: &Privacy, facts: &'f [Facts]) -> Result<&'f Facts, Error> {
    let names: Vec<&str> = facts.iter().map(|facts| facts.target.name.as_str()).collect();
    match (&privacy.on, facts) {
        (_, []) => {
            let what = format!("{} needs a sensitive attribute, and there is none", model.id);
            Err(Error::new(what, "give an attribute the role \"sensitive\" in the project"))
        }
        (None, [only]) => Ok(only),
        (None, [first, ..]) => {
            let what = format!("{}: on which sensitive attribute?", model.id);
            let such_as = Privacy { on: Some(first.target.name.clone()), ..privacy.clone() };
            let there_are = names.join(", ");
            let fix = format!("name it in 'privacy', such as {such_as}; there are: {there_are}");
            Err(Error::new(what, fix))
        }
        (Some(on), _) => facts.iter().find(|facts| facts.target.name == *on).ok_or_else(|| {
            let what = format!("'{on}' is not a sensitive attribute of this project");
            let fix = format!("choose one of: {}", names.join(", "));
            Error::of_kind(ErrorKind::NotFound, what, fix)
        }),
    }
}

/// The attribute that names the persons, for models that count them.
pub fn unit(cube: &Cube) -> Option<Target> {
    let position = cube.unit()?;
    Some(Target { position, name: cube.watched()[position].name.clone() })
}

/// The statistics that any table has: models of one number that need nothing stated.
pub fn plain(
    facts: &[Facts],
    unit: Option<&Target>,
    wanted: impl Fn(&Model) -> bool,
) -> Vec<Box<dyn Statistic>> {
    let arguments = Arguments::default();
    let of = |model: &&'static Model| -> Vec<Box<dyn Statistic>> {
        let on = facts.iter().map(Some).filter(|_| model.sensitive);
        let nobody = [None].into_iter().filter(|_| !model.sensitive);
        on.chain(nobody)
            .filter_map(|facts| {
                let negotiated = model.threshold();
                let arguments = &arguments;
                Setting { model, negotiated, arguments, facts, unit }.statistic().ok()
            })
            .collect()
    };
    let simple = |model: &&&'static Model| {
        model.parameters.len() == 1 && model.states.is_empty() && wanted(model)
    };
    haggle_privacy::CATALOG.iter().filter(simple).flat_map(of).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/criterion.rs"]
mod tests;

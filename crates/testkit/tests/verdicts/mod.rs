//! Verdicts of the definitions on groups and parameters that are written as text.

use haggle_testkit::oracle::definitions::{Parameters, Stated, passes};

/// A sensitive attribute whose groups are judged.
#[derive(Default)]
pub(crate) struct Verdicts {
    /// What is stated of it.
    pub(crate) stated: Stated,
    /// All records, as in a group; if there are none, a group is the whole table.
    pub(crate) table: &'static str,
}

impl Verdicts {
    /// Whether a group like `flu 2, cold` passes a model with parameters like `l=3,c=1.5`.
    pub(crate) fn of(&self, model: &str, parameters: &str, group: &str) -> bool {
        let table = if self.table.is_empty() { group } else { self.table };
        passes(model, &given(parameters), &self.stated, &records(group), &records(table))
    }

    /// Which of the groups pass, as `+` and `-`.
    pub(crate) fn all(&self, model: &str, parameters: &str, groups: &[&str]) -> String {
        let sign = |group: &&str| if self.of(model, parameters, group) { '+' } else { '-' };
        groups.iter().map(sign).collect()
    }

    /// Fails unless the group passes.
    #[track_caller]
    pub(crate) fn yes(&self, model: &str, parameters: &str, group: &str) -> &Self {
        assert!(self.of(model, parameters, group), "{group} should pass {model} {parameters}");
        self
    }

    /// Fails if the group passes.
    #[track_caller]
    pub(crate) fn no(&self, model: &str, parameters: &str, group: &str) -> &Self {
        assert!(!self.of(model, parameters, group), "{group} should fail {model} {parameters}");
        self
    }
}

/// The words of a text.
pub(crate) fn strings(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn given(text: &str) -> Parameters {
    let mut parameters = Parameters::default();
    for (name, value) in text.split(',').filter_map(|part| part.split_once('=')) {
        match value.parse() {
            Ok(number) => drop(parameters.numbers.insert(name.into(), number)),
            Err(_) => drop(parameters.choices.insert(name.into(), value.into())),
        }
    }
    parameters
}

fn records(text: &str) -> Vec<&str> {
    let parts = text.split(", ").map(|part| part.split_once(' ').unwrap_or((part, "1")));
    parts.flat_map(|(value, count)| vec![value; count.parse().expect("a count")]).collect()
}

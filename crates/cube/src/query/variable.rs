//! A column that conditions may name: its values, and which of them a comparison selects.

use haggle_model::{DateFormat, Dictionary, Error, Hierarchy, Level, UNMATCHED, is_unmatched};

use super::syntax::{Relation, ValueComparison};
use super::value_set::ValueSet;

/// A column by its name and recorded values.
///
/// Its codes are those of its recorded values. In a column without a hierarchy, the code after the
/// last value is a missing value.
#[derive(Debug, Clone, Copy)]
pub struct Variable<'a> {
    name: &'a str,
    values: VariableValues<'a>,
}

#[derive(Debug, Clone, Copy)]
enum VariableValues<'a> {
    Hierarchy(&'a Hierarchy),
    Plain(&'a Dictionary),
}

impl<'a> Variable<'a> {
    /// A column whose values have a hierarchy.
    pub fn of_hierarchy(name: &'a str, hierarchy: &'a Hierarchy) -> Self {
        Self { name, values: VariableValues::Hierarchy(hierarchy) }
    }

    /// A column that is published as recorded.
    pub fn of_values(name: &'a str, values: &'a Dictionary) -> Self {
        Self { name, values: VariableValues::Plain(values) }
    }

    /// The column's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns how many codes it has.
    pub fn domain(&self) -> u32 {
        match self.values {
            VariableValues::Hierarchy(hierarchy) => hierarchy.len(Level::RECORDED) as u32,
            VariableValues::Plain(values) => values.len() as u32 + 1,
        }
    }

    /// Returns the recorded value of a code as it may be shown.
    pub fn shown(&self, code: u32) -> &'a str {
        let label = match self.values {
            VariableValues::Hierarchy(hierarchy) => hierarchy.label(code, Level::RECORDED),
            VariableValues::Plain(values) if code as usize == values.len() => UNMATCHED,
            VariableValues::Plain(values) => values.value(code),
        };
        if is_unmatched(label) { UNMATCHED } else { label }
    }

    /// Returns the number that a recorded value is.
    pub fn number(&self, code: u32) -> Option<f64> {
        number(self.shown(code))
    }

    /// Returns the codes that a comparison selects.
    pub(super) fn selected(&self, comparison: &ValueComparison) -> Result<ValueSet, Error> {
        match comparison.relation {
            Relation::Equal => self.named(comparison),
            relation => self.ordered(comparison, relation),
        }
    }

    /// Returns the codes of a value by its name: a recorded value, else a value of the hierarchy. A
    /// number that does not occur is the name of no value.
    fn named(&self, comparison: &ValueComparison) -> Result<ValueSet, Error> {
        let name = comparison.value.as_str();
        let all = || 0..self.domain();
        if name == UNMATCHED {
            return Ok(ValueSet::codes(all().filter(|&code| self.shown(code) == UNMATCHED)));
        }
        let found = match self.values {
            VariableValues::Plain(values) => values.code(name).map(|code| code..code + 1),
            VariableValues::Hierarchy(hierarchy) => hierarchy.named(name),
        };
        if let Some(codes) = found {
            return Ok(ValueSet::range(codes));
        }
        match number(name) {
            Some(wanted) => Ok(ValueSet::codes(all().filter(|&c| self.number(c) == Some(wanted)))),
            None => Err(self.unknown(comparison)),
        }
    }

    /// Returns the codes of the values before or after one, by number or by date. A value that is
    /// neither, such as a missing one, is not before and not after any.
    fn ordered(&self, comparison: &ValueComparison, relation: Relation) -> Result<ValueSet, Error> {
        let compare = |order: std::cmp::Ordering| match relation {
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
            Relation::Equal => order.is_eq(),
        };
        let codes = 0..self.domain();
        if let Some(end) = number(&comparison.value) {
            let passes = |code: &u32| {
                let order = self.number(*code).and_then(|number| number.partial_cmp(&end));
                order.is_some_and(compare)
            };
            if codes.clone().any(|code| self.number(code).is_some()) {
                return Ok(ValueSet::codes(codes.filter(passes)));
            }
        }
        let format =
            self.date_format(&comparison.value).ok_or_else(|| self.no_order(comparison))?;
        let end = format.day(&comparison.value);
        let passes = |code: &u32| {
            let day = format.day(self.shown(*code));
            day.is_some() && compare(day.cmp(&end))
        };
        Ok(ValueSet::codes(codes.filter(passes)))
    }

    /// Returns the format that reads a date and some values of the column; the first if several do.
    fn date_format(&self, date: &str) -> Option<DateFormat> {
        let reads = |format: &DateFormat| {
            format.reads(date) && (0..self.domain()).any(|code| format.reads(self.shown(code)))
        };
        let most = |format: &DateFormat| {
            let read = (0..self.domain()).filter(|&code| format.reads(self.shown(code))).count();
            std::cmp::Reverse(read)
        };
        DateFormat::known().into_iter().filter(reads).min_by_key(most)
    }

    fn unknown(&self, comparison: &ValueComparison) -> Error {
        let ValueComparison { value, at, .. } = comparison;
        let what = format!(
            "'{value}' (after character {at} of the condition) is not a value of '{}'",
            self.name
        );
        let fix = match self.values {
            VariableValues::Hierarchy(_) => {
                "name a recorded value or a value of its hierarchy, as it is written there"
            }
            VariableValues::Plain(_) => "name a recorded value, as it is written in the data",
        };
        Error::new(what, fix)
    }

    fn no_order(&self, comparison: &ValueComparison) -> Error {
        let ValueComparison { value, at, .. } = comparison;
        let what = format!(
            "'{}' (at character {at} of the condition) cannot be compared with '{value}' by order: \
             that needs numbers or dates",
            self.name
        );
        Error::new(
            what,
            "compare with a number or a date of this column, or list values with in (a, b)",
        )
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| !number.is_nan())
}

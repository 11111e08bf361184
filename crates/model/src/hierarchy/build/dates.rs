//! Parts of the calendar: day, week, month, quarter, year, decade.

use std::fmt;

use super::calendar::Date;
use super::date_format::DateFormat;
use super::{Occurrence, Path, listed, shown, unplaced};
use crate::{Error, Problem, Problems};

/// A part of the calendar that dates are generalized to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateUnit {
    /// `2024-02-29`, without a time.
    Day,
    /// `2024-W09`, of ISO 8601.
    Week,
    /// `2024-02`.
    Month,
    /// `2024-Q1`.
    Quarter,
    /// `2024`; above weeks, the year that the week belongs to.
    Year,
    /// `2020s`.
    Decade,
}

impl DateUnit {
    /// The units from fine to coarse, with their names in a project file.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Day, "day"),
        (Self::Week, "week"),
        (Self::Month, "month"),
        (Self::Quarter, "quarter"),
        (Self::Year, "year"),
        (Self::Decade, "decade"),
    ];

    /// The name in a project file.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The unit of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(unit, _)| *unit)
    }

    /// The label of a date; `iso` years are those that weeks belong to.
    fn label(self, date: Date, iso: bool) -> String {
        let Date { year, month, day } = date;
        let (week_year, week) = date.iso_week();
        let year = if iso && self > Self::Day { week_year } else { year };
        match self {
            Self::Day => format!("{year:04}-{month:02}-{day:02}"),
            Self::Week => format!("{week_year:04}-W{week:02}"),
            Self::Month => format!("{year:04}-{month:02}"),
            Self::Quarter => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year / 10 * 10),
        }
    }
}

/// The units that dates are generalized to, one for each level.
///
/// ```
/// use haggle_model::{Builder, Dates, DateUnit, Occurrence};
///
/// let rule = Builder::from(Dates::new(vec![DateUnit::Month, DateUnit::Quarter], None)?);
/// let days = ["2024-02-29", "2024-02-03T11:30:00"].map(|value| Occurrence { value, line: 1 });
/// let born = rule.build("born", &days, None)?;
/// let path: Vec<_> = born.path(born.code("2024-02-29").unwrap()).collect();
/// assert_eq!(path, ["2024-02-29", "2024-02", "2024-Q1", "*"]);
///
/// assert!(Dates::new(vec![DateUnit::Week, DateUnit::Month], None).is_err()); // weeks cross months
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dates {
    /// From fine to coarse, each within the next.
    units: Vec<DateUnit>,
    format: Option<DateFormat>,
}

impl Dates {
    /// Dates by these units, written in this format, which is recognized if it is not stated.
    pub fn new(units: Vec<DateUnit>, format: Option<DateFormat>) -> Result<Self, Error> {
        let mut problems = Vec::new();
        let mut ordered = units.clone();
        ordered.sort_unstable();
        ordered.dedup();
        if units.is_empty() || ordered != units {
            let order =
                if units.is_empty() { &DateUnit::ALL.map(|(unit, _)| unit)[..] } else { &ordered };
            let names: Vec<_> = order.iter().map(|unit| format!("\"{}\"", unit.name())).collect();
            let what = "the units of the dates do not go from fine to coarse";
            problems.push(Problem::new(what).fix(format!("write dates = [{}]", names.join(", "))));
        }
        let crosses =
            [DateUnit::Month, DateUnit::Quarter].into_iter().filter(|u| units.contains(u));
        if units.contains(&DateUnit::Week) {
            problems.extend(crosses.map(|unit| {
                let what =
                    format!("a week may lie in two {}s, so it belongs to neither", unit.name());
                Problem::new(what).fix(format!("leave out \"week\" or \"{}\"", unit.name()))
            }));
        }
        Problems::check(problems)?;
        Ok(Self { units, format })
    }

    /// The units, one for each level above 0.
    pub fn units(&self) -> &[DateUnit] {
        &self.units
    }

    /// The format, if it is stated.
    pub fn format(&self) -> Option<&DateFormat> {
        self.format.as_ref()
    }

    pub(super) fn paths(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
    ) -> Result<Vec<Path>, Problem> {
        let format = match &self.format {
            Some(format) => format.clone(),
            None => recognize(attribute, values)?,
        };
        let mut dates = read(attribute, &format, values)?;
        dates.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.value.cmp(y.value)));
        let iso = self.units.contains(&DateUnit::Week);
        let path = |(date, occurrence): &(Date, &Occurrence<'_>)| {
            Path::new(occurrence, self.units.iter().map(|unit| unit.label(*date, iso)))
        };
        Ok(dates.iter().map(path).collect())
    }
}

/// Returns the only format that all values follow; if there is none, the format that most follow.
fn recognize(attribute: &str, values: &[Occurrence<'_>]) -> Result<DateFormat, Problem> {
    let follow =
        |format: &DateFormat| values.iter().filter(|o| format.parse(o.value).is_some()).count();
    let formats: Vec<_> = DateFormat::known().into_iter().map(|f| (follow(&f), f)).collect();
    let most = formats.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let mut best =
        formats.into_iter().filter(|(count, _)| *count == most).map(|(_, format)| format);
    let first = best.next().expect("there are known formats");
    match (values.first(), best.next()) {
        (Some(example), Some(second)) if most == values.len() => {
            let example = shown(example.value);
            let what = format!(
                "the dates of '{attribute}' can be read as {first} and as {second}, such as '{example}'"
            );
            let fix = format!("state which: format = \"{first}\" or format = \"{second}\"");
            Err(Problem::new(what).fix(fix))
        }
        _ => Ok(first),
    }
}

/// Parses the values as dates. One problem names all values that are not dates.
fn read<'v, 'a>(
    attribute: &str,
    format: &DateFormat,
    values: &'v [Occurrence<'a>],
) -> Result<Vec<(Date, &'v Occurrence<'a>)>, Problem> {
    let (mut dates, mut others) = (Vec::new(), Vec::new());
    for occurrence in values {
        match format.parse(occurrence.value) {
            Some(date) => dates.push((date, occurrence)),
            None => others.push(*occurrence),
        }
    }
    if others.is_empty() {
        return Ok(dates);
    }
    let what = format!("'{attribute}' has values that are not dates of the form {format}:");
    let fix = "correct them, state another format = \"D.M.YYYY\", or declare them as missing";
    Err(unplaced(&others, &what, fix))
}

impl fmt::Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dates by {}", listed(self.units.iter().map(|unit| unit.name())))?;
        self.format.as_ref().map_or(Ok(()), |format| write!(f, ", written {format}"))
    }
}

//! Intervals of equal width: a width for each level, each a multiple of the one before.

use std::fmt;

use super::range::{Range, numbers};
use super::{Decimal, Occurrence, Path, listed};
use crate::{Error, Problem, Problems};

/// Where numbers are no longer distinguished: below one bound, and from the other bound on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenEnds {
    /// Numbers below this are one value at every level above 0.
    pub below: Option<Decimal>,
    /// This number and those above it are one value at every level above 0.
    pub above: Option<Decimal>,
}

/// Intervals of a width for each level, counted from an origin.
///
/// ```
/// use haggle_model::{Builder, Intervals, Occurrence, OpenEnds};
///
/// let ends = OpenEnds { below: None, above: Some(80.into()) };
/// let rule = Builder::from(Intervals::new(vec![5.into(), 10.into()], 0.into(), ends)?);
/// assert_eq!(rule.to_string(), "intervals of 5 and 10, open from 80 on");
/// let ages = ["23", "91"].map(|value| Occurrence { value, line: 1 });
/// let age = rule.build("age", &ages, None)?;
/// assert_eq!(age.path(0).collect::<Vec<_>>(), ["23", "20-24", "20-29", "*"]);
/// assert_eq!(age.path(1).collect::<Vec<_>>(), ["91", "≥80", "≥80", "*"]);
///
/// assert!(Intervals::new(vec![5.into(), 12.into()], 0.into(), ends).is_err()); // they would cross
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    /// Above zero, each a multiple of the one before and larger.
    widths: Vec<Decimal>,
    origin: Decimal,
    /// `below` lies under `above`.
    ends: OpenEnds,
    /// Whether values may have decimals where these numbers have none.
    has_decimals: bool,
}

impl Intervals {
    /// Intervals of these widths, one for each level; an interval begins at the origin.
    pub fn new(widths: Vec<Decimal>, origin: Decimal, ends: OpenEnds) -> Result<Self, Error> {
        let mut problems = Vec::new();
        if widths.is_empty() {
            let what = "the intervals have no width";
            problems
                .push(Problem::new(what).fix("give a width for each level, such as [5, 10, 20]"));
        }
        problems.extend(widths.iter().filter(|width| **width <= Decimal::ZERO).map(|width| {
            let what = format!("an interval cannot be {width} wide");
            Problem::new(what).fix("give widths above zero, such as [5, 10, 20]")
        }));
        problems.extend(widths.windows(2).filter_map(|pair| crossing(pair[0], pair[1])));
        if let (Some(below), Some(above)) = (ends.below, ends.above)
            && below >= above
        {
            let what = format!("below = {below} does not lie under above = {above}");
            problems.push(Problem::new(what).fix("let the two open ends leave something between"));
        }
        Problems::check(problems)?;
        Ok(Self { widths, origin, ends, has_decimals: false })
    }

    /// Labels intervals as those of numbers with decimals, `[20,25)`, also where its own numbers are
    /// whole. The label of an interval follows from the rule, never from the values of a table: some
    /// of them may not be published.
    pub fn with_decimals(self) -> Self {
        Self { has_decimals: true, ..self }
    }

    /// Returns whether values are stated to have decimals.
    pub fn has_decimals(&self) -> bool {
        self.has_decimals
    }

    /// The widths, one for each level above 0.
    pub fn widths(&self) -> &[Decimal] {
        &self.widths
    }

    /// Where an interval begins.
    pub fn origin(&self) -> Decimal {
        self.origin
    }

    /// The open ends.
    pub fn ends(&self) -> OpenEnds {
        self.ends
    }

    pub(super) fn paths(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
    ) -> Result<Vec<Path>, Problem> {
        let numbers = numbers(attribute, "intervals", values)?;
        let own = self.widths.iter().chain([&self.origin]).copied();
        let mut own = own.chain(self.ends.below).chain(self.ends.above);
        let whole = !self.has_decimals && own.all(Decimal::is_whole);
        let path = |&(number, occurrence): &(Decimal, &Occurrence<'_>)| {
            let label = |&width: &Decimal| self.range(number, width).label(whole);
            Path::new(occurrence, self.widths.iter().map(label))
        };
        Ok(numbers.iter().map(path).collect())
    }

    /// Returns the interval that contains a number, cut at the open ends.
    fn range(&self, number: Decimal, width: Decimal) -> Range {
        let OpenEnds { below, above } = self.ends;
        if let Some(below) = below.filter(|&below| number < below) {
            return Range { from: None, to: Some(below) };
        }
        if let Some(above) = above.filter(|&above| number >= above) {
            return Range { from: Some(above), to: None };
        }
        let from = self.origin + width * (number - self.origin).floor_div(width);
        let to = from + width;
        Range {
            from: Some(below.map_or(from, |b| b.max(from))),
            to: Some(above.map_or(to, |a| a.min(to))),
        }
    }
}

/// Reports a width whose intervals would not contain those of the level below as a whole.
fn crossing(narrow: Decimal, wide: Decimal) -> Option<Problem> {
    let nested = narrow <= Decimal::ZERO || (wide > narrow && wide.is_multiple_of(narrow));
    (!nested).then(|| {
        let what = format!("intervals of {narrow} do not fit into intervals of {wide}");
        let fix =
            format!("make each width a larger multiple of the one before, such as {}", narrow * 2);
        Problem::new(what).fix(fix)
    })
}

impl fmt::Display for Intervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "intervals of {}", listed(&self.widths))?;
        if self.origin != Decimal::ZERO {
            write!(f, " from {}", self.origin)?;
        }
        match (self.ends.below, self.ends.above) {
            (None, None) => Ok(()),
            (Some(below), None) => write!(f, ", open below {below}"),
            (None, Some(above)) => write!(f, ", open from {above} on"),
            (Some(below), Some(above)) => write!(f, ", open below {below} and from {above} on"),
        }?;
        if self.has_decimals { f.write_str(", with decimals") } else { Ok(()) }
    }
}

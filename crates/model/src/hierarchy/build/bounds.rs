//! Intervals between stated bounds: a list of bounds for each level, each taken from the one before.

use std::fmt;

use super::range::{Range, numbers};
use super::{Decimal, Occurrence, Path, listed};
use crate::{Error, Problem, Problems};

/// Intervals between bounds, open below the first and from the last on.
///
/// ```
/// use haggle_model::{Bounds, Builder, Occurrence};
///
/// let levels = [vec![18, 30, 65], vec![18, 65]];
/// let levels = levels.map(|bounds| bounds.into_iter().map(Into::into).collect());
/// let rule = Builder::from(Bounds::new(levels.to_vec())?);
/// let ages = ["17", "30", "70"].map(|value| Occurrence { value, line: 1 });
/// let age = rule.build("age", &ages, None)?;
/// assert_eq!(age.path(0).collect::<Vec<_>>(), ["17", "<18", "<18", "*"]);
/// assert_eq!(age.path(1).collect::<Vec<_>>(), ["30", "30-64", "18-64", "*"]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// For each level rising numbers, all of them among those of the level before.
    levels: Vec<Vec<Decimal>>,
    /// Whether values may have decimals where the bounds have none.
    has_decimals: bool,
}

impl Bounds {
    /// The bounds of each level above 0.
    pub fn new(levels: Vec<Vec<Decimal>>) -> Result<Self, Error> {
        let mut problems = Vec::new();
        if levels.is_empty() || levels.iter().any(Vec::is_empty) {
            let fix = "give a list of numbers for each level, such as [[18, 30, 65], [18, 65]]";
            problems.push(Problem::new("a level has no bounds").fix(fix));
        }
        problems.extend(levels.iter().filter_map(|bounds| falling(bounds)));
        for (i, pair) in levels.windows(2).enumerate() {
            problems.extend(not_nested(i + 2, &pair[0], &pair[1]));
        }
        Problems::check(problems)?;
        Ok(Self { levels, has_decimals: false })
    }

    /// Labels intervals as those of numbers with decimals, `[18,30)`, also where all bounds are
    /// whole.
    pub fn with_decimals(self) -> Self {
        Self { has_decimals: true, ..self }
    }

    /// Returns whether values are stated to have decimals.
    pub fn has_decimals(&self) -> bool {
        self.has_decimals
    }

    /// The bounds of each level above 0.
    pub fn levels(&self) -> &[Vec<Decimal>] {
        &self.levels
    }

    pub(super) fn paths(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
    ) -> Result<Vec<Path>, Problem> {
        let numbers = numbers(attribute, "bounds", values)?;
        // The values of a table don't count: some of them may not be published.
        let whole = !self.has_decimals && self.levels.iter().flatten().all(|b| b.is_whole());
        let path = |&(number, occurrence): &(Decimal, &Occurrence<'_>)| {
            let label = |bounds: &Vec<Decimal>| range(bounds, number).label(whole);
            Path::new(occurrence, self.levels.iter().map(label))
        };
        Ok(numbers.iter().map(path).collect())
    }
}

/// The interval between neighbouring bounds that a number lies in.
fn range(bounds: &[Decimal], number: Decimal) -> Range {
    let above = bounds.partition_point(|&bound| bound <= number);
    Range { from: above.checked_sub(1).map(|at| bounds[at]), to: bounds.get(above).copied() }
}

fn falling(bounds: &[Decimal]) -> Option<Problem> {
    let pair = bounds.windows(2).find(|pair| pair[0] >= pair[1])?;
    let what = format!("the bounds {} and {} do not rise", pair[0], pair[1]);
    Some(Problem::new(what).fix("write each level's bounds from the smallest to the largest"))
}

/// Bounds that cut an interval of the level below in two.
fn not_nested(level: usize, lower: &[Decimal], upper: &[Decimal]) -> Option<Problem> {
    let new: Vec<_> = upper.iter().filter(|bound| !lower.contains(bound)).collect();
    (!new.is_empty()).then(|| {
        let what = format!(
            "level {level} is bounded at {}, but the level below it is not, so an interval would \
             belong to two",
            listed(&new)
        );
        Problem::new(what).fix(format!("take bounds of the level below ({}) only", listed(lower)))
    })
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<String> = self.levels.iter().map(listed).collect();
        write!(f, "bounds at {}", levels.join("; at "))?;
        if self.has_decimals { f.write_str(", with decimals") } else { Ok(()) }
    }
}

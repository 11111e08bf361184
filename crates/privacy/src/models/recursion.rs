//! What the (c, l) models share: a quotient that must stay on c's side, and grows with l.

use haggle_cube::{Column, Passing};

use crate::catalog::MOST;
use crate::{Error, Setting};

/// A (c, l) model, negotiated by c at a fixed l or by l at a fixed c.
#[derive(Debug, Clone, Copy)]
pub(super) enum Recursion {
    /// The statistic is the quotient at this l.
    At { l: usize },
    /// The statistic is the largest l at which the quotient passes c.
    Under { c: f64, comparison: Passing, most: usize },
}

/// How large an l groups can pass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The quotient is the same for every larger l.
    pub(super) most: usize,
    /// Whether some groups pass every l, because they have values that need no protection.
    pub(super) unlimited: bool,
}

impl Reach {
    /// Describes the statistic as a column of the lattice.
    pub(super) fn column(self, setting: &Setting<'_>, choices: &[(&str, &str)]) -> Column {
        if self.unlimited { setting.column(choices) } else { setting.counting(self.most, choices) }
    }
}

impl Recursion {
    /// Builds the recursion of parameters `l` and c by the given name.
    pub(super) fn new(
        setting: &Setting<'_>,
        c: &str,
        comparison: Passing,
        reach: Reach,
    ) -> Result<Self, Error> {
        let most = reach.most;
        if setting.negotiates("l") {
            return Ok(Self::Under { c: setting.number(c)?, comparison, most });
        }
        let l = setting.number("l")? as usize;
        if l > most && !reach.unlimited {
            let name = setting.facts.map_or("", |facts| &facts.target.name);
            let what = format!("l = {l} is out of reach: '{name}' allows {most} at most");
            let fix = if most < 2 {
                "choose another model".into()
            } else {
                format!("choose l of at most {most}")
            };
            return Err(Error::new(what, fix));
        }
        Ok(Self::At { l: l.min(most + 1) })
    }

    /// The statistic of a group, from its quotient at any l of at least 2.
    pub(super) fn statistic(self, quotient: impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::At { l } => quotient(l),
            Self::Under { c, comparison, most } => {
                let (mut passes, mut fails) = (1, most + 2);
                while fails - passes > 1 {
                    let l = usize::midpoint(passes, fails);
                    if comparison.passes(quotient(l), c) {
                        passes = l;
                    } else {
                        fails = l;
                    }
                }
                if passes > most { MOST } else { passes as f64 }
            }
        }
    }
}

/// Returns the statistic that fails every threshold.
pub(super) fn hopeless(column: &Column) -> f64 {
    if column.comparison.rises() { f64::NEG_INFINITY } else { f64::INFINITY }
}

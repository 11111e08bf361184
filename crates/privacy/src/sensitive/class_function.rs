//! The positions of the values of an ordered attribute on a scale of sensitivity.
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, section
//! 3.6: an increasing function of the value, such that equal differences of classes disclose
//! equally much.

use haggle_model::Problem;
use serde::{Deserialize, Serialize};

use super::transform::{Transform, through};
use crate::exact::{share, tidy};

/// An increasing function from values to classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassFunction {
    /// Linear interpolation between points (value, class).
    Points(Vec<(f64, f64)>),
    /// The share of the table's records with at most this value.
    Empirical,
    /// The shifted Gompertz distribution: (1 − e^(−b·s)) · e^(−η·e^(−b·s)), 0 below 0.
    Gompertz {
        /// The scale.
        b: f64,
        /// The shape.
        eta: f64,
    },
    /// A class function of a function of the value: cf(f(s)).
    Of {
        /// The class function.
        class: Box<ClassFunction>,
        /// The function of the value.
        function: Transform,
    },
}

impl ClassFunction {
    /// Checks the function itself, independent of the values.
    pub fn check(&self, attribute: &str) -> Result<(), Problem> {
        let refuse = |what: String, fix: &str| {
            Err(Problem::new(format!("the class function of '{attribute}' {what}")).fix(fix))
        };
        match self {
            Self::Points(points) if points.len() < 2 => {
                refuse("has fewer than two points".into(), "give at least two: [[0, 0], [8000, 1]]")
            }
            Self::Points(points)
                if points.iter().any(|(s, c)| !(s.is_finite() && c.is_finite())) =>
            {
                refuse("has a point that is not a number".into(), "give numbers")
            }
            Self::Points(points) => {
                let fix = "list points with rising values and classes that do not fall";
                let steps = points.windows(2).map(|pair| (pair[0], pair[1]));
                let sound = |((s, c), (t, d)): &((f64, f64), (f64, f64))| s < t && c <= d;
                match steps.into_iter().find(|step| !sound(step)) {
                    Some(((s, c), (t, d))) if s < t => {
                        refuse(format!("falls from {c} at {s} to {d} at {t}"), fix)
                    }
                    Some(((s, _), (t, _))) => refuse(format!("has {t} after {s}"), fix),
                    None => Ok(()),
                }
            }
            Self::Gompertz { b, eta }
                if !(*b > 0.0 && *eta >= 0.0 && b.is_finite() && eta.is_finite()) =>
            {
                refuse(
                    format!("has b = {b} and eta = {eta}, which does not rise"),
                    "choose b above 0 and eta of at least 0",
                )
            }
            Self::Of { class, function } => {
                function.check(attribute)?;
                class.check(attribute)
            }
            Self::Empirical | Self::Gompertz { .. } => Ok(()),
        }
    }

    /// The class of each value.
    pub(crate) fn classes(
        &self,
        attribute: &str,
        values: &[&str],
        ranks: &[u32],
        counts: &[u64],
    ) -> Result<Vec<f64>, Problem> {
        self.check(attribute)?;
        match self {
            Self::Empirical => Ok(empirical(ranks, counts)),
            Self::Points(_) | Self::Gompertz { .. } => {
                each(attribute, values, WIDER, |s| self.at(s))
            }
            Self::Of { class, function } if **class == Self::Empirical => {
                let numbers = each(attribute, values, OTHER, |s| function.of(s))?;
                Ok(empirical(&ranked(&numbers), counts))
            }
            Self::Of { .. } => each(attribute, values, OTHER, |s| self.at(s)),
        }
    }

    /// The class of a number, if the function is one of numbers and defined there.
    fn at(&self, s: f64) -> Option<f64> {
        match self {
            Self::Points(points) => through(points, s),
            Self::Gompertz { b, eta } => Some(gompertz(*b, *eta, s)),
            Self::Of { class, function } => class.at(function.of(s)?),
            Self::Empirical => None,
        }
    }
}

/// The position of each number in ascending order; equal numbers have one position.
fn ranked(numbers: &[f64]) -> Vec<u32> {
    let below = |number: &f64| numbers.iter().filter(|other| *other < number).count() as u32;
    numbers.iter().map(below).collect()
}

/// What to do about a value outside of the points.
const WIDER: &str = "add points so that every value lies between the first and the last";
/// What to do about a value at which a function of it is not defined.
const OTHER: &str = "choose a function and points that are defined at every value";

fn each(
    attribute: &str,
    values: &[&str],
    fix: &str,
    class: impl Fn(f64) -> Option<f64>,
) -> Result<Vec<f64>, Problem> {
    let one = |value: &&str| {
        let number: f64 = value.trim().parse().map_err(|_| {
            let what = format!(
                "the class function of '{attribute}' needs numbers, and '{value}' is not a number"
            );
            Problem::new(what).fix("use \"empirical\", or correct the value")
        })?;
        class(number).ok_or_else(|| {
            let what = format!("the class function of '{attribute}' is not defined at '{value}'");
            Problem::new(what).fix(fix)
        })
    };
    values.iter().map(one).collect()
}

fn gompertz(b: f64, eta: f64, s: f64) -> f64 {
    let decay = (-b * s.max(0.0)).exp();
    tidy((1.0 - decay) * (-eta * decay).exp())
}

/// Returns the share of records with a value at or below this position in the order.
fn empirical(ranks: &[u32], counts: &[u64]) -> Vec<f64> {
    let all = counts.iter().sum();
    let up_to = |rank: u32| -> u64 {
        ranks.iter().zip(counts).filter(|(other, _)| **other <= rank).map(|(_, count)| count).sum()
    };
    ranks.iter().map(|&rank| share(up_to(rank), all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_lie_on_the_lines_through_the_points() {
        let salary =
            ClassFunction::Points(vec![(0.0, 0.0), (8000.0, 1.0), (15000.0, 1.0), (25000.0, 2.0)]);
        let classes = salary.classes("salary", &["4000", "8000", "20000"], &[0, 1, 2], &[1, 1, 1]);
        assert_eq!(classes.unwrap(), [0.5, 1.0, 1.5]);
        let beyond = salary.classes("salary", &["30000"], &[0], &[1]).unwrap_err();
        assert_eq!(beyond.what, "the class function of 'salary' is not defined at '30000'");
    }

    #[test]
    fn a_decreasing_function_is_reported() {
        let falling = ClassFunction::Points(vec![(0.0, 1.0), (10.0, 0.5)]);
        let problem = falling.check("salary").unwrap_err();
        assert_eq!(problem.what, "the class function of 'salary' falls from 1 at 0 to 0.5 at 10");
    }

    #[test]
    fn empirical_classes_are_cumulative_shares() {
        let classes = ClassFunction::Empirical.classes("x", &["b", "a"], &[1, 0], &[3, 1]).unwrap();
        assert_eq!(classes, [1.0, 0.25]);
    }

    #[test]
    fn gompertz_rises_from_zero_to_one() {
        let salary = ClassFunction::Gompertz { b: 0.5, eta: 2.0 };
        let classes = salary.classes("x", &["0", "1", "2", "100"], &[0, 1, 2, 3], &[1; 4]).unwrap();
        assert_eq!((classes[0], classes[3]), (0.0, 1.0));
        assert!(classes.is_sorted_by(|a, b| a < b));
        // (1 - e^-0.5) e^(-2 e^-0.5) by hand: 0.393469 * e^-1.213061 = 0.393469 * 0.297285.
        assert!((classes[1] - 0.116_973).abs() < 1e-6);
    }
}

//! Functions of a recorded number by which a class function can take it: cf(f(s)).
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, section
//! 3.6: where what is sensitive depends on the value in another way than by its size, the class
//! function is applied to a function of it.

use haggle_model::Problem;
use serde::{Deserialize, Serialize};

use crate::exact::tidy;

/// A function of a number, which need not increase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    /// The natural logarithm.
    Ln,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// The square root.
    Sqrt,
    /// A power.
    Power(f64),
    /// A factor and what is added to the product.
    Linear(f64, f64),
    /// How far the number is from a usual one.
    DistanceFrom(f64),
    /// Straight lines between points.
    Points(Vec<(f64, f64)>),
}

impl Transform {
    /// The functions that take nothing else, by name.
    pub const NAMED: [(&'static str, Self); 4] =
        [("ln", Self::Ln), ("log2", Self::Log2), ("log10", Self::Log10), ("sqrt", Self::Sqrt)];

    /// The function with this name.
    ///
    /// ```
    /// use haggle_privacy::Transform;
    /// assert_eq!(Transform::named("sqrt"), Some(Transform::Sqrt));
    /// assert_eq!(Transform::named("sine"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, function)| function)
    }

    /// Returns the number that the class function is applied to, if the function is defined there.
    pub(super) fn of(&self, s: f64) -> Option<f64> {
        let number = match self {
            Self::Ln => s.ln(),
            Self::Log2 => s.log2(),
            Self::Log10 => s.log10(),
            Self::Sqrt => s.sqrt(),
            Self::Power(power) => s.powf(*power),
            Self::Linear(factor, offset) => factor * s + offset,
            Self::DistanceFrom(usual) => (s - usual).abs(),
            Self::Points(points) => through(points, s)?,
        };
        number.is_finite().then_some(number)
    }

    /// Checks the function itself, independent of the values.
    pub(super) fn check(&self, attribute: &str) -> Result<(), Problem> {
        let refuse = |what: &str, fix: &str| {
            Err(Problem::new(format!("the function that '{attribute}' is classed by {what}"))
                .fix(fix))
        };
        let numbers: Vec<f64> = match self {
            Self::Points(points) => points.iter().flat_map(|(s, f)| [*s, *f]).collect(),
            Self::Linear(factor, offset) => vec![*factor, *offset],
            Self::Power(number) | Self::DistanceFrom(number) => vec![*number],
            Self::Ln | Self::Log2 | Self::Log10 | Self::Sqrt => Vec::new(),
        };
        if !numbers.iter().all(|number| number.is_finite()) {
            return refuse("has a number that is not finite", "give numbers");
        }
        match self {
            Self::Power(power) if *power == 0.0 => {
                refuse("is the same for all values", "choose a power other than 0")
            }
            Self::Linear(factor, _) if *factor == 0.0 => {
                refuse("is the same for all values", "choose a factor other than 0")
            }
            Self::Points(points) if !points.is_sorted_by(|a, b| a.0 < b.0) || points.len() < 2 => {
                refuse("has no rising points", "give at least two points with rising values")
            }
            _ => Ok(()),
        }
    }
}

/// Returns the height at `s` of the straight lines through some points, between the first and the last.
pub(super) fn through(points: &[(f64, f64)], s: f64) -> Option<f64> {
    let between = points.windows(2).find(|pair| pair[0].0 <= s && s <= pair[1].0)?;
    let ((from, low), (to, high)) = (between[0], between[1]);
    Some(tidy(low + (high - low) * (s - from) / (to - from)))
}

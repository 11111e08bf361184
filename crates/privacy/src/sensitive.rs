//! What a project states about a sensitive attribute, by value; and the same by code, validated.

use haggle_model::{Dictionary, Hierarchy, Problem};
use serde::{Deserialize, Serialize};

mod checks;
mod class_function;
mod conditional;
mod distance;
mod named_values;
mod security;
mod transform;

pub use class_function::ClassFunction;
pub use conditional::{Conditional, StatedConditional};
pub use distance::{DistanceKind, Ground};
pub use named_values::{DontCare, NeverRuleOut, Possible, PossibleValues};
pub use security::{security, security_of_values};
pub use transform::Transform;

use checks::Checks;

/// The watched attribute that a model uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its position among the watched attributes.
    pub position: usize,
    /// Its name.
    pub name: String,
}

/// What a project states about a sensitive attribute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stated {
    /// The values from the lowest to the highest; their natural order if not stated.
    pub order: Option<Vec<String>>,
    /// The hierarchy's rows.
    pub hierarchy: Option<Vec<Vec<String>>>,
    /// Categories that must not be disclosed, which may overlap.
    pub categories: Vec<(String, Vec<String>)>,
    /// Values that may be disclosed.
    pub dont_care: DontCare,
    /// Values that should stay possible for every person.
    pub never_rule_out: NeverRuleOut,
    /// The positions of values on a scale of sensitivity.
    pub class_function: Option<ClassFunction>,
    /// How far apart values are, unless a request says otherwise.
    pub distance: Option<DistanceKind>,
    /// The distances of `matrix`.
    pub matrix: Option<Ground>,
    /// The prior belief of an attacker; the table's own distribution if not stated.
    pub prior: Option<Vec<(String, f64)>>,
    /// The prior belief of an attacker by value of a quasi-identifier: f(s|q).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_given: Option<StatedConditional>,
    /// The factors α(q,s) by which an attacker knows more of a person; 1 if not stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<StatedConditional>,
}

impl Stated {
    /// Returns what is stated under these keys of a project file, and nothing else.
    pub fn only(self, keys: &[&str]) -> Self {
        let has = |key: &str| keys.contains(&key);
        let none = Self::default();
        let categories = has("categories");
        Self {
            order: if has("order") { self.order } else { none.order },
            hierarchy: if has("hierarchy") { self.hierarchy } else { none.hierarchy },
            categories: if categories { self.categories } else { none.categories },
            dont_care: if categories || has("dont_care") { self.dont_care } else { none.dont_care },
            never_rule_out: if has("never_rule_out") {
                self.never_rule_out
            } else {
                none.never_rule_out
            },
            class_function: if has("class_function") { self.class_function } else { None },
            distance: if has("distance") { self.distance } else { None },
            matrix: if has("distance") { self.matrix } else { None },
            prior: if has("prior") { self.prior } else { None },
            prior_given: if has("prior") { self.prior_given } else { None },
            alpha: if has("alpha") { self.alpha } else { None },
        }
    }
}

impl Stated {
    /// Returns the same with one prior over these values only, as it is once all others are ruled
    /// out; without a prior if it expects none of them.
    pub fn with_prior_among(self, values: &Dictionary) -> Self {
        let among = |prior: Vec<(String, f64)>| {
            let (here, absent): (Vec<_>, Vec<_>) =
                prior.into_iter().partition(|(value, _)| values.code(value).is_some());
            if absent.iter().all(|(_, share)| *share == 0.0) {
                return Some(here);
            }
            let sum: f64 = here.iter().map(|(_, share)| share).sum();
            let shares = here.into_iter().map(|(value, share)| (value, share / sum));
            (sum > 0.0).then(|| shares.collect())
        };
        Self { prior: self.prior.and_then(among), prior_given: None, ..self }
    }
}

/// A sensitive attribute by code.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The attribute.
    pub target: Target,
    /// Its values.
    pub values: Dictionary,
    /// How many records of the whole table have each value.
    pub counts: Vec<u64>,
    /// The position of each value in the order.
    pub ranks: Vec<u32>,
    /// Whether the order is meaningful: it is stated, or the values are numbers or dates.
    pub ordered: bool,
    /// The hierarchy, and the code in it of each value.
    pub hierarchy: Option<(Hierarchy, Vec<u32>)>,
    /// How many categories there are.
    pub categories: usize,
    /// For each value the categories that it belongs to, one bit each.
    pub members: Vec<u64>,
    /// Whether a value may be disclosed.
    pub dont_care: Vec<bool>,
    /// Values that should stay possible for every person.
    pub never_rule_out: Possible,
    /// The class of each value.
    pub classes: Option<Vec<f64>>,
    /// How far apart values are, unless a request says otherwise.
    pub distance: Option<DistanceKind>,
    /// The distance from each value to each, row by row.
    pub matrix: Option<Vec<f64>>,
    /// The prior belief of an attacker, if stated.
    pub prior: Option<Vec<f64>>,
    /// The prior belief by value of a quasi-identifier, if stated.
    pub prior_given: Option<Conditional>,
    /// What an attacker knows of a person in addition, by value of a quasi-identifier, if stated.
    pub alpha: Option<Conditional>,
}

impl Facts {
    /// Converts the statements for the values that occur; or reports everything that does not fit
    /// them.
    ///
    /// ```
    /// use haggle_model::Dictionary;
    /// use haggle_privacy::{Facts, Stated, Target};
    ///
    /// let values: Dictionary = vec!["cancer".into(), "flu".into()].into();
    /// let disease = Target { position: 0, name: "disease".into() };
    /// let stated = Stated {
    ///     categories: vec![("infectious".into(), vec!["flu".into()])],
    ///     ..Stated::default()
    /// };
    /// let problems = Facts::new(disease, values, vec![3, 5], &stated).unwrap_err();
    /// assert_eq!(problems[0].what, "'disease' has values without a category: 'cancer'");
    /// ```
    pub fn new(
        target: Target,
        values: Dictionary,
        counts: Vec<u64>,
        stated: &Stated,
    ) -> Result<Self, Vec<Problem>> {
        let mut checks = Checks { name: target.name.clone(), values: &values, problems: vec![] };
        let ranks = checks.ranks(stated.order.as_deref());
        let hierarchy = checks.hierarchy(stated.hierarchy.as_deref());
        let dont_care = checks.dont_care(&stated.dont_care, &counts);
        let members = checks.members(stated, &dont_care);
        let never_rule_out = checks.never_rule_out(&stated.never_rule_out);
        let ordered = stated.order.is_some() || naturally_ordered(&values);
        let classes = checks.classes(stated.class_function.as_ref(), ordered, &ranks, &counts);
        let matrix = checks.matrix(stated.matrix.as_ref());
        let prior = checks.prior(stated.prior.as_deref());
        let prior_given = checks.conditional(stated.prior_given.as_ref(), Checks::prior_row);
        let alpha = checks.conditional(stated.alpha.as_ref(), Checks::factors);
        if !checks.problems.is_empty() {
            return Err(checks.problems);
        }
        Ok(Self {
            target,
            counts,
            ranks,
            ordered,
            hierarchy,
            categories: stated.categories.len(),
            members,
            dont_care,
            never_rule_out,
            classes,
            distance: stated.distance,
            matrix,
            prior,
            prior_given,
            alpha,
            values,
        })
    }

    /// Builds facts about which nothing is stated.
    pub fn plain(target: Target, values: Dictionary, counts: Vec<u64>) -> Self {
        Self::new(target, values, counts, &Stated::default())
            .expect("nothing stated, nothing wrong")
    }

    /// All records of the table with a known value.
    pub fn records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the distance between values unless a request names another: the stated one; else the
    /// ordered one, if the project states an order or the values are numbers or dates; else the
    /// equal one.
    ///
    /// None if only some of the values are numbers or dates: then the distance must be stated. It
    /// would depend on which of the records are published: numbers alone suggest an order.
    pub fn settled_distance(&self) -> Option<DistanceKind> {
        let natural = || {
            let some_ordered = !self.ordered && partly_ordered(&self.values);
            let natural = if self.ordered { DistanceKind::Ordered } else { DistanceKind::Equal };
            (!some_ordered).then_some(natural)
        };
        self.distance.or_else(natural)
    }

    /// How many values occur in the table.
    pub fn occurring(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }
}

/// Whether the order of a dictionary is that of numbers or dates rather than of letters.
fn naturally_ordered(values: &Dictionary) -> bool {
    let numbers = values.values().all(is_number);
    let dates = haggle_model::DateFormat::known()
        .into_iter()
        .any(|format| values.values().all(|value| format.reads(value)));
    !values.is_empty() && (numbers || dates)
}

/// Whether some values of a dictionary, by themselves, would be in the order of numbers or dates.
fn partly_ordered(values: &Dictionary) -> bool {
    let formats = haggle_model::DateFormat::known();
    let is_date = |value: &str| formats.iter().any(|format| format.reads(value));
    values.values().any(|value| is_number(value) || is_date(value))
}

/// Whether a text is a number; `nan` and `inf` are words.
fn is_number(value: &str) -> bool {
    value.parse::<f64>().is_ok_and(f64::is_finite)
}

//! What a project states about a sensitive attribute, by value; and the same by code, validated.

use haggle_model::{Dictionary, Hierarchy, Problem};
use serde::{Deserialize, Serialize};

mod class_function;
mod conditional;
mod named_values;
mod security;
mod transform;

pub use class_function::ClassFunction;
pub use conditional::{Conditional, StatedConditional};
pub use named_values::{DontCare, NeverRuleOut, Possible, PossibleValues};
pub use security::{security, security_of_values};
pub use transform::Transform;

/// How many values are named in a message.
const NAMED: usize = 5;
/// The valid distances between different values; others could not be added up exactly.
const DISTANCES: std::ops::RangeInclusive<f64> = 1e-9..=1e6;
/// The tolerance of the sum of a prior: its numbers are written with a few decimals.
const PRIOR_SLACK: f64 = 1e-6;
/// As many as there are bits, one of which is for the don't-care set.
const MOST_CATEGORIES: usize = 63;

/// The watched attribute that a model uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its position among the watched attributes.
    pub position: usize,
    /// Its name.
    pub name: String,
}

/// How far apart two values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceKind {
    /// All different values are equally far apart.
    Equal,
    /// By their positions in the order.
    Ordered,
    /// By the level of the lowest common ancestor in the attribute's hierarchy.
    Hierarchical,
    /// As a matrix states.
    Matrix,
}

impl DistanceKind {
    /// Every distance by its name.
    pub const ALL: [(&'static str, Self); 4] = [
        ("equal", Self::Equal),
        ("ordered", Self::Ordered),
        ("hierarchical", Self::Hierarchical),
        ("matrix", Self::Matrix),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// The distance of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, distance)| *distance)
    }
}

/// Distances between values, as stated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// The values, in the order of rows and columns.
    pub values: Vec<String>,
    /// The distance from each value to each.
    pub rows: Vec<Vec<f64>>,
}

impl Ground {
    /// Returns the distances between these values only.
    pub fn among(&self, values: &[String]) -> Self {
        let kept: Vec<usize> =
            (0..self.values.len()).filter(|&i| values.contains(&self.values[i])).collect();
        let row = |&from: &usize| kept.iter().map(|&to| self.rows[from][to]).collect();
        Self {
            values: kept.iter().map(|&i| self.values[i].clone()).collect(),
            rows: kept.iter().map(row).collect(),
        }
    }
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

    /// Returns whether all values but one are numbers or dates; that one is probably a mark for
    /// missing values.
    pub fn almost_ordered(&self) -> bool {
        let is_number = |value: &&str| value.parse::<f64>().is_ok();
        !self.ordered
            && self.values.len() > 2
            && self.values.values().filter(is_number).count() + 1 == self.values.len()
    }

    /// Returns the distance between values unless a request names another: the stated one; else the
    /// ordered one, if the project states an order or the values are numbers or dates; else the
    /// equal one. None if a single value prevents an order: then the distance must be stated.
    pub fn settled_distance(&self) -> Option<DistanceKind> {
        let natural = if self.ordered { DistanceKind::Ordered } else { DistanceKind::Equal };
        let natural = (!self.almost_ordered()).then_some(natural);
        self.distance.or(natural)
    }

    /// How many values occur in the table.
    pub fn occurring(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }
}

/// Whether the order of a dictionary is that of numbers or dates rather than of letters.
fn naturally_ordered(values: &Dictionary) -> bool {
    let numbers = values.values().all(|value| value.parse::<f64>().is_ok());
    let dates = haggle_model::DateFormat::known()
        .into_iter()
        .any(|format| values.values().all(|value| format.reads(value)));
    !values.is_empty() && (numbers || dates)
}

/// Compares the statements with the values that occur.
struct Checks<'a> {
    name: String,
    values: &'a Dictionary,
    problems: Vec<Problem>,
}

impl Checks<'_> {
    fn problem(&mut self, what: impl Into<String>, fix: impl Into<String>) {
        self.problems.push(Problem::new(what).fix(fix));
    }

    /// "'a', 'b' and 3 more"
    fn named<'v>(values: impl Iterator<Item = &'v str>) -> Option<String> {
        let quoted: Vec<String> = values.map(|value| format!("'{value}'")).collect();
        let more = quoted.len().saturating_sub(NAMED);
        let named = quoted.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        match (quoted.is_empty(), more) {
            (true, _) => None,
            (_, 0) => Some(named),
            _ => Some(format!("{named} and {more} more")),
        }
    }

    fn ranks(&mut self, order: Option<&[String]>) -> Vec<u32> {
        let Some(order) = order else { return (0..self.values.len() as u32).collect() };
        let rank = |value: &str| order.iter().position(|v| v == value);
        if let Some(named) = Self::named(self.values.values().filter(|v| rank(v).is_none())) {
            let what = format!("the order of '{}' leaves out {named}", self.name);
            self.problem(what, "list every value once, from the lowest to the highest");
        }
        // Positions are those among the values that occur, so that none is skipped.
        let mut present: Vec<(usize, u32)> =
            (0..).zip(self.values.values()).map(|(code, v)| (rank(v).unwrap_or(0), code)).collect();
        present.sort_unstable();
        let mut ranks = vec![0; present.len()];
        for (place, (_, code)) in present.into_iter().enumerate() {
            ranks[code as usize] = place as u32;
        }
        ranks
    }

    fn hierarchy(&mut self, rows: Option<&[Vec<String>]>) -> Option<(Hierarchy, Vec<u32>)> {
        let hierarchy = match Hierarchy::from_paths(&self.name, rows?) {
            Ok(hierarchy) => hierarchy,
            Err(error) => {
                self.problem(error.to_string(), "correct the attribute's hierarchy");
                return None;
            }
        };
        let codes: Vec<Option<u32>> = self.values.values().map(|v| hierarchy.code(v)).collect();
        let uncovered = self.values.values().zip(&codes).filter(|(_, code)| code.is_none());
        if let Some(named) = Self::named(uncovered.map(|(value, _)| value)) {
            let what = format!("the hierarchy of '{}' leaves out {named}", self.name);
            self.problem(what, "add a row for each");
        }
        let codes = codes.into_iter().collect::<Option<Vec<u32>>>()?;
        Some((hierarchy, codes))
    }

    fn dont_care(&mut self, stated: &DontCare, counts: &[u64]) -> Vec<bool> {
        let values: Vec<&str> = self.values.values().collect();
        stated.of(&self.name, &values, counts).unwrap_or_else(|problem| {
            self.problems.push(problem);
            vec![false; values.len()]
        })
    }

    fn members(&mut self, stated: &Stated, dont_care: &[bool]) -> Vec<u64> {
        let Stated { categories, .. } = stated;
        if categories.len() > MOST_CATEGORIES {
            let what = format!("'{}' has more than {MOST_CATEGORIES} categories", self.name);
            self.problem(what, "join some of them");
            return Vec::new();
        }
        let mask = |value: &str| {
            let holds = |(_, members): &(String, Vec<String>)| members.iter().any(|m| m == value);
            let bits = categories.iter().enumerate().filter(|(_, category)| holds(category));
            bits.fold(0, |mask, (i, _)| mask | 1 << i)
        };
        let known = || self.values.values().zip(dont_care);
        let disclosed = known().filter(|(_, dont_care)| **dont_care).map(|(value, _)| value);
        let named = stated.dont_care.named().iter().map(String::as_str);
        let absent = named.filter(|value| self.values.code(value).is_none());
        let both = disclosed.chain(absent).filter(|value| mask(value) != 0);
        if let Some(named) = Self::named(both) {
            let what = format!("'{}' has {named} in dont_care and in a category", self.name);
            self.problem(what, "keep a value in dont_care or in categories, not in both");
        }
        let nowhere = known().filter(|(v, dont_care)| mask(v) == 0 && !**dont_care).map(|(v, _)| v);
        let nowhere = Self::named(nowhere).filter(|_| !categories.is_empty());
        if let Some(named) = nowhere {
            let what = format!("'{}' has values without a category: {named}", self.name);
            self.problem(what, "put each into a category or into dont_care");
        }
        self.values.values().map(mask).collect()
    }

    fn never_rule_out(&mut self, stated: &NeverRuleOut) -> Possible {
        let NeverRuleOut::Values(stated) = stated else { return Possible::Occurring };
        let absent = stated.iter().map(String::as_str).filter(|v| self.values.code(v).is_none());
        if let Some(named) = Self::named(absent) {
            let what =
                format!("never_rule_out of '{}' names {named}, which no record has", self.name);
            self.problem(what, "leave it out, or correct its spelling");
        }
        Possible::Codes(stated.iter().filter_map(|value| self.values.code(value)).collect())
    }

    fn classes(
        &mut self,
        function: Option<&ClassFunction>,
        ordered: bool,
        ranks: &[u32],
        counts: &[u64],
    ) -> Option<Vec<f64>> {
        let values: Vec<&str> = self.values.values().collect();
        if function == Some(&ClassFunction::Empirical) && !ordered {
            let what =
                format!("'{}' has values without an order, so classes cannot increase", self.name);
            let fix = "state their order = [\"low\", \"high\"]; or, if a missing value is among \
                       numbers, on_missing = \"drop\" or \"unmatched\"";
            self.problem(what, fix);
            return None;
        }
        match function?.classes(&self.name, &values, ranks, counts) {
            Ok(classes) => Some(classes),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    fn matrix(&mut self, ground: Option<&Ground>) -> Option<Vec<f64>> {
        let Ground { values, rows } = ground?;
        let place = |value: &str| values.iter().position(|v| v == value);
        if let Some(named) = Self::named(self.values.values().filter(|v| place(v).is_none())) {
            let what = format!("the distance matrix of '{}' leaves out {named}", self.name);
            self.problem(what, "add a row and a column for each");
            return None;
        }
        let places: Vec<usize> = self.values.values().filter_map(place).collect();
        let distance = |(from, to): (usize, usize)| rows.get(from)?.get(to).copied();
        let pairs = places.iter().flat_map(|&from| places.iter().map(move |&to| (from, to)));
        let sound = |&(from, to): &(usize, usize)| {
            let back = distance((to, from));
            distance((from, to)).is_some_and(|d| {
                Some(d) == back && if from == to { d == 0.0 } else { DISTANCES.contains(&d) }
            })
        };
        let twice = values.iter().enumerate().find(|(i, value)| values[..*i].contains(value));
        if let Some((_, value)) = twice {
            let what = format!("the distance matrix of '{}' names '{value}' twice", self.name);
            self.problem(what, "name each value once");
            return None;
        }
        if !pairs.clone().all(|pair| sound(&pair)) {
            let what = format!("the distance matrix of '{}' has an invalid distance", self.name);
            let fix = "give every two values one distance above 0 and at most 1,000,000, the same \
                       both ways, and 0 from a value to itself";
            self.problem(what, fix);
            return None;
        }
        pairs.map(distance).collect()
    }

    /// Converts numbers that depend on a quasi-identifier, row by row.
    fn conditional(
        &mut self,
        stated: Option<&StatedConditional>,
        row: impl Fn(&mut Self, &[(String, f64)]) -> Vec<f64>,
    ) -> Option<Conditional> {
        let StatedConditional { given, rows } = stated?;
        let rows = rows.iter().map(|(label, numbers)| (label.clone(), row(self, numbers)));
        let rows: Vec<_> = rows.collect();
        Some(Conditional { given: given.clone(), rows })
    }

    fn prior_row(&mut self, stated: &[(String, f64)]) -> Vec<f64> {
        self.prior(Some(stated)).unwrap_or_default()
    }

    /// The factor of each value; 1 if it is not named.
    fn factors(&mut self, stated: &[(String, f64)]) -> Vec<f64> {
        let unknown = stated.iter().filter(|(value, _)| self.values.code(value).is_none());
        if let Some(named) = Self::named(unknown.map(|(value, _)| value.as_str())) {
            let what = format!("alpha of '{}' names {named}, which no record has", self.name);
            self.problem(what, "leave it out, or correct its spelling");
        }
        if !stated.iter().all(|(_, factor)| *factor >= 0.0 && factor.is_finite()) {
            let what = format!("alpha of '{}' has a factor below 0", self.name);
            self.problem(what, "give factors of at least 0; 0 rules a value out");
        }
        let factor = |value: &str| stated.iter().find(|(v, _)| v == value).map_or(1.0, |(_, f)| *f);
        let factors: Vec<f64> = self.values.values().map(factor).collect();
        if !factors.is_empty() && factors.iter().all(|factor| *factor == 0.0) {
            let what = format!("alpha of '{}' rules out every value", self.name);
            self.problem(what, "leave at least one value possible");
        }
        factors
    }

    fn prior(&mut self, stated: Option<&[(String, f64)]>) -> Option<Vec<f64>> {
        let stated = stated?;
        let of = |value: &str| stated.iter().find(|(v, _)| v == value).map(|(_, share)| *share);
        if let Some(named) = Self::named(self.values.values().filter(|v| of(v).is_none())) {
            let what = format!("the prior of '{}' leaves out {named}", self.name);
            self.problem(what, "give every value its probability, 0 if need be");
        }
        if stated.iter().any(|(_, share)| !(0.0..=1.0).contains(share)) {
            let what =
                format!("the prior of '{}' has a number that is not a probability", self.name);
            self.problem(what, "give every value a number from 0 to 1");
        }
        let unknown = stated.iter().filter(|(v, s)| *s > 0.0 && self.values.code(v).is_none());
        if let Some(named) = Self::named(unknown.map(|(value, _)| value.as_str())) {
            let what = format!("the prior of '{}' expects {named}, which no record has", self.name);
            self.problem(what, "leave it out or give it 0, and the others the rest");
        }
        let sum: f64 = stated.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > PRIOR_SLACK {
            let what = format!("the prior of '{}' adds up to {sum}, not to 1", self.name);
            self.problem(what, "give every value its probability; together they make 1");
        }
        self.values.values().map(of).collect()
    }
}

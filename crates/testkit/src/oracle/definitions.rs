//! The definitions of the privacy models as plain predicates on the sensitive values of records.
//!
//! Shares are fractions of integers, covers are found by trying every selection of sets, and the
//! earth mover's distance is the solution of its linear program. A comparison is exact where both
//! sides are fractions, counting as one any parameter to which a fraction with a denominator of at
//! most a million rounds. Elsewhere (logarithms, earth mover's distances, parameters that were
//! computed) both sides are known only roughly, and whatever is within 1e-9 of passing passes,
//! whether or not the definition is strict; whether a class is in an interval is not such a
//! threshold, and there 1e-9 is in favour of being in it.

use std::collections::BTreeMap;

mod belief;
mod case;
mod categories;
mod closeness;
mod covers;
mod diversity;
mod identity;
mod likeness;
mod linear;
mod number;
mod transport;

use case::Case;
pub use transport::earth_movers_distance;

/// What is stated of a sensitive attribute in addition to the records, by value.
///
/// ```
/// use haggle_testkit::oracle::definitions::Stated;
///
/// let stated = Stated {
///     categories: vec![("infectious".into(), vec!["hepatitis".into(), "flu".into()])],
///     dont_care: vec!["cold".into()],
///     ..Stated::default()
/// };
/// assert!(stated.order.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// Every value of the domain, lowest first.
    pub order: Vec<String>,
    /// Rows of a value and what it becomes at level 1, …, top, all of the same length.
    pub hierarchy: Vec<Vec<String>>,
    /// The sensitive categories and their values; they may overlap.
    pub categories: Vec<(String, Vec<String>)>,
    /// The values that need no protection.
    pub dont_care: Vec<String>,
    /// The values that must stay possible: the set W of NPD-recursive diversity.
    pub never_rule_out: Vec<String>,
    /// Whether the values that must stay possible are those that occur in the group, whatever is
    /// named.
    pub occurring: bool,
    /// The class of each value.
    pub class_function: BTreeMap<String, f64>,
    /// The ground distance from a value to another; 0 from a value to itself if it is left out.
    pub matrix: BTreeMap<(String, String), f64>,
    /// The belief before seeing the group, if it is not the table's distribution; a value that is
    /// left out was believed impossible.
    pub prior: Option<BTreeMap<String, f64>>,
}

/// The parameters of a model by name, and its textual choices.
///
/// `distance` is `equal`, `ordered`, `hierarchical` or `matrix`; `over` is `group` or `table`;
/// `bound` is `below` or `at-most`, `covering` is `l-1` or `l`, `scale` is `records` or `shares`,
/// the first if they are left out.
///
/// ```
/// use haggle_testkit::oracle::definitions::Parameters;
///
/// let parameters = Parameters {
///     numbers: [("t".into(), 0.2)].into(),
///     choices: [("distance".into(), "equal".into())].into(),
/// };
/// assert_eq!(parameters.numbers["t"], 0.2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    /// The numbers.
    pub numbers: BTreeMap<String, f64>,
    /// The textual choices.
    pub choices: BTreeMap<String, String>,
}

/// Whether a group passes, given all that is known of it.
type Definition = fn(&Case<'_>) -> bool;

const DEFINITIONS: [(&str, Definition); 24] = [
    ("k-anonymity", identity::k_anonymity),
    ("extended-k-anonymity", identity::extended_k_anonymity),
    ("alpha-k-anonymity", identity::alpha_k_anonymity),
    ("distinct-l-diversity", diversity::distinct),
    ("frequency-l-diversity", diversity::frequency),
    ("entropy-l-diversity", diversity::entropy),
    ("recursive-l-diversity", diversity::recursive),
    ("pd-recursive-l-diversity", diversity::pd_recursive),
    ("npd-recursive-l-diversity", diversity::npd_recursive),
    ("t-closeness", closeness::t_closeness),
    ("basic-beta-likeness", likeness::basic_beta),
    ("enhanced-beta-likeness", likeness::enhanced_beta),
    ("delta-disclosure", likeness::delta_disclosure),
    ("categorical-diversity", categories::diversity),
    ("density-control", categories::density_control),
    ("dilution", categories::dilution),
    ("recursive-categorical-diversity", categories::recursive_diversity),
    ("recursive-density-control", categories::recursive_density_control),
    ("range-control", linear::range_control),
    ("linear-diversity", linear::diversity),
    ("psi-security", linear::psi_security),
    ("positive-disclosure", belief::positive_disclosure),
    ("negative-disclosure", belief::negative_disclosure),
    ("rho-privacy", belief::rho_privacy),
];

/// The ids of all models that are defined here.
///
/// ```
/// assert!(haggle_testkit::oracle::definitions::MODELS.contains(&"t-closeness"));
/// ```
pub const MODELS: &[&str] = &{
    let mut ids = [""; DEFINITIONS.len()];
    let mut next = 0;
    while next < ids.len() {
        ids[next] = DEFINITIONS[next].0;
        next += 1;
    }
    ids
};

/// Whether a group passes a model: `group` and `table` are the sensitive values of the group's
/// records and of all records.
///
/// # Panics
///
/// If no model has this id, if a parameter or something that has to be stated is missing, or if
/// the group has no record.
///
/// ```
/// use haggle_testkit::oracle::definitions::{Parameters, Stated, passes};
///
/// let l = |l| Parameters { numbers: [("l".into(), l)].into(), ..Parameters::default() };
/// let group = ["flu", "flu", "cold", "asthma"];
/// assert!(passes("distinct-l-diversity", &l(3.0), &Stated::default(), &group, &group));
/// assert!(passes("frequency-l-diversity", &l(2.0), &Stated::default(), &group, &group));
/// assert!(!passes("frequency-l-diversity", &l(2.5), &Stated::default(), &group, &group));
/// ```
pub fn passes(
    model: &str,
    parameters: &Parameters,
    stated: &Stated,
    group: &[&str],
    table: &[&str],
) -> bool {
    let Some((_, definition)) = DEFINITIONS.iter().find(|(id, _)| *id == model) else {
        panic!("no model is called '{model}'; there are {MODELS:?}");
    };
    definition(&Case::new(parameters, stated, group, table))
}

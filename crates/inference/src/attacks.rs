//! Attacks on a publication: each counts the records that it exposes and says why.
//!
//! One file for each attack; [`CATALOG`] lists them.

mod background_knowledge;
mod composition;
mod describe;
mod direct_association;
mod elimination;
mod finding;
mod homogeneity;
mod joint_attack;
mod minimality;
mod similarity;
mod situation;
mod skewness;

pub use composition::{SUPPRESSED, parts_of_rows};
pub use describe::describe;
pub use finding::{Finding, WorstGroup};
pub use situation::{AttackLimits, CountedTable, Promise, Situation};

/// An attack, as described in the catalog.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attack {
    /// The name on the command line and in JSON.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// When a record is exposed.
    pub definition: &'static str,
    /// The publication that describes it.
    pub citation: &'static str,
    /// Finds the exposed records, or says what is missing.
    pub run: fn(&Situation<'_>) -> Result<Finding, String>,
}

/// All attacks.
pub const CATALOG: &[&Attack] = &[
    &homogeneity::ATTACK,
    &background_knowledge::ATTACK,
    &skewness::ATTACK,
    &similarity::ATTACK,
    &direct_association::ATTACK,
    &joint_attack::ATTACK,
    &elimination::ATTACK,
    &minimality::ATTACK,
    &composition::ATTACK,
];

/// Returns the attack with this id.
///
/// ```
/// assert_eq!(haggle_inference::attacks::find("homogeneity").unwrap().title, "homogeneity attack");
/// ```
pub fn find(id: &str) -> Option<&'static Attack> {
    CATALOG.iter().copied().find(|attack| attack.id == id)
}

/// The thesis in which most of the attacks are described.
const HSU: &str =
    "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. Thesis, 2008";

//! The chance that an attacker picks the right record: prosecutor, journalist and marketer.
//!
//! El Emam, *Guide to the De-Identification of Personal Health Information* (2013), chapter 16. A
//! prosecutor knows that the target is in the table, a journalist knows only a population that the
//! table is a sample of, a marketer wants to identify as many records as possible.

use super::{Sizes, expected_risk};

/// The risk of the records of a table for one kind of attacker.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct AttackerRisk {
    /// The highest risk of a record.
    pub highest: f64,
    /// The average risk.
    pub mean: f64,
    /// The records whose risk is above the threshold.
    pub above: u64,
}

/// Groups as pairs: the number of records, and the risk of each of them.
fn over(groups: impl Iterator<Item = (u64, f64)>, threshold: f64) -> AttackerRisk {
    let (mut records, mut sum) = (0, 0.0);
    let mut risk = AttackerRisk { highest: 0.0, mean: 0.0, above: 0 };
    for (size, chance) in groups {
        records += size;
        sum += size as f64 * chance;
        risk.highest = risk.highest.max(chance);
        risk.above += if chance > threshold { size } else { 0 };
    }
    risk.mean = if records == 0 { 0.0 } else { sum / records as f64 };
    risk
}

/// Returns the risk for a prosecutor: one over the size of the record's group.
///
/// ```
/// use haggle_inference::risk::{Sizes, prosecutor};
///
/// let risk = prosecutor(&[1, 3].into_iter().collect::<Sizes>(), 0.5);
/// assert_eq!((risk.highest, risk.mean, risk.above), (1.0, 0.5, 1));
/// ```
pub fn prosecutor(sizes: &Sizes, threshold: f64) -> AttackerRisk {
    over(sizes.iter().map(|(size, groups)| (size * groups, 1.0 / size as f64)), threshold)
}

/// Returns the risk for a marketer: the expected share of records that are identified correctly
/// when every record is matched with a random person of its group.
pub fn marketer(sizes: &Sizes) -> f64 {
    prosecutor(sizes, 1.0).mean
}

/// Returns the risk for a journalist, from groups with their records in the table and the persons
/// of a population who look the same. The mean is the larger of the mean over records and the
/// number of groups over the matching population, as El Emam defines it.
///
/// ```
/// use haggle_inference::risk::journalist;
///
/// let risk = journalist(&[(1, 4), (2, 4)], 0.2);
/// assert_eq!((risk.highest, risk.mean, risk.above), (0.25, 0.25, 3));
/// ```
pub fn journalist(groups: &[(u64, u64)], threshold: f64) -> AttackerRisk {
    let chance = |population: u64| 1.0 / population.max(1) as f64;
    let risk = over(groups.iter().map(|&(size, all)| (size, chance(all))), threshold);
    let population: u64 = groups.iter().map(|(_, all)| all).sum();
    let of_groups = groups.len() as f64 / population.max(1) as f64;
    AttackerRisk { mean: risk.mean.max(of_groups), ..risk }
}

/// Returns the risk for a journalist who does not know the population, of which a table holds this
/// fraction: the expectation of one over the group's size in the population.
pub fn journalist_in_sample(sizes: &Sizes, fraction: f64, threshold: f64) -> AttackerRisk {
    let groups = sizes.iter().map(|(size, groups)| (size * groups, expected_risk(size, fraction)));
    let risk = over(groups, threshold);
    let of_groups = fraction * sizes.groups() as f64 / sizes.records().max(1) as f64;
    AttackerRisk { mean: risk.mean.max(of_groups), ..risk }
}

//! What an attacker knows before the publication: how sensitive values depend on quasi-identifiers.

use haggle_cube::query::ValueSet;
use haggle_model::Error;
use rustc_hash::FxHashMap;

use super::Locator;
use crate::{JointCounts, PublishedGroups};

/// A joint distribution of quasi-identifiers and sensitive values, up to a factor.
pub trait Prior: std::fmt::Debug {
    /// Returns the weight of one recorded combination with each sensitive value.
    fn at(&self, codes: &[u32]) -> Vec<f64>;

    /// Returns the weight of all combinations in a product of value sets with each sensitive value.
    fn within(&self, sides: &[&ValueSet]) -> Vec<f64>;

    /// Returns the weight of all combinations with each sensitive value.
    fn total(&self) -> Vec<f64>;

    /// Returns whether weights are numbers of persons, which a publication cannot exceed.
    fn counts_persons(&self) -> bool {
        false
    }

    /// Returns the weights of every group. Suppressed records that are kept with stars may be
    /// anyone outside the other groups, and anyone at all where groups overlap.
    fn within_groups(&self, groups: &PublishedGroups<'_>) -> Vec<Vec<f64>> {
        let mut outside = self.total();
        let weights = |group: usize| -> Option<Vec<f64>> {
            let within = self.within(&groups.sides(group)?);
            if groups.is_disjoint() {
                outside.iter_mut().zip(&within).for_each(|(all, one)| *all = (*all - one).max(0.0));
            }
            Some(within)
        };
        let found: Vec<Option<Vec<f64>>> = (0..groups.groups().len()).map(weights).collect();
        found.into_iter().map(|weights| weights.unwrap_or_else(|| outside.clone())).collect()
    }
}

/// A prior with one distribution of sensitive values for everyone.
///
/// ```
/// use haggle_inference::belief::{MarginalPrior, Prior};
///
/// assert_eq!(MarginalPrior::of_counts(&[1, 3]).at(&[7]), [0.25, 0.75]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MarginalPrior {
    shares: Vec<f64>,
}

impl MarginalPrior {
    /// Builds it from shares that add up to 1.
    pub fn new(shares: Vec<f64>) -> Self {
        Self { shares }
    }

    /// Builds it from the number of records with each value.
    pub fn of_counts(counts: &[u64]) -> Self {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        Self::new(counts.iter().map(|&count| count as f64 / all).collect())
    }
}

impl Prior for MarginalPrior {
    fn at(&self, _: &[u32]) -> Vec<f64> {
        self.shares.clone()
    }

    fn within(&self, _: &[&ValueSet]) -> Vec<f64> {
        self.shares.clone()
    }

    fn total(&self) -> Vec<f64> {
        self.shares.clone()
    }

    fn within_groups(&self, groups: &PublishedGroups<'_>) -> Vec<Vec<f64>> {
        vec![self.shares.clone(); groups.groups().len()]
    }
}

/// A distribution given combination by combination: a population, stated conditionals, or the
/// table's own.
///
/// ```
/// use haggle_cube::query::ValueSet;
/// use haggle_inference::belief::{JointPrior, Prior};
///
/// let mut population = JointPrior::of_persons(2);
/// population.add(&[30], 0, 3.0);
/// population.add(&[31], 1, 5.0);
/// assert_eq!(population.at(&[30]), [3.0, 0.0]);
/// assert_eq!(population.within(&[&ValueSet::range(30..32)]), [3.0, 5.0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct JointPrior {
    values: usize,
    persons: bool,
    rows: FxHashMap<Box<[u32]>, Vec<(u32, f64)>>,
}

impl JointPrior {
    /// Starts an empty population; weights are numbers of persons.
    pub fn of_persons(values: usize) -> Self {
        Self { values, persons: true, rows: FxHashMap::default() }
    }

    /// Builds a distribution from stated conditionals: each combination with its probability and
    /// the probability of each sensitive value given it.
    pub fn of_conditionals(
        values: usize,
        stated: impl IntoIterator<Item = (Vec<u32>, f64, Vec<f64>)>,
    ) -> Result<Self, Error> {
        let mut prior = Self { values, persons: false, rows: FxHashMap::default() };
        for (codes, chance, given) in stated {
            let sum: f64 = given.iter().sum();
            let valid = |x: &f64| (0.0..=1.0).contains(x);
            if !valid(&chance) || !given.iter().all(valid) || (sum - 1.0).abs() > 1e-6 {
                let what = "a stated conditional distribution does not add up to 1";
                return Err(Error::new(what, "state probabilities from 0 to 1 that add up to 1"));
            }
            for (value, share) in given.into_iter().enumerate() {
                prior.add(&codes, value as u32, chance * share);
            }
        }
        Ok(prior)
    }

    /// Builds the table's own joint distribution of its quasi-identifiers and one column. The
    /// belief β is then n(q₀, s)/n(q₀) under every recoding that suppresses nothing.
    pub fn of_table(joint: &JointCounts, column: usize) -> Self {
        let values = joint.columns()[column].values.len();
        let mut prior = Self::of_persons(values);
        for row in 0..joint.len() {
            for value in joint.values(row).iter().filter(|v| (v.codes[column] as usize) < values) {
                prior.add(joint.codes(row), value.codes[column], value.count as f64);
            }
        }
        prior
    }

    /// Adds weight to a combination with a sensitive value.
    pub fn add(&mut self, codes: &[u32], value: u32, weight: f64) {
        if weight > 0.0 {
            let row = self.rows.entry(codes.into()).or_default();
            match row.iter_mut().find(|(known, _)| *known == value) {
                Some((_, known)) => *known += weight,
                None => row.push((value, weight)),
            }
        }
    }

    /// Returns the combinations with their total weights.
    pub fn rows(&self) -> impl Iterator<Item = (&[u32], f64)> {
        self.rows.iter().map(|(codes, row)| (&**codes, row.iter().map(|(_, weight)| weight).sum()))
    }

    fn dense<'r>(&self, rows: impl Iterator<Item = &'r Vec<(u32, f64)>>) -> Vec<f64> {
        let mut weights = vec![0.0; self.values];
        for (value, weight) in rows.flatten() {
            weights[*value as usize] += weight;
        }
        weights
    }
}

impl Prior for JointPrior {
    fn at(&self, codes: &[u32]) -> Vec<f64> {
        self.dense(self.rows.get(codes).into_iter())
    }

    fn within(&self, sides: &[&ValueSet]) -> Vec<f64> {
        let inside = |codes: &[u32]| sides.iter().zip(codes).all(|(side, &c)| side.contains(c));
        self.dense(self.rows.iter().filter(|(codes, _)| inside(codes)).map(|(_, row)| row))
    }

    fn total(&self) -> Vec<f64> {
        self.dense(self.rows.values())
    }

    fn counts_persons(&self) -> bool {
        self.persons
    }

    fn within_groups(&self, groups: &PublishedGroups<'_>) -> Vec<Vec<f64>> {
        let locator = Locator::new(groups);
        let mut weights = vec![vec![0.0; self.values]; groups.groups().len()];
        for (codes, row) in &self.rows {
            for group in locator.holding(codes) {
                for (value, weight) in row {
                    weights[group][*value as usize] += weight;
                }
            }
        }
        weights
    }
}

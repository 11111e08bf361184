//! How much the levels of a table's hierarchies group: the level metrics of partial lattices.
//!
//! After A. Pilalidou, *On-line negotiation for privacy preserving data publishing*, thesis,
//! University of Ioannina 2010, section 5.2. Each lattice has its own metrics, unrounded. The
//! thesis prints only those of six attributes (table 5.1), but its figures for three to five are
//! those of each lattice's own metrics.

use haggle_cube::{Cube, Error};
use haggle_model::{Level, Scheme};

/// The effect of a level on the groups, with all other attributes as recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelPower {
    /// The groups that remain.
    pub groups: usize,
    /// γ: their average size.
    pub average: f64,
    /// µ: the average relative to that of the level below; for the recorded level, the inverse of
    /// the next level's.
    pub importance: f64,
}

/// The metrics of every level of every attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelMetrics(Vec<Vec<LevelPower>>);

impl LevelMetrics {
    /// Counts the groups of every scheme with one attribute generalized.
    pub fn of(cube: &Cube) -> Result<Self, Error> {
        let (bottom, base) = (cube.space().bottom(), cube.base_groups());
        let records = cube.records() as f64;
        let levels = |position: usize, top: Level| {
            let groups = |level: u8| match level {
                0 => Ok(base),
                _ => cube.groups(&bottom.with(position, level.into())),
            };
            let groups: Vec<usize> = (0..=u8::from(top)).map(groups).collect::<Result<_, _>>()?;
            Ok(powers(&groups, records))
        };
        let tops = cube.space().top().levels().to_vec();
        tops.into_iter()
            .enumerate()
            .map(|(i, top)| levels(i, top))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The metrics of a level of the attribute at a position.
    pub fn level(&self, position: usize, level: Level) -> &LevelPower {
        &self.0[position][level.index()]
    }

    /// Every attribute's levels, from the recorded one up.
    pub fn attributes(&self) -> &[Vec<LevelPower>] {
        &self.0
    }

    /// Sums a number over a scheme's levels.
    pub(super) fn sum(&self, scheme: &Scheme, of: fn(&LevelPower) -> f64) -> f64 {
        let levels = scheme.levels().iter().enumerate();
        levels.map(|(position, &level)| of(self.level(position, level))).sum()
    }
}

/// One attribute's metrics from the groups that each of its levels leaves.
fn powers(groups: &[usize], records: f64) -> Vec<LevelPower> {
    // An empty table has no groups to average over.
    let average = |groups: usize| if groups == 0 { 1.0 } else { records / groups as f64 };
    let importance = |level: usize| average(groups[level]) / average(groups[level - 1]);
    let power = |level: usize| LevelPower {
        groups: groups[level],
        average: average(groups[level]),
        importance: match level {
            0 if groups.len() == 1 => 1.0,
            0 => 1.0 / importance(1),
            _ => importance(level),
        },
    };
    (0..groups.len()).map(power).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_growth_and_its_inverse_at_the_bottom() {
        let powers = powers(&[8, 4, 1], 16.0);
        let metrics: Vec<(f64, f64)> = powers.iter().map(|p| (p.average, p.importance)).collect();
        assert_eq!(metrics, [(2.0, 0.5), (4.0, 2.0), (16.0, 4.0)]);
    }

    #[test]
    fn an_attribute_that_cannot_be_generalized_and_an_empty_table_have_neutral_metrics() {
        assert_eq!(powers(&[4], 8.0)[0].importance.to_bits(), 1.0_f64.to_bits());
        assert!(powers(&[0, 0], 0.0).iter().all(|p| (p.average, p.importance) == (1.0, 1.0)));
    }
}

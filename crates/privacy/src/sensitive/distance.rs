//! How far apart the values of a sensitive attribute are, as a project states it.

use serde::{Deserialize, Serialize};

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

//! Levels, and schemes: one level for each quasi-identifier.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A level of a hierarchy; 0 is the value as recorded.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Level(u8);

impl Level {
    /// The most detailed level: values as recorded.
    pub const RECORDED: Self = Self(0);

    /// The level as a position in a list of levels.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next more general level.
    pub const fn up(self) -> Self {
        Self(self.0 + 1)
    }
}

impl From<u8> for Level {
    fn from(level: u8) -> Self {
        Self(level)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One level for each quasi-identifier, in the order of the quasi-identifiers.
///
/// ```
/// use haggle_model::Scheme;
///
/// let scheme: Scheme = "2,1,0".parse().unwrap();
/// assert_eq!(scheme.to_string(), "[2,1,0]");
/// assert_eq!(scheme.height(), 3);
/// assert!(scheme.is_under(&"2,1,1".parse().unwrap()));
/// assert!(!scheme.is_under(&"1,1,1".parse().unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scheme(Box<[Level]>);

impl Scheme {
    /// Builds a scheme from levels.
    pub fn new(levels: impl IntoIterator<Item = u8>) -> Self {
        Self(levels.into_iter().map(Level).collect())
    }

    /// The levels, in the order of the quasi-identifiers.
    pub fn levels(&self) -> &[Level] {
        &self.0
    }

    /// The level of the quasi-identifier at this position.
    pub fn level(&self, position: usize) -> Level {
        self.0[position]
    }

    /// Returns the scheme with one level changed.
    pub fn with(&self, position: usize, level: Level) -> Self {
        let mut changed = self.clone();
        changed.set(position, level);
        changed
    }

    pub(crate) fn set(&mut self, position: usize, level: Level) {
        self.0[position] = level;
    }

    /// The sum of the levels.
    pub fn height(&self) -> u32 {
        self.0.iter().map(|level| u32::from(level.0)).sum()
    }

    /// Whether no level is above that of `caps`.
    pub fn is_under(&self, caps: &Self) -> bool {
        self.0.iter().zip(&caps.0).all(|(level, cap)| level <= cap)
    }

    /// How many levels this scheme lies above `caps`, over all attributes.
    pub fn beyond(&self, caps: &Self) -> u32 {
        self.0.iter().zip(&caps.0).map(|(l, c)| u32::from(l.0.saturating_sub(c.0))).sum()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, level) in self.0.iter().enumerate() {
            write!(f, "{}{level}", if i > 0 { "," } else { "" })?;
        }
        f.write_str("]")
    }
}

/// The error for a text that is not a scheme: levels from 0 to 255, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a level: levels are whole numbers from 0 to 255, such as 2,1,0")]
pub struct ParseSchemeError(String);

impl FromStr for Scheme {
    type Err = ParseSchemeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
        let levels: Result<Vec<u8>, _> = bare
            .split(',')
            .map(|level| level.trim().parse().map_err(|_| ParseSchemeError(level.trim().into())))
            .collect();
        Ok(Self::new(levels?))
    }
}

//! What a publication applies to its quasi-identifiers.

use serde::{Deserialize, Serialize};

use crate::{Hierarchy, QuasiIdentifier, Scheme};

/// How recorded values become published ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Recoding {
    /// Every value of an attribute at the same level.
    Levels {
        /// The level of each quasi-identifier.
        scheme: Scheme,
    },
}

impl Recoding {
    /// Every attribute at the level that the scheme gives it.
    pub fn levels(scheme: Scheme) -> Self {
        Self::Levels { scheme }
    }

    /// The recoding applied to a table's quasi-identifiers.
    ///
    /// ```
    /// use haggle_model::{Hierarchy, QuasiIdentifier, Recoding, Scheme};
    ///
    /// let hierarchy = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
    /// let age = [QuasiIdentifier { name: "age".into(), hierarchy }];
    /// let decades = Recoding::levels(Scheme::new([1]));
    /// let recoder = decades.of(&age);
    /// let group = recoder.group(&["38"]).expect("all values are covered");
    /// assert_eq!(recoder.label(0, group[0]), "30-39");
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn of<'a>(&'a self, attributes: &'a [QuasiIdentifier]) -> Recoder<'a> {
        Recoder { recoding: self, attributes }
    }
}

/// A recoding together with the hierarchies that it goes by.
#[derive(Debug, Clone, Copy)]
pub struct Recoder<'a> {
    recoding: &'a Recoding,
    attributes: &'a [QuasiIdentifier],
}

impl<'a> Recoder<'a> {
    /// The published code of a recorded value's code.
    #[inline]
    pub fn code(&self, position: usize, recorded: u32) -> u32 {
        let Recoding::Levels { scheme } = self.recoding;
        self.hierarchy(position).ancestor(recorded, scheme.level(position))
    }

    /// The published value of a published code.
    pub fn label(&self, position: usize, code: u32) -> &'a str {
        let Recoding::Levels { scheme } = self.recoding;
        self.hierarchy(position).label(code, scheme.level(position))
    }

    /// The published codes of a record's quasi-identifiers; `None` if a value is not covered.
    pub fn group(&self, values: &[&str]) -> Option<Vec<u32>> {
        let code = |(i, value): (usize, &&str)| Some(self.code(i, self.hierarchy(i).code(value)?));
        values.iter().enumerate().map(code).collect()
    }

    /// An attribute's hierarchy.
    #[inline]
    pub fn hierarchy(&self, position: usize) -> &'a Hierarchy {
        &self.attributes[position].hierarchy
    }

    /// How many quasi-identifiers there are.
    pub fn attributes(&self) -> usize {
        self.attributes.len()
    }
}

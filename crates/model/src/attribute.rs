//! What an attribute means for privacy, and the two kinds that are counted.

use serde::{Deserialize, Serialize};

use crate::{Dictionary, Hierarchy};

/// The role of an attribute in a publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person; not published unless named.
    Identifier,
    /// Known to others and linking records to persons; generalized.
    QuasiIdentifier,
    /// What must not become known of a person.
    Sensitive,
    /// Neither; published as it is unless it singles people out.
    Insensitive,
}

impl Role {
    /// All roles with the names a project file uses.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Identifier, "identifier"),
        (Self::QuasiIdentifier, "quasi-identifier"),
        (Self::Sensitive, "sensitive"),
        (Self::Insensitive, "insensitive"),
    ];

    /// Returns the role with this name.
    ///
    /// ```
    /// use haggle_model::Role;
    /// assert_eq!(Role::named("sensitive"), Some(Role::Sensitive));
    /// assert_eq!(Role::named("secret"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(role, _)| *role)
    }
}

/// An attribute that is generalized: its name and how its values become general.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuasiIdentifier {
    /// The attribute's name.
    pub name: String,
    /// How its values become general.
    pub hierarchy: Hierarchy,
}

/// An attribute whose values are counted within each group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// The attribute's name.
    pub name: String,
    /// The values that occur.
    pub values: Dictionary,
}

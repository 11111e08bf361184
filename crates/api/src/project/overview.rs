//! A project and its lattice at a glance.

use std::collections::BTreeMap;

use haggle_model::Role;
use serde::Serialize;

#[cfg(feature = "openapi")]
use crate::Ask;
use crate::{Account, Built, Defaults};

/// A project as somebody sees who knows nothing of it yet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectOverview {
    /// The project's name.
    pub name: String,
    /// Where it is, as the command line takes it: the whole path of its file, or the name of the embedded
    /// project.
    pub location: String,
    /// The version of haggle.
    pub version: String,
    /// Whether it is the embedded example.
    pub demo: bool,
    /// How many records were counted.
    pub records: u64,
    /// The quasi-identifiers that are counted unless others are asked for, in order.
    pub qi: Vec<String>,
    /// Every attribute that the project names.
    pub attributes: Vec<AttributeOverview>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// What is asked by default.
    #[cfg_attr(feature = "openapi", schema(value_type = Ask))]
    pub defaults: Defaults,
    /// Something the user should know of how the lattice was made.
    pub notice: Option<String>,
}

/// An attribute of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeOverview {
    /// Its name.
    pub name: String,
    /// Its role.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// Whether it is counted unless others are asked for.
    pub qi: bool,
    /// Its most general level; none if it has no hierarchy or that depends on data not yet counted.
    pub levels: Option<u8>,
}

/// A lattice as somebody sees who is about to ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LatticeOverview {
    /// The quasi-identifiers, in the order of a scheme's levels.
    pub qi: Vec<String>,
    /// What each looks like, level by level.
    pub attributes: Vec<LevelsOverview>,
    /// How many schemes there are, as far as that can be counted.
    pub schemes: usize,
    /// How they are annotated: full, on-demand, or partial.
    pub way: &'static str,
    /// How many records were counted.
    pub records: u64,
    /// The records read, and those dropped because a value is missing.
    pub account: Account,
    /// The groups of the base scheme.
    pub base_groups: usize,
    /// The models that cannot be asked for, and why: what the project states does not suffice.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, String>))]
    pub unaskable: BTreeMap<&'static str, String>,
    /// What making it took.
    pub built: Built,
    /// Something the user should know of how it was made.
    pub notice: Option<String>,
}

/// A quasi-identifier, level by level.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelsOverview {
    /// Its name.
    pub name: String,
    /// Its most general level.
    pub top: u8,
    /// Its levels, from the values as recorded.
    pub levels: Vec<LevelOverview>,
}

/// One level of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelOverview {
    /// The level.
    pub level: u8,
    /// How many values it has.
    pub values: usize,
    /// A few recorded values as they look here; the same ones in the same order at every level.
    pub examples: Vec<String>,
}

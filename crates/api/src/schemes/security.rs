//! How secure the sensitive values of a scheme are.

use haggle_model::Scheme;
use serde::Serialize;

/// What an attacker's suspicion looks like, and of which attribute.
#[derive(Debug, Clone)]
pub struct SecurityOptions {
    /// The sensitive attribute, where there are several.
    pub on: Option<String>,
    /// How wide a suspicion is, in classes: the standard deviation of the bell.
    pub width: f64,
    /// What the bells are scaled by.
    pub scale: f64,
    /// How many of the groups with the lowest and with the highest estimate are reported.
    pub worst: usize,
}

impl Default for SecurityOptions {
    fn default() -> Self {
        Self { on: None, width: 1.0, scale: 1.0, worst: 5 }
    }
}

/// ψ of every sensitive value under a scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Security {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The sensitive attribute.
    pub attribute: String,
    /// Its values, in their order.
    pub values: Vec<ValueSecurity>,
    /// The groups in which a value is most easily ruled out, the worst first.
    pub easily_ruled_out: Vec<GroupSecurity>,
    /// The groups in which a value is most easily guessed, the worst first.
    pub easily_guessed: Vec<GroupSecurity>,
}

/// A group, and the value of it with the lowest or the highest estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupSecurity {
    /// What the group looks like, by quasi-identifier.
    pub group: Vec<String>,
    /// Its records.
    pub records: u64,
    /// The sensitive value.
    pub value: String,
    /// Its estimate.
    pub psi: f64,
}

/// ψ of one value over the groups that have it: low is easily ruled out, far above the others is
/// easily guessed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueSecurity {
    /// The value.
    pub value: String,
    /// Its class.
    pub class: f64,
    /// The groups that have it.
    pub groups: u64,
    /// The smallest estimate.
    pub least: f64,
    /// The mean over the groups.
    pub mean: f64,
    /// The largest estimate.
    pub most: f64,
}

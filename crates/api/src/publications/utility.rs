//! What an analyst can still do with a publication: summaries, associations, models, rules.

use haggle_model::{Error, Scheme};
use serde::{Deserialize, Serialize};

use crate::{Choice, RecodingChoice};

/// What is asked about utility, in addition to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct UtilityAsk {
    /// The scheme; without one, the answer to the request.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy whose recoding is examined, instead of a scheme.
    pub strategy: Option<String>,
    /// The column that models predict and rules imply; the first sensitive attribute if none is named.
    pub target: Option<String>,
    /// The share of records that are held out.
    pub held_out: f64,
    /// The seed of the choice of held-out records.
    pub seed: u64,
    /// The least share of all records that a rule holds for.
    pub support: f64,
    /// The least share of the class among the records that a rule is about.
    pub confidence: f64,
    /// At most this many values imply a class.
    pub rule_length: usize,
}

impl Default for UtilityAsk {
    fn default() -> Self {
        Self {
            scheme: None,
            strategy: None,
            target: None,
            held_out: 0.3,
            seed: 1,
            support: 0.02,
            confidence: 0.6,
            rule_length: 2,
        }
    }
}

impl UtilityAsk {
    /// Returns which recoding is examined; an error if several are named.
    pub fn choice(&self) -> Result<Choice, Error> {
        RecodingChoice::named(self.scheme.as_ref(), self.strategy.as_deref()).resolve()
    }
}

/// What an analyst can still do with a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UtilityReport {
    /// The scheme; null if the recoding is not one.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy that found the recoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The column that models predict and rules imply.
    pub target: String,
    /// The records of the table.
    pub records: u64,
    /// The records that are suppressed.
    pub suppressed: u64,
    /// Scans of the data beyond the first.
    pub scans: u64,
    /// Each quasi-identifier, then the target.
    pub attributes: Vec<AttributeUtility>,
    /// Each pair of these.
    pub pairs: Vec<PairUtility>,
    /// How well models predict the target of records that they were not trained with.
    pub models: Option<ModelsUtility>,
    /// Why no model was trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models_reason: Option<String>,
    /// Rules that imply the target.
    pub rules: Option<RulesUtility>,
    /// Why rules are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules_reason: Option<String>,
}

/// A number of the table, and of the publication.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BeforeAfter {
    /// Of the table.
    pub before: f64,
    /// Of the publication.
    pub after: f64,
}

/// One attribute before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeUtility {
    /// The attribute.
    pub attribute: String,
    /// How many values occur.
    pub values: BeforeAfter,
    /// The entropy, in bits.
    pub entropy: BeforeAfter,
}

/// The association of two attributes before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairUtility {
    /// The attributes.
    pub attributes: Vec<String>,
    /// Cramér's V, from 0 (independent) to 1; not corrected for bias.
    pub cramers_v: BeforeAfter,
    /// The mutual information, in bits.
    pub mutual_information: BeforeAfter,
}

/// How well models predict.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelsUtility {
    /// The scheme of the training records; null if their recoding is not one.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// Whether that recoding was chosen without the held-out records: it was not named.
    pub chosen_without_held_out: bool,
    /// The training records.
    pub training: u64,
    /// The training records that are suppressed.
    pub training_suppressed: u64,
    /// The held-out records.
    pub held_out: u64,
    /// The classes.
    pub classes: Vec<String>,
    /// How values became classes; none if each value is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes_are: Option<String>,
    /// How records become numbers.
    pub encoding: &'static str,
    /// The score of each model.
    pub scores: Vec<ModelScore>,
}

/// The score of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelScore {
    /// The model.
    pub model: &'static str,
    /// How it is trained.
    pub definition: &'static str,
    /// The share of held-out records that are predicted correctly, by models that were trained with
    /// recorded values and with published ones.
    pub accuracy: Option<BeforeAfter>,
    /// The mean of that share over the classes.
    pub balanced_accuracy: Option<BeforeAfter>,
    /// Why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Rules that imply the target, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesUtility {
    /// The least share of all records that a rule holds for.
    pub support: f64,
    /// The least share of the class among the records that a rule is about.
    pub confidence: f64,
    /// At most this many values imply a class.
    pub rule_length: usize,
    /// The rules of the table.
    pub before: u64,
    /// The rules of the publication.
    pub after: u64,
    /// Rules of the table that the publication has unchanged.
    pub kept: u64,
    /// Rules of the table that the publication has with more general values.
    pub generalized: u64,
    /// Rules of the table that the publication does not have.
    pub lost: u64,
    /// Rules of the publication that no rule of the table became.
    pub new: u64,
    /// Some of the rules of the table.
    pub examples: Vec<RuleExample>,
}

/// A rule of the table, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleExample {
    /// The rule.
    pub rule: String,
    /// The rule with published values; none if they say nothing.
    pub published: Option<String>,
    /// `kept`, `generalized` or `lost`.
    pub outcome: RuleOutcome,
}

/// What became of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RuleOutcome {
    /// The publication has it unchanged.
    Kept,
    /// The publication has it with more general values.
    Generalized,
    /// The publication does not have it.
    Lost,
}

//! What a publication tells an attacker: re-identification risk, attacks and beliefs.

use std::collections::BTreeMap;

use haggle_model::{Error, Scheme};
use serde::{Deserialize, Serialize};

use crate::{Choice, RecodingChoice, WholeRecords};

/// What is asked about risk, in addition to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct RiskAsk {
    /// The scheme; the answer to the thresholds if there are any, else the data as recorded.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy whose recoding is examined, instead of a scheme.
    pub strategy: Option<String>,
    /// Records with a risk above this are counted.
    pub threshold: f64,
    /// A file with the population that the table is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub population: Option<std::path::PathBuf>,
    /// The share of a population that the table holds.
    pub sampling_fraction: Option<f64>,
    /// The attacks; all if none is named.
    pub attacks: Vec<String>,
    /// The sensitive attribute; all if none is named.
    pub on: Option<String>,
    /// The attacker's prior: `marginal`, `stated` (by the project, which may make it depend on a
    /// quasi-identifier), `table`, `population`, `summary:ID` or `conditionals:FILE`.
    pub prior: String,
    /// A person whom the attacker knows, by quasi-identifier.
    pub target: BTreeMap<String, String>,
    /// Sensitive values that the attacker can rule out for that person.
    pub rule_out: Vec<String>,
    /// How much more or less the attacker believes in sensitive values of that person: factors of at
    /// least 0, by value; 1 if a value is not named.
    pub alpha: BTreeMap<String, f64>,
    /// Groups with fewer records than this let a person be found; the request's k, else 2.
    pub least_group: Option<u64>,
    /// A belief above 1 − delta is a positive disclosure.
    pub delta: f64,
    /// A belief below epsilon is a negative disclosure.
    pub epsilon: f64,
    /// Below this a value was unlikely.
    pub rho1: f64,
    /// Above this an unlikely value has become likely.
    pub rho2: f64,
    /// How far a belief must move for an attack to succeed.
    pub moved: f64,
    /// How many values an attacker may be able to rule out.
    pub known_values: usize,
    /// The part of a scale within which sensitive values are similar.
    pub similar: f64,
    /// The standard deviation of a suspicion, in classes.
    pub width: f64,
    /// How many quasi-identifiers an attacker knows at most.
    pub knows: usize,
    /// The largest sets of columns that are searched for those that single people out.
    pub key_size: usize,
}

impl Default for RiskAsk {
    fn default() -> Self {
        Self {
            scheme: None,
            strategy: None,
            threshold: 0.2,
            population: None,
            sampling_fraction: None,
            attacks: Vec::new(),
            on: None,
            prior: "marginal".into(),
            target: BTreeMap::new(),
            rule_out: Vec::new(),
            alpha: BTreeMap::new(),
            least_group: None,
            delta: 0.2,
            epsilon: 0.01,
            rho1: 0.1,
            rho2: 0.5,
            moved: 0.3,
            known_values: 1,
            similar: 0.25,
            width: 1.0,
            knows: 2,
            key_size: 3,
        }
    }
}

impl RiskAsk {
    /// Returns which recoding is examined; an error if several are named.
    pub fn choice(&self) -> Result<Choice, Error> {
        RecodingChoice::named(self.scheme.as_ref(), self.strategy.as_deref()).resolve()
    }
}

/// What a publication tells an attacker.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RiskReport {
    /// The scheme, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The records that are published.
    pub records: u64,
    /// The records that are suppressed; not known of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// The groups.
    pub groups: u64,
    /// How far records can be picked out.
    pub risk: ReidentificationRisk,
    /// What single columns and sets of columns reveal of the data as it is, before generalization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<ColumnRisk>,
    /// How far records can be picked out by all published columns that are not sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<WholeRecords>,
    /// Attacks and beliefs for each sensitive attribute.
    pub sensitive: Vec<SensitiveRisk>,
}

/// How far records can be picked out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReidentificationRisk {
    /// The threshold that records are counted by.
    pub threshold: f64,
    /// For an attacker who knows that the target is in the table.
    pub prosecutor: AttackerRisk,
    /// For an attacker who knows a population that the table is a sample of.
    pub journalist: Option<AttackerRisk>,
    /// The expected share of records that are identified when all are matched.
    pub marketer: f64,
    /// Records that are alone in their group.
    pub unique: u64,
    /// The population, or its estimated size.
    pub population: Option<u64>,
    /// How many persons are unique in the population, by estimator.
    pub population_uniques: Vec<PopulationUniques>,
    /// What each quasi-identifier contributes, the largest first.
    pub contributions: Vec<Contribution>,
    /// The worst that knowing a few quasi-identifiers reveals.
    pub limited_knowledge: Vec<LimitedKnowledge>,
}

/// The risk for one kind of attacker.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttackerRisk {
    /// The highest risk of a record.
    pub highest: f64,
    /// The average risk.
    pub mean: f64,
    /// The records with a risk above the threshold.
    pub above: u64,
}

/// An estimate of how many persons are unique in the population.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PopulationUniques {
    /// The estimator.
    pub estimator: &'static str,
    /// The estimate.
    pub uniques: Option<f64>,
    /// Why there is no estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Whether the rule of Dankar and others chooses it for this sampling fraction.
    pub chosen: bool,
    /// When it is valid.
    pub valid: &'static str,
}

/// What one quasi-identifier contributes to the risk.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Contribution {
    /// The quasi-identifier.
    pub attribute: String,
    /// The mean risk if only it is known.
    pub alone: f64,
    /// The records that it makes unique alone.
    pub unique_alone: u64,
    /// The mean risk without it.
    pub without: f64,
    /// The records that are unique without it.
    pub unique_without: u64,
    /// The mean risk that it adds to the others.
    pub adds: f64,
}

/// The worst that an attacker with limited knowledge finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LimitedKnowledge {
    /// How many quasi-identifiers the attacker knows at most (L).
    pub attributes: usize,
    /// The smallest group (K).
    pub smallest: u64,
    /// The quasi-identifiers that leave it.
    pub by: Vec<String>,
    /// The highest share of a sensitive value in a group (C).
    pub confidence: Option<f64>,
}

/// What columns reveal of the data as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnRisk {
    /// The largest sets of columns examined.
    pub largest: usize,
    /// Records that at least one of the sets singles out.
    pub records: u64,
    /// The columns, those that single out most first.
    pub ranking: Vec<ColumnRank>,
    /// The smallest sets of columns that single records out.
    pub sets: Vec<KeySet>,
}

/// How much a column takes part in singling people out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnRank {
    /// The column.
    pub column: String,
    /// Whether it is a quasi-identifier here.
    pub quasi_identifier: bool,
    /// Minimal sets with this column, counted for each record that they single out.
    pub keys: u64,
    /// The share of the score of all sets that belongs to sets with this column.
    pub share: f64,
}

/// A smallest set of columns that singles records out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeySet {
    /// The columns.
    pub columns: Vec<String>,
    /// The records that it singles out, while no smaller set of them does.
    pub records: u64,
}

/// Attacks on a sensitive attribute, and what is believed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SensitiveRisk {
    /// The sensitive attribute.
    pub attribute: String,
    /// The attacks.
    pub attacks: Vec<AttackReport>,
    /// What is believed.
    pub belief: BeliefReport,
}

/// What an attack exposes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttackReport {
    /// The attack.
    pub attack: &'static str,
    /// When a record is exposed.
    pub definition: &'static str,
    /// The exposed records; `None` if the attack could not be checked.
    pub exposed: Option<u64>,
    /// The groups that they are in.
    pub groups: u64,
    /// The groups with most exposed records.
    pub worst: Vec<WorstGroup>,
    /// More about the publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why the attack could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A group in which an attack succeeds, by what is published of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorstGroup {
    /// The published value of each quasi-identifier; recorded values are not named.
    pub values: Vec<String>,
    /// The exposed records.
    pub exposed: u64,
    /// The records of the group.
    pub records: u64,
    /// Why.
    pub why: String,
}

/// What an attacker believes after the publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BeliefReport {
    /// The attacker's prior.
    pub prior: String,
    /// The quasi-identifier that the project's factors alpha depend on, if it states any; empty if
    /// they are the same for everyone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<String>,
    /// The targets that are exposed under this prior.
    pub exposed: ExposedTargets,
    /// The targets that are exposed to an attacker who knows only the distribution in the whole
    /// table, as the privacy models of the catalog assume.
    pub marginal: ExposedTargets,
    /// The groups in which beliefs moved furthest.
    pub worst: Vec<WorstBelief>,
    /// What is believed of the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetReport>,
}

/// How many targets are exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExposedTargets {
    /// All targets.
    pub targets: u64,
    /// Those that are suppressed and keep their prior.
    pub suppressed: u64,
    /// Those with a belief above 1 − delta.
    pub positive: u64,
    /// Those with a belief below epsilon in a value that occurs.
    pub negative: u64,
    /// Those with a (rho1, rho2)-breach.
    pub breached: u64,
    /// Those on which an attack succeeds: the belief moved far and ends above 1 − delta or below epsilon.
    pub successful: u64,
}

/// A group in which a belief moved far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorstBelief {
    /// The published value of each quasi-identifier; recorded values are not named.
    pub values: Vec<String>,
    /// The targets on which an attack succeeds.
    pub records: u64,
    /// The belief in the sensitive value that moved furthest, before.
    pub before: f64,
    /// The belief after.
    pub after: f64,
}

/// What is believed of one target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TargetReport {
    /// How many groups may hold the target; none if it is suppressed.
    pub groups: usize,
    /// Whether what is known of the target rules out every value of every group.
    pub contradiction: bool,
    /// The belief in each sensitive value.
    pub values: Vec<ValueBelief>,
}

/// The belief in one sensitive value of a target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueBelief {
    /// The sensitive value.
    pub value: String,
    /// The belief before.
    pub before: f64,
    /// The least belief after, over the groups that may hold the target.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// What a publication and the recorded earlier ones reveal together.
///
/// Joined records are counted as if every record could be found in all publications, so the counts
/// are upper bounds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Together {
    /// The earlier publications of the table that are recorded.
    pub earlier: u64,
    /// Those that were joined with this one.
    pub checked: u64,
    /// Those of which it is not known what joining them reveals: their recoding cannot be applied
    /// to this table, or counting over their quasi-identifiers takes too much memory.
    pub unchecked: u64,
    /// Those that have no column in common with this one or with another one that has.
    pub unrelated: u64,
    /// Those that were joined, but are of other data than this one, or of data that is not known.
    /// Records that came later are counted as if they had been published then.
    pub changed: u64,
    /// The columns that join the publications: each is published by at least two of them.
    pub joined_on: Vec<String>,
    /// The quasi-identifiers of all joined publications, over which joined records are counted.
    pub over: Vec<String>,
    /// The records that fall below the promise once the publications are joined.
    pub below: u64,
    /// The records that no other one equals then.
    pub unique: u64,
    /// Where the groups of an earlier publication and of this one differ by few records.
    pub differing: Differing,
}

/// Groups that an earlier publication and this one show with slightly different numbers of records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Differing {
    /// The earlier publications whose groups were compared with those of this one.
    pub compared: u64,
    /// Those whose groups were not: they have no quasi-identifier in common with this one, no
    /// recoding is coarser than both, or their groups are not recorded.
    pub not_compared: u64,
    /// A group that differs by fewer records than this singles people out.
    pub k: u64,
    /// The groups that differ by 1 to k - 1 records, or by sensitive values alone; the most that any
    /// earlier publication has.
    pub groups: u64,
    /// The earlier publication with the most such groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The quasi-identifiers of the groups.
    pub over: Vec<String>,
}

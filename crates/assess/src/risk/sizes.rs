//! Re-identification risk as it is reported.

use haggle_api::risk::{
    AttackerRisk, Contribution, LimitedKnowledge, PopulationUniques, ReidentificationRisk, RiskAsk,
};
use haggle_cube::ValueCount;
use haggle_inference::risk::{
    self, CodedRows, ESTIMATORS, PopulationSample, Sizes, dankar_choice, journalist,
    journalist_in_sample, knowing_at_most, marketer, prosecutor,
};
use haggle_model::Error;

/// What is known of the population that a table is a part of.
pub(super) enum KnownPopulation {
    /// Nothing.
    Unknown,
    /// The share of it that the table holds.
    Fraction(f64),
    /// By group, the records and the persons who look the same; and how many persons there are.
    Counted(Vec<(u64, u64)>, u64),
}

impl KnownPopulation {
    /// Checks a sampling fraction.
    pub(super) fn by_fraction(fraction: Option<f64>) -> Result<Self, Error> {
        match fraction {
            None => Ok(Self::Unknown),
            Some(fraction) if fraction > 0.0 && fraction <= 1.0 => Ok(Self::Fraction(fraction)),
            Some(fraction) => {
                let what = format!("a sampling fraction of {fraction} is not possible");
                Err(Error::new(what, "state a number above 0 and up to 1"))
            }
        }
    }

    fn journalist(&self, sizes: &Sizes, threshold: f64) -> Option<risk::AttackerRisk> {
        match self {
            Self::Unknown => None,
            Self::Fraction(fraction) => Some(journalist_in_sample(sizes, *fraction, threshold)),
            Self::Counted(groups, _) => Some(journalist(groups, threshold)),
        }
    }

    fn size(&self, records: u64) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::Fraction(fraction) => Some((records as f64 / fraction).round() as u64),
            Self::Counted(_, persons) => Some(*persons),
        }
    }

    /// The expected share of records that are identified.
    fn marketer(&self, sizes: &Sizes) -> f64 {
        let Self::Counted(groups, _) = self else { return marketer(sizes) };
        let records: u64 = groups.iter().map(|(records, _)| records).sum();
        let matched = groups.iter().map(|&(n, all)| n as f64 / all.max(1) as f64);
        matched.sum::<f64>() / records.max(1) as f64
    }
}

/// Measures risk over published groups: their sizes by quasi-identifier, and for each sensitive
/// attribute the counts of its values in each.
pub(super) fn measured(
    rows: &CodedRows,
    sensitive: &[Vec<Vec<ValueCount>>],
    population: &KnownPopulation,
    ask: &RiskAsk,
) -> ReidentificationRisk {
    let all: Vec<usize> = (0..rows.names().len()).collect();
    let sizes = rows.sizes(&all);
    let size = population.size(sizes.records());
    let uniques = size.map(|size| uniques(&sizes, size.max(sizes.records())));
    let knows = 1..=ask.knows.min(rows.names().len());
    ReidentificationRisk {
        threshold: ask.threshold,
        prosecutor: reported(prosecutor(&sizes, ask.threshold)),
        journalist: population.journalist(&sizes, ask.threshold).map(reported),
        marketer: population.marketer(&sizes),
        unique: sizes.unique(),
        population: size,
        population_uniques: uniques.unwrap_or_default(),
        contributions: risk::contributions(rows).into_iter().map(contribution).collect(),
        limited_knowledge: knows
            .map(|most| limited(knowing_at_most(rows, sensitive, most)))
            .collect(),
    }
}

fn reported(risk: risk::AttackerRisk) -> AttackerRisk {
    AttackerRisk { highest: risk.highest, mean: risk.mean, above: risk.above }
}

fn contribution(one: risk::Contribution) -> Contribution {
    Contribution {
        attribute: one.name,
        alone: one.alone,
        unique_alone: one.unique_alone,
        without: one.without,
        unique_without: one.unique_without,
        adds: one.adds,
    }
}

fn limited(known: risk::KnownAttributes) -> LimitedKnowledge {
    LimitedKnowledge {
        attributes: known.attributes,
        smallest: known.smallest,
        by: known.by,
        confidence: known.confidence,
    }
}

fn uniques(sizes: &Sizes, population: u64) -> Vec<PopulationUniques> {
    let sample = PopulationSample { sizes, population };
    let chosen = dankar_choice(&sample).map(|(estimator, _)| estimator.id);
    let one = |estimator: &risk::UniquenessEstimator| {
        let found = estimator.uniques(&sample);
        PopulationUniques {
            estimator: estimator.id,
            uniques: found.ok(),
            reason: found.err(),
            chosen: chosen == Some(estimator.id),
            valid: estimator.valid,
        }
    };
    ESTIMATORS.iter().map(one).collect()
}

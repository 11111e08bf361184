//! Query error: how far counts that an analyst asks for are from the true ones.
//!
//! Definition: each query counts the records that satisfy a condition on quasi-identifiers. In the
//! publication, a kept group contributes its records times the probability of the condition, as
//! drawn independently for each attribute from the whole table's values below the published ones
//! (`answer=ic`), or all of its records if that is above zero (`answer=nc`), or its records that
//! satisfy the condition (`answer=cc`: an analyst who knows the joint distribution of the
//! quasi-identifiers; only suppressed records cost then). The loss is the mean over queries of the
//! relative error; queries that no record satisfies are left out. Formula: `1/Q
//! · Σ_q |Σ_g n_g Pr(q | g) − N_q| / N_q`. Citation: S.-Y. Hsu, "Database Anonymization and
//! Protections of Sensitive Attributes", 2008, section 2.5. Errors in both directions cancel within
//! a query (of `nc` and `ic`), so neither a more general scheme nor a suppressed record need cost
//! anything.

use haggle_cube::query::{Condition, Independent};
use haggle_cube::{Generalized, KeptGroups, Loss, Payload};
use haggle_model::{Hierarchy, Level, is_unmatched};

use crate::workload::CountingRule;
use crate::{Basis, Error, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "query-error",
    title: "query error",
    definition: "The mean relative error of counts that an analyst asks for: those of a workload, or by default of the most frequent value of each quasi-identifier and of each pair of neighbouring ones.",
    formula: "mean over queries of |sum over kept groups of n * Pr(query | group) - true count| / true count",
    range: "0 (every count is right) upwards; 1 if everything is suppressed",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Of four records f a, f a, m a, m b the second attribute is published as *: f with a is counted as 2 * 3/4 instead of 2 records, an error of 1/4.",
    suppressed: "as records that no query counts",
    watches: false,
    weighted: false,
    workload: true,
    monotone: false,
    suppressing_costs: false,
    additive: false,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| Ok(Box::new(WorkloadCounts::of(basis)?)),
};

/// The counts of a workload.
#[derive(Debug)]
struct WorkloadCounts {
    id: String,
    queries: Vec<Independent>,
    rule: CountingRule,
}

impl WorkloadCounts {
    fn of(basis: &Basis<'_>) -> Result<Self, Error> {
        let stated = basis.workload.as_ref();
        let rule = stated.map(|workload| workload.rule).unwrap_or_default();
        let conditions = match stated {
            Some(workload) if !workload.conditions.is_empty() => workload.conditions.clone(),
            _ => frequent(basis),
        };
        let mut queries = Independent::of_all(&conditions, basis.cube)?;
        queries.retain(|query| query.truth() > 0);
        if queries.is_empty() {
            let what = "no record of the table satisfies any query of the workload";
            return Err(Error::new(what, "ask queries that select records"));
        }
        let text: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        let id = format!("{}:{rule:?}:{}", MEASURE.id, text.join("\n"));
        Ok(Self { id, queries, rule })
    }
}

impl Payload for WorkloadCounts {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn width(&self) -> usize {
        if self.carries() { 1 } else { self.queries.len() }
    }

    fn carries(&self) -> bool {
        self.rule == CountingRule::ConditionallyCorrected
    }

    /// Each query counts the base group's records in full or not at all. The errors are shares of
    /// the true counts that are suppressed, so their mean is one sum over all queries.
    fn carried(&self, base: &Generalized<'_>) -> [f64; 3] {
        let share = |query: &Independent| query.in_group(base) / query.truth() as f64;
        let all: f64 = self.queries.iter().map(share).sum();
        [base.records as f64 * all / self.queries.len() as f64, 0.0, 0.0]
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        if self.carries() {
            numbers[0] = group.carried[0];
            return;
        }
        let records = group.records as f64;
        for (number, query) in numbers.iter_mut().zip(&self.queries) {
            let probability = query.in_group(group);
            *number = match self.rule {
                CountingRule::IndependentlyCorrected => records * probability,
                CountingRule::NonCorrected if probability > 0.0 => records,
                CountingRule::NonCorrected | CountingRule::ConditionallyCorrected => 0.0,
            };
        }
    }
}

impl Loss for WorkloadCounts {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        if self.carries() {
            return 1.0 - kept.sums[0];
        }
        let error = |(query, &answer): (&Independent, &f64)| {
            (answer - query.truth() as f64).abs() / query.truth() as f64
        };
        self.queries.iter().zip(kept.sums).map(error).sum::<f64>() / self.queries.len() as f64
    }
}

/// The default conditions of a table: the most frequent value of each quasi-identifier (of several,
/// the first by label), alone and together with that of the next one.
fn frequent(basis: &Basis<'_>) -> Vec<Condition> {
    let attributes = basis.cube.attributes().iter().zip(&basis.counts);
    let values: Vec<(&str, &str)> = attributes
        .filter_map(|(a, counts)| Some((a.name.as_str(), most_frequent(&a.hierarchy, counts)?)))
        .collect();
    let mut conditions = Vec::new();
    for (i, (name, value)) in values.iter().enumerate() {
        let one = Condition::always().and_equals(name, value);
        let pair = values.get(i + 1).map(|(name, value)| one.and_equals(name, value));
        conditions.extend(pair);
        conditions.push(one);
    }
    conditions
}

fn most_frequent<'h>(hierarchy: &'h Hierarchy, counts: &[u64]) -> Option<&'h str> {
    let labels =
        (0..).zip(counts).map(|(code, &count)| (count, hierarchy.label(code, Level::RECORDED)));
    let known = labels.filter(|(count, label)| *count > 0 && !is_unmatched(label));
    known.min_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1))).map(|(_, label)| label)
}

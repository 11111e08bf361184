//! t-closeness: the sensitive values of a group are distributed about as in the whole table.
//!
//! Definition: the earth mover's distance between the distribution of sensitive values in the group
//! and in the whole table is at most t. Formula: EMD(q, p) ≤ t.
//! Citation: N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and
//! l-diversity", ICDE 2007.
//! The whole table is the input, after missing values were handled. The ground distance is 1 between
//! any two values (equal), their distance in order over the largest (ordered), the level of the first
//! common ancestor over the top (hierarchical), or given (matrix).
//!
//! The distance is convex in q, so two passing groups pass together; a failing one may make a
//! passing one fail. Closed.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic, ValueCount};

use super::from;
use super::recursion::hopeless;
use crate::memo::Memo;
use crate::{Arguments, DistanceKind, Error, Facts, Model, Parameter, ParameterOption, Setting};

mod between;
mod hierarchical;
mod ordered;

use hierarchical::Hierarchical;
use ordered::OrderedDistance;

use crate::exact::ratio;
use crate::transport::Transport;

pub(super) const MODEL: Model = Model {
    id: "t-closeness",
    title: "t-closeness",
    definition: "In every group the distribution of the sensitive attribute is at most t away from that in the whole table, by the earth mover's distance.",
    formula: "EMD(q, p) <= t",
    citation: "N. Li, T. Li, S. Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007",
    example: "Nine salaries from 3k to 11k, one of each, and a group with 3k, 4k and 5k: ordered, it is 3/8 = 0.375 away; a group with 6k, 8k and 11k is 0.167 away. By equal distance both are 2/3 away.",
    parameters: &[Parameter::number(
        "t",
        "the largest distance from the distribution in the whole table",
        from(0.0),
        Bound::Unbounded,
        Some(Passing::AtMost),
    )
    .usually(0.2)],
    choices: &[ParameterOption {
        name: "distance",
        meaning: "how far apart two values are; as the project states, else ordered for numbers, dates and values whose order the project states, and equal for others",
        options: &["equal", "ordered", "hierarchical", "matrix"],
    }],
    sensitive: true,
    states: &[],
    uses: &["order", "distance", "hierarchy"],
    reference: true,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(TCloseness::of_setting(setting)?)),
};

/// The earth mover's distance of a group from the whole table.
#[derive(Debug)]
pub struct TCloseness {
    column: Column,
    ground: MovingCost,
}

/// The cost of moving, with the whole table's distribution prepared for it.
#[derive(Debug)]
enum MovingCost {
    Equal { counts: Vec<u64>, records: u64 },
    Ordered(OrderedDistance),
    Hierarchical(Hierarchical),
    Matrix { transport: Transport, counts: Vec<u64>, memo: Memo },
}

impl TCloseness {
    /// Builds the statistic with the distance that suits the attribute.
    pub fn on(facts: &Facts) -> Result<Self, Error> {
        let (model, arguments) = (&MODEL, Arguments::default());
        let (negotiated, facts) = (MODEL.threshold(), Some(facts));
        Self::of_setting(&Setting { model, negotiated, arguments: &arguments, facts, unit: None })
    }

    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let chosen = setting.choice("distance").and_then(DistanceKind::named);
        let distance = chosen.or(facts.settled_distance()).ok_or_else(|| {
            let name = &facts.target.name;
            let what = format!("'{name}' has numbers or dates and values that are neither");
            let fix = "choose distance=equal, state their order, or let missing values be dropped or \
                       unmatched";
            Error::new(what, fix)
        })?;
        let ground = MovingCost::new(setting, facts, distance)?;
        let column = setting.column(&[("distance", distance.name())]);
        // With these distances everything is within 1, so a threshold of 1 does not protect.
        let bounded = !matches!(ground, MovingCost::Matrix { .. });
        let weakest = if bounded { 1.0_f64.next_down() } else { column.weakest };
        Ok(Self { column: Column { weakest, ..column }, ground })
    }
}

impl MovingCost {
    fn new(setting: &Setting<'_>, facts: &Facts, distance: DistanceKind) -> Result<Self, Error> {
        let counts = facts.counts.clone();
        Ok(match distance {
            DistanceKind::Equal => Self::Equal { records: facts.records(), counts },
            DistanceKind::Ordered => Self::Ordered(OrderedDistance::new(&facts.ranks, &counts)),
            DistanceKind::Hierarchical => {
                let hierarchy = facts.hierarchy.as_ref();
                let (hierarchy, codes) =
                    setting.stated(hierarchy, "a hierarchy", "\"disease.csv\"")?;
                Self::Hierarchical(Hierarchical::new(hierarchy, codes, &counts))
            }
            DistanceKind::Matrix => {
                let matrix = setting.stated(facts.matrix.as_ref(), "distance", "\"matrix.csv\"")?;
                let transport = Transport::new(counts.len(), matrix);
                Self::Matrix { transport, counts, memo: Memo::default() }
            }
        })
    }
}

/// Sums what exceeds its fair share: only values of the group can.
fn equal(group: &Group<'_>, counts: &[u64], records: u64) -> f64 {
    let (known, records) = (u128::from(group.known()), u128::from(records));
    let excess = group.values.iter().map(|value| {
        let fair = u128::from(counts[value.code as usize]) * known;
        (u128::from(value.count) * records).saturating_sub(fair)
    });
    ratio(excess.sum(), known * records)
}

/// Computes the distance by transport, once for each pattern of counts.
fn by_matrix(group: &Group<'_>, transport: &Transport, counts: &[u64], memo: &Memo) -> f64 {
    let pattern: Vec<u64> =
        group.values.iter().flat_map(|v| [u64::from(v.code), v.count]).collect();
    memo.get(&pattern, || {
        let known = i128::from(group.known());
        let records = i128::from(counts.iter().sum::<u64>());
        let mut here: Vec<i128> = vec![0; counts.len()];
        for value in group.values {
            here[value.code as usize] = i128::from(value.count) * records;
        }
        let there: Vec<i128> = counts.iter().map(|&count| i128::from(count) * known).collect();
        transport.least_share(&here, &there, (known * records).unsigned_abs())
    })
}

impl Statistic for TCloseness {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        match &self.ground {
            MovingCost::Equal { counts, records } => equal(group, counts, *records),
            MovingCost::Ordered(ordered) => ordered.distance(group),
            MovingCost::Hierarchical(tree) => tree.distance(group),
            MovingCost::Matrix { transport, counts, memo } => {
                by_matrix(group, transport, counts, memo)
            }
        }
    }
}

impl haggle_cube::Distance for TCloseness {
    fn between(&self, one: &[ValueCount], other: &[ValueCount]) -> f64 {
        match &self.ground {
            MovingCost::Equal { .. } => between::equal(one, other),
            MovingCost::Ordered(ordered) => ordered.between(one, other),
            MovingCost::Hierarchical(tree) => tree.between(one, other),
            MovingCost::Matrix { transport, .. } => between::by_matrix(transport, one, other),
        }
    }

    fn largest(&self) -> f64 {
        match &self.ground {
            MovingCost::Matrix { transport, .. } => transport.largest(),
            _ => 1.0,
        }
    }
}

//! How far an answer is from the truth.

use haggle_cube::query::Variable;
use haggle_model::{Hierarchy, Level, UNMATCHED};
use haggle_privacy::{DistanceKind, Facts, transported};

use super::QueryTally;

/// The distances between an answer and the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// Half the sum of the differences between shares; 1 if the answer selects nothing.
    pub total_variation: Option<f64>,
    /// The earth mover's distance between shares; 1 if the answer selects nothing.
    pub earth_movers: Option<f64>,
    /// The difference between the totals, divided by the true one.
    pub relative_count: f64,
}

/// The distance between values that the earth mover's distance uses.
#[derive(Debug, Clone)]
pub enum GroundDistance<'f> {
    /// 1 between all values.
    Equal,
    /// The difference between positions in the order, divided by the largest: the codes of the
    /// target from the lowest value to the highest.
    Ordered(Vec<u32>),
    /// The level of the lowest common ancestor, divided by the highest: by code of the target, the
    /// code in the hierarchy; none for a missing value.
    Hierarchical(&'f Hierarchy, Vec<Option<u32>>),
    /// As a matrix states: by code of the target, the row of the matrix.
    Matrix(&'f [f64], Vec<Option<u32>>),
}

impl<'f> GroundDistance<'f> {
    /// Returns the distance for a column: as `facts` state it for the models; else by order if all of
    /// its known values are numbers.
    pub fn new(target: &Variable<'_>, facts: Option<&'f Facts>) -> Self {
        let stated = facts.and_then(|facts| Some((facts, facts.settled_distance()?)));
        let Some((facts, kind)) = stated else { return Self::natural(target) };
        let codes = (0..target.domain()).map(|code| facts.values.code(target.shown(code)));
        match (kind, &facts.hierarchy, &facts.matrix) {
            (DistanceKind::Ordered, ..) => {
                let ranked =
                    |(code, known): (u32, Option<u32>)| Some((facts.ranks[known? as usize], code));
                let mut ranks: Vec<(u32, u32)> = (0..).zip(codes).filter_map(ranked).collect();
                ranks.sort_unstable();
                Self::Ordered(ranks.into_iter().map(|(_, code)| code).collect())
            }
            (DistanceKind::Hierarchical, Some((hierarchy, leaves)), _) => {
                let leaf = |known: Option<u32>| Some(leaves[known? as usize]);
                Self::Hierarchical(hierarchy, codes.map(leaf).collect())
            }
            (DistanceKind::Matrix, _, Some(matrix)) => Self::Matrix(matrix, codes.collect()),
            _ => Self::Equal,
        }
    }

    fn natural(target: &Variable<'_>) -> Self {
        let known = || (0..target.domain()).filter(|&code| target.shown(code) != UNMATCHED);
        let number = |code: u32| Some((target.number(code)?, code));
        let numbers: Option<Vec<(f64, u32)>> = known().map(number).collect();
        match numbers {
            Some(mut numbers) if numbers.len() > 1 => {
                numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
                Self::Ordered(numbers.into_iter().map(|(_, code)| code).collect())
            }
            _ => Self::Equal,
        }
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equal => DistanceKind::Equal,
            Self::Ordered(_) => DistanceKind::Ordered,
            Self::Hierarchical(..) => DistanceKind::Hierarchical,
            Self::Matrix(..) => DistanceKind::Matrix,
        }
        .name()
    }

    /// The earth mover's distance between two distributions over the codes of the target.
    fn between(&self, one: &[f64], other: &[f64]) -> f64 {
        let difference = |code: u32| one[code as usize] - other[code as usize];
        match self {
            Self::Equal => total_variation(one, other),
            Self::Ordered(order) => along_order(order, difference),
            Self::Hierarchical(hierarchy, leaves) => up_the_tree(hierarchy, leaves, difference),
            Self::Matrix(matrix, rows) => {
                let size = (matrix.len() as f64).sqrt() as usize;
                let by_row = |shares: &[f64]| {
                    let mut all = vec![0.0; size];
                    for (share, row) in shares.iter().zip(rows) {
                        all[row.map_or(0, |row| row as usize)] += row.map_or(0.0, |_| *share);
                    }
                    all
                };
                transported(matrix, &by_row(one), &by_row(other))
            }
        }
    }
}

fn total_variation(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
}

/// What must cross between neighbouring values, divided by the number of steps from the lowest to
/// the highest.
fn along_order(order: &[u32], difference: impl Fn(u32) -> f64) -> f64 {
    let steps = order.len().saturating_sub(1).max(1) as f64;
    let mut crossing = 0.0;
    let crossed = order.iter().map(|&code| {
        crossing += difference(code);
        f64::abs(crossing)
    });
    crossed.sum::<f64>() / steps
}

/// What must leave or enter every value of the hierarchy below the top: each step up and each step
/// down is half a level.
fn up_the_tree(
    hierarchy: &Hierarchy,
    leaves: &[Option<u32>],
    difference: impl Fn(u32) -> f64,
) -> f64 {
    let top = u8::from(hierarchy.top());
    let at_level = |level: u8| {
        let level = Level::from(level);
        let mut nets = vec![0.0; hierarchy.len(level)];
        for (code, leaf) in (0..).zip(leaves) {
            if let Some(leaf) = leaf {
                nets[hierarchy.ancestor(*leaf, level) as usize] += difference(code);
            }
        }
        nets.into_iter().map(f64::abs).sum::<f64>()
    };
    (0..top).map(at_level).sum::<f64>() / (2.0 * f64::from(top.max(1)))
}

/// Compares an answer with the truth; none if the truth is empty, because nothing can be divided by
/// it. Distances between distributions need a target.
pub fn errors(
    answer: &QueryTally,
    truth: &QueryTally,
    target: Option<(&Variable<'_>, &GroundDistance<'_>)>,
) -> Option<Errors> {
    if truth.total == 0.0 {
        return None;
    }
    let of = |(variable, distance): (&Variable<'_>, &GroundDistance<'_>)| {
        if answer.values.is_empty() {
            return (1.0, 1.0);
        }
        let shares = |tally: &QueryTally| -> Vec<f64> {
            (0..variable.domain()).map(|code| tally.share(code).unwrap_or(0.0)).collect()
        };
        let (one, other) = (shares(answer), shares(truth));
        (total_variation(&one, &other), distance.between(&one, &other))
    };
    let distances = target.map(of);
    Some(Errors {
        total_variation: distances.map(|(total_variation, _)| total_variation),
        earth_movers: distances.map(|(_, earth_movers)| earth_movers),
        relative_count: (answer.total - truth.total).abs() / truth.total,
    })
}

//! The statistics that PostgreSQL stores about a table for planning its queries; the table is not
//! read.
//!
//! For each column: its most common values with their shares, and bounds between which equally many
//! of the other records are. For several columns, if the database was configured to store such
//! statistics: their most common combinations, and how strongly one determines another. Columns
//! with joint statistics become neighbours in a tree; all others are assumed to be independent.

use haggle_cube::{ColumnStatistics, DatabaseStatistics};

use crate::network::{Pairs, tree};
use crate::{Error, Needs, Network, Summary, SummaryInput, SummaryKind};

pub(super) const KIND: SummaryKind = SummaryKind {
    id: "pg",
    title: "PostgreSQL's statistics",
    definition: "The statistics that the database stores for planning its queries; the table is not read.",
    needs: Needs::Statistics,
    make,
};

fn make(basis: &SummaryInput) -> Result<Box<dyn Summary>, Error> {
    let statistics = basis.statistics.as_ref().ok_or_else(|| {
        Error::new(
            "there are no database statistics here",
            "choose the summary histogram, bayes or sample, or a project with a database url",
        )
    })?;
    let columns = columns(basis, statistics)?;
    let kept: f64 = columns.iter().map(|column| column.kept).product();
    let shares: Vec<Vec<f64>> = columns.into_iter().map(|column| column.shares).collect();
    let records = (statistics.records * kept).round();
    if records < 1.0 {
        let fix = "run ANALYZE on it in the database, then try again";
        return Err(Error::new("the database has no statistics about the table's size", fix));
    }
    let domains = basis.domains();
    let known = PairStatistics { basis, statistics, shares: &shares };
    let parents = tree(&known, &domains);
    let table = |(variable, parents): (usize, &Vec<usize>)| match parents.first() {
        None => shares[variable].clone(),
        Some(&parent) => known.given(parent, variable),
    };
    let tables = parents.iter().enumerate().map(table).collect();
    let attributes = basis.attributes.clone();
    Ok(Box::new(Network::new(records, attributes, domains, parents, tables, shares.clone())))
}

/// A column's values according to the database.
struct PgMarginal {
    shares: Vec<f64>,
    /// The share of records that have one of the values.
    kept: f64,
}

fn names(basis: &SummaryInput) -> impl Iterator<Item = &str> {
    let quasi = basis.attributes.iter().map(|a| a.name.as_str());
    quasi.chain(basis.sensitive.iter().map(|s| s.name.as_str()))
}

/// The labels of a column's values, by code.
fn labels(basis: &SummaryInput, column: usize) -> Vec<&str> {
    match (basis.attributes.get(column), &basis.sensitive) {
        (Some(a), _) => {
            (0..a.hierarchy.len(0.into()) as u32).map(|c| a.hierarchy.label(c, 0.into())).collect()
        }
        (None, Some(sensitive)) => sensitive.values.values().collect(),
        (None, None) => Vec::new(),
    }
}

fn columns(
    basis: &SummaryInput,
    statistics: &DatabaseStatistics,
) -> Result<Vec<PgMarginal>, Error> {
    let column = |(i, name): (usize, &str)| {
        let known = statistics.columns.iter().find(|column| column.name == name);
        let known = known.ok_or_else(|| {
            let what = format!("the database has no statistics about '{name}'");
            Error::new(what, "run ANALYZE on the table in the database, then try again")
        })?;
        Ok(marginal(known, &labels(basis, i)))
    };
    names(basis).enumerate().map(column).collect()
}

/// Returns the shares of values: as stored if common, else by the bounds, else evenly.
fn marginal(column: &ColumnStatistics, labels: &[&str]) -> PgMarginal {
    let common = |label: &str| column.common.iter().find(|(value, _)| value == label);
    let mut shares: Vec<f64> =
        labels.iter().map(|label| common(label).map_or(0.0, |(_, share)| *share)).collect();
    let common_share: f64 = column.common.iter().map(|(_, share)| share).sum();
    let rest = (1.0 - column.nulls - common_share).max(0.0);
    let others: Vec<usize> = (0..labels.len()).filter(|&i| common(labels[i]).is_none()).collect();
    let all_common = column.distinct.is_some_and(|n| n <= column.common.len() as f64 + 0.5);
    if !all_common && !others.is_empty() {
        let others: Vec<(usize, &str)> = others.iter().map(|&i| (i, labels[i])).collect();
        for (i, share) in spread(&column.bounds, &others) {
            shares[i] += share * rest;
        }
    }
    let kept: f64 = shares.iter().sum();
    if kept > 0.0 {
        for share in &mut shares {
            *share /= kept;
        }
    }
    PgMarginal { shares, kept }
}

/// Returns the share of each other value: an equal amount between any two bounds.
fn spread(bounds: &[String], others: &[(usize, &str)]) -> Vec<(usize, f64)> {
    let even = 1.0 / others.len() as f64;
    let mut shares: Vec<(usize, f64)> = others.iter().map(|&(i, _)| (i, 0.0)).collect();
    if bounds.len() < 2 {
        return others.iter().map(|&(i, _)| (i, even)).collect();
    }
    let before = order(bounds, others);
    let part = 1.0 / (bounds.len() - 1) as f64;
    for pair in bounds.windows(2) {
        let inside: Vec<usize> = (0..others.len())
            .filter(|&i| !before(others[i].1, &pair[0]) && !before(&pair[1], others[i].1))
            .collect();
        let each = part / inside.len().max(1) as f64;
        for i in inside {
            shares[i].1 += each;
        }
    }
    shares
}

/// Returns a comparison of values: numeric if all are numbers, else lexicographic.
fn order(bounds: &[String], others: &[(usize, &str)]) -> impl Fn(&str, &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let numbers = bounds.iter().map(String::as_str).chain(others.iter().map(|o| o.1));
    let numeric = numbers.into_iter().all(|text| number(text).is_some());
    move |a: &str, b: &str| if numeric { number(a) < number(b) } else { a < b }
}

/// The statistics of pairs of columns.
struct PairStatistics<'a> {
    basis: &'a SummaryInput,
    statistics: &'a DatabaseStatistics,
    shares: &'a [Vec<f64>],
}

impl PairStatistics<'_> {
    fn name(&self, column: usize) -> &str {
        names(self.basis).nth(column).unwrap_or_default()
    }

    /// Returns the most common combinations, with all others as if independent; marginals are
    /// preserved.
    fn combinations(&self, first: usize, second: usize) -> Option<Vec<f64>> {
        let places = |columns: &[String]| {
            let place = |column: usize| columns.iter().position(|name| name == self.name(column));
            Some((place(first)?, place(second)?))
        };
        let mut kept = self.statistics.joint.iter().filter(|joint| !joint.common.is_empty());
        let (joint, (a, b)) = kept.find_map(|joint| Some((joint, places(&joint.columns)?)))?;
        let (rows, columns) = (labels(self.basis, first), labels(self.basis, second));
        let mut pair = vec![0.0; rows.len() * columns.len()];
        for (values, share) in &joint.common {
            let code = |labels: &[&str], value: &Option<String>| {
                labels.iter().position(|label| Some(*label) == value.as_deref())
            };
            if let (Some(x), Some(y)) = (code(&rows, &values[a]), code(&columns, &values[b])) {
                pair[x * columns.len() + y] += share;
            }
        }
        Some(self.completed(pair, first, second))
    }

    /// Adds what the combinations leave of each marginal.
    fn completed(&self, mut pair: Vec<f64>, first: usize, second: usize) -> Vec<f64> {
        let width = self.shares[second].len();
        let row = |x: usize, pair: &[f64]| pair[x * width..][..width].iter().sum::<f64>();
        let column = |y: usize, pair: &[f64]| pair.iter().skip(y).step_by(width).sum::<f64>();
        let left = |share: f64, counted: f64| (share - counted).max(0.0);
        let rows: Vec<f64> =
            self.shares[first].iter().enumerate().map(|(x, &s)| left(s, row(x, &pair))).collect();
        let columns: Vec<f64> = self.shares[second]
            .iter()
            .enumerate()
            .map(|(y, &s)| left(s, column(y, &pair)))
            .collect();
        let rest = rows.iter().sum::<f64>().max(columns.iter().sum());
        if rest > 0.0 {
            for (cell, (x, y)) in
                pair.iter_mut().zip((0..).flat_map(|x| (0..width).map(move |y| (x, y))))
            {
                *cell += rows[x] * columns[y] / rest;
            }
        }
        pair
    }

    /// Returns how strongly either column determines the other.
    fn degree(&self, first: usize, second: usize) -> f64 {
        let (first, second) = (self.name(first), self.name(second));
        let dependencies = self.statistics.joint.iter().flat_map(|joint| &joint.dependencies);
        let between = dependencies.filter(|d| {
            let from = |name: &str| d.from.len() == 1 && d.from[0] == name;
            (from(first) && d.to == second) || (from(second) && d.to == first)
        });
        between.map(|d| d.degree.clamp(0.0, 1.0)).fold(0.0, f64::max)
    }

    /// The probabilities of one column's values given the other's.
    fn given(&self, parent: usize, variable: usize) -> Vec<f64> {
        let own = &self.shares[variable];
        let mut table = self.pair(parent, variable);
        for row in table.chunks_exact_mut(own.len()) {
            let all: f64 = row.iter().sum();
            if all > 0.0 {
                for share in row {
                    *share /= all;
                }
            } else {
                row.copy_from_slice(own);
            }
        }
        table
    }
}

impl Pairs for PairStatistics<'_> {
    fn pair(&self, first: usize, second: usize) -> Vec<f64> {
        if let Some(pair) = self.combinations(first, second) {
            return pair;
        }
        let (rows, columns) = (&self.shares[first], &self.shares[second]);
        let degree = self.degree(first, second);
        let along = if degree > 0.0 { aligned(rows, columns) } else { Vec::new() };
        let mut pair = Vec::with_capacity(rows.len() * columns.len());
        for (x, row) in rows.iter().enumerate() {
            for (y, column) in columns.iter().enumerate() {
                let along = along.get(x * columns.len() + y).copied().unwrap_or(0.0);
                pair.push(degree * along + (1.0 - degree) * row * column);
            }
        }
        pair
    }
}

/// Returns two columns as if one determined the other. Which values belong together is not stored,
/// so they are matched in order: groups then have realistic sizes.
fn aligned(rows: &[f64], columns: &[f64]) -> Vec<f64> {
    let mut pair = vec![0.0; rows.len() * columns.len()];
    let (mut x, mut y) = (0, 0);
    let (mut row, mut column) = (rows[0], columns[0]);
    loop {
        let shared = row.min(column);
        pair[x * columns.len() + y] += shared;
        (row, column) = (row - shared, column - shared);
        if row <= column {
            x += 1;
            let Some(&next) = rows.get(x) else { return pair };
            row = next;
        } else {
            y += 1;
            let Some(&next) = columns.get(y) else { return pair };
            column = next;
        }
    }
}

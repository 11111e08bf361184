//! The table of 004, section 5.2: a clique of a graph by optimal 2-diversity.

use std::collections::BTreeSet;

use haggle_search::strategies::find;
use haggle_testkit::{Attribute, Table};

use super::sides::{Asked, Case, looks, run_weighted};

/// The edges of figure 5.2-2, and how large the clique is that is asked for.
const EDGES: [(usize, usize); 5] = [(1, 2), (2, 3), (3, 4), (2, 4), (2, 5)];
const VERTICES: usize = 5;
const K: usize = 3;

/// A table of rows with the same two-level hierarchies, and a sensitive value for each row.
pub(crate) fn table(rows: &[Vec<&str>], secrets: &[&str]) -> Table {
    let attribute = |i: usize| {
        let values: BTreeSet<&str> = rows.iter().map(|row| row[i]).collect();
        let rows = values.into_iter().map(|value| vec![value.to_owned(), "*".to_owned()]);
        Attribute { name: format!("c{i}"), rows: rows.collect() }
    };
    let record = |(row, secret): (&Vec<&str>, &&str)| {
        row.iter().chain([secret]).map(ToString::to_string).collect()
    };
    Table {
        attributes: (0..rows[0].len()).map(attribute).collect(),
        sensitive: vec!["colour".into()],
        records: rows.iter().zip(secrets).map(record).collect(),
    }
}

/// The table for a vertex: row and columns as in construction 5.2.3, and the colours of the rows.
///
/// `T_3` has as many equal columns for each lower row as `columns` says: all 25 of them, or one that
/// stands for all.
struct CliqueTable {
    rows: Vec<Vec<&'static str>>,
    black: BTreeSet<usize>,
}

impl CliqueTable {
    fn of(vertex: usize, columns: usize) -> Self {
        let lower = VERTICES - K;
        let mut rows: Vec<Vec<&str>> = vec![Vec::new(); VERTICES + lower];
        for (p, q) in EDGES {
            let others: Vec<usize> = (1..=VERTICES).filter(|v| *v != p && *v != q).collect();
            for (row, cells) in rows.iter_mut().enumerate() {
                let vertex = row + 1;
                cells.push(if vertex == p {
                    "1"
                } else if vertex == q {
                    "2"
                } else {
                    "0"
                });
                cells.extend(others.iter().map(|o| if *o == vertex { "1" } else { "0" }));
            }
        }
        for below in 0..lower {
            for (row, cells) in rows.iter_mut().enumerate() {
                cells.extend(vec![if row == VERTICES + below { "1" } else { "0" }; columns]);
            }
        }
        let black = [vertex].into_iter().chain(VERTICES + 1..=VERTICES + lower).collect();
        Self { rows, black }
    }

    /// The starred cells of rows that are published alike.
    fn cost(&self, group: &[usize]) -> usize {
        let differ = |column: &usize| {
            let cells: BTreeSet<&str> =
                group.iter().map(|row| self.rows[row - 1][*column]).collect();
            cells.len() > 1
        };
        group.len() * (0..self.rows[0].len()).filter(differ).count()
    }

    fn is_diverse(&self, group: &[usize]) -> bool {
        let black = group.iter().filter(|row| self.black.contains(row)).count();
        0 < black && black < group.len()
    }

    /// The least cost of a partition whose groups are all allowed, and the partitions that have it.
    fn least(&self, allowed: &dyn Fn(&[usize]) -> bool) -> (usize, Vec<Vec<Vec<usize>>>) {
        let mut best = (usize::MAX, Vec::new());
        for partition in partitions(self.rows.len()) {
            if partition.iter().all(|group| allowed(group)) {
                let cost: usize = partition.iter().map(|group| self.cost(group)).sum();
                match cost.cmp(&best.0) {
                    std::cmp::Ordering::Less => best = (cost, vec![partition]),
                    std::cmp::Ordering::Equal => best.1.push(partition),
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        best
    }

    /// What a strategy finds: the groups of rows, and what they cost, with one column of `T_3` for
    /// each lower row, of the weight of all that are equal to it.
    fn found(vertex: usize, id: &str, asked: Asked) -> (BTreeSet<Vec<usize>>, usize) {
        let merged = Self::of(vertex, 1);
        let colour = |row: &usize| if merged.black.contains(row) { "1" } else { "0" };
        let numbers: Vec<usize> = (1..=merged.rows.len()).collect();
        let colours: Vec<&str> = numbers.iter().map(colour).collect();
        let case = Case {
            table: table(&merged.rows, &colours),
            asked: vec![asked],
            limit: 0,
            caps: vec![0],
            box_ends: haggle_cube::BoxEnds::default(),
        };
        let mut weights = vec![1.0; EDGES.len() * (VERTICES - 1)];
        weights.extend(vec![(EDGES.len() * (2 * K - 1)) as f64; VERTICES - K]);
        let strategy = find(id).unwrap();
        let measure = haggle_loss::find("redaction").unwrap();
        let ran = run_weighted(&case, measure, &weights, |task| (strategy.run)(task).unwrap());
        let (outcome, suppressed, _) = ran.found.expect("it is possible");
        assert_eq!(suppressed, 0);
        let groups = looks(&case, &ran.cube, &outcome).into_values();
        let groups: BTreeSet<Vec<usize>> =
            groups.map(|rows| rows.into_iter().map(|row| row + 1).collect()).collect();
        let full = Self::of(vertex, EDGES.len() * (2 * K - 1));
        let cost = groups.iter().map(|group| full.cost(group)).sum();
        (groups, cost)
    }
}

/// All partitions of the numbers from 1.
fn partitions(n: usize) -> Vec<Vec<Vec<usize>>> {
    let mut all = vec![Vec::new()];
    for next in 1..=n {
        let with = |partition: &Vec<Vec<usize>>| -> Vec<Vec<Vec<usize>>> {
            let place = |at: usize| {
                let mut more = partition.clone();
                if at == more.len() {
                    more.push(vec![next]);
                } else {
                    more[at].push(next);
                }
                more
            };
            (0..=partition.len()).map(place).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Figure 5.2-5: the optimal 2-diverse table costs 159, which six partitions reach. The clique
/// problem for v1 has no solution, so this is more than 156.
#[test]
fn optimal_2_diversity_of_the_example_stars_159_cells() {
    let table = CliqueTable::of(1, EDGES.len() * (2 * K - 1));
    assert_eq!((table.rows.len(), table.rows[0].len()), (7, 70));
    let (cost, partitions) = table.least(&|group| table.is_diverse(group));
    assert_eq!((cost, partitions.len()), (159, 6));
    let printed = vec![vec![1, 2, 3], vec![4, 6], vec![5, 7]];
    assert!(partitions.contains(&printed), "{partitions:?}");
    let (groups, cost) = CliqueTable::found(1, "local-suppression", Asked::L(2));
    assert_eq!(cost, 159);
    assert!(partitions.iter().any(|one| one.iter().cloned().collect::<BTreeSet<_>>() == groups));
}

/// Figure 5.2-6: for v2 it costs 156, by two partitions, and the clique {v2, v3, v4} is found.
#[test]
fn optimal_2_diversity_finds_the_clique_of_the_example() {
    let table = CliqueTable::of(2, EDGES.len() * (2 * K - 1));
    let (cost, partitions) = table.least(&|group| table.is_diverse(group));
    assert_eq!((cost, partitions.len()), (156, 2));
    assert!(partitions.iter().all(|one| one.contains(&vec![2, 3, 4])), "{partitions:?}");
    let (groups, cost) = CliqueTable::found(2, "local-suppression", Asked::L(2));
    assert_eq!(cost, 156);
    assert!(groups.contains(&vec![2, 3, 4]));
}

/// Lemma 5.2.18: the cost is |E|K² − mK + 4K|E|(|V| − K), with m the most edges among K vertices.
/// The set Ψ of the lemma must hold only sets with the vertex itself: over all sets m would be 3 for
/// v1 as well, and the formula 156.
#[test]
fn the_formula_holds_for_sets_with_the_vertex_only() {
    let edges =
        |set: &[usize]| EDGES.iter().filter(|(p, q)| set.contains(p) && set.contains(q)).count();
    let most = |with: Option<usize>| {
        let sets = partitions(VERTICES).into_iter().flatten().filter(|set| set.len() == K);
        sets.filter(|set| with.is_none_or(|v| set.contains(&v)))
            .map(|set| edges(&set))
            .max()
            .unwrap()
    };
    let formula = |m: usize| EDGES.len() * K * K - m * K + 4 * K * EDGES.len() * (VERTICES - K);
    for vertex in 1..=VERTICES {
        let table = CliqueTable::of(vertex, EDGES.len() * (2 * K - 1));
        let (cost, _) = table.least(&|group| table.is_diverse(group));
        assert_eq!(cost, formula(most(Some(vertex))), "v{vertex}");
    }
    assert_eq!((formula(most(Some(1))), formula(most(None))), (159, 156));
}

/// Section 5.1: optimal 2-anonymity of the same table is polynomial, and costs 156.
#[test]
fn optimal_2_anonymity_of_the_example_stars_156_cells() {
    let table = CliqueTable::of(1, EDGES.len() * (2 * K - 1));
    assert_eq!(table.least(&|group| group.len() > 1).0, 156);
    for id in ["simplex-matching", "local-suppression"] {
        assert_eq!(CliqueTable::found(1, id, Asked::K(2)).1, 156, "{id}");
    }
}

/// The approximation of 2-diversity, on the table that shows how hard it is.
#[test]
fn the_approximation_is_near_the_optimum_of_the_example() {
    for (vertex, least) in [(1, 159), (2, 156)] {
        let (_, cost) = CliqueTable::found(vertex, "two-diversity", Asked::L(2));
        assert!((least..=least + 12).contains(&cost), "v{vertex}: {cost}");
    }
}

//! Cell suppression against all partitions of the records, from their strings.

use std::cell::RefCell;
use std::collections::BTreeSet;

use haggle_model::Level;
use haggle_search::strategies::{Ending, Task, find};
use haggle_testkit::Attribute;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check};
use proptest::prelude::*;

use super::clique::table;
use super::promises::assert_kept;
use super::sides::{
    Asked, Case, Ran, SMALL, cases, closed, looks, monotone, run_weighted, says_nothing,
};

/// Tables of which all partitions can be tried.
const TINY: Shape = Shape { attributes: 4, schemes: 40, records: 7, sensitive: 1 };

/// A case in which every attribute may be starred or not, and what stars cost.
#[derive(Debug, Clone)]
struct Weighted {
    case: Case,
    weights: Vec<f64>,
}

impl Weighted {
    fn width(&self) -> usize {
        self.case.table.attributes.len()
    }

    /// Whether records with the same quasi-identifiers may be in different groups.
    fn splits(&self) -> bool {
        self.case.table.sensitive.len() == 1
    }

    fn stars_all(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// By set of records (as bits), its cost as a group and whether it shows anything; none if it may
    /// not be a group.
    fn groups(&self) -> Vec<Option<(f64, bool)>> {
        let cube = self.case.cube();
        let (caps, top) = (self.case.caps(&cube), cube.space().top().clone());
        let records = &self.case.table.records;
        let group = |bits: usize| {
            let group: Vec<usize> = (0..records.len()).filter(|r| bits >> r & 1 == 1).collect();
            let (mut cost, mut shown) = (0.0, false);
            for (i, weight) in self.weights.iter().enumerate() {
                let values: BTreeSet<&str> =
                    group.iter().map(|&r| records[r][i].as_str()).collect();
                let is_starred = values.len() > 1;
                if is_starred && caps.level(i) < top.level(i) {
                    return None;
                }
                cost += if is_starred { weight * group.len() as f64 } else { 0.0 };
                let is_constant = cube.attributes()[i].hierarchy.len(0.into()) == 1;
                let can_star = !is_constant || top.level(i) > Level::RECORDED;
                shown |= !is_starred && can_star;
            }
            (bits > 0 && self.case.passes(&group)).then_some((cost, shown))
        };
        (0..1 << records.len()).map(group).collect()
    }

    /// The least cost over all partitions, suppressed records starred in every cell.
    fn least(&self) -> Option<f64> {
        let mut search =
            AllPartitions { of: self, groups: self.groups(), partition: Vec::new(), best: None };
        search.extend(0, 0);
        search.best
    }

    fn may_star_all(&self) -> bool {
        let cube = self.case.cube();
        self.case.caps(&cube) == *cube.space().top()
    }

    /// The least total distance of pairs with different values that touch every record.
    fn cheapest_pairs(&self) -> f64 {
        let records = &self.case.table.records;
        let distance = |u: usize, v: usize| -> f64 {
            let differ = (0..self.width()).filter(|&i| records[u][i] != records[v][i]);
            differ.map(|i| self.weights[i]).sum()
        };
        let mut least = vec![f64::INFINITY; 1 << records.len()];
        least[0] = 0.0;
        for covered in 0..least.len() {
            for (u, v) in (0..records.len()).flat_map(|u| (0..u).map(move |v| (u, v))) {
                let more = covered | 1 << u | 1 << v;
                if records[u][self.width()] != records[v][self.width()] {
                    least[more] = least[more].min(least[covered] + distance(u, v));
                }
            }
        }
        least[least.len() - 1]
    }

    fn run(&self, id: &str) -> Ran {
        let strategy = find(id).unwrap();
        let run = |task: &Task<'_>| -> Ending { (strategy.run)(task).expect("it is allowed") };
        run_weighted(&self.case, haggle_loss::find("redaction").unwrap(), &self.weights, run)
    }

    /// What was found costs, from what every record became.
    fn cost_of(&self, ran: &Ran) -> Option<f64> {
        let (outcome, ..) = ran.found.as_ref()?;
        let looks = looks(&self.case, &ran.cube, outcome);
        let cost = |(sets, records): (&Vec<BTreeSet<String>>, &Vec<usize>)| {
            let mut cells = sets.iter().zip(ran.cube.attributes());
            let silent = looks.len() > 1 && cells.all(|(set, a)| says_nothing(set, a));
            let starred = sets.iter().zip(&self.weights).filter(|(set, _)| silent || set.len() > 1);
            starred.map(|(_, weight)| weight).sum::<f64>() * records.len() as f64
        };
        Some(looks.iter().map(cost).sum())
    }
}

/// Every partition of the records, some of them suppressed.
struct AllPartitions<'w> {
    of: &'w Weighted,
    groups: Vec<Option<(f64, bool)>>,
    /// The groups so far, as bits.
    partition: Vec<usize>,
    best: Option<f64>,
}

impl AllPartitions<'_> {
    /// Puts the next record into each group, a new one, or among those that are suppressed.
    fn extend(&mut self, next: usize, left: usize) {
        let records = &self.of.case.table.records;
        if next == records.len() {
            self.compare(left);
            return;
        }
        let width = self.of.width();
        let alike = |r: &usize| records[*r][..width] == records[next][..width];
        let bound = (0..next).find(alike).filter(|_| !self.of.splits());
        let may_join = |bits: usize| bound.is_none_or(|r| bits >> r & 1 == 1);
        for place in 0..self.partition.len() {
            if may_join(self.partition[place]) {
                self.partition[place] |= 1 << next;
                self.extend(next + 1, left);
                self.partition[place] &= !(1 << next);
            }
        }
        if bound.is_none() {
            self.partition.push(1 << next);
            self.extend(next + 1, left);
            self.partition.pop();
        }
        if may_join(left) {
            self.extend(next + 1, left | 1 << next);
        }
    }

    fn compare(&mut self, left: usize) {
        let suppressed = u64::from(left.count_ones());
        if suppressed > self.of.case.limit || self.partition.is_empty() {
            return;
        }
        let whole = self.partition.len() == 1 && left == 0;
        let cost = |&bits: &usize| {
            self.groups[bits].filter(|(_, shown)| *shown || whole).map(|(cost, _)| cost)
        };
        let costs: Option<f64> = self.partition.iter().map(cost).sum();
        let cost = costs.map(|cost| cost + suppressed as f64 * self.of.stars_all());
        if cost.is_some_and(|cost| self.best.is_none_or(|best| cost < best)) {
            self.best = cost;
        }
    }
}

/// Random requests with random weights; half of the tables are without a second sensitive attribute.
fn weighted(
    asked: impl Strategy<Value = Vec<Asked>>,
    shape: Shape,
    limited: bool,
) -> impl Strategy<Value = Weighted> {
    let weight = prop_oneof![3 => Just(1.0), 1 => Just(0.5), 1 => Just(3.0)];
    let weights = prop::collection::vec(weight, 5);
    let constant = prop::option::weighted(0.4, 0..5_usize);
    (cases(asked, shape, limited), weights, any::<bool>(), constant).prop_map(
        |(mut case, weights, one, constant)| {
            if one {
                case = with_one_sensitive(case);
            }
            if let Some(attribute) = constant {
                make_constant(&mut case, attribute);
            }
            let weights = weights[..case.table.attributes.len()].to_vec();
            Weighted { case, weights }
        },
    )
}

/// Gives every record the same value of one of the attributes, which then has no other.
fn make_constant(case: &mut Case, attribute: usize) {
    let table = &mut case.table;
    let attribute = attribute % table.attributes.len();
    let value = table.records[0][attribute].clone();
    table.records.iter_mut().for_each(|record| record[attribute].clone_from(&value));
    table.attributes[attribute].rows.retain(|row| row[0] == value);
}

fn with_one_sensitive(mut case: Case) -> Case {
    case.table.sensitive.truncate(1);
    let width = case.table.attributes.len() + 1;
    case.table.records.iter_mut().for_each(|record| record.truncate(width));
    case
}

#[test]
fn local_suppression_of_small_tables_stars_the_least() {
    let seen = RefCell::new([0, 0, 0]);
    let asked = prop_oneof![3 => monotone().boxed(), 1 => closed().boxed()];
    check(250, &weighted(asked, TINY, true), |case| {
        let ran = case.run("local-suppression");
        prop_assert_eq!(case.cost_of(&ran), case.least());
        let mut seen = seen.borrow_mut();
        seen[0] += u32::from(ran.found.is_some());
        if let Some((outcome, suppressed, _)) = &ran.found {
            prop_assert!(outcome.proven);
            assert_kept(&case.case, &ran.cube, outcome, *suppressed, "local-suppression");
            seen[1] += u32::from(outcome.split.is_some());
            seen[2] += u32::from(*suppressed > 0);
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen[0] > enough(100) && seen[1] > enough(5) && seen[2] > enough(15), "{seen:?}");
}

/// Of the records a, a, a, b one a is published together with b, the others as they are.
#[test]
fn records_with_the_same_values_may_be_published_differently() {
    let rows = [["a", "x"], ["a", "x"], ["a", "x"], ["b", "x"], ["c", "y"], ["c", "y"]];
    let table = table(&rows.map(|row| row.to_vec()), &["1"; 6]);
    let case = Case {
        table,
        asked: vec![Asked::K(2)],
        limit: 0,
        caps: vec![0],
        box_ends: haggle_cube::BoxEnds::default(),
    };
    let case = Weighted { case, weights: vec![1.0, 1.0] };
    for id in ["local-suppression", "simplex-matching"] {
        let ran = case.run(id);
        assert_eq!(case.cost_of(&ran), Some(2.0), "{id}");
        let (outcome, ..) = ran.found.unwrap();
        let sizes: Vec<usize> =
            looks(&case.case, &ran.cube, &outcome).values().map(Vec::len).collect();
        assert_eq!(sizes, [2, 2, 2], "{id}");
    }
}

/// The value of a constant is shown: next to a, z twice, b and d are published as *, z.
#[test]
fn a_constant_attribute_costs_no_stars() {
    let least = |values: &[&str], limit: u64, id: &str| {
        let rows: Vec<Vec<&str>> = values.iter().map(|value| vec![*value, "z"]).collect();
        let table = table(&rows, &vec!["1"; rows.len()]);
        let case = Case {
            table,
            asked: vec![Asked::K(2)],
            limit,
            caps: vec![0],
            box_ends: haggle_cube::BoxEnds::default(),
        };
        let case = Weighted { case, weights: vec![1.0, 1.0] };
        let ran = case.run(id);
        assert_eq!(case.cost_of(&ran), case.least(), "{id} {values:?} {limit}");
        (case.cost_of(&ran).unwrap(), ran.found.unwrap().1)
    };
    for id in ["local-suppression", "simplex-matching"] {
        assert_eq!(least(&["a", "a", "b", "d"], 0, id), (2.0, 0), "{id}");
    }
    // To suppress a costs two stars, a group with both b three; c keeps its constant either way.
    assert_eq!(least(&["a", "b", "b", "c", "c"], 5, "local-suppression"), (2.0, 1));
    assert_eq!(least(&["a", "b", "b", "c", "c"], 0, "simplex-matching"), (3.0, 0));
}

#[test]
fn local_suppression_keeps_its_promise_on_larger_tables() {
    let seen = RefCell::new([0, 0]);
    let asked = prop_oneof![monotone().boxed(), closed().boxed()];
    check(150, &weighted(asked, SMALL, true), |case| {
        let ran = case.run("local-suppression");
        let mut seen = seen.borrow_mut();
        if let Some((outcome, suppressed, _)) = &ran.found {
            prop_assert!(*suppressed <= case.case.limit);
            assert_kept(&case.case, &ran.cube, outcome, *suppressed, "local-suppression");
            seen[0] += u32::from(outcome.split.is_some());
        }
        seen[1] += u32::from(ran.found.is_some());
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen[0] > enough(5) && seen[1] > enough(50), "{seen:?}");
}

/// Whether the only value of an attribute has the label of the top.
fn is_starred_as_recorded(attribute: &Attribute) -> bool {
    matches!(&attribute.rows[..], [row] if row.first() == row.last())
}

/// Simplex matching finds the least over all partitions: groups of four and more never save stars.
#[test]
fn simplex_matching_is_optimal_two_anonymity() {
    let seen = RefCell::new([0, 0]);
    check(250, &weighted(Just(vec![Asked::K(2)]), TINY, true), |mut case| {
        // Whether a star shows something is not defined where it looks like the only value.
        prop_assume!(!case.case.table.attributes.iter().any(is_starred_as_recorded));
        case.case = with_one_sensitive(case.case);
        case.case.limit = case.case.table.records.len() as u64;
        let ran = case.run("simplex-matching");
        let Some(cost) = case.cost_of(&ran) else { return Ok(()) };
        let (outcome, suppressed, _) = ran.found.as_ref().unwrap();
        prop_assert!(outcome.proven);
        assert_kept(&case.case, &ran.cube, outcome, *suppressed, "simplex-matching");
        // A suppressed record alone costs no more than one in a pair that shows nothing.
        let least = case.least().expect("it was found");
        prop_assert!(cost >= least - 1e-9);
        if *suppressed == 0 {
            case.case.limit = 0;
            prop_assert_eq!(Some(cost), case.least());
            seen.borrow_mut()[0] += 1;
            seen.borrow_mut()[1] += u32::from(outcome.split.is_some());
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen[0] > enough(60) && seen[1] > enough(5), "{seen:?}");
}

/// The proven ratio of the 2-diversity approximation, and how far it is from it.
#[test]
fn two_diversity_keeps_its_ratio() {
    let seen = RefCell::new((0, 0, 1.0_f64));
    check(1250, &weighted(Just(vec![Asked::L(2)]), TINY, true), |mut case| {
        case.case = with_one_sensitive(case.case);
        case.case.limit = case.case.table.records.len() as u64;
        let ran = case.run("two-diversity");
        let Some(cost) = case.cost_of(&ran) else { return Ok(()) };
        let (outcome, suppressed, _) = ran.found.as_ref().unwrap();
        assert_kept(&case.case, &ran.cube, outcome, *suppressed, "two-diversity");
        let least = case.least().expect("it was found");
        let lightest = case.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = case.stars_all() / lightest;
        prop_assert!(cost <= ratio * least + 1e-9, "{cost} {least} {ratio}");
        // The pairs that bound the optimum from below, where every attribute may be starred.
        if case.may_star_all() {
            prop_assert!(case.cheapest_pairs() <= least + 1e-9);
        }
        let mut seen = seen.borrow_mut();
        seen.0 += 1;
        seen.1 += i32::from(cost > least);
        seen.2 = if least > 0.0 { seen.2.max(cost / least) } else { seen.2 };
        Ok(())
    });
    let (found, not_optimal, worst) = seen.into_inner();
    assert!(found > enough(450) && not_optimal > 0 && worst < 3.0, "{found} {not_optimal} {worst}");
}

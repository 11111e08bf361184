//! k-Optimize finds the best of all cuts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_search::strategies::find;
use haggle_testkit::generate::{Shape, check};
use haggle_testkit::oracle::full_paths;
use haggle_testkit::oracle::losses::Losses;
use proptest::prelude::*;

use super::sides::{Asked, Case, cases, closed, monotone, run, same};

type Set = BTreeSet<String>;

/// Every cut of an attribute: sets of values, from its paths. A cut is the set of all values alone or
/// one cut for each set at the next level down, none above the cap.
fn cuts(paths: &BTreeMap<String, Vec<String>>, cap: usize) -> BTreeSet<BTreeSet<Set>> {
    fn below(
        values: &Set,
        level: usize,
        cap: usize,
        paths: &BTreeMap<String, Vec<String>>,
    ) -> BTreeSet<BTreeSet<Set>> {
        let mut cuts = BTreeSet::new();
        if level <= cap {
            cuts.insert(BTreeSet::from([values.clone()]));
        }
        if level == 0 {
            return cuts;
        }
        let mut children: BTreeMap<&str, Set> = BTreeMap::new();
        for value in values {
            children.entry(&paths[value][level - 1]).or_default().insert(value.clone());
        }
        let mut joined = vec![BTreeSet::new()];
        for child in children.values() {
            let options = below(child, level - 1, cap, paths);
            joined = joined
                .iter()
                .flat_map(|cut: &BTreeSet<Set>| {
                    options.iter().map(|option| cut | option).collect::<Vec<_>>()
                })
                .collect();
        }
        cuts.extend(joined);
        cuts
    }
    let all: Set = paths.keys().cloned().collect();
    let top = paths.values().next().unwrap().len() - 1;
    below(&all, top, cap, paths)
}

/// Returns the least loss of any feasible cut; fails if there are too many cuts to try.
fn least(case: &Case, measure: &str) -> Result<Option<f64>, ()> {
    let caps = case.caps(&case.cube());
    let attributes: Vec<Vec<BTreeSet<Set>>> = case
        .table
        .attributes
        .iter()
        .zip(caps.levels())
        .map(|(a, cap)| cuts(&full_paths(&a.rows).unwrap(), cap.index()).into_iter().collect())
        .collect();
    if attributes.iter().map(Vec::len).product::<usize>() > 400 {
        return Err(());
    }
    let losses = Losses::of(&case.table);
    let combined =
        attributes.iter().fold(vec![Vec::new()], |rows: Vec<Vec<&BTreeSet<Set>>>, cuts| {
            rows.iter()
                .flat_map(|row| {
                    cuts.iter().map(|cut| [&row[..], &[cut]].concat()).collect::<Vec<_>>()
                })
                .collect()
        });
    let weigh = |cut: &Vec<&BTreeSet<Set>>| {
        let sets: Vec<Vec<Set>> = case
            .table
            .records
            .iter()
            .map(|record| {
                cut.iter()
                    .zip(record)
                    .map(|(cut, value)| cut.iter().find(|set| set.contains(value)).unwrap().clone())
                    .collect()
            })
            .collect();
        let mut groups: BTreeMap<&Vec<Set>, Vec<usize>> = BTreeMap::new();
        for (i, look) in sets.iter().enumerate() {
            groups.entry(look).or_default().push(i);
        }
        let fails: BTreeSet<usize> =
            groups.values().filter(|records| !case.passes(records)).flatten().copied().collect();
        let all = case.table.records.len();
        let will_do = fails.len() as u64 <= case.limit && fails.len() < all;
        let weights = vec![1.0; case.table.attributes.len()];
        will_do.then(|| {
            losses.published_as(&sets, &|i| !fails.contains(&i)).loss(measure, &weights, 0)
        })
    };
    Ok(combined.iter().filter_map(weigh).min_by(f64::total_cmp))
}

#[test]
fn k_optimize_finds_the_best_cut() {
    let shape = Shape { attributes: 2, schemes: 12, records: 40, sensitive: 1 };
    let seen = RefCell::new(BTreeMap::<(bool, bool), u32>::new());
    for (measure, count) in [("lm", 200), ("discernibility", 100), ("normalised-loss", 60)] {
        let asked = prop_oneof![3 => monotone().boxed(), 2 => closed().boxed()];
        check(count, &cases(asked, shape, true), |case| {
            let Ok(expected) = least(&case, measure) else { return Ok(()) };
            let entry = haggle_loss::find(measure).unwrap();
            let found = run(&case, find("k-optimize").unwrap(), entry).found;
            let is_closed =
                case.asked.iter().any(|a| matches!(a, Asked::T(_) | Asked::Frequency(_)));
            *seen.borrow_mut().entry((is_closed, found.is_some())).or_default() += 1;
            prop_assert_eq!(found.is_some(), expected.is_some());
            if let (Some((outcome, _, loss)), Some(expected)) = (found, expected) {
                prop_assert!(same(loss, expected), "{} is {loss}, not {expected}", measure);
                prop_assert!(outcome.proven);
            }
            Ok(())
        });
    }
    let seen = seen.borrow();
    assert!(seen.len() == 4 && seen.values().all(|&times| times >= 5), "{seen:?}");
}

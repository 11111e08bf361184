//! Samarati, Incognito and OLA find what full enumeration finds; Datafly finds a feasible scheme.

use std::cell::RefCell;
use std::collections::BTreeMap;

use haggle_model::{Recoding, Scheme};
use haggle_search::strategies::find;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::Oracle;
use haggle_testkit::oracle::losses::Losses;
use proptest::prelude::*;

use super::sides::{Case, SMALL, cases, closed, monotone, run, same};

/// A scheme by enumeration: how many records it suppresses, and which groups it keeps.
struct Tried {
    levels: Vec<u8>,
    suppressed: u64,
}

/// Returns every feasible scheme under the caps.
fn feasible(case: &Case, caps: &Scheme) -> Vec<Tried> {
    let oracle = Oracle::of(&case.table);
    let under =
        |levels: &Vec<u8>| levels.iter().zip(caps.levels()).all(|(&l, &cap)| l <= u8::from(cap));
    let tried = |levels: Vec<u8>| {
        let groups = groups(case, &levels);
        let suppressed = groups.values().filter(|records| !case.passes(records));
        Tried { suppressed: suppressed.map(|records| records.len() as u64).sum(), levels }
    };
    let all = case.table.records.len() as u64;
    let schemes = oracle.schemes().into_iter().filter(under).map(tried);
    schemes.filter(|tried| tried.suppressed <= case.limit && tried.suppressed < all).collect()
}

/// The records of each group of a scheme.
fn groups(case: &Case, levels: &[u8]) -> BTreeMap<Vec<String>, Vec<usize>> {
    let paths: Vec<_> = case
        .table
        .attributes
        .iter()
        .map(|a| haggle_testkit::oracle::full_paths(&a.rows).unwrap())
        .collect();
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (i, record) in case.table.records.iter().enumerate() {
        let look = paths.iter().zip(levels).zip(record);
        let look = look.map(|((paths, &level), value)| paths[value][level as usize].clone());
        groups.entry(look.collect()).or_default().push(i);
    }
    groups
}

fn loss(case: &Case, levels: &[u8], id: &str) -> f64 {
    let kept = groups(case, levels);
    let keeps = |labels: &[&str]| {
        let labels: Vec<String> = labels.iter().map(|&label| label.into()).collect();
        case.passes(&kept[&labels])
    };
    let weights = vec![1.0; levels.len()];
    Losses::of(&case.table).published(levels, &keeps).loss(id, &weights, 0)
}

/// The levels of what a strategy found.
fn found(case: &Case, strategy: &str, measure: &str) -> Option<(Vec<u8>, u64, f64)> {
    let ran = run(case, find(strategy).unwrap(), haggle_loss::find(measure).unwrap());
    ran.found.map(|(outcome, suppressed, loss)| {
        let Recoding::Levels { scheme } = outcome.recoding else { panic!("it is a scheme") };
        (scheme.levels().iter().map(|&level| level.into()).collect(), suppressed, loss)
    })
}

fn assert_samarati(case: &Case) {
    let caps = case.caps(&case.cube());
    let expected = feasible(case, &caps).into_iter().min_by_key(|tried| {
        let height: u32 = tried.levels.iter().map(|&level| u32::from(level)).sum();
        (height, tried.suppressed, tried.levels.clone())
    });
    let found = found(case, "samarati", "lm").map(|(levels, suppressed, _)| (levels, suppressed));
    assert_eq!(found, expected.map(|tried| (tried.levels, tried.suppressed)));
}

fn assert_least_loss(case: &Case, measure: &str) -> bool {
    let caps = case.caps(&case.cube());
    let all = feasible(case, &caps);
    let lies_below = |a: &Tried, b: &Tried| {
        a.levels != b.levels && a.levels.iter().zip(&b.levels).all(|(a, b)| a <= b)
    };
    let minimal = all.iter().filter(|tried| !all.iter().any(|other| lies_below(other, tried)));
    let least = minimal.map(|tried| loss(case, &tried.levels, measure)).min_by(f64::total_cmp);
    for strategy in ["incognito", "incognito-top-down", "ola"] {
        let found = found(case, strategy, measure);
        assert_eq!(found.is_some(), least.is_some(), "{strategy}");
        if let (Some((levels, suppressed, loss)), Some(least)) = (found, least) {
            assert!(same(loss, least), "{strategy} found {levels:?} with {loss}, not {least}");
            let tried = all.iter().find(|tried| tried.levels == levels);
            assert_eq!(tried.map(|tried| tried.suppressed), Some(suppressed), "{strategy}");
        }
    }
    least.is_some()
}

#[test]
fn samarati_finds_the_lowest_scheme() {
    check(300, &cases(monotone(), SMALL, true), |case| {
        assert_samarati(&case);
        Ok(())
    });
    check(150, &cases(closed(), SMALL, false), |case| {
        assert_samarati(&case);
        Ok(())
    });
}

#[test]
fn incognito_and_ola_find_the_least_loss_of_all_minimal_schemes() {
    let seen = RefCell::new([0; 2]);
    for measure in ["lm", "discernibility"] {
        check(200, &cases(monotone(), SMALL, true), |case| {
            seen.borrow_mut()[usize::from(assert_least_loss(&case, measure))] += 1;
            Ok(())
        });
        check(100, &cases(closed(), SMALL, false), |case| {
            seen.borrow_mut()[usize::from(assert_least_loss(&case, measure))] += 1;
            Ok(())
        });
    }
    assert!(seen.borrow().iter().all(|&times| times >= enough(50)), "{seen:?}");
}

/// Pruning more than a model allows is refused.
#[test]
fn strategies_that_prune_refuse_models_that_are_not_monotone() {
    let closed = cases(closed(), SMALL, false).prop_map(|case| Case { limit: 1, ..case });
    check(20, &closed, |case| {
        for id in ["samarati", "incognito", "incognito-top-down", "ola"] {
            let refused = std::cell::Cell::new(false);
            super::sides::run_by(&case, haggle_loss::find("lm").unwrap(), |task| {
                refused.set((find(id).unwrap().run)(task).is_err());
                haggle_search::strategies::Ending::Nothing { evaluated: 0 }
            });
            assert!(refused.get(), "{id}");
        }
        Ok(())
    });
}

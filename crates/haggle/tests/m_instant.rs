//! M-INSTANT where the data is: the same boxes as from the counted groups, in scans that the data counts.

use std::path::Path;

use haggle::catalog::strategies;
use haggle::reports::Comparison;
use haggle::search::CompareOptions;
use haggle::{Amount, Ask, Engine, Options, Privacy, Project, Silent};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use insta::{allow_duplicates, assert_snapshot};
use proptest::prelude::*;

fn compare(engine: &Engine, ask: &Ask, strategies: &[&str]) -> Result<Comparison, haggle::Error> {
    let options = CompareOptions {
        measures: vec!["lm".parse().unwrap()],
        strategies: strategies.iter().map(|&id| id.into()).collect(),
        time_limit: None,
        progress: &Silent,
    };
    engine.compare(ask, &options)
}

fn asking(k: u64, l: Option<f64>, limit: u64) -> Ask {
    let l = l.map(|l| Privacy::new("frequency-l-diversity", l));
    let privacy = [Privacy::new("k-anonymity", k as f64)].into_iter().chain(l).collect();
    Ask { privacy, max_suppressed: Some(Amount::Records(limit)), ..Ask::default() }
}

const ALL: [&str; 5] = [
    "m-instant",
    "m-instant:summary=histogram",
    "m-instant:summary=bayes",
    "m-instant:summary=bayes-greedy",
    "m-instant:summary=sample",
];

fn project(folder: &Path, table: &Table) -> Project {
    crate::common::write_project(folder, table);
    Project::open(folder.to_str().unwrap()).unwrap()
}

/// By every summary, from the file and from a lattice without one.
#[test]
fn the_data_and_the_lattice_give_the_same_boxes() {
    let shape = Shape { attributes: 3, schemes: 60, records: 120, sensitive: 1 };
    let inputs = (tables_of(shape), 2..6_u64, prop::option::of(1.0..1.8), 0..30_u64);
    let found = std::cell::Cell::new(0);
    check(60, &inputs, |(table, k, l, limit)| {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path(), &table);
        let engine = Engine::open(&project, &Options::default()).unwrap();
        let lattice = folder.path().join("elsewhere.lattice");
        engine.save(&lattice).unwrap();
        std::fs::remove_file(folder.path().join("haggle.toml")).unwrap();
        let alone = Engine::open(lattice.as_path(), &Options::default()).unwrap();
        let ask = asking(k, l, limit);
        let (Ok(scanned), Ok(counted)) =
            (compare(&engine, &ask, &ALL), compare(&alone, &ask, &ALL))
        else {
            prop_assert!(compare(&alone, &ask, &ALL).is_err(), "an l out of reach");
            return Ok(());
        };
        for (scanned, counted) in scanned.strategies.into_iter().zip(counted.strategies) {
            prop_assert_eq!((&scanned.found, &scanned.loss), (&counted.found, &counted.loss));
            prop_assert_eq!(scanned.groups, counted.groups);
            if scanned.found.is_some() {
                found.set(found.get() + 1);
                prop_assert!(scanned.verified && scanned.suppressed.unwrap() <= limit);
                prop_assert!(
                    scanned.scans.is_some_and(|scans| scans > 0) && scanned.note.is_none()
                );
                prop_assert!(counted.scans.is_none(), "nothing was scanned");
                allow_duplicates!(
                    assert_snapshot!(counted.note.unwrap(), @"only the lattice file is at hand, not the data: boxes were counted in its groups, and nothing was scanned")
                );
            }
        }
        Ok(())
    });
    assert!(found.get() > enough(100), "{}", found.get());
}

#[test]
fn summaries_are_chosen_by_name() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(vec!["race".into()]);
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let ask = asking(2, None, 0);
    let wrong = |typed: &str| compare(&engine, &ask, &[typed]).unwrap_err().to_string();
    assert_snapshot!(wrong("m-instant:summary=tea-leaves"), @"
    there is no summary 'tea-leaves'
        fix: choose from: histogram, bayes, bayes-greedy, sample, pg
    ");
    assert_snapshot!(wrong("m-instant:scans=3"), @"
    'm-instant:scans=3' is not understood
        fix: write m-instant:summary=bayes,threshold=0.95,tight=true
    ");
    assert_snapshot!(wrong("mondrian:summary=bayes"), @"
    'mondrian:summary=bayes' is not understood
        fix: write mondrian:tight=true
    ");
    let about = strategies().into_iter().find(|about| about.id == "m-instant").unwrap();
    for kind in haggle_instant::CATALOG {
        assert!(about.needs.contains(kind.id), "the catalog names {}", kind.id);
    }
}

const CUTS: [&str; 6] = [
    "s-instant",
    "s-instant:threshold=0.95",
    "s-instant:threshold=0.3,by=probability",
    "s-instant:threshold=2,by=expectation",
    "s-instant:summary=bayes",
    "k-optimize",
];

/// Paper 003, section 7, figures 6 and 9: S-INSTANT over cuts, next to k-Optimize (l-Optimize),
/// which finds the best cut.
#[test]
fn cuts_from_a_summary_keep_their_promise_and_never_beat_the_best_cut() {
    let shape = Shape { attributes: 3, schemes: 40, records: 120, sensitive: 1 };
    let inputs = (tables_of(shape), 2..6_u64, prop::option::of(1.0..1.8), 0..30_u64);
    let (found, best) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    check(60, &inputs, |(table, k, l, limit)| {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(&project(folder.path(), &table), &Options::default()).unwrap();
        let lattice = folder.path().join("elsewhere.lattice");
        engine.save(&lattice).unwrap();
        std::fs::remove_file(folder.path().join("haggle.toml")).unwrap();
        let alone = Engine::open(lattice.as_path(), &Options::default()).unwrap();
        let ask = asking(k, l, limit);
        let Ok(scanned) = compare(&engine, &ask, &CUTS) else { return Ok(()) };
        let counted = compare(&alone, &ask, &CUTS).unwrap();
        let optimum = scanned.strategies.last().unwrap().loss.get("lm").copied();
        for (scanned, counted) in scanned.strategies.iter().zip(&counted.strategies).take(5) {
            prop_assert_eq!((&scanned.found, &scanned.loss), (&counted.found, &counted.loss));
            if scanned.found.is_some() {
                found.set(found.get() + 1);
                prop_assert!(scanned.verified && scanned.suppressed.unwrap() <= limit);
                prop_assert!(scanned.scans.is_some_and(|scans| scans > 0), "scans are reported");
                let beyond = scanned.loss["lm"] - optimum.expect("the best cut is found as well");
                prop_assert!(beyond > -1e-9, "{} loses less than the best", scanned.strategy);
                best.set(best.get() + usize::from(beyond < 1e-9));
            }
        }
        Ok(())
    });
    println!("{} of {} are the best cut", best.get(), found.get());
    assert!(
        found.get() > enough(100) && best.get() > found.get() / 4,
        "{} {}",
        best.get(),
        found.get()
    );
}

#[test]
fn thresholds_of_predictions_are_stated_and_checked() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(vec!["age".into(), "race".into()]);
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let ask = asking(60, None, 0);
    let wrong = |typed: &str| compare(&engine, &ask, &[typed]).unwrap_err().to_string();
    assert_snapshot!(wrong("m-instant:threshold=2"), @"
    the threshold 2 is not a probability
        fix: choose a number from 0 to 1, such as 0.95
    ");
    assert_snapshot!(wrong("s-instant:by=luck"), @"
    'luck' is not what a prediction can promise
        fix: choose probability or expectation
    ");
    assert_snapshot!(wrong("s-instant:threshold=0.9,threshold=0.8"), @"
    's-instant:threshold=0.9,threshold=0.8' is not understood
        fix: write s-instant:summary=bayes,threshold=0.95,by=expectation
    ");
    // Table V of paper 003: the threshold decides how many boxes the first phase leaves.
    let boxes = |typed: &str| {
        let one = compare(&engine, &ask, &[typed]).unwrap().strategies.remove(0);
        assert_eq!(one.strategy, typed);
        (one.evaluated, one.scans)
    };
    assert_eq!(boxes("m-instant"), boxes("m-instant:threshold=0.8"));
    assert_ne!(boxes("m-instant:threshold=0.1"), boxes("m-instant:threshold=0.999"));
}

/// Mondrian that only counts boxes finds what it finds on counted groups, in a scan for each level.
#[test]
fn mondrian_in_the_data_finds_the_same_boxes() {
    let shape = Shape { attributes: 3, schemes: 60, records: 120, sensitive: 1 };
    let inputs = (tables_of(shape), 2..6_u64, prop::option::of(1.0..1.8), 0..30_u64);
    let found = std::cell::Cell::new(0);
    check(60, &inputs, |(table, k, l, limit)| {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(&project(folder.path(), &table), &Options::default()).unwrap();
        let both = ["mondrian-median", "mondrian-scanned"];
        let Ok(both) = compare(&engine, &asking(k, l, limit), &both) else { return Ok(()) };
        let [counted, scanned] = &both.strategies[..] else { unreachable!() };
        prop_assert_eq!((&counted.found, &counted.loss), (&scanned.found, &scanned.loss));
        prop_assert_eq!(counted.suppressed, scanned.suppressed);
        prop_assert!(counted.scans.is_none());
        if scanned.found.is_some() {
            found.set(found.get() + 1);
            prop_assert!(scanned.scans.is_some_and(|scans| scans > 0) && scanned.verified);
        }
        Ok(())
    });
    assert!(found.get() > enough(20), "{}", found.get());
}

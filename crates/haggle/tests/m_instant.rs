//! M-INSTANT where the data is: the same boxes as from the counted groups, in scans that the data counts.

use std::path::Path;
use std::time::Duration;

use haggle::catalog::strategies;
use haggle::reports::Comparison;
use haggle::search::CompareOptions;
use haggle::{Amount, Ask, Engine, Options, Privacy, Project, Silent};
use haggle_testkit::Table;
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::prelude::*;

mod common;

fn compare(engine: &Engine, ask: &Ask, strategies: &[&str]) -> Result<Comparison, haggle::Error> {
    let options = CompareOptions {
        measures: vec!["lm".parse().unwrap()],
        strategies: strategies.iter().map(|&id| id.into()).collect(),
        time_limit: Duration::from_hours(1), // no clock ends a search
        progress: &Silent,
    };
    engine.compare(ask, &options)
}

fn asking(k: u64, l: Option<f64>, limit: u64) -> Ask {
    let l = l.map(|l| Privacy::of("frequency-l-diversity", l));
    let privacy = [Privacy::of("k-anonymity", k as f64)].into_iter().chain(l).collect();
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
    common::write_project(folder, table);
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
        let alone = Engine::load(&lattice, &Options::default()).unwrap();
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
                prop_assert!(counted.note.unwrap().contains("only the lattice file is at hand"));
            }
        }
        Ok(())
    });
    assert!(found.get() > 100, "{}", found.get());
}

#[test]
fn summaries_are_chosen_by_name() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(vec!["race".into()]);
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let ask = asking(2, None, 0);
    let wrong = |typed: &str| compare(&engine, &ask, &[typed]).unwrap_err().to_string();
    assert!(wrong("m-instant:summary=tea-leaves").contains("choose from: histogram, bayes"));
    assert!(wrong("m-instant:scans=3").contains("write m-instant:summary=bayes"));
    assert!(wrong("mondrian:summary=bayes").contains("'mondrian:summary=bayes' is not understood"));
    let about = strategies().into_iter().find(|about| about.id == "m-instant").unwrap();
    for kind in haggle_instant::CATALOG {
        assert!(about.needs.contains(kind.id), "the catalog names {}", kind.id);
    }
}

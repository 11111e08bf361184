//! Recodings that are no schemes, published: every strategy's file keeps its promise, its papers tell the
//! truth, and the result can be reproduced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use haggle::catalog::strategies;
use haggle::publishing::{
    Inspection, Manifest, PrivateManifest, PublishOptions, PublishOutcome, RecordOrder, Suppress,
};
use haggle::reports::Preview;
use haggle::search::CompareOptions;
use haggle::{
    Amount, Ask, Choice, Engine, Error, Options, Privacy, Progress, Project, Recoding, Silent,
    WithDeadline,
};
use haggle_testkit::Table;
use haggle_testkit::effort::{self, enough, is_long};
use haggle_testkit::generate::{Shape, check, tables_of};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::common::write_project;

#[derive(Debug, Clone)]
struct Case {
    table: Table,
    k: usize,
    l: Option<usize>,
    limit: u64,
    star: bool,
    strategy: usize,
    refine: bool,
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { attributes: 3, schemes: 60, records: 120, sensitive: 1 };
    let l = proptest::option::of(2_usize..4);
    (tables_of(shape), 2_usize..8, l, 0_u64..30, any::<bool>(), any::<u8>(), any::<bool>())
        .prop_map(|(table, k, l, limit, star, strategy, refine)| Case {
            table,
            k,
            l,
            limit,
            star,
            strategy: strategy.into(),
            refine,
        })
}

impl Case {
    fn ask(&self) -> Ask {
        let l = self.l.map(|l| Privacy::new("distinct-l-diversity", l as f64));
        let l = l.map(|l| Privacy { on: self.table.sensitive.first().cloned(), ..l });
        let privacy = [Privacy::new("k-anonymity", self.k as f64)].into_iter().chain(l).collect();
        Ask { privacy, max_suppressed: Some(Amount::Records(self.limit)), ..Ask::default() }
    }

    fn options(&self, folder: &Path, name: &str, choice: Choice) -> PublishOptions<'static> {
        PublishOptions {
            choice,
            suppress: if self.star { Suppress::Star } else { Suppress::Drop },
            order: RecordOrder::Kept,
            private: Some(folder.join("private")),
            ..PublishOptions::new(folder.join(name), self.ask())
        }
    }
}

/// The written records: the quasi-identifiers' values, and the sensitive one.
fn written(file: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    reader.records().map(|r| r.unwrap().iter().map(String::from).collect()).collect()
}

/// Every group of the file passes, the starred records among them, from its text alone.
fn assert_promise(case: &Case, records: &[Vec<String>]) -> u64 {
    let quasi = case.table.attributes.len();
    let mut groups: BTreeMap<&[String], (usize, BTreeSet<&str>)> = BTreeMap::new();
    let alone = records.iter().all(|record| record[..quasi].iter().all(|value| value == "*"));
    let mut starred = 0;
    for record in records {
        if !alone && record[..quasi].iter().all(|value| value == "*") {
            starred += 1;
        }
        let group = groups.entry(&record[..quasi]).or_default();
        group.0 += 1;
        group.1.insert(&record[quasi]);
    }
    for (look, (size, values)) in groups {
        assert!(size >= case.k && case.l.is_none_or(|l| values.len() >= l), "{look:?}");
    }
    starred
}

#[test]
fn what_strategies_find_is_published_with_proof() {
    let seen = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    check(1500, &cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        write_project(folder.path(), &case.table);
        let project = Project::open(folder.path().to_str().unwrap()).unwrap();
        let engine = Engine::open(&project, &Options::default()).unwrap();
        let all = strategies();
        let strategy = all[case.strategy % all.len()].id;
        let choice =
            if case.refine { Choice::Refined(None) } else { Choice::Strategy(strategy.into()) };
        let outcome = haggle::publishing::publish(
            &engine,
            &project,
            &case.options(folder.path(), "out.csv", choice.clone()),
        );
        let output = folder.path().join("out.csv");
        // An l that the table's values cannot reach is refused.
        let Ok(PublishOutcome::Published(report)) = outcome else {
            prop_assert!(!output.exists());
            return Ok(());
        };
        *seen.borrow_mut().entry(report.recoding.into()).or_default() += 1;
        prop_assert!(report.suppressed() <= case.limit);
        let records = written(&output);
        let starred = assert_promise(&case, &records);
        let kept = case.table.records.len() as u64 - report.suppressed();
        prop_assert_eq!(records.len() as u64 - starred, kept);

        // The papers tell what is there, and nothing of what is not.
        let manifest = Manifest::next_to(&output).unwrap().unwrap();
        prop_assert_eq!(manifest.recoding.kind(), report.recoding);
        let quasi = case.table.attributes.len();
        if let Recoding::Boxes { boxes, .. } = &manifest.recoding {
            let looks: BTreeSet<Vec<String>> =
                records.iter().map(|r| r[..quasi].to_vec()).collect();
            for sides in boxes {
                let look: Vec<String> = sides.iter().map(|side| side.label.to_string()).collect();
                prop_assert!(looks.contains(&look), "{look:?} is not in the file");
                prop_assert!(sides.iter().all(|side| side.from.is_none()));
            }
        }
        if let Recoding::Cuts { cuts } = &manifest.recoding {
            for (column, cut) in cuts.iter().enumerate() {
                for span in cut {
                    let occurs = records.iter().any(|record| record[column] == *span.label);
                    prop_assert!(occurs, "{} is not in the file", span.label);
                    prop_assert!(span.from.is_none());
                }
            }
        }
        let verdict = Inspection::open(&output, Some(&project), None, None, usize::MAX).unwrap();
        prop_assert!(verdict.verify(&case.ask().privacy).unwrap().holds);

        // Patterns of cells overlap: on its own a record takes the first that it fits, which may
        // leave others below the promise.
        if report.recoding == "cells" {
            return Ok(());
        }
        // The private manifest repeats it.
        let policy = PrivateManifest::open(&folder.path().join("private/policy.json")).unwrap();
        haggle::publishing::check_policy(&engine, &policy).unwrap();
        let options = case.options(folder.path(), "again.csv", policy.choice());
        let again = haggle::publishing::publish(&engine, &project, &options).unwrap();
        let PublishOutcome::Published(again) = again else { panic!("it was published before") };
        // Relaxed boxes overlap, so that their words alone may put a record elsewhere.
        if choice != Choice::Strategy("mondrian-relaxed".into()) {
            prop_assert_eq!(
                (again.suppressed(), again.groups),
                (report.suppressed(), report.groups)
            );
            prop_assert_eq!(written(&folder.path().join("again.csv")), records);
        }
        Ok(())
    });
    let seen = seen.borrow();
    for (kind, least) in [("levels", 75), ("cuts", 75), ("boxes", 75), ("parts", 75), ("cells", 25)]
    {
        assert!(seen.get(kind).is_some_and(|&times| times >= enough(least)), "{seen:?}");
    }
}

/// What publishing would look like.
fn preview(
    engine: &Engine,
    project: &Project,
    ask: &Ask,
    choice: Choice,
    rows: usize,
) -> Result<Preview, Error> {
    let options = PublishOptions { choice, ..PublishOptions::new("", ask.clone()) };
    haggle::publishing::preview_of(engine, project, &options, rows)
}

/// A preview shows the records as a publication has them.
#[test]
fn a_preview_looks_like_the_publication() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 10.0)], ..Ask::default() };
    let mondrian = Choice::Strategy("mondrian".into());
    let preview = preview(&engine, &project, &ask, mondrian, 10).unwrap();
    assert_eq!((preview.rows.len(), preview.suppressed), (10, 0));
    assert!(
        preview.attributes[0]
            .after
            .iter()
            .any(|value| value.value.as_ref().is_some_and(|v| v.contains('–')))
    );
    assert!(preview.attributes.iter().all(|a| a.loss < 0.2), "{:?}", preview.attributes);
}

/// What a comparison tells of is what is previewed and published, whether it is still kept or found anew.
#[test]
fn what_was_compared_is_what_is_published() {
    let project = Project::open("demo:adult").unwrap();
    let names = effort::pick(&["age", "race"][..], &["age", "race", "workclass"]);
    let qi = || Some(names.iter().map(|&name| name.into()).collect());
    let opened = || Engine::open(&project, &Options { qi: qi(), ..Options::default() }).unwrap();
    let (engine, other) = (opened(), opened());
    let ask = Ask {
        privacy: vec![Privacy::new("k-anonymity", 10.0)],
        max_suppressed: Some(Amount::Records(321)),
        ..Ask::default()
    };
    // Enough for all but k-optimize, which uses whatever it gets.
    let time_limit = Duration::from_secs(effort::pick(2, 3));
    let compare = CompareOptions {
        measures: Vec::new(),
        strategies: Vec::new(),
        time_limit: Some(time_limit),
        progress: &Silent,
    };
    let compared = engine.compare(&ask, &compare).unwrap().strategies;
    assert!(compared.iter().all(|one| one.result.is_some() == one.found.is_some()));
    let folder = tempfile::tempdir().unwrap();
    let publish = |engine: &Engine, choice: Choice| {
        let options = PublishOptions {
            choice,
            progress: &WithDeadline::after(&Silent, Some(time_limit)),
            ..PublishOptions::new(folder.path().join("out.csv"), ask.clone())
        };
        haggle::publishing::publish(engine, &project, &options).unwrap()
    };
    for one in compared.iter().filter(|one| one.found.is_some()) {
        let strategy = one.strategy.clone();
        let result = one.result.clone().expect("what was found has a name");
        let choice = Choice::Result { strategy: strategy.clone(), result };
        let preview = preview(&engine, &project, &ask, choice.clone(), 3).unwrap();
        assert_eq!(Some(preview.suppressed), one.suppressed, "{}", one.strategy);
        let PublishOutcome::Published(report) = publish(&engine, choice.clone()) else {
            panic!("{} was compared", one.strategy);
        };
        assert_eq!(
            (Some(&report.result), Some(report.suppressed()), Some(report.groups)),
            (one.result.as_ref(), one.suppressed, one.groups),
            "{}",
            one.strategy
        );
        // Another engine has kept nothing: it finds the same again, or says that it does not.
        match publish(&other, choice) {
            PublishOutcome::Published(again) => assert_eq!(again.result, report.result),
            PublishOutcome::NotFound { why, .. } => {
                assert!(!one.proven && one.strategy == "k-optimize", "{}: {why}", one.strategy);
            }
            no => panic!("{no:?}"),
        }
        // What nobody found is not published in the name of a result.
        let wrong = Choice::Result { strategy, result: "0123456789abcdef".into() };
        let refused = publish(&other, wrong).into_report().unwrap_err().reason;
        assert!(refused.contains("compare again") || refused.contains("out of time"), "{refused}");
    }
    // What one found is not published in the name of another.
    let lattice = compared.iter().find(|one| one.strategy == "lattice").unwrap();
    let borrowed =
        Choice::Result { strategy: "mondrian".into(), result: lattice.result.clone().unwrap() };
    let refused = publish(&engine, borrowed).into_report().unwrap_err().reason;
    assert_snapshot!(refused, @"mondrian finds something else now than what was compared; compare again");
    let same = |a: &str, b: &str| {
        let result = |id| compared.iter().find(|one| one.strategy == id).unwrap().result.as_ref();
        result(a) == result(b)
    };
    assert!(same("samarati", "samarati") && !same("mondrian", "mondrian-median"));
}

/// Cancels as soon as something begins.
struct Until(&'static str, Mutex<Vec<String>>);

impl Progress for Until {
    fn start(&self, what: &str, _: u64) {
        self.1.lock().unwrap().push(what.to_owned());
    }

    fn advance(&self, _: u64) {}

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.1.lock().unwrap().iter().any(|what| what.contains(self.0))
    }
}

#[test]
fn a_comparison_is_given_up_wherever_it_is() {
    let project = Project::open("demo:adult").unwrap();
    let engine = Engine::open(&project, &Options::default()).unwrap();
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 10.0)], ..Ask::default() };
    for at in ["weighing", "incognito", "mondrian", "m-instant"] {
        let until = Until(at, Mutex::default());
        let time_limit = Some(Duration::from_secs(1));
        let (measures, strategies) = (Vec::new(), Vec::new());
        let options = CompareOptions { measures, strategies, time_limit, progress: &until };
        let ended = engine.compare(&ask, &options);
        assert!(ended.as_ref().is_err_and(Error::is_cancelled), "at {at}: {ended:?}");
        let begun = until.1.into_inner().unwrap();
        assert!(begun.last().unwrap().contains(at), "{at}: {begun:?}");
    }
}

/// On the census data, by k, l and t: written, read again, verified against the project.
#[test]
fn boxes_of_the_census_keep_k_l_and_t() {
    let project = Project::open("demo:adult").unwrap();
    let engine = Engine::open(&project, &Options::default()).unwrap();
    let one = |words: &str| words.parse::<Privacy>().unwrap();
    let promises = [
        vec![one("k-anonymity=10")],
        vec![one("k-anonymity=5"), one("distinct-l-diversity=3")],
        vec![one("frequency-l-diversity=1.5")],
        vec![one("k-anonymity=5"), one("t-closeness=0.2")],
    ];
    let strategies = ["mondrian", "mondrian-median", "mondrian-relaxed", "m-instant"];
    for (i, privacy) in promises.iter().enumerate() {
        // Each promise with two of them, where not all are tried.
        let tried = strategies
            .iter()
            .enumerate()
            .filter(|(j, _)| is_long() || i == *j || (i + 1) % 4 == *j);
        for (_, &strategy) in tried {
            let folder = tempfile::tempdir().unwrap();
            let ask = Ask {
                privacy: privacy.clone(),
                only: true,
                max_suppressed: Some(Amount::Records(0)),
                ..Ask::default()
            };
            let choice = Choice::Strategy(strategy.into());
            let output = folder.path().join("out.csv");
            let options = PublishOptions { choice, ..PublishOptions::new(output, ask) };
            let PublishOutcome::Published(report) =
                haggle::publishing::publish(&engine, &project, &options).unwrap()
            else {
                panic!("{strategy} finds boxes for {privacy:?}");
            };
            assert!(report.groups > 20, "{strategy} for {privacy:?}: {} groups", report.groups);
            let file = Inspection::open(&report.output, Some(&project), None, None, usize::MAX);
            assert!(file.unwrap().verify(privacy).unwrap().holds, "{strategy} for {privacy:?}");
        }
    }
}

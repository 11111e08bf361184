//! Publications of random tables, judged record by record without the product's counting.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use haggle::publishing::{PublishOptions, PublishOutcome, RecordOrder, Suppress};
use haggle::{Ask, Choice, Engine, Options, Privacy, Project, Scheme};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::{Table, oracle};
use proptest::prelude::*;

/// Writes a table as a user would have it: a CSV file, hierarchy files, a project.
fn write_project(folder: &Path, table: &Table) {
    let names = table.attributes.iter().map(|a| &a.name).chain(&table.sensitive);
    let names: Vec<&String> = names.collect();
    let mut writer = csv::Writer::from_path(folder.join("table.csv")).unwrap();
    writer.write_field("id").unwrap();
    writer.write_record(&names).unwrap();
    for (i, record) in table.records.iter().enumerate() {
        writer.write_field(format!("person {i}")).unwrap();
        writer.write_record(record).unwrap();
    }
    writer.flush().unwrap();
    let mut project = String::from("[data]\npath = \"table.csv\"\nmissing = []\n");
    project += "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n";
    for attribute in &table.attributes {
        let rows: Vec<String> = attribute.rows.iter().map(|row| row.join(";")).collect();
        std::fs::write(folder.join(format!("{}.csv", attribute.name)), rows.join("\n")).unwrap();
        project += &format!(
            "[[attribute]]\nname = {0:?}\nrole = \"quasi-identifier\"\nhierarchy = \"{0}.csv\"\n",
            attribute.name
        );
    }
    for name in &table.sensitive {
        project += &format!("[[attribute]]\nname = {name:?}\nrole = \"sensitive\"\n");
    }
    std::fs::write(folder.join("haggle.toml"), project).unwrap();
}

/// The records under a scheme, by a brute force of its own; groups that fail are marked.
fn expected(
    table: &Table,
    scheme: &Scheme,
    k: usize,
    l: Option<usize>,
) -> Vec<(Vec<String>, bool)> {
    let paths: Vec<BTreeMap<String, Vec<String>>> = table
        .attributes
        .iter()
        .map(|a| oracle::full_paths(&a.rows).expect("the hierarchy is sound"))
        .collect();
    let quasi = table.attributes.len();
    let general = |record: &Vec<String>| -> Vec<String> {
        let label = |i: usize| paths[i][&record[i]][scheme.level(i).index()].clone();
        (0..quasi).map(label).chain(record[quasi..].iter().cloned()).collect()
    };
    let records: Vec<Vec<String>> = table.records.iter().map(general).collect();
    let mut groups: BTreeMap<&[String], (usize, BTreeSet<&str>)> = BTreeMap::new();
    for record in &records {
        let group = groups.entry(&record[..quasi]).or_default();
        group.0 += 1;
        group.1.extend(record.get(quasi).map(String::as_str));
    }
    let fails = |record: &Vec<String>| {
        let (size, values) = &groups[&record[..quasi]];
        *size < k || l.is_some_and(|l| values.len() < l)
    };
    records.iter().map(|record| (record.clone(), fails(record))).collect()
}

/// Whether the records that look like `*` throughout pass as a group.
fn stars_pass(case: &Case, expected: &[(Vec<String>, bool)]) -> bool {
    let quasi = case.table.attributes.len();
    let starred = |(record, fails): &&(Vec<String>, bool)| {
        *fails || record[..quasi].iter().all(|value| value == "*")
    };
    let starred: Vec<&Vec<String>> = expected.iter().filter(starred).map(|(r, _)| r).collect();
    let values: BTreeSet<Option<&String>> = starred.iter().map(|r| r.get(quasi)).collect();
    starred.len() >= case.k && case.l.is_none_or(|l| values.len() >= l)
}

#[derive(Debug, Clone)]
struct Case {
    table: Table,
    levels: Vec<u8>,
    k: usize,
    l: Option<usize>,
    star: bool,
    seed: Option<u64>,
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { sensitive: 1, records: 120, ..Shape::default() };
    let choices = (
        proptest::collection::vec(0_u8..5, 5),
        2_usize..8,
        proptest::option::of(2_usize..4),
        any::<bool>(),
        proptest::option::of(any::<u64>()),
    );
    (tables_of(shape), choices).prop_map(|(table, (levels, k, l, star, seed))| Case {
        table,
        levels,
        k,
        l,
        star,
        seed,
    })
}

/// A record is moved between counting and writing: the number of records stays, a group falls below k.
#[test]
fn a_file_of_other_records_than_were_counted_does_not_stay() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "haggle.toml",
        "[data]\npath = \"table.csv\"\n\
         [[attribute]]\nname = \"q\"\nrole = \"quasi-identifier\"\n",
    );
    write("table.csv", "q\na\na\nb\nb\n");
    let project = Project::open(folder.path().to_str().unwrap()).unwrap();
    let engine = Engine::open(&project, &Options::default()).unwrap();
    write("table.csv", "q\na\na\na\nb\n");
    let privacy = vec![Privacy::new("k-anonymity", 2.0)];
    let options = PublishOptions {
        choice: Choice::Scheme(Scheme::new([0])),
        ..PublishOptions::new(folder.path().join("out.csv"), Ask { privacy, ..Ask::default() })
    };
    let refused = haggle::publishing::publish(&engine, &project, &options);
    assert!(refused.is_err(), "{refused:?}");
    let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left: Vec<String> = left.map(|name| name.into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["haggle.toml", "table.csv"]);
}

#[test]
fn a_publication_has_just_the_records_it_should_have() {
    let published = std::cell::Cell::new(0);
    let (kept_with_stars, failed_as_stars) =
        <(std::cell::Cell<u32>, std::cell::Cell<u32>)>::default();
    check(300, &cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        write_project(folder.path(), &case.table);
        let project = Project::open(folder.path().to_str().unwrap()).unwrap();
        let engine = Engine::open(&project, &Options::default()).unwrap();
        let top = engine.top().levels().iter().zip(&case.levels);
        let scheme = Scheme::new(top.map(|(&top, &level)| level.min(top.into())));
        let expected = expected(&case.table, &scheme, case.k, case.l);
        let suppressed = expected.iter().filter(|(_, fails)| *fails).count();
        let l = case.l.map(|l| Privacy::new("distinct-l-diversity", l as f64));
        let l = l.map(|l| Privacy { on: case.table.sensitive.first().cloned(), ..l });
        let privacy = [Privacy::new("k-anonymity", case.k as f64)].into_iter().chain(l).collect();
        let output = folder.path().join("out.csv");
        let outcome = haggle::publishing::publish(
            &engine,
            &project,
            &PublishOptions {
                choice: Choice::Scheme(scheme.clone()),
                suppress: if case.star { Suppress::Star } else { Suppress::Drop },
                order: case.seed.map_or(RecordOrder::Kept, |seed| RecordOrder::Random { seed }),
                ..PublishOptions::new(&output, Ask { privacy, ..Ask::default() })
            },
        );
        if suppressed == expected.len() {
            let nothing = matches!(outcome, Err(_) | Ok(PublishOutcome::Nothing { .. }));
            prop_assert!(nothing && !output.exists(), "nothing is left to publish");
            return Ok(());
        }
        let PublishOutcome::Published(report) = outcome.unwrap() else {
            panic!("it can be published")
        };
        prop_assert_eq!(report.suppressed(), suppressed as u64);
        let quasi = case.table.attributes.len();
        let star = case.star && stars_pass(&case, &expected);
        prop_assert_eq!(report.starred > 0, star && suppressed > 0);
        prop_assert_eq!(report.stars_failed.is_empty(), !case.star || star || suppressed == 0);
        kept_with_stars.set(kept_with_stars.get() + u32::from(report.starred > 0));
        failed_as_stars.set(failed_as_stars.get() + u32::from(!report.stars_failed.is_empty()));
        let mut planned: Vec<Vec<String>> = expected
            .into_iter()
            .filter(|(_, fails)| star || !fails)
            .map(|(mut record, fails)| {
                if fails {
                    record[..quasi].fill("*".into());
                }
                record
            })
            .collect();
        let mut reader = csv::Reader::from_path(&output).unwrap();
        let header: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
        prop_assert!(!header.contains(&"id".to_owned()), "identifiers are dropped");
        let mut written: Vec<Vec<String>> =
            reader.records().map(|r| r.unwrap().iter().map(String::from).collect()).collect();
        if case.seed.is_some() {
            planned.sort();
            written.sort();
        }
        prop_assert_eq!(written, planned);
        published.set(published.get() + 1);
        Ok(())
    });
    assert!(published.get() > enough(150), "only {} were published", published.get());
    assert!(
        kept_with_stars.get() > enough(20) && failed_as_stars.get() > enough(20),
        "both ends of starred records"
    );
}

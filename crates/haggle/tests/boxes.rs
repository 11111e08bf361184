//! Boxes as they are published, against the records: ends are cuts between boxes, and no values
//! that few people have.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use haggle::publishing::{Manifest, PublishOptions, PublishOutcome};
use haggle::search::CompareOptions;
use haggle::{Amount, Ask, Choice, Engine, Levels, Options, Privacy, Project, Silent};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

const STRATEGIES: [&str; 5] =
    ["mondrian", "mondrian-median", "mondrian-scanned", "mondrian-relaxed", "m-instant"];

/// The quasi-identifiers: whole numbers with few large ones, decimals, dates, and letters.
const NAMES: [&str; 4] = ["income", "dose", "born", "town"];

/// The values of one record: those of the quasi-identifiers.
type Record = [String; 4];

#[derive(Debug, Clone)]
struct Case {
    records: Vec<Record>,
    k: usize,
    limit: u64,
    /// Where towns must stay apart, those with few records are suppressed.
    town_level: u8,
}

fn cases() -> impl Strategy<Value = Case> {
    let record = (0..40_u32, 0..12_u32, 0..40_u32, 0..3_u32);
    let limit = prop_oneof![Just(0_u64), 0..20_u64];
    (vec(record, 12..70), 2..6_usize, limit, any::<bool>()).prop_map(|(draws, k, limit, apart)| {
        let record = |(income, dose, born, town): (u32, u32, u32, u32)| {
            let income = if income < 12 { income } else { income.pow(4) };
            let dose = format!("{}.{:02}", dose / 4, dose % 4 * 25);
            let (year, month, day) = (1930 + born / 9, 1 + born % 2, 1 + born % 7);
            let born = format!("{year}-{month:02}-{day:02}");
            let town = ["Ayr", "Bath", "Cork"][town as usize];
            [income.to_string(), dose, born, town.to_owned()]
        };
        let records = draws.into_iter().map(record).collect();
        Case { records, k, limit, town_level: u8::from(!apart) }
    })
}

/// A place on the line of an attribute: a number, or the digits of a date.
fn place(text: &str) -> Option<f64> {
    let (day, noon) = text.split_once('T').map_or((text, 0.0), |(day, _)| (day, 0.5));
    if day.len() == 10 && day.as_bytes()[4] == b'-' {
        return day.replace('-', "").parse::<f64>().ok().map(|day| day + noon);
    }
    text.parse().ok()
}

/// What a published value holds.
#[derive(Debug, Clone, PartialEq)]
enum Held {
    Anything,
    Values(Vec<String>),
    /// From the first end on, up to the second, which is held or not.
    Range(Option<f64>, Option<f64>, bool),
}

impl Held {
    fn of(label: &str) -> Self {
        if label == "*" {
            return Self::Anything;
        }
        if let Some(list) = label.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
            return Self::Values(list.split(", ").map(String::from).collect());
        }
        if let Some(to) = label.strip_prefix('<') {
            return Self::Range(None, place(to), false);
        }
        if let Some(from) = label.strip_prefix('≥') {
            return Self::Range(place(from), None, false);
        }
        let half_open = label.strip_prefix('[').and_then(|inner| inner.strip_suffix(')'));
        if let Some((from, to)) = half_open.and_then(|inner| inner.split_once(',')) {
            return Self::Range(place(from), place(to), false);
        }
        match label.split_once('–') {
            Some((from, to)) => Self::Range(place(from), place(to), true),
            None => Self::Values(vec![label.to_owned()]),
        }
    }

    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Values(values) => values.iter().any(|held| held == value),
            Self::Range(from, to, with_last) => {
                let at = place(value).expect("a range is one of numbers or dates");
                let ends = |to: f64| if *with_last { at <= to } else { at < to };
                from.is_none_or(|from| from <= at) && to.is_none_or(ends)
            }
        }
    }

    /// The ends that are named; a single value is no end.
    fn ends(&self) -> Vec<f64> {
        match self {
            Self::Range(from, to, _) => from.iter().chain(to).copied().collect(),
            _ => Vec::new(),
        }
    }
}

fn project(folder: &Path, records: &[Record]) -> Project {
    let mut toml = String::from("[data]\npath = \"d.csv\"\nmissing = []\n");
    for name in NAMES {
        toml += &format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n");
    }
    toml += "[[attribute]]\nname = \"number\"\nrole = \"sensitive\"\n";
    let mut csv = format!("{},number\n", NAMES.join(","));
    for (i, record) in records.iter().enumerate() {
        csv += &format!("{},{i}\n", record.join(","));
    }
    std::fs::write(folder.join("haggle.toml"), toml).unwrap();
    std::fs::write(folder.join("d.csv"), csv).unwrap();
    Project::open(folder.to_str().unwrap()).unwrap()
}

fn ask(case: &Case) -> Ask {
    let privacy = vec![Privacy::new("k-anonymity", case.k as f64)];
    let levels = Some(Levels::InOrder(vec![1, 1, 1, case.town_level]));
    Ask { privacy, levels, max_suppressed: Some(Amount::Records(case.limit)), ..Ask::default() }
}

/// The published labels of records, by the records' numbers; none if nothing was published.
fn published(
    case: &Case,
    engine: &Engine,
    project: &Project,
    output: &Path,
    strategy: &str,
) -> Option<BTreeMap<usize, Vec<String>>> {
    let choice = Choice::Strategy(strategy.into());
    let options = PublishOptions { choice, ..PublishOptions::new(output, ask(case)) };
    let outcome = haggle::publishing::publish(engine, project, &options).unwrap();
    let PublishOutcome::Published(report) = outcome else { return None };
    assert_eq!(report.tight, strategy.contains("tight"));
    let mut reader = csv::Reader::from_path(output).unwrap();
    let row = |row: csv::StringRecord| -> (usize, Vec<String>) {
        let labels = row.iter().take(NAMES.len()).map(String::from).collect();
        (row[NAMES.len()].parse().unwrap(), labels)
    };
    Some(reader.records().map(|record| row(record.unwrap())).collect())
}

/// Checks every cell against the records that are published.
fn assert_cut(case: &Case, strategy: &str, rows: &BTreeMap<usize, Vec<String>>) {
    let looks: BTreeSet<&Vec<String>> = rows.values().collect();
    for (attribute, name) in NAMES.iter().enumerate() {
        let recorded: Vec<&str> =
            rows.keys().map(|&number| case.records[number][attribute].as_str()).collect();
        for (&number, labels) in rows {
            let held = Held::of(&labels[attribute]);
            assert!(held.holds(&case.records[number][attribute]), "{strategy}: {labels:?}");
            if let Held::Values(values) = &held {
                let is_published = |value: &String| recorded.contains(&value.as_str());
                assert!(values.iter().all(is_published), "{strategy}: {labels:?}");
            }
            for end in held.ends() {
                let has_it = |value: &&&str| place(value).is_some_and(|at| (at - end).abs() < 1e-9);
                let people = recorded.iter().filter(has_it).count();
                assert!(
                    people == 0 || people >= case.k,
                    "{strategy}: {people} have the end {end} of {name}, in {labels:?}"
                );
            }
        }
    }
    if strategy != "mondrian-relaxed" {
        for (i, one) in looks.iter().enumerate() {
            let meet = |other: &&&Vec<String>| {
                (0..NAMES.len()).all(|attribute| {
                    let both = [one, *other].map(|labels| Held::of(&labels[attribute]));
                    let mut values = rows.keys().map(|&n| &case.records[n][attribute]);
                    values.any(|value| both.iter().all(|held| held.holds(value)))
                })
            };
            let other = looks.iter().skip(i + 1).find(meet);
            assert!(other.is_none(), "{strategy}: {one:?} meets {other:?}");
        }
    }
}

/// LM from the text of the file, over the values of the table.
fn loss_of(case: &Case, rows: &BTreeMap<usize, Vec<String>>) -> f64 {
    let mut sum = 0.0;
    for attribute in 0..NAMES.len() {
        let mut values: Vec<&String> = case.records.iter().map(|r| &r[attribute]).collect();
        values.sort_unstable();
        values.dedup();
        for labels in rows.values() {
            let held = Held::of(&labels[attribute]);
            let covered = values.iter().filter(|value| held.holds(value)).count();
            sum += (covered - 1) as f64 / (values.len().max(2) - 1) as f64;
        }
    }
    sum / (NAMES.len() * rows.len()) as f64
}

#[test]
fn ends_of_boxes_are_cuts_that_few_people_do_not_have() {
    let (found, with_ends) = (Cell::new(0), Cell::new(0));
    check(120, &cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path(), &case.records);
        let engine = Engine::open(&project, &Options::default()).unwrap();
        for strategy in STRATEGIES {
            let output = folder.path().join(format!("{strategy}.csv"));
            let rows = published(&case, &engine, &project, &output, strategy);
            let Some(rows) = rows else { continue };
            assert_cut(&case, strategy, &rows);
            let labels = rows.values().flatten();
            let ends = labels.map(|label| Held::of(label).ends().len()).sum::<usize>();
            found.set(found.get() + 1);
            with_ends.set(with_ends.get() + usize::from(ends > 0));
        }
        Ok(())
    });
    let (found, with_ends) = (found.get(), with_ends.get());
    assert!(found > enough(250) && with_ends > enough(150), "{found} {with_ends}");
}

#[test]
fn the_loss_of_boxes_is_that_of_the_written_file() {
    let found = Cell::new(0);
    check(60, &cases().prop_map(|case| Case { limit: 0, ..case }), |case| {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path(), &case.records);
        let engine = Engine::open(&project, &Options::default()).unwrap();
        let options = CompareOptions {
            measures: vec!["lm".parse().unwrap()],
            strategies: STRATEGIES.iter().map(|&id| id.into()).collect(),
            time_limit: None,
            progress: &Silent,
        };
        for one in engine.compare(&ask(&case), &options).unwrap().strategies {
            let output = folder.path().join(format!("{}.csv", one.strategy));
            let rows = published(&case, &engine, &project, &output, &one.strategy);
            let Some(rows) = rows else { continue };
            let (reported, counted) = (one.loss["lm"], loss_of(&case, &rows));
            let who = &one.strategy;
            prop_assert!((reported - counted).abs() < 1e-9, "{who}: {reported} {counted}");
            found.set(found.get() + 1);
        }
        Ok(())
    });
    assert!(found.get() > enough(100), "{}", found.get());
}

/// Tight boxes name the smallest and the largest value of their records, and say so.
#[test]
fn tight_boxes_end_at_recorded_values_and_are_named_so() {
    let found = Cell::new(0);
    check(60, &cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path(), &case.records);
        let engine = Engine::open(&project, &Options::default()).unwrap();
        for strategy in ["mondrian", "mondrian-median", "mondrian-scanned"] {
            let output = folder.path().join(format!("{strategy}.csv"));
            let tight = format!("{strategy}:tight=true");
            let Some(rows) = published(&case, &engine, &project, &output, &tight) else { continue };
            let manifest = Manifest::next_to(&output).unwrap().unwrap();
            prop_assert!(manifest.recoding.is_tight());
            let mut groups: BTreeMap<&Vec<String>, Vec<u64>> = BTreeMap::new();
            for (&number, labels) in &rows {
                let income = case.records[number][0].parse().unwrap();
                groups.entry(labels).or_default().push(income);
            }
            for (labels, incomes) in groups {
                let (least, most) = (incomes.iter().min().unwrap(), incomes.iter().max().unwrap());
                let both = format!("{least}–{most}");
                let named = if least == most { least.to_string() } else { both };
                prop_assert!(labels[0] == named || labels[0] == "*", "{labels:?}: {named}");
                found.set(found.get() + usize::from(least < most && labels[0] != "*"));
            }
        }
        Ok(())
    });
    assert!(found.get() > enough(150), "{}", found.get());
}

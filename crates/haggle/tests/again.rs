//! Publishing again: what is said of joining and differencing is what brute force finds on records.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use haggle::publishing::{PublishOptions, PublishOutcome, publish};
use haggle::{Ask, Choice, Engine, Options, Privacy, Project, PublicationReport, Scheme};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::prelude::*;

/// Three quasi-identifiers of four values each, and a sensitive attribute of two.
type Record = [u8; 4];

/// What is published: quasi-identifiers, each at a level, and the promise.
#[derive(Debug, Clone)]
struct PublishedAs {
    levels: BTreeMap<usize, u8>,
    k: u64,
}

impl PublishedAs {
    /// A record as it is shown.
    fn shown(&self, record: Record) -> Vec<String> {
        let label = |(&i, &level): (&usize, &u8)| match level {
            0 => record[i].to_string(),
            1 => format!("in {}", record[i] / 2),
            _ => "*".into(),
        };
        self.levels.iter().map(label).collect()
    }

    /// The records as they are shown; none for those that are suppressed.
    fn publish(&self, records: &[Record]) -> Vec<Option<Vec<String>>> {
        let mut sizes: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for record in records {
            *sizes.entry(self.shown(*record)).or_default() += 1;
        }
        let shown = |record: &Record| Some(self.shown(*record)).filter(|s| sizes[s] >= self.k);
        records.iter().map(shown).collect()
    }

    /// The records over the quasi-identifiers that another publication has, at the higher levels.
    fn coarser(&self, other: &Self) -> Self {
        let shared = self.levels.iter().filter_map(|(i, level)| {
            let other = other.levels.get(i)?;
            Some((*i, *level.max(other)))
        });
        Self { levels: shared.collect(), k: self.k }
    }
}

fn ways() -> impl Strategy<Value = PublishedAs> {
    (1_u8..8, prop::array::uniform3(0_u8..3), 2_u64..5).prop_map(|(mask, levels, k)| PublishedAs {
        levels: (0..3).filter(|i| (mask >> i) & 1 == 1).map(|i| (i, levels[i])).collect(),
        k,
    })
}

fn records(size: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Record>> {
    let record = prop::array::uniform4(0_u8..4).prop_map(|[q, r, t, s]| [q, r, t, s % 2]);
    prop::collection::vec(record, size)
}

fn write_project(folder: &Path) {
    let attribute = |i: usize| {
        format!(
            "[[attribute]]\nname = \"q{i}\"\nrole = \"quasi-identifier\"\nhierarchy = \"h.csv\"\n"
        )
    };
    let attributes: String = (0..3).map(attribute).collect();
    let sensitive = "[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n";
    let project = format!("[data]\npath = \"d.csv\"\n{attributes}{sensitive}");
    fs::write(folder.join("haggle.toml"), project).unwrap();
    fs::write(folder.join("h.csv"), "0;in 0;*\n1;in 0;*\n2;in 1;*\n3;in 1;*\n").unwrap();
}

/// Publishes these records; none if no record is left.
fn published(
    folder: &Path,
    name: &str,
    records: &[Record],
    way: &PublishedAs,
) -> Option<Box<PublicationReport>> {
    let line = |[q, r, t, s]: &Record| format!("{q},{r},{t},{s}\n");
    let lines: String = records.iter().map(line).collect();
    fs::write(folder.join("d.csv"), format!("q0,q1,q2,s\n{lines}")).unwrap();
    let project = Project::open(folder).unwrap();
    let qi = Some(way.levels.keys().map(|i| format!("q{i}")).collect());
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let privacy = vec![Privacy::new("k-anonymity", way.k as f64)];
    let options = PublishOptions {
        choice: Choice::Scheme(Scheme::new(way.levels.values().copied())),
        ..PublishOptions::new(folder.join(name), Ask { privacy, ..Ask::default() })
    };
    match publish(&engine, &project, &options).unwrap() {
        PublishOutcome::Published(report) => Some(report),
        _ => None,
    }
}

/// The groups of a table by what is shown at some levels of the published records, each with its
/// sensitive values in order.
fn groups(
    records: &[Record],
    way: &PublishedAs,
    levels: &PublishedAs,
) -> BTreeMap<Vec<String>, Vec<u8>> {
    let mut groups: BTreeMap<Vec<String>, Vec<u8>> = BTreeMap::new();
    let shown = records.iter().zip(way.publish(records)).filter(|(_, shown)| shown.is_some());
    for (record, _) in shown {
        groups.entry(levels.shown(*record)).or_default().push(record[3]);
    }
    for values in groups.values_mut() {
        values.sort_unstable();
    }
    groups
}

/// How many groups differ by 1 to k - 1 records, or in their sensitive values alone.
fn differing(old: (&[Record], &PublishedAs), new: (&[Record], &PublishedAs)) -> u64 {
    let levels = new.1.coarser(old.1);
    let (before, now) = (groups(old.0, old.1, &levels), groups(new.0, new.1, &levels));
    let keys: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let differs = |key: &&&Vec<String>| {
        let of = |groups: &BTreeMap<Vec<String>, Vec<u8>>| {
            groups.get(**key).cloned().unwrap_or_default()
        };
        let (before, now) = (of(&before), of(&now));
        let records = before.len().abs_diff(now.len()) as u64;
        (1..new.1.k).contains(&records) || (records == 0 && before != now)
    };
    keys.iter().filter(differs).count() as u64
}

/// The records that fall below k, and those that are alone, if every record can be found in both.
fn joined(records: &[Record], old: &PublishedAs, new: &PublishedAs) -> (u64, u64) {
    let both = new.publish(records).into_iter().zip(old.publish(records));
    let mut classes: BTreeMap<_, u64> = BTreeMap::new();
    for class in both.filter(|(new, _)| new.is_some()) {
        *classes.entry(class).or_default() += 1;
    }
    let below = classes.values().filter(|size| **size < new.k).sum();
    let unique = classes.values().filter(|size| **size == 1).count() as u64;
    (below, unique)
}

#[test]
fn joining_and_differencing_are_as_on_records() {
    let (compared, differ, below) = (Cell::new(0_u32), Cell::new(0_u32), Cell::new(0_u32));
    let inputs = (records(4..40), records(0..4), 0_usize..3, ways(), ways());
    check(250, &inputs, |(old, added, removed, first, second)| {
        let folder = tempfile::tempdir().unwrap();
        write_project(folder.path());
        let new: Vec<Record> = old[removed..].iter().chain(&added).copied().collect();
        let one = published(folder.path(), "one.csv", &old, &first);
        let two = one.and_then(|one| {
            assert!(one.together.is_none());
            published(folder.path(), "two.csv", &new, &second)
        });
        let Some(two) = two else { return Ok(()) };
        let together = two.together.expect("there is an earlier publication");
        prop_assert_eq!((together.earlier, together.checked, together.unchecked), (1, 1, 0));
        prop_assert_eq!((together.below, together.unique), joined(&new, &first, &second));
        let is_shared = first.levels.keys().any(|i| second.levels.contains_key(i));
        prop_assert_eq!(together.differing.compared, u64::from(is_shared));
        prop_assert_eq!(together.differing.not_compared, u64::from(!is_shared));
        let expected = if is_shared { differing((&old, &first), (&new, &second)) } else { 0 };
        prop_assert_eq!(together.differing.groups, expected);
        let count = |cell: &Cell<u32>, is_so: bool| cell.set(cell.get() + u32::from(is_so));
        count(&compared, is_shared);
        count(&differ, expected > 0);
        count(&below, together.below > 0);
        Ok(())
    });
    let seen = [compared.get(), differ.get(), below.get()];
    assert!(seen.iter().all(|&times| times >= enough(30_u32)), "{seen:?}");
}

/// What boxes and cuts hide is compared where their groups are the same, and every difference of one
/// record is found.
#[test]
fn a_record_that_is_added_is_found_under_every_kind_of_value_sets() {
    for (strategy, name) in [("mondrian", "boxes"), ("top-down-specialization", "cuts")] {
        let folder = tempfile::tempdir().unwrap();
        write_project(folder.path());
        let mut records: Vec<Record> = Vec::new();
        for i in 0..4_u8 {
            records.extend(std::iter::repeat_n([i, i, i, 0], 5));
        }
        let found = |records: &[Record], output: &str| {
            let line = |[q, r, t, s]: &Record| format!("{q},{r},{t},{s}\n");
            let lines: String = records.iter().map(line).collect();
            fs::write(folder.path().join("d.csv"), format!("q0,q1,q2,s\n{lines}")).unwrap();
            let project = Project::open(folder.path()).unwrap();
            let engine = Engine::open(&project, &Options::default()).unwrap();
            let privacy = vec![Privacy::new("k-anonymity", 5.0)];
            let options = PublishOptions {
                choice: Choice::Strategy(strategy.into()),
                ..PublishOptions::new(folder.path().join(output), Ask { privacy, ..Ask::default() })
            };
            match publish(&engine, &project, &options).unwrap() {
                PublishOutcome::Published(report) => {
                    assert_eq!(report.recoding, name);
                    report.together
                }
                other => panic!("{other:?}"),
            }
        };
        assert!(found(&records, "one.csv").is_none());
        let same = found(&records, "two.csv").unwrap();
        assert_eq!((same.differing.compared, same.differing.groups), (1, 0), "{name}");
        records.push([0, 0, 0, 0]);
        let more = found(&records, "three.csv").unwrap();
        assert_eq!((more.differing.compared, more.differing.groups), (2, 1), "{name}");
    }
}

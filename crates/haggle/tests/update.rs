//! Random tables that change: an updated lattice says what one built anew from the changed table does.

use std::cell::Cell;
use std::path::Path;

use haggle::catalog::find_estimator;
use haggle::search::{ChangeFiles, Selection};
use haggle::{Ask, Engine, Options, Privacy, Project, Publication, Scheme, Way};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::redacted;
use insta::{allow_duplicates, assert_snapshot};
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;

const POLICIES: [&str; 3] = ["value", "drop", "unmatched"];

/// age (a rule), town (a hierarchy file), disease, income (both sensitive), person (a unit, maybe).
type Record = [u8; 5];

fn fields(record: Record, gaps: bool) -> [String; 5] {
    let [age, town, disease, income, person] = record;
    let missing = |part: u8, value: String| if gaps && part == 7 { "?".into() } else { value };
    [
        missing(age / 8, (20 + age % 40).to_string()),
        missing(town / 8, format!("t{}", town % 6)),
        missing(disease / 8, format!("d{}", disease % 4)),
        (income % 5).to_string(),
        format!("p{}", person % 9),
    ]
}

fn write(path: &Path, records: &[[String; 5]]) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    writer.write_record(["age", "town", "disease", "income", "person"]).unwrap();
    for record in records {
        writer.write_record(record).unwrap();
    }
    writer.flush().unwrap();
}

fn project(folder: &Path, policy: &str, unit: bool) -> Project {
    let unit = if unit { "unit = \"person\"\n" } else { "" };
    let text = format!(
        "[data]\npath = \"table.csv\"\nheader = true\nseparator = \",\"\nmissing = [\"?\"]\n\
         on_missing = \"{policy}\"\n{unit}\
         [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 20], origin = 0 }}\n\
         [[attribute]]\nname = \"town\"\nrole = \"quasi-identifier\"\nhierarchy = \"town.csv\"\n\
         [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n\
         [[attribute]]\nname = \"income\"\nrole = \"sensitive\"\n"
    );
    let rows: String = (0..6).map(|t| format!("t{t};r{};*\n", t / 2)).collect();
    std::fs::write(folder.join("town.csv"), rows).unwrap();
    std::fs::write(folder.join("haggle.toml"), text).unwrap();
    Project::open(folder.to_str().unwrap()).unwrap()
}

/// Everything that can be asked of a small lattice.
fn state(engine: &Engine) -> Vec<String> {
    let models = [
        Privacy::new("k-anonymity", 2.0),
        "distinct-l-diversity:l=2,on=disease".parse().unwrap(),
        "t-closeness:t=0.3,on=income".parse().unwrap(),
        "entropy-l-diversity:l=1.5,on=disease".parse().unwrap(),
    ];
    let mut state = vec![format!("{} records", engine.records())];
    for privacy in models {
        let ask = Ask { privacy: vec![privacy], ..Ask::default() };
        // What cannot be asked of so few values cannot be asked of either.
        state.push(format!("{:?}", engine.study(&ask).map_err(|e| e.to_string())));
        for levels in [[0, 0], [1, 0], [0, 1], [2, 2], [3, 0]] {
            let histogram = engine.histogram(&ask, &Scheme::new(levels));
            state.push(format!("{:?}", histogram.map_err(|e| e.to_string())));
        }
        let answer = engine.ask(&ask).map(|answer| (answer.exact, answer.relaxations));
        state.push(format!("{:?}", answer.map_err(|e| e.to_string())));
    }
    state
}

fn files(folder: &TempDir, add: bool, delete: bool) -> ChangeFiles {
    let path = |name: &str, wanted: bool| wanted.then(|| folder.path().join(name));
    ChangeFiles {
        add: path("added.csv", add).into_iter().collect(),
        delete: path("deleted.csv", delete).into_iter().collect(),
    }
}

fn built(project: &Project) -> Engine {
    Engine::open(project, &Options { stored: false, ..Options::default() }).unwrap()
}

#[test]
fn an_updated_lattice_is_that_of_the_changed_table() {
    let records = || vec(any::<Record>(), 3..25);
    let case = (records(), records(), any::<u64>(), 0..POLICIES.len(), any::<bool>());
    let compared = Cell::new(0);
    check(600, &case, |(old, added, mask, policy, unit)| {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path(), POLICIES[policy], unit);
        // Where missing values match nothing, records that have some cannot be deleted.
        let plain = POLICIES[policy] == "unmatched";
        let old: Vec<_> = old.iter().map(|&record| fields(record, true)).collect();
        let added: Vec<_> = added.iter().map(|&record| fields(record, true)).collect();
        let complete = |f: &[String; 5]| f[..2].iter().all(|f| f != "?");
        let is_deleted = |(i, record): &(usize, &[String; 5])| {
            let mixed = (mask ^ *i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            mixed.is_multiple_of(3) && (!plain || complete(record))
        };
        let all: Vec<[String; 5]> = old.iter().chain(&added).cloned().collect();
        let (deleted, left): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(is_deleted);
        let some = |some: Vec<(usize, &[String; 5])>| -> Vec<[String; 5]> {
            some.into_iter().map(|(_, record)| record.clone()).collect()
        };
        let (deleted, left) = (some(deleted), some(left));
        let countable = |all: &[[String; 5]]| {
            let counts =
                |f: &&[String; 5]| POLICIES[policy] != "drop" || f[..3].iter().all(|f| f != "?");
            all.iter().filter(counts).count()
        };
        let known = |all: &[[String; 5]]| {
            all.iter().any(|f| f[..2].iter().all(|f| f != "?") && f[2] != "?")
        };
        if [&old, &added, &left].iter().any(|all| countable(all) == 0 || !known(all))
            || countable(&deleted) == 0
        {
            return Ok(());
        }
        write(&folder.path().join("table.csv"), &old);
        write(&folder.path().join("added.csv"), &added);
        write(&folder.path().join("deleted.csv"), &deleted);
        built(&project).save(&folder.path().join("haggle.lattice")).unwrap();
        let changes = files(&folder, true, true);
        let (engine, updated) = Engine::updated(&project, &changes, &Options::default()).unwrap();
        prop_assert_eq!(updated.added, countable(&added) as u64);
        prop_assert_eq!(updated.deleted, countable(&deleted) as u64);
        engine.save(&folder.path().join("haggle.lattice")).unwrap();
        let stored = Engine::open(&project, &Options::default()).unwrap();
        prop_assert_eq!(stored.changed_since(), engine.changed_since());
        prop_assert!(stored.notice().is_some());
        let lazily = Options { way: Way::OnDemand, ..Options::default() };
        let lazily = Engine::open(&project, &lazily).unwrap();
        prop_assert_eq!(lazily.records(), stored.records(), "on demand, too");

        let fresh = tempfile::tempdir().unwrap();
        let anew = self::project(fresh.path(), POLICIES[policy], unit);
        write(&fresh.path().join("table.csv"), &left);
        let anew = built(&anew);
        prop_assert_eq!(state(&stored), state(&anew));
        if !unit && !plain {
            prop_assert_eq!(stored.cube(), anew.cube());
        }
        compared.set(compared.get() + 1);
        Ok(())
    });
    assert!(compared.get() > enough(400), "only {} tables were compared", compared.get());
}

/// A table of two people and a lattice of it.
fn small() -> (TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path(), "error", true);
    let record = |age: u8, person: u8| fields([age, 1, 2, 3, person], false);
    write(&folder.path().join("table.csv"), &[record(1, 1), record(1, 1), record(2, 2)]);
    built(&project).save(&folder.path().join("haggle.lattice")).unwrap();
    (folder, project)
}

/// A message for a snapshot.
fn shown(folder: &TempDir, message: &str) -> String {
    redacted(message, &[(folder.path().to_str().unwrap(), "folder")])
}

fn refused(project: &Project, changes: &ChangeFiles) -> String {
    Engine::updated(project, changes, &Options::default()).unwrap_err().to_string()
}

#[test]
fn records_that_are_not_there_cannot_be_deleted_and_nothing_changes() {
    let (folder, project) = small();
    let before = std::fs::read(folder.path().join("haggle.lattice")).unwrap();
    for (age, person) in [(3, 1), (1, 3), (39, 1)] {
        write(&folder.path().join("deleted.csv"), &[fields([age, 1, 2, 3, person], false)]);
        let why = refused(&project, &files(&folder, false, true));
        allow_duplicates!(assert_snapshot!(why, @"
        1 of the records to delete is not there
            fix: delete only records that were counted, and each at most as often; nothing was changed
        "));
    }
    let twice = fields([2, 1, 2, 3, 2], false);
    write(&folder.path().join("deleted.csv"), &[twice.clone(), twice]);
    assert_snapshot!(refused(&project, &files(&folder, false, true)), @"
    1 of the records to delete is not there
        fix: delete only records that were counted, and each at most as often; nothing was changed
    ");
    assert_eq!(std::fs::read(folder.path().join("haggle.lattice")).unwrap(), before);
}

#[test]
fn the_same_person_is_known_again() {
    let (folder, project) = small();
    // Two records of one person are no crowd; with a record of another one they are.
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 2.0)], ..Ask::default() };
    let suppressed = |person: u8| {
        write(&folder.path().join("added.csv"), &[fields([1, 1, 2, 3, person], false)]);
        let (engine, _) =
            Engine::updated(&project, &files(&folder, true, false), &Options::default()).unwrap();
        engine.suppressed(&ask).unwrap()[0]
    };
    assert_eq!((suppressed(1), suppressed(2)), (4, 1));
    let lattice = std::fs::read(folder.path().join("haggle.lattice")).unwrap();
    let holds = |name: &[u8]| lattice.windows(name.len()).any(|window| window == name);
    assert!(holds(b"town") && !holds(b"p1"), "persons are kept by digests, not by name");
}

#[test]
fn values_that_the_hierarchy_does_not_cover_are_refused_where_they_stand() {
    let (folder, project) = small();
    let mut record = fields([1, 1, 2, 3, 1], false);
    record[1] = "t99".into();
    write(&folder.path().join("added.csv"), &[fields([1, 1, 2, 3, 1], false), record.clone()]);
    let why = refused(&project, &files(&folder, true, false));
    assert_snapshot!(shown(&folder, &why), @"
    [folder]/added.csv:3: the hierarchy of 'town' does not cover 't99', first on this line
        fix: add a row for each to [folder]/town.csv, or declare it as missing
    ");
    record[1] = "t5".into();
    record[0] = "123".into();
    write(&folder.path().join("added.csv"), &[record]);
    let (engine, updated) =
        Engine::updated(&project, &files(&folder, true, false), &Options::default()).unwrap();
    assert_eq!(
        (updated.records, engine.records()),
        (4, 4),
        "covered values need not have been met"
    );
}

#[test]
fn what_needs_the_table_is_refused_until_the_table_has_the_changes() {
    let (folder, project) = small();
    write(&folder.path().join("added.csv"), &[fields([1, 1, 2, 3, 5], false)]);
    let (engine, _) =
        Engine::updated(&project, &files(&folder, true, false), &Options::default()).unwrap();
    engine.save(&folder.path().join("haggle.lattice")).unwrap();
    let stored = Engine::open(&project, &Options::default()).unwrap();
    let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 2.0)], ..Ask::default() };
    let publication = Publication::of(&ask).scheme(Scheme::new([3, 2]));
    let why = publication.preview(&stored, 3).unwrap_err().to_string();
    assert_snapshot!(why, @"
    a preview is made from the data, and the lattice counts other records: 1 record added and 0 deleted
        fix: make these changes in the data, too; the lattice is then built anew
    ");
    // A second update goes on from the first, and what was added can be deleted.
    write(&folder.path().join("deleted.csv"), &[fields([1, 1, 2, 3, 5], false)]);
    let (again, updated) =
        Engine::updated(&project, &files(&folder, false, true), &Options::default()).unwrap();
    assert_eq!((again.records(), updated.changes.added, updated.changes.deleted), (3, 1, 1));
    // Once the data itself changes, the lattice is that of the data again.
    let record = |age: u8, person: u8| fields([age, 1, 2, 3, person], false);
    write(&folder.path().join("table.csv"), &[record(1, 1), record(1, 5)]);
    let anew = Engine::open(&project, &Options::default()).unwrap();
    assert_eq!((anew.records(), anew.changed_since().is_none()), (2, true));
    assert_snapshot!(shown(&folder, anew.notice().unwrap()), @"[folder]/haggle.lattice is not used: the data changed, and is taken to have its changes, too (1 record added and 0 deleted); build the lattice again");
    let why = refused(&project, &files(&folder, false, true));
    assert_snapshot!(shown(&folder, &why), @"
    [folder]/haggle.lattice cannot be updated: the data changed
        fix: build the lattice again
    ");
}

#[test]
fn a_partial_lattice_stays_partial_and_is_selected_anew() {
    let (folder, project) = small();
    let selection = Selection::new(find_estimator("gamma").unwrap(), 20.0).unwrap();
    let way = Way::Partial(selection);
    let options = Options { way, stored: false, ..Options::default() };
    Engine::open(&project, &options).unwrap().save(&folder.path().join("haggle.lattice")).unwrap();
    write(&folder.path().join("added.csv"), &[fields([1, 1, 2, 3, 5], false)]);
    let (engine, _) =
        Engine::updated(&project, &files(&folder, true, false), &Options::default()).unwrap();
    let partial = engine.built().partial.clone().expect("still partial");
    assert_eq!((partial.estimator.as_str(), partial.of), ("gamma", 12));
    assert!(partial.schemes < 12);
    engine.save(&folder.path().join("haggle.lattice")).unwrap();
    assert!(Engine::open(&project, &Options::default()).unwrap().built().partial.is_some());
    let full = Options { way: Way::Full, ..Options::default() };
    let full = Engine::open(&project, &full).unwrap();
    assert_eq!((&full.built().partial, full.built().schemes, full.records()), (&None, 12, 4));
}

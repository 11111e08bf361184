//! Random tables are varied enough: every shape that matters occurs often.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, careless_rows, check, hierarchy_rows, tables, tables_of};
use haggle_testkit::oracle::{Oracle, full_paths};

/// How often each kind of thing was seen.
#[derive(Debug, Default)]
struct Kinds(RefCell<BTreeMap<String, u32>>);

impl Kinds {
    fn count(&self, kind: impl Into<String>) {
        *self.0.borrow_mut().entry(kind.into()).or_default() += 1;
    }

    fn assert_often(&self, kinds: &[&str], at_least: u32) {
        for kind in kinds {
            let times = self.0.borrow().get(*kind).copied().unwrap_or(0);
            assert!(times >= enough(at_least), "{kind} only {times} times in {self:?}");
        }
    }
}

#[test]
fn tables_have_all_sizes() {
    let kinds = Kinds::default();
    check(1000, &tables(), |table| {
        kinds.count(format!("{} attributes", table.attributes.len()));
        kinds.count(format!("{} sensitive", table.sensitive.len()));
        kinds.count(match table.records.len() {
            0..=9 => "few records",
            10..=255 => "some records",
            _ => "many records",
        });
        let oracle = Oracle::of(&table);
        oracle.tops().iter().for_each(|top| kinds.count(format!("{top} levels")));
        assert!(oracle.schemes().len() <= Shape::default().schemes);
        let base = vec![0; oracle.tops().len()];
        let sizes: BTreeSet<usize> =
            oracle.groups(&base).iter().map(|group| group.members.len()).collect();
        kinds.count(if sizes.len() > 5 { "groups of many sizes" } else { "groups of few sizes" });
        Ok(())
    });
    kinds.assert_often(&["1 attributes", "2 attributes", "4 attributes", "5 attributes"], 100);
    kinds.assert_often(&["0 sensitive", "1 sensitive", "2 sensitive"], 200);
    kinds.assert_often(&["1 levels", "2 levels", "3 levels", "4 levels"], 100);
    kinds.assert_often(&["few records", "some records", "many records"], 50);
    kinds.assert_often(&["groups of many sizes", "groups of few sizes"], 100);
}

#[test]
fn shapes_are_kept() {
    let shape = Shape { attributes: 2, schemes: 8, records: 7, sensitive: 2 };
    check(500, &tables_of(shape), |table| {
        assert!(table.attributes.len() <= 2 && table.records.len() <= 7);
        assert_eq!(table.sensitive.len(), 2);
        assert!(Oracle::of(&table).schemes().len() <= 8);
        Ok(())
    });
}

#[test]
fn hierarchies_are_ragged_in_every_way() {
    let kinds = Kinds::default();
    check(1000, &hierarchy_rows(), |rows| {
        let lengths: BTreeSet<usize> = rows.iter().map(Vec::len).collect();
        let ends: BTreeSet<&str> = rows.iter().map(|row| row[row.len() - 1].as_str()).collect();
        if lengths.len() > 1 {
            kinds.count("rows of different lengths");
        }
        if rows.iter().flatten().any(String::is_empty) {
            kinds.count("gaps");
        }
        match (ends.contains("*"), ends.contains("All"), ends.len()) {
            (true, _, 1) => kinds.count("starred"),
            (true, ..) => kinds.count("partly starred"),
            (_, true, 1) => kinds.count("another top"),
            (false, false, 1) => kinds.count("one last label"),
            _ => kinds.count("no top"),
        }
        assert!(full_paths(&rows).is_some());
        Ok(())
    });
    let all = ["rows of different lengths", "gaps", "starred", "partly starred", "another top"];
    kinds.assert_often(&all, 40);
    kinds.assert_often(&["one last label", "no top"], 30);
}

#[test]
fn careless_rows_are_sound_and_unsound() {
    let kinds = Kinds::default();
    check(1000, &careless_rows(), |rows| {
        kinds.count(if full_paths(&rows).is_some() { "sound" } else { "unsound" });
        Ok(())
    });
    kinds.assert_often(&["sound", "unsound"], 100);
}

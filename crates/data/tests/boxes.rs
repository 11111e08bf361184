//! Boxes counted while a file is read, and from the groups of its cube: both as record by record.

use std::collections::BTreeMap;
use std::ops::Range;

use haggle_cube::{
    Base, BoxCount, BoxIndex, BoxSource, CountedBox, Cube, GroupBoxes, Proposed, ValueCount,
};
use haggle_data::{CsvOptions, Input, Missing, Plan, Table, TableBoxes, scan};
use haggle_model::{Level, QuasiIdentifier};
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::{Table as Records, redacted};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::common::random::{options, written};

const SHAPE: Shape = Shape { attributes: 3, schemes: 60, records: 150, sensitive: 2 };

/// The table as a file, and where its columns are.
fn in_file(records: &Records, folder: &std::path::Path) -> (Table, Plan) {
    let ((text, plan), path) = (written(records), folder.join("table.csv"));
    std::fs::write(&path, text).unwrap();
    (Table::open(Input::file(path), &options()).unwrap(), plan)
}

/// All values, split at random places; some of the boxes, each with a split of every side that has one.
fn boxes(attributes: &[QuasiIdentifier], draws: &[u16]) -> Vec<Proposed> {
    let all = |a: &QuasiIdentifier| 0..a.hierarchy.len(Level::RECORDED) as u32;
    let mut boxes: Vec<Vec<Range<u32>>> = vec![attributes.iter().map(all).collect()];
    let inside = |side: &Range<u32>, draw: u16| {
        side.start + 1 + u32::from(draw) % (side.end - side.start - 1)
    };
    for &draw in draws {
        let (which, attribute) =
            (draw as usize % boxes.len(), draw as usize / 7 % attributes.len());
        let side = boxes[which][attribute].clone();
        if side.len() > 1 {
            let middle = inside(&side, draw);
            let mut upper = boxes[which].clone();
            upper[attribute] = middle..side.end;
            boxes[which][attribute] = side.start..middle;
            boxes.push(upper);
        }
    }
    let kept = boxes.into_iter().enumerate().filter(|(i, _)| i % 4 != 3);
    kept.map(|(i, sides)| {
        let splits = sides.iter().enumerate().filter(|(_, side)| side.len() > 1);
        let splits = splits.map(|(a, side)| (a, inside(side, i as u16))).collect();
        Proposed { sides, splits }
    })
    .collect()
}

fn by_record(records: &Records, cube: &Cube, holds: impl Fn(&[u32]) -> bool) -> BoxCount {
    let quasi = cube.attributes().len();
    let mut counts = vec![BTreeMap::<u32, u64>::new(); cube.watched().len()];
    let mut all = 0;
    for record in &records.records {
        let codes =
            cube.attributes().iter().zip(record).map(|(a, value)| a.hierarchy.code(value).unwrap());
        if holds(&codes.collect::<Vec<_>>()) {
            all += 1;
            for ((watched, value), counts) in
                cube.watched().iter().zip(&record[quasi..]).zip(&mut counts)
            {
                *counts.entry(watched.values.code(value).unwrap()).or_default() += 1;
            }
        }
    }
    let counted = |counts: BTreeMap<u32, u64>| {
        counts.into_iter().map(|(code, count)| ValueCount { code, count }).collect()
    };
    BoxCount { records: all, values: counts.into_iter().map(counted).collect() }
}

#[test]
fn boxes_are_counted_as_record_by_record() {
    let inputs = (tables_of(SHAPE), prop::collection::vec(any::<u16>(), 0..40));
    check(150, &inputs, |(records, draws)| {
        let folder = tempfile::tempdir().unwrap();
        let (table, plan) = in_file(&records, folder.path());
        let attributes = records.cube().unwrap().attributes().to_vec();
        let scanned = scan(&table, &plan, usize::MAX, &haggle_model::Silent).unwrap();
        let digest = scanned.digest();
        let cube = scanned.into_cube(attributes);
        let asked = boxes(cube.attributes(), &draws);
        let within = |sides: &[Range<u32>], codes: &[u32]| {
            sides.iter().zip(codes).all(|(side, code)| side.contains(code))
        };
        let expected: Vec<CountedBox> = asked
            .iter()
            .map(|Proposed { sides, splits }| CountedBox {
                all: by_record(&records, &cube, |codes| within(sides, codes)),
                lower: splits
                    .iter()
                    .map(|&(a, split)| {
                        by_record(&records, &cube, |c| within(sides, c) && c[a] < split)
                    })
                    .collect(),
            })
            .collect();
        let base = Base::of(&cube);
        let mut groups = GroupBoxes::new(&base, (0..cube.watched().len()).collect());
        let watch = &haggle_model::Silent;
        let mut file = TableBoxes::new(table, plan, cube.attributes(), usize::MAX, watch);
        for scans in 1..3 {
            prop_assert_eq!(&groups.count(&asked).unwrap(), &expected);
            prop_assert_eq!(&file.count(&asked).unwrap(), &expected);
            prop_assert_eq!((groups.scans(), file.scans(), file.digest()), (scans, scans, digest));
        }
        let index = BoxIndex::of(asked.iter().map(|one| one.sides.as_slice()).collect());
        for row in 0..base.len() {
            let codes = base.codes(row);
            prop_assert_eq!(
                index.find(codes),
                asked.iter().position(|one| within(&one.sides, codes))
            );
        }
        Ok(())
    });
}

/// Boxes in a pinwheel, which no cut tells apart, are found all the same.
#[test]
fn boxes_that_no_cut_tells_apart_are_found() {
    let wheel = [[0..2, 0..1], [2..3, 0..2], [1..3, 2..3], [0..1, 1..3], [1..2, 1..2]];
    let index = BoxIndex::of(wheel.iter().map(<[_; 2]>::as_slice).collect());
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let holds = |one: &[Range<u32>; 2]| one[0].contains(&x) && one[1].contains(&y);
        assert_eq!(index.find(&[x, y]), wheel.iter().position(holds));
    }
}

/// A value that the attributes do not have is in no box.
#[test]
fn data_that_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, "sex\nf\nm\n").unwrap();
    let open = || {
        Table::open(Input::file(&path), &CsvOptions { header: Some(true), ..CsvOptions::default() })
    };
    let plan = Plan {
        counted: vec![0],
        watched: Vec::new(),
        checked: vec![0],
        missing: Missing::default(),
    };
    let hierarchy = haggle_model::Hierarchy::flat(["f", "m"]);
    let attributes = [QuasiIdentifier { name: "sex".into(), hierarchy }];
    let both = 0..attributes[0].hierarchy.len(Level::RECORDED) as u32;
    let whole = [Proposed { sides: vec![both], splits: vec![(0, 1)] }];
    let mut source =
        TableBoxes::new(open().unwrap(), plan, &attributes, usize::MAX, &haggle_model::Silent);
    let counted = source.count(&whole).unwrap();
    assert_eq!((counted[0].all.records, counted[0].lower[0].records), (2, 1));
    std::fs::write(&path, "sex\nf\nm\nx\n").unwrap();
    let error = source.count(&whole).unwrap_err().to_string();
    assert_snapshot!(redacted(&error, &[(path.to_str().unwrap(), "file")]), @"
    [file]: 'sex' has a value that it did not have before: the data changed
        fix: start again
    ");
}

//! Groups counted from some levels on are those of the oracle, for every scheme from there upwards.

use std::collections::BTreeMap;

use haggle_cube::{Cube, Source};
use haggle_data::{Input, Table, TableSource};
use haggle_model::Scheme;
use haggle_testkit::Table as Records;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::Oracle;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::random::{options, written};

const SHAPE: Shape = Shape { attributes: 3, schemes: 60, records: 80, sensitive: 2 };

fn source(records: &Records) -> TableSource {
    let (text, plan) = written(records);
    let table = Table::open(Input::memory("table.csv", text.into_bytes()), &options()).unwrap();
    let attributes = records.cube().unwrap().attributes().to_vec();
    TableSource::new(table, plan, attributes, usize::MAX)
}

/// Labels of the groups of a scheme, with the records of each value of a watched attribute.
fn seen(
    cube: &Cube,
    levels: &[u8],
    watched: usize,
) -> BTreeMap<Vec<String>, BTreeMap<String, u64>> {
    let mut seen = BTreeMap::new();
    cube.for_each_group(&Scheme::new(levels.to_vec()), watched, |codes, group| {
        let labels = codes.iter().zip(cube.attributes()).zip(levels);
        let labels = labels.map(|((&code, a), &l)| a.hierarchy.label(code, l.into()).to_owned());
        let values = &cube.watched()[watched].values;
        let counts = group.values.iter().map(|v| (values.value(v.code).to_owned(), v.count));
        seen.insert(labels.collect::<Vec<String>>(), counts.collect());
    });
    seen
}

#[test]
fn every_scheme_from_the_start_upwards_has_the_groups_of_the_oracle() {
    check(500, &(tables_of(SHAPE), vec(0..4_u8, 3)), |(table, draws)| {
        prop_assume!(!table.sensitive.is_empty() && !table.records.is_empty());
        let oracle = Oracle::of(&table);
        let start: Vec<u8> =
            oracle.tops().iter().zip(&draws).map(|(top, draw)| draw % (top + 1)).collect();
        let mut source = source(&table);
        let start_scheme = Scheme::new(start.clone());
        let cube = source.cube_from(&start_scheme, &haggle_model::Silent).unwrap();
        prop_assert_eq!(source.scans(), 1);
        prop_assert_eq!(
            cube.base_groups(),
            oracle.groups(&start).len(),
            "no more groups than there"
        );
        let from = |levels: &[u8]| levels.iter().zip(&start).all(|(level, start)| level >= start);
        let schemes: Vec<Vec<u8>> = oracle.schemes().into_iter().filter(|s| from(s)).collect();
        let part = cube.space().all();
        let offered: usize = part.heights().map(|height| part.at_height(height).count()).sum();
        prop_assert_eq!(offered, schemes.len());
        for levels in schemes {
            let groups = oracle.groups(&levels);
            for watched in 0..table.sensitive.len() {
                let expected = groups.iter().map(|group| {
                    let labels: Vec<String> = group.labels.iter().map(|&l| l.into()).collect();
                    let counts = group.counts(watched).into_iter().map(|(v, n)| (v.to_owned(), n));
                    (labels, counts.collect())
                });
                prop_assert_eq!(
                    seen(&cube, &levels, watched),
                    expected.collect::<BTreeMap<_, _>>()
                );
            }
        }
        Ok(())
    });
}

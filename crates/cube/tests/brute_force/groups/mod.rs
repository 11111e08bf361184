//! The groups that a cube shows, and how wide the keys are that it keeps them by.

use std::collections::{BTreeMap, BTreeSet};

use haggle_cube::Cube;
use haggle_model::{Level, Scheme};
use haggle_testkit::Table;
use haggle_testkit::oracle::Oracle;

/// How many bits the codes of a record take in the widest of the cube's keys.
pub(crate) fn bits(table: &Table) -> u32 {
    let needed = |values: usize| usize::BITS - (values - 1).leading_zeros();
    let attributes = table.attributes.iter().map(|a| needed(a.rows.len()).max(1)).sum::<u32>();
    let column = |i: usize| {
        let values = table.records.iter().map(|record| &record[table.attributes.len() + i]);
        needed(values.collect::<BTreeSet<_>>().len())
    };
    attributes + (0..table.sensitive.len()).map(column).max().unwrap_or(0)
}

/// A group as its labels, its records, and how many of them have each value.
type Seen = (Vec<String>, u64, BTreeMap<String, u64>);

/// The groups that the cube shows of a scheme are the oracle's, for each sensitive attribute.
pub(crate) fn assert_groups(cube: &Cube, oracle: &Oracle<'_>, levels: &[u8]) {
    let groups = oracle.groups(levels);
    for watched in 0..cube.watched().len().max(1) {
        let expected: Vec<Seen> = groups
            .iter()
            .map(|group| {
                let labels = group.labels.iter().map(|&label| label.into()).collect();
                let counts = (!cube.watched().is_empty()).then(|| group.counts(watched));
                let counts = counts.into_iter().flatten().map(|(v, n)| (v.to_owned(), n));
                (labels, group.members.len() as u64, counts.collect())
            })
            .collect();
        assert_eq!(seen(cube, levels, watched), expected, "under {levels:?}");
    }
}

fn seen(cube: &Cube, levels: &[u8], watched: usize) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    cube.for_each_group(&Scheme::new(levels.to_vec()), watched, |codes, group| {
        let labels = codes.iter().zip(cube.attributes()).zip(levels);
        let labels = labels.map(|((&code, a), &l)| a.hierarchy.label(code, Level::from(l)).into());
        let values = cube.watched().get(watched).map(|watched| &watched.values);
        let counts = group
            .values
            .iter()
            .filter_map(|v| values.map(|values| (values.value(v.code).into(), v.count)));
        assert!(group.values.is_sorted_by_key(|value| value.code));
        assert_eq!(group.values.iter().map(|v| v.count).sum::<u64>(), group.records);
        seen.push((labels.collect(), group.records, counts.collect()));
    });
    seen.sort();
    seen
}

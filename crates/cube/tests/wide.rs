//! Lattices on demand of more attributes than are raised one by one, against plain counting.

use std::collections::BTreeMap;

use haggle_cube::{CountedPart, Counter, Cube, Lattice, Limits, OnDemand, Statistic};
use haggle_model::{Hierarchy, QuasiIdentifier, Scheme};
use haggle_privacy::KAnonymity;
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

/// The values of an attribute: as recorded, or all of them.
const VALUES: u32 = 3;

fn cube(attributes: usize, records: &[Vec<u32>]) -> Cube {
    let attribute = |i: usize| {
        let hierarchy = Hierarchy::flat(["0", "1", "2"]);
        QuasiIdentifier { name: format!("q{i}"), hierarchy }
    };
    let mut counter = Counter::new(attributes, 0);
    for record in records {
        counter.add(record);
    }
    let recode: Vec<Vec<u32>> = vec![(0..VALUES).collect(); attributes];
    let parts = [CountedPart { counter, recode }];
    Cube::from_parts((0..attributes).map(attribute).collect(), Vec::new(), &parts)
}

/// How many records each combination of the attributes has that are not fully general.
fn sizes(records: &[Vec<u32>], levels: &[u8]) -> Vec<u64> {
    let mut groups: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for record in records {
        let shown = record.iter().zip(levels).filter(|(_, level)| **level == 0);
        *groups.entry(shown.map(|(&code, _)| code).collect()).or_default() += 1;
    }
    groups.into_values().collect()
}

/// Records of keys of one word, of two words and of more, and schemes in which most attributes are
/// fully general.
fn tables() -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<Vec<u8>>)> {
    (13..90_usize).prop_flat_map(|attributes| {
        let level = prop_oneof![1 => Just(0_u8), 4 => Just(1)];
        let records = vec(vec(0..VALUES, attributes), 1..40);
        (records, vec(vec(level, attributes), 1..8))
    })
}

#[test]
fn schemes_of_many_attributes_have_the_groups_of_the_records() {
    check(200, &tables(), |(records, schemes)| {
        let cube = cube(schemes[0].len(), &records);
        let statistics: Vec<Box<dyn Statistic>> = vec![Box::new(KAnonymity::of_records())];
        let limits = Limits { memory: 100 << 20 };
        let lattice = OnDemand::new(cube.into(), statistics, false, limits);
        for levels in schemes {
            let sizes = sizes(&records, &levels);
            let annotated = lattice.annotate(&Scheme::new(levels)).unwrap();
            let histogram = annotated.histogram(0);
            prop_assert_eq!(histogram.groups(), sizes.len() as u64);
            for k in [2_u64, 3, 10] {
                let small: u64 = sizes.iter().filter(|size| **size < k).sum();
                prop_assert_eq!(histogram.suppressed(k as f64), small);
            }
        }
        Ok(())
    });
}

//! The lowest levels at which published records look the same.

use haggle_cube::{CountedPart, Counter};
use haggle_model::{Hierarchy, QuasiIdentifier};

use super::*;

/// Three records of a, which has one label at two levels, and one each of b and c.
fn cube() -> Cube {
    let paths = [["a", "a", "*"], ["b", "bc", "*"], ["c", "bc", "*"]];
    let hierarchy = Hierarchy::from_paths("q", paths).unwrap();
    let codes = ["a", "b", "c"].map(|value| hierarchy.code(value).unwrap());
    let mut counter = Counter::new(1, 0);
    for (code, records) in codes.into_iter().zip([3, 1, 1]) {
        counter.add_many(&[code], records);
    }
    let attributes = vec![QuasiIdentifier { name: "q".into(), hierarchy }];
    Cube::from_parts(
        attributes,
        Vec::new(),
        &[CountedPart { counter, recode: vec![vec![0, 1, 2]] }],
    )
}

#[test]
fn the_lowest_levels_depend_on_the_records_that_are_kept_alone() {
    let cube = cube();
    let hierarchy = &cube.attributes()[0].hierarchy;
    let above_b = hierarchy.ancestor(hierarchy.code("b").unwrap(), 1.into());
    let mut without_b = Failing::default();
    without_b.groups.insert(Box::new([above_b]));
    let lowest = |level: u8, failing: &Failing| {
        Recoded::scheme(&cube, Scheme::new([level])).lowest_schemes(failing)
    };
    assert_eq!(lowest(1, &without_b), [Scheme::new([0])], "a is a at both levels");
    assert_eq!(lowest(1, &Failing::default()), [Scheme::new([1])]);
    assert_eq!(lowest(2, &Failing::default()), [Scheme::new([2])]);
}

#[test]
fn a_result_that_cannot_be_published_in_memory_is_not_searched_for() {
    let cube = cube();
    let check = |strategy: &str, bytes: usize| {
        let chosen = crate::search::strategies::Chosen::parse(strategy).unwrap();
        chosen.check_memory(&cube, bytes).map_err(|error| error.kind())
    };
    for strategy in ["mondrian", "mondrian-scanned", "local-suppression"] {
        assert_eq!(check(strategy, 1000), Err(haggle_model::ErrorKind::OutOfMemory), "{strategy}");
        assert_eq!(check(strategy, 10_000), Ok(()), "{strategy}");
    }
    for strategy in ["k-optimize", "samarati"] {
        assert_eq!(check(strategy, 1), Ok(()), "{strategy}");
    }
}

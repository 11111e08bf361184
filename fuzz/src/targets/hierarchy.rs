//! Hierarchy files.

use std::path::Path;

use haggle_data::parse_hierarchy;
use haggle_model::{Hierarchy, Level};

use super::Verdict;
use crate::properties::refused_by;

pub(super) fn check(input: &[u8]) -> Verdict {
    match parse_hierarchy("age", Path::new("age.csv"), input) {
        Ok(hierarchy) => is_a_hierarchy(&hierarchy),
        Err(error) => refused_by(error, input),
    }
}

/// Every recorded value has one path to the only value of the top, and paths build the same again.
fn is_a_hierarchy(hierarchy: &Hierarchy) -> Verdict {
    let top = hierarchy.top();
    assert!(top.index() >= 1 && hierarchy.len(top) == 1, "there is one value at the top");
    let values = hierarchy.len(Level::RECORDED) as u32;
    let paths: Vec<Vec<&str>> = (0..values).map(|code| hierarchy.path(code).collect()).collect();
    for (code, path) in (0..).zip(&paths) {
        assert_eq!(path.len(), top.index() + 1, "{path:?}");
        assert_eq!(hierarchy.code(path[0]), Some(code), "{path:?}");
    }
    for level in (0..top.index() as u8).map(Level::from) {
        assert!(hierarchy.ancestors(level).is_sorted(), "values of level {level} are neighbours");
    }
    let again = Hierarchy::from_paths("age", paths).expect("its own paths are valid");
    assert_eq!(&again, hierarchy, "its own paths build the same");
    Verdict::Accepted
}

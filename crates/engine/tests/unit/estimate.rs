//! What is estimated of a lattice of six schemes over nine records.

use std::path::Path;

use haggle_data::Input;
use haggle_testkit::people::AGE_AND_SEX;

use super::*;

const PEOPLE: &[u8] = b"age,sex\n21,f\n21,f\n23,m\n24,m\n31,f\n32,f\n33,m\n34,m\n41,f\n";

fn estimated(options: &Options<'_>) -> BuildEstimate {
    let project = Project::from_text(AGE_AND_SEX, Path::new("no-such-folder")).unwrap();
    let project = project.over(Input::embedded("people.csv", PEOPLE));
    estimate(&project, options).unwrap()
}

#[test]
fn schemes_records_and_base_groups_are_counted() {
    let all = estimated(&Options::default());
    assert_eq!((all.schemes, all.records, all.base_groups), (6, 9, 8));
    let qi = Some(vec!["sex".to_owned()]);
    let some = estimated(&Options { qi, ..Options::default() });
    assert_eq!((some.schemes, some.records, some.base_groups), (2, 9, 2));
}

#[test]
fn the_way_that_is_taken_by_default_follows_the_expected_cost() {
    assert!(estimated(&Options::default()).full_by_default);
    assert!(!estimated(&Options { full_touches: 0.0, ..Options::default() }).full_by_default);
}

#[test]
fn numbers_are_rounded_and_never_wrap_around() {
    for (number, expected) in [(0.4, 0), (0.5, 1), (2.5, 3), (1e300, u64::MAX)] {
        assert_eq!(whole(number), expected, "{number}");
    }
}

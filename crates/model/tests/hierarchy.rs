//! Hierarchies against an independent padding: paths, contiguous codes, storage, contradictions.

use std::cell::Cell;
use std::collections::BTreeSet;

use haggle_model::{Error, ErrorKind, Hierarchy, Level, Problem, Row};
use haggle_testkit::Attribute;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{careless_rows, check, hierarchy_rows, repeated_labels};
use haggle_testkit::oracle::full_paths;
use insta::assert_snapshot;
use proptest::prelude::*;

type Rows = Vec<Vec<String>>;

fn rows(text: &[&[&str]]) -> Rows {
    text.iter().map(|row| row.iter().map(|&label| label.into()).collect()).collect()
}

fn hierarchy(rows: &Rows) -> Result<Hierarchy, Error> {
    Attribute { name: "age".into(), rows: rows.clone() }.hierarchy()
}

fn problems(result: Result<Hierarchy, Error>) -> Vec<Problem> {
    match result {
        Ok(hierarchy) => panic!("{hierarchy:?} should have been refused"),
        Err(error) => error.into_problems(),
    }
}

fn levels(hierarchy: &Hierarchy) -> impl Iterator<Item = Level> {
    (0..=hierarchy.top().into()).map(Level::from)
}

/// The product's hierarchy has just the oracle's values and paths.
fn assert_paths(hierarchy: &Hierarchy, rows: &Rows) {
    let expected = full_paths(rows).expect("the oracle accepts the rows");
    assert_eq!(hierarchy.len(Level::RECORDED), expected.len());
    for (value, path) in &expected {
        let code = hierarchy.code(value).expect("covered");
        assert_eq!(hierarchy.path(code).collect::<Vec<_>>(), *path);
        let labels = levels(hierarchy).map(|l| hierarchy.label(hierarchy.ancestor(code, l), l));
        assert_eq!(labels.collect::<Vec<_>>(), *path);
    }
    assert_eq!(hierarchy.code("not recorded"), None);
}

/// Codes are dense, ancestors never decrease, and climbing one level agrees with climbing at once.
fn assert_contiguous(hierarchy: &Hierarchy) {
    let values = hierarchy.len(Level::RECORDED) as u32;
    assert_eq!(hierarchy.ancestors(Level::RECORDED), (0..values).collect::<Vec<_>>());
    assert_eq!(hierarchy.len(hierarchy.top()), 1);
    for level in levels(hierarchy) {
        let codes = hierarchy.ancestors(level);
        assert!(codes.is_sorted(), "{codes:?} at level {level}");
        let different: BTreeSet<u32> = codes.iter().copied().collect();
        assert_eq!(different, (0..hierarchy.len(level) as u32).collect());
        let labels: BTreeSet<&str> = different.iter().map(|&c| hierarchy.label(c, level)).collect();
        assert_eq!(labels.len(), different.len(), "a label has one code");
        if level < hierarchy.top() {
            let parents = hierarchy.parents(level);
            assert_eq!(parents.len(), hierarchy.len(level));
            assert!(parents.is_sorted());
            let climbed: Vec<u32> = codes.iter().map(|&code| parents[code as usize]).collect();
            assert_eq!(hierarchy.ancestors(level.up()), climbed);
        }
    }
}

#[test]
fn padded_paths_are_the_oracles_and_codes_are_contiguous() {
    check(3000, &hierarchy_rows(), |rows| {
        let hierarchy = hierarchy(&rows).expect("sound");
        assert_paths(&hierarchy, &rows);
        assert_contiguous(&hierarchy);
        Ok(())
    });
}

#[test]
fn careless_rows_are_accepted_just_where_the_oracle_accepts_them() {
    let [refused, sound] = [Cell::new(0), Cell::new(0)];
    check(3000, &careless_rows(), |rows| {
        let read = hierarchy(&rows);
        prop_assert_eq!(read.is_ok(), full_paths(&rows).is_some(), "{:?}", read);
        let verdict = if read.is_ok() { &sound } else { &refused };
        verdict.set(verdict.get() + 1);
        match read {
            Ok(hierarchy) => {
                assert_paths(&hierarchy, &rows);
                assert_contiguous(&hierarchy);
            }
            Err(error) => {
                for problem in error.into_problems() {
                    prop_assert!(problem.what.contains("'age'"), "{}", problem);
                    prop_assert!(problem.at.line.is_some() && !problem.fix.is_empty());
                }
            }
        }
        Ok(())
    });
    assert!(
        sound.get() > enough(300) && refused.get() > enough(300),
        "{sound:?} sound, {refused:?} refused"
    );
}

#[test]
fn the_order_of_rows_and_their_repetition_change_no_path() {
    let orders =
        hierarchy_rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()));
    check(1000, &orders, |(rows, mut shuffled)| {
        shuffled.extend(rows.iter().take(2).cloned());
        let hierarchy = hierarchy(&shuffled).expect("sound");
        assert_paths(&hierarchy, &rows);
        assert_contiguous(&hierarchy);
        Ok(())
    });
}

#[test]
fn a_stored_hierarchy_is_read_back_unchanged() {
    check(1000, &hierarchy_rows(), |rows| {
        let hierarchy = hierarchy(&rows).expect("sound");
        let json = serde_json::to_string(&hierarchy).unwrap();
        let read: Hierarchy = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&read, &hierarchy);
        assert_paths(&read, &rows);
        Ok(())
    });
}

/// A stored hierarchy with one number changed is refused, or is contiguous all the same.
#[test]
fn a_stored_hierarchy_that_was_tampered_with_is_refused() {
    let strategy = (hierarchy_rows(), any::<prop::sample::Index>(), 0..10_u32);
    let refused = Cell::new(0);
    check(2000, &strategy, |(rows, place, code)| {
        let mut stored = serde_json::to_value(hierarchy(&rows).expect("sound")).unwrap();
        let levels = stored["ancestors"].as_array_mut().unwrap();
        let level = place.index(levels.len());
        let codes = levels[level].as_array_mut().unwrap();
        let position = place.index(codes.len());
        codes[position] = code.into();
        match serde_json::from_value::<Hierarchy>(stored) {
            Ok(hierarchy) => assert_contiguous(&hierarchy),
            Err(error) => {
                prop_assert!(error.to_string().contains("is inconsistent"));
                refused.set(refused.get() + 1);
            }
        }
        Ok(())
    });
    assert!(refused.get() > enough(1000), "{} refused", refused.get());
}

#[test]
fn a_value_that_is_added_gets_a_path_of_its_own() {
    check(1000, &hierarchy_rows(), |rows| {
        let hierarchy = hierarchy(&rows).expect("sound");
        let more = hierarchy.with_value("age", "?").expect("'?' is not a label yet");
        assert_contiguous(&more);
        prop_assert_eq!(more.top(), hierarchy.top());
        prop_assert_eq!(more.len(Level::RECORDED), hierarchy.len(Level::RECORDED) + 1);
        let own: Vec<&str> = more.path(more.code("?").unwrap()).collect();
        let (top, below) = own.split_last().unwrap();
        prop_assert!(below.iter().all(|&label| label == "?"));
        prop_assert_eq!(*top, hierarchy.label(0, hierarchy.top()));
        for code in 0..hierarchy.len(Level::RECORDED) as u32 {
            let path: Vec<&str> = hierarchy.path(code).collect();
            prop_assert_eq!(more.path(more.code(path[0]).unwrap()).collect::<Vec<_>>(), path);
        }
        prop_assert_eq!(more.with_value("age", "?").unwrap(), more);
        Ok(())
    });
}

/// One label of a full path is replaced by another of its level: the value, or the label below
/// it, then belongs to two.
#[test]
fn a_contradiction_is_always_found_and_says_where() {
    let strategy = (hierarchy_rows(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let found = Cell::new(0);
    check(3000, &strategy, |(rows, which, level)| {
        let mut rows: Rows = full_paths(&rows).unwrap().into_values().collect();
        let mut twisted = rows[which.index(rows.len())].clone();
        let depth = twisted.len();
        if depth == 2 {
            return Ok(()); // above the values there is only the top
        }
        let level = 1 + level.index(depth - 2);
        twisted[level] = "elsewhere".into();
        let (below, before) =
            (twisted[level - 1].clone(), rows[which.index(rows.len())][level].clone());
        let first = 1 + rows.iter().position(|row| row[level - 1] == below).unwrap();
        rows.push(twisted);
        prop_assert_eq!(full_paths(&rows), None);
        let problems = problems(hierarchy(&rows));
        prop_assert_eq!(problems.len(), 1, "{:?}", problems);
        let expected = format!(
            "in the hierarchy of 'age', '{below}' (level {}) belongs to 'elsewhere' and, on line \
                 {first}, to '{before}'",
            level - 1
        );
        prop_assert_eq!(&problems[0].what, &expected);
        prop_assert_eq!(problems[0].at.line, Some(rows.len() as u64));
        let fix = format!("let '{below}' belong to one of them, or give it two different names");
        prop_assert_eq!(problems[0].fix.to_string(), fix);
        found.set(found.get() + 1);
        Ok(())
    });
    assert!(found.get() > enough(2000), "{} contradictions", found.get());
}

#[test]
fn every_contradiction_is_reported_up_to_a_limit() {
    let twice = |n: usize| -> Rows {
        let row = |i: usize, label: &str| vec![format!("v{i}"), format!("{label}{i}"), "*".into()];
        (0..n).map(|i| row(i, "A")).chain((0..n).map(|i| row(i, "B"))).collect()
    };
    assert_eq!(problems(hierarchy(&twice(20))).len(), 20);
    let many = problems(hierarchy(&twice(33)));
    assert_eq!(many.len(), 21);
    assert_eq!(many[20].what, "and 13 more in the hierarchy of 'age'");
}

#[test]
fn rows_of_which_some_end_in_a_star_are_refused() {
    let half = rows(&[&["37", "30-39", "*"], &["38", "30-39", "*"], &["41", "40-49", "All"]]);
    let problems = problems(hierarchy(&half));
    assert_eq!(problems.len(), 1);
    assert_snapshot!(problems[0].what, @"the hierarchy of 'age' must end in one value, but line 1 ends in '*' and this one in 'All'");
    assert_eq!(problems[0].at.line, Some(3));
    assert_eq!(
        problems[0].fix.to_string(),
        "end every row in '*', or none: then '*' is added above"
    );
}

/// Padding such a row would put a `*` next to the labels of a lower level, below the added top.
#[test]
fn a_row_that_ends_early_in_a_star_is_refused_if_longer_rows_end_otherwise() {
    for early in [&["34", "*"][..], &["34", "30-39", "*"], &["34", "", "*"]] {
        let mixed = rows(&[&["36", "30-39", "20-39", "x"], early, &["41"]]);
        let problems = problems(hierarchy(&mixed));
        assert_eq!(problems.len(), 1);
        assert_eq!(
            problems[0].what,
            "the hierarchy of 'age' must end in one value, but line 2 ends in '*' and this one in \
             'x'"
        );
        assert_eq!(problems[0].at.line, Some(1));
        assert_eq!(
            problems[0].fix.to_string(),
            "end every row in '*', or none: then '*' is added above"
        );
        assert_eq!(full_paths(&mixed), None);
    }
}

#[test]
fn a_row_that_ends_early_in_the_top_of_the_longer_ones_is_padded_with_its_own_label() {
    let early = rows(&[&["34", "*"], &["36", "30-39", "*"], &["41"]]);
    let hierarchy = hierarchy(&early).expect("sound");
    assert_paths(&hierarchy, &early);
    let path = hierarchy.path(hierarchy.code("34").unwrap());
    assert_eq!(path.collect::<Vec<_>>(), ["34", "34", "*"]);
}

#[test]
fn a_hierarchy_without_rows_is_refused_with_an_example() {
    let problems = problems(hierarchy(&Vec::new()));
    assert_eq!(problems[0].what, "the hierarchy of 'age' has no rows");
    assert_snapshot!(problems[0].fix, @"write one row per value: the value, then its generalizations, e.g. 37;30-39;*");
}

#[test]
fn more_levels_than_a_level_can_number_are_refused() {
    let long = |value: &str, levels: usize| -> Vec<String> {
        (0..levels).map(|level| format!("{value}{level}")).collect()
    };
    assert_eq!(hierarchy(&vec![long("a", 255)]).unwrap().top(), 254.into());
    let topped = hierarchy(&vec![long("a", 255), long("b", 255)]).unwrap();
    assert_eq!(topped.top(), 255.into(), "the added top is the last level there can be");
    assert_contiguous(&topped);
    let problems = problems(hierarchy(&vec![long("a", 256)]));
    assert_snapshot!(problems[0], @"
    the hierarchy of 'age' has 256 levels; 255 is the most
        fix: leave out levels that are not needed
    ");
}

#[test]
fn a_place_is_shown_once_the_file_is_known() {
    let row = |line, labels: [&str; 2]| Row::new(line, labels);
    let twice = vec![row(4, ["37", "30-39"]), row(9, ["37", "40-49"]), row(10, ["41", "40-49"])];
    let error = Hierarchy::from_rows("age", twice).expect_err("37 belongs to two labels");
    assert_eq!(error.kind(), ErrorKind::BadInput);
    assert_eq!(
        error.in_file("age.csv".as_ref()).to_string(),
        "age.csv:9: in the hierarchy of 'age', '37' (level 0) belongs to '40-49' and, on line 4, to \
         '30-39'\n    fix: let '37' belong to one of them, or give it two different names"
    );
}

#[test]
fn flat_hierarchies_have_one_level_above_the_values() {
    let flat = Hierarchy::flat(["m", "f", "m"]);
    assert_contiguous(&flat);
    assert_paths(&flat, &rows(&[&["f"], &["m"]]));
}

#[test]
fn a_label_means_its_recorded_value_or_its_largest_set_on_any_level() {
    let repeated = Cell::new(0);
    check(1000, &repeated_labels(), |paths| {
        let hierarchy = Hierarchy::from_paths("a", &paths).unwrap();
        for label in paths.iter().flatten() {
            let below = |level: usize| -> BTreeSet<&str> {
                let paths = paths.iter().filter(|path| path[level] == *label);
                paths.map(|path| path[0].as_str()).collect()
            };
            let sets: Vec<BTreeSet<&str>> =
                (0..paths[0].len()).map(below).filter(|set| !set.is_empty()).collect();
            let means = hierarchy.named(label).expect("it is a label");
            let means: BTreeSet<&str> =
                means.map(|code| hierarchy.label(code, Level::RECORDED)).collect();
            let largest = sets.iter().map(BTreeSet::len).max();
            let recorded = below(0);
            let size = if recorded.is_empty() { largest } else { Some(1) };
            prop_assert!(sets.contains(&means), "{label} means {means:?} of {sets:?}");
            prop_assert_eq!(Some(means.len()), size, "{} means {:?}", label, means);
            let is_repeated = sets.iter().any(|set| *set != sets[0]);
            repeated.set(repeated.get() + u32::from(recorded.is_empty() && is_repeated));
        }
        prop_assert_eq!(hierarchy.named("no label"), None);
        Ok(())
    });
    assert!(repeated.get() > enough(200), "only {} labels were repeated", repeated.get());
}

//! Where a missing value is an error, and where its mark could be confused with something else.

use insta::{allow_duplicates, assert_snapshot};

use crate::people;

/// Every command that reads the data names the gaps and leaves nothing behind.
#[test]
fn every_command_refuses_gaps_where_they_are_an_error() {
    let folder = people("error");
    let before = folder.listing();
    let commands: [&[&str]; 9] = [
        &["check", "."],
        &["build", "."],
        &["ask", ".", "--k", "2"],
        &["ask", ".", "--k", "2", "--qi", "sex"],
        &["study", ".", "--k", "2"],
        &["why", ".", "--scheme", "0,0", "--k", "2"],
        &["hierarchy", "show", ".", "age"],
        &["hierarchy", "export", ".", "age"],
        &["publish", ".", "--scheme", "0,0", "--k", "2", "-o", "out.csv"],
    ];
    for command in commands {
        // The header is line 1: records 3 and 4 lack column 2, 5 column 3, 6 and 11 column 4 or 2.
        allow_duplicates!(assert_snapshot!(folder.haggle(command).printed(2), @r#"
        error: ./people.csv:4:2: 'age' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:5:2: 'age' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:6:3: 'sex' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:7:4: 'disease' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:12:2: 'age' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv: and 1 more missing value
        "#));
        assert!(folder.listing() == before, "nothing is written");
    }
}

/// A file that is only assessed is never refused for its gaps.
#[test]
fn files_are_assessed_whatever_is_missing() {
    let folder = people("error");
    let verdict = folder.haggle(&["verify", "people.csv", ".", "--k", "2", "--json"]).json(1);
    assert_eq!(verdict["records"], 12);
    folder.haggle(&["assess", "people.csv", "."]).text();
}

#[test]
fn the_star_of_suppressed_records_is_not_a_mark_of_what_matches_nothing() {
    let folder = people("unmatched");
    folder.edit("haggle.toml", "missing = [\"?\", \"\"]", "missing = [\"?\", \"*\"]");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @r#"
    error: ./haggle.toml:2: '*' means all values, so it cannot mean one that matches nothing
        fix: take '*' out of `missing`, or choose "drop"
    "#);
}

#[test]
fn a_hierarchy_must_not_turn_known_values_into_a_mark() {
    let folder = people("unmatched");
    folder.write("age.csv", "34;?;*\n36;?;*\n41;40-49;*\n47;40-49;*\n");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @"
    error: ./haggle.toml:10: in the hierarchy of 'age' values become '?', which means missing
        fix: give that level another name than '?', or take it out of `missing`
    ");
    // A row of the mark itself is common in hierarchy files and does no harm.
    folder.write("age.csv", "?;?;*\n34;30-39;*\n36;30-39;*\n41;40-49;*\n47;40-49;*\n");
    folder.haggle(&["check", "."]).text();
}

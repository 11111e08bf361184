//! Where a missing value is an error.

use insta::{allow_duplicates, assert_snapshot};

use crate::missing::people;

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

//! Where a missing value is an error, and where its mark could be confused with something else.

use crate::brute_force::RECORDS;
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
        let run = folder.haggle(command);
        assert_eq!(run.code, Some(2), "{run:#?}");
        // The header is line 1: records 3 and 4 lack column 2, 5 column 3, 6 and 11 column 4 or 2.
        for place in ["people.csv:4:2", "people.csv:5:2", "people.csv:6:3", "people.csv:7:4"] {
            assert!(run.stderr.contains(place), "{place} in {}", run.stderr);
        }
        let gaps = RECORDS.iter().filter(|r| r.iter().any(|field| ["?", ""].contains(field)));
        let more = gaps.count() - 5; // five are spelled out
        assert!(run.stderr.contains(&format!("and {more} more missing values")), "{run:#?}");
        assert!(run.stderr.contains("\"drop\", \"value\" or \"unmatched\""), "{run:#?}");
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
    let run = folder.haggle(&["check", "."]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("haggle.toml:2: '*' means all values"), "{run:#?}");
    assert!(run.stderr.contains("fix: take '*' out of `missing`"), "{run:#?}");
}

#[test]
fn a_hierarchy_must_not_turn_known_values_into_a_mark() {
    let folder = people("unmatched");
    folder.write("age.csv", "34;?;*\n36;?;*\n41;40-49;*\n47;40-49;*\n");
    let run = folder.haggle(&["check", "."]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    let what = "in the hierarchy of 'age' values become '?', which means missing";
    assert!(run.stderr.contains(what), "{run:#?}");
    // A row of the mark itself is common in hierarchy files and does no harm.
    folder.write("age.csv", "?;?;*\n34;30-39;*\n36;30-39;*\n41;40-49;*\n47;40-49;*\n");
    folder.haggle(&["check", "."]).text();
}

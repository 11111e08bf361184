//! `--time-limit` bounds the time to the answer, and the answer says that the limit was reached.

use std::time::{Duration, Instant};

use insta::{allow_duplicates, assert_snapshot};
use serde_json::Value;

use crate::common::{Folder, Run};
use crate::large;

/// What reading the table and a last step may take beyond the limit, on a busy machine.
const SLACK: Duration = Duration::from_mins(1);

/// Runs with a time limit in seconds, and is back soon after it.
fn in_time(folder: &Folder, arguments: &[&str], seconds: u64) -> Run {
    let start = Instant::now();
    let limit = seconds.to_string();
    let run = folder.haggle(&[arguments, &["--time-limit", &limit]].concat());
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(seconds) + SLACK, "{arguments:?}: {elapsed:?}");
    run
}

const PUBLISH: [&str; 9] =
    ["publish", ".", "--k", "5", "--max-suppressed", "2%", "-o", "out.csv", "--json"];

/// The search alone would take very long.
#[test]
fn a_publication_within_a_time_limit_is_of_the_best_found_or_refused() {
    let folder = Folder::empty();
    large(&folder);
    for more in [&[][..], &["--optimize", "lm"]] {
        let run = in_time(&folder, &[&PUBLISH[..], more].concat(), 8);
        let report: Value =
            serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:#?}"));
        if run.code == Some(0) {
            assert_eq!(report["search_stopped"], true, "{report}");
            let verdict = folder.haggle(&["verify", "out.csv", "--k", "5", "--json"]).json(0);
            assert_eq!(verdict["manifest_matches"], true);
        } else {
            // A machine that is too busy to write it in time.
            assert_eq!((run.code, &report["outcome"]), (Some(1), &"refused".into()), "{report}");
            allow_duplicates!(
                assert_snapshot!(report["reason"].as_str().unwrap(), @"the time limit was reached before the publication was written and proved; nothing was written")
            );
        }
    }
}

#[test]
fn a_publication_that_has_no_time_writes_nothing_and_says_so() {
    let folder = Folder::people();
    let before = folder.listing();
    let fixed = ["publish", ".", "--k", "2", "-o", "out.csv", "--time-limit", "0"];
    let named: &[&str] = &["--scheme", "1,1"];
    for more in [&[][..], named, &["--strategy", "mondrian"], &["--refine"]] {
        let run = folder.haggle(&[&fixed[..], more].concat());
        allow_duplicates!(assert_snapshot!(run.printed(1), @r#"
    Not published: the time limit was reached before the publication was written and proved; nothing was written.
    Raise --time-limit.
    "#));
        let refused = folder.haggle(&[&fixed[..], more, &["--json"]].concat()).json(1);
        assert_eq!(
            (&refused["outcome"], &refused["published"]),
            (&"refused".into(), &false.into())
        );
        assert!(folder.listing() == before, "the folder is not as it was");
    }
}

#[test]
fn a_publication_with_time_enough_is_the_same_as_without_a_limit() {
    let folder = Folder::people();
    let fixed = ["publish", ".", "--k", "2", "-o", "out.csv", "--json"];
    let plain = folder.haggle(&fixed).json(0);
    let limited = folder.haggle(&[&fixed[..], &["--time-limit", "600"]].concat()).json(0);
    assert_eq!(limited["result"], plain["result"]);
    assert!(limited["search_stopped"].is_null(), "{limited}");
}

#[test]
fn an_answer_within_a_time_limit_says_that_it_is_not_proven() {
    let folder = Folder::empty();
    large(&folder);
    let ask = ["ask", ".", "--k", "5", "--max-suppressed", "2%"];
    for more in [&[][..], &["--optimize", "lm"]] {
        let answer = in_time(&folder, &[&ask[..], &["--json"], more].concat(), 3).json(0);
        assert_eq!(answer["obtained"]["proven"], false, "{answer}");
        let text = in_time(&folder, &[&ask[..], more].concat(), 3);
        assert!(text.text().contains("then stopped"), "{text:#?}");
    }
}

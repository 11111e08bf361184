//! Instant anonymization from the database's statistics: no access to the table before the scan.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::Value;

use crate::database::Census;

/// How often the table was read, as the database counts it; its counters lag behind.
fn reads(census: &Census) -> String {
    census.sql(
        "SELECT pg_stat_force_next_flush(); SELECT coalesce(seq_scan, 0) || ' ' || coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relid = 'TABLE_'::regclass",
    )
    .trim()
    .to_owned()
}

#[test]
fn planning_from_statistics_reads_nothing() {
    let census = Census::of(1);
    let settled = settled(&census);
    // No scan is allowed, so all that happens is the plan.
    let answer = census.json(
        "instant",
        &["--k", "60", "--summary", "pg", "--max-suppressed", "1%", "--max-scans", "0"],
    );
    assert!(answer["plan"]["candidates"].as_u64() > Some(10), "{answer}");
    assert_eq!((answer["scans"].as_u64(), answer["summary"]["scans"].as_u64()), (Some(0), Some(0)));
    assert_eq!(self::settled(&census), settled, "the table was read");
    let answer =
        census.json("instant", &["--k", "60", "--summary", "pg", "--max-suppressed", "1%"]);
    let scans = answer["scans"].as_u64().unwrap();
    let after = self::settled(&census);
    assert_eq!(
        count(&after) - count(&settled),
        scans,
        "the source counts its scans as the database does"
    );
}

/// How many times all of the table was read.
fn count(counters: &str) -> u64 {
    counters.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn boxes_take_the_scans_that_the_database_counts() {
    let census = Census::of(1);
    let compared = |strategy: &str, qi: &[&str]| {
        let before = count(&settled(&census));
        // No clock ends the search before it has read what it needs.
        let endless = ["--time-limit", "1e9", "--strategies", strategy];
        let asked = [&["--k", "60", "--max-suppressed", "1%"], &endless[..], qi].concat();
        let one = census.json("compare", &asked)["strategies"][0].clone();
        assert!(one["found"].is_string() && one["verified"] == true, "{one}");
        (one, count(&settled(&census)) - before)
    };
    let (mondrian, for_the_cube) = compared("mondrian", &[]);
    assert!(mondrian["scans"].is_null() && for_the_cube > 0, "{mondrian}");
    // Paper 003, section 7.3: M-INSTANT and Mondrian, both in the database.
    for strategy in ["m-instant", "m-instant:summary=pg", "mondrian-scanned"] {
        let (found, reads) = compared(strategy, &[]);
        assert_eq!(found["scans"].as_u64(), Some(reads - for_the_cube), "{found}");
        assert!(found["scans"].as_u64() > Some(1) && found["note"].is_null(), "{found}");
    }
    // Section 7: cuts, each candidate counted in one scan.
    let few = ["--qi", "race,workclass"];
    let (_, for_the_cube) = compared("mondrian", &few);
    let (found, reads) = compared("s-instant:summary=pg", &few);
    assert_eq!(found["scans"].as_u64(), Some(reads - for_the_cube), "{found}");
}

/// The counters once every session that read the table has ended: a session adds what it read before
/// it leaves the list of sessions.
fn settled(census: &Census) -> String {
    let mine = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{}'",
        census.table
    );
    let start = Instant::now();
    while census.sql(&mine) != "0" {
        assert!(start.elapsed() < Duration::from_mins(1), "a session does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    reads(census)
}

#[test]
fn every_summary_finds_a_scheme_that_holds() {
    let census = Census::of(1);
    for summary in ["pg", "histogram", "bayes", "bayes-greedy", "sample"] {
        let answer =
            census.json("instant", &["--k", "60", "--summary", summary, "--max-suppressed", "2%"]);
        holds(&answer, summary);
        let records = answer["summary"]["records"].as_u64().unwrap();
        assert!(records.abs_diff(30_162) < 1_600, "{summary}: {records}");
    }
}

fn holds(answer: &Value, summary: &str) {
    let attained = &answer["attained"];
    assert!(attained["k-anonymity"].as_f64() >= Some(60.0), "{summary}: {answer}");
    assert!(attained["suppressed"].as_u64() <= Some(30_162 / 50), "{summary}: {answer}");
    assert!(answer["scans"].as_u64() <= Some(6), "{summary}: {answer}");
}

/// Combinations that the database keeps make it see that columns go together.
#[test]
fn extended_statistics_sharpen_what_is_predicted() {
    let census = Census::of(1);
    let base = ["--qi", "education,occupation,workclass", "--levels", "0,0,0", "--k", "60"];
    let all = ["--summary", "pg", "--by", "expectation", "--max-suppressed", "100%"];
    let error = || {
        let answer = census.json("instant", &[&base[..], &all].concat());
        assert_eq!(answer["scheme"], serde_json::json!([0, 0, 0]));
        let predicted = answer["predicted"]["suppressed"].as_f64().unwrap();
        (predicted - answer["attained"]["suppressed"].as_f64().unwrap()).abs()
    };
    let alone = error();
    census.sql("CREATE STATISTICS TABLE__together (mcv, dependencies) ON education, occupation, workclass FROM TABLE_; ANALYZE TABLE_");
    let together = error();
    assert!(together < alone, "{together} {alone}");
}

#[test]
fn diversity_is_predicted_within_the_database() {
    let census = Census::of(1);
    let answer = census.json(
        "instant",
        &[
            "--only",
            "--privacy",
            "frequency-l-diversity=1.8",
            "--summary",
            "bayes",
            "--max-suppressed",
            "1%",
        ],
    );
    assert!(answer["attained"]["frequency-l-diversity"].as_f64() >= Some(1.8), "{answer}");
}

#[test]
fn a_table_without_statistics_is_reported() {
    let census = Census::of(40);
    census.sql("CREATE TABLE TABLE__fresh AS SELECT * FROM TABLE_");
    let fresh = Census {
        table: format!("{}_fresh", census.table),
        folder: tempfile::tempdir().unwrap(),
        server: census.server.clone(),
    };
    fresh.write(haggle_testkit::postgres::USER);
    assert_snapshot!(fresh.refused("instant", &["--k", "5", "--summary", "pg"]), @r#"
    error: the database has no statistics about 'age'
        fix: run ANALYZE on the table in the database, then try again
    "#);
}

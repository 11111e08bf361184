//! The cube by grouping within the database is the cube of the file.

use crate::database::{Census, embedded};

#[test]
fn answers_are_those_of_the_file() {
    let census = Census::of(1);
    let six = ["--k", "10", "--max-suppressed", "321", "--levels", "2,2,2,1,1,2"];
    for args in [
        &six[..],
        &["--l", "3", "--max-suppressed", "1%"],
        &[
            "--qi",
            "age,race,workclass",
            "--k",
            "10",
            "--max-suppressed",
            "321",
            "--levels",
            "2,1,1",
        ],
    ] {
        let (mut here, mut there) = (census.json("ask", args), embedded("ask", args));
        for answer in [&mut here, &mut there] {
            answer["micros"] = 0.into();
        }
        assert_eq!(here, there);
    }
    let report = census.json("check", &[]);
    assert_eq!(
        (report["records"].as_u64(), report["dropped"].as_u64()),
        (Some(32_561), Some(2_399))
    );
}

#[test]
fn a_stored_lattice_is_not_trusted_while_the_table_may_change() {
    let census = Census::of(40);
    let built = census.json("build", &["--qi", "age,race"]);
    assert!(built["schemes"].as_u64() > Some(1));
    let before = census.json("ask", &["--qi", "age,race", "--k", "5"]);
    census.sql("DELETE FROM TABLE_ WHERE age < 40");
    let after = census.json("ask", &["--qi", "age,race", "--k", "5"]);
    assert_ne!(before["exact"], after["exact"]);
    let stored = std::fs::read(census.folder.path().join("haggle.lattice")).unwrap();
    let secret = haggle_testkit::postgres::PASSWORD.as_bytes();
    assert!(!stored.windows(secret.len()).any(|window| window == secret));
}

#[test]
fn reading_never_writes() {
    let census = Census::of(60);
    census.json("ask", &["--k", "5"]);
    census.json("instant", &["--k", "20", "--summary", "histogram"]);
    let written = census.sql("SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE relid = 'TABLE_'::regclass");
    let records = census.sql("SELECT count(*) FROM TABLE_");
    assert_eq!(written, records, "nothing but the records that were put there");
}

#[test]
fn a_file_is_streamed_out_of_the_database() {
    let census = Census::of(1);
    let args = ["--qi", "age,race,workclass", "--k", "10", "--scheme", "1,1,0", "-o", "out.csv"];
    let report = census.json("publish", &args);
    assert_eq!(report["suppressed"].as_u64(), Some(170));
    assert_eq!(report["attained"]["k-anonymity"].as_u64(), Some(10));
    let written = std::fs::read_to_string(census.folder.path().join("out.csv")).unwrap();
    assert_eq!(written.lines().count(), 1 + 30_162 - 170);
}

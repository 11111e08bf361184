//! Publishing within the database: whole and proved, or not at all.

use insta::assert_snapshot;

use crate::common::Folder;
use crate::database::Census;

const THREE: [&str; 6] = ["--qi", "age,race,workclass", "--k", "10", "--scheme", "1,1,0"];

#[test]
fn a_table_is_made_and_keeps_its_promise() {
    let census = Census::of(1);
    let target = census.table.replace("adult", "published");
    let paper = census.folder.path().join("published.manifest.json");
    let more = ["--table", &target, "--manifest", paper.to_str().unwrap()];
    let report = census.json("publish", &[&THREE[..], &more].concat());
    let reported: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&paper).unwrap()).unwrap();
    assert_eq!(reported["output"]["file"].as_str(), Some(target.as_str()));
    assert_eq!(reported["output"]["records"].as_u64(), Some(30_162 - 170));
    assert_eq!(reported["guarantees"]["k-anonymity"].as_u64(), Some(10));
    assert!(reported["output"].get("sha256").is_none(), "a table has no bytes of its own");
    assert_eq!(report["suppressed"].as_u64(), Some(170));
    assert_eq!(report["records"].as_u64(), Some(30_162 - 170));
    let sizes = census.sql(&format!(
        "SELECT min(n), sum(n) FROM (SELECT count(*) AS n FROM {target} GROUP BY age, race, workclass) g"
    ));
    assert_eq!(sizes, "10|29992");
    let kind = census.sql(&format!(
        "SELECT data_type FROM information_schema.columns WHERE table_schema || '.' || table_name = '{target}' AND column_name = 'hours-per-week'"
    ));
    assert_eq!(kind, "integer", "what is not recoded keeps its type");
    let mistaken = census.sql(&format!("SELECT count(*) FROM {target} WHERE age NOT LIKE '%-%' AND age NOT LIKE '%+%' AND age NOT LIKE '[%'"));
    assert_eq!(mistaken, "0");
}

/// Blanks around a text would set records apart that were counted as alike.
#[test]
fn texts_are_written_without_blanks_around_them() {
    let census = Census::of(10);
    census.sql(
        "ALTER TABLE TABLE_ ADD COLUMN note text; \
         UPDATE TABLE_ SET note = CASE (ctid::text::point)[1]::int % 3 WHEN 0 THEN NULL \
           WHEN 1 THEN '' ELSE E'\\t seen' END || repeat(' ', (ctid::text::point)[1]::int % 50)",
    );
    let target = census.table.replace("adult", "trimmed");
    let asked = ["--qi", "age,race", "--k", "5", "--scheme", "1,1", "--table", &target];
    census.json("publish", &asked);
    let notes = format!("SELECT string_agg(DISTINCT coalesce(note, 'NULL'), '|') FROM {target}");
    assert_eq!(census.sql(&notes), "NULL|seen");
}

/// Others insert and commit all the while; each publication shows one moment.
#[test]
fn a_busy_table_can_be_published() {
    let census = Census::of(4);
    let busy = census.sql_aside(
        "CREATE PROCEDURE TABLE__busy() LANGUAGE plpgsql AS $$ BEGIN \
         FOR i IN 1..5000 LOOP \
           INSERT INTO TABLE_ SELECT * FROM TABLE_ WHERE age = 37 LIMIT 1; COMMIT; \
           EXIT WHEN to_regclass('TABLE__done') IS NOT NULL; PERFORM pg_sleep(0.002); \
         END LOOP; END $$; CALL TABLE__busy()",
    );
    for (name, place) in [("first", "-o"), ("second", "--table")] {
        let target = match place {
            "-o" => format!("{name}.csv"),
            _ => census.table.replace("adult", name),
        };
        let report = census.json("publish", &[&THREE[..], &[place, &target]].concat());
        let sum = report["records"].as_u64().unwrap() + report["suppressed"].as_u64().unwrap();
        let complete = census.sql("SELECT count(*) FROM TABLE_");
        assert!(sum > 7000 && sum <= complete.parse().unwrap(), "{report} {complete}");
    }
    census.sql("CREATE TABLE TABLE__done ()");
    busy.join().unwrap();
}

#[test]
fn suppressed_records_can_stay_with_stars() {
    let census = Census::of(1);
    let target = census.table.replace("adult", "starred");
    let more = ["--table", &target, "--suppress", "star", "--flag", "gone", "--shuffle"];
    let report = census.json("publish", &[&THREE[..], &more].concat());
    assert_eq!(report["records"].as_u64(), Some(30_162));
    let stars = census.sql(&format!(
        "SELECT count(*) FROM {target} WHERE gone AND age = '*' AND race = '*' AND workclass = '*'"
    ));
    assert_eq!(stars, "170");
}

#[test]
fn a_table_is_filled_in_a_random_order() {
    let census = Census::of(10);
    let digests = |name: &str| {
        let target = census.table.replace("adult", name);
        let asked = ["--qi", "age,race", "--k", "5", "--scheme", "1,1", "--table", &target];
        assert_eq!(census.json("publish", &asked)["order"], "random");
        let digest = |order: &str| {
            census.sql(&format!(
                "SELECT md5(string_agg(t::text, '|' ORDER BY {order})) FROM {target} t"
            ))
        };
        (digest("ctid"), digest("t::text"))
    };
    let (one, two) = (digests("first"), digests("second"));
    assert_eq!(one.1, two.1, "the same records");
    assert_ne!(one.0, two.0, "in another order");
}

#[test]
fn starred_records_of_a_table_keep_the_promise_as_a_group() {
    let census = Census::of(1);
    let target = census.table.replace("adult", "alone");
    let asked = ["--qi", "age,race,workclass", "--k", "10", "--l", "20", "--scheme", "1,1,0"];
    let more = ["--table", &target, "--suppress", "star", "--max-suppressed", "100%"];
    let report = census.json("publish", &[&asked[..], &more].concat());
    let stars = census.sql(&format!(
        "SELECT count(*) FROM {target} WHERE age = '*' AND race = '*' AND workclass = '*'"
    ));
    assert_eq!(stars, report["starred"].to_string());
    let values = census.sql(&format!("SELECT min(n) FROM (SELECT count(DISTINCT \"hours-per-week\") AS n FROM {target} GROUP BY age, race, workclass) g"));
    assert!(values.parse::<u64>().unwrap() >= 20, "{values}: every group, stars too");
}

#[test]
fn a_table_that_is_there_is_never_replaced() {
    let census = Census::of(40);
    census.sql("CREATE TABLE TABLE__old AS SELECT 1 AS one");
    let target = format!("{}_old", census.table);
    let error =
        census.refused("publish", &["--k", "5", "--max-suppressed", "100%", "--table", &target]);
    assert_snapshot!(error, @r#"
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database refuses: relation "adult_old" already exists
        fix: name another table; none is ever replaced
    "#);
    assert_eq!(census.sql(&format!("SELECT one FROM {target}")), "1");
}

#[test]
fn a_table_cannot_be_written_to_a_file() {
    let publish = ["publish", "demo:adult", "--k", "10", "--table", "public.x"];
    assert_snapshot!(Folder::empty().haggle(&publish).printed(2), @"
    error: the project's data is not in a database
        fix: publish into a file
    ");
}

//! Statements for other engines, dbt models and policies are private: only their owner reads them, and
//! they say so. So are exported hierarchies and the folders of private files.

use std::os::unix::fs::PermissionsExt as _;

use crate::common::Folder;

const TABLE: &str = "age,town,disease\n30,a,flu\n30,a,gout\n31,b,flu\n31,b,gout\n99,z,cold\n";

#[test]
fn what_holds_recorded_values_is_private_and_says_so() {
    let folder = Folder::with([("haggle.toml", crate::publish::PERSONS), ("table.csv", TABLE)]);
    let publish = |more: &[&str]| {
        let common = ["publish", ".", "--k", "2", "--max-suppressed", "1"];
        folder.haggle(&[&common, more].concat()).text().to_owned()
    };
    publish(&["--sql", "duckdb", "-o", "out.sql"]);
    publish(&["--sql", "duckdb", "--dbt", "--sql-to", "persons_k2", "-o", "dbt"]);
    publish(&["--private", "private", "-o", "out.csv"]);
    for file in [
        "out.sql",
        "dbt/models/persons_k2.sql",
        "dbt/tests/persons_k2_keeps_its_promise.sql",
        "private/policy.json",
    ] {
        let mode = std::fs::metadata(folder.file(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}: {mode:o}");
        let text = String::from_utf8(folder.read(file)).unwrap();
        assert!(text.contains("Private: it holds values"), "{file}: {text:.300}");
        assert!(text.contains("Keep it as secret as the data."), "{file}: {text:.300}");
    }
    folder.haggle(&["hierarchy", "export", ".", "town", "-o", "town.csv"]).text();
    for (made, expected) in [("town.csv", 0o600), ("private", 0o700)] {
        let mode = std::fs::metadata(folder.file(made)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, expected, "{made}: {mode:o}");
    }
}

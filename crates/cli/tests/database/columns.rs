//! Every column is accounted for in a publication from a database too, whatever the recoding, in a
//! table and in a file: nothing that singles people out is published unless it is named.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::database::Census;

/// A scheme, cuts and boxes that generalize education, which education-num would undo.
const KINDS: [(&str, &[&str]); 3] = [
    ("levels", &["--qi", "age,education", "--scheme", "2,2"]),
    ("cuts", &["--qi", "race,education", "--levels", "1,2", "--strategy", "k-optimize"]),
    ("boxes", &["--qi", "age,education", "--levels", "2,2", "--strategy", "mondrian"]),
];
const ASKED: [&str; 4] = ["--k", "10", "--max-suppressed", "20%"];

/// The columns that a publication has, by its report and by what it wrote.
struct Columns<'a> {
    census: &'a Census,
    report: Value,
    written: BTreeSet<String>,
}

impl<'a> Columns<'a> {
    fn in_file(census: &'a Census, how: &[&str]) -> Self {
        let report = census.json("publish", &[how, &ASKED, &["-o", "out.csv"]].concat());
        let text = std::fs::read_to_string(census.folder.path().join("out.csv")).unwrap();
        let written = text.lines().next().unwrap().split(',').map(String::from).collect();
        Self { census, report, written }
    }

    fn in_table(census: &'a Census, how: &[&str]) -> Self {
        let target = census.table.replace("adult", "columns");
        let report = census.json("publish", &[how, &ASKED, &["--table", &target]].concat());
        let names = census.sql(&format!(
            "SELECT string_agg(attname, ',') FROM pg_attribute \
             WHERE attrelid = '{target}'::regclass AND attnum > 0"
        ));
        let unique = census.sql(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM {target} GROUP BY {} HAVING count(*) = 1) one",
            names
                .split(',')
                .filter(|name| *name != "hours-per-week")
                .map(|name| format!("\"{name}\""))
                .collect::<Vec<_>>()
                .join(", ")
        ));
        assert_eq!(report["unique_over_all_columns"].to_string(), unique, "{how:?}");
        census.sql(&format!("DROP TABLE {target}"));
        Self { census, report, written: names.split(',').map(String::from).collect() }
    }

    fn of(&self, name: &str) -> &Value {
        let columns = self.report["columns"]["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap()
    }

    /// What is listed is what is written; quasi-identifiers that are not negotiated, nearly unique
    /// and shadow columns are not, unless they are named.
    fn assert_accounted(&self, kind: &str, negotiated: &str, named: &[&str]) {
        assert_eq!(self.report["recoding"], kind, "{}", self.report);
        let published =
            Census::columns().into_iter().filter(|c| self.of(c)["treatment"] != "dropped");
        assert_eq!(published.collect::<BTreeSet<_>>(), self.written);
        let dropped = [
            ("fnlwgt", "nearly-unique"),
            ("sex", "not-negotiated"),
            ("native-country", "not-negotiated"),
            ("occupation", "not-negotiated"),
            ("education-num", "shadow"),
        ];
        for (name, reason) in dropped {
            let column = self.of(name);
            if named.contains(&name) {
                assert_eq!(
                    (&column["treatment"], &column["as_recorded"]),
                    (&"unchanged".into(), &true.into())
                );
            } else {
                assert_eq!(
                    (&column["treatment"], &column["reason"]),
                    (&"dropped".into(), &reason.into())
                );
            }
        }
        let over: Vec<&str> = negotiated.split(',').collect();
        assert_eq!(self.report["promise_over"], serde_json::json!(over));
        assert_eq!(self.report["as_recorded"].as_array().unwrap().len(), named.len());
        assert!(self.written.contains("hours-per-week"), "the sensitive attribute stays");
        self.assert_values_stay(named);
    }

    /// Columns that are named are in the file as recorded; the census has them as columns of its own.
    fn assert_values_stay(&self, named: &[&str]) {
        for name in named {
            let kind = self.census.sql(&format!("SELECT count(DISTINCT \"{name}\") FROM TABLE_"));
            assert!(kind.parse::<u64>().unwrap() > 1 && self.written.contains(*name), "{name}");
        }
    }
}

#[test]
fn columns_that_single_people_out_are_dropped_from_tables_and_files() {
    let census = Census::of(10);
    for (kind, how) in KINDS {
        for publish in [Columns::in_file, Columns::in_table] {
            publish(&census, how).assert_accounted(kind, how[1], &[]);
        }
    }
}

#[test]
fn columns_that_are_named_are_published_in_tables_and_files() {
    let census = Census::of(10);
    for (kind, how) in KINDS {
        let named = [how, &["--as-recorded", "sex,fnlwgt,education-num"]].concat();
        for publish in [Columns::in_file, Columns::in_table] {
            let columns = publish(&census, &named);
            columns.assert_accounted(kind, how[1], &["sex", "fnlwgt", "education-num"]);
        }
    }
}

//! What an engine publishes is, record by record, what haggle publishes into a file.

use haggle_testkit::spark;
use serde_json::{Value, json};

use super::CLUSTER;
use super::project::{TwoProjects, helper, records_in, records_of};
use crate::table::records_of_csv;

/// Publishes the same into a file and into Parquet files of the engine, and compares the records.
fn same_files(projects: &TwoProjects, number: usize, args: &[&str]) {
    let file = format!("file-{number}.csv");
    let from_file =
        projects.run("publish", &projects.file, &[args, &["-o", &file, "--json"]].concat());
    let from_file = from_file.json(0);
    let expected = records_of_csv(&projects.folder.path().join(&file));
    let (folder, manifest) =
        (projects.folder.path().join(format!("out-{number}")), format!("out-{number}.json"));
    let output = format!("parquet:{}", folder.display());
    let report = projects.run(
        "publish",
        "engine.toml",
        &[args, &["-o", &output, "--manifest", &manifest, "--json"]].concat(),
    );
    let report = report.json(0);
    for field in ["records", "groups", "attained", "promised", "scheme"] {
        assert_eq!(report[field], from_file[field], "{field} {args:?}");
    }
    let found = records_in(&folder);
    assert_eq!(found.len(), expected.len(), "{args:?}");
    let differs = found.iter().zip(&expected).find(|(a, b)| a != b);
    assert!(differs.is_none(), "{args:?}: {differs:?}");
    let manifest = std::fs::read_to_string(projects.folder.path().join(manifest)).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["output"]["records"].as_u64(), Some(found.len() as u64), "{manifest}");
}

#[test]
fn schemes_boxes_cuts_and_levels_by_part_are_published_as_files() {
    let projects = TwoProjects::adult();
    let cases: [&[&str]; 6] = [
        &["--k", "10", "--scheme", "1,1,0"],
        &["--k", "10", "--scheme", "1,0,1", "--suppress", "star", "--flag", "starred"],
        &["--k", "5", "--l", "3", "--max-suppressed", "5%"],
        &["--k", "10", "--strategy", "mondrian"],
        &["--k", "10", "--strategy", "top-down-specialization"],
        &["--k", "10", "--scheme", "1,1,0", "--refine"],
    ];
    for (number, args) in cases.iter().enumerate() {
        same_files(&projects, number, &[&["--qi", "age,race,workclass"], *args].concat());
    }
}

#[test]
fn hostile_names_values_and_labels_are_published_as_such() {
    let projects = TwoProjects::hostile();
    for (number, args) in [
        &["--k", "3", "--max-suppressed", "100%"][..],
        &["--k", "2", "--l", "2", "--max-suppressed", "100%", "--suppress", "star"],
        &["--k", "3", "--strategy", "mondrian"],
    ]
    .iter()
    .enumerate()
    {
        same_files(&projects, number, args);
    }
}

/// A session that the user named, with the tables that only it may see.
struct NamedSession<'a> {
    projects: &'a TwoProjects,
    id: &'static str,
}

impl NamedSession<'_> {
    fn run(&self, statements: &[&str]) -> Value {
        let task = json!({"url": CLUSTER.url(), "session": self.id, "statements": statements});
        let at = self.projects.folder.path().join("run.json");
        std::fs::write(&at, task.to_string()).unwrap();
        serde_json::from_str(&helper("run", &at)).unwrap()
    }

    fn name_it(&self) {
        self.projects.edit_engine(|text| {
            let options = format!(
                "\n[data.options]\n\"adbc.spark.session_id\" = \"{}\"\n\n[[attribute]]",
                self.id
            );
            text.replacen("\n[[attribute]]", &options, 1)
        });
    }
}

#[test]
fn a_table_is_published_and_never_replaced() {
    let projects = TwoProjects::hostile();
    let session = NamedSession { projects: &projects, id: "0e4a4a30-58c6-47c3-a59d-94a4c1b8f1d2" };
    session.name_it();
    session.run(&["CREATE SCHEMA IF NOT EXISTS census"]);
    let args = ["--k", "3", "--max-suppressed", "100%"];
    let hostile = "`it's; --`";
    // Spark's own catalog takes letters, digits and underscores alone.
    let name = if spark::python().is_some() {
        let table = format!("census.{hostile}");
        let error = projects.refused("publish", &[&args[..], &["--table", &table]].concat());
        assert!(error.contains("INVALID_SCHEMA_OR_RELATION_NAME"), "{error}");
        assert_eq!(session.run(&["SHOW TABLES IN census"]), json!([]), "nothing is left");
        "`people`"
    } else {
        hostile
    };
    let (table, all) = (format!("census.{name}"), format!("SELECT * FROM census.{name}"));
    let target = ["--table", &table, "--manifest", "table.json"];
    let file = projects.run("publish", &projects.file, &[&args[..], &["-o", "table.csv"]].concat());
    file.text();
    let published = projects.run("publish", "engine.toml", &[&args[..], &target].concat());
    assert!(published.text().contains("Proved from the written"), "{published:?}");
    let found = session.run(&[&all]);
    let expected = records_of_csv(&projects.folder.path().join("table.csv"));
    assert_eq!(records_of(&found), expected);
    let staged = session.run(&["SHOW TABLES IN census"]);
    assert!(!staged.to_string().contains("haggle"), "{staged}");
    let again = projects.refused("publish", &[&args[..], &target[..2]].concat());
    assert!(again.contains(&format!("there is a table `census`.{name} already")), "{again}");
    assert_eq!(records_of(&session.run(&[&all])), expected);
}

/// What one publication writes, another does not: two at once into one table leave one table.
#[test]
fn a_table_that_another_publication_writes_is_left_alone() {
    let projects = TwoProjects::hostile();
    let session = NamedSession { projects: &projects, id: "7b1f0c1e-3c07-4a33-9c0f-1d2f35a7c9e3" };
    session.name_it();
    session.run(&["CREATE TABLE busy__haggle_staged AS SELECT 1 AS one"]);
    let error =
        projects.refused("publish", &["--k", "3", "--max-suppressed", "100%", "--table", "busy"]);
    assert!(error.contains("run DROP TABLE `busy__haggle_staged`"), "{error}");
    assert_eq!(session.run(&["SELECT * FROM busy__haggle_staged"]), json!([["1"]]));
}

/// Numbers that grow in the table do not in what is published.
#[test]
fn records_are_written_in_a_random_order() {
    let projects = TwoProjects::hostile();
    projects.edit_engine(|text| {
        let (data, _) = text.split_once("path = ").unwrap();
        let rows = "SELECT CAST(id % 4 AS STRING) AS age, id AS number FROM range(0, 4000, 1, 1)";
        let attribute = "[[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n";
        format!("{data}query = \"{rows}\"\n\n{attribute}")
    });
    let folder = projects.folder.path().join("shuffled");
    let output = format!("parquet:{}", folder.display());
    let publish = ["--k", "10", "--scheme", "0", "--as-recorded", "number", "-o", &output];
    projects
        .run("publish", "engine.toml", &[&publish[..], &["--manifest", "s.json"]].concat())
        .text();
    let rows: Vec<Vec<String>> = serde_json::from_str(&helper("read", &folder)).unwrap();
    let numbers: Vec<u32> = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    let ascents = numbers.windows(2).filter(|pair| pair[0] < pair[1]).count();
    assert_eq!(numbers.len(), 4000);
    assert!((1500..2500).contains(&ascents), "{ascents} of 3,999 are in order");
}

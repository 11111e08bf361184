//! An engine's groups are those of the file, whatever the values are.

use serde_json::json;

use super::project::{TwoProjects, helper};
use crate::common::Folder;
use crate::table::TestTable;

const THREE: [&str; 2] = ["--qi", "age,race,workclass"];

#[test]
fn adult_is_counted_and_negotiated_as_from_its_file() {
    let projects = TwoProjects::adult();
    projects.same_answer("study", &[&THREE[..], &["--k", "3"]].concat());
    for request in [
        &["--k", "10", "--max-suppressed", "321", "--levels", "2,1,1"][..],
        &["--k", "10", "--max-suppressed", "32", "--levels", "2,1,1"],
        &["--k", "5", "--l", "3", "--max-suppressed", "1%", "--optimize", "lm"],
    ] {
        projects.same_answer("ask", &[&THREE[..], request].concat());
    }
    let six = "age,education,marital-status,occupation,race,workclass";
    projects.same_answer("ask", &["--qi", six, "--k", "3", "--max-suppressed", "1%"]);
}

/// Nulls, blanks, quotes, unicode, numbers, decimals and dates in random tables.
#[test]
fn random_tables_are_counted_as_from_their_files() {
    for seed in 1..=6 {
        let folder = Folder::empty();
        let table = TestTable::random(folder.path(), seed);
        let projects = TwoProjects::of(folder, &table);
        projects.same_answer("study", &["--k", "2"]);
        projects.same_answer("ask", &["--k", "3", "--l", "2", "--max-suppressed", "30%"]);
    }
}

#[test]
fn names_values_and_labels_that_try_to_be_sql_are_counted_as_such() {
    let projects = TwoProjects::hostile();
    projects.same_answer("study", &["--k", "3"]);
    projects.same_answer("ask", &["--k", "2", "--max-suppressed", "50%"]);
}

/// A table can also be the rows of a query, and delimited text with a header.
#[test]
fn queries_and_delimited_text_are_sources_as_well() {
    let folder = Folder::empty();
    let table = TestTable::hostile(folder.path());
    let projects = TwoProjects::of(folder, &table);
    let source = projects.source().display().to_string();
    projects.write_engine(
        &format!("query = \"SELECT * FROM parquet.`{source}` -- all of it\""),
        &table,
    );
    projects.same_answer("ask", &["--k", "2", "--max-suppressed", "50%"]);
    let adult = TwoProjects::adult();
    let csv = adult.folder.path().join("adult.csv");
    adult_as_csv(&csv);
    adult.write_engine(&format!("path = \"csv:{}\"", csv.display()), &TestTable::adult());
    adult.same_answer("ask", &[&THREE[..], &["--k", "10", "--max-suppressed", "1%"]].concat());
}

fn adult_as_csv(file: &std::path::Path) {
    let table = TestTable::adult();
    let mut writer = csv::Writer::from_path(file).unwrap();
    writer.write_record(table.columns()).unwrap();
    for row in table.rows() {
        writer.write_record(row.iter().map(|field| field.as_deref().unwrap_or_default())).unwrap();
    }
    writer.flush().unwrap();
}

/// Without statistics of the engine, predictions come from what it counts or draws.
#[test]
fn instant_predicts_from_counted_values_and_a_sample() {
    let projects = TwoProjects::adult();
    let args = [&THREE[..], &["--k", "5", "--summary", "histogram"]].concat();
    let ask = |project: &str| {
        projects.run("instant", project, &[&args[..], &["--json"]].concat()).json(0)
    };
    let (engine, file) = (ask("engine.toml"), ask(&projects.file));
    assert_eq!(engine["scheme"], file["scheme"]);
    assert_eq!(engine["attained"], file["attained"]);
    let sampled = [&THREE[..], &["--k", "5", "--summary", "sample", "--json"]].concat();
    let sampled = projects.run("instant", "engine.toml", &sampled).json(0);
    assert!(sampled["scheme"].is_array(), "{sampled}");
    let error =
        projects.refused("instant", &[&THREE[..], &["--k", "5", "--summary", "pg"]].concat());
    assert!(error.contains("haggle reads no statistics of this database"), "{error}");
}

/// A first project from a table of a session that the user named, which stays open.
#[test]
fn a_table_of_a_named_session_can_be_looked_at() {
    let projects = TwoProjects::hostile();
    let session = "5b0c52a6-2c1e-4a39-9d42-6a1a6f0c7a01";
    let source = projects.source().display().to_string();
    let task = json!({
        "url": super::CLUSTER.url(), "session": session,
        "statements": [format!("CREATE TABLE looked_at AS SELECT * FROM parquet.`{source}`")],
    });
    let at = projects.folder.path().join("run.json");
    std::fs::write(&at, task.to_string()).unwrap();
    helper("run", &at);
    projects.edit_engine(|text| {
        let text = text.replace(&format!("path = \"parquet:{source}\""), "table = \"looked_at\"");
        let options =
            format!("\n[data.options]\n\"adbc.spark.session_id\" = \"{session}\"\n\n[[attribute]]");
        text.replacen("\n[[attribute]]", &options, 1)
    });
    for _ in 0..2 {
        projects.same_answer("ask", &["--k", "2", "--max-suppressed", "50%"]);
    }
}

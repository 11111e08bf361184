//! A project on files and the same one on an engine.

use std::path::{Path, PathBuf};
use std::process::Command;

use haggle_testkit::process::RunLimited;
use haggle_testkit::sail::python;
use serde_json::{Value, json};

use super::{CLUSTER, driver};
use crate::common::{Folder, HAGGLE, Run};
use crate::table::TestTable;

const HELPER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/adbc/data.py");

/// Has Python read or write data, and returns what it prints.
pub(super) fn helper(command: &str, argument: &Path) -> String {
    let mut python = Command::new(python());
    let output = python.arg(HELPER).arg(command).arg(argument).run_limited();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The records of a folder of Parquet files, sorted.
pub(super) fn records_in(folder: &Path) -> Vec<Vec<String>> {
    records_of(&serde_json::from_str(&helper("read", folder)).unwrap())
}

pub(super) fn records_of(rows: &Value) -> Vec<Vec<String>> {
    let field = |field: &Value| field.as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| row.as_array().unwrap().iter().map(field).collect();
    let mut records: Vec<Vec<String>> = rows.as_array().unwrap().iter().map(row).collect();
    records.sort();
    records
}

/// A folder with a project on a file, and `engine.toml`, the same project on an engine.
pub(super) struct TwoProjects {
    pub(super) folder: Folder,
    pub(super) file: String,
}

impl TwoProjects {
    /// The project of a table; the engine reads it as a Parquet file.
    pub(super) fn of(folder: Folder, table: &TestTable) -> Self {
        let parquet = folder.path().join("source.parquet");
        let task = json!({
            "columns": table.kinds(), "rows": table.rows(), "file": parquet.display().to_string(),
        });
        let at = folder.path().join("write.json");
        std::fs::write(&at, task.to_string()).unwrap();
        helper("write", &at);
        let projects = Self { folder, file: table.project().to_owned() };
        projects.write_engine(&format!("path = \"parquet:{}\"", parquet.display()), table);
        projects
    }

    pub(super) fn adult() -> Self {
        Self::of(Folder::empty(), &TestTable::adult())
    }

    pub(super) fn hostile() -> Self {
        let folder = Folder::empty();
        let table = TestTable::hostile(folder.path());
        Self::of(folder, &table)
    }

    pub(super) fn source(&self) -> PathBuf {
        self.folder.path().join("source.parquet")
    }

    /// Writes the project on the engine, which reads this.
    pub(super) fn write_engine(&self, what: &str, table: &TestTable) {
        let text = table.project_text(self.folder.path());
        let (start, rest) = text.split_once("path = ").expect("it names its file");
        let (_, rest) = rest.split_once('\n').expect("the path is a line");
        // A table of an engine names its columns itself.
        let rest = rest.split_once("columns = [").map_or(rest.to_owned(), |(start, rest)| {
            let start = start.replace("header = false", "");
            format!("{start}{}", rest.split_once(']').unwrap().1)
        });
        let (url, driver) = (CLUSTER.url(), driver());
        let data = format!("url = \"{url}\"\ndriver = \"{driver}\"\n{what}\n");
        std::fs::write(self.folder.path().join("engine.toml"), format!("{start}{data}{rest}"))
            .unwrap();
    }

    /// Changes the text of the project on the engine.
    pub(super) fn edit_engine(&self, change: impl FnOnce(String) -> String) {
        let file = self.folder.path().join("engine.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, change(text)).unwrap();
    }

    pub(super) fn run(&self, command: &str, project: &str, args: &[&str]) -> Run {
        self.folder.haggle(&[&[command, project], args].concat())
    }

    /// The binary on the engine's project, to be started.
    pub(super) fn command(&self, command: &str, args: &[&str]) -> Command {
        let mut haggle = Command::new(HAGGLE);
        haggle.args([command, "engine.toml"]).args(args).current_dir(self.folder.path());
        haggle
    }

    /// Asks both the same question, whose answers must be equal but for times.
    pub(super) fn same_answer(&self, command: &str, args: &[&str]) {
        let ask = |project: &str| {
            let run = self.run(command, project, &[args, &["--json"]].concat());
            assert!(run.code.is_some_and(|code| code < 2), "{run:#?}");
            let mut json = run.json(run.code.unwrap());
            for time in ["micros", "millis", "scan_millis", "annotate_millis", "seconds"] {
                json.as_object_mut().unwrap().remove(time);
            }
            json
        };
        assert_eq!(ask("engine.toml"), ask(&self.file), "{command} {args:?}");
    }

    /// What a run on the engine that must fail says.
    pub(super) fn refused(&self, command: &str, args: &[&str]) -> String {
        let run = self.run(command, "engine.toml", args);
        assert_eq!(run.code, Some(2), "{run:#?}");
        let notes = run.notes();
        let error = &notes[notes.find("error: ").expect("it is refused")..];
        error.replace(&CLUSTER.url(), "sc://[engine]")
    }
}

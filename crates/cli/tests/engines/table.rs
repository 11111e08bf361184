//! Tables to publish, and engines that hold them.

use std::path::Path;
use std::process::Command;

use haggle_testkit::process::RunLimited;
use haggle_testkit::sail::python;
use serde_json::{Value, json};

use crate::{POSTGRES, SAIL};

const ADULT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult");
const RUNNER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/engine.py");

/// An engine that runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    PostgreSql,
    DuckDb,
    Sail,
}

/// What a script led to.
pub(crate) enum Outcome {
    /// The records of the target, sorted.
    Published(Vec<Vec<String>>),
    /// It failed.
    Failed {
        error: String,
        /// Whether the target is there all the same.
        is_there: bool,
    },
}

/// A project and the table that it is about.
pub(crate) struct TestTable {
    id: &'static str,
    project: String,
    /// Names and kinds: text, number or date.
    columns: Vec<(String, &'static str)>,
    rows: Vec<Vec<Option<String>>>,
}

impl TestTable {
    /// The embedded project's table.
    pub(crate) fn adult() -> Self {
        let project = std::fs::read_to_string(format!("{ADULT}/haggle.toml")).unwrap();
        let list = project.split("columns = [").nth(1).unwrap().split(']').next().unwrap();
        let numbers =
            ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"];
        let column =
            |name: &str| (name.to_owned(), if numbers.contains(&name) { "number" } else { "text" });
        let packed = format!("{ADULT}/adult.data.gz");
        let text = Command::new("gzip").arg("-dc").arg(packed).run_limited().stdout;
        let text = String::from_utf8(text).unwrap();
        let row = |line: &str| line.split(',').map(|field| Some(field.trim().to_owned())).collect();
        Self {
            id: "adult",
            project: "demo:adult".into(),
            columns: list.split('"').skip(1).step_by(2).map(column).collect(),
            rows: text.lines().filter(|line| !line.trim().is_empty()).map(row).collect(),
        }
    }

    /// A table whose names, values and labels have a meaning in SQL, with a project for it.
    pub(crate) fn hostile(folder: &Path) -> Self {
        let columns = [
            ("it's \"a\" `name`; --", "text"),
            ("größe", "number"),
            ("day", "date"),
            ("sick", "text"),
        ];
        let names =
            ["O'Neil", "back\\slash", "\"; DROP TABLE x; --", "${x} {{y}} `z`", "漢字 Ünï", "%"];
        let sick = ["flu's", "a\\'b", "none", "gout"];
        let mut rows = Vec::new();
        for i in 0..240_usize {
            let name = match i % 7 {
                6 => None,
                n => Some(names[n].to_owned()),
            };
            let size = (i % 11 != 0).then(|| (150 + i * 7 % 40).to_string());
            let day = format!("20{:02}-0{}-11", 10 + i % 5, 1 + i % 9);
            rows.push(vec![name, size, Some(day), Some(sick[i * i % 4].to_owned())]);
        }
        write_project(folder, &columns, &names, &rows);
        Self {
            id: "hostile",
            project: "haggle.toml".into(),
            columns: columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec(),
            rows,
        }
    }

    /// A table of random records with nulls, blanks, quotes, other scripts, numbers, decimals and dates,
    /// with a project for it.
    pub(crate) fn random(folder: &Path, seed: u64) -> Self {
        let columns = [
            ("it's a \"name\"", "text"),
            ("größe", "number"),
            ("day", "date"),
            ("sick", "decimal"),
        ];
        let names = ["O'Neil", "  blanks\t", "漢字", "a,b;c", "\"q\"", "ÅÅ", "x\\n", "-1"];
        let mut state = seed;
        let mut below = |limit: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        let mut rows = Vec::new();
        for _ in 0..(200 + below(400)) {
            let name = names.get(below(9) as usize).map(|name| (*name).to_owned());
            let size = (below(12) != 0).then(|| (140 + below(60)).to_string());
            let day = (below(20) != 0)
                .then(|| format!("20{:02}-0{}-1{}", 10 + below(4), 1 + below(9), below(3)));
            let sick = format!("{}.{}0", below(3), below(2) * 5);
            rows.push(vec![name, size, day, Some(sick)]);
        }
        let trimmed = names.map(str::trim);
        write_project(folder, &columns, &trimmed, &rows);
        Self {
            id: "random",
            project: "haggle.toml".into(),
            columns: columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec(),
            rows,
        }
    }

    /// The names and kinds of the columns.
    pub(crate) fn kinds(&self) -> &[(String, &'static str)] {
        &self.columns
    }

    pub(crate) fn rows(&self) -> &[Vec<Option<String>>] {
        &self.rows
    }

    /// The text of the project file, with hierarchies that are found from any folder.
    pub(crate) fn project_text(&self, folder: &Path) -> String {
        if self.id != "adult" {
            return std::fs::read_to_string(folder.join("haggle.toml")).unwrap();
        }
        let text = std::fs::read_to_string(format!("{ADULT}/haggle.toml")).unwrap();
        text.replace("\"hierarchies/", &format!("\"{ADULT}/hierarchies/"))
    }

    pub(crate) fn id(&self) -> &'static str {
        self.id
    }

    pub(crate) fn project(&self) -> &str {
        &self.project
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The table's name in an engine; one for each test.
    pub(crate) fn name_in(&self, engine: Engine, number: usize) -> String {
        format!("{}_{number}_{}", self.id, engine.dialect())
    }
}

/// A CSV file, its hierarchies and a project.
fn write_project(
    folder: &Path,
    columns: &[(&str, &str)],
    names: &[&str],
    rows: &[Vec<Option<String>>],
) {
    let write = |file: &str, records: Vec<Vec<String>>, separator: u8| {
        let path = folder.join(file);
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_path(path).unwrap();
        for record in records {
            writer.write_record(record).unwrap();
        }
        writer.flush().unwrap();
    };
    let header = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let record =
        |row: &Vec<Option<String>>| row.iter().map(|f| f.clone().unwrap_or_default()).collect();
    write("people.csv", [header].into_iter().chain(rows.iter().map(record)).collect(), b',');
    let half = |i: usize| if i < 3 { "'first' \\ \"half\"" } else { "`second`; --" };
    let paths = names.iter().chain(&["?"]).enumerate();
    let paths = paths.map(|(i, name)| vec![(*name).to_owned(), half(i).into(), "*".into()]);
    write("names.csv", paths.collect(), b';');
    let name = columns[0].0.replace('\\', "\\\\").replace('"', "\\\"");
    let project = format!(
        "[data]\npath = \"people.csv\"\nmissing = [\"?\", \"\"]\non_missing = \"value\"\n\n\
         [[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"names.csv\"\n\n\
         [[attribute]]\nname = \"größe\"\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10, 20], origin = 150 }}\n\n\
         [[attribute]]\nname = \"day\"\nrole = \"quasi-identifier\"\nhierarchy = {{ dates = [\"month\", \"year\"] }}\n\n\
         [[attribute]]\nname = \"sick\"\nrole = \"sensitive\"\n"
    );
    std::fs::write(folder.join("haggle.toml"), project).unwrap();
}

/// The records of a CSV file, sorted.
pub(crate) fn records_of_csv(file: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    sorted(reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect())
}

fn sorted(mut records: Vec<Vec<String>>) -> Vec<Vec<String>> {
    records.sort();
    records
}

impl Engine {
    /// The name of its dialect.
    pub(crate) fn dialect(self) -> &'static str {
        match self {
            Self::PostgreSql => "postgresql",
            Self::DuckDb => "duckdb",
            Self::Sail => "spark",
        }
    }

    /// Fills the table, runs what comes before and then the script.
    pub(crate) fn run(
        self,
        folder: &Path,
        table: &TestTable,
        name: &str,
        script: &str,
        target: &str,
        before: &[String],
    ) -> Outcome {
        match self {
            Self::PostgreSql => in_postgres(table, name, script, target, before),
            _ => self.in_python(folder, table, name, script, target, before),
        }
    }

    /// Makes a file of DuckDB with a table.
    pub(crate) fn fill_duckdb(file: &Path, folder: &Path, table: &TestTable, name: &str) {
        let task = json!({
            "columns": table.columns, "rows": table.rows, "table": name, "script": "",
            "target": name, "file": file,
        });
        Self::DuckDb.task(folder, &task);
    }

    /// The records of a table in a file of DuckDB, after some statements.
    pub(crate) fn read_duckdb(
        file: &Path,
        folder: &Path,
        name: &str,
        before: &[String],
    ) -> Outcome {
        let task = json!({"script": "", "target": name, "file": file, "before": before});
        Self::DuckDb.task(folder, &task)
    }

    fn in_python(
        self,
        folder: &Path,
        table: &TestTable,
        name: &str,
        script: &str,
        target: &str,
        before: &[String],
    ) -> Outcome {
        let url = if self == Self::Sail { SAIL.url() } else { String::new() };
        let task = json!({
            "columns": table.columns, "rows": table.rows, "table": name, "script": script,
            "target": target, "url": url, "before": before,
        });
        self.task(folder, &task)
    }

    /// Has Python do it.
    fn task(self, folder: &Path, task: &Value) -> Outcome {
        let file = folder.join("task.json");
        std::fs::write(&file, task.to_string()).unwrap();
        let output =
            Command::new(python()).arg(RUNNER).arg(self.dialect()).arg(&file).run_limited();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said: Value = serde_json::from_slice(&output.stdout).expect("it answers JSON");
        let field = |field: &Value| field.as_str().unwrap_or_default().to_owned();
        match said["rows"].as_array() {
            Some(rows) => {
                let row = |row: &Value| row.as_array().unwrap().iter().map(field).collect();
                Outcome::Published(sorted(rows.iter().map(row).collect()))
            }
            None => {
                Outcome::Failed { error: field(&said["error"]), is_there: said["there"] == true }
            }
        }
    }
}

fn in_postgres(
    table: &TestTable,
    name: &str,
    script: &str,
    target: &str,
    before: &[String],
) -> Outcome {
    let kind = |kind: &str| match kind {
        "number" => "int",
        other => {
            if other == "date" {
                "date"
            } else {
                "text"
            }
        }
    };
    let column =
        |(name, k): &(String, &str)| format!("\"{}\" {}", name.replace('"', "\"\""), kind(k));
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    let field = |field: &Option<String>| match field {
        None => "\\N".to_owned(),
        Some(text) => text.replace('\\', "\\\\"),
    };
    let row =
        |row: &Vec<Option<String>>| row.iter().map(field).collect::<Vec<_>>().join("\t") + "\n";
    let rows: String = table.rows.iter().map(row).collect();
    POSTGRES.sql(&format!(
        "CREATE TABLE {name} ({});\nCOPY {name} FROM STDIN;\n{rows}\\.\n{};\n",
        columns.join(", "),
        before.join(";\n")
    ));
    let owner = haggle_testkit::postgres::USER;
    if let Err(error) = POSTGRES.try_sql("postgres", owner, script) {
        let there = POSTGRES.sql(&format!("SELECT to_regclass('{target}') IS NOT NULL"));
        return Outcome::Failed { error, is_there: there == "t" };
    }
    let csv = POSTGRES.sql(&format!("COPY (SELECT * FROM \"{target}\") TO STDOUT (FORMAT csv)"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let truth = |field: &str| match field {
        "t" => "true".to_owned(),
        "f" => "false".to_owned(),
        other => other.to_owned(),
    };
    let records = reader.records().map(|r| r.unwrap().iter().map(truth).collect());
    Outcome::Published(sorted(records.collect()))
}

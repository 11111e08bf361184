//! A project whose data is in PostgreSQL, against a real server on loopback: counted, predicted and
//! published by the real binary.

#![cfg(unix)]

mod columns;
mod faults;
mod instant;
#[cfg(target_os = "linux")]
mod killed;
mod publishing;
mod reading;
mod recodings;
mod setup;
mod tls;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use haggle_testkit::postgres::{PASSWORD, Server, USER};
use haggle_testkit::process::RunLimited;
use haggle_testkit::redacted;
use serde_json::Value;
use tempfile::TempDir;

const HAGGLE: &str = env!("CARGO_BIN_EXE_haggle");
/// The embedded project's own files, which the database's table is filled from.
const ADULT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult");

static TABLES: AtomicU32 = AtomicU32::new(0);

/// The one server of this binary; its watcher ends it with the process.
fn server() -> Arc<Server> {
    static SERVER: LazyLock<Arc<Server>> = LazyLock::new(|| Arc::new(Server::start()));
    SERVER.clone()
}

/// A folder with a project on a table of its own.
struct Census {
    server: Arc<Server>,
    folder: TempDir,
    table: String,
}

impl Census {
    /// Every `step`th record of Adult in a table of a schema of its own.
    fn of(step: usize) -> Self {
        let server = server();
        let number = TABLES.fetch_add(1, Ordering::Relaxed);
        let table = format!("census_{number}.adult");
        let columns = Self::columns();
        let defined: Vec<String> = columns
            .iter()
            .map(|name| {
                let kind = if ["age", "hours-per-week", "fnlwgt"].contains(&name.as_str()) {
                    "int"
                } else {
                    "text"
                };
                format!("\"{name}\" {kind}")
            })
            .collect();
        let records = adult();
        let rows: String = records
            .lines()
            .filter(|line| !line.trim().is_empty())
            .step_by(step)
            .map(|line| {
                // The mark of a missing value becomes a real NULL in one column, and stays in others.
                let fields: Vec<&str> = line.split(',').map(str::trim).collect();
                let mut fields: Vec<String> =
                    fields.iter().map(|field| (*field).to_owned()).collect();
                if fields[1] == "?" {
                    fields[1] = "\\N".into();
                }
                fields.join("\t") + "\n"
            })
            .collect();
        let sql = format!(
            "CREATE SCHEMA census_{number};\nCREATE TABLE {table} ({});\nCOPY {table} FROM STDIN;\n{rows}\\.\nANALYZE {table};\n",
            defined.join(", ")
        );
        server.sql(&sql);
        let folder = tempfile::tempdir().expect("a folder");
        let census = Self { server, folder, table };
        census.write(USER);
        census
    }

    fn columns() -> Vec<String> {
        let project = std::fs::read_to_string(format!("{ADULT}/haggle.toml")).expect("it is there");
        let list =
            project.split("columns = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// The embedded project, with the database in place of its file.
    fn write(&self, user: &str) {
        let project = std::fs::read_to_string(format!("{ADULT}/haggle.toml")).expect("it is there");
        let (start, rest) =
            project.split_once("path = \"adult.data.gz\"").expect("it names its file");
        let (_, rest) = rest.split_once(']').expect("it names its columns");
        // Sessions are named for their table, so that tests can wait for the end of their own.
        let url = format!("{}?application_name={}", self.server.url(user), self.table);
        let data = format!("url = \"{url}\"\ntable = \"{}\"", self.table);
        let text = format!("{start}{data}{rest}")
            .replace("\"hierarchies/", &format!("\"{ADULT}/hierarchies/"));
        std::fs::write(self.path(), text).expect("the folder takes a file");
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("haggle.toml")
    }

    fn output(&self, command: &str, args: &[&str]) -> std::process::Output {
        self.command(command, args).run_limited()
    }

    fn command(&self, command: &str, args: &[&str]) -> Command {
        let mut haggle = Command::new(HAGGLE);
        haggle.arg(command).arg(self.path()).args(args).env("PGPASSWORD", PASSWORD);
        haggle.env_remove("PGUSER").current_dir(self.folder.path());
        haggle
    }

    /// What a command answers as JSON.
    fn json(&self, command: &str, args: &[&str]) -> Value {
        let output = self.output(command, &[args, &["--json"]].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| code < 2), "{error}");
        assert_eq!(
            serde_json::from_slice::<Value>(&output.stdout)
                .map_err(|e| format!("{e} {error}"))
                .map(|v| v.is_object()),
            Ok(true)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a command that must fail says; a password is never part of it.
    fn refused(&self, command: &str, args: &[&str]) -> String {
        let output = self.output(command, args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{error}{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(!error.contains(PASSWORD), "{error}");
        // The account of the columns comes before it.
        self.redacted(&error[error.find("error: ").expect("it is refused")..])
    }

    /// A message without what differs between runs, for a snapshot.
    fn redacted(&self, message: &str) -> String {
        let schema = self.table.split('.').next().unwrap();
        let port = format!(":{}/", self.server.port());
        let folder = self.folder.path().to_str().unwrap();
        let message = redacted(message, &[(folder, "folder"), (ADULT, "adult")]);
        let message = message.replace(&port, ":[port]/");
        redacted(&message, &[(&self.table, "table"), (schema, "schema")])
    }

    fn sql(&self, sql: &str) -> String {
        self.server.sql(&sql.replace("TABLE_", &self.table))
    }

    /// Runs SQL in a thread, at the same time as what follows.
    fn sql_aside(&self, sql: &str) -> std::thread::JoinHandle<String> {
        let (server, sql) = (self.server.clone(), sql.replace("TABLE_", &self.table));
        std::thread::spawn(move || server.sql(&sql))
    }

    /// The statement with `TABLE_` for the table, run as some user.
    fn exists(&self, table: &str) -> bool {
        self.sql(&format!("SELECT to_regclass('{table}') IS NOT NULL")) == "t"
    }
}

/// The records of the embedded project.
fn adult() -> String {
    let packed = Path::new(ADULT).join("adult.data.gz");
    let output = Command::new("gzip").arg("-dc").arg(packed).run_limited();
    String::from_utf8(output.stdout).expect("it is text")
}

/// Asks the embedded project a question.
fn embedded(command: &str, args: &[&str]) -> Value {
    let output =
        Command::new(HAGGLE).args([command, "demo:adult"]).args(args).arg("--json").run_limited();
    serde_json::from_slice(&output.stdout).expect("it answers JSON")
}

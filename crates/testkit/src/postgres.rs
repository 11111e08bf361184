//! A PostgreSQL server for one test: on loopback, on a free port, removed with the test.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{self, RunLimited};

/// The owner of the databases, and its password.
pub const USER: &str = "owner";
/// The password of every user of this server.
pub const PASSWORD: &str = "open-sesame-7";

/// A server with a data folder of its own. A watcher ends it when the test's process has ended,
/// however that happened.
#[derive(Debug)]
pub struct Server {
    port: u16,
    programs: PathBuf,
    folder: PathBuf,
    watcher: Child,
}

impl Server {
    /// Starts a server; panics if there is none to start, because a test without it would show
    /// nothing.
    pub fn start() -> Self {
        Self::start_with(|_| Vec::new())
    }

    /// Starts a server with settings such as `ssl=on`. They are made in the server's own folder
    /// before it starts; the server owns what is put there.
    pub fn start_with(settings: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let programs = programs();
        let folder =
            tempfile::Builder::new().prefix("haggle-pg").tempdir().expect("a folder").keep();
        let data = folder.join("data");
        let secret = folder.join("password");
        std::fs::write(&secret, PASSWORD).expect("the folder takes a file");
        own(&folder);
        own(&secret);
        let initdb = run_as_other(&programs.join("initdb"))
            .args([
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync",
                "-U",
                USER,
            ])
            .arg(format!("--pwfile={}", secret.display()))
            .arg("-D")
            .arg(&data)
            .current_dir(&folder)
            .run_limited();
        assert!(initdb.status.success(), "initdb: {}", String::from_utf8_lossy(&initdb.stderr));
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port").port();
        let settings = settings(&data);
        for file in std::fs::read_dir(&data).expect("it is a folder").flatten() {
            own(&file.path());
        }
        let watcher = watch(&programs, &folder, &data, port, &settings);
        let server = Self { port, programs, folder, watcher };
        server.wait();
        server
    }

    fn wait(&self) {
        let start = Instant::now();
        while self.try_sql("postgres", USER, "SELECT 1").is_err() {
            let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(start.elapsed() < Duration::from_mins(1), "the server does not start:\n{log}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// A url without a password.
    pub fn url(&self, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/postgres", self.port)
    }

    /// Runs SQL as the owner and gives what it prints, without decoration.
    pub fn sql(&self, sql: &str) -> String {
        self.try_sql("postgres", USER, sql).unwrap_or_else(|error| panic!("{error}\n{sql}"))
    }

    /// Runs SQL as any user; an error is the message of the program.
    pub fn try_sql(&self, database: &str, user: &str, sql: &str) -> Result<String, String> {
        let mut child = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1"])
            .args(["-p", &self.port.to_string(), "-U", user, "-d", database, "-f", "-"])
            .env("PGPASSWORD", PASSWORD)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut input = child.stdin.take().expect("it is piped");
        let sql = sql.to_owned();
        let writer = std::thread::spawn(move || input.write_all(sql.as_bytes()));
        let output = process::output(child);
        let _ = writer.join();
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        process::wait(&mut self.watcher);
    }
}

/// Starts the server under a watcher that reads from this process: when this process ends, it ends
/// the server and removes the folder.
fn watch(programs: &Path, folder: &Path, data: &Path, port: u16, settings: &[String]) -> Child {
    let script = "\"$@\" >\"$FOLDER/log\" 2>&1 </dev/null & server=$!; cat >/dev/null; \
                  kill -INT $server; wait $server; cd /; rm -rf \"$FOLDER\"";
    let server = run_as_other(&programs.join("postgres"));
    Command::new("sh")
        .args(["-c", script, "watch"])
        .arg(server.get_program())
        .args(server.get_args())
        .arg("-D")
        .arg(data)
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "unix_socket_directories="])
        .args(["-c", "fsync=off", "-c", "autovacuum=off", "-c", "max_connections=50"])
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .env("FOLDER", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell runs")
}

/// Where the server's programs are.
fn programs() -> PathBuf {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    found.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found.splice(0..0, std::env::split_paths(&path));
    let whole =
        |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|p| folder.join(p).is_file());
    found
        .into_iter()
        .rev()
        .find(whole)
        .expect("PostgreSQL is not installed: apt-get install -y postgresql")
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// The user and group that the server runs as, where it must not be the superuser.
fn other() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let entry = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    entry("postgres").or_else(|| entry("nobody")).expect("there is a user postgres or nobody")
}

fn own(path: &Path) {
    if is_root() {
        let (user, group) = other();
        chown(path, Some(user), Some(group)).expect("the superuser may give files away");
    }
}

/// A command, run as another user if this is the superuser: servers refuse to be run by it.
fn run_as_other(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let (user, group) = other();
    let mut command = Command::new("setpriv");
    command.arg(format!("--reuid={user}")).arg(format!("--regid={group}")).arg("--clear-groups");
    command.arg(program);
    command
}

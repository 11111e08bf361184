//! A Sail server for one test program: Spark Connect on loopback, on a free port, ended with it.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process;

/// A server that speaks the protocol of Apache Spark.
#[derive(Debug)]
pub struct ConnectServer {
    port: u16,
    folder: PathBuf,
    watcher: Child,
}

/// The Python that `make test` installs, with Sail, its driver and DuckDB.
pub fn python() -> PathBuf {
    let python = std::env::var_os("HAGGLE_PYTHON")
        .expect("HAGGLE_PYTHON names a Python with pysail; `make test` installs one");
    PathBuf::from(python)
}

/// A port that nobody listens at.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port").port()
}

/// Starts Sail; panics if there is none to start, because a test without it would show nothing.
pub fn start() -> ConnectServer {
    let port = free_port();
    let mut command = Command::new(python().with_file_name("sail"));
    command.args(["spark", "server", "--ip", "127.0.0.1", "--port", &port.to_string()]);
    ConnectServer::start(&command, port)
}

/// Starts Sail with the protocol of Arrow Flight SQL.
pub fn start_flight() -> ConnectServer {
    let port = free_port();
    let mut command = Command::new(python().with_file_name("sail"));
    command.args(["flight", "server", "--ip", "127.0.0.1", "--port", &port.to_string()]);
    ConnectServer::start(&command, port)
}

impl ConnectServer {
    /// Starts a server by this command. Its tables are in a folder that is removed with it.
    pub(crate) fn start(command: &Command, port: u16) -> Self {
        let folder = tempfile::Builder::new().prefix("haggle-engine").tempdir().expect("a folder");
        let folder = folder.keep();
        let watcher = watch(command, &folder);
        let server = Self { port, folder, watcher };
        server.wait();
        server
    }

    fn wait(&self) {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < Duration::from_mins(4), "it does not start: {}", self.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// What it has written.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Its url.
    pub fn url(&self) -> String {
        format!("sc://127.0.0.1:{}", self.port)
    }

    /// Host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The process of the server, for measurements; what it started belongs to it.
    pub fn process(&self) -> u32 {
        let process = std::fs::read_to_string(self.folder.join("process")).expect("it is noted");
        process.trim().parse().expect("it is a number")
    }
}

impl Drop for ConnectServer {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        process::wait(&mut self.watcher);
    }
}

/// Starts the server under a watcher that reads from this process: when this process ends, it ends the
/// server and removes the folder.
fn watch(server: &Command, folder: &Path) -> Child {
    let script = "\"$@\" >\"$FOLDER/log\" 2>&1 </dev/null & server=$!; echo $server >\"$FOLDER/process\"; \
                  cat >/dev/null; kill $server; wait $server; cd /; rm -rf \"$FOLDER\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "watch"]).arg(server.get_program()).args(server.get_args());
    for (name, value) in server.get_envs() {
        command.env(name, value.expect("variables are set, not removed"));
    }
    command
        .env("FOLDER", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell runs")
}

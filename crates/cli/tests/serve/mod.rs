//! `haggle serve` and `haggle demo`: the program around the server.

mod crowds;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(unix)]
mod private;
mod program;
mod stopping;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use haggle_testkit::process;

use crate::common::HAGGLE;
use serde_json::Value;
use tempfile::TempDir;

/// A running server whose private files are in a folder of our own.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) host: String,
    pub(crate) token: String,
    /// An address that signs a browser in.
    pub(crate) address: String,
    pub(crate) home: Arc<TempDir>,
}

impl Served {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(&Arc::new(tempfile::tempdir().unwrap()), arguments)
    }

    /// Starts a server after and next to others of the same user.
    pub(crate) fn start_in(home: &Arc<TempDir>, arguments: &[&str]) -> Self {
        Self::start_by(Command::new(HAGGLE), home, arguments)
    }

    /// Starts a server by another program, such as a tracer.
    pub(crate) fn start_by(mut program: Command, home: &Arc<TempDir>, arguments: &[&str]) -> Self {
        let mut child = program
            .args(arguments)
            .args(["--no-open", "--json"])
            .env("TMPDIR", home.path())
            .env("XDG_STATE_HOME", home.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let read = || stdout.read_line(&mut line).unwrap();
        process::within_limit(child.id(), process::LIMIT, read);
        let report: Value = serde_json::from_str(&line).unwrap();
        let text = |name: &str| report[name].as_str().unwrap().to_owned();
        let host = text("origin").strip_prefix("http://").unwrap().to_owned();
        let (token, address) = (text("token"), text("address"));
        Self { child, host, token, address, home: home.clone() }
    }

    /// A connection on which this request was sent.
    pub(crate) fn begin(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let (host, token, length) = (&self.host, &self.token, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        let head = format!("{head}Authorization: Bearer {token}\r\nContent-Length: {length}\r\n");
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        stream
    }

    /// The whole answer, head and all.
    pub(crate) fn answer(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.begin(method, path, body).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// The answer to a request with these header lines alone.
    pub(crate) fn get(&self, path: &str, headers: &[String]) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.host);
        stream.write_all(format!("{head}{headers}\r\n").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The publications that wait for download, of all servers of this user.
    pub(crate) fn publications(&self) -> Vec<PathBuf> {
        let folders = |path: PathBuf| {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).filter(|path| path.is_dir())
        };
        folders(self.home.path().join("haggle/run")).flat_map(folders).collect()
    }

    /// Sends a signal by its name and waits for the end.
    pub(crate) fn signal(&mut self, name: &str) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
        process::wait(&mut self.child).code()
    }

    /// Ends it as a service manager would.
    pub(crate) fn terminate(&mut self) -> Option<i32> {
        self.signal("TERM")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! `haggle serve` and `haggle demo`: the program around the server.

#[path = "../common/mod.rs"]
mod common;

mod program;
mod stopping;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::HAGGLE;
use serde_json::Value;
use tempfile::TempDir;

/// A running server whose temporary files are in a folder of our own.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) host: String,
    pub(crate) token: String,
    pub(crate) temporary: TempDir,
}

impl Served {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let mut child = Command::new(HAGGLE)
            .args(arguments)
            .args(["--no-open", "--json"])
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let address = told["address"].as_str().unwrap();
        let (host, token) =
            address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        Self { child, host: host.into(), token: token.into(), temporary }
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

    /// What is in the folder for temporary files.
    pub(crate) fn temporaries(&self) -> usize {
        std::fs::read_dir(self.temporary.path()).unwrap().count()
    }

    /// Ends it as a service manager would.
    pub(crate) fn terminate(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A Sail server for one test program: Spark Connect on loopback, on a free port, ended with it.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that speaks the protocol of Apache Spark.
#[derive(Debug)]
pub struct Sail {
    port: u16,
    watcher: Child,
}

/// The Python that `make test` installs, with Sail, its driver and DuckDB.
pub fn python() -> PathBuf {
    let python = std::env::var_os("HAGGLE_PYTHON")
        .expect("HAGGLE_PYTHON names a Python with pysail; `make test` installs one");
    PathBuf::from(python)
}

impl Sail {
    /// Starts a server; panics if there is none to start, because a test without it would show
    /// nothing. Its tables are in a folder that is removed with it.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("haggle-sail").tempdir().expect("a folder");
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port").port();
        let watcher = watch(&python().with_file_name("sail"), &folder.keep(), port);
        let server = Self { port, watcher };
        server.wait();
        server
    }

    fn wait(&self) {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < Duration::from_mins(2), "Sail does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Its url.
    pub fn url(&self) -> String {
        format!("sc://127.0.0.1:{}", self.port)
    }
}

impl Drop for Sail {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
    }
}

/// Starts the server under a watcher that reads from this process: when this process ends, it ends the
/// server and removes the folder.
fn watch(sail: &Path, folder: &Path, port: u16) -> Child {
    let script = "\"$@\" >\"$FOLDER/log\" 2>&1 </dev/null & server=$!; cat >/dev/null; \
                  kill $server; wait $server; cd /; rm -rf \"$FOLDER\"";
    Command::new("sh")
        .args(["-c", script, "watch"])
        .arg(sail)
        .args(["spark", "server", "--ip", "127.0.0.1", "--port", &port.to_string()])
        .env("FOLDER", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell runs")
}

//! Many clients at once: random requests over HTTP on the 3,600-scheme lattice, on this machine alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::answers::Random;
use crate::line;

const CLIENTS: u64 = 64;
const PACE: u32 = 30;
const TOPS: [u64; 6] = [4, 4, 3, 2, 2, 3];

pub(crate) fn report() {
    let seconds = std::env::var("HAGGLE_LOAD_SECONDS").ok().and_then(|s| s.parse().ok());
    let seconds: u64 = seconds.unwrap_or(30);
    println!("Serving ({CLIENTS} clients, random requests for {seconds} s, 3,600 schemes)");
    let server = Served::start(&["demo"]);
    server.client().post("/api/lattice", &json!({})); // it is there; no threshold was asked yet
    let before = server.memory();
    println!("  each {PACE} times a second, faster than a slider is moved:");
    crowd(&server, Duration::from_secs(seconds), Some(Duration::from_secs(1) / PACE));
    println!("  each as fast as it is answered, on the cores of the server:");
    crowd(&server, Duration::from_secs(seconds), None);
    println!("  {:<58} {before:>9.1} MB, then {:.1} MB", "memory at the start", server.memory());
    for (what, path, body, target) in alone() {
        let mut client = server.client();
        client.post(path, &body);
        let times = (0..200).map(|_| client.post(path, &body).0);
        let best = times.min().expect("some requests");
        line(what, best.as_secs_f64() * 1e3, "ms", target);
    }
    drop(server);
    first_times();
    println!();
}

/// What every scheme of the nine-attribute lattice suppresses, at thresholds that were not asked before:
/// each is asked once.
fn first_times() {
    let nine = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult-9");
    let server = Served::start(&["serve", nine]);
    let mut client = server.client();
    client.post("/api/lattice", &json!({}));
    let ask =
        |k: u32| client.post("/api/suppressed", &json!({ "privacy": { "k-anonymity": k } })).0;
    let mut times: Vec<Duration> = (2..102).map(ask).collect();
    times.sort_unstable();
    let millis = |i: usize| times[i].as_secs_f64() * 1e3;
    line("suppressed, 12,960 schemes, new thresholds, median", millis(50), "ms", 5.0);
    line("suppressed, 12,960 schemes, new thresholds, worst of 100", millis(99), "ms", 5.0);
}

/// All clients at once for so long, each at its pace.
fn crowd(server: &Served, lasting: Duration, pace: Option<Duration>) {
    let end = Instant::now() + lasting;
    let (mut times, errors) = std::thread::scope(|scope| {
        let client = |seed| scope.spawn(move || server.client().ask_until(end, seed, pace));
        let clients: Vec<_> = (1..=CLIENTS).map(client).collect();
        let asked = clients.into_iter().map(|client| client.join().expect("a client"));
        asked.fold((Vec::new(), 0), |(mut all, errors), (times, more)| {
            all.extend(times);
            (all, errors + more)
        })
    });
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("  {:<58} {errors:>9}", "errors");
    println!("  {:<58} {:>9.0}", "answers a second", times.len() as f64 / lasting.as_secs_f64());
    line("median", at(0.5), "ms", 10.0);
    line("99th percentile", at(0.99), "ms", 10.0);
}

/// Requests sent one after the other by a single client.
fn alone() -> [(&'static str, &'static str, Value, f64); 4] {
    let nine =
        json!(["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]);
    let ask = json!({ "privacy": { "k-anonymity": 10 }, "max_suppressed": "1%" });
    let pinned = json!({ "privacy": { "k-anonymity": 10 }, "scheme": [1, 1, 1, 1, 1, 1] });
    let all = json!({ "privacy": { "k-anonymity": 10 } });
    let more = json!({ "privacy": { "k-anonymity": 10 }, "qi": nine });
    [
        ("one client: ask", "/api/ask", ask, 5.0),
        ("one client: suppressed, 3,600 schemes", "/api/suppressed", all, 5.0),
        ("one client: suppressed, 7,200 schemes", "/api/suppressed", more, 5.0),
        ("one client: scheme", "/api/scheme", pinned, 5.0),
    ]
}

/// A server of our own.
struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    fn start(command: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_haggle"))
            .args(command)
            .args(["--no-open", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut report = String::new();
        let stdout = child.stdout.take().expect("it was asked for");
        BufReader::new(stdout).read_line(&mut report).expect("an address");
        let report: Value = serde_json::from_str(&report).expect("an address");
        let address = report["address"].as_str().expect("an address");
        let (host, token) = address.split_once("/?token=").expect("a token");
        let host = host.trim_start_matches("http://").to_owned();
        Self { child, host, token: token.to_owned() }
    }

    fn client(&self) -> Client<'_> {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_nodelay(true).expect("a connection");
        Client { server: self, stream: BufReader::new(stream) }
    }

    /// Megabytes that the server holds now, where the system tells.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let held = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = held.and_then(|held| held.split_whitespace().next()?.parse().ok());
        kilobytes.unwrap_or(f64::NAN) / 1e3
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that keeps its connection.
struct Client<'s> {
    server: &'s Served,
    stream: BufReader<TcpStream>,
}

impl Client<'_> {
    /// How long an answer took, and whether it was one.
    fn post(&mut self, path: &str, body: &Value) -> (Duration, bool) {
        let (body, Served { host, token, .. }) = (body.to_string(), self.server);
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        let start = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server listens");
        let answered = self.answer();
        (start.elapsed(), answered)
    }

    fn answer(&mut self) -> bool {
        let (mut status, mut length) = (String::new(), 0);
        self.stream.read_line(&mut status).expect("an answer");
        loop {
            let mut header = String::new();
            self.stream.read_line(&mut header).expect("an answer");
            if header.trim().is_empty() {
                break;
            }
            if let Some(bytes) = header.to_lowercase().strip_prefix("content-length:") {
                length = bytes.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        status.starts_with("HTTP/1.1 200")
    }

    /// Random requests, as moving sliders makes them, one after the other.
    fn ask_until(
        mut self,
        end: Instant,
        seed: u64,
        pace: Option<Duration>,
    ) -> (Vec<Duration>, u64) {
        let mut random = Random(seed);
        let (mut times, mut errors) = (Vec::new(), 0);
        while Instant::now() < end {
            let model = ["k-anonymity", "distinct-l-diversity"][random.below(2) as usize];
            let privacy = json!({ model: 2 + random.below(50) });
            let levels = TOPS.map(|top| random.below(top + 1));
            let limit = random.below(3000);
            let all = random.below(4) == 0;
            let ask = json!({ "privacy": privacy, "levels": levels, "max_suppressed": limit });
            let path = if all { "/api/suppressed" } else { "/api/ask" };
            let (time, answered) = self.post(path, &ask);
            times.push(time);
            std::thread::sleep(pace.unwrap_or_default().saturating_sub(time));
            errors += u64::from(!answered);
        }
        (times, errors)
    }
}

//! What is given up or ended leaves nothing behind, and crowds do not stop the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use haggle_testkit::effort;
use serde_json::json;

use crate::serve::Served;

fn until(what: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !what() {
        if start.elapsed() > Duration::from_secs(20) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn a_publication_that_is_cancelled_leaves_nothing() {
    let served = Served::start(&["demo"]);
    served.answer("POST", "/api/lattice", "{}");
    let body = json!({"privacy": {"k-anonymity": 10}, "scheme": [2, 2, 2, 1, 1, 2]}).to_string();
    let mut cut = 0;
    for wait in [0, 1, 3, 10, 20, 40] {
        let mut stream = served.begin("POST", "/api/publish", &body);
        std::thread::sleep(Duration::from_millis(wait));
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        let mut seen = Vec::new();
        let _ = stream.read_to_end(&mut seen);
        let done = String::from_utf8_lossy(&seen).contains("\"done\":{");
        drop(stream);
        if !done {
            cut += 1;
        }
    }
    assert!(cut > 0, "every publication was done before it could be given up");
    assert!(until(|| served.publications().len() <= 6 - cut), "{:?}", served.publications());
}

#[test]
fn ending_stops_long_work() {
    let mut served = Served::start(&["demo"]);
    let all = json!({"qi": ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]});
    let mut stream = served.begin("POST", "/api/build", &all.to_string());
    let mut first = [0; 200];
    stream.read_exact(&mut first).unwrap();
    let start = Instant::now();
    assert_eq!(served.terminate(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_crowd_of_idle_connections_does_not_keep_others_out() {
    let served = Served::start(&["demo"]);
    served.answer("POST", "/api/lattice", "{}");
    let mut idle: Vec<TcpStream> = Vec::new();
    for number in 0..effort::pick(800, 3000) {
        // Where this process may open no more, those that there are have to do.
        let Ok(mut stream) = TcpStream::connect(&served.host) else { break };
        if number % 2 == 0 {
            let _ = stream.write_all(b"POST /api/ask HTTP/1.1\r\nHost: ");
        }
        idle.push(stream);
    }
    assert!(idle.len() > 500, "{}", idle.len());
    for _ in 0..20 {
        let start = Instant::now();
        let answer = served.answer("POST", "/api/ask", r#"{"privacy": {"k-anonymity": 5}}"#);
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

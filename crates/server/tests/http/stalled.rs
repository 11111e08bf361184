//! Clients that ask for much and take nothing cost the others nothing.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use haggle_server::Settings;
use serde_json::json;

use crate::client::{Place, start};

/// Connections that asked for a file again and again, and read none of it.
fn stalled(place: &Place, path: &str, count: usize) -> Vec<TcpStream> {
    let request = format!("GET {path} HTTP/1.1\r\n{}\r\n\r\n", place.honest().join("\r\n"));
    let begin = |_| {
        let mut stream = place.connect();
        // More than the system holds for a connection.
        stream.write_all(request.repeat(8).as_bytes()).unwrap();
        stream
    };
    (0..count).map(begin).collect()
}

#[test]
fn downloads_that_are_not_read_do_not_stop_long_work() {
    let place = start(Settings::default());
    let body = json!({"privacy": {"k-anonymity": 5}, "scheme": [0, 1, 0, 0, 0, 0]});
    let published = place.post("/api/publish", &body).lines().pop().unwrap();
    let path = published["done"]["downloads"]["data"].as_str().unwrap();
    let stalled = stalled(&place, path, 40);
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    let again = place.post("/api/publish", &body).lines().pop().unwrap();
    assert!(again["done"].is_object(), "{again}");
    let lattice = place.post("/api/lattice", &json!({"qi": ["sex", "race"]}));
    assert_eq!(lattice.status, 200);
    assert_eq!(place.get(path).status, 200, "others can download it");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    drop(stalled);
}

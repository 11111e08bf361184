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

/// More requests than the server has connections, each with a body that never comes.
#[test]
fn bodies_that_do_not_come_lock_nobody_out() {
    let place = start(Settings::default());
    assert_eq!(place.get("/api/version").status, 200);
    let (cookie, secret) = place.sign_in();
    let host = format!("Host: {}", place.host);
    let page = [host, format!("Cookie: {cookie}"), format!("haggle-secret: {secret}")];
    for path in ["/api/ask", "/api/setup/upload?name=table.csv"] {
        let head = format!("POST {path} HTTP/1.1\r\n{}\r\n", place.honest().join("\r\n"));
        let request = format!("{head}Content-Length: 1000\r\n\r\n{{");
        let begin = |_| {
            let mut stream = place.connect();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        };
        let stalled: Vec<TcpStream> = (0..600).map(begin).collect();
        std::thread::sleep(Duration::from_millis(500));
        let start = Instant::now();
        for headers in [&place.honest()[..], &page] {
            let reply = place.say("GET", "/api/version", headers, "");
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        }
        // Sooner than the first body is given up.
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        drop(stalled);
    }
}

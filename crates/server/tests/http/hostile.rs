//! Clients that mean no good are refused cleanly, and the others are answered.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Place, read, server};

/// An honest client is answered, and soon.
fn is_well(place: &Place) {
    let start = Instant::now();
    let reply =
        place.post("/api/ask", &json!({"privacy": {"k-anonymity": 5}, "max_suppressed": "1%"}));
    assert_eq!(reply.status, 200);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn other_names_and_other_sites_are_refused() {
    let port = server().host.rsplit(':').next().unwrap().to_owned();
    let token = format!("Authorization: Bearer {}", server().token);
    let path = "/api/project";
    for host in [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "10.0.0.1",
        "localhost.evil.example",
        "0.0.0.0",
        "",
    ] {
        let host = if host.contains(':') || host.is_empty() {
            host.into()
        } else {
            format!("{host}:{port}")
        };
        let expected = if host == format!("127.0.0.1:{port}") { 200 } else { 403 };
        let reply = server().say("GET", path, &[format!("Host: {host}"), token.clone()], "");
        assert_eq!(reply.status, expected, "{host}");
    }
    let localhost = format!("Host: localhost:{port}");
    assert_eq!(server().say("GET", path, &[localhost.clone(), token.clone()], "").status, 200);
    let twice = [localhost.clone(), localhost, token];
    assert!([400, 403].contains(&server().say("GET", path, &twice, "").status));
    let own = format!("http://{}", server().host);
    let lines = [
        ("Origin: http://evil.example".to_owned(), 403),
        ("Origin: null".to_owned(), 403),
        (format!("Origin: https://{}", server().host), 403),
        (format!("Origin: {own}.evil.example"), 403),
        ("Sec-Fetch-Site: cross-site".to_owned(), 403),
        ("Sec-Fetch-Site: same-site".to_owned(), 403),
        ("Sec-Fetch-Site: same-origin".to_owned(), 200),
        (format!("Origin: {own}"), 200),
    ];
    for (line, status) in lines {
        let headers = [server().honest(), vec![line.clone()]].concat();
        assert_eq!(server().say("GET", path, &headers, "").status, status, "{line}");
    }
    let absolute = server().say("GET", "http://evil.example/api/project", &server().honest(), "");
    assert_eq!(absolute.status, 403);
}

#[test]
fn paths_lead_nowhere_but_to_the_page() {
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/etc/passwd",
        "/%00",
        "/index.html%00.css",
        "/..\\..\\x",
    ] {
        let reply = server().get(path);
        assert!([400, 404].contains(&reply.status), "{path}: {} {}", reply.status, reply.text());
    }
}

#[test]
fn a_body_that_is_not_a_request_is_refused_in_words() {
    let deep = format!("{{\"privacy\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies = [
        ("{", 400),
        ("[]", 400),
        ("null", 400),
        ("\u{0}", 400),
        (r#"{"privacy": {"k-anonymity": 10}, "x": 1}"#, 400),
        (r#"{"privacy": {"k-anonymity": 10, "k-anonymity": 2}}"#, 400),
        (r#"{"levels": [1], "levels": [2]}"#, 400),
        (r#"{"levels": [300]}"#, 400),
        (r#"{"scheme": [1,1,1,1,1,1]}"#, 400),
        (r#"{"qi": "age"}"#, 400),
        (r#"{"qi": []}"#, 422),
        (r#"{"qi": ["age", "age"]}"#, 422),
        (r#"{"qi": ["nothing"]}"#, 404),
        (r#"{"privacy": {"k-anonymity": 1}}"#, 422),
        (r#"{"privacy": {"nothing": 1}}"#, 422),
        (r#"{"privacy": {"k-anonymity": 1e999}}"#, 400),
        (deep.as_str(), 400),
    ];
    for (body, status) in bodies {
        let shown = &body[..body.len().min(60)];
        let reply = server().say("POST", "/api/ask", &server().honest(), body);
        assert_eq!(reply.status, status, "{shown}: {}", reply.text());
        assert!(reply.json()["error"]["problems"][0]["what"].is_string(), "{shown}");
    }
    // The fields of a request have names; an array of their values is not one.
    for body in ["[]", r#"[["age"]]"#, "null"] {
        let reply = server().say("POST", "/api/lattice", &server().honest(), body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
    }
    assert_eq!(server().say("DELETE", "/api/ask", &server().honest(), "").status, 405);
    assert_eq!(server().get("/api/ask").status, 405);
    assert_eq!(server().get("/api/nothing").status, 404);
    assert_eq!(server().raw(b"NONSENSE\r\n\r\n").status, 400);
    is_well(server());
}

#[test]
fn long_bodies_are_refused_before_they_have_come() {
    let head = |length: &str| {
        let lines = server().honest().join("\r\n");
        format!("POST /api/ask HTTP/1.1\r\n{lines}\r\n{length}\r\n\r\n")
    };
    // The length alone says enough.
    let mut stream = server().connect();
    stream.write_all(head("Content-Length: 104857600").as_bytes()).unwrap();
    assert_eq!(read(&mut stream).status, 413, "nothing of the body was sent");
    let mut stream = server().connect();
    stream.write_all(head("Content-Length: 104857600").as_bytes()).unwrap();
    let chunk = vec![b' '; 1 << 20];
    let mut sent = 0;
    for _ in 0..100 {
        match stream.write(&chunk) {
            Ok(bytes) => sent += bytes,
            Err(error) => {
                let closed = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
                assert!(closed.contains(&error.kind()), "{error}");
                break;
            }
        }
    }
    assert!(sent < 50 << 20, "{sent} bytes were taken");
    // A body of unknown length is taken only so far.
    let mut stream = server().connect();
    stream.write_all(head("Transfer-Encoding: chunked").as_bytes()).unwrap();
    let chunk = [b"40000\r\n".as_slice(), &vec![b' '; 0x40000], b"\r\n"].concat();
    for _ in 0..5 {
        let _ = stream.write_all(&chunk);
    }
    let reply = read(&mut stream);
    assert!([413, 0].contains(&reply.status), "{}", reply.status);
    is_well(server());
}

#[test]
fn a_body_that_is_slightly_too_long_gets_an_error() {
    let body = " ".repeat((1 << 20) + 1);
    let reply = server().say("POST", "/api/ask", &server().honest(), &body);
    assert_eq!(reply.status, 413);
}

#[test]
fn slow_headers_and_slow_bodies_are_cut_off() {
    let slow = |head: String, drip: &'static [u8]| {
        std::thread::spawn(move || {
            let mut stream = server().connect();
            let start = Instant::now();
            stream.write_all(head.as_bytes()).unwrap();
            let mut writer = stream.try_clone().unwrap();
            std::thread::spawn(move || {
                while writer.write_all(drip).is_ok() && start.elapsed() < Duration::from_secs(40) {
                    std::thread::sleep(Duration::from_millis(200));
                }
            });
            let reply = read(&mut stream);
            (reply.status, start.elapsed())
        })
    };
    let honest = server().honest().join("\r\n");
    let head = format!("POST /api/ask HTTP/1.1\r\n{honest}\r\n");
    let headers = slow(head.clone(), b"X: y\r\n");
    let body = slow(format!("{head}Content-Length: 100000\r\n\r\n"), b" ");
    is_well(server());
    let (status, after) = headers.join().unwrap();
    assert!([0, 408].contains(&status) && after < Duration::from_secs(20), "{status} {after:?}");
    let (status, after) = body.join().unwrap();
    assert!(status == 408 && after < Duration::from_secs(20), "{status} {after:?}");
}

#[test]
fn idle_connections_do_not_keep_others_out() {
    let idle: Vec<_> = (0..700).map(|_| server().connect()).collect();
    is_well(server());
    drop(idle);
    is_well(server());
}

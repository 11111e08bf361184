//! Many who ask for much at once: memory stays bounded, and others are answered.

use std::io::Read;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::serve::Served;

/// The most memory that a process ever had, in kilobytes.
#[cfg(target_os = "linux")]
fn peak(served: &Served) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Sixty-four orders of the same attributes.
fn orders(names: &[&str]) -> Vec<Vec<String>> {
    let order = |mut number: usize| {
        let mut left: Vec<&str> = names.to_vec();
        let mut order = Vec::new();
        while !left.is_empty() {
            order.push(left.remove(number % left.len()).to_owned());
            number = number / (left.len() + 1) + number % 3;
        }
        order
    };
    let mut all: Vec<_> = (0..).map(order).take(400).collect();
    all.sort();
    all.dedup();
    all.truncate(64);
    all
}

#[cfg(target_os = "linux")]
#[test]
fn orders_of_the_same_attributes_share_memory_and_delay_no_request() {
    let served = Served::start(&["demo"]);
    served.answer("POST", "/api/lattice", "{}");
    let before = peak(&served);
    let six = ["age", "education", "marital-status", "occupation", "race", "workclass"];
    let orders = orders(&six);
    assert_eq!(orders.len(), 64);
    let start = Instant::now();
    let bodies =
        orders.iter().map(|qi| json!({"qi": qi, "privacy": {"k-anonymity": 7}}).to_string());
    let streams: Vec<_> = bodies.map(|body| served.begin("POST", "/api/ask", &body)).collect();
    let honest = Instant::now();
    let answer = served.answer("POST", "/api/ask", r#"{"privacy": {"k-anonymity": 5}}"#);
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    assert!(honest.elapsed() < Duration::from_secs(5), "{:?}", honest.elapsed());
    for mut stream in streams {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let more = peak(&served) - before;
    assert!(more < 100 << 10, "{more} kB more than {before} after {:?}", start.elapsed());
}

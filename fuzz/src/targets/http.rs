//! Bodies of HTTP requests, sent to a running server.

use std::sync::LazyLock;

use haggle_server::Settings;
use serde_json::Value;

use super::Verdict;
use crate::fixture::SMALL;

#[allow(dead_code, reason = "the tests of the server use all of it")]
#[path = "../../../crates/server/tests/http/client.rs"]
mod client;

const ROUTES: [&str; 14] = [
    "lattice",
    "prepare",
    "ask",
    "suppressed",
    "scheme",
    "study",
    "pareto",
    "compare",
    "predict",
    "instant",
    "firm",
    "why",
    "preview",
    "plot",
];

static SERVER: LazyLock<client::Place> =
    LazyLock::new(|| client::start_on(SMALL.clone(), Settings::default()));

/// The first byte chooses the route, the others are the body.
pub(super) fn check(input: &[u8]) -> Verdict {
    let Some((&route, body)) = input.split_first() else { return Verdict::Refused };
    let path = format!("/api/{}", ROUTES[usize::from(route) % ROUTES.len()]);
    let reply = SERVER.say("POST", &path, &SERVER.honest(), &String::from_utf8_lossy(body));
    match reply.status {
        200 => Verdict::Accepted,
        400..500 => is_a_refusal(&reply.json()),
        other => panic!("{path} answers {other}: {}", reply.text()),
    }
}

/// A body for each route.
pub(super) fn generated() -> Vec<Vec<u8>> {
    let body = |path: &str| match path {
        "scheme" | "why" | "preview" => r#"{"privacy":{"k-anonymity":3},"scheme":[1,1,0]}"#,
        "lattice" => r#"{"qi":["age","sex"]}"#,
        "pareto" => r#"{"privacy":{"k-anonymity":3},"loss":"lm"}"#,
        "plot" => r#"{"privacy":{"k-anonymity":3},"figure":"front","loss":"lm"}"#,
        "compare" => r#"{"privacy":{"k-anonymity":3},"strategies":["mondrian","datafly"]}"#,
        "predict" | "instant" | "firm" => r#"{"privacy":{"k-anonymity":3},"summary":"histogram"}"#,
        _ => r#"{"privacy":{"k-anonymity":3},"max_suppressed":"5%","levels":{"age":2}}"#,
    };
    let seed = |(number, path): (u8, &&str)| [&[number], body(path).as_bytes()].concat();
    (0..).zip(&ROUTES).map(seed).collect()
}

fn is_a_refusal(json: &Value) -> Verdict {
    let problems = json["error"]["problems"].as_array().expect("problems in words");
    assert!(!problems.is_empty(), "a refusal without a reason");
    let fix = problems[0]["fix"].as_str();
    assert!(fix.is_some_and(|fix| !fix.is_empty()), "a problem without a fix: {json}");
    for problem in problems {
        assert!(problem["what"].as_str().is_some_and(|what| !what.is_empty()), "{problem}");
    }
    Verdict::Refused
}

//! Many requests at once: one answer a line, in order.

use crate::common::{Folder, offered, untimed};
use crate::contract::THREE;

/// Requests whose answers differ.
fn requests() -> Vec<String> {
    let request = |k: u64, limit: u64| {
        format!(r#"{{"privacy":{{"k-anonymity":{k}}},"max_suppressed":{limit},"levels":[2,1,1]}}"#)
    };
    (2..40).rev().map(|k| request(k, 1000 - 20 * k)).collect()
}

#[test]
fn answers_come_in_the_order_of_the_requests() {
    let requests = requests();
    let folder = Folder::with([("asked.jsonl", requests.join("\n\n"))]);
    let arguments = [&["ask"], THREE, &["--requests", "asked.jsonl"]].concat();
    let answers = folder.haggle(&arguments).json_lines();
    assert_eq!(answers.len(), requests.len());
    for (k, answer) in (2..40).rev().zip(&answers) {
        let offer = if answer["outcome"] == "exact" {
            &answer["exact"]
        } else {
            offered(answer, "suppression")
        };
        assert_eq!(offer["privacy"]["k-anonymity"], k);
    }
    let single = folder
        .answer(&[THREE, &["--k", "7", "--max-suppressed", "860", "--levels", "2,1,1"]].concat());
    assert_eq!(untimed(answers[32].clone()), single);
}

#[test]
fn requests_may_come_from_standard_input() {
    let requests = requests().join("\r\n");
    let folder = Folder::with([("asked.jsonl", &requests)]);
    let from = |source: &str| {
        let arguments = [&["ask"], THREE, &["--requests", source, "--json"]].concat();
        let run = folder.haggle_reading(&arguments, &requests);
        run.json_lines().into_iter().map(untimed).collect::<Vec<_>>()
    };
    assert_eq!(from("-"), from("asked.jsonl"));
}

#[test]
fn an_array_is_not_a_request() {
    let folder = Folder::empty();
    for line in ["[1,2]", "[]", "[{\"k-anonymity\": 5}]", "3"] {
        let run = folder.haggle_reading(&[&["ask"], THREE, &["--requests", "-"]].concat(), line);
        assert_eq!(run.code, Some(2), "{line}: {run:#?}");
        assert_eq!(run.json(2)["error"]["what"], "column 1: a request is an object");
    }
}

#[test]
fn no_requests_give_no_answers() {
    let folder = Folder::empty();
    let run = folder.haggle_reading(&[&["ask"], THREE, &["--requests", "-"]].concat(), "\n \n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::with([("asked.jsonl", (requests().join("\n") + "\n").repeat(200))]);
    let line = "haggle ask demo:adult --qi age,race,workclass --requests asked.jsonl | head -n 1";
    let run = folder.shell(line);
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(run.stderr.is_empty(), "{run:#?}");
    let demo = folder.shell("haggle tour | head -n 1");
    assert!(demo.stderr.is_empty(), "{demo:#?}");
    let note = folder.shell("haggle ask nowhere 2>&1 >/dev/null | true");
    assert!(note.stderr.is_empty(), "{note:#?}");
}

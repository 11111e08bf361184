//! Files of requests that are missing or hold something else.

use haggle_testkit::titled;
use insta::{allow_duplicates, assert_snapshot};
use serde_json::Value;

use crate::bad_input::{case, refused};
use crate::common::Folder;

/// Each line is third in a file, after a good request and a blank line and before another: the
/// others are answered, and in its place is what is wrong with it.
fn unanswered<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    titled(lines.into_iter().map(|line| (line, unanswered_line(line))))
}

fn unanswered_line(line: &str) -> String {
    let good = r#"{"privacy":{"k-anonymity":2}}"#;
    let folder = Folder::people();
    folder.write("asked.jsonl", format!("{good}\n\n{line}\n{good}\n"));
    let run = folder.haggle(&["ask", ".", "--requests", "asked.jsonl"]);
    allow_duplicates!(assert_snapshot!(run.notes(), @r#"
    error: asked.jsonl:3: 1 request cannot be answered
        fix: see the lines with "error"
    "#));
    let report: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, wrong, last] = report.as_slice() else { panic!("{line}: {run:#?}") };
    assert_eq!((&first["outcome"], &last["outcome"]), (&"exact".into(), &"exact".into()));
    assert_eq!(run.code, Some(2), "{line}: {run:#?}");
    let error = &wrong["error"];
    assert_eq!((&error["where"], &error["line"]), (&"asked.jsonl:3".into(), &3.into()));
    let text = |key: &str| error[key].as_str().unwrap().to_owned();
    format!("{}\nfix: {}", text("what"), text("fix"))
}

#[test]
fn requests_that_cannot_be_read() {
    assert_snapshot!(refused([
        case("missing", &["ask", ".", "--requests", "asked.jsonl"]),
        case("a folder", &["ask", ".", "--requests", "asked.jsonl"]).file("asked.jsonl/", ""),
        case("not UTF-8", &["ask", ".", "--requests", "asked.jsonl"])
            .file("asked.jsonl", [0xff, 0xfe]),
        case("next to a request", &["ask", ".", "--requests", "asked.jsonl", "--k", "2"])
            .file("asked.jsonl", ""),
    ]));
}

#[test]
fn lines_that_are_not_json() {
    assert_snapshot!(unanswered([
        "{\"privacy\":",
        "privacy k=2",
        "{\"privacy\":{\"k-anonymity\":2}} and more",
        "{\"privacy\":{\"k-anonymity\":NaN}}",
        "[1,2]",
        "7",
    ]));
}

#[test]
fn fields_that_are_unknown_or_of_the_wrong_type() {
    let max =
        |value| format!(r#"{{"privacy":{{"k-anonymity":2}},"max_suppressed":{value}}}"#).leak();
    assert_snapshot!(unanswered([
        r#"{"privacy":{"k-anonymity":2},"level":[1,1]}"#,
        r#"{"privacy":{"k-anonymity":"two"}}"#,
        r#"{"privacy":5}"#,
        r#"{"privacy":[{"k":5}]}"#,
        r#"{"privacy":"k-anonymity"}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":"1,1"}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":[1,-1]}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":[300,1]}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":{"age":"low"}}"#,
        r#"{"privacy":{"k-anonymity":2},"relax_height":"up"}"#,
        max("-1"),
        max("1.5"),
        max("\"many\""),
        max("\"101%\""),
        max("[1]"),
    ]));
}

#[test]
fn requests_that_cannot_be_answered() {
    assert_snapshot!(unanswered([
        "{}",
        r#"{"privacy":[]}"#,
        r#"{"privacy":{"k-anonymity":1}}"#,
        r#"{"privacy":{"m-anonymity":2}}"#,
        r#"{"privacy":[{"model":"k-anonymity","m":2}]}"#,
        r#"{"only":true}"#,
        r#"{"privacy":{"k-anonymity":2},"top":3}"#,
        r#"{"privacy":{"k-anonymity":2},"optimize":"discernibility:age=2"}"#,
        r#"{"privacy":{"k-anonymity":5,"k-anonymity":2}}"#,
        r#"{"privacy":[{"model":"t-closeness","t":0.2,"t":0.9}]}"#,
        r#"{"privacy":[{"model":"t-closeness","t":"near"}]}"#,
        r#"{"privacy":[{"model":"distinct-l-diversity","l":2,"on":"age"}]}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":[3,0]}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":[0]}"#,
        r#"{"privacy":{"k-anonymity":2},"levels":{"disease":0}}"#,
    ]));
}

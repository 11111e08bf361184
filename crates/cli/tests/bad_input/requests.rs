//! Files of requests that are missing or hold something else.

use serde_json::Value;

use crate::common::Folder;
use crate::{case, refused};

/// A line that cannot be answered, and what its error must say.
struct Line(&'static str, Vec<&'static str>);

fn third(line: &'static str, expected: &[&'static str]) -> Line {
    Line(line, expected.to_vec())
}

/// Each line is third in a file, after a good request and a blank line and before another: the
/// others are answered, and in its place is what is wrong with it.
fn unanswered(lines: impl IntoIterator<Item = Line>) {
    let good = r#"{"privacy":{"k-anonymity":2}}"#;
    for Line(line, expected) in lines {
        let folder = Folder::people();
        folder.write("asked.jsonl", format!("{good}\n\n{line}\n{good}\n"));
        let run = folder.haggle(&["ask", ".", "--requests", "asked.jsonl"]);
        assert_eq!(run.code, Some(2), "{line}: {run:#?}");
        let report: Vec<Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [first, wrong, last] = report.as_slice() else { panic!("{line}: {run:#?}") };
        assert_eq!((&first["outcome"], &last["outcome"]), (&"exact".into(), &"exact".into()));
        let error = &wrong["error"];
        assert_eq!((&error["where"], &error["line"]), (&"asked.jsonl:3".into(), &3.into()));
        let said = format!("{} fix: {}", error["what"].as_str().unwrap(), error["fix"]);
        for fragment in expected {
            assert!(said.contains(fragment), "{line}: {said:?} does not say {fragment:?}");
        }
        assert!(run.stderr.contains("asked.jsonl:3: 1 request cannot be answered"), "{run:#?}");
    }
}

#[test]
fn requests_that_cannot_be_read() {
    let name_one = "one JSON request per line, or - for standard input";
    refused([
        case(
            "missing",
            &["ask", ".", "--requests", "asked.jsonl"],
            &["asked.jsonl: No such file", name_one],
        ),
        case("a folder", &["ask", ".", "--requests", "asked.jsonl"], &["asked.jsonl: ", name_one])
            .file("asked.jsonl/", ""),
        case(
            "not UTF-8",
            &["ask", ".", "--requests", "asked.jsonl"],
            &["asked.jsonl: ", "UTF-8", name_one],
        )
        .file("asked.jsonl", [0xff, 0xfe]),
        case(
            "beside a request",
            &["ask", ".", "--requests", "asked.jsonl", "--k", "2"],
            &["--requests", "--k"],
        )
        .file("asked.jsonl", ""),
    ]);
}

#[test]
fn lines_that_are_not_json() {
    unanswered([
        third("{\"privacy\":", &["column 11", "write it as in {"]),
        third("privacy k=2", &["column 1"]),
        third("{\"privacy\":{\"k-anonymity\":2}} and more", &["column 31"]),
        third("{\"privacy\":{\"k-anonymity\":NaN}}", &["column"]),
        third("[1,2]", &["column"]),
        third("7", &["column"]),
    ]);
}

#[test]
fn fields_that_are_unknown_or_of_the_wrong_type() {
    let max =
        |value| format!(r#"{{"privacy":{{"k-anonymity":2}},"max_suppressed":{value}}}"#).leak();
    unanswered([
        third(
            r#"{"privacy":{"k-anonymity":2},"level":[1,1]}"#,
            &["unknown field `level`", "`levels`"],
        ),
        third(r#"{"privacy":{"k-anonymity":"two"}}"#, &["privacy as a list of models, or a map"]),
        third(r#"{"privacy":5}"#, &["privacy as a list of models, or a map"]),
        third(r#"{"privacy":[{"k":5}]}"#, &["privacy as a list of models, or a map"]),
        third(r#"{"privacy":"k-anonymity"}"#, &["write MODEL=THRESHOLD"]),
        third(
            r#"{"privacy":{"k-anonymity":2},"levels":"1,1"}"#,
            &["levels as a list [2,1,0], or by name"],
        ),
        third(
            r#"{"privacy":{"k-anonymity":2},"levels":[1,-1]}"#,
            &["levels as a list [2,1,0], or by name"],
        ),
        third(
            r#"{"privacy":{"k-anonymity":2},"levels":[300,1]}"#,
            &["levels as a list [2,1,0], or by name"],
        ),
        third(
            r#"{"privacy":{"k-anonymity":2},"levels":{"age":"low"}}"#,
            &["levels as a list [2,1,0], or by name"],
        ),
        third(
            r#"{"privacy":{"k-anonymity":2},"relax_height":"up"}"#,
            &["unknown variant `up`", "`lowest`"],
        ),
        third(max("-1"), &["a number of records such as 321"]),
        third(max("1.5"), &["a number of records such as 321"]),
        third(max("\"many\""), &["'many' is no number of records"]),
        third(max("\"101%\""), &["'101%' is more than 100%"]),
        third(max("[1]"), &["a number of records such as 321"]),
    ]);
}

#[test]
fn requests_that_cannot_be_answered() {
    unanswered([
        third("{}", &["no privacy is asked for"]),
        third(r#"{"privacy":[]}"#, &["no privacy is asked for"]),
        third(r#"{"privacy":{"k-anonymity":1}}"#, &["k = 1 is out of range"]),
        third(r#"{"privacy":{"m-anonymity":2}}"#, &["no privacy model 'm-anonymity'"]),
        third(
            r#"{"privacy":[{"model":"k-anonymity","m":2}]}"#,
            &["k-anonymity has no parameter 'm'"],
        ),
        third(r#"{"only":true}"#, &["no privacy is asked for"]),
        third(r#"{"privacy":{"k-anonymity":2},"top":3}"#, &["'top'", "'optimize'"]),
        third(
            r#"{"privacy":{"k-anonymity":2},"optimize":"discernibility:age=2"}"#,
            &["'age=2' has no effect on discernibility"],
        ),
        third(r#"{"privacy":{"k-anonymity":5,"k-anonymity":2}}"#, &["privacy as a list"]),
        third(r#"{"privacy":[{"model":"t-closeness","t":0.2,"t":0.9}]}"#, &["privacy as a list"]),
        third(r#"{"privacy":[{"model":"t-closeness","t":"near"}]}"#, &["t = 'near' is no number"]),
        third(
            r#"{"privacy":[{"model":"distinct-l-diversity","l":2,"on":"age"}]}"#,
            &["'age' is not a sensitive attribute"],
        ),
        third(r#"{"privacy":{"k-anonymity":2},"levels":[3,0]}"#, &["'age' has no level 3"]),
        third(r#"{"privacy":{"k-anonymity":2},"levels":[0]}"#, &["1 levels for 2"]),
        third(
            r#"{"privacy":{"k-anonymity":2},"levels":{"disease":0}}"#,
            &["'disease' is not among"],
        ),
    ]);
}

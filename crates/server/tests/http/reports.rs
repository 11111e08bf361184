//! Reports over HTTP: the bytes that `haggle report` writes, as downloads.

use haggle::report::{ReportAsk, ReportForm, ReportFormat, gather};
use haggle::utility::UtilityAsk;
use haggle::{Ask, Engine, Options, Project, Silent};
use serde_json::{Value, json};

use crate::client::server;

fn request() -> Value {
    json!({"privacy": {"k-anonymity": 10}, "max_suppressed": "1%"})
}

/// The request with these fields as well.
fn body(more: &Value) -> Value {
    let mut body = request();
    body["qi"] = json!(["race", "workclass"]);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The report as the library writes it.
fn text(form: ReportForm, format: ReportFormat, utility: UtilityAsk) -> String {
    let qi = Some(vec!["race".into(), "workclass".into()]);
    let options = Options { qi, ..Options::default() };
    let engine = Engine::open(&Project::demo(), &options).unwrap();
    let request: Ask = serde_json::from_value(request()).unwrap();
    let ask = ReportAsk { request, utility, form, ..ReportAsk::default() };
    gather(&engine, &ask, &Silent).unwrap().text(format)
}

#[test]
fn a_report_is_the_file_that_the_command_writes() {
    let wanted = [
        (json!({}), ReportForm::Public, ReportFormat::Html, "report.html"),
        (
            json!({"form": "private", "format": "json"}),
            ReportForm::Private,
            ReportFormat::Json,
            "report-private.json",
        ),
    ];
    for (more, form, format, name) in wanted {
        let reply = server().post("/api/report", &body(&more));
        assert_eq!(reply.status, 200, "{}", reply.text());
        let attachment = format!("attachment; filename=\"{name}\"");
        assert_eq!(reply.headers["content-disposition"], attachment);
        assert!(reply.text() == text(form, format, UtilityAsk::default()), "{name} differs");
    }
}

#[test]
fn a_report_is_about_the_named_scheme_and_target() {
    let more = json!({
        "form": "private", "format": "md", "scheme": [1, 0], "target": "occupation", "seed": 7
    });
    let reply = server().post("/api/report", &body(&more));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let scheme = Some("1,0".parse().unwrap());
    let target = Some("occupation".into());
    let utility = UtilityAsk { scheme, target, seed: 7, ..UtilityAsk::default() };
    assert!(reply.text() == text(ReportForm::Private, ReportFormat::Markdown, utility));
    assert_eq!(reply.headers["content-type"], "text/markdown; charset=utf-8");
}

#[test]
fn a_report_measures_a_publication_of_the_server_again() {
    let published = server().post("/api/publish", &body(&json!({"format": "csv"}))).lines();
    let done = &published.last().unwrap()["done"];
    let path = done["downloads"]["data"].as_str().unwrap();
    let file = path.strip_prefix("/api/published/").unwrap();
    let more = json!({"format": "json", "published": file});
    let proof = server().post("/api/report", &body(&more)).json()["proof"].clone();
    assert_eq!((&proof["holds"], &proof["file"]), (&json!(true), &json!("data.csv")));
    assert_eq!(proof["records"], done["report"]["records"]);
}

#[test]
fn a_report_reads_no_other_file_of_the_server() {
    for file in ["/etc/passwd", "etc/passwd", "../x", "x"] {
        let reply = server().post("/api/report", &body(&json!({"published": file})));
        assert_eq!(reply.status, 404, "{}", reply.text());
        assert!(reply.text().contains("there is no such publication"), "{}", reply.text());
    }
}

#[test]
fn a_report_needs_a_known_form_and_format() {
    for more in [json!({"form": "secret"}), json!({"format": "pdf"}), json!({"queries": "x"})] {
        assert_eq!(server().post("/api/report", &body(&more)).status, 400);
    }
    // A workload is a file, which the server does not read.
    assert_eq!(server().post("/api/report", &body(&json!({"workload": "x"}))).status, 404);
}

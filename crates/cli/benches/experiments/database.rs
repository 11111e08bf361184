//! Section 7.3 of the paper: M-INSTANT and Mondrian, both on a table in PostgreSQL.

use std::time::Duration;

use haggle::search::CompareOptions;
use haggle::{Ask, Engine, Options, Project, Silent};
use haggle_testkit::postgres::{PASSWORD, Server, USER};

use crate::census::{Census, QUASI};
use crate::figures::k;
use crate::table::{Results, Row};

const RECORDS: usize = 100_000;

pub(crate) fn report(census: &Census) {
    let server = Server::start();
    let columns: Vec<String> = QUASI
        .iter()
        .chain(&["occupation"])
        .map(|name| format!("\"{name}\" {}", if *name == "age" { "int" } else { "text" }))
        .collect();
    server.sql(&format!("CREATE TABLE census ({})", columns.join(", ")));
    let file = census.file(RECORDS);
    server.sql(&format!("\\copy census FROM '{}' WITH (FORMAT csv, HEADER)", file.display()));
    server.sql("ANALYZE census");
    let (_folder, project) = project(&server);
    let engine = Engine::open(&project, &Options::default()).expect("it can be counted");
    let mut results = Results::new("figure-12-database", "k");
    for threshold in [20.0, 60.0, 100.0] {
        let max_suppressed = Some("0".parse().expect("an amount"));
        let ask = Ask { privacy: vec![k(threshold)], max_suppressed, ..Ask::default() };
        let strategies =
            ["mondrian-scanned", "m-instant:threshold=0.95", "m-instant:summary=pg,threshold=0.95"];
        let options = CompareOptions {
            measures: vec!["lm".parse().expect("a measure")],
            strategies: strategies.map(String::from).to_vec(),
            time_limit: Some(Duration::from_mins(10)),
            progress: &Silent,
        };
        for one in engine.compare(&ask, &options).expect("it runs").strategies {
            assert!(one.verified, "{} keeps its promise", one.strategy);
            results.add(Row {
                value: threshold,
                method: one.strategy.replace(',', " "),
                plan_seconds: 0.0,
                seconds: one.micros as f64 / 1e6,
                scans: one.scans.expect("it reads the database"),
                loss: one.loss.get("lm").copied(),
                optimum: None,
                scheme: one.found.unwrap_or_default().replace(',', " "),
            });
        }
    }
    results.write("k-anonymity by boxes in PostgreSQL, 100,000 records, 7 attributes");
}

fn project(server: &Server) -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = format!("{}/../../data/adult/hierarchies", env!("CARGO_MANIFEST_DIR"));
    let attribute = |name: &&str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{data}/{name}.csv\"\n"
        )
    };
    let attributes: String = QUASI.iter().map(attribute).collect();
    let url = server.url(USER).replace(USER, &format!("{USER}:{PASSWORD}"));
    let text = format!("[data]\nurl = \"{url}\"\ntable = \"public.census\"\n{attributes}");
    let file = folder.path().join("haggle.toml");
    std::fs::write(&file, text).expect("it can be written");
    let project = Project::open(&file).expect("it is sound");
    (folder, project)
}

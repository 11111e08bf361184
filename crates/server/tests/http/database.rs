//! A server on a table of PostgreSQL, which others change meanwhile.

use std::time::{Duration, Instant};

use haggle::Project;
use haggle_server::Settings;
use haggle_testkit::postgres::{PASSWORD, Server, USER};
use serde_json::{Value, json};

use crate::client::{Place, start_on};

/// The records that an answer is about, and the ages that the lattice knows at level 0.
fn records(place: &Place) -> Value {
    let answer = place.post("/api/ask", &json!({"privacy": {"k-anonymity": 2}}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["account"]["read"].clone()
}

#[test]
fn a_lattice_is_counted_anew_once_its_table_was_changed() {
    let server = Server::start();
    server.sql(
        "CREATE TABLE people AS SELECT i % 5 AS age, 'flu' || i % 3 AS disease \
         FROM generate_series(1, 40) AS i",
    );
    let folder = tempfile::tempdir().unwrap();
    let url = server.url(&format!("{USER}:{PASSWORD}"));
    let project = format!(
        "[data]\nurl = \"{url}\"\ntable = \"people\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\n\
         [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n"
    );
    let file = folder.path().join("haggle.toml");
    std::fs::write(&file, project).unwrap();
    let project = Project::open(file.to_str().unwrap()).unwrap();
    let place = start_on(project, Settings::default());
    assert_eq!((records(&place), records(&place)), (40.into(), 40.into()));
    server.sql("INSERT INTO people VALUES (7, 'flu1'), (7, 'flu2')");
    let start = Instant::now();
    while records(&place) != 42 {
        assert!(start.elapsed() < Duration::from_secs(30), "the lattice is older than its table");
        std::thread::sleep(Duration::from_millis(100));
    }
    // What is published from then on is the table as it is.
    let body = json!({"privacy": {"k-anonymity": 2}, "scheme": [0]});
    let ended = place.post("/api/publish", &body).lines().pop().unwrap();
    assert_eq!(ended["done"]["report"]["records"], 42, "{ended}");
}

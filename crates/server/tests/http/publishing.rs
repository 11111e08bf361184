//! Publishing through the page is publishing through the command line: proved, and verifiable.

use haggle::{Inspection, Privacy};
use serde_json::{Value, json};

use crate::client::server;

fn publish(more: &Value) -> Value {
    let mut body = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    server().post("/api/publish", &body).lines().pop().unwrap()
}

#[test]
fn what_is_published_can_be_downloaded_and_keeps_its_promise() {
    for format in ["csv", "parquet"] {
        let ended = publish(&json!({"scheme": [1, 1, 0], "format": format, "shuffle": true}));
        let report = &ended["done"]["report"];
        assert_eq!(
            (&report["suppressed"], &report["records"]),
            (&json!(170), &json!(29_992)),
            "{ended}"
        );
        assert_eq!(report["output"], format!("data.{format}"), "a name, no folder");
        let folder = tempfile::tempdir().unwrap();
        let mut files = std::collections::BTreeMap::new();
        for (what, path) in ended["done"]["downloads"].as_object().unwrap() {
            let path = path.as_str().unwrap();
            let reply = server().get(path);
            assert_eq!(reply.status, 200, "{path}");
            assert!(reply.headers["content-disposition"].starts_with("attachment"));
            let file = folder.path().join(path.rsplit('/').next().unwrap());
            std::fs::write(&file, &reply.body).unwrap();
            files.insert(what.as_str(), file);
        }
        let inspection = Inspection::open(&files["data"], None, None, None, 1 << 30).unwrap();
        let ten = [Privacy::of("k-anonymity", 10.0)];
        assert!(inspection.verify(&ten).unwrap().holds, "the manifest is found beside it");
        let mapping = std::fs::read_to_string(&files["mapping"]).unwrap();
        assert!(
            mapping.starts_with("attribute,recorded,published\n")
                && mapping.contains("age,37,37-41")
        );
    }
}

#[test]
fn a_publication_that_is_refused_says_why() {
    let ended = publish(&json!({"scheme": [0, 0, 0], "max_suppressed": 5}));
    assert_eq!(ended["refused"]["limit"], 5);
    assert!(ended["refused"]["reason"].as_str().unwrap().contains("at most 5"));
    let ended = publish(&json!({"levels": [0, 0, 0], "max_suppressed": 5}));
    assert!(ended["refused"]["answer"]["relaxations"]["suppression"].is_object(), "{ended}");
    let ended = publish(&json!({"scheme": [9, 9, 9]}));
    assert!(ended["error"]["problems"][0]["fix"].is_string());
}

#[test]
fn nothing_that_was_not_given_out_can_be_downloaded() {
    let ended = publish(&json!({"scheme": [1, 1, 0]}));
    let data = ended["done"]["downloads"]["data"].as_str().unwrap().to_owned();
    let folder = data.rsplit_once('/').unwrap().0;
    for name in ["..%2f..%2fetc%2fpasswd", "%2e%2e", "private", "private%2Fpolicy.json", "%00"] {
        assert_eq!(server().get(&format!("{folder}/{name}")).status, 404, "{name}");
    }
    assert_eq!(server().get("/api/published/0/data.csv").status, 404);
    assert_eq!(server().get("/api/published/../../etc/passwd").status, 404);
}

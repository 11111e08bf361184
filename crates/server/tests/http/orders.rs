//! The order of the attributes is that of the request, although all orders share one lattice.

use haggle::{Ask, Engine, Options, Project};
use serde::Serialize;
use serde_json::{Value, json};

use crate::client::server;

/// An answer as it is sent, without what differs from run to run.
fn comparable(answer: impl Serialize) -> Value {
    let sent = serde_json::to_string(&answer).unwrap();
    let mut answer: Value = serde_json::from_str(&sent).unwrap();
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("micros");
        fields.remove("built");
    }
    answer
}

#[test]
fn every_order_is_answered_as_if_it_were_the_only_one() {
    let project = Project::open("demo:adult").unwrap();
    let orders =
        [["age", "race", "workclass"], ["workclass", "age", "race"], ["race", "workclass", "age"]];
    let requests = [
        json!({"privacy": {"k-anonymity": 10}, "max_suppressed": 321}),
        json!({"privacy": {"k-anonymity": 10}, "max_suppressed": 32, "levels": [1, 1, 1]}),
        json!({"privacy": {"k-anonymity": 5}, "max_suppressed": "1%", "optimize": "lm"}),
        json!({"privacy": {"k-anonymity": 5, "distinct-l-diversity": 3}, "max_suppressed": 300}),
        json!({"privacy": {"t-closeness": 0.3}, "max_suppressed": 300, "optimize": "discernibility"}),
    ];
    for qi in orders {
        let names = Some(qi.map(String::from).to_vec());
        let engine = Engine::open(&project, &Options { qi: names, ..Options::default() }).unwrap();
        for request in &requests {
            let ask: Ask = serde_json::from_value(request.clone()).unwrap();
            let mut body = request.clone();
            body["qi"] = json!(qi);
            let expected = comparable(engine.ask(&ask).unwrap());
            let report = comparable(server().post("/api/ask", &body).json());
            assert_eq!(report, expected, "{body}");
            if request.get("optimize").is_none() {
                let expected: Vec<u8> =
                    engine.suppressed(&ask).unwrap().iter().flat_map(|n| n.to_le_bytes()).collect();
                body["bits"] = json!(64);
                assert_eq!(server().post("/api/suppressed", &body).body, expected, "{body}");
            }
        }
        let ask: Ask = serde_json::from_value(requests[0].clone()).unwrap();
        let expected = engine.pareto(&ask, "lm").unwrap();
        let expected = comparable(expected);
        let body =
            json!({"qi": qi, "privacy": {"k-anonymity": 10}, "max_suppressed": 321, "loss": "lm"});
        assert_eq!(comparable(server().post("/api/pareto", &body).json()), expected, "{qi:?}");
        let overview = comparable(engine.overview());
        let report = comparable(server().post("/api/lattice", &json!({"qi": qi})).json());
        assert_eq!(report["attributes"], overview["attributes"]);
    }
}

//! Every route says what the library says, and the published figures hold.

use haggle::catalog::{MEASURES, MODELS};
use haggle::{Ask, Engine, Options, Project, Scheme, Silent};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::client::server;

const THREE: [&str; 3] = ["age", "race", "workclass"];

fn engine(qi: &[&str]) -> (Project, Engine) {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(qi.iter().map(|&name| name.to_owned()).collect());
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    (project, engine)
}

/// Removes what differs from run to run.
fn timeless(mut value: Value) -> Value {
    for time in ["micros", "built"] {
        value.as_object_mut().unwrap().remove(time);
    }
    value
}

fn ask(body: &Value) -> Ask {
    let mut body = body.clone();
    for other in ["qi", "scheme", "loss", "suppression", "rows"] {
        body.as_object_mut().unwrap().remove(other);
    }
    serde_json::from_value(body).unwrap()
}

#[test]
fn the_published_figures_are_answered() {
    let asked = |limit: u64| {
        server().post(
            "/api/ask",
            &json!({"qi": THREE, "privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": limit}),
        )
    };
    let exact = asked(321).json();
    assert_eq!(
        (&exact["outcome"], &exact["exact"]["scheme"]),
        (&json!("exact"), &json!([1, 1, 0]))
    );
    assert_eq!(exact["exact"]["suppressed"], 170);
    assert_eq!((&exact["relaxations"], &exact["version"]), (&json!([]), &json!(2)));
    let relaxed = asked(32).json();
    let relaxed = relaxed["relaxations"].as_array().unwrap();
    let kinds: Vec<&Value> = relaxed.iter().take(3).map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["suppression", "height", "privacy"]);
    let [suppression, height, privacy] = [0, 1, 2].map(|i| &relaxed[i]["offer"]);
    assert_eq!(suppression["suppressed"], 55);
    assert_eq!(privacy["privacy"]["k-anonymity"], 7);
    assert_eq!(privacy["suppressed"], 31);
    assert_eq!(height["scheme"], json!([3, 1, 0]));
    assert_eq!(height["suppressed"], 28);
    for one in &relaxed[..3] {
        let mut accept = one["accept"].clone();
        accept["qi"] = json!(THREE);
        assert_eq!(server().post("/api/ask", &accept).json()["exact"], one["offer"], "{one}");
    }
}

#[test]
fn a_prior_is_not_read_from_a_file_of_the_server() {
    let body = json!({"qi": THREE, "scheme": [1, 1, 0], "prior": "conditionals:/etc/passwd"});
    let reply = server().post("/api/risk", &body);
    assert_eq!(reply.status, 404, "{}", reply.text());
    assert!(reply.text().contains("names no other file"), "{}", reply.text());
}

/// Options of models and measures are obeyed by a request as on the command line, and refused
/// where they are not possible.
#[test]
fn options_of_models_and_measures_are_taken_from_the_body() {
    let (_, engine) = engine(&THREE);
    let model = json!([{"model": "recursive-l-diversity", "l": 2, "c": 1, "bound": "at-most"}]);
    for measure in ["variance:over=age,race", "hybrid:volume=redaction", "hybrid:over=race"] {
        let body = json!({"qi": THREE, "privacy": model, "optimize": measure});
        let reply = server().post("/api/ask", &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let expected = serde_json::to_value(engine.ask(&ask(&body)).unwrap()).unwrap();
        assert_eq!(timeless(reply.json()), timeless(expected), "{measure}");
        let offered = reply.json()["exact"]["loss"].clone();
        assert!(offered[measure].is_number(), "{offered}");
    }
    let risk = |extra: Value| {
        let mut body = json!({"qi": THREE, "scheme": [1, 1, 0], "attacks": ["homogeneity"]});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        server().post("/api/risk", &body)
    };
    let target = json!({"age": "34", "race": "White", "workclass": "Private"});
    let of = |alpha: Value| {
        let reply = risk(json!({"target": target, "alpha": alpha}));
        assert_eq!(reply.status, 200, "{}", reply.text());
        let belief = &reply.json()["sensitive"][0]["belief"]["target"]["values"];
        let value = |v: &&Value| v["value"] == "40";
        belief.as_array().unwrap().iter().find(value).unwrap()["most"].as_f64().unwrap()
    };
    let (usual, halved) = (of(json!({})), of(json!({"40": 0.5})));
    assert!((halved - usual / 2.0 / (1.0 - usual / 2.0)).abs() < 1e-9, "{usual} {halved}");
    for (body, reason) in [
        (json!({"target": target, "alpha": {"40": -1}}), "out of range"),
        (json!({"alpha": {"40": 0.5}}), "no person is named"),
        (json!({"prior": "stated"}), "states no prior"),
    ] {
        let reply = risk(body);
        assert_eq!(reply.status, 422, "{}", reply.text());
        assert!(reply.text().contains(reason), "{reason}: {}", reply.text());
    }
}

/// Serialization without a generic closure.
mod erased {
    pub(crate) trait Json {
        fn json(&self) -> serde_json::Value;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> serde_json::Value {
            // As it is sent: numbers are read again in the same way.
            serde_json::from_str(&serde_json::to_string(self).unwrap()).unwrap()
        }
    }
}

#[test]
fn the_project_and_its_data_are_described() {
    let (project, engine) =
        engine(&["age", "education", "marital-status", "occupation", "race", "workclass"]);
    let expected = erased::Json::json(&engine.project_overview(&project));
    assert_eq!(server().get("/api/project").json(), expected);
    assert_eq!(server().get("/api/models").json(), serde_json::to_value(MODELS).unwrap());
    assert_eq!(server().get("/api/measures").json(), serde_json::to_value(MEASURES).unwrap());
    let columns = serde_json::to_value(project.columns().unwrap()).unwrap();
    assert_eq!(server().get("/api/data").json(), columns);
    let tree = serde_json::to_value(project.hierarchy("marital-status", &Silent).unwrap()).unwrap();
    assert_eq!(server().get("/api/hierarchy/marital-status").json(), tree);
    assert_eq!(server().get("/api/hierarchy/nothing").status, 404);
}

#[test]
fn what_every_scheme_suppresses_is_reported_in_the_order_of_levels() {
    let (_, engine) = engine(&THREE);
    for privacy in [json!({"k-anonymity": 3}), json!({"k-anonymity": 3, "distinct-l-diversity": 2})]
    {
        let body = json!({"qi": THREE, "privacy": privacy});
        let reply = server().post("/api/suppressed", &body);
        let narrow = reply.body.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap()));
        let mut wide = body.clone();
        wide["bits"] = json!(64);
        let reply = server().post("/api/suppressed", &wide);
        let report: Vec<u64> =
            reply.body.chunks(8).map(|some| u64::from_le_bytes(some.try_into().unwrap())).collect();
        assert_eq!(report, engine.suppressed(&ask(&body)).unwrap().to_vec());
        assert!(narrow.map(u64::from).eq(report.iter().copied()));
        wide["bits"] = json!(16);
        assert_eq!(server().post("/api/suppressed", &wide).status, 422);
        let top = engine.top().levels().iter().map(|&level| usize::from(u8::from(level)));
        let radix: Vec<usize> = top.map(|top| top + 1).collect();
        for (index, &report) in report.iter().enumerate() {
            let levels =
                [index / (radix[1] * radix[2]), index / radix[2] % radix[1], index % radix[2]];
            let scheme = Scheme::new(levels.map(|level| level as u8));
            let pinned = engine.pinned(&ask(&body), &scheme).unwrap();
            assert_eq!(pinned.suppressed, report, "{scheme}");
        }
    }
}

#[test]
fn figures_are_files_in_the_format_asked_for() {
    let figure = |name: &str, format: &str| {
        let body =
            json!({"qi": THREE, "privacy": {"k-anonymity": 3}, "figure": name, "format": format});
        server().post("/api/plot", &body)
    };
    for name in ["front", "study", "histogram", "lattice"] {
        assert!(figure(name, "svg").text().starts_with("<svg"));
        assert!(figure(name, "png").body.starts_with(b"\x89PNG"));
        let csv = figure(name, "csv");
        assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
        let attachment = format!("attachment; filename=\"{name}.csv\"");
        assert_eq!(csv.headers["content-disposition"], attachment);
        assert_eq!(figure(name, "pdf").status, 400);
    }
    assert_eq!(figure("portrait", "svg").status, 400);
}

#[test]
fn what_a_figure_would_ignore_is_refused() {
    let at = |figure: &str| json!({"qi": THREE, "privacy": {"k-anonymity": 3}, "thresholds": [5, 10], "figure": figure});
    assert_eq!(server().post("/api/plot", &at("front")).status, 200);
    let mut with_suppression = at("front");
    with_suppression["suppression"] = true.into();
    for (body, field) in [
        (with_suppression, "suppression"),
        (at("study"), "thresholds"),
        (at("lattice"), "thresholds"),
        (json!({"qi": THREE, "figure": "study", "scheme": [0, 0, 0]}), "scheme"),
        (json!({"qi": THREE, "figure": "front", "strategies": ["ola"]}), "strategies"),
    ] {
        let reply = server().post("/api/plot", &body);
        assert_eq!(reply.status, 422, "{body}: {}", reply.text());
        assert!(reply.text().contains(field), "{body}: {}", reply.text());
    }
}

#[test]
fn a_front_with_the_number_next_to_nothing_is_drawn() {
    let privacy = json!([{"model": "delta-disclosure", "delta": 1.0}]);
    let body = json!({"qi": ["race", "sex"], "privacy": privacy});
    for format in ["svg", "png"] {
        let mut body = body.clone();
        body["figure"] = json!("front");
        body["format"] = json!(format);
        let reply = server().post("/api/plot", &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
}

#[test]
fn clients_with_different_quasi_identifiers_do_not_disturb_each_other() {
    let asked = |qi: Value, schemes: u64| {
        std::thread::spawn(move || {
            for _ in 0..10 {
                let reply = server().post("/api/lattice", &json!({"qi": qi})).json();
                assert_eq!((&reply["qi"], &reply["schemes"]), (&qi, &json!(schemes)));
            }
        })
    };
    let clients = [
        asked(json!(["age", "sex"]), 10),
        asked(json!(["sex", "age"]), 10),
        asked(json!(["race"]), 3),
    ];
    for client in clients {
        client.join().unwrap();
    }
}

#[test]
fn progress_is_reported_until_the_lattice_is_built() {
    let qi = json!(["age", "race", "workclass", "education", "native-country"]);
    let reply = server().post("/api/build", &json!({"qi": qi}));
    assert_eq!(reply.headers["content-type"], "application/x-ndjson");
    let lines = reply.lines();
    let (last, before) = lines.split_last().unwrap();
    assert!(before.iter().all(|line| line["progress"]["what"].is_string()), "{before:?}");
    assert!(!before.is_empty());
    let lattice = server().post("/api/lattice", &json!({"qi": qi})).json();
    assert_eq!(timeless(last["done"].clone()), timeless(lattice));
    let refused = server().post("/api/build", &json!({"qi": ["nothing"]})).lines();
    assert!(refused.last().unwrap()["error"]["problems"][0]["what"].is_string());
}

#[test]
fn progress_is_reported_until_a_new_question_can_be_asked() {
    let ask = json!({"qi": ["age", "race", "workclass", "education", "sex"],
        "privacy": [{"model": "entropy-l-diversity", "l": 2}], "optimize": "discernibility"});
    let lines = server().post_for_lines("/api/prepare", &ask);
    let (last, before) = lines.split_last().unwrap();
    assert!(before.iter().all(|line| line["progress"]["of"].is_u64()), "{before:?}");
    assert_eq!(last["done"]["schemes"], 600);
    assert_eq!(server().post("/api/ask", &ask).status, 200);
    let refused = json!({"privacy": {"k-anonymity": 1}});
    let refused = server().post_for_lines("/api/prepare", &refused);
    assert!(refused.last().unwrap()["error"]["problems"][0]["fix"].is_string());
}

/// A second request for the same waits until it is built or cancelled; so receiving progress, after
/// another hung up, shows that the other's work was given up.
#[test]
fn work_that_is_no_longer_awaited_is_cancelled_for_every_client() {
    let slow = json!({"privacy": {"k-anonymity": 10}, "loss": "noise-scanning"});
    for _ in 0..2 {
        server().hang_up_at("weighing", "/api/prepare", &slow);
    }
    let quick = server().post("/api/ask", &json!({"privacy": {"k-anonymity": 10}}));
    assert_eq!(quick.status, 200);
}

#[test]
fn predictions_are_reported_and_then_counted() {
    let ask = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}, "max_suppressed": 321});
    let report = server().post("/api/predict", &ask).json();
    let all = report["suppressed"].as_array().unwrap();
    assert_eq!((all.len(), report["limit"].as_u64()), (60, Some(321)));
    let best = &report["best"];
    assert!(best["predicted"]["suppressed"].as_f64().unwrap() <= 321.0, "{best}");
    let counted = server().post("/api/instant", &ask).json();
    assert_eq!(
        counted["scans"].as_u64().unwrap() as usize,
        counted["trials"].as_array().unwrap().len()
    );
    let firm = &counted["attained"];
    let exact = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 10}, "scheme": firm["scheme"]});
    let pinned = server().post("/api/scheme", &exact).json();
    assert_eq!(
        firm["suppressed"], pinned["suppressed"],
        "what a scan counts is what the lattice says"
    );
    let again = server().post("/api/firm", &exact).json();
    assert_eq!(&again, firm);
}

#[test]
fn instant_answers_obey_the_loss_the_number_and_the_relaxation() {
    let qi = json!(["age", "race", "workclass"]);
    let ask = json!({"qi": qi, "privacy": {"k-anonymity": 10}, "max_suppressed": 321, "optimize": "discernibility", "top": 2});
    let predicted = server().post("/api/predict", &ask).json();
    assert!(predicted["best"]["predicted"]["loss"]["discernibility"].is_f64(), "{predicted}");
    assert_eq!(predicted["runners_up"].as_array().map(Vec::len), Some(1));
    let counted = server().post("/api/instant", &ask).json();
    assert_eq!(counted["runners_up"].as_array().map(Vec::len), Some(1), "{counted}");
    let firm = json!({"qi": qi, "privacy": {"k-anonymity": 10}, "optimize": "discernibility", "scheme": counted["scheme"]});
    let firm = server().post("/api/firm", &firm).json();
    assert_eq!(firm["loss"], counted["attained"]["loss"]);
    let none = json!({"qi": qi, "privacy": {"k-anonymity": 60}, "max_suppressed": 0, "levels": [0, 0, 0], "relax_height": "closest"});
    let relaxed = server().post("/api/instant", &none).json();
    assert!(relaxed["scheme"].is_null() && relaxed["relaxations"]["height"]["scheme"].is_array());
    let predicted = server().post("/api/predict", &none).json();
    assert!(predicted["relaxed_height"]["scheme"].is_array(), "{predicted}");
    let refused = json!({"qi": qi, "privacy": {"k-anonymity": 10}, "optimize": "variance"});
    assert_eq!(server().post("/api/instant", &refused).status, 422);
}

#[test]
fn what_cannot_be_predicted_is_refused_in_words() {
    for privacy in
        [json!({"t-closeness": 0.2}), json!({"k-anonymity": 3, "distinct-l-diversity": 2})]
    {
        for route in ["/api/predict", "/api/instant"] {
            let reply = server().post(route, &json!({"privacy": privacy}));
            assert_eq!(reply.status, 422);
            assert!(reply.json()["error"]["problems"][0]["what"].is_string());
        }
    }
}

/// What the page greys out cannot be asked; all else can, with the numbers that its forms begin with.
#[test]
fn models_are_offered_just_where_they_can_be_asked() {
    let qi = json!(["age", "race"]);
    let lattice = server().post("/api/lattice", &json!({ "qi": qi })).json();
    let unaskable = lattice["unaskable"].as_object().unwrap();
    for model in server().get("/api/models").json().as_array().unwrap() {
        let id = model["id"].as_str().unwrap();
        let mut privacy = json!({ "model": id });
        let parameters = model["parameters"].as_array().unwrap();
        for parameter in parameters.iter().filter(|parameter| parameter["optional"] == false) {
            privacy[parameter["name"].as_str().unwrap()] = parameter["usual"].clone();
        }
        let reply = server().post("/api/ask", &json!({ "qi": qi, "privacy": [privacy] }));
        let refused = unaskable.contains_key(id);
        assert_eq!(reply.status, if refused { 422 } else { 200 }, "{id}: {}", reply.text());
    }
    assert_snapshot!(unaskable["categorical-diversity"].as_str().unwrap(), @"categorical-diversity needs categories of 'hours-per-week', and the project states none");
}

#[test]
fn the_front_at_some_thresholds_is_a_part_of_the_exact_one() {
    let three = json!({"qi": ["age", "race", "workclass"], "privacy": {"k-anonymity": 5}, "max_suppressed": "1%", "loss": "lm"});
    let mut at = three.clone();
    at["thresholds"] = json!([50, 5, 20, 10]);
    let lines = server().post_for_lines("/api/pareto", &at);
    let found = lines.last().unwrap()["done"]["points"].as_array().unwrap().clone();
    let exact = server().post("/api/pareto", &three).json();
    let key = |point: &Value| {
        ["threshold", "scheme", "suppressed", "height"].map(|field| point[field].clone())
    };
    let all: Vec<_> = exact["points"].as_array().unwrap().iter().map(key).collect();
    assert_eq!(found.len(), 4);
    for point in &found {
        assert!(all.contains(&key(point)), "{point}");
    }
    at["thresholds"] = json!([]);
    let refused = server().post_for_lines("/api/pareto", &at);
    assert!(refused.last().unwrap()["error"]["problems"][0]["fix"].is_string());
}

#[test]
fn a_front_without_waiters_is_stopped() {
    let six = ["age", "education", "marital-status", "occupation", "race", "workclass"];
    let mut body = json!({"qi": six, "privacy": {"k-anonymity": 10}, "max_suppressed": 321});
    body["thresholds"] = (2..200).collect();
    server().hang_up_at("thresholds", "/api/pareto", &body);
    // The next request finds the server free and is answered.
    body["thresholds"] = json!([10]);
    let lines = server().post_for_lines("/api/pareto", &body);
    assert_eq!(lines.last().unwrap()["done"]["points"].as_array().unwrap().len(), 1);
}

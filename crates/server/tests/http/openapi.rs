//! The description is true: every route is in it, and answers are what it says.

use haggle::questions::Questions;
use serde_json::{Value, json};

use crate::client::{Reply, server};

/// What a value has that its schema does not allow, or lacks that it demands.
struct Check<'a> {
    components: &'a Value,
}

impl Check<'_> {
    fn fits(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap();
            let found = &self.components[name];
            assert!(found.is_object(), "{name} is not described");
            return self.fits(found, value, at);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.fits(&self.together(parts), value, at);
        }
        for choice in ["oneOf", "anyOf"] {
            if let Some(parts) = schema[choice].as_array() {
                let tried: Vec<_> = parts.iter().map(|part| self.fits(part, value, at)).collect();
                if tried.iter().any(Result::is_ok) {
                    return Ok(());
                }
                let why: Vec<String> = tried.into_iter().filter_map(Result::err).collect();
                return Err(format!("{at}: none of {}", why.join(" | ")));
            }
        }
        if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
            return Err(format!("{at}: {value} is not a word of {}", schema["enum"]));
        }
        kind(schema, value, at)?;
        match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(i, item)| self.fits(&schema["items"], item, &format!("{at}[{i}]"))),
            Value::Object(fields) => self.object(schema, fields, at),
            _ => Ok(()),
        }
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(name) => &self.components[name.rsplit('/').next().unwrap()],
            None => schema,
        }
    }

    /// The parts of an object as one; a part may have parts itself.
    fn together(&self, parts: &[Value]) -> Value {
        let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
        for part in parts.iter().map(|part| self.resolved(part)) {
            let inner = part["allOf"].as_array().map(|parts| self.together(parts));
            let part = inner.as_ref().unwrap_or(part);
            assert!(part.get("additionalProperties").is_none(), "a part would refuse the others");
            properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
            required.extend(part["required"].as_array().cloned().unwrap_or_default());
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    fn object(
        &self,
        schema: &Value,
        fields: &serde_json::Map<String, Value>,
        at: &str,
    ) -> Result<(), String> {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap()) {
                return Err(format!("{at}: {name} is missing"));
            }
        }
        for (name, value) in fields {
            let at = format!("{at}.{name}");
            match (schema["properties"].get(name), schema.get("additionalProperties")) {
                (Some(known), _) => self.fits(known, value, &at)?,
                (None, Some(Value::Bool(true))) => {}
                (None, Some(any)) if any.is_object() => self.fits(any, value, &at)?,
                _ => return Err(format!("{at} is not described")),
            }
        }
        Ok(())
    }
}

/// Whether a value is of the schema's type.
fn kind(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let is = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    if kinds.iter().any(is) { Ok(()) } else { Err(format!("{at}: {value} is not {kinds:?}")) }
}

/// The routes with bodies that each can be asked with; those of the catalog with its examples, too.
fn examples() -> Vec<(&'static str, String, Value)> {
    let own =
        own_examples().into_iter().map(|(method, path, body)| (method, path.to_owned(), body));
    let catalog = Questions::default();
    let asked = catalog.iter().flat_map(|entry| {
        entry.examples.iter().map(|example| {
            let mut body: Value = serde_json::from_str(example).unwrap();
            body["qi"] = json!(["age", "race", "workclass"]);
            ("post", format!("/api/{}", entry.id), body)
        })
    });
    own.chain(asked).collect()
}

/// Bodies beyond those of the catalog.
fn own_examples() -> Vec<(&'static str, &'static str, Value)> {
    let three = json!(["age", "race", "workclass"]);
    let plain = json!({"qi": three, "privacy": {"k-anonymity": 10}, "levels": [2, 1, 1], "max_suppressed": 32});
    let exact = json!({"qi": three, "privacy": [{"model": "k-anonymity", "k": 10}], "max_suppressed": "1%", "optimize": "lm", "top": 3});
    let several = json!({"qi": three, "privacy": {"k-anonymity": 5, "distinct-l-diversity": 9}, "levels": [0, 0, 0]});
    let recursive = json!({"qi": three, "privacy": [{"model": "recursive-l-diversity", "l": 3, "c": 2}], "levels": [0, 0, 0]});
    let scheme = json!({"qi": three, "privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0]});
    let query = json!({"qi": three, "privacy": {"k-anonymity": 10}, "scheme": [2, 1, 1], "suppress": "star", "condition": "age < 25 and race = White", "of": "hours-per-week", "group_by": "workclass"});
    let report = json!({"qi": three, "privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "form": "private", "format": "md", "seed": 2});
    vec![
        ("get", "/api/project", Value::Null),
        ("get", "/api/version", Value::Null),
        ("post", "/api/lattice", json!({"qi": three})),
        ("post", "/api/build", json!({"qi": three})),
        ("post", "/api/build", json!({"qi": ["nothing"]})),
        ("get", "/api/models", Value::Null),
        ("get", "/api/measures", Value::Null),
        ("post", "/api/prepare", recursive.clone()),
        ("post", "/api/prepare", json!({"qi": ["nothing"]})),
        ("post", "/api/ask", plain.clone()),
        ("post", "/api/ask", exact.clone()),
        ("post", "/api/ask", several.clone()),
        ("post", "/api/ask", recursive),
        ("post", "/api/suppressed", plain.clone()),
        (
            "post",
            "/api/suppressed",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "bits": 64}),
        ),
        ("post", "/api/scheme", scheme.clone()),
        (
            "post",
            "/api/schemes",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "schemes": [[0, 0, 0], [1, 1, 0]], "loss": "lm:age=2"}),
        ),
        ("post", "/api/losses", json!({"qi": three, "privacy": {"k-anonymity": 10}, "loss": "lm"})),
        (
            "post",
            "/api/cross-table",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "by": ["race", "hours-per-week"]}),
        ),
        ("post", "/api/study", plain.clone()),
        ("post", "/api/pareto", plain.clone()),
        (
            "post",
            "/api/compare",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "strategies": ["mondrian", "samarati"], "measures": ["lm"]}),
        ),
        ("get", "/api/strategies", Value::Null),
        ("get", "/api/questions", Value::Null),
        ("post", "/api/predict", plain.clone()),
        ("post", "/api/instant", exact.clone()),
        ("post", "/api/firm", scheme.clone()),
        ("post", "/api/why", scheme.clone()),
        ("post", "/api/risk", scheme.clone()),
        ("post", "/api/query", query),
        ("post", "/api/utility", scheme.clone()),
        ("post", "/api/report", report),
        ("get", "/api/data", Value::Null),
        ("get", "/api/hierarchy/{attribute}", Value::Null),
        ("post", "/api/preview", scheme.clone()),
        ("post", "/api/publish", scheme),
        ("post", "/api/publish", several),
        (
            "post",
            "/api/publish",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "strategy": "mondrian"}),
        ),
        (
            "post",
            "/api/preview",
            json!({"qi": three, "privacy": {"k-anonymity": 10}, "strategy": "mondrian"}),
        ),
        ("get", "/api/publications", Value::Null),
        ("get", "/api/published/{id}/{file}", Value::Null),
        ("get", "/api/setup", Value::Null),
        ("post", "/api/setup/upload", Value::Null),
        ("post", "/api/setup/open", json!({"source": "given"})),
        ("get", "/api/setup/{id}", Value::Null),
        ("get", "/api/setup/{id}/values/{column}", Value::Null),
        ("post", "/api/setup/{id}/hierarchy", json!({"column": "age", "text": "1;*"})),
        ("post", "/api/setup/{id}/check", json!({"columns": [], "on_missing": "drop"})),
        ("post", "/api/setup/{id}/save", json!({"plan": {"columns": [], "on_missing": "drop"}})),
        ("post", "/api/setup/{id}/serve", json!({"columns": [], "on_missing": "drop"})),
        ("post", "/api/setup/{id}/discard", Value::Null),
        ("get", "/api/openapi.json", Value::Null),
        ("post", "/api/address", Value::Null),
    ]
}

fn call(method: &str, path: &str, body: &Value) -> Reply {
    let path = path.replace("{attribute}", "race");
    match method {
        "get" => server().get(&path),
        _ => server().post(&path, body),
    }
}

/// Panics unless an answer is what the description says of its route.
pub(crate) fn fits(path: &str, method: &str, answer: &Value) {
    let document = server().get("/api/openapi.json").json();
    let check = Check { components: &document["components"]["schemas"] };
    let schema = &document["paths"][path][method]["responses"]["200"]["content"]["application/json"]
        ["schema"];
    assert!(schema.is_object(), "{method} {path} is not described");
    check.fits(schema, answer, path).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn every_route_is_described_and_answers_as_described() {
    let document = server().get("/api/openapi.json").json();
    let components = &document["components"]["schemas"];
    let check = Check { components };
    let mut described: Vec<(String, String)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        described.extend(methods.as_object().unwrap().keys().map(|m| (m.clone(), path.clone())));
    }
    for (method, path) in &described {
        assert!(
            examples().iter().any(|(m, p, _)| m == method && p == path),
            "{method} {path} is not tried"
        );
    }
    for (method, path, body) in examples() {
        let operation = &document["paths"][&path][method];
        assert!(operation.is_object(), "{method} {path} is not described");
        if !body.is_null() {
            let asked = &operation["requestBody"]["content"]["application/json"]["schema"];
            check.fits(asked, &body, "body").unwrap_or_else(|why| panic!("{path}: {why}"));
        }
        let reply = call(method, &path, &body);
        let range = if reply.status == 200 { "200" } else { "4XX" };
        let refused = &operation["responses"]["4XX"]["content"]["application/json"];
        assert!(refused.is_object(), "{method} {path}: refusals are not described");
        let contents = operation["responses"][range]["content"].as_object().unwrap();
        let sent = &reply.headers["content-type"];
        let kind = sent.split(';').next().unwrap();
        let content = contents.get(kind);
        let content = content.unwrap_or_else(|| panic!("{method} {path}: {kind} is not described"));
        let values = match kind {
            // What a description is, others have described.
            _ if path == "/api/openapi.json" => Vec::new(),
            "application/json" => vec![reply.json()],
            "application/x-ndjson" => reply.lines(),
            _ => Vec::new(),
        };
        for value in values {
            check.fits(&content["schema"], &value, &path).unwrap_or_else(|why| panic!("{why}"));
        }
    }
}

#[test]
fn refusals_are_as_described() {
    let document = server().get("/api/openapi.json").json();
    let check = Check { components: &document["components"]["schemas"] };
    let refused = server().post("/api/ask", &json!({"qi": ["nothing"]}));
    let schema = &document["paths"]["/api/ask"]["post"]["responses"]["4XX"]["content"]["application/json"]
        ["schema"];
    check.fits(schema, &refused.json(), "refusal").unwrap();
}

/// The page's types are generated from this file. Words are left out, so that only a change of shape
/// changes it.
#[test]
fn the_document_of_the_page_is_the_servers() {
    let mut document = server().get("/api/openapi.json").json();
    document["info"] = json!({"title": "haggle", "version": ""});
    document["paths"] = json!({});
    document["components"] = json!({"schemas": document["components"]["schemas"]});
    document.as_object_mut().unwrap().remove("security");
    let document = serde_json::to_string_pretty(&wordless(document)).unwrap() + "\n";
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    if std::env::var_os("HAGGLE_WRITE_OPENAPI").is_some() {
        std::fs::write(&file, &document).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written == document, "web/openapi.json is stale; run make types");
}

/// Removes descriptions and summaries; a property of that name is an object, and stays.
fn wordless(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_word = |name: &str, value: &Value| {
                matches!(name, "description" | "summary") && value.is_string()
            };
            let kept = fields.into_iter().filter(|(name, value)| !is_word(name, value));
            Value::Object(kept.map(|(name, value)| (name, wordless(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(wordless).collect()),
        other => other,
    }
}

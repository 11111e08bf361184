//! The catalog of questions over HTTP: each is asked by its id and answered as by the library.

use haggle::questions::{
    Answered, Asking, BodyFields, Question, QuestionEntry, Questions, Reveals, any_file, fields_of,
};
use haggle::{Ask, Engine, Error, Project, Silent};
use haggle_server::Settings;
use haggle_testkit::timeless;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::client::{server, start};

const THREE: [&str; 3] = ["age", "race", "workclass"];

fn engine() -> Engine {
    Engine::builder(&Project::demo()).qi(THREE).open().unwrap()
}

/// A body of the catalog, about three attributes.
fn about_three(example: &str) -> Value {
    let mut body: Value = serde_json::from_str(example).unwrap();
    body["qi"] = json!(THREE);
    body
}

#[test]
fn every_example_is_answered_as_by_the_library() {
    let engine = engine();
    let mut asked = 0;
    for entry in Questions::default().iter() {
        for example in entry.examples {
            let fields = BodyFields::parse(example.as_bytes()).unwrap();
            let question = (entry.read)(fields).unwrap();
            let asking = Asking { engine: &engine, progress: &Silent, files: &any_file };
            let path = format!("/api/{}", entry.id);
            let lines = server().post_for_lines(&path, &about_three(example));
            let last = lines.last().unwrap();
            let expected = match question.answer_json(&asking) {
                Ok(expected) => expected.content,
                Err(error) => {
                    let problem = &last["error"]["problems"][0];
                    assert_eq!(
                        problem["what"],
                        error.problems().iter().next().unwrap().what,
                        "{path} {example}"
                    );
                    continue;
                }
            };
            let expected: Value = serde_json::from_slice(&expected).unwrap();
            assert_eq!(timeless(last["done"].clone()), timeless(expected), "{path} {example}");
            if entry.media_types == ["application/json"] {
                let reply = server().post(&path, &about_three(example));
                assert_eq!(reply.status, 200, "{path} {example}: {}", reply.text());
                assert_eq!(timeless(reply.json()), timeless(last["done"].clone()), "{path}");
            }
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
}

#[test]
fn the_catalog_and_the_description_list_every_question() {
    let listed = server().get("/api/questions").json();
    let described = server().get("/api/openapi.json").json();
    for entry in Questions::default().iter() {
        let found = listed.as_array().unwrap().iter().find(|one| one["id"] == entry.id).unwrap();
        assert_eq!(found["reveals"], entry.reveals.name());
        let route = &described["paths"][format!("/api/{}", entry.id)]["post"];
        assert_eq!(route["summary"], entry.title);
        let body = &route["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let name = body.as_str().unwrap().rsplit('/').next().unwrap();
        let properties = &described["components"]["schemas"][name]["properties"];
        for field in (entry.fields)() {
            assert!(properties[field].is_object(), "{name}.{field} is described");
        }
        assert_eq!(properties["privacy"].is_object(), entry.takes_request, "{name}");
    }
}

/// How many records have at least this value of nothing: a question that no release has.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
struct EchoQuestion {
    /// What is repeated.
    word: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct Echo {
    word: String,
    records: u64,
}

enum ByTest {}

impl Question for EchoQuestion {
    const ID: &'static str = "echo";
    const TITLE: &'static str = "A word, and the number of records";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] = &[r#"{"word": "hello"}"#];
    type Answer = Echo;
}

impl Answered<ByTest> for EchoQuestion {
    fn answer(&self, _: &Ask, asking: &Asking<'_>) -> Result<Echo, Error> {
        Ok(Echo { word: self.word.clone(), records: asking.engine.records() })
    }
}

#[test]
fn a_question_is_added_with_one_entry() {
    let questions = Questions::default().with(QuestionEntry::of::<EchoQuestion, ByTest>());
    let place = start(Settings { questions, ..Settings::default() });
    let reply = place.post("/api/echo", &json!({"qi": THREE, "word": "hello"}));
    assert_eq!(reply.json(), json!({"word": "hello", "records": 30_162}));
    let lines = place.post_for_lines("/api/echo", &json!({"qi": THREE, "word": "hello"}));
    assert_eq!(lines.last().unwrap()["done"]["word"], "hello");
    let described = place.get("/api/openapi.json").json();
    assert_eq!(described["paths"]["/api/echo"]["post"]["summary"], EchoQuestion::TITLE);
    assert_eq!(fields_of::<EchoQuestion>(), ["word"]);
    let refused = place.post("/api/echo", &json!({"qi": THREE, "words": "hello"}));
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert_eq!(server().post("/api/echo", &json!({"word": "hello"})).status, 404);
}

#[test]
fn no_body_can_ask_for_more_queries_than_fit_into_memory() {
    let body = json!({"qi": THREE, "random": 1_000_000_000_000_u64, "scheme": [2, 1, 1]});
    let reply = server().post("/api/workload", &body);
    assert_eq!(reply.status, 422, "{}", reply.text());
    assert!(reply.text().contains("random queries are more than"), "{}", reply.text());
}

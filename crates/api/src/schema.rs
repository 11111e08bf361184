//! Schemas of what is written in more than one way, and of what other crates define.

use std::borrow::Cow;

use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Ask, Privacy, Question, Threshold};

/// A schema as JSON has it.
fn schema(schema: Value) -> RefOr<Schema> {
    serde_json::from_value(schema).expect("a schema")
}

/// The schemas of a question: its body, its answer, and every type that they refer to by name.
#[non_exhaustive]
pub struct QuestionSchemas {
    /// The name of the type of its own fields.
    pub name: String,
    /// Its own fields.
    pub fields: RefOr<Schema>,
    /// The name of the type of its answer.
    pub answer_name: String,
    /// The answer.
    pub answer: RefOr<Schema>,
    /// The types that they refer to.
    pub types: Vec<(String, RefOr<Schema>)>,
}

impl QuestionSchemas {
    /// Returns the schemas of a question.
    pub fn of<Q: Question>() -> Self {
        let mut types = Vec::new();
        Q::schemas(&mut types);
        Q::Answer::schemas(&mut types);
        Self {
            name: Q::name().into_owned(),
            fields: Q::schema(),
            answer_name: Q::Answer::name().into_owned(),
            answer: Q::Answer::schema(),
            types,
        }
    }
}

impl PartialSchema for Threshold {
    fn schema() -> RefOr<Schema> {
        let number = json!({ "type": ["number", "null"] });
        schema(json!({
            "description": "A number, or several by name where the model has several parameters.",
            "oneOf": [number.clone(), { "type": "object", "additionalProperties": number }],
        }))
    }
}

impl ToSchema for Threshold {
    fn name() -> Cow<'static, str> {
        "Threshold".into()
    }
}

impl PartialSchema for Privacy {
    fn schema() -> RefOr<Schema> {
        schema(json!({
            "type": "object",
            "description": "A privacy model with its parameters.",
            "required": ["model"],
            "properties": {
                "model": { "type": "string", "description": "The model's id." },
                "on": { "type": "string", "description": "Which sensitive attribute." },
            },
            "additionalProperties": { "oneOf": [{ "type": "number" }, { "type": "string" }] },
        }))
    }
}

impl ToSchema for Privacy {
    fn name() -> Cow<'static, str> {
        "Privacy".into()
    }
}

impl PartialSchema for Ask {
    fn schema() -> RefOr<Schema> {
        let value = json!({ "oneOf": [{ "type": "number" }, { "type": "string" }] });
        let parameters = json!({ "type": "object", "additionalProperties": value });
        schema(json!({
            "type": "object",
            "description": "A request; what is left out comes from the project.",
            "properties": {
                "privacy": {
                    "description": "What must hold of every published group: models with their \
                                    parameters, or a map of models with their threshold, or \
                                    with all their parameters by name. The list is complete. A \
                                    whole number may be a range of acceptable values, \"5..20\", \
                                    where the best scheme is asked for.",
                    "oneOf": [
                        { "type": "array", "items": Privacy::schema() },
                        { "type": "object", "additionalProperties": {
                            "oneOf": [{ "type": "number" }, { "type": "string" }, parameters],
                        } },
                        { "type": "string" },
                    ],
                },
                "levels": {
                    "description": "Maximum levels, in order or by name.",
                    "oneOf": [
                        { "type": "array", "items": { "type": "integer" } },
                        { "type": "object", "additionalProperties": { "type": "integer" } },
                    ],
                },
                "max_suppressed": {
                    "description": "How many records may be suppressed: 321 or \"1%\".",
                    "oneOf": [{ "type": "integer" }, { "type": "string" }],
                },
                "relax_height": {
                    "type": "string",
                    "enum": ["lowest", "closest", "published"],
                },
                "optimize": { "type": "string", "description": "The loss that is to be least." },
                "top": { "type": "integer", "description": "How many of the best are reported." },
                "only": {
                    "type": "boolean",
                    "description": "Whether `privacy` may be weaker than what the project asks for; \
                                    publishing anything weaker needs it.",
                },
            },
        }))
    }
}

impl ToSchema for Ask {
    fn name() -> Cow<'static, str> {
        "Ask".into()
    }
}

/// One value of a statistic and what has it.
#[derive(Debug, ToSchema)]
pub struct HistogramBin {
    /// The value; none if it is infinite.
    pub value: Option<f64>,
    /// The groups that have it.
    pub groups: u64,
    /// The records in those groups.
    pub records: u64,
    /// The records in groups of weaker values: what a threshold of just this value suppresses.
    pub weaker: u64,
}

/// A privacy model of the catalog.
#[derive(Debug)]
pub struct ModelEntry;

impl PartialSchema for ModelEntry {
    fn schema() -> RefOr<Schema> {
        let text = json!({ "type": "string" });
        let texts = json!({ "type": "array", "items": text });
        let (yes, number) = (json!({ "type": "boolean" }), json!({ "type": "number" }));
        let parameter = json!({
            "type": "object",
            "required": ["name", "meaning", "whole", "negotiated", "optional", "usual"],
            "properties": {
                "name": text, "meaning": text, "whole": yes, "negotiated": yes, "optional": yes,
                "minimum": number, "above": number, "maximum": number, "below": number,
                "usual": number,
            },
        });
        let choice = json!({
            "type": "object",
            "required": ["name", "meaning", "options"],
            "properties": { "name": text, "meaning": text, "options": texts },
        });
        schema(json!({
            "type": "object",
            "required": ["id", "title", "definition", "formula", "parameters", "sensitive", "kind"],
            "properties": {
                "id": text, "title": text, "definition": text, "formula": text, "citation": text,
                "example": text,
                "parameters": { "type": "array", "items": parameter },
                "choices": { "type": "array", "items": choice },
                "sensitive": yes, "states": texts, "uses": texts, "reference": yes,
                "kind": text, "stored": yes, "counts_records": yes,
                "published_level": { "type": ["string", "null"] },
            },
        }))
    }
}

impl ToSchema for ModelEntry {
    fn name() -> Cow<'static, str> {
        "Model".into()
    }
}

/// A loss measure of the catalog.
#[derive(Debug, ToSchema)]
#[schema(as = Measure)]
#[allow(clippy::struct_excessive_bools)] // each answers a question of its own
pub struct MeasureEntry {
    /// The name used in requests.
    pub id: String,
    /// The name used in sentences.
    pub title: String,
    /// What it measures.
    pub definition: String,
    /// The measure as a formula.
    pub formula: String,
    /// Its least and its largest value, in words.
    pub range: String,
    /// Who proposed it, where.
    pub citation: String,
    /// A worked example.
    pub example: String,
    /// How suppressed records count.
    pub suppressed: String,
    /// Whether it needs a watched attribute.
    pub watches: bool,
    /// Whether attributes can have weights.
    pub weighted: bool,
    /// Whether it is about queries that can be stated.
    pub workload: bool,
    /// Whether a more general scheme never loses less.
    pub monotone: bool,
    /// Whether suppressing a record never lowers it.
    pub suppressing_costs: bool,
    /// Whether each group costs the same whatever happens to the others.
    pub additive: bool,
    /// Whether it is an estimate, with a standard error.
    pub estimate: bool,
    /// Its options.
    pub options: Vec<MeasureOptionEntry>,
    /// What it can be expected from before anything is counted: `any-summary`, `counted-values` or
    /// `nothing`.
    pub expected_from: String,
}

/// An option of a loss measure.
#[derive(Debug, ToSchema)]
#[schema(as = MeasureOption)]
pub struct MeasureOptionEntry {
    /// Its name, as in `variance:over=age,sex`.
    pub name: String,
    /// What it means, in one sentence.
    pub meaning: String,
    /// The valid words; quasi-identifiers of the table if there are none.
    pub options: Vec<String>,
}

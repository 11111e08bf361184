//! Questions to an engine: the serde type of each, what its answer may reveal, and how a body is read.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use haggle_model::Error;
use serde::de::{self, DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, forward_to_deserialize_any};
use serde_json::value::RawValue;

use crate::{Ask, MeasureSpec};

/// What an answer may reveal of the table, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reveals {
    /// Nothing of the table.
    Nothing,
    /// Counts of records and groups.
    Counts,
    /// Values of hierarchies, recorded ones included.
    Labels,
    /// Records.
    Records,
}

impl Reveals {
    /// Returns the name that JSON and documents use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Counts => "counts",
            Self::Labels => "labels",
            Self::Records => "records",
        }
    }
}

/// What can be written as JSON, with its schema where schemas are compiled in.
#[cfg(feature = "openapi")]
pub trait Described: Serialize + utoipa::ToSchema {}

#[cfg(feature = "openapi")]
impl<T: Serialize + utoipa::ToSchema> Described for T {}

/// What can be written as JSON, with its schema where schemas are compiled in.
#[cfg(not(feature = "openapi"))]
pub trait Described: Serialize {}

#[cfg(not(feature = "openapi"))]
impl<T: Serialize> Described for T {}

/// A question to an engine. Its fields stand next to those of a request in one flat object.
pub trait Question: Described + DeserializeOwned + Clone + Send + Sync + 'static {
    /// The name that front ends use.
    const ID: &'static str;
    /// What it answers, in one sentence without a full stop.
    const TITLE: &'static str;
    /// What its answer may reveal.
    const REVEALS: Reveals;
    /// Whether it writes files.
    const WRITES: bool = false;
    /// Whether it takes a request; if not, a body with one is refused.
    const TAKES_REQUEST: bool = true;
    /// Bodies that use every field at least once, except those that name files, on the attributes
    /// age, race and workclass of the embedded table.
    const EXAMPLES: &'static [&'static str];
    /// The fields that name files; a front end decides which files are read.
    const FILES: &'static [&'static str] = &[];
    /// The media types in which the answer can be sent.
    const MEDIA_TYPES: &'static [&'static str] = &["application/json"];
    /// The answer.
    type Answer: Described + Send;

    /// Returns the measures that it names; a workload that one of them names is read before answering.
    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        Vec::new()
    }

    /// Writes the answer as it is sent: as JSON unless the question answers with a document.
    fn written(answer: &Self::Answer) -> Result<Document, Error> {
        Document::json(answer)
    }
}

/// An answer as it is sent or stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Document {
    /// The name of the file, where it is meant to be one.
    pub name: Option<String>,
    /// The media type.
    pub media_type: &'static str,
    /// The content.
    pub content: Vec<u8>,
}

impl Document {
    /// Writes an answer as JSON.
    pub fn json(answer: &impl Serialize) -> Result<Self, Error> {
        let content = serde_json::to_vec(answer).map_err(|error| unwritable(&error))?;
        Ok(Self { name: None, media_type: "application/json", content })
    }
}

/// In JSON a document is its name, its media type and its text; what is no text is in hexadecimal.
impl Serialize for Document {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("media_type", self.media_type)?;
        if let Ok(text) = std::str::from_utf8(&self.content) {
            map.serialize_entry("text", text)?;
        } else {
            let hex: String = self.content.iter().map(|byte| format!("{byte:02x}")).collect();
            map.serialize_entry("hex", &hex)?;
        }
        map.end()
    }
}

fn unwritable(error: &serde_json::Error) -> Error {
    Error::new(format!("the answer cannot be written: {error}"), "please report what you asked")
}

/// A question with the request that it is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked<Q> {
    /// The request; what is left out comes from the project.
    #[serde(flatten)]
    pub request: Ask,
    /// The question's own fields.
    #[serde(flatten)]
    pub question: Q,
}

impl<Q: Question> Asked<Q> {
    /// Returns all measures that are named, those of the request included.
    pub fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        self.request.optimize.iter_mut().chain(self.question.measures_mut()).collect()
    }

    /// Reads the fields of a body: those of the question, and all others as a request.
    pub fn read(fields: BodyFields) -> Result<Self, serde_json::Error> {
        if !Q::TAKES_REQUEST {
            let (question, NoRequest {}) = fields.split()?;
            return Ok(Self { question, request: Ask::default() });
        }
        let (question, request) = fields.split()?;
        Ok(Self { request, question })
    }
}

/// What a question that takes no request leaves for one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoRequest {}

/// Reads a value from fields as they were written.
fn again<T: DeserializeOwned>(
    fields: &BTreeMap<String, Box<RawValue>>,
) -> Result<T, serde_json::Error> {
    serde_json::from_str(&serde_json::to_string(fields)?)
}

/// The fields of a JSON object as they were written; a field that is given twice is refused.
#[derive(Debug, Default, Serialize)]
pub struct BodyFields(BTreeMap<String, Box<RawValue>>);

impl BodyFields {
    /// Reads an object; no text is an object without fields.
    pub fn parse(body: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(if body.is_empty() { b"{}" } else { body })
    }

    /// Takes a field out; none if it is not there or null.
    pub fn take<T: DeserializeOwned>(
        &mut self,
        name: &str,
    ) -> Result<Option<T>, serde_json::Error> {
        let value = self.0.remove(name);
        value.map_or(Ok(None), |value| serde_json::from_str(value.get()))
    }

    /// Splits the fields into those of a struct and all others.
    pub fn split<T: DeserializeOwned, R: DeserializeOwned>(
        self,
    ) -> Result<(T, R), serde_json::Error> {
        let Self(mut rest) = self;
        let own = fields_of::<T>().iter().filter_map(|name| rest.remove_entry(*name));
        let own: BTreeMap<String, Box<RawValue>> = own.collect();
        Ok((again(&own)?, again(&rest)?))
    }
}

impl<'de> Deserialize<'de> for BodyFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;

        impl<'de> Visitor<'de> for Once {
            type Value = BodyFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the fields of a request")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BodyFields, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if fields.contains_key(&name) {
                        return Err(A::Error::custom(format!("'{name}' is given twice")));
                    }
                    fields.insert(name, value);
                }
                Ok(BodyFields(fields))
            }
        }

        deserializer.deserialize_map(Once)
    }
}

/// Returns a number of seconds, as a body states it, as a duration.
pub fn seconds(number: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number).map_err(|_| {
        Error::new("the time limit is not a number of seconds", "give one such as 1.5")
    })
}

/// Returns the names of a struct's fields, as its implementation of `Deserialize` states them.
pub fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    struct FieldNames<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for FieldNames<'_> {
        type Error = de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(Self::Error::custom("only the fields of structs are known"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Self::Error> {
            *self.0 = fields;
            Err(Self::Error::custom("the fields are known"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
            unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut names: &'static [&'static str] = &[];
    // It always fails; what matters is what it asked for.
    drop(T::deserialize(FieldNames(&mut names)));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::{ParetoQuestion, SecurityQuestion, StudyQuestion};

    fn read<Q: Question>(body: &str) -> Result<Asked<Q>, String> {
        let fields = BodyFields::parse(body.as_bytes()).map_err(|error| error.to_string())?;
        Asked::read(fields).map_err(|error| error.to_string())
    }

    #[test]
    fn a_body_is_split_into_the_question_and_its_request() {
        let body =
            r#"{"loss": "discernibility", "privacy": {"k-anonymity": 10}, "max_suppressed": "1%"}"#;
        let asked = read::<ParetoQuestion>(body).unwrap();
        assert_eq!(asked.question.loss.measure, "discernibility");
        assert_eq!(asked.request.privacy[0].model, "k-anonymity");
        assert_eq!(fields_of::<StudyQuestion>(), [""; 0]);
        assert_eq!(read::<StudyQuestion>("").unwrap().request, Ask::default());
    }

    #[test]
    fn fields_that_mean_nothing_are_refused() {
        for (body, part) in [
            (r#"{"lose": "dm"}"#, "unknown field `lose`"),
            (r#"{"loss": "dm", "loss": "lm"}"#, "'loss' is given twice"),
            ("[]", "an object with the fields of a request"),
        ] {
            let refused = read::<ParetoQuestion>(body).unwrap_err();
            assert!(refused.contains(part), "{refused}");
        }
        let refused = read::<SecurityQuestion>(r#"{"scheme": [0], "top": 2}"#).unwrap_err();
        assert!(refused.contains("unknown field `top`"), "{refused}");
    }
}

//! The catalog of questions: each answered by its type, and by its id for front ends that have a body.

mod costs;
mod fronts;
mod lattices;
mod schemes;

pub use fronts::with_open_thresholds;

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use haggle_api::{
    Ask, AskQuestion, Asked, BodyFields, CompareQuestion, CrossTableQuestion, Document,
    GroupingQuestion, HistogramQuestion, LatticeQuestion, LossesQuestion, MeasureSpec,
    ParetoQuestion, PrepareQuestion, Question, Reveals, SchemeQuestion, SchemesQuestion,
    StudyQuestion, SuppressedQuestion, WhyQuestion, fields_of,
};
use haggle_model::{Error, Progress};
use serde::{Serialize, Serializer};

use crate::Engine;

/// The questions that a lattice answers.
pub const QUESTIONS: &[QuestionEntry] = &[
    QuestionEntry::of::<AskQuestion, ByEngine>(),
    QuestionEntry::of::<StudyQuestion, ByEngine>(),
    QuestionEntry::of::<ParetoQuestion, ByEngine>(),
    #[cfg(feature = "research")]
    QuestionEntry::of::<haggle_api::PokaQuestion, ByEngine>(),
    QuestionEntry::of::<CompareQuestion, ByEngine>(),
    QuestionEntry::of::<WhyQuestion, ByEngine>(),
    QuestionEntry::of::<SchemeQuestion, ByEngine>(),
    QuestionEntry::of::<SchemesQuestion, ByEngine>(),
    QuestionEntry::of::<SuppressedQuestion, ByEngine>(),
    QuestionEntry::of::<LossesQuestion, ByEngine>(),
    QuestionEntry::of::<HistogramQuestion, ByEngine>(),
    QuestionEntry::of::<CrossTableQuestion, ByEngine>(),
    QuestionEntry::of::<GroupingQuestion, ByEngine>(),
    #[cfg(feature = "research")]
    QuestionEntry::of::<haggle_api::EstimatorsQuestion, ByEngine>(),
    QuestionEntry::of::<LatticeQuestion, ByEngine>(),
    QuestionEntry::of::<PrepareQuestion, ByEngine>(),
];

/// Answers by the lattice.
#[derive(Debug)]
pub enum ByEngine {}

/// Whom a question is put to, and what it may use.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// Receives progress, and can cancel.
    pub progress: &'a dyn Progress,
    /// Returns the file that a name in a question means, or refuses to read it.
    pub files: &'a (dyn Fn(&Path) -> Result<PathBuf, Error> + Sync),
}

/// Reads the files that questions name: for front ends whose user owns the process.
pub fn any_file(name: &Path) -> Result<PathBuf, Error> {
    Ok(name.to_owned())
}

/// How a question is answered. What it needs beyond the lattice is prepared by the answer itself.
///
/// `By` is a type of the crate that answers: questions are types of another crate, and each is answered
/// by one.
pub trait Answered<By>: Question {
    /// Whether it may be asked of others' tables at once: it is answered before anybody notices.
    fn is_quick(&self, _request: &Ask, _engine: &Engine) -> bool {
        false
    }

    /// Answers the question.
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Self::Answer, Error>;
}

/// A question whose type is known only to itself.
pub trait AnyAsked: Send + Sync {
    /// Returns whether it is answered so soon that it needs no thread of its own.
    fn is_quick(&self, engine: &Engine) -> bool;

    /// Returns all measures that it names, those of the request included.
    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec>;

    /// Answers with what a client receives: JSON, or a document of another media type.
    fn answer(&self, asking: &Asking<'_>) -> Result<Document, Error>;

    /// Answers with JSON, whatever form the answer is sent in.
    fn answer_json(&self, asking: &Asking<'_>) -> Result<Document, Error>;
}

/// A question with who answers it.
struct AskedOf<Q, By>(Asked<Q>, PhantomData<fn() -> By>);

impl<By, Q: Answered<By>> AnyAsked for AskedOf<Q, By> {
    fn is_quick(&self, engine: &Engine) -> bool {
        self.0.question.is_quick(&self.0.request, engine)
    }

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        self.0.measures_mut()
    }

    fn answer(&self, asking: &Asking<'_>) -> Result<Document, Error> {
        Q::written(&self.0.question.answer(&self.0.request, asking)?)
    }

    fn answer_json(&self, asking: &Asking<'_>) -> Result<Document, Error> {
        Document::json(&self.0.question.answer(&self.0.request, asking)?)
    }
}

/// A question of the catalog. In JSON it is what a reader of the catalog needs to ask it.
#[derive(Debug, Clone, Copy, Serialize)]
#[non_exhaustive]
pub struct QuestionEntry {
    /// The name that front ends use.
    pub id: &'static str,
    /// What it answers, in one sentence without a full stop.
    pub title: &'static str,
    /// What its answer may reveal.
    pub reveals: Reveals,
    /// Whether it writes files.
    pub writes: bool,
    /// Whether it takes a request as well as its own fields.
    pub takes_request: bool,
    /// The names of its own fields.
    #[serde(serialize_with = "called")]
    pub fields: fn() -> &'static [&'static str],
    /// Its fields that name files.
    pub files: &'static [&'static str],
    /// Bodies that use every field, except those that name files.
    pub examples: &'static [&'static str],
    /// The media types in which the answer can be sent.
    pub media_types: &'static [&'static str],
    /// Reads the fields of a body.
    #[serde(skip)]
    pub read: fn(BodyFields) -> Result<Box<dyn AnyAsked>, serde_json::Error>,
    /// Returns the schemas of what it takes and of what it answers.
    #[cfg(feature = "openapi")]
    #[serde(skip)]
    pub schemas: fn() -> haggle_api::schema::QuestionSchemas,
}

impl QuestionEntry {
    /// Returns the entry of a question.
    pub const fn of<Q: Answered<By>, By: 'static>() -> Self {
        Self {
            id: Q::ID,
            title: Q::TITLE,
            reveals: Q::REVEALS,
            writes: Q::WRITES,
            takes_request: Q::TAKES_REQUEST,
            fields: fields_of::<Q>,
            files: Q::FILES,
            examples: Q::EXAMPLES,
            media_types: Q::MEDIA_TYPES,
            read: |fields| {
                Ok(Box::new(AskedOf(Asked::<Q>::read(fields)?, PhantomData::<fn() -> By>)))
            },
            #[cfg(feature = "openapi")]
            schemas: haggle_api::schema::QuestionSchemas::of::<Q>,
        }
    }
}

// What `serialize_with` calls takes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn called<S: Serializer>(
    names: &fn() -> &'static [&'static str],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    names().serialize(serializer)
}

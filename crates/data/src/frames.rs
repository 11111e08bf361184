//! Frames: record batches in memory, whose values are read as the text that Parquet columns give.
//!
//! Arrays are sliced into blocks of records, and the functions that read Parquet columns write
//! their values as text, so both give the same codes. The digest of a frame is made of its buffers,
//! each once.

mod bytes;
mod kinds;
mod rows;
mod texts;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use haggle_model::Problem;

use crate::Error;
use crate::fields::trimmed;
use crate::values::ValueKind;

pub(crate) use bytes::FrameBytes;
pub(crate) use rows::{FrameBlock, FrameRows};

/// The name of every frame in messages. It has a blank, so that hardly any file is called the same.
pub(crate) const NAME: &str = "the frame";

/// A table in memory: record batches of one schema, shared and never copied.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use haggle_data::{CsvOptions, Frame, Input, Table};
///
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![Some(37), None]));
/// let batch = RecordBatch::try_from_iter([("age", ages)])?;
/// let frame = Frame::new(batch.schema(), vec![batch])?;
/// let table = Table::open(Input::frame(frame), &CsvOptions::default())?;
/// assert_eq!(table.columns(), ["age"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Frame {
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl fmt::Debug for Frame {
    /// Without a value of any record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.schema.fields().len();
        f.debug_struct("Frame")
            .field("records", &self.records())
            .field("columns", &columns)
            .finish_non_exhaustive()
    }
}

impl Frame {
    /// A frame of these batches. Batches that came from elsewhere are checked: offsets, keys and
    /// text are what their types say.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self, Error> {
        for batch in &batches {
            if batch.schema().fields().len() != schema.fields().len() {
                return Err(damaged().into());
            }
            for column in batch.columns() {
                column.to_data().validate_full().map_err(|_: ArrowError| damaged())?;
            }
        }
        Ok(Self { schema, batches: batches.into() })
    }

    /// A frame of batches that were made here.
    pub(crate) fn trusted(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches: batches.into() }
    }

    /// The names and types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The records, some at a time.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }

    /// The columns' names, without blanks around them.
    pub(crate) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| trimmed(field.name()).into()).collect()
    }

    /// Returns what the values of these columns are; an error if one has no text.
    pub(crate) fn kinds(&self, wanted: &[usize]) -> Result<Vec<(usize, ValueKind)>, Error> {
        let kind = |&position: &usize| {
            let field = self.schema.field(position);
            kinds::of(field).map(|kind| (position, kind)).map_err(|kind| {
                let name = trimmed(field.name());
                let what = format!("the column '{name}' is {kind}, which cannot be read as text");
                let fix = "do not count it, and give it the role identifier to publish without \
                           it; or convert it to plain values";
                Problem::new(what).file(Path::new(NAME)).fix(fix).into()
            })
        };
        wanted.iter().map(kind).collect()
    }
}

fn damaged() -> Problem {
    Problem::new("its columns are not what their types say")
        .file(Path::new(NAME))
        .fix("make the frame again with the library that it comes from")
}

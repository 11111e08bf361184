//! Frames: taken from any object with an Arrow stream, and handed out as one.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch, StructArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, Schema};
use haggle::frames::{CsvOptions, Frame as Records, Input, Table};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use pyo3_arrow::PyTable;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;

use crate::problem::bad_input;
use crate::work;

/// Records in memory, column by column.
#[pyclass(frozen, module = "haggle._haggle")]
pub(crate) struct Frame {
    pub(crate) records: Records,
}

#[pymethods]
impl Frame {
    /// Takes the records of any object with an Arrow stream, without copying them.
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (batches, schema) = table_of(source)?.into_inner();
        let records = work::quickly(py, || Records::new(schema, batches))?;
        Ok(Self { records })
    }

    /// Reads a file of delimited text or Parquet, every column as text.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = || Records::of(&Table::open(Input::file(path), &CsvOptions::as_written())?);
        Ok(Self { records: work::quickly(py, read)? })
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.records.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.records.records() as usize
    }

    fn __repr__(&self) -> String {
        format!("<haggle frame of {} records and {} columns>", self.__len__(), self.columns().len())
    }

    /// The texts of a column, as haggle reads its values.
    fn texts<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
        let records = &self.records;
        let text = work::quickly(py, || {
            let table = Table::open(Input::frame(records.clone()), &CsvOptions::default())?;
            Records::of(&table)
        })?;
        let Some((position, _)) = text.schema().column_with_name(column) else {
            return Err(bad_input(&format!("the frame has no column '{column}'"), "name another"));
        };
        let arrays = text.batches().iter().map(|batch| batch.column(position));
        let texts = arrays.flat_map(|array| {
            let array = array.as_string::<i64>();
            (0..array.len()).map(move |row| PyString::new(py, array.value(row)))
        });
        Ok(texts.collect())
    }

    /// Returns the records with these columns in the types that they have in another frame, where
    /// every value is one of that type.
    fn typed_like(&self, py: Python<'_>, other: &Self, columns: Vec<String>) -> PyResult<Self> {
        let (mine, other) = (&self.records, &other.records);
        let typed = work::quickly(py, || {
            let schema = other.schema();
            let kind = |name: &String| {
                let (_, field) = schema.column_with_name(name)?;
                Some((name.clone(), plain_type(field.data_type())))
            };
            let kinds: Vec<(String, DataType)> = columns.iter().filter_map(kind).collect();
            Ok(typed(mine, &kinds))
        })?;
        Ok(Self { records: typed })
    }

    /// The records as an Arrow stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let fields = self.records.schema().fields().clone();
        let field = Arc::new(Field::new_struct("", fields, false));
        let batches: Vec<RecordBatch> = self.records.batches().to_vec();
        let arrays =
            batches.into_iter().map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let reader = Box::new(ArrayIterator::new(arrays, field));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }
}

/// Takes the batches of an Arrow stream. The messages of other libraries are not repeated: they may
/// hold values.
fn table_of(source: &Bound<'_, PyAny>) -> PyResult<PyTable> {
    let taken = source.extract::<AnyRecordBatch>().map_err(|_| ());
    let table = taken.and_then(|any| any.into_table().map_err(|_| ()));
    table.map_err(|()| {
        let what = "this is not a frame: it has no Arrow stream of columns that can be read";
        let fix =
            "give a polars, pyarrow or pandas (2.2 or later) frame, a DuckDB relation, or a path";
        bad_input(what, fix)
    })
}

/// The type of a column's values: of a dictionary, that of its entries.
fn plain_type(kind: &DataType) -> DataType {
    match kind {
        DataType::Dictionary(_, values) => plain_type(values),
        other => other.clone(),
    }
}

fn typed(records: &Records, kinds: &[(String, DataType)]) -> Records {
    let (schema, batches) = (records.schema(), records.batches());
    let convert = |position: usize| -> Option<Vec<ArrayRef>> {
        let name = schema.field(position).name();
        let (_, kind) = kinds.iter().find(|(known, _)| known == name)?;
        batches.iter().map(|batch| converted(batch.column(position), kind)).collect()
    };
    let columns: Vec<Option<Vec<ArrayRef>>> = (0..schema.fields().len()).map(convert).collect();
    let fields = schema.fields().iter().zip(&columns).map(|(field, column)| {
        let kind = column.as_ref().and_then(|arrays| Some(arrays.first()?.data_type().clone()));
        kind.map_or_else(|| (**field).clone(), |kind| Field::new(field.name(), kind, true))
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let batch = |(at, batch): (usize, &RecordBatch)| {
        let column = |(position, converted): (usize, &Option<Vec<ArrayRef>>)| {
            converted.as_ref().map_or_else(|| batch.column(position).clone(), |all| all[at].clone())
        };
        let columns = columns.iter().enumerate().map(column).collect();
        RecordBatch::try_new(schema.clone(), columns).expect("columns of one length")
    };
    let batches = batches.iter().enumerate().map(batch).collect();
    Records::new(schema, batches).expect("they are as their types say")
}

/// Text as values of this type; `None` if a text is none of its values. No text is no value.
fn converted(array: &ArrayRef, kind: &DataType) -> Option<ArrayRef> {
    if matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
        return Some(array.clone());
    }
    let texts = array.as_string::<i64>();
    let missing = texts.iter().map(|text| text.filter(|text| !text.is_empty()));
    let present: arrow_array::LargeStringArray = missing.collect();
    let options = CastOptions { safe: true, ..CastOptions::default() };
    let cast = cast_with_options(&present, kind, &options).ok()?;
    (cast.null_count() == present.null_count()).then_some(cast)
}

//! Parquet files: columns of typed values, read as the text that people write.

mod batches;
mod decoded;
mod guard;
mod kind;
mod pages;
mod raw;
mod structure;
mod text;

use std::path::Path;
use std::sync::Arc;

use haggle_model::{ErrorKind, Problem, Remedy};
use parquet::basic::Repetition;
use parquet::errors::ParquetError;
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::SchemaDescriptor;

use crate::Error;
use crate::delimited::CsvOptions;
use crate::fields::trimmed;
use crate::input::{InputFile, Raw};
use crate::values::ValueKind;

pub(crate) use batches::{Batch, BatchLimits, Batches};
use guard::guarded;
use pages::PageTooLarge;

const MAGIC: &[u8] = b"PAR1";

/// What is known of a Parquet file before its values are read.
#[derive(Debug, Clone)]
pub(crate) struct ParquetFile {
    columns: Vec<ParquetColumn>,
}

/// A column of the table: a column of values, or more than that.
#[derive(Debug, Clone)]
enum ParquetColumn {
    Flat(Leaf),
    /// A list, a structure or a type that has no text, and what it is called.
    Other(String),
}

/// A column of values: its position in the file, and what its values are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    position: usize,
    kind: ValueKind,
    /// Whether values may be absent.
    optional: bool,
}

impl ParquetFile {
    /// Whether the file is a Parquet file.
    pub(crate) fn is(file: &InputFile) -> Result<bool, Error> {
        file.starts_with(MAGIC)
    }

    /// What the file is, and the names of its columns.
    pub(crate) fn open(
        file: &InputFile,
        options: &CsvOptions,
    ) -> Result<(Self, Vec<String>), Error> {
        let (metadata, _) = reader(file)?;
        let schema = metadata.file_metadata().schema_descr();
        let fields = schema.root_schema().get_fields();
        let names: Vec<String> = fields.iter().map(|field| trimmed(field.name()).into()).collect();
        let columns = (0..names.len()).map(|root| ParquetColumn::at_root(schema, root)).collect();
        let names = match &options.columns {
            Some(stated) if stated.len() != names.len() => {
                return Err(miscounted(names.len(), stated.len(), file.name()));
            }
            Some(stated) => stated.clone(),
            None => names,
        };
        Ok((Self { columns }, names))
    }

    /// Returns the columns of values at these positions, by the table's `names`; an error if one has
    /// no text.
    pub(crate) fn leaves(
        &self,
        wanted: &[usize],
        names: &[String],
        file: &Path,
    ) -> Result<Vec<(usize, Leaf)>, Error> {
        let leaf = |&position: &usize| match &self.columns[position] {
            ParquetColumn::Flat(leaf) => Ok((position, *leaf)),
            ParquetColumn::Other(kind) => {
                let name = &names[position];
                let what = format!("the column '{name}' is {kind}, which cannot be read as text");
                let fix = "do not count it, and give it role = \"identifier\" to publish without it; \
                           or write the file with plain columns";
                Err(Problem::new(what).file(file).fix(fix).into())
            }
        };
        wanted.iter().map(leaf).collect()
    }
}

impl ParquetColumn {
    fn at_root(schema: &SchemaDescriptor, root: usize) -> Self {
        let field = &schema.root_schema().get_fields()[root];
        let repeated = field.get_basic_info().has_repetition()
            && field.get_basic_info().repetition() == Repetition::REPEATED;
        if !field.is_primitive() || repeated {
            return Self::Other("nested".into());
        }
        let mut leaves = 0..schema.num_columns();
        let position = leaves.find(|&leaf| schema.get_column_root_idx(leaf) == root);
        let position = position.expect("a column of values is a leaf of the schema");
        let description = schema.column(position);
        match ValueKind::of(&description) {
            Ok(kind) => {
                Self::Flat(Leaf { position, kind, optional: description.max_def_level() > 0 })
            }
            Err(name) => Self::Other(format!("of the type {name}")),
        }
    }
}

/// Returns the metadata at the end of a file, and the file itself.
fn reader(file: &InputFile) -> Result<(Box<ParquetMetaData>, Arc<Raw>), Error> {
    let raw = Arc::new(file.raw()?);
    let metadata = of_file(file.name(), || {
        check_footer(&raw)?;
        ParquetMetaDataReader::new().parse_and_finish(&*raw)
    })?;
    Ok((metadata.into(), raw))
}

/// Files too short or encrypted are left to the library, which refuses them.
fn check_footer(raw: &Raw) -> Result<(), ParquetError> {
    let Some(tail) = raw.len().checked_sub(FOOTER_SIZE as u64) else { return Ok(()) };
    let mut bytes = [0; FOOTER_SIZE];
    bytes.copy_from_slice(&raw.get_bytes(tail, FOOTER_SIZE)?);
    let footer = FooterTail::try_new(&bytes)?;
    let length = footer.metadata_length();
    match tail.checked_sub(length as u64) {
        Some(start) if !footer.is_encrypted_footer() => {
            Ok(structure::check(&*raw.get_bytes(start, length)?, structure::FOOTER)?)
        }
        _ => Ok(()),
    }
}

/// Runs the Parquet library on a file.
fn of_file<T>(file: &Path, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Error> {
    guarded(read).map_err(|error| refused(file, error))
}

fn refused(file: &Path, error: ParquetError) -> Error {
    let why = match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(cause) if is_page_too_large(&cause) => return page_too_large(file, &cause),
            // The system's own errors have a number; the others are about the bytes.
            Ok(cause) if cause.raw_os_error().is_some() => return Error::io(file)(*cause),
            Ok(cause) => cause.to_string(),
            Err(cause) => cause.to_string(),
        },
        error => error.to_string(),
    };
    let why =
        ["Parquet error: ", "EOF: "].iter().fold(&why[..], |why, p| why.trim_start_matches(p));
    // The library's message for a feature that was left out of the build.
    if why.contains("Disabled feature") || why.starts_with("NYI") {
        let problem = Problem::new(format!("this Parquet file cannot be read: {why}")).file(file);
        return problem
            .of_kind(ErrorKind::Unsupported)
            .fix("write it again, packed with snappy, zstd, gzip or lz4")
            .into();
    }
    Problem::new(format!("this Parquet file is damaged or was cut short: {why}"))
        .file(file)
        .fix("copy or write the file again, or export the table as CSV")
        .into()
}

fn is_page_too_large(cause: &std::io::Error) -> bool {
    let Some(cause) = cause.get_ref() else { return false };
    cause.is::<PageTooLarge>()
}

fn page_too_large(file: &Path, cause: &std::io::Error) -> Error {
    Problem::new(format!("{cause}, which is more memory than may be used for one"))
        .of_kind(ErrorKind::OutOfMemory)
        .file(file)
        .fix(Remedy::RaiseMemory("or write the file again with smaller pages or row groups".into()))
        .into()
}

fn miscounted(found: usize, stated: usize, file: &Path) -> Error {
    Problem::new(format!("the file has {found} columns, but {stated} are named"))
        .file(file)
        .fix("leave `columns` out: a Parquet file names its columns")
        .into()
}

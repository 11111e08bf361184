//! A delimited file that was opened: its dialect, its columns, and whether its first record names them.

use std::io::Read;

use haggle_model::Problem;

use crate::blocks::{LONGEST, too_long};
use crate::input::read_full;
use crate::lines::count_lines;
use crate::{Dialect, Error, Input};

/// How much of the file the first look takes.
const LOOK: usize = 1 << 16;

/// What the user states of a delimited file; the rest is detected.
#[derive(Debug, Clone, Default)]
pub struct CsvOptions {
    /// Between fields.
    pub separator: Option<u8>,
    /// Around fields.
    pub quote: Option<u8>,
    /// Whether the first record names the columns.
    pub header: Option<bool>,
    /// The columns' names, for files that do not name them.
    pub columns: Option<Vec<String>>,
}

/// A delimited file, ready to be read any number of times.
#[derive(Debug, Clone)]
pub struct Table {
    input: Input,
    dialect: Dialect,
    columns: Vec<String>,
    header: bool,
}

impl Table {
    /// Looks at the beginning of the input and settles how to read it.
    pub fn open(input: Input, options: &CsvOptions) -> Result<Self, Error> {
        let (dialect, first) = first_record(&input, options, LOOK)?;
        let (columns, header) = name_columns(first, options, &input)?;
        check_names(&columns, &input)?;
        Ok(Self { input, dialect, columns, header })
    }

    /// The fields of the first record, whether it names the columns or not.
    pub fn first_fields(input: &Input, options: &CsvOptions) -> Result<Vec<String>, Error> {
        Ok(first_record(input, options, LOOK)?.1)
    }

    /// Where the bytes come from.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The columns' names, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// How fields are written.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the first record names the columns.
    pub fn has_header(&self) -> bool {
        self.header
    }
}

/// The dialect and the first record, from so many bytes, or more if the record is longer.
fn first_record(
    input: &Input,
    options: &CsvOptions,
    look: usize,
) -> Result<(Dialect, Vec<String>), Error> {
    let sample = first_bytes(input, look)?;
    let text = readable(&sample, input)?;
    let dialect = Dialect::guess(text, options.separator, options.quote);
    let mut reader = dialect.reader(text);
    let mut first = csv::ByteRecord::new();
    if !reader.read_byte_record(&mut first).is_ok_and(|some| some) {
        return Err(empty(input));
    }
    if reader.position().byte() == text.len() as u64 && sample.len() == look {
        return match look {
            LONGEST.. => Err(too_long(input, 1)),
            _ => first_record(input, options, look * 4),
        };
    }
    let first = csv::StringRecord::from_byte_record(first).map_err(|_| {
        Problem::new("not valid UTF-8")
            .file(input.name())
            .line(1)
            .fix("convert the file, e.g. iconv -f WINDOWS-1252 -t UTF-8 IN > OUT")
    })?;
    Ok((dialect, first.iter().map(|field| field.trim().to_owned()).collect()))
}

fn first_bytes(input: &Input, look: usize) -> Result<Vec<u8>, Error> {
    let (mut reader, _) = input.open()?;
    let mut bytes = vec![0; look];
    let n = read_full(&mut reader.by_ref(), &mut bytes).map_err(Error::io(input.name()))?;
    bytes.truncate(n);
    Ok(bytes)
}

/// The sample without a byte-order mark; refused if it is not text that can be read.
fn readable<'a>(sample: &'a [u8], input: &Input) -> Result<&'a [u8], Error> {
    if sample.starts_with(&[0xff, 0xfe]) || sample.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::new("the file is written in UTF-16")
            .file(input.name())
            .fix("save it as UTF-8, e.g. iconv -f UTF-16 -t UTF-8 IN > OUT")
            .into());
    }
    if sample.starts_with(b"PAR1") {
        return Err(Problem::new("this is a Parquet file, not delimited text")
            .file(input.name())
            .fix("export it as CSV")
            .into());
    }
    if sample.starts_with(b"PK\x03\x04") {
        return Err(Problem::new("this is a ZIP archive or a spreadsheet, not delimited text")
            .file(input.name())
            .fix("unpack it, or export the sheet as CSV in UTF-8")
            .into());
    }
    if let Some(at) = memchr::memchr(0, sample) {
        return Err(Problem::new("a NUL byte: this is not text, or it is damaged")
            .file(input.name())
            .line(1 + count_lines(&sample[..at]))
            .fix("export the table again as UTF-8 text")
            .into());
    }
    Ok(sample.strip_prefix(BOM).unwrap_or(sample))
}

/// The mark that some programs put before UTF-8 text.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

pub(crate) fn empty(input: &Input) -> Error {
    Problem::new("the file has no records")
        .file(input.name())
        .fix("check that this is the right file and that its export was finished")
        .into()
}

/// The names of the columns, and whether the first record is the one that holds them.
fn name_columns(
    first: Vec<String>,
    options: &CsvOptions,
    input: &Input,
) -> Result<(Vec<String>, bool), Error> {
    let Some(columns) = &options.columns else {
        return match options.header {
            Some(false) => Err(Problem::new("header = false, but no columns are named")
                .file(input.name())
                .fix("name them in the project: columns = [\"age\", \"sex\", …]")
                .into()),
            _ => Ok((first, true)),
        };
    };
    if columns.len() != first.len() {
        let what = format!(
            "the first record has {} fields, but {} columns are named",
            first.len(),
            columns.len()
        );
        return Err(Problem::new(what)
            .file(input.name())
            .line(1)
            .fix("name one column per field; if the separator was not recognized, state it: separator = \";\"")
            .into());
    }
    let header = options.header.unwrap_or(first == *columns);
    Ok((columns.clone(), header))
}

fn check_names(columns: &[String], input: &Input) -> Result<(), Error> {
    let problem = |what: String| {
        let fix = "rename it; if the file has no header, state header = false and name the columns";
        Err(Problem::new(what).file(input.name()).line(1).fix(fix).into())
    };
    for (i, name) in columns.iter().enumerate() {
        if name.is_empty() {
            return problem(format!("column {} has no name", i + 1));
        }
        // By number, not by name: the first record may be no header.
        if let Some(earlier) = columns[..i].iter().position(|other| other == name) {
            return problem(format!("columns {} and {} have the same name", earlier + 1, i + 1));
        }
    }
    Ok(())
}

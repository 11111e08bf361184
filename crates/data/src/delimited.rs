//! Delimited text: the beginning of a file decides how it is read.

mod blocks;
mod dialect;
mod guess;
mod records;
mod scanner;

use std::path::Path;

use haggle_model::{Problem, Silent};

use crate::input::{InputFile, count_lines, read_full};
use crate::{Encoding, Error};

pub(crate) use blocks::{Blocks, TextBlock};
pub use dialect::DelimitedFormat;

use blocks::{LONGEST, too_long};
use records::Records;

/// How many bytes are read to detect the format.
const SAMPLE_BYTES: usize = 1 << 16;

/// What the user states about a delimited file; the rest is detected.
#[derive(Debug, Clone, Default)]
pub struct CsvOptions {
    /// Between fields.
    pub separator: Option<u8>,
    /// Around fields.
    pub quote: Option<u8>,
    /// Before quotes within quotes.
    pub escape: Option<u8>,
    /// How letters are written.
    pub encoding: Option<Encoding>,
    /// Whether the first record names the columns.
    pub header: Option<bool>,
    /// The columns' names, for files that do not name them.
    pub columns: Option<Vec<String>>,
}

impl CsvOptions {
    /// How this program writes: commas, double quotes that are doubled within quotes, and a header.
    /// Nothing of it is guessed when such a file is read again.
    pub fn as_written() -> Self {
        let DelimitedFormat { separator, quote, .. } = DelimitedFormat::default();
        Self {
            separator: Some(separator),
            quote: Some(quote),
            escape: Some(quote),
            header: Some(true),
            ..Self::default()
        }
    }
}

/// How a delimited file is read.
#[derive(Debug, Clone)]
pub(crate) struct Delimited {
    pub(crate) format: DelimitedFormat,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) header: bool,
    /// How long the line is, in UTF-8, that comes before all and states the separator.
    pub(crate) hint: u64,
}

impl Delimited {
    /// Reads the beginning of the file: how it is written, and the names of its columns.
    pub(crate) fn open(
        file: &InputFile,
        options: &CsvOptions,
    ) -> Result<(Self, Vec<String>), Error> {
        let name = file.name();
        let Beginning { format, hint, fields } = first_record(file, options, SAMPLE_BYTES)?;
        let (columns, header) = match (fields, &options.columns, options.header) {
            // An empty file has no records; that is valid where no header is expected.
            (None, Some(columns), Some(false)) => (columns.clone(), false),
            (None, ..) => return Err(empty(name)),
            (Some(fields), ..) => name_columns(fields, options, name)?,
        };
        Ok((Self { format, encoding: options.encoding, header, hint: hint as u64 }, columns))
    }

    /// Commas, quotes and a header.
    pub(crate) fn usual() -> Self {
        Self { format: DelimitedFormat::default(), encoding: None, header: true, hint: 0 }
    }

    /// The fields of the first record, whatever they are.
    pub(crate) fn first_fields(
        file: &InputFile,
        options: &CsvOptions,
    ) -> Result<Vec<String>, Error> {
        first_record(file, options, SAMPLE_BYTES)?.fields.ok_or_else(|| empty(file.name()))
    }
}

/// Separator, quote and escape must differ from each other and from line ends.
fn check_format(format: DelimitedFormat, name: &Path) -> Result<(), Error> {
    let DelimitedFormat { separator, quote, escape } = format;
    let odd = |mark: u8| !mark.is_ascii() || matches!(mark, b'\r' | b'\n' | 0);
    let unclear = separator == quote || escape == Some(separator);
    if unclear || odd(separator) || odd(quote) || escape.is_some_and(odd) {
        return Err(Problem::new("separator, quote and escape are not different characters")
            .file(name)
            .fix("state a letter of its own for each, none of them a line end")
            .into());
    }
    Ok(())
}

/// What the beginning of a file shows.
struct Beginning {
    format: DelimitedFormat,
    /// Where the line ends that states the separator.
    hint: usize,
    /// The first record, if there is one.
    fields: Option<Vec<String>>,
}

/// Returns the format and the first record, from this many bytes, or more if the record is longer.
fn first_record(file: &InputFile, options: &CsvOptions, look: usize) -> Result<Beginning, Error> {
    let name = file.name();
    let sample = first_bytes(file, options, look)?;
    let cut = sample.len() == look;
    check_kind(&sample, name)?;
    let text = checked(if cut { whole_letters(&sample) } else { &sample }, name, 1)?;
    let format = DelimitedFormat::guess(text.as_bytes(), options);
    check_format(format, name)?;
    let hint = guess::hint(text.as_bytes()).map_or(0, |(_, end)| end);
    let mut records = Records::new(&text[hint..], 1, format);
    let fields = records.next().map(|record| record.to_vec());
    if cut && records.at_end() {
        return match look {
            LONGEST.. => Err(too_long(name, 1)),
            _ => first_record(file, options, look * 4),
        };
    }
    Ok(Beginning { format, hint, fields })
}

fn first_bytes(file: &InputFile, options: &CsvOptions, look: usize) -> Result<Vec<u8>, Error> {
    let (mut reader, _) = file.text(options.encoding, &Silent)?;
    let mut bytes = vec![0; look];
    let n = read_full(&mut reader, &mut bytes).map_err(Error::io(file.name()))?;
    bytes.truncate(n);
    Ok(bytes)
}

/// Refuses what is known to be something else.
fn check_kind(sample: &[u8], name: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(name).fix(fix).into());
    if sample.starts_with(b"PAR1") {
        return refuse("this is a Parquet file that was packed", "unpack it");
    }
    if sample.starts_with(b"PARE") {
        return refuse("this is an encrypted Parquet file", "write it without encryption");
    }
    if sample.starts_with(b"PK\x03\x04") {
        let fix = "unpack it, or export the sheet as CSV in UTF-8";
        return refuse("this is a ZIP archive or a spreadsheet, not delimited text", fix);
    }
    Ok(())
}

/// The bytes but for a last letter that is cut.
fn whole_letters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// The bytes, which begin on this line, as text; NUL and broken UTF-8 are refused.
pub(crate) fn checked<'b>(bytes: &'b [u8], name: &Path, line: u64) -> Result<&'b str, Error> {
    let refuse = |at: usize, what: &str, fix: &str| {
        Problem::new(what).file(name).line(line + count_lines(&bytes[..at])).fix(fix)
    };
    if let Some(at) = memchr::memchr(0, bytes) {
        let what = "a NUL byte: this is not text, or it is damaged";
        let fix =
            "export the table again as UTF-8 text; if it is UTF-16, state encoding = \"utf-16\"";
        return Err(refuse(at, what, fix).into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let fix = "state the encoding it is written in, e.g. encoding = \"windows-1252\"";
        refuse(error.valid_up_to(), "not valid UTF-8", fix).into()
    })
}

pub(crate) fn empty(name: &Path) -> Error {
    Problem::new("the file has no records")
        .file(name)
        .fix("check that this is the right file and that its export was finished")
        .into()
}

/// The names of the columns, and whether the first record is the one that holds them.
fn name_columns(
    first: Vec<String>,
    options: &CsvOptions,
    name: &Path,
) -> Result<(Vec<String>, bool), Error> {
    let Some(columns) = &options.columns else {
        return match options.header {
            Some(false) => Err(Problem::new("header = false, but no columns are named")
                .file(name)
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
            .file(name)
            .line(1)
            .fix("name one column per field; if the separator was not recognized, state it: separator = \";\"")
            .into());
    }
    let header = options.header.unwrap_or(first == *columns);
    Ok((columns.clone(), header))
}

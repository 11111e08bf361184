//! Hierarchy files: no header, `;` or `,`, one row per recorded value, columns are levels.

use std::path::Path;

use haggle_model::{Hierarchy, Problem, Row};

use crate::{DelimitedFormat, Error};

/// The hierarchy of an attribute from the bytes of its file.
///
/// ```
/// let age = haggle_data::parse_hierarchy("age", "age.csv".as_ref(), b"37;30-39;*\n41;40-49;*\n")?;
/// assert_eq!(age.top(), 2.into());
/// # Ok::<(), haggle_data::Error>(())
/// ```
pub fn parse_hierarchy(attribute: &str, file: &Path, bytes: &[u8]) -> Result<Hierarchy, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count() as u64 + 1;
        Problem::new(format!("the hierarchy of '{attribute}' is not valid UTF-8"))
            .file(file)
            .line(line)
            .fix("save the file as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() as u64 + 1;
        let what = format!("the hierarchy of '{attribute}' contains a NUL byte");
        return Err(Problem::new(what)
            .file(file)
            .line(line)
            .fix("save the file as plain text")
            .into());
    }
    let rows = rows(text).map_err(|error| {
        Problem::new(error.to_string()).file(file).fix("save the file as delimited text in UTF-8")
    })?;
    Hierarchy::from_rows(attribute, rows).map_err(|error| error.in_file(file))
}

fn rows(text: &str) -> Result<Vec<Row>, csv::Error> {
    let separator = if text.contains(';') { b';' } else { b',' };
    let mut reader =
        DelimitedFormat { separator, ..DelimitedFormat::default() }.reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(Row::new(line, record.iter()));
    }
    Ok(rows)
}

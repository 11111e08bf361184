//! A table that was opened: its files, how each is read, and the columns they share.

use std::sync::Arc;

use haggle_model::Problem;
use haggle_model::numerals::counted;
use rustc_hash::FxHashMap;

use crate::delimited::{CsvOptions, Delimited, DelimitedFormat};
use crate::frames::Frame;
use crate::input::InputFile;
use crate::parquet::ParquetFile;
use crate::spreadsheet::unescaped;
use crate::{Database, Error, Input, place};

/// Large enough that handing out blocks costs nothing, small enough to stay in cache.
const BLOCK: usize = 1 << 20;
/// What a page of a Parquet file may unpack to, unless less or more memory is allowed.
const PAGE: usize = 1 << 30;
/// What a page of a Parquet file may unpack to, however little memory is allowed.
const LEAST_PAGE: usize = 32 << 20;
/// Of the memory that is allowed, a page may unpack to this part.
const FOR_PAGE: usize = 4;

/// One or several files of delimited text or Parquet, or a frame, ready to be read any number of times.
#[derive(Debug, Clone)]
pub struct Table {
    input: Input,
    parts: Vec<Part>,
    columns: Vec<String>,
    positions: Arc<FxHashMap<String, usize>>,
    block: usize,
    most_page: usize,
    spreadsheet_safe: bool,
}

/// One file of a table.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) file: InputFile,
    pub(crate) format: TableFormat,
}

/// How a file is read.
#[derive(Debug, Clone)]
pub(crate) enum TableFormat {
    Delimited(Delimited),
    Parquet(ParquetFile),
    Frame(Frame),
}

impl Table {
    /// Reads the beginning of every file and decides how to read it. All files must have the same
    /// columns.
    pub fn open(input: Input, options: &CsvOptions) -> Result<Self, Error> {
        let mut parts: Vec<Part> = Vec::new();
        let mut columns = Vec::new();
        for file in input.parts() {
            let (part, found) = Part::open(file, options)?;
            match parts.first() {
                None => columns = found,
                Some(first) => check_same(&columns, &found, &first.file, file)?,
            }
            parts.push(part);
        }
        let positions = positions(&columns, &parts[0])?.into();
        let (block, most_page, spreadsheet_safe) = (BLOCK, PAGE, false);
        Ok(Self { input, parts, columns, positions, block, most_page, spreadsheet_safe })
    }

    /// Limits the memory of reading to this many bytes: pages of Parquet files, which are unpacked
    /// as a whole, may take a part of it.
    pub fn within(mut self, memory: usize) -> Self {
        self.most_page = LEAST_PAGE.max(memory / FOR_PAGE);
        self
    }

    /// What a page may unpack to, in bytes.
    pub(crate) fn most_page(&self) -> usize {
        self.most_page
    }

    /// Reads this many bytes at a time: few for a test, many for slow storage.
    pub fn in_blocks_of(mut self, bytes: usize) -> Self {
        self.block = bytes.max(1);
        self
    }

    /// Reads names and values that were [marked as text](crate::spreadsheet::escaped) for
    /// spreadsheets as they were before that.
    ///
    /// ```
    /// use haggle_data::{CsvOptions, Input, Table};
    /// let input = Input::memory("out.csv", b"'=age,sex\n37,f\n".to_vec());
    /// let table = Table::open(input, &CsvOptions::default())?.spreadsheet_safe();
    /// assert_eq!(table.columns(), ["=age", "sex"]);
    /// # Ok::<(), haggle_data::Error>(())
    /// ```
    pub fn spreadsheet_safe(mut self) -> Self {
        self.columns = self.columns.iter().map(|name| unescaped(name).to_owned()).collect();
        self.positions = Arc::new(self.columns.iter().cloned().zip(0..).collect());
        self.spreadsheet_safe = true;
        self
    }

    pub(crate) fn is_spreadsheet_safe(&self) -> bool {
        self.spreadsheet_safe
    }

    /// The fields of the first record, whether it names the columns or not; of a Parquet file the
    /// names of its columns.
    pub fn first_fields(input: &Input, options: &CsvOptions) -> Result<Vec<String>, Error> {
        let file = &input.parts()[0];
        if let Some(frame) = file.frame() {
            return Ok(frame.names());
        }
        if ParquetFile::is(file)? {
            return Ok(ParquetFile::open(file, &CsvOptions::default())?.1);
        }
        Delimited::first_fields(file, options)
    }

    /// Returns the table of a database, if this is one.
    pub fn database(&self) -> Option<&Database> {
        self.input.as_database()
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
        self.positions.get(name).copied()
    }

    /// Whether the first file is delimited text, not Parquet.
    pub fn is_delimited(&self) -> bool {
        matches!(self.parts[0].format, TableFormat::Delimited(_))
    }

    /// How fields are written in the first file; the default format, if it is not delimited text.
    pub fn format(&self) -> DelimitedFormat {
        match &self.parts[0].format {
            TableFormat::Delimited(delimited) => delimited.format,
            TableFormat::Parquet(_) | TableFormat::Frame(_) => DelimitedFormat::default(),
        }
    }

    /// Whether the first file names the columns.
    pub fn has_header(&self) -> bool {
        match &self.parts[0].format {
            TableFormat::Delimited(delimited) => delimited.header,
            TableFormat::Parquet(_) | TableFormat::Frame(_) => true,
        }
    }

    /// A problem with a line, as the records' visitors and [`Values`](crate::Values) count lines,
    /// placed in its file; in a Parquet file lines are rows.
    ///
    /// ```
    /// use haggle_data::{CsvOptions, Input, Table};
    /// use haggle_model::Problem;
    ///
    /// let input = Input::embedded("people.csv", b"age\n37\n");
    /// let table = Table::open(input, &CsvOptions::default())?;
    /// let problem = table.place(Problem::new("this age is too high").line(2));
    /// assert_eq!(problem.to_string(), "people.csv:2: this age is too high");
    /// # Ok::<(), haggle_data::Error>(())
    /// ```
    pub fn place(&self, problem: Problem) -> Problem {
        let Some(line) = problem.at.line else { return problem.file(self.input.name()) };
        let (part, line) = place::split(line);
        let Part { file, format } = &self.parts[part.min(self.parts.len() - 1)];
        match format {
            TableFormat::Delimited(_) => problem.file(file.name()).line(line),
            TableFormat::Parquet(_) | TableFormat::Frame(_) => {
                place::in_row(problem, line, file.name())
            }
        }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The columns that can be read as text in every file.
    pub fn readable(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&column| self.is_readable(column)).collect()
    }

    /// Whether a column can be read as text in every file.
    pub fn is_readable(&self, column: usize) -> bool {
        self.check_readable(&[column]).is_ok()
    }

    /// Whether all of these columns can be read as text in every file.
    pub(crate) fn check_readable(&self, columns: &[usize]) -> Result<(), Error> {
        for Part { file, format } in &self.parts {
            match format {
                TableFormat::Parquet(parquet) => {
                    parquet.leaves(columns, &self.columns, file.name())?;
                }
                TableFormat::Frame(frame) => {
                    frame.kinds(columns)?;
                }
                TableFormat::Delimited(_) => {}
            }
        }
        Ok(())
    }

    /// How many bytes are read at a time.
    pub(crate) fn block(&self) -> usize {
        self.block
    }
}

impl Part {
    fn open(file: &InputFile, options: &CsvOptions) -> Result<(Self, Vec<String>), Error> {
        if let Some(database) = file.database() {
            // As the database writes it; its catalog names the columns, so no record is read.
            let format = TableFormat::Delimited(Delimited::usual());
            return Ok((Self { file: file.clone(), format }, database.column_names()));
        }
        if let Some(frame) = file.frame() {
            let (format, columns) = (TableFormat::Frame(frame.clone()), frame.names());
            return Ok((Self { file: file.clone(), format }, columns));
        }
        let (format, columns) = if ParquetFile::is(file)? {
            let (parquet, columns) = ParquetFile::open(file, options)?;
            (TableFormat::Parquet(parquet), columns)
        } else {
            let (delimited, columns) = Delimited::open(file, options)?;
            (TableFormat::Delimited(delimited), columns)
        };
        Ok((Self { file: file.clone(), format }, columns))
    }
}

/// Columns are numbered, not named: what was taken for a header may be a record.
fn check_same(
    columns: &[String],
    found: &[String],
    first: &InputFile,
    file: &InputFile,
) -> Result<(), Error> {
    let first = first.name().display();
    let what = if columns.len() != found.len() {
        let found = counted(found.len() as u64, "column");
        format!("{found}, but {first} has {}", columns.len())
    } else if let Some(other) = columns.iter().zip(found).position(|(a, b)| a != b) {
        let elsewhere = found.contains(&columns[other]);
        let how = if elsewhere { "has another position" } else { "has another name" };
        format!("column {} of {first} {how} here", other + 1)
    } else {
        return Ok(());
    };
    let fix = "give all files the same columns in the same order, and each its own header; or \
               none a header, and name the columns in the project";
    Err(Problem::new(what).file(file.name()).fix(fix).into())
}

/// Returns the position of each column; an error if one has no name, or two have the same.
fn positions(columns: &[String], first: &Part) -> Result<FxHashMap<String, usize>, Error> {
    let problem = |what: String| {
        let fix = "rename it; if the file has no header, state header = false and name the columns";
        let problem = Problem::new(what).file(first.file.name()).fix(fix);
        Err(if let TableFormat::Delimited(_) = first.format { problem.line(1) } else { problem }
            .into())
    };
    let mut positions = FxHashMap::default();
    for (i, name) in columns.iter().enumerate() {
        if name.is_empty() {
            return problem(format!("column {} has no name", i + 1));
        }
        // By number, not by name: the first record may not be a header.
        if let Some(earlier) = positions.insert(name.clone(), i) {
            return problem(format!("columns {} and {} have the same name", earlier + 1, i + 1));
        }
    }
    Ok(positions)
}

//! Values as text: what every typed column becomes, whatever it is stored in.

mod written;

use crate::Error;
use crate::fields::{Fields, Visit, trimmed};

pub(crate) use written::{DAY, date, float, plain, time};

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Boolean,
    Integer,
    /// Stored as signed, but meant without a sign: 32 or 64 bits.
    Unsigned32,
    Unsigned64,
    Float,
    Half,
    /// A number with this many digits after the point.
    Decimal(u32),
    /// Days since 1970.
    Date,
    /// This many in a second, since midnight.
    Time(i64),
    /// This many in a second, since 1970; and whether they are in UTC.
    Timestamp(i64, bool),
    Text,
    Uuid,
}

impl ValueKind {
    /// Numbers with this many digits after the point, or the name of a type that has no text.
    pub(crate) fn decimal(scale: i32) -> Result<Self, String> {
        let scale = u32::try_from(scale).ok().filter(|&scale| scale <= 38);
        scale.map(Self::Decimal).ok_or_else(|| "DECIMAL with an odd scale".into())
    }
}

/// The text of every row of a column, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    /// The texts that `write` appends for each of so many rows, in order. An error is the row for
    /// which it has none.
    pub(crate) fn from_rows(
        rows: usize,
        mut write: impl FnMut(usize, &mut String) -> Option<()>,
    ) -> Result<Self, usize> {
        let (text, ends) = (String::with_capacity(8 * rows), Vec::with_capacity(rows));
        let mut texts = Self { text, ends };
        for row in 0..rows {
            write(row, &mut texts.text).ok_or(row)?;
            texts.ends.push(texts.text.len());
        }
        Ok(texts)
    }

    /// The text of a row, without blanks around it.
    pub(crate) fn get(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        trimmed(&self.text[start..self.ends[row]])
    }
}

/// Visits rows of which the texts are known by column; `line` is where each row is.
pub(crate) fn visit_texts(
    columns: &[Option<Texts>],
    rows: usize,
    line: impl Fn(u64) -> u64,
    visitor: &mut impl Visit,
) -> Result<(), Error> {
    (0..rows).try_for_each(|row| visitor.record(&TextRow { columns, row }, line(row as u64)))
}

/// A row of which the texts are known; columns that were not read are empty.
struct TextRow<'b> {
    columns: &'b [Option<Texts>],
    row: usize,
}

impl Fields for TextRow<'_> {
    fn count(&self) -> usize {
        self.columns.len()
    }

    fn get(&self, position: usize) -> &str {
        self.columns[position].as_ref().map_or("", |texts| texts.get(self.row))
    }
}

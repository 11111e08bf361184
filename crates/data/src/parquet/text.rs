//! The values of Parquet columns as text.

use std::ops::Range;

use parquet::data_type::Int96;

use super::decoded::{Decoded, Stored};
use crate::values::{DAY, Texts, ValueKind, date, float, plain, time};

/// The day that Julian days count 1970-01-01 as.
const JULIAN_1970: i64 = 2_440_588;
const NANOS: i64 = 1_000_000_000;

/// The texts of some rows; absent values are empty. An error is the row, counted from the first of
/// these, whose bytes are not text.
pub(super) fn texts(
    kind: ValueKind,
    decoded: &Decoded,
    rows: &Range<usize>,
) -> Result<Texts, usize> {
    let first = decoded.values_before(rows.start);
    let rows = Presence {
        present: decoded.present.as_ref().map(|levels| &levels[rows.clone()]),
        rows: rows.len(),
        first,
    };
    match &decoded.values {
        Stored::Boolean(all) => rows.write(all, plain),
        Stored::Int32(all) => rows.write(all, |&v, out| kind.integer(v.into(), out)),
        Stored::Int64(all) => rows.write(all, |&v, out| kind.integer(v, out)),
        Stored::Int96(all) => rows.write(all, old_timestamp),
        Stored::Float(all) => rows.write(all, |&v, out| float(v, v.into(), out)),
        Stored::Double(all) => rows.write(all, |&v, out| float(v, v, out)),
        Stored::Bytes(all) => rows.write(all, |v, out| kind.bytes(v.data(), out)),
        Stored::Fixed(all) => rows.write(all, |v, out| kind.bytes(v.data(), out)),
    }
}

/// Which of some rows have a value, and where the first value is stored.
struct Presence<'a> {
    /// By row, whether there is a value; `None` if there always is.
    present: Option<&'a [i16]>,
    rows: usize,
    first: usize,
}

impl Presence<'_> {
    fn write<T>(
        &self,
        values: &[T],
        mut write: impl FnMut(&T, &mut String) -> Option<()>,
    ) -> Result<Texts, usize> {
        let mut values = values.get(self.first..).unwrap_or_default().iter();
        Texts::from_rows(self.rows, |row, out| {
            if self.present.is_none_or(|levels| levels[row] > 0) {
                write(values.next()?, out)?;
            }
            Some(())
        })
    }
}

/// Nanoseconds of a Julian day.
fn old_timestamp(value: &Int96, out: &mut String) -> Option<()> {
    let &[low, high, day] = value.data() else { return None };
    let nanos = i64::try_from(u64::from(high) << 32 | u64::from(low)).ok()?;
    date(i64::from(day) - JULIAN_1970 + nanos / (DAY * NANOS), out)?;
    out.push('T');
    time(nanos / NANOS % DAY, nanos % NANOS, NANOS, out)
}

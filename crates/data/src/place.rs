//! Lines of several files in one number: the file in the high bits, the line in the low bits.
//!
//! In a table of one file that number is the line itself, so code that handles single files needs
//! no change.

use std::path::Path;

use haggle_model::{Place, Problem};

/// More lines than any file has.
const LINES: u32 = 40;

/// The line of a file, by its position among the table's files.
pub(crate) fn line(part: usize, line: u64) -> u64 {
    (part as u64) << LINES | line
}

/// The file's position, and the line.
pub(crate) fn split(number: u64) -> (usize, u64) {
    ((number >> LINES) as usize, number & ((1 << LINES) - 1))
}

/// Places a problem in a row of a file that has no lines.
pub(crate) fn in_row(mut problem: Problem, row: u64, file: &Path) -> Problem {
    problem.at = Place::default();
    problem.what = format!("row {row}: {}", problem.what);
    problem.file(file)
}

//! Parquet files.

use haggle_data::CsvOptions;

use super::Verdict;
use super::text::same_in_any_blocks;

pub(super) fn check(input: &[u8]) -> Verdict {
    same_in_any_blocks(input, &CsvOptions::default())
}

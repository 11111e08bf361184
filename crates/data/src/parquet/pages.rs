//! The pages of a column: what one unpacks to is checked before memory is asked for it.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::Result;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::structure;
use crate::input::Raw;

/// No packed byte unpacks to more than this many.
const GZIP_RATIO: usize = 1032;
const LZ4_RATIO: usize = 255;
/// The first byte of a field of 32 bits that follows the one before, in the header of a page.
const NEXT_INTEGER: u8 = 0x15;

const NO_SIZE: &str = "a page does not say its size";

/// A page that unpacks to more bytes than allowed.
#[derive(Debug)]
pub(super) struct PageTooLarge {
    pub(super) most: usize,
}

impl fmt::Display for PageTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a page unpacks to more than {} MB", self.most >> 20)
    }
}

impl std::error::Error for PageTooLarge {}

fn too_large(most: usize) -> io::Error {
    io::Error::other(PageTooLarge { most })
}

/// Reads the column at this position of a group, of which no page may unpack to more than `most` bytes.
pub(super) fn column_reader(
    raw: &Arc<Raw>,
    group: &RowGroupMetaData,
    position: usize,
    most: usize,
) -> Result<ColumnReader> {
    let column = group.column(position);
    let packing = column.compression();
    let pages = Arc::new(Pages { raw: raw.clone(), packing, most });
    // Frames of old writers do not say how long they are.
    let frames = column.compressed_size().max(0) as usize <= most / LZ4_RATIO;
    let properties = ReaderProperties::builder().set_backward_compatible_lz4(frames).build();
    let rows = group.num_rows().max(0) as usize;
    let reader =
        SerializedPageReader::new_with_properties(pages, column, rows, None, properties.into())?;
    Ok(get_column_reader(column.column_descr_ptr(), Box::new(reader)))
}

/// A file as the pages of one column are read from it.
struct Pages {
    raw: Arc<Raw>,
    packing: Compression,
    most: usize,
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.raw.len()
    }
}

impl ChunkReader for Pages {
    type T = HeaderReader;

    /// Headers of pages are read in this way.
    fn get_read(&self, start: u64) -> Result<HeaderReader> {
        structure::check(self.raw.get_read(start)?, structure::PAGE_HEADER)?;
        let read = self.raw.get_read(start)?;
        Ok(HeaderReader { read, seen: Some(Vec::new()), most: self.most })
    }

    /// What a page holds is read in this way.
    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if length > self.most {
            return Err(too_large(self.most).into());
        }
        let bytes = self.raw.get_bytes(start, length)?;
        let may_be_more = length > self.most / GZIP_RATIO;
        if matches!(self.packing, Compression::GZIP(_)) && may_be_more {
            check_gzip(&bytes, self.most)?;
        }
        Ok(bytes)
    }
}

/// An error if the bytes unpack to more than allowed, whatever their page says. Other faults are
/// found when they are unpacked.
fn check_gzip(bytes: &[u8], most: usize) -> io::Result<()> {
    let mut unpacked = MultiGzDecoder::new(bytes).take(most as u64 + 1);
    match io::copy(&mut unpacked, &mut io::sink()) {
        Ok(length) if length > most as u64 => Err(too_large(most)),
        _ => Ok(()),
    }
}

/// Reads a page's header, and fails as soon as that names too large a page.
struct HeaderReader {
    read: Box<dyn Read>,
    /// The header so far, until it was checked.
    seen: Option<Vec<u8>>,
    most: usize,
}

impl Read for HeaderReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.read.read(buffer)?;
        if let Some(seen) = &mut self.seen {
            seen.extend_from_slice(&buffer[..length]);
            match unpacked_size(seen) {
                Size::NotYet => {}
                Size::Of(bytes) if bytes <= self.most as u64 => self.seen = None,
                Size::Of(_) => return Err(too_large(self.most)),
                Size::Unknown => return Err(io::Error::new(io::ErrorKind::InvalidData, NO_SIZE)),
            }
        }
        Ok(length)
    }
}

/// What a page unpacks to, as far as its header was read.
#[derive(Debug, PartialEq)]
enum Size {
    NotYet,
    Of(u64),
    /// The header does not begin with the page's type and size, as all writers have it.
    Unknown,
}

fn unpacked_size(header: &[u8]) -> Size {
    let mut rest = header;
    let mut last = 0;
    for _field in ["type", "unpacked size"] {
        match rest.split_first() {
            None => return Size::NotYet,
            Some((&NEXT_INTEGER, after)) => rest = after,
            Some(_) => return Size::Unknown,
        }
        let Some(length) = rest.iter().position(|byte| byte & 0x80 == 0) else {
            return if rest.len() < 10 { Size::NotYet } else { Size::Unknown };
        };
        let digits = rest[..=length].iter().rev();
        last = digits.fold(0_u64, |number, byte| number << 7 | u64::from(byte & 0x7f));
        rest = &rest[length + 1..];
    }
    // Numbers are written with their sign in the last bit; the library refuses negative ones.
    Size::Of(last >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_headers_as_soon_as_they_are_there() {
        let header = [NEXT_INTEGER, 0, NEXT_INTEGER, 0xd0, 0x0f, NEXT_INTEGER, 2];
        for length in 0..5 {
            assert_eq!(unpacked_size(&header[..length]), Size::NotYet);
        }
        assert_eq!(unpacked_size(&header), Size::Of(1000));
        assert_eq!(unpacked_size(&[0x25, 0]), Size::Unknown);
        assert_eq!(
            unpacked_size(&[[NEXT_INTEGER].as_slice(), &[0xff; 12]].concat()),
            Size::Unknown
        );
    }
}

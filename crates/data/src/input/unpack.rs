//! Packed files (gzip, zstd), known by their first bytes, whatever their names.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use haggle_model::{ErrorKind, Problem};

use super::file::read_full;

/// Enough to know every kind by.
const MAGIC: usize = 6;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// A frame that zstd skips ends in this; its first byte may vary.
const ZSTD_SKIPPED: &[u8] = &[0x2a, 0x4d, 0x18];
/// What we know but do not unpack.
const OTHERS: [(&[u8], &str); 4] = [
    (b"BZh91A", "bzip2"),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz"),
    (&[0x04, 0x22, 0x4d, 0x18], "lz4"),
    (b"7z\xbc\xaf", "7-zip"),
];

/// The bytes of a packed file unpacked, those of another as they are.
pub(super) fn unpacked<'p>(
    mut raw: impl Read + Send + 'p,
) -> io::Result<Box<dyn Read + Send + 'p>> {
    let mut magic = [0; MAGIC];
    let n = read_full(&mut raw, &mut magic)?;
    let magic = &magic[..n];
    let whole = io::Cursor::new(magic.to_vec()).chain(raw);
    if magic.starts_with(GZIP) {
        return Ok(Box::new(Unpacking { reader: MultiGzDecoder::new(whole), kind: "gzip" }));
    }
    let skipped = magic.get(1..4) == Some(ZSTD_SKIPPED) && magic[0] >> 4 == 5;
    if magic.starts_with(ZSTD) || skipped {
        return Ok(Box::new(Unpacking { reader: zstd::Decoder::new(whole)?, kind: "zstd" }));
    }
    if let Some((_, kind)) = OTHERS.iter().find(|(other, _)| magic.starts_with(other)) {
        let problem = Problem::new(format!("this file is packed with {kind}"))
            .of_kind(ErrorKind::Unsupported);
        return Err(io::Error::from(problem.fix("unpack it, or pack it with gzip or zstd")));
    }
    Ok(Box::new(whole))
}

/// Reports what cannot be unpacked as damaged.
struct Unpacking<R> {
    reader: R,
    kind: &'static str,
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            // The system's own errors have a number; the others are about the bytes.
            _ if error.raw_os_error().is_some() => error,
            io::ErrorKind::UnexpectedEof => self.damaged("unexpected end of file"),
            _ => self.damaged(&error.to_string()),
        })
    }
}

impl<R> Unpacking<R> {
    fn damaged(&self, how: &str) -> io::Error {
        let what = format!("the {} data is damaged: {how}", self.kind);
        io::Error::from(Problem::new(what).fix("copy the file again, or pack the table again"))
    }
}

//! Bytes from a file or from the binary itself, unpacked if need be, with a digest of what was read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use flate2::read::MultiGzDecoder;
use haggle_model::Problem;
use xxhash_rust::xxh3::Xxh3Default;

use crate::Error;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Where a table's bytes come from.
#[derive(Debug, Clone)]
pub struct Input {
    name: PathBuf,
    embedded: Option<&'static [u8]>,
}

impl Input {
    /// A file on disk.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { name: path.into(), embedded: None }
    }

    /// Bytes within the binary, and the name to call them by.
    pub fn embedded(name: impl Into<PathBuf>, bytes: &'static [u8]) -> Self {
        Self { name: name.into(), embedded: Some(bytes) }
    }

    /// The name in messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// How many bytes there are, packed as they are.
    pub fn bytes(&self) -> Result<u64, Error> {
        match self.embedded {
            Some(bytes) => Ok(bytes.len() as u64),
            None => Ok(std::fs::metadata(&self.name).map_err(Error::io(&self.name))?.len()),
        }
    }

    /// All bytes, packed as they are.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.raw()?.0.read_to_end(&mut bytes).map_err(Error::io(&self.name))?;
        Ok(bytes)
    }

    /// A digest of all bytes, packed as they are.
    pub fn digest(&self) -> Result<u64, Error> {
        let (mut reader, digest) = self.raw()?;
        io::copy(&mut reader, &mut io::sink()).map_err(Error::io(&self.name))?;
        Ok(digest.value())
    }

    /// The unpacked bytes, and the digest of the packed ones once all were read.
    pub(crate) fn open(&self) -> Result<(Box<dyn Read + Send>, Digest), Error> {
        let (mut raw, digest) = self.raw()?;
        let mut magic = [0; 2];
        let n = read_full(&mut raw, &mut magic).map_err(Error::io(&self.name))?;
        let whole = io::Cursor::new(magic).take(n as u64).chain(raw);
        let unpacked: Box<dyn Read + Send> =
            if magic == GZIP { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok((unpacked, digest))
    }

    fn raw(&self) -> Result<(Hashing, Digest), Error> {
        let reader: Box<dyn Read + Send> = match self.embedded {
            Some(bytes) => Box::new(bytes),
            None => Box::new(self.regular_file()?),
        };
        let digest = Digest::default();
        Ok((Hashing { reader, digest: digest.clone() }, digest))
    }

    /// The file, looked at before it is opened: opening a pipe would wait for its writer.
    fn regular_file(&self) -> Result<File, Error> {
        let kind = std::fs::metadata(&self.name).map_err(Error::io(&self.name))?.file_type();
        if kind.is_file() {
            return File::open(&self.name).map_err(Error::io(&self.name));
        }
        let what = if kind.is_dir() { "a folder, not a file" } else { "a pipe or a device" };
        Err(Problem::new(format!("this is {what}"))
            .file(&self.name)
            .fix("name a file on disk; it is read more than once")
            .into())
    }
}

/// Reads until the buffer is full or the input ends.
pub(crate) fn read_full(reader: &mut impl Read, mut buffer: &mut [u8]) -> io::Result<usize> {
    let wanted = buffer.len();
    while !buffer.is_empty() {
        match reader.read(buffer) {
            Ok(0) => break,
            Ok(n) => buffer = &mut buffer[n..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(wanted - buffer.len())
}

/// A digest that grows while its reader is read elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Digest(Arc<Mutex<Xxh3Default>>);

impl Digest {
    pub(crate) fn value(&self) -> u64 {
        self.0.lock().expect("no reader panicked").digest()
    }
}

struct Hashing {
    reader: Box<dyn Read + Send>,
    digest: Digest,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.digest.0.lock().expect("no reader panicked").update(&buffer[..n]);
        Ok(n)
    }
}

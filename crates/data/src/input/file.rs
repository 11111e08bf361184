//! One file: its bytes as they are, with a digest of what was read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::{Buf, Bytes};
use haggle_model::{Problem, Progress, Silent};
use xxhash_rust::xxh3::Xxh3Default;

use crate::frames::{Frame, FrameBytes};
use crate::input::stamp::Stamp;
use crate::{Database, Error};

/// One of the files that a table is made of.
#[derive(Debug, Clone)]
pub struct InputFile {
    name: PathBuf,
    /// Its bytes, if it is not on disk.
    memory: Option<Bytes>,
    /// The table that its bytes come from, if it is not a file.
    database: Option<Database>,
    /// The frame that its records come from, if it is not a file.
    frame: Option<Frame>,
}

/// A file open for random access.
#[derive(Debug)]
pub(crate) enum Raw {
    Disk(File),
    Memory(Bytes),
}

impl InputFile {
    pub(crate) fn on_disk(name: PathBuf) -> Self {
        Self { name, memory: None, database: None, frame: None }
    }

    pub(crate) fn in_memory(name: PathBuf, bytes: Bytes) -> Self {
        Self { name, memory: Some(bytes), database: None, frame: None }
    }

    pub(crate) fn in_database(database: Database) -> Self {
        let name = database.name().to_owned();
        Self { name, memory: Some(Bytes::new()), database: Some(database), frame: None }
    }

    #[cfg(feature = "frames")]
    pub(crate) fn in_frame(name: PathBuf, frame: Frame) -> Self {
        Self { name, memory: Some(Bytes::new()), database: None, frame: Some(frame) }
    }

    /// Returns the frame, if this is not a file.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// Returns the table of a database, if this is not a file.
    pub(crate) fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// The name in messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// How many bytes there are, packed as they are.
    pub fn bytes(&self) -> Result<u64, Error> {
        if let Some(frame) = &self.frame {
            return Ok(FrameBytes::of(frame).left());
        }
        match &self.memory {
            Some(bytes) => Ok(bytes.len() as u64),
            None => Ok(std::fs::metadata(&self.name).map_err(Error::io(&self.name))?.len()),
        }
    }

    /// Returns what the file system says of the file's last change, if it is on disk.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        if self.memory.is_some() {
            return None;
        }
        Stamp::of(&std::fs::metadata(&self.name).ok()?)
    }

    /// All bytes, packed as they are.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.stream(&Silent)?.0.read_to_end(&mut bytes).map_err(Error::io(&self.name))?;
        Ok(bytes)
    }

    /// Opens the bytes, packed as they are.
    pub fn reader(&self) -> Result<impl Read + Send + use<>, Error> {
        Ok(self.stream(&Silent)?.0)
    }

    /// The seal of all bytes.
    pub(crate) fn seal(&self) -> Result<Seal, Error> {
        let (mut reader, hash) = self.stream(&Silent)?;
        io::copy(&mut reader, &mut io::sink()).map_err(Error::io(&self.name))?;
        Ok(hash.seal())
    }

    /// Whether its text begins with these bytes.
    pub(crate) fn starts_with(&self, magic: &[u8]) -> Result<bool, Error> {
        let mut start = vec![0; magic.len()];
        let mut stream = self.stream(&Silent)?.0.take(magic.len() as u64);
        let n = read_full(&mut stream, &mut start).map_err(Error::io(self.name()))?;
        Ok(start[..n] == *magic)
    }

    pub(crate) fn raw(&self) -> Result<Raw, Error> {
        match &self.memory {
            Some(bytes) => Ok(Raw::Memory(bytes.clone())),
            None => self.regular_file().map(Raw::Disk),
        }
    }

    /// The bytes from first to last, and their seal once all were read. A database ends when `progress`
    /// is cancelled.
    pub(crate) fn stream<'p>(
        &self,
        progress: &'p dyn Progress,
    ) -> Result<(impl Read + Send + use<'p>, Hash), Error> {
        let reader: Box<dyn Read + Send + 'p> = match self.raw()? {
            _ if self.database.is_some() => {
                let database = self.database.as_ref().expect("it was just checked");
                database.records(progress)?
            }
            Raw::Memory(_) if self.frame.is_some() => {
                Box::new(FrameBytes::of(self.frame.as_ref().expect("it was just checked")))
            }
            Raw::Memory(bytes) => Box::new(bytes.reader()),
            Raw::Disk(file) => Box::new(file),
        };
        let hash = Hash::default();
        Ok((Hashing { reader, hash: hash.clone() }, hash))
    }

    /// Opens the file after checking its type: opening a pipe would wait for its writer.
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

/// What was read of a file: how many bytes, and their digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) bytes: u64,
    pub(crate) digest: u64,
}

/// A digest that grows while its reader is read elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Hash(Arc<Mutex<(u64, Xxh3Default)>>);

impl Seal {
    /// Of a table in a database, which has no bytes of its own: its groups are compared instead.
    pub(crate) const NONE: Self = Self { bytes: 0, digest: 0 };
}

impl Hash {
    /// How much was read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.lock().expect("no reader panicked").0
    }

    pub(crate) fn seal(&self) -> Seal {
        let (bytes, digest) = &*self.0.lock().expect("no reader panicked");
        Seal { bytes: *bytes, digest: digest.digest() }
    }
}

struct Hashing<'p> {
    reader: Box<dyn Read + Send + 'p>,
    hash: Hash,
}

impl Read for Hashing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        let (bytes, digest) = &mut *self.hash.0.lock().expect("no reader panicked");
        *bytes += n as u64;
        digest.update(&buffer[..n]);
        Ok(n)
    }
}

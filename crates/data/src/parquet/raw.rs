//! Any part of a file, as the Parquet library asks for it.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::input::Raw;

impl Length for Raw {
    fn len(&self) -> u64 {
        match self {
            Self::Disk(file) => file.metadata().map_or(0, |metadata| metadata.len()),
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Raw {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        within(start, 0, self.len())?;
        Ok(match self {
            Self::Disk(file) => Box::new(BufReader::new(from(file, start)?)),
            Self::Memory(bytes) => Box::new(bytes.slice(start as usize..).reader()),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        within(start, length as u64, self.len())?;
        match self {
            Self::Disk(file) => {
                let mut bytes = vec![0; length];
                from(file, start)?.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            Self::Memory(bytes) => Ok(bytes.slice(start as usize..start as usize + length)),
        }
    }
}

/// Checked before memory is asked for: a damaged file may name any length.
fn within(start: u64, length: u64, all: u64) -> Result<()> {
    match start.checked_add(length) {
        Some(end) if end <= all => Ok(()),
        _ => Err(ParquetError::EOF("it points behind its end".into())),
    }
}

/// All handles share one position, so one thread at a time may read.
fn from(file: &File, start: u64) -> std::io::Result<File> {
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(start))?;
    Ok(file)
}

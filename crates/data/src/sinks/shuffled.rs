//! Records in a random order, with memory that does not grow: scattered over temporary files, each
//! of which is then small enough to be shuffled in memory.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{AsRows, Chunk, Encoder, Rows, Sink};
use crate::Error;

/// How many temporary files the records are scattered over.
const PILES: usize = 64;
/// Records of one pile are handed on in chunks of this many.
const HANDED_ON: usize = 10_000;

/// Shuffles what it is given and hands it on to another sink.
pub struct Shuffled<'s> {
    sink: Box<dyn Sink + 's>,
    random: StdRng,
    piles: Vec<BufWriter<File>>,
}

impl<'s> Shuffled<'s> {
    /// A shuffle that is always the same for the same seed and the same records.
    pub fn new(sink: Box<dyn Sink + 's>, seed: u64) -> Result<Self, Error> {
        let pile = |_| tempfile::tempfile().map(BufWriter::new);
        let piles: Result<Vec<_>, _> = (0..PILES).map(pile).collect();
        let piles = piles.map_err(Error::io(&std::env::temp_dir()))?;
        Ok(Self { sink, random: StdRng::seed_from_u64(seed), piles })
    }

    fn scatter(&mut self, rows: &Rows) -> std::io::Result<()> {
        for position in 0..rows.len() {
            let pile = &mut self.piles[self.random.random_range(0..PILES)];
            let fields = rows.record(position);
            pile.write_all(&(fields.len() as u32).to_le_bytes())?;
            for field in fields {
                pile.write_all(&(field.len() as u32).to_le_bytes())?;
                pile.write_all(field.as_bytes())?;
            }
        }
        Ok(())
    }
}

impl Sink for Shuffled<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(AsRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        let Chunk::Rows(rows) = chunk else { return self.sink.write(chunk) };
        self.scatter(&rows).map_err(Error::io(&std::env::temp_dir()))
    }

    fn finish(&mut self) -> Result<(), Error> {
        let encoder = self.sink.encoder();
        for pile in std::mem::take(&mut self.piles) {
            let mut records = gather(pile).map_err(Error::io(&std::env::temp_dir()))?;
            records.shuffle(&mut self.random);
            for some in records.chunks(HANDED_ON) {
                self.sink.write(encoder.encode(rows(some))?)?;
            }
        }
        self.sink.finish()
    }
}

fn rows(records: &[Vec<String>]) -> Rows {
    let mut rows = Rows::default();
    for record in records {
        for field in record {
            rows.field(field);
        }
        rows.end();
    }
    rows
}

/// The records of a pile, in the order they came.
fn gather(pile: BufWriter<File>) -> std::io::Result<Vec<Vec<String>>> {
    let mut file = pile.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    file.rewind()?;
    let mut reader = BufReader::new(file);
    let mut records = Vec::new();
    while let Some(fields) = number(&mut reader)? {
        let field = |_| text(&mut reader);
        records.push((0..fields).map(field).collect::<Result<Vec<String>, _>>()?);
    }
    Ok(records)
}

fn number(reader: &mut impl Read) -> std::io::Result<Option<u32>> {
    let mut bytes = [0; 4];
    match reader.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn text(reader: &mut impl Read) -> std::io::Result<String> {
    let length = number(reader)?.unwrap_or(0);
    let mut bytes = vec![0; length as usize];
    reader.read_exact(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

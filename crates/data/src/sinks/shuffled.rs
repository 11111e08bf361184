//! Records in a random order, with memory that does not grow: as many as fit are shuffled in memory;
//! where there are more, all are scattered over temporary files, each of which is then shuffled.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::{AsRows, Chunk, Encoder, Sink, TextRows};
use crate::Error;

/// How many temporary files records are scattered over.
const PILES: usize = 64;
/// Records are handed on in chunks of this many.
const CHUNK_RECORDS: usize = 10_000;
/// A pile that is still too large is scattered again, at most this many times.
const MAX_DEPTH: u32 = 3;

/// Shuffles what it is given and hands it on to another sink.
pub struct Shuffled<'s> {
    sink: Box<dyn Sink + 's>,
    random: StdRng,
    /// Bytes of records that may be held in memory.
    memory: usize,
    held: HeldRecords,
    /// None as long as all records fit into memory.
    piles: Option<Piles>,
}

impl<'s> Shuffled<'s> {
    /// A shuffle that is always the same for the same seed, records and memory. `memory` is how many
    /// bytes of records are shuffled at once.
    pub fn new(sink: Box<dyn Sink + 's>, seed: u64, memory: usize) -> Self {
        let (random, held) = (StdRng::seed_from_u64(seed), HeldRecords::default());
        Self { sink, random, memory, held, piles: None }
    }

    fn take(&mut self, rows: TextRows) -> Result<(), Error> {
        if let Some(piles) = &mut self.piles {
            return piles.scatter(&rows, &mut self.random).map_err(no_room);
        }
        self.held.push(rows);
        if self.held.bytes <= self.memory {
            return Ok(());
        }
        let mut piles = Piles::new().map_err(no_room)?;
        for rows in std::mem::take(&mut self.held).rows {
            piles.scatter(&rows, &mut self.random).map_err(no_room)?;
        }
        self.piles = Some(piles);
        Ok(())
    }

    /// Hands on what is held in memory, in a random order.
    fn hand_on(&mut self, held: &HeldRecords) -> Result<(), Error> {
        let encoder = self.sink.encoder();
        let order = held.shuffled(&mut self.random);
        for some in order.chunks(CHUNK_RECORDS * rayon::current_num_threads()) {
            let encode = |places: &[(u32, u32)]| encoder.encode(held.picked(places));
            let chunks: Result<Vec<Chunk>, Error> =
                some.par_chunks(CHUNK_RECORDS).map(encode).collect();
            chunks?.into_iter().try_for_each(|chunk| self.sink.write(chunk))?;
        }
        Ok(())
    }

    /// Hands on what is in piles; those that do not fit into memory are scattered again.
    fn hand_on_piles(&mut self, piles: Piles, depth: u32) -> Result<(), Error> {
        for pile in piles.0 {
            let (file, bytes) = begin(pile).map_err(no_room)?;
            if bytes <= self.memory as u64 || depth == MAX_DEPTH {
                let held = gather(file).map_err(no_room)?;
                self.hand_on(&held)?;
                continue;
            }
            let mut smaller = Piles::new().map_err(no_room)?;
            let scatter = |rows: TextRows| smaller.scatter(&rows, &mut self.random);
            each_chunk(file, scatter).map_err(no_room)?;
            self.hand_on_piles(smaller, depth + 1)?;
        }
        Ok(())
    }
}

impl Sink for Shuffled<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(AsRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        match chunk {
            Chunk::Rows(rows) => self.take(rows),
            encoded @ Chunk::Bytes(_) => self.sink.write(encoded),
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        let held = std::mem::take(&mut self.held);
        match self.piles.take() {
            Some(piles) => self.hand_on_piles(piles, 1)?,
            None => self.hand_on(&held)?,
        }
        self.sink.finish()
    }
}

/// Temporary files are where the system keeps them.
fn no_room(error: std::io::Error) -> Error {
    Error::io(&std::env::temp_dir())(error)
}

/// Records in memory, in the blocks that they came in.
#[derive(Default)]
struct HeldRecords {
    rows: Vec<TextRows>,
    bytes: usize,
}

impl HeldRecords {
    fn push(&mut self, rows: TextRows) {
        self.bytes += rows.bytes();
        self.rows.push(rows);
    }

    /// The block and the position of every record, in a random order.
    fn shuffled(&self, random: &mut StdRng) -> Vec<(u32, u32)> {
        let of = |(block, rows): (usize, &TextRows)| {
            (0..rows.len() as u32).map(move |position| (block as u32, position))
        };
        let mut order: Vec<(u32, u32)> = self.rows.iter().enumerate().flat_map(of).collect();
        order.shuffle(random);
        order
    }

    /// The records at these places.
    fn picked(&self, places: &[(u32, u32)]) -> TextRows {
        let mut picked = TextRows::default();
        for &(block, position) in places {
            for field in self.rows[block as usize].record(position as usize) {
                picked.field(field);
            }
            picked.end();
        }
        picked
    }
}

/// Unnamed temporary files, removed with the process.
struct Piles(Vec<BufWriter<File>>);

impl Piles {
    fn new() -> std::io::Result<Self> {
        let pile = |_| tempfile::tempfile().map(BufWriter::new);
        (0..PILES).map(pile).collect::<Result<_, _>>().map(Self)
    }

    /// Writes each record to one of the files.
    fn scatter(&mut self, rows: &TextRows, random: &mut StdRng) -> std::io::Result<()> {
        for position in 0..rows.len() {
            let pile = &mut self.0[random.random_range(0..PILES)];
            let fields = rows.record(position);
            pile.write_all(&(fields.len() as u64).to_le_bytes())?;
            for field in fields {
                pile.write_all(&(field.len() as u64).to_le_bytes())?;
                pile.write_all(field.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// A pile from its beginning, and how many bytes it has.
fn begin(pile: BufWriter<File>) -> std::io::Result<(File, u64)> {
    let mut file = pile.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    let bytes = file.stream_position()?;
    file.rewind()?;
    Ok((file, bytes))
}

/// The records of a pile, in the order they came.
fn gather(file: File) -> std::io::Result<HeldRecords> {
    let mut held = HeldRecords::default();
    each_chunk(file, |rows| {
        held.push(rows);
        Ok(())
    })?;
    Ok(held)
}

/// Visits the records of a pile, some at a time.
fn each_chunk(
    file: File,
    mut visit: impl FnMut(TextRows) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut rows, mut text) = (TextRows::default(), Vec::new());
    while let Some(fields) = number(&mut reader)? {
        for _ in 0..fields {
            let length = number(&mut reader)?.unwrap_or(0);
            text.resize(length as usize, 0);
            reader.read_exact(&mut text)?;
            rows.field(&String::from_utf8_lossy(&text));
        }
        rows.end();
        if rows.len() == CHUNK_RECORDS || rows.bytes() > 1 << 20 {
            visit(std::mem::take(&mut rows))?;
        }
    }
    visit(rows)
}

fn number(reader: &mut impl Read) -> std::io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    match reader.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u64::from_le_bytes(bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/shuffled.rs"]
mod tests;

//! The lattice as bytes: a magic word, a version, a checksum, and everything needed to answer.

use std::sync::Arc;

use haggle_model::{Problem, Scheme};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::lattices::consistency;
use crate::lattices::joined::{Classes, StoredClasses};
use crate::{Column, Cube, Error, FullLattice, Histograms, PartialLattice, StatisticTable};

const MAGIC: &[u8; 8] = b"HAGGLELT";
/// Increased whenever the meaning of the bytes changes; other versions are refused.
const VERSION: u32 = 6;
const HEADER: usize = MAGIC.len() + 4 + 8 + 8;

#[derive(Serialize)]
struct StoredForm<'a> {
    cube: &'a Cube,
    columns: Vec<&'a Column>,
    histograms: Vec<&'a Histograms>,
    /// What joins several of the columns.
    classes: Option<StoredClasses<'a>>,
    /// The schemes annotated, if not all are.
    schemes: Option<Vec<&'a Scheme>>,
    note: &'a [u8],
}

/// What a lattice file holds: a note, and a lattice of all schemes or of some.
#[derive(Debug, Deserialize)]
pub struct DecodedLattice {
    cube: Cube,
    columns: Vec<Column>,
    histograms: Vec<Histograms>,
    classes: Option<Classes>,
    schemes: Option<Vec<Scheme>>,
    note: Vec<u8>,
}

impl DecodedLattice {
    /// Returns the note of the program that wrote the file.
    pub fn note(&self) -> &[u8] {
        &self.note
    }

    /// Returns whether only some schemes are annotated.
    pub fn is_partial(&self) -> bool {
        self.schemes.is_some()
    }

    /// Builds the lattice of all schemes; an error if it has only some.
    pub fn full(self) -> Result<FullLattice, Error> {
        let Self { cube, columns, histograms, classes, schemes: None, .. } = self else {
            return Err(inconsistent());
        };
        FullLattice::from_parts(cube, columns, histograms, classes).ok_or_else(inconsistent)
    }

    /// Builds the lattice of some schemes; an error if it has all of them.
    pub fn partial(self) -> Result<PartialLattice, Error> {
        let Self { cube, columns, histograms, schemes: Some(schemes), .. } = self else {
            return Err(inconsistent());
        };
        PartialLattice::from_parts(cube, columns, histograms, &schemes).ok_or_else(inconsistent)
    }
}

fn inconsistent() -> Error {
    Problem::new("the lattice file is inconsistent").fix("build the lattice again").into()
}

/// Encodes a lattice as the bytes of a file. `note` belongs to the caller and is returned by
/// [`DecodedLattice::note`].
pub fn encode(lattice: &FullLattice, note: &[u8]) -> Vec<u8> {
    let classes = lattice.joined().and_then(|joined| joined.stored(lattice.tables()));
    written(lattice.cube(), lattice.tables(), classes, None, note)
}

/// Encodes a partial lattice in the same way.
pub fn encode_partial(lattice: &PartialLattice, note: &[u8]) -> Vec<u8> {
    written(lattice.cube(), lattice.tables(), None, Some(lattice.schemes().collect()), note)
}

fn written(
    cube: &Cube,
    tables: &[Arc<StatisticTable>],
    classes: Option<StoredClasses<'_>>,
    schemes: Option<Vec<&Scheme>>,
    note: &[u8],
) -> Vec<u8> {
    let written = StoredForm {
        cube,
        columns: tables.iter().map(|table| table.column()).collect(),
        histograms: tables.iter().map(|table| table.stored()).collect(),
        classes,
        schemes,
        note,
    };
    let body = postcard::to_stdvec(&written).expect("plain data can always be written to memory");
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(xxh3_64(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Decodes a file's bytes; anything but a lattice and a note is refused with the reason.
pub fn decode(bytes: &[u8]) -> Result<DecodedLattice, Error> {
    let decoded: DecodedLattice = postcard::from_bytes(body(bytes)?).map_err(|_| inconsistent())?;
    if consistency::is_consistent(&decoded.cube) { Ok(decoded) } else { Err(inconsistent()) }
}

fn body(bytes: &[u8]) -> Result<&[u8], Error> {
    let refuse = |why: String| Err(Problem::new(why).into());
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return refuse("this is not a lattice file of haggle".into());
    };
    let Some((header, body)) = rest.split_at_checked(HEADER - MAGIC.len()) else {
        return refuse("the lattice file is cut off within its header".into());
    };
    let version = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
    let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("8 bytes"));
    if version != VERSION {
        return refuse(format!(
            "the lattice file has version {version}; this haggle reads {VERSION}"
        ));
    }
    if number(4) != body.len() as u64 {
        let (has, should) = (body.len(), number(4));
        return refuse(format!(
            "the lattice file is cut off or has grown: {has} bytes for {should}"
        ));
    }
    if number(12) != xxh3_64(body) {
        return refuse("the lattice file is damaged: its checksum does not match".into());
    }
    Ok(body)
}

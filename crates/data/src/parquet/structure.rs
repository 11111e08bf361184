//! The structure of Parquet's metadata, checked before the library reads it.
//!
//! The library skips fields that it does not know and takes no byte for a boolean in a list, so that a
//! file of forty bytes can claim thousands of millions of them; and it does not look at the declared
//! type of a field that it knows. Here known fields must have their types, and what is unknown may claim
//! so much only.

use std::io::{self, Read};

/// How many elements that take no byte the metadata may claim: some, and some more for every byte that
/// was read.
const CLAIMED_FREE: u64 = 1 << 10;
const CLAIMED_PER_BYTE: u64 = 8;
const ANOTHER_TYPE: &str = "a field of its metadata is of another type than it must be";
/// As deep as the library skips.
const DEEPEST: u8 = 64;

#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    Boolean,
    Byte,
    I16,
    I32,
    I64,
    Double,
    Binary,
    List(&'static Type),
    Struct(KnownFields),
}

/// The fields of a structure that the library reads; it skips all others.
pub(super) type KnownFields = &'static [(i16, Type)];

use Type::{Binary, Boolean, Byte, Double, I16, I32, I64, List, Struct};

// As Thrift's compact protocol numbers the types. True and false are 1 and 2.
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

impl Type {
    fn code(self) -> u8 {
        match self {
            Boolean => 2,
            Byte => 3,
            I16 => 4,
            I32 => 5,
            I64 => 6,
            Double => 7,
            Binary => 8,
            List(_) => LIST,
            Struct(_) => STRUCT,
        }
    }
}

const NONE: Type = Struct(&[]);
const UNIT: Type = Struct(&[(1, NONE), (2, NONE), (3, NONE)]);
const TIME: Type = Struct(&[(1, Boolean), (2, UNIT)]);

const LOGICAL_TYPE: Type = Struct(&[
    (1, NONE),
    (2, NONE),
    (3, NONE),
    (4, NONE),
    (5, Struct(&[(1, I32), (2, I32)])),
    (6, NONE),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Boolean)])),
    (11, NONE),
    (12, NONE),
    (13, NONE),
    (14, NONE),
    (15, NONE),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Binary)])),
    (18, Struct(&[(1, Binary), (2, I32)])),
]);

const COLUMN_OF_SCHEMA: Type = Struct(&[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, Binary),
    (5, I32),
    (6, I32),
    (7, I32),
    (8, I32),
    (9, I32),
    (10, LOGICAL_TYPE),
]);

const STATISTICS: Type = Struct(&[
    (1, Binary),
    (2, Binary),
    (3, I64),
    (4, I64),
    (5, Binary),
    (6, Binary),
    (7, Boolean),
    (8, Boolean),
]);

const BOX: Type = Struct(&[
    (1, Double),
    (2, Double),
    (3, Double),
    (4, Double),
    (5, Double),
    (6, Double),
    (7, Double),
    (8, Double),
]);

const KEY_AND_VALUE: Type = Struct(&[(1, Binary), (2, Binary)]);

const COLUMN: Type = Struct(&[
    (1, I32),
    (2, List(&I32)),
    (3, List(&Binary)),
    (4, I32),
    (5, I64),
    (6, I64),
    (7, I64),
    (8, List(&KEY_AND_VALUE)),
    (9, I64),
    (10, I64),
    (11, I64),
    (12, STATISTICS),
    (13, List(&Struct(&[(1, I32), (2, I32), (3, I32)]))),
    (14, I64),
    (15, I32),
    (16, Struct(&[(1, I64), (2, List(&I64)), (3, List(&I64))])),
    (17, Struct(&[(1, BOX), (2, List(&I32))])),
]);

const CHUNK: Type =
    Struct(&[(1, Binary), (2, I64), (3, COLUMN), (4, I64), (5, I32), (6, I64), (7, I32)]);

const ROW_GROUP: Type = Struct(&[
    (1, List(&CHUNK)),
    (2, I64),
    (3, I64),
    (4, List(&Struct(&[(1, I32), (2, Boolean), (3, Boolean)]))),
    (5, I64),
    (6, I64),
    (7, I16),
]);

/// What stands at the end of a file.
pub(super) const FOOTER: KnownFields = &[
    (1, I32),
    (2, List(&COLUMN_OF_SCHEMA)),
    (3, I64),
    (4, List(&ROW_GROUP)),
    (5, List(&KEY_AND_VALUE)),
    (6, Binary),
    (7, List(&Struct(&[(1, NONE)]))),
];

/// What stands before a page.
pub(super) const PAGE_HEADER: KnownFields = &[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, I32),
    (5, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, STATISTICS)])),
    (6, NONE),
    (7, Struct(&[(1, I32), (2, I32), (3, Boolean)])),
    (
        8,
        Struct(&[
            (1, I32),
            (2, I32),
            (3, I32),
            (4, I32),
            (5, I32),
            (6, I32),
            (7, Boolean),
            (8, STATISTICS),
        ]),
    ),
];

/// An error unless such a structure can be read from here to its end at a cost in keeping with its bytes.
pub(super) fn check(read: impl Read, structure: KnownFields) -> io::Result<()> {
    Walk { read, taken: 0, claimed: 0 }.fields(structure, DEEPEST)
}

/// A walk through what is written in Thrift's compact protocol, as the library takes it.
struct Walk<R> {
    read: R,
    /// Bytes read so far.
    taken: u64,
    /// Elements claimed so far that take no byte.
    claimed: u64,
}

impl<R: Read> Walk<R> {
    fn fields(&mut self, known: KnownFields, depth: u8) -> io::Result<()> {
        let mut last = 0_i16;
        loop {
            let head = self.byte()?;
            let (declared, step) = (head & 0xf, i16::from(head >> 4));
            if declared == 0 {
                return Ok(());
            }
            let id = if step == 0 { Some(self.signed()? as i16) } else { last.checked_add(step) };
            last = id.ok_or_else(|| invalid("its metadata has too many fields"))?;
            match known.iter().find(|(id, _)| *id == last) {
                Some((_, kind)) => self.known(kind, declared, depth)?,
                None => self.unknown(declared, depth)?,
            }
        }
    }

    /// What the library reads by the type that it expects.
    fn known(&mut self, kind: &Type, declared: u8, depth: u8) -> io::Result<()> {
        match kind {
            Boolean if matches!(declared, 1 | 2) => Ok(()),
            _ if declared != kind.code() => Err(invalid(ANOTHER_TYPE)),
            List(element) => {
                let (kind, length) = self.list()?;
                (0..length).try_for_each(|_| self.known(element, kind, depth))
            }
            Struct(fields) => self.fields(fields, depth),
            _ => self.unknown(declared, depth),
        }
    }

    /// What the library skips by the type that is declared.
    fn unknown(&mut self, declared: u8, depth: u8) -> io::Result<()> {
        let depth =
            depth.checked_sub(1).ok_or_else(|| invalid("its metadata is nested too deep"))?;
        match declared {
            1 | 2 => Ok(()),
            3 => self.skip(1),
            4..=6 => self.unsigned().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.unsigned()?;
                self.skip(length)
            }
            LIST | SET => {
                let (kind, length) = self.list()?;
                self.elements(&[kind], length, depth)
            }
            MAP => match self.unsigned()? {
                0 => Ok(()),
                length => {
                    let kinds = self.byte()?;
                    self.elements(&[kinds >> 4, kinds & 0xf], length, depth)
                }
            },
            STRUCT => self.fields(&[], depth),
            UUID => self.skip(16),
            _ => Err(invalid("a field of its metadata is of a type that does not exist")),
        }
    }

    fn elements(&mut self, kinds: &[u8], length: u64, depth: u8) -> io::Result<()> {
        // Claimed together, so that not even counting them takes long.
        if kinds.iter().all(|kind| matches!(kind, 1 | 2)) {
            return self.claim(length);
        }
        for _ in 0..length {
            kinds.iter().try_for_each(|&kind| self.unknown(kind, depth))?;
        }
        Ok(())
    }

    /// The type of a list's elements, and how many there are.
    fn list(&mut self) -> io::Result<(u8, u64)> {
        let head = self.byte()?;
        let length = if head >> 4 == 0xf { self.unsigned()? } else { u64::from(head >> 4) };
        Ok((head & 0xf, length))
    }

    fn claim(&mut self, elements: u64) -> io::Result<()> {
        self.claimed = self.claimed.saturating_add(elements);
        if self.claimed > CLAIMED_FREE + CLAIMED_PER_BYTE * self.taken {
            return Err(invalid("its metadata claims more values than it can hold"));
        }
        Ok(())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.read.read_exact(&mut byte)?;
        self.taken += 1;
        Ok(byte[0])
    }

    fn unsigned(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(invalid("a number of its metadata is too long"))
    }

    fn signed(&mut self) -> io::Result<i64> {
        let number = self.unsigned()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.read.by_ref().take(bytes), &mut io::sink())?;
        self.taken += skipped;
        if skipped == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn refused(metadata: &[u8]) -> String {
        check(metadata, FOOTER).unwrap_err().to_string()
    }

    /// A field that is not known: a list of booleans, as many as the bytes say.
    fn booleans(more: &[u8]) -> Vec<u8> {
        [&[0xf9, 0xf1], more].concat()
    }

    #[test]
    fn values_that_take_no_byte_cannot_be_claimed_in_any_number() {
        let some = [booleans(&[0xff, 0x07]), vec![0]].concat();
        assert!(check(&some[..], FOOTER).is_ok());
        let many = booleans(&[0xff, 0xff, 0xff, 0xff, 0x07]);
        assert_snapshot!(refused(&many), @"its metadata claims more values than it can hold");
        // In a map, in a structure in a list, and some at a time.
        assert_eq!(refused(&[0xfb, 0xff, 0xff, 0x7f, 0x11]), refused(&many));
        let within = [&[0xf9, 0x1c][..], &many].concat();
        assert_eq!(refused(&within), refused(&many));
        let often = booleans(&[0xff, 0x07]).repeat(9);
        assert_eq!(refused(&often), refused(&many));
    }

    #[test]
    fn nothing_hides_behind_a_known_field_of_another_type() {
        // The number of records as text: the library would take its length for the number.
        let hidden = [&[0x38, 0x05][..], &booleans(&[0xff, 0x7f]), &[0]].concat();
        assert_eq!(refused(&hidden), ANOTHER_TYPE);
        let in_a_list = [0x29, 0x15, 0x02];
        assert_eq!(refused(&in_a_list), ANOTHER_TYPE);
    }

    #[test]
    fn what_ends_too_soon_or_nests_too_deep_is_refused() {
        assert!(check(&[0x15][..], FOOTER).is_err());
        assert!(check(&[0xf8, 0x7f, 1, 2][..], FOOTER).is_err());
        assert_snapshot!(refused(&[0xfc; 100]), @"its metadata is nested too deep");
        assert_snapshot!(refused(&[[0x15].as_slice(), &[0xff; 12]].concat()), @"a number of its metadata is too long");
    }
}

//! Valid files with damage: what parsers must refuse without panicking.

/// Makes damaged copies of a file, always the same ones.
///
/// ```
/// use haggle_testkit::mutate::Damage;
///
/// let mut damage = Damage::new(7);
/// let copy = damage.of(b"[data]\npath = \"table.csv\"\n");
/// assert_eq!(copy, Damage::new(7).of(b"[data]\npath = \"table.csv\"\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Damage(u64);

/// Pieces that are known to break parsers.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\"",
    b"'",
    b"\n",
    b"\r",
    b";",
    b",",
    b"=",
    b"[",
    b"]",
    b"{",
    b"}",
    b"*",
    b"-",
    b"0",
    b"-1",
    b"1e309",
    b"NaN",
    b"inf",
    b"18446744073709551616",
    b"%",
    b"#",
    b"\xf0\x9f\x8e\xb2",
    b"\\u0000",
    b"[[attribute]]",
    b"true",
    b"null",
    b".",
    b"..",
    b"/",
];

/// Numbers at the edges of what types hold.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775808",
    "0.1",
    "1.5",
    "1e-320",
    "1e308",
    "00",
];

impl Damage {
    /// Damage that is the same for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    /// A damaged copy that may also have pieces of another file, and other numbers and lines.
    pub fn crossed(&mut self, valid: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = valid.to_vec();
        for _ in 0..=self.below(3) {
            match self.below(6) {
                0 => self.take_from(&mut bytes, other),
                1 => self.change_number(&mut bytes),
                2 => self.swap_lines(&mut bytes),
                _ => self.once(&mut bytes),
            }
        }
        bytes
    }

    /// Replaces a piece by one of another file.
    fn take_from(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (at, from) = (self.below(bytes.len() + 1), self.below(other.len() + 1));
        let end = (at + self.below(40)).min(bytes.len());
        let piece = &other[from..(from + self.below(40)).min(other.len())];
        bytes.splice(at..end, piece.iter().copied());
    }

    /// Writes another number where there is one.
    fn change_number(&mut self, bytes: &mut Vec<u8>) {
        let from = self.below(bytes.len() + 1);
        let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit) else { return };
        let start = from + start;
        let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(start..start + digits, number.bytes());
    }

    fn swap_lines(&mut self, bytes: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let (one, other) = (self.below(lines.len()), self.below(lines.len()));
        if one < lines.len() && other < lines.len() {
            lines.swap(one, other);
        }
        *bytes = lines.concat();
    }

    /// A copy with one to four things changed: bytes flipped, pieces cut, doubled, moved, put in.
    pub fn of(&mut self, valid: &[u8]) -> Vec<u8> {
        let mut bytes = valid.to_vec();
        for _ in 0..=self.below(4) {
            self.once(&mut bytes);
        }
        bytes
    }

    fn once(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(40)).min(bytes.len());
        match self.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            3 => bytes.truncate(at),
            _ => {
                let piece = PIECES[self.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
}

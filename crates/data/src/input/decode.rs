//! Text in any encoding as UTF-8, while it is read; letters are never replaced silently.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, UTF_8};
use haggle_model::{Problem, Progress};

use super::file::{Hash, InputFile, read_full};
use super::lines::count_lines;
use super::unpack::unpacked;
use crate::Error;

/// How much is decoded at once.
const CHUNK: usize = 1 << 16;

/// How letters are written as bytes.
///
/// ```
/// use haggle_data::Encoding;
/// let encoding: Encoding = "latin1".parse()?;
/// assert_eq!(encoding.to_string(), "windows-1252");
/// # Ok::<(), haggle_data::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl FromStr for Encoding {
    type Err = Error;

    /// The encoding of a name such as `utf-8`, `windows-1252`, `iso-8859-15` or `utf-16`.
    fn from_str(name: &str) -> Result<Self, Error> {
        match encoding_rs::Encoding::for_label_no_replacement(name.as_bytes()) {
            Some(encoding) => Ok(Self(encoding)),
            None => Err(Problem::new(format!("the encoding '{name}' is unknown"))
                .fix("name one such as \"utf-8\", \"windows-1252\", \"iso-8859-15\", \"utf-16\", \"shift_jis\"")
                .into()),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name().to_lowercase())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl InputFile {
    /// The file as UTF-8 text without a byte-order mark, unpacked if need be. A mark decides the
    /// encoding, then what is stated; otherwise it is UTF-8, and the caller checks it.
    pub(crate) fn text<'p>(
        &self,
        stated: Option<Encoding>,
        progress: &'p dyn Progress,
    ) -> Result<(Box<dyn Read + Send + 'p>, Hash), Error> {
        let (raw, hash) = self.stream(progress)?;
        let text = unpacked(raw).and_then(|bytes| decoded(bytes, stated));
        Ok((text.map_err(Error::io(self.name()))?, hash))
    }
}

fn decoded<'p>(
    mut bytes: Box<dyn Read + Send + 'p>,
    stated: Option<Encoding>,
) -> io::Result<Box<dyn Read + Send + 'p>> {
    let mut start = [0; 4];
    let n = read_full(&mut bytes, &mut start)?;
    let start = &start[..n];
    if start == [0xff, 0xfe, 0, 0] || start == [0, 0, 0xfe, 0xff] {
        let problem = Problem::new("the file is written in UTF-32");
        return Err(io::Error::from(problem.fix("save it as UTF-8")));
    }
    let mark = encoding_rs::Encoding::for_bom(start);
    let encoding = mark.map_or(stated.map_or(UTF_8, |stated| stated.0), |(marked, _)| marked);
    let rest = start[mark.map_or(0, |(_, length)| length)..].to_vec();
    let text = io::Cursor::new(rest).chain(bytes);
    if encoding == UTF_8 {
        return Ok(Box::new(text));
    }
    Ok(Box::new(Decoding::new(text, encoding)))
}

/// A reader of UTF-8 over one of another encoding.
struct Decoding<R> {
    reader: R,
    decoder: Decoder,
    encoding: &'static encoding_rs::Encoding,
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// How much of the text was handed out.
    taken: usize,
    line: u64,
    ended: bool,
}

impl<R: Read> Decoding<R> {
    fn new(reader: R, encoding: &'static encoding_rs::Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        let most = decoder.max_utf8_buffer_length_without_replacement(CHUNK);
        Self {
            reader,
            decoder,
            encoding,
            bytes: vec![0; CHUNK],
            text: Vec::with_capacity(most.expect("a chunk is small")),
            taken: 0,
            line: 1,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let split = self.text.ends_with(b"\r");
        let n = read_full(&mut self.reader, &mut self.bytes)?;
        self.ended = n < CHUNK;
        self.taken = 0;
        self.text.resize(self.text.capacity(), 0);
        let (result, _, written) = self.decoder.decode_to_utf8_without_replacement(
            &self.bytes[..n],
            &mut self.text,
            self.ended,
        );
        self.text.truncate(written);
        // A line end that two chunks share was counted with the first.
        let shared = u64::from(split && self.text.starts_with(b"\n"));
        self.line += count_lines(&self.text) - shared;
        match result {
            DecoderResult::InputEmpty => Ok(()),
            DecoderResult::OutputFull => unreachable!("there is room for whatever a chunk holds"),
            DecoderResult::Malformed(..) => Err(self.malformed()),
        }
    }

    fn malformed(&self) -> io::Error {
        let name = self.encoding.name();
        io::Error::from(
            Problem::new(format!("bytes that are not a letter in {name}"))
                .line(self.line)
                .fix("state the encoding that the file is written in: encoding = \"…\""),
        )
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.text.len() && !self.ended {
            self.fill()?;
        }
        let n = (&self.text[self.taken..]).read(buffer)?;
        self.taken += n;
        Ok(n)
    }
}

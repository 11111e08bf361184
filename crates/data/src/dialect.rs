//! How a delimited file writes its fields, guessed from its first records unless stated.

use csv::{ByteRecord, Reader, ReaderBuilder};

/// The candidates for a separator, most common first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many records a guess looks at.
const SAMPLE: usize = 100;

/// What separates fields and what quotes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Between fields.
    pub separator: u8,
    /// Around fields that contain separators.
    pub quote: u8,
}

impl Dialect {
    /// The dialect that splits the sample most evenly; what is stated is not guessed.
    ///
    /// ```
    /// use haggle_data::Dialect;
    /// let guess = Dialect::guess(b"name;note\nAda;\"a; b\"\nBob;c, d\n", None, None);
    /// assert_eq!(guess, Dialect { separator: b';', quote: b'"' });
    /// ```
    pub fn guess(sample: &[u8], separator: Option<u8>, quote: Option<u8>) -> Self {
        let quote = quote.unwrap_or_else(|| guess_quote(sample));
        let candidates = separator.map_or(SEPARATORS.to_vec(), |stated| vec![stated]);
        let dialects = candidates.into_iter().map(|separator| Self { separator, quote });
        // `max_by_key` takes the last of equals; the most common separator shall win.
        dialects.rev().max_by_key(|dialect| dialect.evenness(sample)).expect("there is a candidate")
    }

    /// A reader of records in this dialect; every record as it is, however long.
    pub(crate) fn reader(self, bytes: &[u8]) -> Reader<&[u8]> {
        ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.separator)
            .quote(self.quote)
            .from_reader(bytes)
    }

    /// How many records have the same number of fields as the first, if that is more than one;
    /// then how many fields.
    fn evenness(self, sample: &[u8]) -> (usize, usize) {
        let fields: Vec<usize> = self.first_records(sample).map(|record| record.len()).collect();
        match fields.first() {
            Some(&first) if first > 1 => {
                (fields.iter().filter(|&&fields| fields == first).count(), first)
            }
            _ => (0, 0),
        }
    }

    fn first_records(self, sample: &[u8]) -> impl Iterator<Item = ByteRecord> {
        self.reader(sample).into_byte_records().map_while(Result::ok).take(SAMPLE)
    }
}

/// A single quote only where fields start with it and double quotes do not occur.
fn guess_quote(sample: &[u8]) -> u8 {
    let opens =
        |pair: &&[u8]| (SEPARATORS.contains(&pair[0]) || pair[0] == b'\n') && pair[1] == b'\'';
    let singles = sample.windows(2).filter(opens).count();
    if singles > 1 && !sample.contains(&b'"') { b'\'' } else { b'"' }
}

//! The format of a delimited file, guessed from its first records unless stated.

use super::dialect::DelimitedFormat;
use super::scanner::{FieldEnd, Scanner, skip_blank_lines};
use crate::CsvOptions;

/// The candidates for a separator, most common first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many records a guess reads.
const SAMPLE: usize = 100;

impl DelimitedFormat {
    /// The format that splits the sample most evenly; what is stated is not guessed.
    ///
    /// ```
    /// use haggle_data::{CsvOptions, DelimitedFormat};
    /// let sample = b"name;note\nAda;\"a; b\"\nBob;c, d\n";
    /// let guess = DelimitedFormat::guess(sample, &CsvOptions::default());
    /// assert_eq!(guess, DelimitedFormat { separator: b';', ..DelimitedFormat::default() });
    /// ```
    pub fn guess(sample: &[u8], options: &CsvOptions) -> Self {
        let quote = options.quote.unwrap_or_else(|| guess_quote(sample));
        let stated = options.separator.or_else(|| hint(sample).map(|(separator, _)| separator));
        let candidates = stated.map_or(SEPARATORS.to_vec(), |stated| vec![stated]);
        let formats = candidates.into_iter().map(|separator| {
            let escape = options.escape.or_else(|| guess_escape(sample, separator, quote));
            // A quote that escapes a quote is one that is doubled.
            Self { separator, quote, escape: escape.filter(|&escape| escape != quote) }
        });
        // `max_by_key` takes the last of equals; the most common separator shall win.
        formats.rev().max_by_key(|format| format.evenness(sample)).expect("there is a candidate")
    }

    /// How many records have the same number of fields as the first, if that is more than one;
    /// then how many fields.
    fn evenness(self, sample: &[u8]) -> (usize, usize) {
        let fields: Vec<usize> = self.field_counts(sample).take(SAMPLE).collect();
        match fields.first() {
            Some(&first) if first > 1 => {
                (fields.iter().filter(|&&fields| fields == first).count(), first)
            }
            _ => (0, 0),
        }
    }

    /// How many fields each record has.
    fn field_counts(self, sample: &[u8]) -> impl Iterator<Item = usize> {
        let scanner = Scanner::new(self);
        let mut at = hint(sample).map_or(0, |(_, end)| end);
        std::iter::from_fn(move || {
            at = skip_blank_lines(sample, at);
            let mut fields = 0;
            while at < sample.len() || fields > 0 {
                let field = scanner.field(sample, at);
                (at, fields) = (field.next, fields + 1);
                if !matches!(field.stop, FieldEnd::Separator) {
                    return Some(fields);
                }
            }
            None
        })
    }
}

/// The separator that a first line `sep=;` states for spreadsheets, and where that line ends.
pub(crate) fn hint(sample: &[u8]) -> Option<(u8, usize)> {
    match sample.strip_prefix(b"sep=")? {
        [separator, b'\r', b'\n', ..] => Some((*separator, 7)),
        [separator, b'\n' | b'\r', ..] => Some((*separator, 6)),
        _ => None,
    }
}

/// A single quote only where fields start with it and double quotes do not occur.
fn guess_quote(sample: &[u8]) -> u8 {
    let opens =
        |pair: &&[u8]| (SEPARATORS.contains(&pair[0]) || pair[0] == b'\n') && pair[1] == b'\'';
    let singles = sample.windows(2).filter(opens).count();
    if singles > 1 && !sample.contains(&b'"') { b'\'' } else { b'"' }
}

/// A backslash before a quote, where the field goes on behind: were quotes doubled, the quote
/// would have ended the field.
fn guess_escape(sample: &[u8], separator: u8, quote: u8) -> Option<u8> {
    let goes_on = |next: u8| ![separator, quote, b'\r', b'\n', b' ', b'\t'].contains(&next);
    let escapes = |w: &[u8]| w[0] == b'\\' && w[1] == quote && goes_on(w[2]);
    let opens = |w: &[u8]| (w[0] == separator || w[0] == b'\n') && w[1] == quote;
    let found = sample.windows(3).any(escapes) && sample.windows(2).any(opens);
    found.then_some(b'\\')
}

//! The lines of a text: each ends in LF, CR LF or a lone CR.

/// How many lines end within these bytes.
pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    let lone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    (feeds + memchr::memchr_iter(b'\r', bytes).filter(lone).count()) as u64
}

/// The lines on which the records of a text stand, asked for in order.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    first: u64,
    /// Where counting stands, in a text that the CSV reader takes for a single line.
    lone_returns: Option<(usize, u64)>,
}

impl<'a> Lines<'a> {
    /// The lines of a text that begins on this line.
    pub(crate) fn new(text: &'a str, first: u64) -> Self {
        let text = text.as_bytes();
        let single = memchr::memchr(b'\n', text).is_none();
        Self { text, first, lone_returns: single.then_some((0, first)) }
    }

    /// The line of a record. The CSV reader's position is the end of the record before, so line
    /// ends may lie between.
    pub(crate) fn of(&mut self, position: Option<&csv::Position>) -> u64 {
        let Some(position) = position else { return self.first };
        let at = position.byte() as usize;
        let blank = self.text[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let start = at + blank.count();
        match &mut self.lone_returns {
            Some((counted, line)) => {
                *line += count_lines(&self.text[*counted..start]);
                *counted = start;
                *line
            }
            None => self.first - 1 + position.line() + count_lines(&self.text[at..start]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_in_lf_cr_lf_or_a_lone_cr() {
        let texts: [&[u8]; 4] = [b"a\nb\n", b"a\r\nb\r\n", b"a\rb\r", b"a"];
        assert_eq!(texts.map(count_lines), [2, 2, 2, 0]);
    }

    #[test]
    fn records_stand_on_their_own_lines_however_lines_end() {
        for text in ["a\n\n\"b\nb\"\nc\n", "a\r\n\r\n\"b\r\nb\"\r\nc\r\n", "a\r\r\"b\rb\"\rc\r"] {
            let mut lines = Lines::new(text, 7);
            let dialect = crate::Dialect { separator: b',', quote: b'"' };
            let records = dialect.reader(text.as_bytes()).into_records();
            let found: Vec<u64> =
                records.map(|record| lines.of(record.unwrap().position())).collect();
            assert_eq!(found, [7, 9, 11], "{text:?}");
        }
    }
}

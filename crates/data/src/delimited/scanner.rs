//! Where fields begin and end in delimited text: the one place that knows quotes.

use std::borrow::Cow;

use super::dialect::DelimitedFormat;

/// Finds fields in text of a format.
///
/// A field is quoted if a quote is the first thing in it, blanks aside. Within quotes a quote is
/// doubled or escaped; what follows a closing quote belongs to the field unchanged. Elsewhere
/// quotes are plain letters. A record ends in LF, CR LF or a lone CR; empty lines are not records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scanner {
    format: DelimitedFormat,
}

/// A field: where its content is, and where the next field begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: FieldForm,
    pub(crate) stop: FieldEnd,
    pub(crate) next: usize,
}

/// The form of the text between a field's start and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldForm {
    /// The content, which has no quotes around it.
    Plain,
    /// The content, taken from between quotes.
    Quoted,
    /// The content with its opening quote, doubled or escaped quotes and whatever else;
    /// [`Scanner::content`] unescapes it.
    Raw,
}

/// What ends a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldEnd {
    Separator,
    LineEnd,
    TextEnd,
    /// The text ends within quotes.
    Open,
}

/// Where the next record begins.
pub(crate) fn skip_blank_lines(text: &[u8], at: usize) -> usize {
    let blank = text[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    at + blank.count()
}

impl Scanner {
    pub(crate) fn new(format: DelimitedFormat) -> Self {
        Self { format }
    }

    /// The field that begins here.
    #[inline]
    pub(crate) fn field(self, text: &[u8], at: usize) -> Field {
        let first = self.skip_blanks(text, at);
        if text.get(first) == Some(&self.format.quote) {
            return self.quoted(text, first);
        }
        let (end, stop, next) = self.end(text, at);
        Field { start: at, end, form: FieldForm::Plain, stop, next }
    }

    /// Where the record that begins here ends, its line end included; `None` if the text ends
    /// before it does.
    pub(crate) fn record_end(self, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            let field = self.field(text, at);
            match field.stop {
                FieldEnd::Separator => at = field.next,
                FieldEnd::LineEnd => return Some(field.next),
                FieldEnd::TextEnd | FieldEnd::Open => return None,
            }
        }
    }

    /// The content of a field between its start and its end.
    pub(crate) fn content(self, text: &str, form: FieldForm) -> Cow<'_, str> {
        if form != FieldForm::Raw {
            return Cow::Borrowed(text);
        }
        let DelimitedFormat { quote, escape, .. } = self.format;
        let mut content = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes().iter().copied().skip(1).peekable();
        while let Some(byte) = rest.next() {
            if Some(byte) == escape {
                content.extend(rest.next());
            } else if byte != quote || rest.next_if_eq(&quote).is_some() {
                content.push(byte);
            } else {
                // After the closing quote everything is literal.
                content.extend(rest);
                break;
            }
        }
        Cow::Owned(String::from_utf8(content).expect("only single ASCII letters were left out"))
    }

    #[inline]
    fn skip_blanks(self, text: &[u8], at: usize) -> usize {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t') && *byte != self.format.separator;
        at + text[at..].iter().take_while(|byte| blank(byte)).count()
    }

    /// Finds the end of plain text: where, why, and where the text continues.
    #[inline]
    fn end(self, text: &[u8], at: usize) -> (usize, FieldEnd, usize) {
        let Some(end) = find_end(text, at, self.format.separator) else {
            return (text.len(), FieldEnd::TextEnd, text.len());
        };
        match text[end] {
            b'\n' => (end, FieldEnd::LineEnd, end + 1),
            b'\r' => {
                (end, FieldEnd::LineEnd, end + 1 + usize::from(text.get(end + 1) == Some(&b'\n')))
            }
            _ => (end, FieldEnd::Separator, end + 1),
        }
    }

    /// Reads a field whose opening quote is here.
    fn quoted(self, text: &[u8], open: usize) -> Field {
        let mut form = FieldForm::Quoted;
        let Some(close) = self.closing_quote(text, open + 1, &mut form) else {
            let end = text.len();
            return Field {
                start: open,
                end,
                form: FieldForm::Raw,
                stop: FieldEnd::Open,
                next: end,
            };
        };
        let behind = self.skip_blanks(text, close + 1);
        let (end, stop, next) = self.end(text, behind);
        if end > behind {
            return Field { start: open, end, form: FieldForm::Raw, stop, next };
        }
        match form {
            FieldForm::Raw => Field { start: open, end: close + 1, form, stop, next },
            _ => Field { start: open + 1, end: close, form, stop, next },
        }
    }

    /// The quote that closes the field; notes a quote within it on the way.
    fn closing_quote(self, text: &[u8], mut at: usize, form: &mut FieldForm) -> Option<usize> {
        let DelimitedFormat { quote, escape, .. } = self.format;
        loop {
            at += memchr::memchr2(quote, escape.unwrap_or(quote), text.get(at..)?)?;
            let escaped = Some(text[at]) == escape;
            if !escaped && text.get(at + 1) != Some(&quote) {
                return Some(at);
            }
            *form = FieldForm::Raw;
            at += 2;
        }
    }
}

/// Finds the next separator or line end. Most fields are short, so the first bytes are compared
/// eight at a time before a search that is made for long ones.
#[inline]
fn find_end(text: &[u8], mut at: usize, separator: u8) -> Option<usize> {
    for _ in 0..2 {
        let Some(eight) = text[at..].first_chunk() else { break };
        let word = u64::from_le_bytes(*eight);
        let found = holds(word, separator) | holds(word, b'\n') | holds(word, b'\r');
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr3(separator, b'\n', b'\r', &text[at..]).map(|n| at + n)
}

/// Marks the bytes of a word that are this one: the lowest mark is right, and that is enough.
fn holds(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let differs = word ^ (ONES * u64::from(byte));
    differs.wrapping_sub(ONES) & !differs & (ONES << 7)
}

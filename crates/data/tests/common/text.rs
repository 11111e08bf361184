//! Tables as delimited text, in any dialect and encoding.

/// How fields are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) separator: &'static str,
    pub(crate) quote: char,
    /// Before a quote within quotes: another quote or a backslash.
    pub(crate) escape: char,
    pub(crate) always_quoted: bool,
    pub(crate) line_end: &'static str,
    pub(crate) header: bool,
    /// A first line `sep=;`.
    pub(crate) hint: bool,
}

pub(crate) const PLAIN: Style = Style {
    separator: ",",
    quote: '"',
    escape: '"',
    always_quoted: false,
    line_end: "\n",
    header: true,
    hint: false,
};

pub(crate) fn styles() -> Vec<Style> {
    let separators =
        [",", ";", "\t", "|", ", ", " ; "].map(|separator| Style { separator, ..PLAIN });
    let others = [
        Style { always_quoted: true, ..PLAIN },
        Style { always_quoted: true, separator: "; ", ..PLAIN },
        Style { line_end: "\r\n", ..PLAIN },
        Style { line_end: "\r", ..PLAIN },
        Style { separator: ";", line_end: "\r\n", hint: true, ..PLAIN },
        Style { escape: '\\', ..PLAIN },
        Style { escape: '\\', separator: "\t", always_quoted: true, ..PLAIN },
        Style { header: false, separator: "|", ..PLAIN },
    ];
    separators.into_iter().chain(others).collect()
}

impl Style {
    pub(crate) fn write<F: AsRef<str>, R: AsRef<[F]>>(
        &self,
        header: &[&str],
        records: &[R],
    ) -> String {
        let mut text = String::new();
        if self.hint {
            text += &format!("sep={}{}", self.separator.trim(), self.line_end);
        }
        if self.header {
            text += &self.line(header);
        }
        for record in records {
            let fields: Vec<&str> = record.as_ref().iter().map(AsRef::as_ref).collect();
            text += &self.line(&fields);
        }
        text
    }

    fn line(&self, fields: &[&str]) -> String {
        let fields: Vec<String> = fields.iter().map(|field| self.field(field)).collect();
        fields.join(self.separator) + self.line_end
    }

    fn field(&self, field: &str) -> String {
        let special =
            |c: char| "\r\n\\".contains(c) || c == self.quote || self.separator.contains(c);
        if !self.always_quoted && !field.contains(special) {
            return field.into();
        }
        let mut text = String::from(self.quote);
        for letter in field.chars() {
            if letter == self.quote || letter == self.escape {
                text.push(self.escape);
            }
            text.push(letter);
        }
        text.push(self.quote);
        text
    }
}

/// How letters become bytes, and what must be stated for them to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Letters {
    Utf8,
    Utf8Marked,
    Utf16LittleMarked,
    Utf16BigMarked,
    Utf16Little,
    Named(&'static str),
}

pub(crate) const LETTERS: [Letters; 9] = [
    Letters::Utf8,
    Letters::Utf8Marked,
    Letters::Utf16LittleMarked,
    Letters::Utf16BigMarked,
    Letters::Utf16Little,
    Letters::Named("windows-1252"),
    Letters::Named("iso-8859-15"),
    Letters::Named("macintosh"),
    Letters::Named("gb18030"),
];

impl Letters {
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        match self {
            Self::Utf8 => text.into(),
            Self::Utf8Marked => marked.into(),
            Self::Utf16LittleMarked => utf16(&marked, u16::to_le_bytes),
            Self::Utf16BigMarked => utf16(&marked, u16::to_be_bytes),
            Self::Utf16Little => utf16(text, u16::to_le_bytes),
            Self::Named(name) => {
                let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
                let (bytes, _, unmappable) = encoding.encode(text);
                assert!(!unmappable, "{name} has all these letters");
                bytes.into_owned()
            }
        }
    }

    /// What must be stated.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Utf16Little => Some("utf-16"),
            Self::Named(name) => Some(name),
            _ => None,
        }
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

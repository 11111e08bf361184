//! The words of a condition.

use haggle_model::Error;

/// A word of a condition, and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The character at which it begins, from 1.
    pub(super) at: usize,
}

/// What a word is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a value, or a word of the language.
    Word(String),
    /// A name or a value in quotes.
    Quoted(String),
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, `(`, `)` or `,`.
    Sign(&'static str),
    /// The end of the condition.
    End,
}

/// Longer ones first, so that `<=` is not taken for `<`.
const SIGNS: [&str; 10] = ["!=", "<=", ">=", "<>", "=", "<", ">", "(", ")", ","];

/// Splits a condition into words; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let characters: Vec<char> = text.chars().collect();
    let (mut tokens, mut next) = (Vec::new(), 0);
    while next < characters.len() {
        if characters[next].is_whitespace() {
            next += 1;
            continue;
        }
        let (kind, end) = token(&characters, next)?;
        tokens.push(Token { kind, at: next + 1 });
        next = end;
    }
    tokens.push(Token { kind: TokenKind::End, at: characters.len() + 1 });
    Ok(tokens)
}

/// Returns the word that begins at a character, and where the next one may begin.
fn token(characters: &[char], start: usize) -> Result<(TokenKind, usize), Error> {
    if matches!(characters[start], '\'' | '"') {
        return quoted(characters, start);
    }
    let begins =
        |sign: &&&str| characters[start..].iter().take(sign.len()).copied().eq(sign.chars());
    if let Some(&sign) = SIGNS.iter().find(begins) {
        let meaning = if sign == "<>" { "!=" } else { sign };
        return Ok((TokenKind::Sign(meaning), start + sign.len()));
    }
    let ends = |c: &char| c.is_whitespace() || "=!<>(),'\"".contains(*c);
    let length = characters[start..].iter().take_while(|c| !ends(c)).count();
    if length == 0 {
        return Err(unexpected(&characters[start].to_string(), start + 1));
    }
    let end = start + length;
    Ok((TokenKind::Word(characters[start..end].iter().collect()), end))
}

/// Reads a quoted word; a doubled quote stands for one.
fn quoted(characters: &[char], start: usize) -> Result<(TokenKind, usize), Error> {
    let (quote, mut text, mut next) = (characters[start], String::new(), start + 1);
    loop {
        match characters.get(next) {
            Some(c) if *c != quote => text.push(*c),
            Some(_) if characters.get(next + 1) == Some(&quote) => {
                text.push(quote);
                next += 1;
            }
            Some(_) => return Ok((TokenKind::Quoted(text), next + 1)),
            None => {
                let what =
                    format!("the quote at character {} of the condition is not closed", start + 1);
                return Err(Error::new(what, format!("close it with {quote}")));
            }
        }
        next += 1;
    }
}

fn unexpected(text: &str, at: usize) -> Error {
    let what = format!("'{text}' at character {at} of the condition has no meaning there");
    Error::new(what, "put values that contain signs or blanks in quotes")
}

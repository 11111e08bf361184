//! Licence expressions (SPDX, and the old `MIT/Apache-2.0`), and whether our list can meet them.

/// The licences whose terms we accept.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether the accepted licences satisfy an expression; an error where it is no expression.
pub(crate) fn is_met(expression: &str) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let met = any_of(&mut rest)?;
    match rest.first() {
        None => Ok(met),
        Some(word) => Err(format!("'{word}' was not expected")),
    }
}

fn any_of(words: &mut &[&str]) -> Result<bool, String> {
    let mut met = all_of(words)?;
    while take(words, "OR") {
        met |= all_of(words)?;
    }
    Ok(met)
}

fn all_of(words: &mut &[&str]) -> Result<bool, String> {
    let mut met = one(words)?;
    while take(words, "AND") {
        met &= one(words)?;
    }
    Ok(met)
}

fn one(words: &mut &[&str]) -> Result<bool, String> {
    if take(words, "(") {
        let met = any_of(words)?;
        return if take(words, ")") { Ok(met) } else { Err("a ')' is missing".into()) };
    }
    let licence = name(words)?;
    if take(words, "WITH") {
        let exception = name(words)?;
        return Ok(ACCEPTED.contains(&format!("{licence} WITH {exception}").as_str()));
    }
    Ok(ACCEPTED.contains(&licence))
}

fn name<'a>(words: &mut &[&'a str]) -> Result<&'a str, String> {
    match words.split_first() {
        Some((&name, rest)) if !["AND", "OR", "WITH", "(", ")"].contains(&name) => {
            *words = rest;
            Ok(name)
        }
        Some((word, _)) => Err(format!("a licence was expected before '{word}'")),
        None => Err("a licence was expected at the end".into()),
    }
}

fn take(words: &mut &[&str], word: &str) -> bool {
    match words.split_first() {
        Some((&first, rest)) if first == word => {
            *words = rest;
            true
        }
        _ => false,
    }
}

#[test]
fn expressions_are_met_as_spdx_says() {
    let met = [
        "MIT",
        "MIT OR GPL-3.0-only",
        "GPL-3.0-only OR MIT",
        "MIT/Apache-2.0",
        "Unlicense/MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        "MIT AND (GPL-3.0-only OR ISC)",
        "GPL-2.0-only AND GPL-3.0-only OR MIT",
    ];
    for expression in met {
        assert_eq!(is_met(expression), Ok(true), "{expression}");
    }
    let unmet = [
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(MIT OR Apache-2.0) AND GPL-3.0-only",
        "Apache-2.0 WITH Classpath-exception-2.0",
        "GPL-3.0-only AND (MIT OR ISC)",
        "MIT AND GPL-2.0-only OR GPL-3.0-only",
    ];
    for expression in unmet {
        assert_eq!(is_met(expression), Ok(false), "{expression}");
    }
}

#[test]
fn broken_expressions_are_errors() {
    for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT ISC", "OR MIT", "MIT WITH", "()"] {
        assert!(is_met(expression).is_err(), "{expression}");
    }
}

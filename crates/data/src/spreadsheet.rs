//! Text that spreadsheets take for a formula, and how it is marked as text and read back.

/// Whether a spreadsheet may take this text for a formula. Plain numbers are left alone.
///
/// ```
/// use haggle_data::spreadsheet::is_formula;
///
/// assert!(is_formula("=HYPERLINK(\"…\")") && is_formula("@SUM(A1)") && is_formula("-2+3"));
/// assert!(!is_formula("-5") && !is_formula("+3.2e4") && !is_formula("30-39"));
/// ```
pub fn is_formula(text: &str) -> bool {
    begins_formula(text) && !is_number(text)
}

/// The text with a `'` before it if it could be a formula, or is one that is marked already.
/// [`unescaped`] restores every text that this makes.
///
/// ```
/// use haggle_data::spreadsheet::{escaped, unescaped};
///
/// assert_eq!(escaped("=1+1").as_deref(), Some("'=1+1"));
/// assert_eq!((escaped("-5"), escaped("plain")), (None, None));
/// for text in ["=1+1", "'=1+1", "''-5", "-5", "'quoted'", ""] {
///     let written = escaped(text).unwrap_or_else(|| text.to_owned());
///     assert_eq!(unescaped(&written), text);
/// }
/// ```
pub fn escaped(text: &str) -> Option<String> {
    let bare = text.trim_start_matches('\'');
    let is_marked = bare.len() < text.len() && begins_formula(bare);
    (is_marked || is_formula(text)).then(|| format!("'{text}"))
}

/// The text that [`escaped`] was made from.
pub fn unescaped(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if begins_formula(text.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

fn begins_formula(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r'))
}

/// Digits with a sign, a decimal point or an exponent; words such as `-inf` are not numbers here.
fn is_number(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    text.bytes().all(plain) && text.parse::<f64>().is_ok()
}

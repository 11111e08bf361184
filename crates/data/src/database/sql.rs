//! Names and values as SQL.

/// Returns an identifier as SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns a table's name as typed, each part quoted; `None` if it is not a name.
pub(crate) fn qualified(table: &str) -> Option<String> {
    let mut parts = vec![String::new()];
    let (mut inside, mut letters) = (false, table.trim().chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if inside && letters.peek() == Some(&'"') => {
                letters.next();
                parts.last_mut()?.push('"');
            }
            '"' => inside = !inside,
            '.' if !inside => parts.push(String::new()),
            '\0' => return None,
            _ => parts.last_mut()?.push(letter),
        }
    }
    let sound = !inside && parts.len() <= 2 && parts.iter().all(|part| !part.is_empty());
    sound.then(|| parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join("."))
}

/// Returns a column's value as files have it: text without blanks around it, empty if missing.
pub(super) fn field(name: &str) -> String {
    text_of(&quoted(name))
}

/// Returns the same for an expression in SQL.
pub(crate) fn text_of(column: &str) -> String {
    format!("btrim(coalesce({column}::text, ''), E' \\t\\r\\n')")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_are_quoted() {
        assert_eq!(qualified("public.adult").unwrap(), "\"public\".\"adult\"");
        assert_eq!(qualified("adult").unwrap(), "\"adult\"");
        assert_eq!(qualified("\"My.Schema\".\"a\"\"b\"").unwrap(), "\"My.Schema\".\"a\"\"b\"");
        for wrong in ["", "a.b.c", "\"open", ".a", "a."] {
            assert_eq!(qualified(wrong), None, "{wrong}");
        }
        assert_eq!(qualified("a; drop table b").unwrap(), "\"a; drop table b\"");
    }
}

//! Lists of values as published values write them: `{a, b}`.

/// What is between two values of a list.
const BETWEEN: &str = ", ";

/// Writes a list of values. One that could be read as several is in double quotes, which are doubled
/// within.
///
/// ```
/// use haggle_model::{list_label, listed_values};
///
/// assert_eq!(list_label(["5", "32"]), "{5, 32}");
/// let list = list_label(["Korea", "Korea, North", "\"other\""]);
/// assert_eq!(list, r#"{Korea, "Korea, North", """other"""}"#);
/// assert_eq!(listed_values(&list).unwrap(), ["Korea", "Korea, North", "\"other\""]);
/// assert_eq!(listed_values("Korea"), None);
/// ```
pub fn list_label<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let quoted = |value: &str| {
        if value.contains(BETWEEN) || value.starts_with('"') {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value.to_owned()
        }
    };
    let values: Vec<String> = values.into_iter().map(quoted).collect();
    format!("{{{}}}", values.join(BETWEEN))
}

/// Returns the values of a list; none if the text is no list.
pub fn listed_values(text: &str) -> Option<Vec<String>> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut values = Vec::new();
    loop {
        let (value, after) = quoted(rest).unwrap_or_else(|| {
            let end = rest.find(BETWEEN).unwrap_or(rest.len());
            (rest[..end].to_owned(), &rest[end..])
        });
        values.push(value);
        match after.strip_prefix(BETWEEN) {
            Some(next) => rest = next,
            None => return Some(values),
        }
    }
}

/// Returns a value in quotes at the beginning of a text, and what comes after it; none if there is no
/// such value.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut value = String::new();
    loop {
        let end = rest.find('"')?;
        value.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                value.push('"');
                rest = next;
            }
            None => break,
        }
    }
    (rest.is_empty() || rest.starts_with(BETWEEN)).then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_written() {
        let odd = ["a", "a, b", "", "\"", "\"\"", "a\"b", "\"a, b\"", "{a, b}", ", ", "a, \"b\""];
        for one in odd {
            for other in odd {
                let label = list_label([one, other, one]);
                assert_eq!(listed_values(&label).unwrap(), [one, other, one], "{label}");
            }
        }
    }

    #[test]
    fn a_quote_that_does_not_end_is_part_of_a_value() {
        assert_eq!(listed_values("{\"a, b}").unwrap(), ["\"a", "b"]);
        assert_eq!(listed_values("{\"a\"b, c}").unwrap(), ["\"a\"b", "c"]);
    }
}

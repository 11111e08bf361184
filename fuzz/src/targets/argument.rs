//! What is typed: privacy models, levels, schemes, amounts, loss measures.

use std::fmt::Display;
use std::str::FromStr;

use haggle::{Amount, Levels, MeasureSpec, Privacy, Problem, Scheme};

use super::Verdict;
use crate::properties::{refused, refused_by};

/// The first byte says what the others are.
pub(super) fn check(input: &[u8]) -> Verdict {
    let Some((&kind, text)) = input.split_first() else { return Verdict::Refused };
    let text = String::from_utf8_lossy(text);
    match kind % 5 {
        0 => round_trip::<Privacy>(&text),
        1 => levels(&text),
        2 => scheme(&text),
        3 => round_trip::<Amount>(&text),
        _ => round_trip::<MeasureSpec>(&text),
    }
}

/// What was understood can be written, and is understood as the same again.
fn round_trip<T>(text: &str) -> Verdict
where
    T: FromStr<Err = haggle::Error> + Display + PartialEq + std::fmt::Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>();
            assert_eq!(again.as_ref().ok(), Some(&value), "'{text}' is written as '{written}'");
            Verdict::Accepted
        }
        Err(error) => refused_by(error, text.as_bytes()),
    }
}

fn levels(text: &str) -> Verdict {
    match text.parse::<Levels>() {
        Ok(levels) => {
            let json = serde_json::to_string(&levels).expect("levels are plain data");
            assert_eq!(serde_json::from_str::<Levels>(&json).ok(), Some(levels), "{json}");
            Verdict::Accepted
        }
        Err(error) => refused_by(error, text.as_bytes()),
    }
}

fn scheme(text: &str) -> Verdict {
    match text.parse::<Scheme>() {
        Ok(scheme) => {
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
            Verdict::Accepted
        }
        Err(error) => refused(&[Problem::new(error.to_string()).fix("see there")], b""),
    }
}

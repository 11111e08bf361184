//! Properties that every refusal has.

use haggle::Problem;

/// What became of an input whose properties hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was read.
    Accepted,
    /// It was refused, with a reason and a fix.
    Refused,
}

/// A refusal longer than this prints more than a reason.
const LONGEST: usize = 20_000;

/// Checks that problems say what is wrong, where, and what to do about it.
pub(crate) fn refused(problems: &[Problem], input: &[u8]) -> Verdict {
    let lines = last_line(input);
    assert!(!problems.is_empty(), "a refusal without a reason");
    assert!(!problems[0].fix.is_empty(), "a problem without a fix: {problems:?}");
    for problem in problems {
        assert!(!problem.what.trim().is_empty(), "a problem without words: {problem:?}");
        assert!(problem.at.line.is_none_or(|line| line <= lines), "beyond the end: {problem:?}");
        let shown = problem.to_string();
        assert!(shown.len() < LONGEST, "{} bytes of reason", shown.len());
        let raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        assert!(!shown.contains(raw), "control characters reach the terminal: {shown:?}");
    }
    Verdict::Refused
}

/// The same for an error of haggle.
pub(crate) fn refused_by(error: haggle::Error, input: &[u8]) -> Verdict {
    refused(&error.into_problems(), input)
}

/// The last line that a problem can be on; any, where lines cannot be seen because bytes are packed
/// or in another encoding.
fn last_line(input: &[u8]) -> u64 {
    match std::str::from_utf8(input) {
        Ok(text) if !text.contains('\0') => text.split(['\n', '\r']).count() as u64 + 1,
        _ => u64::MAX,
    }
}

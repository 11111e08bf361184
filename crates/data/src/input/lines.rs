//! The lines of a text: each ends in LF, CR LF or a lone CR.

/// How many lines end within these bytes.
pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    let lone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    (feeds + memchr::memchr_iter(b'\r', bytes).filter(lone).count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_in_lf_cr_lf_or_a_lone_cr() {
        let texts: [&[u8]; 4] = [b"a\nb\n", b"a\r\nb\r\n", b"a\rb\r", b"a"];
        assert_eq!(texts.map(count_lines), [2, 2, 2, 0]);
    }
}

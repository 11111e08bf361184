//! The secret in the printed address, without which nothing is served.

use std::fmt;

use rand::TryRng;
use subtle::ConstantTimeEq;

/// Bytes of randomness: far beyond guessing.
const BYTES: usize = 24;

/// A secret that whoever was given the address knows.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A token that nobody can guess.
    pub(crate) fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; BYTES];
        rand::rngs::SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The same as a name that nobody can guess.
    pub(crate) fn into_name(self) -> String {
        self.0
    }

    /// Whether this is the token; how long that takes does not tell how much of it is right.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Not shown, lest it end in a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

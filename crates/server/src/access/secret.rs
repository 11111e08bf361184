//! Secrets that cannot be guessed, and the digests that are kept of them.

use std::fmt;

use rand::TryRng;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes of randomness: far beyond guessing.
const BYTES: usize = 24;

/// A random secret in hexadecimal digits.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new secret from the operating system's random numbers.
    pub(crate) fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; BYTES];
        rand::rngs::SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(hex(&bytes)))
    }

    /// Returns the secret as a name that cannot be guessed.
    pub(crate) fn into_name(self) -> String {
        self.0
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// What may be kept of the secret.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

/// Not shown, so that it never gets into a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The SHA-256 digest of a text. The time of a comparison reveals nothing about the secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest(String);

impl Digest {
    pub(crate) fn of(text: &str) -> Self {
        Self(hex(&Sha256::digest(text.as_bytes())))
    }

    /// The digest in hexadecimal digits.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

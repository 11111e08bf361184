//! Paths as text, whatever their bytes.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Deserializer, Serializer};

const SPECIAL: &AsciiSet = &CONTROLS.add(b'%');

pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let bytes = path.as_os_str().as_encoded_bytes();
    serializer.serialize_str(&percent_encode(bytes, SPECIAL).to_string())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    let text = String::deserialize(from)?;
    Ok(path(percent_decode_str(&text).collect()))
}

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> PathBuf {
    <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

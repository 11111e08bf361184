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

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_comes_back(path: &Path) {
        let value = serialize(path, serde_json::value::Serializer).unwrap();
        let text = value.as_str().unwrap().to_owned();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text:?}");
        assert_eq!(deserialize(value).unwrap(), path, "{text:?}");
    }

    #[test]
    fn every_path_comes_back_from_one_line_of_text() {
        for name in ["out.csv", "a b/out.csv", "100%25", "%", "a\nb\r\t", "\u{7f}", "Käse"] {
            assert_comes_back(Path::new(name));
        }
        #[cfg(unix)]
        assert_comes_back(&path(b"not \xff\xfe text".to_vec()));
    }
}

//! Who may read a written file.

use std::fs::File;
use std::io;
use std::path::Path;

/// Who may read a file once it is at its final place. Temporary files are the owner's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Only its owner: the file contains information about the microdata.
    Owner,
    /// Everybody whom the user's umask lets read new files.
    AsUsual,
}

/// What only the owner may read and write.
pub(super) const PRIVATE: u32 = 0o600;

impl Readers {
    /// The permission bits of the final file.
    pub(super) fn mode(self) -> u32 {
        match self {
            Self::Owner => PRIVATE,
            Self::AsUsual => 0o666 & !umask(),
        }
    }
}

/// Creates a file that only its owner can read; it must not exist yet, not even as a link.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    options.open(path)
}

/// Gives a file its final permissions.
#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if mode == PRIVATE {
        return Ok(());
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Returns the process's umask. Linux reports it; elsewhere an empty file in the temporary folder
/// shows it.
#[cfg(unix)]
fn umask() -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let reported = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    let reported = reported.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok());
    let shown = || {
        let all = std::fs::Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().permissions(all).tempfile().ok()?;
        Some(0o666 & !file.as_file().metadata().ok()?.permissions().mode())
    };
    reported.or_else(shown).unwrap_or(0o077)
}

#[cfg(not(unix))]
fn umask() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_not_created_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target] = ["link", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let refused = create_private(&link).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert!(!target.exists());
    }
}

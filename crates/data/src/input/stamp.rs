//! What a file system says of a file's last change: whether the file must be read to see if it is the same.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The times of a file's last change, and which file it is.
///
/// The time of modification can be set by every user and is kept by many copies. The time at which
/// the file's entry changed cannot be set, and the number of the entry shows that a file was
/// replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    modified: u64,
    #[cfg(unix)]
    entry: [u64; 3],
    /// The later of the two times.
    pub(crate) last: SystemTime,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        let time = metadata.modified().ok()?;
        let modified = time.duration_since(UNIX_EPOCH).ok()?.as_nanos() as u64;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let nanoseconds = metadata.ctime_nsec().cast_unsigned();
            let seconds = metadata.ctime().cast_unsigned();
            let entered = UNIX_EPOCH + Duration::from_secs(seconds);
            let entry = [seconds * 1_000_000_000 + nanoseconds, metadata.ino(), metadata.dev()];
            Some(Self { modified, entry, last: time.max(entered) })
        }
        #[cfg(not(unix))]
        Some(Self { modified, last: time })
    }

    /// Different numbers for different stamps.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        #[cfg(unix)]
        return self.entry.into_iter().chain([self.modified]).collect();
        #[cfg(not(unix))]
        vec![self.modified]
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_hides_behind_size_and_time_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.csv");
        let stamp = || Stamp::of(&std::fs::metadata(&path).unwrap()).unwrap();
        let write = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let file = std::fs::File::options().append(true).open(&path).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(1)).unwrap();
        };
        write("one");
        let before = stamp();
        assert!(before.last.elapsed().unwrap() < Duration::from_hours(1), "whatever its date says");
        std::thread::sleep(Duration::from_millis(50));
        write("two");
        assert_eq!(before.modified, stamp().modified);
        assert_ne!(before.numbers(), stamp().numbers());
    }
}

//! The files that a table is made of, in order: on disk or within the binary.

mod decode;
mod file;
mod lines;
mod pattern;
mod stamp;
mod unpack;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;
use xxhash_rust::xxh3::Xxh3Default;

use crate::frames::Frame;
use crate::{Database, Error};

pub use decode::Encoding;
pub use file::InputFile;
pub(crate) use file::{Hash, Raw, Seal, read_full};
pub(crate) use lines::count_lines;

/// Where a table's bytes come from: one file, or several that are one table.
#[derive(Debug, Clone)]
pub struct Input {
    name: PathBuf,
    files: Vec<InputFile>,
}

impl Input {
    /// A file on disk.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { name: path.clone(), files: vec![InputFile::on_disk(path)] }
    }

    /// Several files of a folder: names in the order given, or patterns such as `parts/*.csv`, each
    /// of which means the files that match, sorted by name.
    ///
    /// ```
    /// use haggle_data::Input;
    /// let nothing = Input::files(".".as_ref(), &["no-such-folder/*.csv".into()]);
    /// assert!(nothing.unwrap_err().to_string().contains("no file matches"));
    /// ```
    pub fn files(folder: &Path, names: &[PathBuf]) -> Result<Self, Error> {
        let files = pattern::expand(folder, names)?;
        let name = match names {
            [only] => folder.join(only),
            _ => files[0].clone(),
        };
        Ok(Self { name, files: files.into_iter().map(InputFile::on_disk).collect() })
    }

    /// Whether a pattern, as [`Input::files`] takes it, would match a file of this name.
    ///
    /// ```
    /// use haggle_data::Input;
    /// assert!(Input::pattern_matches("part-*.csv".as_ref(), "part-1.csv".as_ref()));
    /// assert!(!Input::pattern_matches("part-*.csv".as_ref(), "haggle.toml".as_ref()));
    /// ```
    pub fn pattern_matches(pattern: &Path, file: &Path) -> bool {
        pattern::matches(pattern, file)
    }

    /// Bytes within the binary, and the name to call them by.
    pub fn embedded(name: impl Into<PathBuf>, bytes: &'static [u8]) -> Self {
        Self::in_memory(name.into(), Bytes::from_static(bytes))
    }

    /// The records of a table in a database.
    pub fn database(database: Database) -> Self {
        Self { name: database.name().to_owned(), files: vec![InputFile::in_database(database)] }
    }

    /// The records of a frame.
    #[cfg(feature = "frames")]
    pub fn frame(frame: Frame) -> Self {
        let name: PathBuf = crate::frames::NAME.into();
        Self { files: vec![InputFile::in_frame(name.clone(), frame)], name }
    }

    /// The frame, if the records come from one.
    pub fn as_frame(&self) -> Option<&Frame> {
        self.files.first().and_then(InputFile::frame)
    }

    /// The table in a database, if the bytes come from one.
    pub fn as_database(&self) -> Option<&Database> {
        self.files.first().and_then(InputFile::database)
    }

    /// Bytes in memory, and the name to call them by.
    ///
    /// ```
    /// use haggle_data::{CsvOptions, Input, Table};
    /// let input = Input::memory("people.csv", b"age;sex\n37;f\n".to_vec());
    /// let table = Table::open(input, &CsvOptions::default())?;
    /// assert_eq!(table.format().separator, b';');
    /// # Ok::<(), haggle_data::Error>(())
    /// ```
    pub fn memory(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self::in_memory(name.into(), bytes.into())
    }

    fn in_memory(name: PathBuf, bytes: Bytes) -> Self {
        Self { files: vec![InputFile::in_memory(name.clone(), bytes)], name }
    }

    /// The name of the whole in messages: the file, or the pattern.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The files, in the order in which they are read.
    pub fn parts(&self) -> &[InputFile] {
        &self.files
    }

    /// How many bytes there are, packed as they are.
    pub fn bytes(&self) -> Result<u64, Error> {
        self.files.iter().map(InputFile::bytes).sum()
    }

    /// All bytes, packed as they are.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let files: Result<Vec<_>, _> = self.files.iter().map(InputFile::read).collect();
        Ok(files?.concat())
    }

    /// A digest of all bytes, packed as they are; of several files also of where each ends.
    pub fn digest(&self) -> Result<u64, Error> {
        let seals: Result<Vec<_>, _> = self.files.iter().map(InputFile::seal).collect();
        Ok(digest(&seals?))
    }

    /// Returns a number that changes whenever any of the files does; `None` where the file system
    /// does not say. Call it before the files are read. A change soon after another may not be
    /// visible: see [`last_change`](Self::last_change).
    pub fn changed(&self) -> Option<u64> {
        let mut stamps = Xxh3Default::new();
        for file in &self.files {
            file.stamp()?.numbers().iter().for_each(|number| stamps.update(&number.to_le_bytes()));
            stamps.update(file.name().as_os_str().as_encoded_bytes());
        }
        Some(stamps.digest())
    }

    /// Returns when any of the files was changed last, whatever its date was set to; `None` where
    /// the file system does not say. Clocks of file systems tick slowly, some every two seconds, so
    /// a file that was read that soon after a change may have changed again unnoticed.
    pub fn last_change(&self) -> Option<SystemTime> {
        let last = self.files.iter().map(|file| Some(file.stamp()?.last));
        last.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// Returns the digest of all files from their seals.
pub(crate) fn digest(seals: &[Seal]) -> u64 {
    if let [only] = seals {
        return only.digest;
    }
    let mut all = Xxh3Default::new();
    for seal in seals {
        all.update(&seal.bytes.to_le_bytes());
        all.update(&seal.digest.to_le_bytes());
    }
    all.digest()
}

//! The record of a project's publications: a private file next to the project, one JSON object a
//! line. What several publications reveal together cannot be checked without knowing them. The file
//! grows with every publication, so its lines are visited one by one and never held together.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use haggle_api::EarlierPublication;
use haggle_model::{Error, ErrorKind, Problem, Progress, Recoding};
use haggle_output::{Event, Transaction, recover_by, visit_lines};
use haggle_project::Project;
use haggle_project::origin::Origin;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

mod counts;

pub use counts::{GroupCount, GroupCounts, ShownGroups};

/// The file's name.
const NAME: &str = "publications.jsonl";

/// How many earlier publications are listed; the newest are.
const LISTED: usize = 1000;

/// How many times the bytes of its line a record takes once it is read.
const READ_BYTES: usize = 16;

/// The version of a line.
const VERSION: u32 = 1;

/// One publication, as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublicationRecord {
    /// The version of this record.
    pub version: u32,
    /// Differs between any two records.
    #[serde(default)]
    pub id: String,
    /// When it was published, in UTC, such as `2026-11-16T21:28:59Z`.
    pub time: String,
    /// The project file.
    pub project: String,
    /// The files or the table that were published, as the project names them.
    pub data: Vec<String>,
    /// The published file, or table of a database.
    pub output: String,
    /// The SHA-256 of the file; a table in a database has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The records in it.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The columns that were published unchanged.
    pub unchanged: Vec<String>,
    /// What was promised, each as a request takes it.
    pub promises: Vec<String>,
    /// What was applied.
    pub recoding: Recoding,
    /// Whether sensitive values are in a table of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anatomy: bool,
    /// A digest of the data that was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_digest: Option<u64>,
    /// The published groups; none where there are too many to be recorded, and in records of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupCounts>,
}

/// What decides whether a publication can be joined with others, without its recoding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub struct PublishedNames {
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The columns that were published unchanged.
    pub unchanged: Vec<String>,
}

impl PublishedNames {
    /// All published columns.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &String> {
        self.quasi_identifiers.iter().chain(&self.unchanged)
    }
}

/// What decides whether a line is about the same table.
#[derive(Deserialize)]
struct SameTable {
    version: u32,
    #[serde(default)]
    project: String,
    #[serde(default)]
    data: Vec<String>,
}

/// The publications of one project.
#[derive(Debug, Clone)]
pub struct Publications {
    /// None for an embedded project, which has no folder.
    path: Option<PathBuf>,
    project: String,
    data: Vec<String>,
}

impl Publications {
    /// Returns where the publications of a project are recorded.
    pub fn of(project: &Project) -> Self {
        let path = match &project.origin {
            Origin::Folder(folder) => Some(folder.join(NAME)),
            Origin::Demo(_) => None,
        };
        let name = project.file.file_name().unwrap_or_default();
        let files = project.data.paths.iter().map(|path| path.display().to_string());
        let table = project.data.remote.iter().map(|remote| remote.table().to_owned());
        let data = files.chain(table).collect();
        Self { path, project: name.to_string_lossy().into_owned(), data }
    }

    /// Returns the file of the records; none if the project has no folder.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Completes or removes what interrupted publications into tables of the database left.
    pub fn settle(&self, project: &Project, progress: &dyn Progress) -> Result<(), Error> {
        let Some(path) = self.path.as_ref().filter(|_| project.data.remote.is_some()) else {
            return Ok(());
        };
        let happened = |event: &str| {
            let table = project.table(progress).ok();
            let known = table.as_ref().and_then(|table| table.database()?.happened(event).ok());
            known.unwrap_or(Event::Unknown)
        };
        recover_by(path, &happened)?;
        Ok(())
    }

    /// The newest earlier publications by the same project file or of the same data, and how many
    /// there are in all.
    pub fn earlier(&self) -> Result<(Vec<EarlierPublication>, u64), Error> {
        let (mut newest, mut all) = (VecDeque::<EarlierPublication>::new(), 0);
        self.visit(&mut |line| {
            if newest.len() == LISTED {
                newest.pop_front();
            }
            newest.push_back(parsed(line)?);
            all += 1;
            Ok(())
        })?;
        Ok((newest.into(), all))
    }

    /// Visits the columns of each of them; none where this version cannot read them.
    pub(crate) fn visit_names(
        &self,
        mut visit: impl FnMut(Option<PublishedNames>),
    ) -> Result<(), Error> {
        self.visit(&mut |line| {
            visit(serde_json::from_slice(line).ok());
            Ok(())
        })
    }

    /// Visits each of them as it was recorded; none where this version cannot read all of a record,
    /// or where it would take more than these bytes of memory.
    pub(crate) fn visit_records(
        &self,
        memory: usize,
        mut visit: impl FnMut(Option<PublicationRecord>),
    ) -> Result<(), Error> {
        self.visit(&mut |line| {
            let fits = line.len().saturating_mul(READ_BYTES) <= memory;
            visit(if fits { serde_json::from_slice(line).ok() } else { None });
            Ok(())
        })
    }

    /// Visits the lines of this project or its data; fails at the first that is damaged.
    fn visit(&self, visit: &mut dyn FnMut(&[u8]) -> Result<(), Problem>) -> Result<(), Error> {
        let Some(path) = self.path.as_ref().filter(|path| path.is_file()) else {
            return Ok(());
        };
        let (mut damaged, mut number) = (None, 0);
        visit_lines(path, &mut |line| {
            number += 1;
            if damaged.is_some() || line.trim_ascii().is_empty() {
                return;
            }
            let visited =
                self.is_of_this(line).and_then(|ours| if ours { visit(line) } else { Ok(()) });
            damaged = visited.err().map(|problem| problem.file(path).line(number));
        })
        .map_err(Error::io(path))?;
        damaged.map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// Whether the publication on a line is of this project or its data.
    fn is_of_this(&self, line: &[u8]) -> Result<bool, Problem> {
        let subject: SameTable = parsed(line)?;
        if subject.version > VERSION {
            let SameTable { version, .. } = subject;
            let what =
                format!("this record has version {version}; this haggle reads up to {VERSION}");
            let fix = "use a haggle as new as the one that wrote it";
            return Err(Problem::new(what).of_kind(ErrorKind::Unsupported).fix(fix));
        }
        Ok(subject.project == self.project || subject.data == self.data)
    }

    /// A record of a publication that was made just now.
    pub fn record(&self, recoding: Recoding) -> PublicationRecord {
        PublicationRecord {
            version: VERSION,
            id: format!("{:016x}", rand::random::<u64>()),
            time: utc(seconds_since_epoch()),
            project: self.project.clone(),
            data: self.data.clone(),
            output: String::new(),
            sha256: None,
            records: 0,
            suppressed: 0,
            quasi_identifiers: Vec::new(),
            unchanged: Vec::new(),
            promises: Vec::new(),
            recoding,
            anatomy: false,
            data_digest: None,
            groups: None,
        }
    }

    /// Has a transaction add a record when it is committed. Returns where, or why it cannot.
    pub fn add(
        &self,
        transaction: &mut Transaction,
        record: &PublicationRecord,
    ) -> Result<PathBuf, String> {
        let path = self.path().ok_or("the embedded project has no folder to keep a record in")?;
        let line = serde_json::to_string(record).expect("a record can be written");
        transaction.append(path, line).map_err(|error| error.to_string())?;
        Ok(path.to_owned())
    }
}

/// What a line says.
fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(line).map_err(|_| {
        Problem::new("this line is not a record of a publication")
            .fix("restore the line, or remove it; nothing was published")
    })
}

fn seconds_since_epoch() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// A moment as `2026-11-16T21:28:59Z`.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day, so many days after 1 January 1970. Years are counted from March, so that a
/// leap day is the last of its year; 400 years have 146,097 days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 1 March of the year 0
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year, if month < 10 { month + 3 } else { month - 9 });
    (year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
#[path = "../tests/unit/publications.rs"]
mod tests;

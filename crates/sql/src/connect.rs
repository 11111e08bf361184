//! Which database a url leads to.

use haggle_model::{Error, Progress};

use crate::database::Database;
use crate::location::{TableLocation, holds_secret};

impl Database {
    /// Connects once and looks the table's columns up, until `progress` is cancelled; no record is
    /// read.
    ///
    /// The url is that of PostgreSQL (`postgres://user@host:5432/database`), of Spark Connect
    /// (`sc://host:15002`), or names an ADBC driver (`adbc:DRIVER`).
    pub fn open(location: &TableLocation, progress: &dyn Progress) -> Result<Self, Error> {
        location.check()?;
        let open = if location.is_adbc() { open_adbc } else { open_postgres };
        open(location, progress)
    }

    /// Whether a url holds a password or a token.
    pub fn holds_password(url: &str) -> bool {
        if TableLocation::table(url, "").is_adbc() {
            return holds_secret(url);
        }
        #[cfg(feature = "postgres")]
        return crate::postgres::holds_password(url);
        #[cfg(not(feature = "postgres"))]
        false
    }
}

#[cfg(feature = "postgres")]
fn open_postgres(location: &TableLocation, progress: &dyn Progress) -> Result<Database, Error> {
    crate::postgres::open(&location.url, location.data.text(), progress)
}

#[cfg(not(feature = "postgres"))]
fn open_postgres(_: &TableLocation, _: &dyn Progress) -> Result<Database, Error> {
    let what = "this build of haggle cannot connect to PostgreSQL";
    Err(Error::unsupported(
        what,
        "build it with the feature `postgres`, or export the table as a file",
    ))
}

#[cfg(feature = "adbc")]
fn open_adbc(location: &TableLocation, progress: &dyn Progress) -> Result<Database, Error> {
    crate::adbc::open(location, progress)
}

#[cfg(not(feature = "adbc"))]
fn open_adbc(_: &TableLocation, _: &dyn Progress) -> Result<Database, Error> {
    let what = "this build of haggle cannot connect to databases with an ADBC driver";
    Err(Error::unsupported(what, "build it with the feature `adbc`"))
}

//! Which engine a url leads to.

use haggle_model::Error;

use crate::database::Database;

impl Database {
    /// Connects once and looks the table's columns up; no record is read.
    ///
    /// The url is that of PostgreSQL: `postgres://user@host:5432/database`.
    #[cfg(feature = "postgres")]
    pub fn open(url: &str, table: &str) -> Result<Self, Error> {
        crate::postgres::open(url, table)
    }

    /// Whether a url holds a password.
    #[cfg(feature = "postgres")]
    pub fn holds_password(url: &str) -> bool {
        crate::postgres::holds_password(url)
    }

    /// Whether a url holds a password.
    #[cfg(not(feature = "postgres"))]
    pub fn holds_password(_url: &str) -> bool {
        false
    }

    /// Refuses: this build cannot connect to databases.
    #[cfg(not(feature = "postgres"))]
    pub fn open(_url: &str, _table: &str) -> Result<Self, Error> {
        let what = "this build of haggle cannot connect to databases";
        Err(Error::new(what, "build it with the feature `postgres`, or export the table as a file"))
    }
}

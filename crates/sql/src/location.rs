//! Where a table is: the url of a database, what is read there, and how to connect.

use std::path::PathBuf;

use haggle_model::Error;

/// What is read in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineData {
    /// A table, by its name as typed.
    Table(String),
    /// The rows of a query.
    Query(String),
    /// Files that the database reads by itself, such as `parquet:/data/adult`.
    Files(String),
}

impl EngineData {
    /// How messages name it.
    pub fn title(&self) -> String {
        match self {
            Self::Table(table) => format!("table {table}"),
            Self::Query(_) => "query".into(),
            Self::Files(files) => files.clone(),
        }
    }

    /// The text by which the same data is known again.
    pub fn text(&self) -> &str {
        match self {
            Self::Table(text) | Self::Query(text) | Self::Files(text) => text,
        }
    }
}

/// The value of an option that a driver is given, or where it is found.
#[derive(Clone, PartialEq, Eq)]
pub enum OptionText {
    /// The value itself, which is no secret.
    Plain(String),
    /// The value of an environment variable.
    Variable(String),
    /// The contents of a file, without blanks around them.
    File(PathBuf),
}

/// Where a table is, and how to connect to its database.
#[derive(Clone, PartialEq, Eq)]
pub struct TableLocation {
    /// The database: `postgres://…`, `sc://…` (Spark Connect) or `adbc:DRIVER`.
    pub url: String,
    /// What is read there.
    pub data: EngineData,
    /// The ADBC driver: the path of a shared library, or a name.
    pub driver: Option<String>,
    /// How the database writes SQL, where the url does not tell.
    pub dialect: Option<String>,
    /// What the driver is given.
    pub options: Vec<(String, OptionText)>,
}

impl std::fmt::Debug for TableLocation {
    /// Without url and options, which may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableLocation").field("data", &self.data).finish_non_exhaustive()
    }
}

impl TableLocation {
    /// A table of the database at a url.
    pub fn table(url: &str, table: &str) -> Self {
        let data = EngineData::Table(table.to_owned());
        Self { url: url.to_owned(), data, driver: None, dialect: None, options: Vec::new() }
    }

    /// Whether the database is reached by an ADBC driver.
    pub fn is_adbc(&self) -> bool {
        self.url.starts_with("sc://") || self.url.starts_with("adbc:")
    }

    /// Checks what can be checked without connecting: that no secret is written down.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_adbc() {
            if holds_secret(&self.url) {
                let what = "the url holds a secret";
                return Err(Error::new(what, SECRET_FIX));
            }
            let plain = |(key, text): &&(String, OptionText)| {
                matches!(text, OptionText::Plain(_)) && is_secret(key)
            };
            if let Some((key, _)) = self.options.iter().find(plain) {
                let what = format!("the option '{key}' holds a secret");
                return Err(Error::new(what, SECRET_FIX));
            }
            return Ok(());
        }
        let is_table = matches!(self.data, EngineData::Table(_));
        if !is_table || self.driver.is_some() || self.dialect.is_some() || !self.options.is_empty()
        {
            let what =
                "query, path, driver, dialect and options belong to databases with an ADBC driver";
            let fix = "give table = \"schema.name\" alone, or url = \"sc://…\" or \"adbc:DRIVER\"";
            return Err(Error::new(what, fix));
        }
        Ok(())
    }
}

const SECRET_FIX: &str = "keep it in the environment or a file: under [data.options], write \
                          password = { env = \"NAME\" } or { file = \"/run/secrets/NAME\" }";

/// Whether an option of this name is a secret.
fn is_secret(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key).to_lowercase();
    let words = ["password", "token", "secret", "authorization", "credential", "private_key"];
    words.iter().any(|word| last.contains(word))
}

/// Whether a url of a driver holds a password or a token.
pub(crate) fn holds_secret(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', ';', '?']).next().unwrap_or_default();
    let user = host.rsplit_once('@').map_or("", |(user, _)| user);
    let mut settings = rest.split(['/', ';', '?', '&']).filter_map(|part| part.split_once('='));
    user.contains(':') || settings.any(|(key, _)| is_secret(key))
}

/// A url as messages name it: without user and settings.
pub(crate) fn place_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.split([';', '?']).next().unwrap_or_default().to_owned();
    };
    let place = rest.split([';', '?']).next().unwrap_or_default().trim_end_matches('/');
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    format!("{scheme}://{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_and_not_shown() {
        for url in ["sc://host:443/;token=abc", "sc://u:p@host", "adbc:x://a:b@h/d"] {
            assert!(holds_secret(url), "{url}");
            assert!(!place_of(url).contains("abc") && !place_of(url).contains(":p@"), "{url}");
        }
        assert!(!holds_secret("sc://host:443/;use_ssl=true"));
        assert_eq!(place_of("sc://user@host:443/;use_ssl=true"), "sc://host:443");
        let mut location = TableLocation::table("sc://host", "t");
        assert!(location.check().is_ok());
        let plain = OptionText::Plain("x".into());
        location.options = vec![("adbc.spark.token".into(), plain)];
        assert!(location.check().is_err());
        location.options[0].1 = OptionText::Variable("TOKEN".into());
        assert!(location.check().is_ok());
    }
}

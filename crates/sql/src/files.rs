//! Files that a database reads and writes by itself: `parquet:/data/adult`.

use haggle_model::Problem;

/// Files of a format at a path that the database knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFiles {
    /// The format as the database names it.
    pub format: String,
    /// Where they are.
    pub path: String,
}

impl EngineFiles {
    /// Reads `FORMAT:PATH`; `None` if it is not that. A format has two lower-case letters or more,
    /// so that a drive of Windows is none.
    ///
    /// ```
    /// use haggle_sql::EngineFiles;
    /// let files = EngineFiles::parse("parquet:s3://bucket/adult").unwrap();
    /// assert_eq!((files.format.as_str(), files.path.as_str()), ("parquet", "s3://bucket/adult"));
    /// assert!(EngineFiles::parse("out.parquet").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (format, path) = text.split_once(':')?;
        let is_format = format.len() > 1 && format.bytes().all(|b| b.is_ascii_lowercase());
        let is_scheme = path.starts_with("//");
        (is_format && !is_scheme && !path.is_empty())
            .then(|| Self { format: format.to_owned(), path: path.to_owned() })
    }

    /// Checks that the path can stand in a literal of any dialect, where it means itself.
    pub fn check(&self) -> Result<(), Problem> {
        let is_special = |c: char| c.is_control() || ['\'', '"', '\\', '$', '`', '{'].contains(&c);
        if !self.path.contains(is_special) {
            return Ok(());
        }
        let what =
            "the path of the files holds a quote, a backslash, '$', '{' or a control character";
        Err(Problem::new(what).fix("name the files without such characters"))
    }
}

impl std::fmt::Display for EngineFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.format, self.path)
    }
}

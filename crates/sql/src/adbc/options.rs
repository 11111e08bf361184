//! What a driver is given: the url and the options of the project, with secrets from where they are
//! kept.

use haggle_model::{Error, ErrorKind, Problem};

use crate::location::{OptionText, TableLocation};

/// The option of the Spark driver that names a session of the user.
const SPARK_SESSION: &str = "adbc.spark.session_id";
/// What the manager of drivers takes for itself.
const ENTRYPOINT: &str = "entrypoint";

/// Options with their values. Values are never shown.
pub(super) struct DriverOptions {
    values: Vec<(String, String)>,
    secrets: Vec<String>,
    entrypoint: Option<String>,
}

impl DriverOptions {
    pub(super) fn of(location: &TableLocation) -> Result<Self, Error> {
        let mut options = Self { values: Vec::new(), secrets: Vec::new(), entrypoint: None };
        if location.url.starts_with("sc://") {
            options.values.push(("uri".into(), location.url.clone()));
        }
        for (key, text) in &location.options {
            options.add(key, text)?;
        }
        Ok(options)
    }

    fn add(&mut self, key: &str, text: &OptionText) -> Result<(), Error> {
        let value = match text {
            OptionText::Plain(value) if key == ENTRYPOINT => {
                self.entrypoint = Some(value.clone());
                return Ok(());
            }
            OptionText::Plain(value) => value.clone(),
            secret => {
                let value = found(key, secret)?;
                self.secrets.push(value.clone());
                value
            }
        };
        self.values.push((key.to_owned(), value));
        Ok(())
    }

    pub(super) fn values(&self) -> &[(String, String)] {
        &self.values
    }

    pub(super) fn secrets(&self) -> &[String] {
        &self.secrets
    }

    pub(super) fn entrypoint(&self) -> Option<&str> {
        self.entrypoint.as_deref()
    }

    /// Whether the user named a session of the database.
    pub(super) fn names_session(&self) -> bool {
        self.values.iter().any(|(key, _)| key == SPARK_SESSION)
    }
}

/// The value of a secret.
fn found(key: &str, text: &OptionText) -> Result<String, Error> {
    match text {
        OptionText::Plain(value) => Ok(value.clone()),
        OptionText::Variable(variable) => std::env::var(variable).map_err(|_| {
            let what = format!("the option '{key}' is kept in {variable}, which is not set");
            Error::new(what, format!("set the environment variable {variable}"))
        }),
        OptionText::File(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                let what =
                    format!("the option '{key}' is kept in a file that cannot be read ({error})");
                let problem = Problem::new(what).of_kind(ErrorKind::Io).file(path);
                Error::from(problem.fix("check the path and its rights"))
            })?;
            Ok(text.trim().to_owned())
        }
    }
}

//! `haggle init`: a first project for a table, every guess with its reason.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use haggle::Role;
use haggle::setup::Draft;

use crate::Output;
use crate::args::{output_file, parse_size};
use crate::progress::Quiet;
use crate::text::{counted, shell_word};

/// Profile a table and write a first project for it, every guess with its reason
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// A table, or a folder with one (and `DATA_hierarchy_ATTRIBUTE.csv` files next to it); several
    /// files, or a pattern in quotes such as "part-*.csv", are one table; or the url of a database
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The table of that database
    #[arg(long, value_name = "SCHEMA.NAME")]
    table: Option<String>,
    /// Where to write the project (default: haggle.toml next to the first file)
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    output: Option<PathBuf>,
    /// Replace an existing project file
    #[arg(long)]
    force: bool,
    /// Memory for the values that occur
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    memory: usize,
    /// Print the guesses as JSON
    #[arg(long)]
    json: bool,
}

impl InitArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let output = self.output.as_deref();
        let draft = match self.database()? {
            Some((url, table)) => {
                Draft::in_database(self.memory, url, table, output, self.force, &Quiet)?
            }
            None => Draft::within(self.memory, &self.data, output, self.force, &Quiet)?,
        };
        draft.write()?;
        Ok(if self.json { super::json(&draft)? } else { words(&draft) }.into())
    }
}

impl InitArgs {
    /// The url and the table, if the data is in a database.
    fn database(&self) -> anyhow::Result<Option<(&str, &str)>> {
        let is_url = |path: &PathBuf| path.to_string_lossy().contains("://");
        let url = match &self.data[..] {
            [only] if is_url(only) => only.to_str(),
            _ => None,
        };
        match (url, &self.table) {
            (Some(url), Some(table)) => Ok(Some((url, table))),
            (None, None) => Ok(None),
            (Some(_), None) => {
                bail!("this is a database, and no table is named\n    fix: add --table SCHEMA.NAME")
            }
            (None, Some(_)) => {
                bail!(
                    "--table names a table of a database, and this is not the url of one\n    fix: write postgres://user@host/database --table SCHEMA.NAME"
                )
            }
        }
    }
}

/// The roles and what they are called here.
const ROLES: [(Role, &str); 4] = [
    (Role::QuasiIdentifier, "quasi-identifiers"),
    (Role::Sensitive, "sensitive"),
    (Role::Identifier, "identifiers"),
    (Role::Insensitive, "insensitive"),
];

fn words(draft: &Draft) -> String {
    let role = |(role, title): (Role, &str)| {
        let names = draft.named(role);
        let names = if names.is_empty() { "none".into() } else { names.join(", ") };
        format!("  {title:<18} {names}\n")
    };
    let file = shell_word(&draft.file.to_string_lossy());
    format!(
        "Wrote {} after reading {} and {}.\n\n{}\n\
         These are guesses, and the file says why. Review first:\n{}\n\
         Then: haggle check {file}\n      haggle ask {file}\n",
        draft.file.display(),
        counted(draft.records, "record"),
        counted(draft.attributes.len() as u64, "column"),
        ROLES.map(role).concat(),
        draft.look_first.iter().map(|note| format!("  - {note}\n")).collect::<String>(),
    )
}

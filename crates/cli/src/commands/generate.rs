//! `haggle generate`: shell completions and man pages, written from the flags for a release.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;
use haggle::Error;

use crate::{Cli, Output};

/// Write shell completions and man pages of all commands into a folder
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct GenerateArgs {
    /// The folder; completions go into completions, man pages into man
    folder: PathBuf,
}

impl GenerateArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        completions(&self.subfolder("completions")?)?;
        let man = self.subfolder("man")?;
        clap_mangen::generate_to(Cli::command(), &man).map_err(Error::io(&man))?;
        Ok(format!("Written into {}.\n", self.folder.display()).into())
    }

    fn subfolder(&self, name: &str) -> Result<PathBuf, Error> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok(folder)
    }
}

fn completions(folder: &Path) -> Result<(), Error> {
    for &shell in Shell::value_variants() {
        clap_complete::generate_to(shell, &mut Cli::command(), "haggle", folder)
            .map_err(Error::io(folder))?;
    }
    Ok(())
}

//! `haggle tour`: a tour in the terminal on the embedded Adult census data.

use std::io::{ErrorKind, Write, stdout};

use clap::{Args, Parser};

use crate::{Cli, Output};

/// A tour in the terminal on the embedded Adult census data
#[derive(Debug, Args)]
pub(crate) struct TourArgs {}

/// The text before each command, and the command.
const TOUR: &[(&str, &str)] = &[
    (
        "A census table: 30,162 persons, six attributes that could give them away. Every\n\
         combination of levels is a scheme. First, all of them are annotated.",
        "build demo:adult",
    ),
    (
        "What would 3-anonymity cost at each height, over three of the attributes?",
        "study demo:adult --qi age,race,workclass --k 3",
    ),
    (
        "One scheme in detail: how large are its groups, and what would each k cost?",
        "study demo:adult --qi age,race,workclass --k 3 --scheme 1,0,1",
    ),
    (
        "The analyst wants detail: age at most in tens, race and workclass one level up.\n\
         The lawyer wants groups of ten. At most 321 records may go.",
        "ask demo:adult --qi age,race,workclass --k 10 --max-suppressed 321 --levels 2,1,1",
    ),
    (
        "Now only 32 records may be suppressed. No scheme does that; something has to be relaxed.",
        "ask demo:adult --qi age,race,workclass --k 10 --max-suppressed 32 --levels 2,1,1",
    ),
    (
        "They agree to lose a few more records. The negotiation is done.",
        "ask demo:adult --qi age,race,workclass --k 10 --levels 2,1,1 --max-suppressed 55",
    ),
];

impl TourArgs {
    #[allow(clippy::unused_self)] // every command is run in the same way
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        for (say, command) in TOUR {
            let cli = Cli::try_parse_from(std::iter::once("haggle").chain(command.split(' ')))?;
            let output = cli.command.run()?;
            let shown = write!(stdout(), "\n{say}\n\n$ haggle {command}\n\n{}", output.text);
            match shown {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    return Ok(String::new().into());
                }
                other => other?,
            }
        }
        Ok(String::from(
            "\nYour own table: `haggle init DATA` writes a first project for it. Then ask away.\n",
        )
        .into())
    }
}

//! The `haggle` command line: one file a command, everything else in the library.

mod args;
mod columns;
mod commands;
mod interrupt;
mod partial;
mod plot;
mod progress;
mod text;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::text::printable;

/// Negotiate the anonymization of a data set in the blink of an eye.
#[derive(Debug, Parser)]
#[command(name = "haggle", version, max_term_width = 100, after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

const AFTER: &str = "PROJECT is a haggle.toml, its folder, a lattice file written by `haggle build`, \
or demo:adult, the embedded Adult census data.\n\n\
Exit codes: 0 answered, 1 the answer is no, 2 something is wrong with what was given.";

/// What a command has to say, and whether the answer is no.
struct Output {
    text: String,
    no: bool,
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self { text, no: false }
    }
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(output) => finish(&output),
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// A line on the error stream; if nobody reads it, there is nobody to tell.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Prints the text; a reader that closed the pipe has seen enough.
fn finish(output: &Output) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let text = printable(&output.text);
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: the output cannot be written: {error}"));
            ExitCode::from(2)
        }
        _ => ExitCode::from(u8::from(output.no)),
    }
}

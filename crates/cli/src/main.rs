//! The `haggle` command line: one file per command, everything else in the library.

mod args;
mod columns;
mod commands;
mod hint;
mod interrupt;
mod memory_limit;
mod partial;
mod plot;
mod progress;
mod text;
mod time_limit;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use crate::text::printable;

/// Negotiate the anonymization of a data set in the blink of an eye.
#[derive(Debug, Parser)]
#[command(name = "haggle", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

const AFTER_HELP: &str = "PROJECT is a haggle.toml, its folder, a lattice file written by `haggle build`, \
or demo:adult, the embedded Adult census data.\n\n\
Exit codes: 0 answered, 1 the answer is no, 2 something is wrong with what was given.";

/// The output of a command, and its exit code.
struct Output {
    text: String,
    code: ExitStatus,
}

/// The exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExitStatus {
    Answered = 0,
    /// The answer is no.
    No = 1,
    /// Something is wrong with what was given.
    BadInput = 2,
}

impl Output {
    fn new(text: String, no: bool) -> Self {
        Self { text, code: if no { ExitStatus::No } else { ExitStatus::Answered } }
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self::new(text, false)
    }
}

fn main() -> ExitCode {
    let matches = with_negative_numbers(Cli::command()).get_matches();
    let command = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command;
    if !command.serves() {
        memory_of(&matches).into_iter().for_each(memory_limit::keep);
    }
    match command.run() {
        Ok(output) => finish(&output),
        Err(_) if interrupt::has_cancelled() => ExitCode::from(interrupt::INTERRUPTED),
        Err(error) => {
            say(&hint::worded(&error));
            ExitCode::from(ExitStatus::BadInput as u8)
        }
    }
}

/// Takes a negative number after an option as its value: what is wrong with it is said by the option,
/// where it would be an unknown flag otherwise, with a tip that does not help.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let options = |arg: clap::Arg| {
        let takes_value = !arg.is_positional() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_value)
    };
    command.mut_args(options).mut_subcommands(with_negative_numbers)
}

/// The value of `--memory`, if the command has it.
fn memory_of(matches: &ArgMatches) -> Option<usize> {
    match matches.subcommand() {
        Some((_, command)) => memory_of(command),
        None => matches.try_get_one("memory").ok().flatten().copied(),
    }
}

/// Prints a line to standard error; errors of writing are ignored.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Prints the text; a closed pipe is not an error.
fn finish(output: &Output) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let text = printable(&output.text);
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: the output cannot be written: {error}"));
            ExitCode::from(2)
        }
        _ => ExitCode::from(output.code as u8),
    }
}

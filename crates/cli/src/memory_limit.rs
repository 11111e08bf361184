//! Ends the program before it takes more memory than `--memory` allows.

use haggle::memory::MemoryWatch;
use haggle::{Error, ErrorKind, Remedy};

use crate::{ExitStatus, hint, say};

/// Watches the memory of the whole program from now on. Unfinished files are private, and removed by
/// the next run that writes to the same place, as after every other end.
pub(crate) fn keep(memory: usize) {
    let Some(watch) = MemoryWatch::within(memory) else { return };
    std::thread::spawn(move || {
        while let Some(pause) = watch.pause() {
            std::thread::sleep(pause);
        }
        say(&hint::worded(&exceeded(memory).into()));
        std::process::exit(ExitStatus::BadInput as i32);
    });
}

fn exceeded(memory: usize) -> Error {
    let what = format!(
        "this takes more memory than the limit of {} MB allows, so it was stopped",
        memory >> 20
    );
    let or = "choose fewer quasi-identifiers, or publish a scheme";
    Error::of_kind(ErrorKind::OutOfMemory, what, Remedy::RaiseMemory(or.into()))
}

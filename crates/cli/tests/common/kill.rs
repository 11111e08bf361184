//! Ends a run of the binary at a system call of one's choice, or at a random moment.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use haggle_testkit::{effort, process};

use super::{Folder, HAGGLE};

/// The system calls before which a process is killed: all that change files or wait for others.
pub(crate) const CALLS: [&str; 8] =
    ["openat", "write", "fsync", "flock", "rename", "unlink", "chmod", "mkdir"];

/// A command that runs under strace and is killed before the n-th such call of one of its threads.
/// Where paths are given, only calls on them count.
pub(crate) fn killed_at(call: &str, n: usize, paths: &[PathBuf]) -> Command {
    let mut command = Command::new("strace");
    let inject = format!("inject={call}:signal=KILL:when={n}");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]);
    for path in paths {
        command.arg("-P").arg(path);
    }
    command.arg(HAGGLE).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether a process was killed; strace ends the way its process did.
pub(crate) fn was_killed(status: ExitStatus) -> bool {
    assert!(status.signal() == Some(9) || status.code() == Some(0), "neither: {status}");
    let killed = status.signal() == Some(9);
    if killed {
        count_kill();
    }
    killed
}

thread_local! {
    /// Every test has a thread of its own.
    static KILLS: Cell<u32> = const { Cell::new(0) };
}

/// Counts a process that was killed while it worked.
pub(crate) fn count_kill() {
    KILLS.set(KILLS.get() + 1);
}

/// Prints how many processes this test killed; `make kills` adds them up.
pub(crate) fn print_kills(what: &str) {
    println!("kills: {} of {what}", KILLS.get());
}

/// Runs a command, killed before its n-th such call; false if it ended before that.
pub(crate) fn kill_at(folder: &Folder, arguments: &[&str], call: &str, n: usize) -> bool {
    let child = killed_at(call, n, &[]).args(arguments).current_dir(folder.path()).spawn();
    let mut child = child.expect("strace is installed (the Makefile installs it)");
    was_killed(process::wait(&mut child))
}

/// Runs a command and kills it after some time, if it is not done by then.
pub(crate) fn kill_after(folder: &Folder, arguments: &[&str], time: Duration) -> bool {
    let mut command = folder.command(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(time);
    child.kill().unwrap();
    was_killed(process::wait(&mut child))
}

/// How long a command takes.
pub(crate) fn time_of(folder: &Folder, arguments: &[&str]) -> Duration {
    let start = Instant::now();
    folder.haggle(arguments).text();
    start.elapsed()
}

/// How many processes a test kills at random moments: a few, or 80 in the long tests.
pub(crate) fn random_kills(few: u32) -> u32 {
    effort::pick(few, 80)
}

/// Fractions that look random and are the same in every run.
pub(crate) fn fraction(n: u32) -> f64 {
    f64::from(n.wrapping_mul(2_654_435_769)) / f64::from(u32::MAX)
}

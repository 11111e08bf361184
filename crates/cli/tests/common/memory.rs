//! Runs of the binary with the peak of their resident memory, as the operating system sees it.

use std::io::read_to_string;
use std::process::{Command, Stdio};

use haggle_testkit::process;
use wait4::Wait4;

pub(crate) const MB: u64 = 1 << 20;
/// What the program may take besides its limit.
const PROGRAM: u64 = 64 * MB;

/// How a run ended, and the most memory that it had.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// In bytes.
    pub(crate) peak: u64,
    /// The time of all processors, in seconds.
    pub(crate) seconds: f64,
}

/// Runs a command on two threads.
pub(crate) fn measured(command: &mut Command) -> Measured {
    command.env("RAYON_NUM_THREADS", "2").stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (stdout, stderr, ended) = process::within_limit(child.id(), process::LIMIT, || {
        let stdout = std::thread::spawn(|| read_to_string(stdout).unwrap());
        let stderr = read_to_string(stderr).unwrap();
        (stdout.join().unwrap(), stderr, child.wait4().unwrap())
    });
    let seconds = (ended.rusage.utime + ended.rusage.stime).as_secs_f64();
    Measured { code: ended.status.code(), stdout, stderr, peak: ended.rusage.maxrss, seconds }
}

/// Whether a peak is at most a quarter above the limit, and what the program itself takes.
pub(crate) fn keeps_to(peak: u64, megabytes: u64) -> bool {
    peak <= megabytes * MB * 5 / 4 + PROGRAM
}

impl Measured {
    /// Whether the peak is at most a quarter above the limit, and what the program itself takes.
    pub(crate) fn keeps_to(&self, megabytes: u64) -> bool {
        keeps_to(self.peak, megabytes)
    }

    /// Whether it was refused for want of memory, with what to do. How much memory a step would take
    /// differs between machines, so the message is not compared as a whole.
    pub(crate) fn is_refused(&self) -> bool {
        self.code == Some(2) && self.stderr.contains("memory") && self.stderr.contains("fix:")
    }
}

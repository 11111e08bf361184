//! Child processes that no test waits for without a limit.

use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long a process may take. The slowest ones need a fifth of it on a busy machine.
pub const LIMIT: Duration = Duration::from_mins(10);

/// Waits until a process has ended.
pub fn wait(child: &mut Child) -> ExitStatus {
    within_limit(child.id(), LIMIT, || child.wait()).expect("a child can be waited for")
}

/// Commands that run to their end, within the limit.
pub trait RunLimited {
    /// Runs the command with nothing to read and returns what it wrote and how it ended. What it starts
    /// is in its process group, so that it ends with it.
    fn run_limited(&mut self) -> Output;
}

impl RunLimited for Command {
    fn run_limited(&mut self) -> Output {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(self, 0);
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = self.spawn();
        output(child.unwrap_or_else(|error| panic!("{self:?}: {error}")))
    }
}

/// Waits until a process has ended, and returns what it wrote into its pipes.
pub fn output(child: Child) -> Output {
    let id = child.id();
    within_limit(id, LIMIT, || child.wait_with_output()).expect("a child can be waited for")
}

/// Does what waits for a process, and kills the process with its group where that takes too long.
///
/// ```should_panic
/// use std::process::Command;
/// use std::time::Duration;
///
/// use haggle_testkit::process::within_limit;
///
/// let mut child = Command::new("sleep").arg("60").spawn().unwrap();
/// within_limit(child.id(), Duration::from_millis(10), || child.wait());
/// ```
pub fn within_limit<T>(id: u32, limit: Duration, waiting: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    let watchdog = thread::spawn(move || {
        let is_late = is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_late {
            let _ = Command::new("kill")
                .args(["-KILL", "--", &format!("-{id}"), &id.to_string()])
                .status();
        }
        is_late
    });
    let result = waiting();
    drop(done);
    assert!(!watchdog.join().expect("the watchdog does not panic"), "killed after {limit:?}");
    result
}

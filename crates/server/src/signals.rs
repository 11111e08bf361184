//! What the operating system asks of the server: to stop, or for another address of the page.

use std::io;

/// Ends when a signal asks the process to stop.
#[cfg(unix)]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut quit = signal(SignalKind::quit())?;
    // A process that was started to outlive its terminal (nohup) ignores SIGHUP.
    let mut hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
    Ok(async move {
        let hung_up = async {
            match &mut hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = quit.recv() => {}
            _ = hung_up => {}
        }
    })
}

/// Whether the process was started with SIGHUP ignored, where the system reports it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The mask's lowest bit is signal 1, which is SIGHUP.
    ignored.unwrap_or(0) & 1 == 1
}

#[cfg(not(unix))]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async { drop(tokio::signal::ctrl_c().await) })
}

/// Calls back whenever SIGUSR1 asks for another address; never ends.
#[cfg(unix)]
pub(crate) fn asked_for_address(tell: impl Fn()) -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut asked = signal(SignalKind::user_defined1())?;
    Ok(async move {
        while asked.recv().await.is_some() {
            tell();
        }
    })
}

#[cfg(not(unix))]
pub(crate) fn asked_for_address(_: impl Fn()) -> io::Result<impl Future<Output = ()>> {
    Ok(async {})
}

//! Flags that help with an error: the libraries say what to do, and do not know the command line.

use haggle::{Error, ErrorKind};
use haggle_server::StartError;

/// Returns the flags that matter for a kind of error.
fn flags(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Memory => Some(
            "--memory sets the limit, --qi chooses the quasi-identifiers, --from-level counts from higher levels",
        ),
        ErrorKind::AlreadyExists => Some("--force replaces the file"),
        _ => None,
    }
}

/// Words an error with the flags that help.
pub(crate) fn worded(error: &anyhow::Error) -> String {
    let kind = error.downcast_ref::<Error>().map(Error::kind);
    let remote = matches!(error.downcast_ref(), Some(StartError::Remote(_)));
    let flags = kind.and_then(flags).or(remote.then_some("--allow-remote allows it"));
    let flags = flags.map(|flags| format!("\n    flags: {flags}"));
    format!("error: {error:#}{}", flags.unwrap_or_default())
}

//! Who may ask: one-time codes sign browsers in, sessions keep them signed in, programs have a token.

mod codes;
mod entry;
mod guard;
mod secret;
mod sessions;

pub(crate) use codes::Codes;
pub(crate) use entry::{enter, script};
pub(crate) use guard::{Guard, authorize};
pub(crate) use secret::{Digest, Secret};
pub(crate) use sessions::{Session, Sessions, prune};

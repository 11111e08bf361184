//! Authorization: one-time codes sign browsers in, sessions keep them signed in, programs have a
//! token.

mod codes;
mod guard;
mod secret;
mod sessions;

pub(crate) use codes::Codes;
pub(crate) use guard::RequestGuard;
pub(crate) use secret::{Digest, Secret};
pub(crate) use sessions::{Credentials, Session, Sessions, prune};

//! The HTTP interface against the library, its own description, and clients that mean no good.

mod answers;
mod client;
#[cfg(unix)]
mod database;
mod hostile;
mod openapi;
mod orders;
mod publishing;
mod questions;
mod reports;
mod setup;
mod signing_in;
mod stalled;

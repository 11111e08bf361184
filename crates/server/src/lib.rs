//! The negotiation page and the HTTP interface: one process, one project, one lattice for all.
//!
//! A [`Server`] is bound first, so that its address is known, and then runs until it is stopped.
//!
//! ```no_run
//! use haggle_server::{Server, Settings};
//!
//! let server = Server::bind(haggle::Project::open("demo:adult")?, Settings::default())?;
//! println!("{}", server.address()?);
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod body;
mod engines;
mod failure;
mod instants;
mod listen;
mod page;
mod private_files;
mod queue;
mod routes;
mod served;
mod server;
mod signals;
mod state;
mod steps;
mod storage;
mod stream;
mod write_timeout;

pub use server::{Entrance, Server, Settings, StartError, StopSignal};

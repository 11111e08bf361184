//! `haggle serve`: the negotiation page on a project.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::process::{Command, Stdio};

use clap::Args;
use haggle::Project;
use haggle_server::{Server, Settings};
use serde_json::json;

use crate::args::ProjectArgs;
use crate::{Output, say};

/// The negotiation page on a project, for this machine's browsers
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    listen: ListenArgs,
    /// Listen at this address instead of this machine's own; needs --allow-remote
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Let other machines ask; whoever has the printed address can see records
    #[arg(long)]
    allow_remote: bool,
}

/// Where to listen, and who is told.
#[derive(Debug, Clone, Args)]
pub(crate) struct ListenArgs {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

impl ServeArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let settings = Settings {
            address: self.address,
            remote: self.allow_remote,
            qi: self.project.qi(),
            memory: self.project.memory,
            ..Settings::default()
        };
        if !self.address.is_loopback() && self.allow_remote {
            say(
                "warning: other machines can reach this. Whoever sees the address can see records \
                 and publish; what is sent is not encrypted.",
            );
        }
        self.listen.serve(&self.project.project, settings, self.project.json)
    }
}

impl ListenArgs {
    /// Serves until it is asked to stop; the address is told before.
    pub(crate) fn serve(
        &self,
        project: &str,
        settings: Settings,
        json: bool,
    ) -> anyhow::Result<Output> {
        let settings = Settings { port: self.port, ..settings };
        let server = Server::bind(Project::open(project)?, settings)?;
        let address = server.address();
        let line = if json {
            super::json(&json!({ "address": address }))?
        } else {
            format!("The page is at {address}\n")
        };
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush())?;
        drop(stdout);
        if !self.no_open {
            open(&address);
        }
        server.run()?;
        Ok(String::new().into())
    }
}

/// Opens the page in a browser, where there is one; the address was told anyway.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}

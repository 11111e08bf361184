//! `haggle serve`: the negotiation page on a project.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use haggle::Project;
use haggle_server::{Entrance, Server, Settings};
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
    /// Allow requests from other machines; the first to open the printed address can see records
    #[arg(long)]
    allow_remote: bool,
}

/// Where to listen, and how the address is reported.
#[derive(Debug, Clone, Args)]
pub(crate) struct ListenArgs {
    /// The port; 0 for any that is free [default: the project's last one, if it is free]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
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
            say("warning: other machines can reach this. The first to open the address can see \
                 records and publish; what is sent is not encrypted.");
        }
        self.listen.serve(&self.project.project, settings, self.project.json)
    }
}

impl ListenArgs {
    /// Serves until it is stopped; prints the address first.
    pub(crate) fn serve(
        &self,
        project: &str,
        settings: Settings,
        json: bool,
    ) -> anyhow::Result<Output> {
        let state = state_folder();
        let settings = Settings { port: self.port, state, own_process: true, ..settings };
        let mut server = bind(project, settings)?;
        let entrance = server.entrance().clone();
        server.on_request_for_address(move |address| {
            if json {
                tell(&format!("{}\n", json!({ "address": address })));
            } else {
                tell(&by_hand(address));
            }
        });
        if json {
            let (address, token) = (server.address()?, server.token());
            let report = json!({ "address": address, "origin": entrance.origin(), "token": token });
            tell(&super::json(&report)?);
        } else {
            tell(&format!("The page is at {}\n", entrance.origin()));
        }
        let otherwise = move |entrance: &Entrance| match entrance.address() {
            Ok(address) if !json => tell(&by_hand(&address)),
            _ => (),
        };
        if self.no_open {
            otherwise(&entrance);
        } else {
            open(entrance, otherwise)?;
        }
        server.run()?;
        Ok(String::new().into())
    }
}

/// Binds a server to a project. Problems of its file are printed, and shown on the page until they
/// are solved there.
fn bind(project: &str, settings: Settings) -> anyhow::Result<Server> {
    let file = Path::new(project);
    if Project::is_table(file) {
        return Ok(Server::bind_table(file, settings)?);
    }
    let file = if file.is_dir() { file.join("haggle.toml") } else { file.to_owned() };
    match Project::open(project) {
        Ok(project) => {
            if let Some(qi) = &settings.qi {
                project.check_quasi_identifiers(qi)?;
            }
            Ok(Server::bind(project, settings)?)
        }
        Err(problems) if file.is_file() && file.extension().is_some_and(|e| e == "toml") => {
            say(&problems.to_string());
            say("The page shows these problems and reads the file again when it changes.");
            Ok(Server::bind_unreadable(&file, problems, settings)?)
        }
        Err(problems) => Err(problems.into()),
    }
}

/// Prints at once; a closed output does not stop the server.
fn tell(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// An address to open by hand, and how to get another.
fn by_hand(address: &str) -> String {
    let another = if cfg!(unix) {
        format!("kill -USR1 {} prints another", std::process::id())
    } else {
        "start haggle again for another".to_owned()
    };
    format!("Open {address}\n(it works once, within five minutes; {another})\n")
}

/// The folder for private state that is kept between runs.
fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let absolute = |folder: &PathBuf| folder.is_absolute();
    let state = folder("XDG_STATE_HOME").filter(absolute);
    let state = state.or_else(|| Some(folder("HOME").filter(absolute)?.join(".local/state")));
    let state = state.or_else(|| folder("LOCALAPPDATA").filter(absolute));
    Some(state?.join("haggle"))
}

/// Opens the page in a browser, if there is one. Other users can see a program's arguments, so that
/// is a private file, not an address.
fn open(entrance: Entrance, otherwise: impl Fn(&Entrance) + Send + 'static) -> anyhow::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(entrance.file()?);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    std::thread::spawn(move || {
        if !command.status().is_ok_and(|status| status.success()) {
            otherwise(&entrance);
        }
    });
    Ok(())
}

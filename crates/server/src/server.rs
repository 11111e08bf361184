//! The server: bound to an address, told to whoever may know it, run until it is asked to stop.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use haggle::Project;
use tokio::sync::{Notify, OnceCell};

use crate::engines::{Engines, Underway};
use crate::guard::Guard;
use crate::instants::Instants;
use crate::publications::Publications;
use crate::state::State;
use crate::token::Token;
use crate::{listen, routes};

/// Threads for long work; more would only wait for the cores.
const LONG_WORK: usize = 32;

/// How long work that was asked to stop may take to notice.
const FAREWELL: Duration = Duration::from_secs(5);

/// Where and how to serve.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address; any but a loopback address can be reached by other machines.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Whether an address that other machines can reach is meant.
    pub remote: bool,
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// Bytes for each lattice.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let address = Ipv4Addr::LOCALHOST.into();
        let memory = haggle::Options::default().memory;
        Self { address, port: 0, remote: false, qi: None, memory }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address can be reached by others, and that was not said to be meant.
    #[error(
        "{0} can be reached by other machines\n    fix: leave the address out, or add --allow-remote if that is meant"
    )]
    Remote(IpAddr),
    /// The system refused.
    #[error("{0} cannot be listened at: {1}\n    fix: choose another port, or none for a free one")]
    Address(SocketAddr, std::io::Error),
    /// The system refused something else.
    #[error("the server cannot be started: {0}")]
    Io(#[from] std::io::Error),
}

/// A server that has an address and is about to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
    settings: Settings,
    project: Project,
    stop: Stop,
}

/// Asks a server to stop, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Asks it to stop.
    pub fn now(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the address.
    pub fn bind(project: Project, settings: Settings) -> Result<Self, Error> {
        if !(settings.address.is_loopback() || settings.remote) {
            return Err(Error::Remote(settings.address));
        }
        let wanted = SocketAddr::new(settings.address, settings.port);
        let refused = |error| Error::Address(wanted, error);
        let listener = TcpListener::bind(wanted).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let project = project.with_default_qi(settings.qi.clone());
        let token = Token::random()?;
        Ok(Self { listener, address, token, settings, project, stop: Stop::default() })
    }

    /// The address to open, with its token.
    pub fn address(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}/?token={}", self.token.as_str())
    }

    /// What stops it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is asked to stop, by [`Stop`] or by a signal.
    pub fn run(self) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(LONG_WORK)
            .build()?;
        let ended = runtime.block_on(self.serve());
        runtime.shutdown_timeout(FAREWELL);
        ended
    }

    async fn serve(self) -> Result<(), Error> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let project = Arc::new(self.project);
        let engines = Engines::new(project.clone(), self.settings.memory);
        let instants = Instants::new(project.clone(), self.settings.memory);
        let guard = Guard::new(self.token, self.address.port(), self.settings.remote);
        let memory = self.settings.memory;
        let (publications, columns) = (Publications::default(), OnceCell::new());
        let underway = Underway::default();
        let state =
            State { project, engines, instants, guard, publications, columns, memory, underway };
        let state = Arc::new(state);
        // Most will ask for the project's own lattice; it is begun before they do.
        let first = state.engines.wait(None);
        let asked = asked_to_stop(self.stop)?;
        let ending = state.clone();
        let stop = async move {
            asked.await;
            ending.stop();
        };
        listen::listen(listener, routes::router(state), stop).await;
        drop(first);
        Ok(())
    }
}

/// Ends when a signal or a [`Stop`] says so.
fn asked_to_stop(stop: Stop) -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?
    };
    Ok(async move {
        #[cfg(unix)]
        let terminated = terminate.recv();
        #[cfg(not(unix))]
        let terminated = std::future::pending::<Option<()>>();
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated => {}
            () = stop.0.notified() => {}
        }
    })
}

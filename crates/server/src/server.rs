//! The server: bound to an address, run until it is stopped.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use haggle::Project;
use haggle::memory::MemoryWatch;
use haggle::questions::Questions;
use tokio::sync::Notify;

use crate::access::{Codes, RequestGuard, Secret, Sessions};
use crate::queue::FairQueue;
use crate::served::{OpenOptions, ServedProject};
use crate::state::State;
use crate::steps::Underway;
use crate::storage::{Drafts, Memory, PrivateFolder, Receipts, StoredPublications};
use crate::{listen, routes, signals};

/// Threads for long work and for reading files.
const BLOCKING_THREADS: usize = 64;

/// How much long work goes on at once for each core; more would only wait.
const WORK_PER_CORE: usize = 4;

/// How long work that was asked to stop may take to notice.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// How often expired codes and their files are removed.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(30);

/// How long work that was stopped for want of memory may take to free it.
const RELIEF: Duration = Duration::from_millis(5);

/// Where and how to serve.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address; any but a loopback address can be reached by other machines.
    pub address: IpAddr,
    /// The port, 0 for any that is free; if not given, the one that the project's last server had, if
    /// that is free.
    pub port: Option<u16>,
    /// Whether an address that other machines can reach is intended.
    pub remote: bool,
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// Bytes for each lattice.
    pub memory: usize,
    /// A folder of the user's for publications that wait for download, and for what the next server of
    /// the project should know; without one, nothing is remembered.
    pub state: Option<PathBuf>,
    /// The largest table that can be sent, in bytes.
    pub upload_limit: u64,
    /// What can be asked.
    pub questions: Questions,
    /// Whether the process is the server's own: long work then stops before the whole process takes
    /// more memory than the limit allows.
    pub own_process: bool,
}

/// Tables that are sent have at most this many bytes, unless settings say otherwise.
const UPLOAD_LIMIT: u64 = 2 << 30;

impl Default for Settings {
    fn default() -> Self {
        let address = Ipv4Addr::LOCALHOST.into();
        let memory = haggle::Options::default().memory;
        Self {
            address,
            port: None,
            remote: false,
            qi: None,
            memory,
            state: None,
            upload_limit: UPLOAD_LIMIT,
            questions: Questions::default(),
            own_process: false,
        }
    }
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address can be reached by others, and that was not allowed.
    #[error(
        "{0} can be reached by other machines\n    fix: leave the address out, or allow remote access if that is intended"
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
    entrance: Entrance,
    token: Secret,
    settings: Settings,
    served: ServedProject,
    /// The table that the server was started with, if it was not a project.
    table: Option<PathBuf>,
    memory: Memory,
    folder: Arc<PrivateFolder>,
    stop: StopSignal,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

/// Makes addresses that sign a browser in.
#[derive(Debug, Clone)]
pub struct Entrance {
    address: SocketAddr,
    codes: Arc<Codes>,
    folder: Arc<PrivateFolder>,
}

impl Entrance {
    /// Where the page is; only browsers that are signed in can open it there.
    pub fn origin(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{address}")
    }

    /// An address that signs one browser in, once, within a few minutes.
    pub fn address(&self) -> io::Result<String> {
        self.codes.issue(&self.origin())
    }

    /// Writes a private file that redirects a browser to such an address; it is removed when it was
    /// used.
    pub fn file(&self) -> io::Result<PathBuf> {
        self.codes.issue_file(&self.origin(), self.folder.path())
    }
}

/// Asks a server to stop, from another thread.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<Notify>);

impl StopSignal {
    /// Asks it to stop.
    pub fn now(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the address. A project in a folder is read again whenever its files change.
    pub fn bind(project: Project, settings: Settings) -> Result<Self, StartError> {
        let place = project.location();
        let options = OpenOptions { qi: settings.qi.clone(), memory: settings.memory };
        Self::serving(ServedProject::new(Ok(project), options), &place, settings)
    }

    /// Takes the address for a project file that could not be read: its problems are reported until
    /// they are solved.
    pub fn bind_unreadable(
        file: &Path,
        problems: haggle::Error,
        settings: Settings,
    ) -> Result<Self, StartError> {
        let place = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let options = OpenOptions { qi: settings.qi.clone(), memory: settings.memory };
        let served = ServedProject::unreadable(file, problems, options);
        Self::serving(served, &place.to_string_lossy(), settings)
    }

    /// Takes the address for a table that has no project yet: the page begins with setting one up.
    pub fn bind_table(table: &Path, settings: Settings) -> Result<Self, StartError> {
        let place = table.canonicalize().unwrap_or_else(|_| table.to_owned());
        let fix = "set one up on the page, or name a haggle.toml";
        let none =
            haggle::Error::of_kind(haggle::ErrorKind::NotFound, "there is no project yet", fix);
        let options = OpenOptions { qi: None, memory: settings.memory };
        let served = ServedProject::new(Err(none), options);
        let bound = Self::serving(served, &place.to_string_lossy(), settings)?;
        Ok(Self { table: Some(table.to_owned()), ..bound })
    }

    fn serving(served: ServedProject, place: &str, settings: Settings) -> Result<Self, StartError> {
        if !(settings.address.is_loopback() || settings.remote) {
            return Err(StartError::Remote(settings.address));
        }
        let memory = Memory::for_project(settings.state.as_deref(), place);
        let listener = listener(&settings, memory.port())?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        memory.remember_port(address.port());
        let folder = Arc::new(PrivateFolder::create(settings.state.as_deref())?);
        let entrance = Entrance { address, codes: Arc::default(), folder: folder.clone() };
        let (token, stop) = (Secret::random()?, StopSignal::default());
        let tell = Box::new(|_: &str| ());
        let table = None;
        Ok(Self { listener, entrance, token, settings, served, table, memory, folder, stop, tell })
    }

    /// What makes addresses of the page.
    pub fn entrance(&self) -> &Entrance {
        &self.entrance
    }

    /// An address of the page that signs one browser in, once, within a few minutes.
    pub fn address(&self) -> io::Result<String> {
        self.entrance.address()
    }

    /// What programs send as `Authorization: Bearer`.
    pub fn token(&self) -> &str {
        self.token.as_str()
    }

    /// Reports a new address whenever the process receives SIGUSR1.
    pub fn on_request_for_address(&mut self, tell: impl Fn(&str) + Send + Sync + 'static) {
        self.tell = Box::new(tell);
    }

    /// What stops it.
    pub fn stop(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Serves until it is asked to stop, by [`StopSignal`] or by a signal.
    pub fn run(self) -> Result<(), StartError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()?;
        let folder = self.folder.clone();
        let ended = runtime.block_on(self.serve());
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        folder.remove();
        ended
    }

    async fn serve(self) -> Result<(), StartError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let memory = self.settings.memory;
        let guard = RequestGuard {
            token: self.token.digest(),
            codes: self.entrance.codes.clone(),
            sessions: Sessions::new(self.memory.sessions()),
            port: self.entrance.address.port(),
            remote: self.settings.remote,
        };
        let state = Arc::new(State {
            served: self.served,
            drafts: Drafts::new(self.table, self.settings.upload_limit),
            receipts: Receipts::of_earlier_servers(self.memory.receipts()),
            guard,
            origin: self.entrance.origin(),
            memory_of_sessions: self.memory,
            folder: self.folder,
            publications: StoredPublications::default(),
            memory,
            questions: self.settings.questions.clone(),
            queue: FairQueue::new(work_at_once()),
            underway: Underway::default(),
            memory_stops: AtomicUsize::new(0),
        });
        if self.settings.own_process {
            watch_memory(&state);
        }
        // Most requests are for the project's own lattice, so it is built before the first one.
        let first = state.served.last().map(|served| served.engines.wait(None));
        let aside = aside(self.entrance, self.tell)?;
        let asked = asked_to_stop(self.stop)?;
        let ending = state.clone();
        let stop = async move {
            asked.await;
            ending.stop();
        };
        tokio::select! {
            () = listen::listen(listener, routes::router(state), stop) => {}
            () = aside => {}
        }
        drop(first);
        Ok(())
    }
}

/// Stops long work whenever the process takes too much memory, and more than ever before: memory that
/// was freed may stay with the process and is used again.
fn watch_memory(state: &Arc<State>) {
    let Some(watch) = MemoryWatch::within(state.memory) else { return };
    let state = Arc::downgrade(state);
    std::thread::spawn(move || {
        let mut most = 0;
        while let Some(state) = state.upgrade() {
            let pause = watch.pause();
            if pause.is_none() && watch.used() > most {
                state.stop_for_memory();
                most = watch.used();
            }
            drop(state);
            std::thread::sleep(pause.unwrap_or(RELIEF));
        }
    });
}

/// How much long work goes on at once.
fn work_at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores * WORK_PER_CORE).clamp(4, BLOCKING_THREADS / 2)
}

/// Listens at the requested port; at the last server's port only if that is free.
fn listener(settings: &Settings, last: Option<u16>) -> Result<TcpListener, StartError> {
    let bind = |port: u16| {
        let wanted = SocketAddr::new(settings.address, port);
        TcpListener::bind(wanted).map_err(|error| StartError::Address(wanted, error))
    };
    match (settings.port, last) {
        (Some(port), _) => bind(port),
        (None, Some(last)) => bind(last).or_else(|_| bind(0)),
        (None, None) => bind(0),
    }
}

/// Removes expired codes and reports new addresses on request; never ends.
fn aside(
    entrance: Entrance,
    tell: Box<dyn Fn(&str) + Send + Sync>,
) -> io::Result<impl Future<Output = ()>> {
    let codes = entrance.codes.clone();
    let asked = signals::asked_for_address(move || {
        if let Ok(address) = entrance.address() {
            tell(&address);
        }
    })?;
    let expiring = async move {
        loop {
            tokio::time::sleep(EXPIRY_INTERVAL).await;
            codes.expire();
        }
    };
    Ok(async move {
        tokio::join!(asked, expiring);
    })
}

/// Ends when a signal or a [`StopSignal`] says so.
fn asked_to_stop(stop: StopSignal) -> io::Result<impl Future<Output = ()>> {
    let signalled = signals::asked_to_stop()?;
    Ok(async move {
        tokio::select! {
            () = signalled => {}
            () = stop.0.notified() => {}
        }
    })
}

//! The lattices in use: one for each set of quasi-identifiers, built once however many clients
//! request it and in whatever order, all within one memory limit.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use haggle::cache::{Cache, Capacity};
use haggle::{Engine, Options, Progress, Project, Silent, Way};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::watch;

use crate::failure::Failure;
use crate::queue::{Client, FairQueue};
use crate::steps::WorkSteps;

/// How many lattices are kept; the one not used for longest goes first.
const CAPACITY: usize = 8;

/// Every scheme is annotated beforehand if roll-ups read at most this many cells for that: about two
/// seconds. The first answer of a larger lattice comes sooner if its schemes are annotated on demand.
const FULL_TOUCHES: f64 = 4e8;

/// How many orders of a lattice's attributes are kept.
const ORDERS: usize = 8;

/// How often a table in a database is checked for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Lattices of a table that changes all the time are rebuilt after this many times the time that
/// building them took.
const REBUILD_FACTOR: u32 = 10;

/// A lattice, or why it could not be built.
pub(crate) type Made = Result<Arc<Engine>, Failure>;

/// The lattices in use, by their quasi-identifiers, the one used last at the back.
pub(crate) struct Engines {
    project: Arc<Project>,
    /// Bytes for all lattices together.
    memory: usize,
    /// Lattices are built one after the other, so that each can use the memory that the others
    /// left.
    queue: Arc<FairQueue>,
    /// Where lattices in another order wait for their turn.
    reordering: Arc<FairQueue>,
    /// Threads of their own, so that requests do not wait until a lattice is built.
    pool: ThreadPool,
    kept: Mutex<VecDeque<Arc<Making>>>,
    /// When the table was last checked for changes.
    looked: Mutex<Option<Instant>>,
}

/// A lattice that is built or being built.
struct Making {
    /// In the order in which it is annotated.
    qi: Vec<String>,
    /// The state of the table before it was counted, where it is known.
    table: Arc<OnceLock<String>>,
    steps: Arc<WorkSteps>,
    made: watch::Receiver<Option<Made>>,
    /// How many wait for it.
    waiting: Mutex<usize>,
    /// The engine with its attributes in other orders, by their names.
    reordered: Cache<Vec<String>, Engine>,
}

impl Making {
    /// Whether it is built, or building it failed.
    fn is_done(&self) -> bool {
        self.made.borrow().is_some()
    }

    /// How long building it took.
    fn took(&self) -> Duration {
        let made = self.made.borrow();
        let engine = made.as_ref().and_then(|made| made.as_ref().ok());
        Duration::from_millis(engine.map_or(0, |engine| engine.built().millis))
    }

    /// Whether it was built before the table changed last.
    fn is_older(&self, table: &str) -> bool {
        self.table.get().is_some_and(|counted| counted != table)
    }

    /// The bytes that it takes, in all its orders.
    fn bytes(&self) -> usize {
        let made = self.made.borrow();
        let whole = made.as_ref().and_then(|made| made.as_ref().ok());
        whole.map_or(0, |engine| engine.bytes()) + self.reordered.total(Engine::bytes)
    }

    /// Returns the lattice in another order of its attributes.
    fn in_order(&self, engine: &Arc<Engine>, qi: &Vec<String>) -> Made {
        let capacity = Capacity::entries(ORDERS);
        let build = || engine.reordered(qi).map(Arc::new);
        Ok(self.reordered.get_or_build(qi, &capacity, &Silent, build)?)
    }
}

impl Engines {
    pub(crate) fn new(project: Arc<Project>, memory: usize) -> io::Result<Arc<Self>> {
        let pool = ThreadPoolBuilder::new().build().map_err(io::Error::other)?;
        let (queue, reordering) = (FairQueue::new(1), FairQueue::new(2));
        let (kept, looked) = Default::default();
        Ok(Arc::new(Self { project, memory, queue, reordering, pool, kept, looked }))
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<Making>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lattice of these quasi-identifiers, once it is there.
    pub(crate) async fn get(self: &Arc<Self>, qi: Option<Vec<String>>) -> Made {
        self.refresh().await;
        self.wait(qi).made().await
    }

    /// Forgets lattices that are older than the table, if a check is due. Where the database does
    /// not answer, the lattices stay.
    async fn refresh(self: &Arc<Self>) {
        if !self.project.is_in_database() || !self.is_time_to_look() {
            return;
        }
        let engines = self.clone();
        let look = tokio::task::spawn_blocking(move || {
            if let Ok(Some(table)) = engines.project.table_stamp() {
                engines.kept().retain(|making| !making.is_older(&table));
            }
        });
        drop(look.await);
    }

    /// Whether a check of the table is due; the caller that receives `true` must do it.
    fn is_time_to_look(&self) -> bool {
        let longest = self.kept().iter().map(|making| making.took()).max().unwrap_or_default();
        let pause = CHECK_INTERVAL.max(REBUILD_FACTOR * longest);
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.is_none_or(|last| last.elapsed() >= pause);
        if due {
            *looked = Some(Instant::now());
        }
        due
    }

    /// Joins the queue for a lattice; the first to join has it built.
    pub(crate) fn wait(self: &Arc<Self>, qi: Option<Vec<String>>) -> Waiting {
        let asked = qi.unwrap_or_else(|| self.project.default_qi());
        let qi = self.canonical(asked.clone());
        let mut kept = self.kept();
        let found = kept.iter().position(|making| making.qi == qi);
        let making = found.and_then(|i| kept.remove(i)).unwrap_or_else(|| self.begin(qi));
        kept.push_back(making.clone());
        *making.waiting.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.evict(&mut kept, self.memory);
        Waiting { engines: self.clone(), making, qi: asked }
    }

    /// The order in which a set of quasi-identifiers is annotated, whatever the order asked for.
    fn canonical(&self, mut qi: Vec<String>) -> Vec<String> {
        let default = self.project.default_qi();
        let place = |name: &String| default.iter().position(|own| own == name);
        qi.sort_by(|a, b| {
            let (one, other) = (place(a).unwrap_or(usize::MAX), place(b).unwrap_or(usize::MAX));
            one.cmp(&other).then_with(|| a.cmp(b))
        });
        qi
    }

    fn begin(self: &Arc<Self>, qi: Vec<String>) -> Arc<Making> {
        let steps = Arc::new(WorkSteps::default());
        let (tell, made) = watch::channel(None);
        let table = Arc::new(OnceLock::new());
        let making = Making {
            qi: qi.clone(),
            table: table.clone(),
            steps: steps.clone(),
            made,
            waiting: Mutex::new(0),
            reordered: Cache::default(),
        };
        let (engines, client) = (self.clone(), Client::current());
        tokio::spawn(async move {
            let place = engines.queue.enter(client).await;
            let work = move || {
                if let Ok(Some(stamp)) = engines.project.table_stamp() {
                    drop(table.set(stamp));
                }
                let made = engines.make(qi, &steps);
                // There may be no receiver left.
                let _ = tell.send(Some(made));
                engines.trim();
                drop(place);
            };
            drop(tokio::task::spawn_blocking(work).await);
        });
        Arc::new(making)
    }

    /// Builds a lattice in the memory that the others leave; at least half of the memory is made
    /// free.
    fn make(&self, qi: Vec<String>, steps: &WorkSteps) -> Made {
        if steps.cancelled() {
            return Err(haggle::Error::cancelled().into());
        }
        self.evict(&mut self.kept(), self.memory / 2);
        let others: usize = self.kept().iter().map(|making| making.bytes()).sum();
        let room = self.memory.saturating_sub(others);
        let memory = room.max(self.memory / 2);
        let options = Options {
            qi: Some(qi),
            memory,
            progress: steps,
            full_touches: FULL_TOUCHES,
            ..Options::default()
        };
        let engine = self.pool.install(|| open(&self.project, &options))?;
        // On demand it keeps the memory that it is given, so that it gets half at most.
        Ok(Arc::new(engine.within(room.min(self.memory / 2))?))
    }

    /// Forgets lattices until those that are kept are within their limit of memory. Work that still
    /// uses one keeps it alive.
    pub(crate) fn trim(&self) {
        self.evict(&mut self.kept(), self.memory);
    }

    /// Forgets lattices, the one not used for longest first. The project's own stays, so that
    /// requests for many others do not delay requests for it.
    fn evict(&self, kept: &mut VecDeque<Arc<Making>>, memory: usize) {
        let own = self.canonical(self.project.default_qi());
        let mut bytes: usize = kept.iter().map(|making| making.bytes()).sum();
        while bytes > memory || kept.len() > CAPACITY {
            let last = kept.len().saturating_sub(1);
            let mut others = kept.iter().take(last);
            let Some(i) = others.position(|making| making.is_done() && making.qi != own) else {
                return;
            };
            bytes = bytes.saturating_sub(kept.remove(i).map_or(0, |making| making.bytes()));
        }
    }

    fn forget(&self, making: &Arc<Making>) {
        self.kept().retain(|other| !Arc::ptr_eq(other, making));
    }

    /// Stops all builds.
    pub(crate) fn stop(&self) {
        self.kept().iter().for_each(|making| making.steps.stop());
    }
}

/// Opens a project. A stored lattice that is partial, or counted from higher levels on, has too few
/// schemes for the page: all are counted and annotated then.
fn open(project: &Project, options: &Options<'_>) -> Result<Engine, haggle::Error> {
    let engine = Engine::open(project, options)?;
    if engine.built().partial.is_none() && engine.cube().start().is_none() {
        return Ok(engine);
    }
    let (qi, way) = (options.qi.clone(), Way::Full);
    Engine::open(project, &Options { qi, way, stored: false, from_level: None, ..*options })
}

/// A waiter for a lattice; when the last one is dropped, the build is cancelled.
pub(crate) struct Waiting {
    engines: Arc<Engines>,
    making: Arc<Making>,
    /// In the order asked for.
    qi: Vec<String>,
}

impl Waiting {
    /// Returns the lattice once it is built. After a failed build, the next request tries again.
    pub(crate) async fn made(&self) -> Made {
        let mut made = self.making.made.clone();
        let result = match made.wait_for(Option::is_some).await {
            Ok(made) => made.clone().unwrap_or_else(|| Err(Failure::internal())),
            Err(_) => Err(Failure::internal()),
        };
        match result {
            Ok(engine) => self.in_order(engine).await,
            Err(failure) => {
                self.engines.forget(&self.making);
                Err(failure)
            }
        }
    }

    /// The lattice in the order asked for.
    async fn in_order(&self, engine: Arc<Engine>) -> Made {
        if engine.attributes() == self.qi {
            return Ok(engine);
        }
        if let Some(known) = self.making.reordered.get(&self.qi) {
            return Ok(known);
        }
        let place = self.engines.reordering.enter(Client::current()).await;
        let (making, qi) = (self.making.clone(), self.qi.clone());
        let reordering = tokio::task::spawn_blocking(move || {
            let _until_done = place;
            making.in_order(&engine, &qi)
        });
        reordering.await.unwrap_or_else(|_| Err(Failure::internal()))
    }

    /// Returns the progress of the build.
    pub(crate) fn steps(&self) -> Arc<WorkSteps> {
        self.making.steps.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut kept = self.engines.kept();
        let mut waiting = self.making.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting -= 1;
        if *waiting == 0 && !self.making.is_done() {
            self.making.steps.stop();
            kept.retain(|other| !Arc::ptr_eq(other, &self.making));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines() -> Arc<Engines> {
        let project = Project::open("demo:adult").unwrap();
        Engines::new(Arc::new(project), Options::default().memory).unwrap()
    }

    #[allow(clippy::unnecessary_wraps)] // as requests have it
    fn qi(names: &[&str]) -> Option<Vec<String>> {
        Some(names.iter().map(|&name| name.to_owned()).collect())
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.unwrap().block_on(test);
    }

    #[test]
    fn a_lattice_is_made_once_however_many_ask() {
        run(async {
            let engines = engines();
            let all: Vec<_> = (0..8).map(|_| engines.wait(qi(&["age", "race"]))).collect();
            let first = all[0].made().await.unwrap();
            for other in &all {
                assert!(Arc::ptr_eq(&first, &other.made().await.unwrap()));
            }
            assert_eq!(first.overview().schemes, 15);
        });
    }

    #[test]
    fn work_without_waiters_is_stopped_and_restarted_on_request() {
        run(async {
            let engines = engines();
            let (one, other) = (engines.wait(qi(&["sex"])), engines.wait(qi(&["sex"])));
            let steps = one.steps();
            drop(one);
            assert!(!steps.cancelled(), "a request still waits");
            drop(other);
            assert!(steps.cancelled());
            let again = engines.wait(qi(&["sex"]));
            assert!(!Arc::ptr_eq(&steps, &again.steps()));
            assert_eq!(again.made().await.unwrap().overview().schemes, 2);
        });
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        run(async {
            let engines = engines();
            assert!(engines.get(qi(&["nothing"])).await.is_err());
            assert!(engines.kept().is_empty());
        });
    }

    #[test]
    fn orders_of_the_same_attributes_are_one_lattice() {
        run(async {
            let engines = engines();
            let first = engines.get(qi(&["race", "age", "sex"])).await.unwrap();
            let other = engines.get(qi(&["sex", "race", "age"])).await.unwrap();
            assert_eq!(engines.kept().len(), 1);
            assert_eq!(first.attributes(), ["race", "age", "sex"]);
            assert_eq!(other.attributes(), ["sex", "race", "age"]);
            let again = engines.get(qi(&["race", "age", "sex"])).await.unwrap();
            assert!(Arc::ptr_eq(&first, &again));
        });
    }

    #[test]
    fn lattices_share_one_limit_and_the_projects_own_stays() {
        run(async {
            let project = Arc::new(Project::open("demo:adult").unwrap());
            let engines = Engines::new(project.clone(), 1 << 30).unwrap();
            let own = engines.get(None).await.unwrap().bytes();
            let limit = own + own / 4;
            let engines = Engines::new(project, limit).unwrap();
            engines.get(None).await.unwrap();
            let five = ["education", "marital-status", "occupation", "race", "workclass"];
            let asked = [&five[..], &five[1..], &five[..4], &five[..3]];
            let mut all = own;
            for others in asked {
                all += engines.get(qi(others)).await.unwrap().bytes();
                let kept = engines.kept();
                let bytes: usize = kept.iter().map(|making| making.bytes()).sum();
                let each: Vec<_> =
                    kept.iter().map(|making| (making.qi.len(), making.bytes())).collect();
                assert!(bytes <= limit, "{each:?} of {limit}");
                assert!(kept.iter().any(|making| making.qi.len() == 6));
            }
            assert!(all > limit, "{all} bytes fit into {limit} together");
            assert!(engines.kept().len() <= asked.len(), "at least one was evicted");
        });
    }

    #[test]
    fn the_number_of_lattices_is_limited() {
        run(async {
            let engines = engines();
            let names = ["age", "race", "sex", "workclass", "education", "occupation"];
            for first in names {
                for second in ["native-country", "marital-status"] {
                    engines.get(qi(&[first, second])).await.unwrap();
                }
            }
            assert_eq!(engines.kept().len(), CAPACITY);
        });
    }
}

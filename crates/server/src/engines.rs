//! The lattices in use: one for each list of quasi-identifiers, made once however many ask for it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use haggle::{Engine, Options, Progress, Project};
use tokio::sync::watch;

use crate::failure::Failure;

/// So many lattices are kept; the one not used for longest goes first.
const MOST: usize = 8;

/// A lattice, or why there is none.
pub(crate) type Made = Result<Arc<Engine>, Failure>;

/// The lattices in use, by their quasi-identifiers, the one used last at the back.
pub(crate) struct Engines {
    project: Arc<Project>,
    memory: usize,
    kept: Mutex<VecDeque<Arc<Making>>>,
}

/// A lattice that is made or being made.
struct Making {
    qi: Vec<String>,
    steps: Arc<Steps>,
    made: watch::Receiver<Option<Made>>,
    /// How many wait for it.
    waiting: Mutex<usize>,
}

/// How far some work has come, and whether it is still wanted.
#[derive(Default)]
pub(crate) struct Steps {
    now: Mutex<(String, u64, u64)>,
    unwanted: AtomicBool,
}

impl Steps {
    /// What is being done, how much of it is done, and of how much.
    pub(crate) fn now(&self) -> (String, u64, u64) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.unwanted.store(true, Relaxed);
    }
}

impl Progress for Steps {
    fn start(&self, what: &str, steps: u64) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (what.into(), 0, steps);
    }

    fn advance(&self, steps: u64) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).1 += steps;
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.unwanted.load(Relaxed)
    }
}

/// Work that goes on, so that it can be given up with the server.
#[derive(Default)]
pub(crate) struct Underway(Mutex<Vec<Arc<Steps>>>);

impl Underway {
    /// The progress of some new work.
    pub(crate) fn begin(&self) -> Arc<Steps> {
        let steps = Arc::new(Steps::default());
        let mut underway = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        underway.retain(|steps| Arc::strong_count(steps) > 1);
        underway.push(steps.clone());
        steps
    }

    /// Gives all of it up.
    pub(crate) fn stop(&self) {
        let underway = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        underway.iter().for_each(|steps| steps.stop());
    }
}

impl Engines {
    pub(crate) fn new(project: Arc<Project>, memory: usize) -> Arc<Self> {
        Arc::new(Self { project, memory, kept: Mutex::default() })
    }

    /// The lattice of these quasi-identifiers, once it is there.
    pub(crate) async fn get(self: &Arc<Self>, qi: Option<Vec<String>>) -> Made {
        self.wait(qi).made().await
    }

    /// A place in the queue for a lattice; whoever comes first has it made.
    pub(crate) fn wait(self: &Arc<Self>, qi: Option<Vec<String>>) -> Waiting {
        let qi = qi.unwrap_or_else(|| self.project.default_qi());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|making| making.qi == qi);
        let making = found.and_then(|i| kept.remove(i)).unwrap_or_else(|| self.begin(qi));
        kept.push_back(making.clone());
        // Whoever still waits for the one that goes has it in hand.
        while kept.len() > MOST {
            kept.pop_front();
        }
        *making.waiting.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Waiting { engines: self.clone(), making }
    }

    fn begin(self: &Arc<Self>, qi: Vec<String>) -> Arc<Making> {
        let steps = Arc::new(Steps::default());
        let (tell, made) = watch::channel(None);
        let making = Making { qi: qi.clone(), steps: steps.clone(), made, waiting: Mutex::new(0) };
        let (project, memory) = (self.project.clone(), self.memory);
        tokio::task::spawn_blocking(move || {
            let options = Options { qi: Some(qi), memory, progress: &*steps, ..Options::default() };
            let made = Engine::open(&project, &options);
            // Nobody may be left to hear it.
            let _ = tell.send(Some(made.map(Arc::new).map_err(Failure::from)));
        });
        Arc::new(making)
    }

    fn forget(&self, making: &Arc<Making>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| !Arc::ptr_eq(other, making));
    }

    /// Stops whatever is being made.
    pub(crate) fn stop(&self) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().for_each(|making| making.steps.stop());
    }
}

/// Somebody waits for a lattice; when nobody does any more, making it is given up.
pub(crate) struct Waiting {
    engines: Arc<Engines>,
    making: Arc<Making>,
}

impl Waiting {
    /// The lattice, once it is there. One that could not be made is tried again by who asks next.
    pub(crate) async fn made(&self) -> Made {
        let mut made = self.making.made.clone();
        let result = match made.wait_for(Option::is_some).await {
            Ok(made) => made.clone().unwrap_or_else(|| Err(Failure::internal())),
            Err(_) => Err(Failure::internal()),
        };
        if result.is_err() {
            self.engines.forget(&self.making);
        }
        result
    }

    /// How far making it has come.
    pub(crate) fn steps(&self) -> Arc<Steps> {
        self.making.steps.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut kept = self.engines.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waiting = self.making.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting -= 1;
        if *waiting == 0 && self.making.made.borrow().is_none() {
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
        Engines::new(Arc::new(project), Options::default().memory)
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
    fn work_that_nobody_waits_for_is_stopped_and_begun_anew_when_asked_again() {
        run(async {
            let engines = engines();
            let (one, other) = (engines.wait(qi(&["sex"])), engines.wait(qi(&["sex"])));
            let steps = one.steps();
            drop(one);
            assert!(!steps.cancelled(), "somebody still waits");
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
            assert!(engines.kept.lock().unwrap().is_empty());
        });
    }

    #[test]
    fn only_so_many_lattices_are_kept() {
        run(async {
            let engines = engines();
            let names = ["age", "race", "sex", "workclass", "education", "occupation"];
            for first in names {
                for second in ["native-country", "marital-status"] {
                    engines.get(qi(&[first, second])).await.unwrap();
                }
            }
            assert_eq!(engines.kept.lock().unwrap().len(), MOST);
        });
    }
}

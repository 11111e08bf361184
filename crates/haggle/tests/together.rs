//! Many ask at once, and some change their minds.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use haggle::publishing::PublishOptions;
use haggle::{Ask, Choice, Engine, Options, Privacy, Progress, Project, Scheme};

fn asked(model: &str, threshold: f64) -> Ask {
    Ask { privacy: vec![Privacy::new(model, threshold)], ..Ask::default() }
}

#[test]
fn a_new_models_first_question_does_not_keep_others_waiting() {
    let project = Project::open("demo:adult").unwrap();
    let engine = Engine::open(&project, &Options::default()).unwrap();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let first = |_| scope.spawn(|| (engine.ask(&asked("t-closeness", 0.2)), start.elapsed()));
        let slow: Vec<_> = (0..4).map(first).collect();
        for k in 2..50 {
            engine.ask(&asked("k-anonymity", f64::from(k))).unwrap();
        }
        let quick = start.elapsed();
        let slow = slow.into_iter().map(|asking| asking.join().unwrap());
        let slow: Vec<_> = slow.map(|(answer, took)| (answer.unwrap().exact, took)).collect();
        assert!(slow.iter().all(|(answer, took)| *answer == slow[0].0 && quick < *took));
    });
}

/// Stops the work after so many steps.
struct Impatient {
    left: AtomicU64,
}

impl Progress for Impatient {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, steps: u64) {
        let less = |left: u64| Some(left.saturating_sub(steps));
        self.left.fetch_update(Relaxed, Relaxed, less).unwrap();
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.left.load(Relaxed) == 0
    }
}

#[test]
fn a_lattice_that_is_no_longer_wanted_is_given_up() {
    let project = Project::open("demo:adult").unwrap();
    // While reading, and while annotating.
    for left in [1, 408_969 + 500] {
        let progress = &Impatient { left: left.into() };
        let made = Engine::open(&project, &Options { progress, ..Options::default() });
        assert!(made.is_err_and(|error| error.is_cancelled()), "{left}");
    }
}

#[test]
fn a_publication_that_is_no_longer_wanted_leaves_nothing() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(vec!["age".into(), "race".into()]);
    let engine = Engine::open(&project, &Options { qi, ..Options::default() }).unwrap();
    let read = 408_969;
    // While looking at the columns, writing, proving, and when all but the names is done.
    for left in [1, read + 1, 2 * read + 1, 2 * read + 1_800_000] {
        let folder = tempfile::tempdir().unwrap();
        let options = PublishOptions {
            choice: Choice::Scheme(Scheme::new([1, 1])),
            progress: &Impatient { left: left.into() },
            ..PublishOptions::new(folder.path().join("out.csv"), asked("k-anonymity", 10.0))
        };
        let published = haggle::publishing::publish(&engine, &project, &options);
        assert!(published.is_err_and(|error| error.is_cancelled()), "{left}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{left}");
    }
}

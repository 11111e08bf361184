//! What a new model or measure needs is made with progress, given up when nobody wants it, and found
//! by the questions after.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use haggle::{Ask, Engine, MeasureSpec, Options, Privacy, Progress, Project, Silent};

/// Gives up after so many steps, and counts them.
#[derive(Default)]
struct CancelAfter {
    most: u64,
    steps: AtomicU64,
    announced: AtomicU64,
}

impl Progress for CancelAfter {
    fn start(&self, _: &str, steps: u64) {
        self.announced.fetch_add(steps, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Relaxed);
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.steps.load(Relaxed) >= self.most
    }
}

fn engine() -> Engine {
    let project = Project::open("demo:adult").unwrap();
    let qi = ["age", "race", "workclass"].map(String::from).to_vec();
    Engine::open(&project, &Options { qi: Some(qi), ..Options::default() }).unwrap()
}

fn ask(privacy: &[&str]) -> Ask {
    let privacy = privacy.iter().map(|one| one.parse::<Privacy>().unwrap()).collect();
    Ask { privacy, ..Ask::default() }
}

fn cancel_after(most: u64) -> CancelAfter {
    CancelAfter { most, ..CancelAfter::default() }
}

#[test]
fn every_step_that_was_announced_is_told() {
    let lm: MeasureSpec = "lm".parse().unwrap();
    let class: MeasureSpec = "classification".parse().unwrap();
    for privacy in [
        &["t-closeness=0.2"][..],
        &["k-anonymity=5", "entropy-l-diversity=2"],
        &["k-anonymity=7"],
        &["recursive-l-diversity:l=3,c=2"],
    ] {
        let (engine, progress) = (engine(), cancel_after(u64::MAX));
        engine.prepare(&ask(privacy), &[lm.clone(), class.clone()], &progress).unwrap();
        assert!(progress.steps.load(Relaxed) > 0, "{privacy:?}");
        assert_eq!(progress.steps.load(Relaxed), progress.announced.load(Relaxed), "{privacy:?}");
        let again = cancel_after(0);
        engine.prepare(&ask(privacy), std::slice::from_ref(&lm), &again).unwrap();
        assert_eq!(again.announced.load(Relaxed), 0, "it is there already");
    }
}

#[test]
fn what_was_given_up_is_begun_anew() {
    let (engine, lm) = (engine(), "lm".parse::<MeasureSpec>().unwrap());
    let ask = ask(&["t-closeness=0.2"]);
    // First while the table is made, then while it is weighed.
    let given_up = engine.prepare(&ask, &[], &cancel_after(1));
    assert!(given_up.is_err_and(|error| error.is_cancelled()));
    assert!(!engine.is_quick(&ask));
    engine.prepare(&ask, &[], &Silent).unwrap();
    assert!(engine.is_quick(&ask));
    let given_up = engine.prepare(&ask, std::slice::from_ref(&lm), &cancel_after(30));
    assert!(given_up.is_err_and(|error| error.is_cancelled()));
    let front = engine.pareto(&ask, &lm).unwrap();
    assert_eq!(front, self::engine().pareto(&ask, &lm).unwrap());
}

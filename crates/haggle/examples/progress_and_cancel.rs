//! Shows progress of long work from one sink that several threads share, and cancels it.
//!
//! Run it with `cargo run --example progress_and_cancel`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use haggle::{Engine, Error, ErrorKind, Progress, Project};

/// Counts steps, and cancels once it is asked to.
#[derive(Default)]
struct Meter {
    steps: AtomicU64,
    stop: AtomicBool,
}

impl Progress for Meter {
    fn start(&self, what: &str, steps: u64) {
        println!("{what}: {steps} steps");
    }

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn finish(&self) {
        println!("done after {} steps in all", self.steps.load(Ordering::Relaxed));
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn main() -> Result<(), Error> {
    let project = Project::demo();
    let meter = Arc::new(Meter::default());
    let engine = Engine::builder(&project).progress(meter.clone()).open()?;
    println!("{} schemes", engine.built().schemes);

    // Another thread, a signal or a button may set this at any time.
    meter.stop.store(true, Ordering::Relaxed);
    match Engine::builder(&project).progress(meter).open() {
        Err(error) if error.kind() == ErrorKind::Cancelled => println!("cancelled"),
        Err(error) => return Err(error),
        Ok(_) => println!("it was done before it could be cancelled"),
    }
    Ok(())
}

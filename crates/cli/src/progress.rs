//! A progress bar on the terminal, for work that takes longer than a second.

use std::collections::BTreeSet;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use haggle::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{interrupt, say};

/// Work that takes less than this shows no bar.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Shows a bar once its work has lasted a second, if standard error is a terminal.
#[derive(Default)]
pub(crate) struct WorkBar(Mutex<Option<BarState>>);

struct BarState {
    what: String,
    steps: u64,
    done: u64,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl BarState {
    fn show(&mut self) {
        if self.bar.is_none() && self.since.elapsed() > SHOWN_AFTER && stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} % ({eta} left)");
            let bar = ProgressBar::new(self.steps).with_message(self.what.clone());
            self.bar = Some(style.map_or(bar.clone(), |style| bar.with_style(style)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }
}

impl Progress for WorkBar {
    fn start(&self, what: &str, steps: u64) {
        let work = BarState { what: what.into(), steps, done: 0, since: Instant::now(), bar: None };
        *self.0.lock().expect("no bar panicked") = Some(work);
    }

    fn advance(&self, steps: u64) {
        if let Some(work) = &mut *self.0.lock().expect("no bar panicked") {
            work.done += steps;
            work.show();
        }
    }

    fn finish(&self) {
        if let Some(bar) = self.0.lock().expect("no bar panicked").take().and_then(|work| work.bar)
        {
            bar.finish_and_clear();
        }
    }

    fn cancelled(&self) -> bool {
        Quiet.cancelled()
    }

    fn warn(&self, text: &str) {
        Quiet.warn(text);
    }

    fn hold(&self) {
        Quiet.hold();
    }

    fn release(&self) {
        Quiet.release();
    }
}

/// Shows no bar. Ctrl-C cancels the work, and warnings go to standard error, each once.
pub(crate) struct Quiet;

impl Progress for Quiet {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        interrupt::cancels()
    }

    fn warn(&self, text: &str) {
        static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        if SAID.lock().expect("no warning panicked").insert(text.to_owned()) {
            say(&format!("warning: {text}"));
        }
    }

    fn hold(&self) {
        interrupt::hold();
    }

    fn release(&self) {
        interrupt::release();
    }
}

/// One line on the terminal that changes, shown once the work has lasted a second.
#[derive(Default)]
pub(crate) struct StatusLine(Mutex<Option<(Instant, Option<ProgressBar>)>>);

impl StatusLine {
    /// Shows this text, updated a few times a second.
    pub(crate) fn show(&self, words: impl FnOnce() -> String) {
        let mut line = self.0.lock().expect("no line panicked");
        let (since, bar) = line.get_or_insert_with(|| (Instant::now(), None));
        if since.elapsed() < SHOWN_AFTER / if bar.is_some() { 5 } else { 1 }
            || !stderr().is_terminal()
        {
            return;
        }
        *since = Instant::now();
        bar.get_or_insert_with(ProgressBar::new_spinner).set_message(words());
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Some((_, Some(bar))) = self.0.lock().expect("no line panicked").take() {
            bar.finish_and_clear();
        }
    }
}

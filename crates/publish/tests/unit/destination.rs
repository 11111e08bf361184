//! Whichever step of a publication fails, the publication is undone, and nothing is recorded.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use haggle_api::Ask;
use haggle_data::Input;
use haggle_model::{ErrorKind, Progress};
use haggle_sql::dialects;
use haggle_testkit::people::{AGE_AND_SEX, DISEASE, NINE};

use super::*;
use haggle_api::Choice;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Stage,
    Write,
    Measure,
    Commit,
    Undo,
}

use Step::{Commit, Measure, Stage, Undo, Write};

const STEPS: [Step; 4] = [Stage, Write, Measure, Commit];

/// Which steps were taken, and what happens after one of them.
#[derive(Clone, Default)]
struct Course {
    fails_at: Option<Step>,
    cancelled_at: Option<Step>,
    is_cancelled: Arc<AtomicBool>,
    taken: Arc<Mutex<Vec<Step>>>,
}

impl Course {
    fn took(&self, step: Step) -> Result<(), Error> {
        self.taken.lock().unwrap().push(step);
        self.is_cancelled.store(self.cancelled_at == Some(step), Relaxed);
        match self.fails_at {
            Some(last) if last == step => Err(Error::new("this step fails", "take another one")),
            _ => Ok(()),
        }
    }
}

impl Progress for Course {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed)
    }
}

/// A destination that fails once a step is taken; a commit fails before anything is in its place.
struct FailingDestination<'a> {
    inner: Box<dyn Destination + 'a>,
    course: Course,
}

impl Destination for FailingDestination<'_> {
    fn stage(&mut self) -> Result<(), Error> {
        self.inner.stage()?;
        self.course.took(Stage)
    }

    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error> {
        let streamed = self.inner.write(table, records)?;
        self.course.took(Write).map(|()| streamed)
    }

    fn measure(&self, written: &WrittenRecords) -> Result<Option<MeasuredRecords>, Error> {
        let measured = self.inner.measure(written)?;
        self.course.took(Measure).map(|()| measured)
    }

    fn commit(&mut self, written: WrittenRecords) -> Result<PublishOutcome, Error> {
        self.course.took(Commit)?;
        self.inner.commit(written)
    }

    fn undo(&mut self) {
        self.inner.undo();
        self.course.taken.lock().unwrap().push(Undo);
    }
}

/// What came of a publication into an empty folder.
struct Tried {
    outcome: Result<PublishOutcome, Error>,
    taken: Vec<Step>,
    /// The files in the folder.
    files: Vec<String>,
}

/// Publishes nine people, of whom the project asks for k = 4.
fn tried(ask: &str, choice: Choice, to: fn(PathBuf) -> PublishTarget, course: &Course) -> Tried {
    let folder = tempfile::tempdir().unwrap();
    let text = [AGE_AND_SEX, DISEASE, "[request]\nk = 4\n"].concat();
    let project = Project::from_text(&text, folder.path()).unwrap();
    let project = project.over(Input::embedded("people.csv", NINE.as_bytes()));
    let engine = Engine::builder(&project).open().unwrap();
    let ask = Ask { privacy: vec![ask.parse().unwrap()], ..Ask::default() };
    // Two tables promise diversity, never k.
    let ask = if choice == Choice::Anatomy { ask.only() } else { ask };
    let options = PublishOptions {
        to: to(folder.path().join("out.csv")),
        choice,
        progress: course,
        ..PublishOptions::new("", ask)
    };
    let outcome = publish_by(&engine, &project, &options, |work| {
        Box::new(FailingDestination { inner: destination_of(work), course: course.clone() })
    });
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.unwrap().file_name().into_string().unwrap()
    };
    let mut files: Vec<String> = folder.path().read_dir().unwrap().map(name).collect();
    files.sort();
    Tried { outcome, taken: course.taken.lock().unwrap().clone(), files }
}

fn into_file(course: &Course) -> Tried {
    tried("k-anonymity=4", Choice::Answer, PublishTarget::File, course)
}

fn into_two_tables(course: &Course) -> Tried {
    tried("distinct-l-diversity=2", Choice::Anatomy, PublishTarget::File, course)
}

fn into_script(course: &Course) -> Tried {
    let script = |output| {
        let (form, dialect) = (SqlForm::Script, dialects::named("duckdb").unwrap());
        PublishTarget::Script(SqlScript { output, dialect, form, source: None, target: None })
    };
    tried("k-anonymity=4", Choice::Answer, script, course)
}

#[test]
fn a_step_that_fails_is_undone_and_nothing_is_recorded() {
    for publish in [into_file, into_two_tables, into_script] {
        for (place, &step) in STEPS.iter().enumerate() {
            let tried = publish(&Course { fails_at: Some(step), ..Course::default() });
            let error = tried.outcome.unwrap_err();
            assert!(error.to_string().contains("this step fails"), "{error}");
            let taken: Vec<Step> = STEPS[..=place].iter().copied().chain([Undo]).collect();
            assert_eq!(tried.taken, taken);
            assert!(tried.files.is_empty(), "{step:?} leaves {:?}", tried.files);
        }
    }
}

#[test]
fn what_is_cancelled_before_it_is_committed_is_undone() {
    for publish in [into_file, into_two_tables, into_script] {
        let tried = publish(&Course { cancelled_at: Some(Measure), ..Course::default() });
        assert_eq!(tried.outcome.unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(tried.taken, [Stage, Write, Measure, Undo]);
        assert!(tried.files.is_empty(), "{:?}", tried.files);
    }
}

#[test]
fn a_refused_publication_takes_no_step() {
    let weaker = "k-anonymity=2";
    let tried = tried(weaker, Choice::Answer, PublishTarget::File, &Course::default());
    assert!(matches!(tried.outcome, Ok(PublishOutcome::Weaker(_))), "{:?}", tried.outcome);
    assert!(tried.taken.is_empty() && tried.files.is_empty(), "{:?}", tried.files);
}

#[test]
fn records_are_recorded_once_every_step_is_taken_and_statements_are_not() {
    let tried = into_file(&Course::default());
    assert!(matches!(tried.outcome, Ok(PublishOutcome::Published(_))), "{:?}", tried.outcome);
    assert_eq!(tried.taken, STEPS);
    assert_eq!(tried.files, ["out.csv", "out.csv.manifest.json", "publications.jsonl"]);
    let tried = into_script(&Course::default());
    assert!(matches!(tried.outcome, Ok(PublishOutcome::Written(_))), "{:?}", tried.outcome);
    assert_eq!(tried.files, ["out.csv"]);
}

//! `haggle ask`: the best scheme for a request, or what would have to be relaxed.

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use haggle::questions::BodyFields;
use haggle::reports::RangeAnswer;
use haggle::search::SearchState;
use haggle::{Answer, Ask, Engine, Error, ErrorKind, Progress, QuestionCount, RelaxHeight, Way};
use serde::{Deserialize, Serialize};

use crate::args::{Opening, OptimizeArgs, ProjectArgs, RequestArgs, StartArgs, parse_seconds};
use crate::interrupt::Interrupt;
use crate::plot::PlotArgs;
use crate::progress::{StatusLine, WorkBar};
use crate::time_limit::full_touches;
use crate::{ExitStatus, Output, hint, say};

mod within_range;
mod wording;

pub(crate) use wording::AnswerWording;
use wording::closing_words;

const EXAMPLE: &str =
    r#"{"privacy": {"k-anonymity": 10}, "levels": [2,1,1], "max_suppressed": "1%"}"#;

/// The best scheme for a request, or what would have to be relaxed
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) optimize: OptimizeArgs,
    /// How to relax the maximum levels: lowest, closest or published
    #[arg(long, value_name = "HOW")]
    pub(crate) relax_height: Option<RelaxHeight>,
    /// With --optimize: report this many of the best schemes
    #[arg(long, value_name = "N", requires = "optimize")]
    pub(crate) top: Option<NonZeroUsize>,
    /// Answer many: a file (or - for standard input) with one JSON request per line; one JSON
    /// answer or error per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "l", "privacy", "only", "levels", "max_suppressed", "relax_height", "optimize", "top", "plot"])]
    pub(crate) requests: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) way: WayArgs,
    /// Print the answer or the relaxations as CSV, the best first
    #[arg(long, conflicts_with_all = ["json", "requests"])]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) plot: PlotArgs,
}

/// How the lattice is annotated, and how long the search may take.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WayArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Annotate schemes as the question touches them (default: where all of them would take long)
    #[arg(long, conflicts_with = "full")]
    on_demand: bool,
    /// Annotate every scheme beforehand (default: where that takes little time and memory)
    #[arg(long, conflicts_with = "time_limit")]
    full: bool,
    /// On a partial lattice: annotate the scheme of the maximum levels, too, so that relaxations
    /// under them are exact
    #[arg(long, conflicts_with_all = ["on_demand", "full"])]
    annotate_maximum: bool,
    /// Report the best answer found within this many seconds from the start, and what is proved
    /// about better ones
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
}

impl WayArgs {
    fn way(&self) -> Way {
        match (self.on_demand, self.full) {
            (true, _) => Way::OnDemand,
            (_, true) => Way::Full,
            _ => Way::Auto,
        }
    }

    /// How the engine for this many requests is opened.
    fn opening(&self, requests: usize) -> Opening {
        Opening {
            way: self.way(),
            questions: if requests == 1 { QuestionCount::One } else { QuestionCount::Many },
            full_touches: full_touches(self.time_limit, requests),
            annotate_maximum: self.annotate_maximum,
            from_level: self.start.from_level.clone(),
        }
    }

    /// The answer within the time since the start, or until Ctrl-C is pressed, with the bound shown
    /// on the terminal. The answer's time includes building tables for it.
    fn answer(&self, engine: &Engine, ask: &Ask, start: Instant) -> anyhow::Result<Answer> {
        let measures = engine.measures(ask);
        let prepared = Instant::now();
        ProjectArgs::prepare(engine, ask, &measures)?;
        let prepared = prepared.elapsed();
        let measure = measures.first().map(ToString::to_string);
        let (line, interrupt) = (StatusLine::default(), Interrupt::default());
        let deadline = self.time_limit.and_then(|limit| start.checked_add(limit));
        let searching = Searching { line, interrupt, start, deadline, measure };
        let answer = engine.ask_with(ask, &searching);
        searching.line.clear();
        let mut answer = answer?;
        answer.micros += prepared.as_micros() as u64;
        Ok(answer)
    }
}

/// Shows how far a search has come, and ends it in time or at Ctrl-C.
struct Searching {
    line: StatusLine,
    interrupt: Interrupt,
    start: Instant,
    deadline: Option<Instant>,
    /// The measure whose loss is to be least; without one, the height is.
    measure: Option<String>,
}

impl Progress for Searching {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn searching(&self, state: &SearchState) {
        self.line.show(|| closing_words(state, self.measure.as_deref()));
    }

    /// After Ctrl-C, the best that was found counts, as if the time were over.
    fn deadline(&self) -> Option<Instant> {
        if self.interrupt.is_pressed() { Some(self.start) } else { self.deadline }
    }
}

impl AskArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        if let Some(file) = &self.requests {
            return self.many(file);
        }
        self.plot.check(self.project.json || self.csv)?;
        let (ask, start) = (self.ask()?, Instant::now());
        let engine = self.engine(1)?;
        self.answer(&engine, &engine.with_other_thresholds(&ask), start)
    }

    fn ask(&self) -> anyhow::Result<Ask> {
        Ok(Ask {
            optimize: self.optimize.optimize.clone(),
            relax_height: self.relax_height,
            top: self.top.map(NonZeroUsize::get),
            ..self.request.ask()?
        })
    }

    /// The engine for this many requests.
    fn engine(&self, requests: usize) -> anyhow::Result<Engine> {
        let engine = self.project.engine_by(&self.way.opening(requests))?;
        ensure!(
            !self.way.annotate_maximum || engine.built().partial.is_some(),
            "--annotate-maximum is for partial lattices, and every scheme of this one can be \
             annotated\n    fix: leave it out"
        );
        Ok(engine)
    }

    pub(crate) fn answer(
        &self,
        engine: &Engine,
        ask: &Ask,
        start: Instant,
    ) -> anyhow::Result<Output> {
        let answer = self.way.answer(engine, ask, start)?;
        let ask = &settled(&ask.or(engine.defaults()), &answer)?;
        let drawn = self.plot.draw(|| haggle::plot::picture_of_lattice(engine, ask, &answer))?;
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(&answer)?,
            (_, true) => answer.csv(),
            _ => AnswerWording { args: &self.project, engine, ask }.text(&answer)?,
        };
        Ok(Output::new(text + &drawn, answer.is_no()))
    }

    /// One line for each request: its answer, or why there is none.
    fn many(&self, file: &Path) -> anyhow::Result<Output> {
        let requests = read(file)?;
        let lines = || requests.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let engine = self.engine(lines().count())?;
        let (mut text, mut unanswered) = (String::new(), Vec::new());
        for (i, line) in lines() {
            match self.line(&engine, line) {
                Ok(answer) => text += &answer,
                Err(error) => {
                    text += &super::json(&LineError::new(file, i + 1, &error))?;
                    unanswered.push(i + 1);
                }
            }
        }
        let code = if unanswered.is_empty() { ExitStatus::Answered } else { ExitStatus::BadInput };
        if let Some(first) = unanswered.first() {
            let (file, many) = (file.display(), unanswered.len());
            let requests = if many == 1 { "1 request".into() } else { format!("{many} requests") };
            say(&format!(
                "error: {file}:{first}: {requests} cannot be answered\n    fix: see the lines with \"error\""
            ));
        }
        Ok(Output { text, code })
    }
}

impl AskArgs {
    /// The answer to a line: to a request, or to the question of the catalog that it names.
    fn line(&self, engine: &Engine, line: &str) -> anyhow::Result<String> {
        let Some(question) = named_question(line) else {
            return super::json(&self.way.answer(engine, &parse(line)?, Instant::now())?);
        };
        let mut fields = BodyFields::parse(line.as_bytes())?;
        fields.take::<String>("question")?;
        let body = serde_json::to_string(&fields)?;
        Ok(haggle::answer_json(engine, &question, &body, &WorkBar::default())? + "\n")
    }
}

/// The question that a line names.
fn named_question(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        question: Option<String>,
    }
    serde_json::from_str::<Named>(line).ok()?.question
}

/// The request at the value of its range that the answer is at.
fn settled(ask: &Ask, answer: &Answer) -> anyhow::Result<Ask> {
    let value = answer.range.as_ref().map(RangeAnswer::settled);
    let settled = ask.range()?.zip(value).map(|(range, value)| ask.within(&range, value));
    Ok(settled.unwrap_or_else(|| ask.clone()))
}

/// A line in the place of an answer.
#[derive(Serialize)]
struct LineError {
    error: LineFault,
}

#[derive(Serialize)]
struct LineFault {
    kind: &'static str,
    what: String,
    #[serde(rename = "where")]
    place: String,
    line: usize,
    fix: Option<String>,
}

impl LineError {
    fn new(file: &Path, line: usize, error: &anyhow::Error) -> Self {
        let place = format!("{}:{line}", file.display());
        let Some(error) = hint::cause(error) else {
            let (kind, what) = (ErrorKind::BadInput.as_str(), format!("{error:#}"));
            return Self { error: LineFault { kind, what, place, line, fix: None } };
        };
        let problems = || error.problems().iter().cloned();
        let what: Vec<String> = problems().map(|problem| problem.fix("").to_string()).collect();
        let fixes = problems().map(|problem| problem.fix).filter(|fix| !fix.is_empty());
        let fixes: Vec<String> = fixes.map(|fix| fix.to_string()).collect();
        let fix = Some(fixes.join("; ")).filter(|fix| !fix.is_empty());
        let (kind, what) = (error.kind().as_str(), what.join("; "));
        Self { error: LineFault { kind, what, place, line, fix } }
    }
}

fn read(file: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("standard input cannot be read")?;
    } else {
        text = std::fs::read_to_string(file).map_err(|error| {
            let fix = "name a text file with one JSON request per line, or - for standard input";
            anyhow!("{}: {error}\n    fix: {fix}", file.display())
        })?;
    }
    Ok(text)
}

/// A request in JSON. Its own text is one line, so an error is located by column alone.
fn parse(line: &str) -> Result<Ask, Error> {
    let fix = format!("write it as in {EXAMPLE}");
    if !line.trim_start().starts_with('{') {
        return Err(Error::new("column 1: a request is an object", fix));
    }
    serde_json::from_str(line).map_err(|error| {
        // The reader of JSON has only a text for a field that cannot be read, and its fix.
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        let (what, fix) = text.split_once("\n    fix: ").unwrap_or((text, &fix));
        Error::new(format!("column {}: {what}", error.column()), fix)
    })
}

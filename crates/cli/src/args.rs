//! Arguments that several commands share.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use haggle::catalog::Value;
use haggle::queries::load_workload;
use haggle::questions::{Answered, Asked};
use haggle::{
    Amount, Ask, Engine, Levels, MeasureSpec, Options, Privacy, Progress, QuestionCount, Way,
};

use crate::progress::WorkBar;
use crate::say;
use crate::text::shell_word;

/// Which project, which quasi-identifiers, how much memory.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProjectArgs {
    /// A haggle.toml, its folder, a lattice file, or demo:adult
    pub(crate) project: String,
    /// Quasi-identifiers to use, in this order; the others are not negotiated
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) qi: Option<Vec<String>>,
    /// Memory for counting and annotating
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_size)]
    pub(crate) memory: usize,
    /// Answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl ProjectArgs {
    /// Opens the engine with every scheme annotated; prints notices for the user to standard error.
    pub(crate) fn engine(&self) -> anyhow::Result<Engine> {
        self.engine_by(&Opening { way: Way::Full, ..Opening::default() })
    }

    /// Opens the engine with schemes annotated in a given way; prints notices to standard error.
    pub(crate) fn engine_by(&self, opening: &Opening) -> anyhow::Result<Engine> {
        let bar = WorkBar::default();
        let &Opening { way, questions, full_touches, annotate_maximum, .. } = opening;
        let options = Options {
            way,
            questions,
            full_touches,
            annotate_maximum,
            from_level: opening.from_level.clone(),
            ..self.options(&bar)
        };
        let engine = Engine::open(self.project.as_str(), &options)?;
        if let Some(notice) = engine.notice() {
            say(&format!("note: {notice}"));
        }
        Ok(engine)
    }

    /// Builds what a question needs beyond the lattice, with a progress bar.
    pub(crate) fn prepare(
        engine: &Engine,
        ask: &Ask,
        measures: &[MeasureSpec],
    ) -> anyhow::Result<()> {
        Ok(engine.prepare(ask, measures, &WorkBar::default())?)
    }

    /// Answers a question of the catalog, with a bar for its progress.
    pub(crate) fn answer<By, Q: Answered<By>>(
        engine: &Engine,
        request: &Ask,
        question: Q,
    ) -> anyhow::Result<Q::Answer> {
        let asked = Asked { request: request.clone(), question };
        Ok(haggle::answer(engine, &asked, &WorkBar::default())?)
    }

    pub(crate) fn options<'a>(&self, progress: &'a dyn Progress) -> Options<'a> {
        Options { qi: self.qi(), memory: self.memory, progress, ..Options::default() }
    }

    /// The quasi-identifiers asked for.
    pub(crate) fn qi(&self) -> Option<Vec<String>> {
        let trimmed = |qi: &Vec<String>| qi.iter().map(|name| name.trim().to_owned()).collect();
        self.qi.as_ref().map(trimmed)
    }

    /// The beginning of a command on the same project.
    pub(crate) fn command(&self, command: &str) -> String {
        let qi = self.qi.as_ref();
        let qi = qi.map_or(String::new(), |qi| format!(" --qi {}", shell_word(&qi.join(","))));
        format!("haggle {command} {}{qi}", shell_word(&self.project))
    }
}

/// For questions that can do without the recorded combinations.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StartArgs {
    /// Count groups from these levels on, such as age=1,zip=2, where recorded combinations take too much memory; schemes below are not offered
    #[arg(long, value_name = "LEVELS")]
    pub(crate) from_level: Option<Levels>,
}

/// How an engine's lattice is annotated.
pub(crate) struct Opening {
    pub(crate) way: Way,
    pub(crate) questions: QuestionCount,
    /// With [`Way::Auto`]: the work that annotating every scheme may take.
    pub(crate) full_touches: f64,
    /// Of a partial lattice: whether the scheme of the maximum levels is annotated, too.
    pub(crate) annotate_maximum: bool,
    /// The levels from which on groups are counted, if not as recorded.
    pub(crate) from_level: Option<Levels>,
}

impl Default for Opening {
    fn default() -> Self {
        let Options { way, questions, full_touches, annotate_maximum, .. } = Options::default();
        Self { way, questions, full_touches, annotate_maximum, from_level: None }
    }
}

/// What must hold of every group.
#[derive(Debug, Clone, Args)]
pub(crate) struct PrivacyArgs {
    /// At least this many records in every group: short for --privacy k-anonymity=K
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = parse_threshold)]
    k: Option<Value>,
    /// At least this many different sensitive values in every group: short for --privacy distinct-l-diversity=L
    #[arg(long, value_name = "L", allow_hyphen_values = true, value_parser = parse_threshold)]
    l: Option<Value>,
    /// A privacy model and its threshold, such as distinct-l-diversity:l=3,on=disease
    #[arg(long, value_name = "MODEL=X")]
    privacy: Vec<Privacy>,
}

impl PrivacyArgs {
    pub(crate) fn list(&self) -> Vec<Privacy> {
        let given = |model, value: &Option<Value>| Some(Privacy::given(model, value.clone()?));
        let k = given("k-anonymity", &self.k);
        let l = given("distinct-l-diversity", &self.l);
        k.into_iter().chain(l).chain(self.privacy.iter().cloned()).collect()
    }
}

/// Thresholds that are combined with those of the project.
#[derive(Debug, Clone, Args)]
pub(crate) struct ThresholdArgs {
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Ask for these thresholds alone, without the project's others; they may be weaker than the project's
    #[arg(long)]
    pub(crate) only: bool,
}

impl ThresholdArgs {
    /// The thresholds as typed; the project decides which of its own stay.
    pub(crate) fn ask(&self) -> anyhow::Result<Ask> {
        let privacy = self.privacy.list();
        ensure!(
            !(self.only && privacy.is_empty()),
            "--only says that the thresholds named are all, and none is named\n    \
             fix: name one with --k, --l or --privacy, or leave out --only"
        );
        Ok(Ask { privacy, only: self.only, ..Ask::default() })
    }
}

/// Thresholds, maximum levels and how many records may be suppressed.
#[derive(Debug, Clone, Args)]
pub(crate) struct RequestArgs {
    #[command(flatten)]
    pub(crate) thresholds: ThresholdArgs,
    /// Maximum levels: 2,1,0 in the order of the quasi-identifiers, or age=2,race=1
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    pub(crate) levels: Option<Levels>,
    /// How many records may be suppressed: a count, or per cent such as 1%
    #[arg(long, value_name = "N|P%", allow_hyphen_values = true)]
    pub(crate) max_suppressed: Option<Amount>,
}

impl RequestArgs {
    pub(crate) fn ask(&self) -> anyhow::Result<Ask> {
        let (levels, max_suppressed) = (self.levels.clone(), self.max_suppressed);
        Ok(Ask { levels, max_suppressed, ..self.thresholds.ask()? })
    }
}

/// What the best scheme is best by.
#[derive(Debug, Clone, Args)]
pub(crate) struct OptimizeArgs {
    /// The loss that is to be least, such as lm, or with weights lm:age=2 (default: the height)
    #[arg(long, value_name = "MEASURE", value_parser = parse_judge)]
    pub(crate) optimize: Option<MeasureSpec>,
}

/// Parses a loss measure, and reads the file of queries that it may name.
pub(crate) fn parse_judge(text: &str) -> Result<MeasureSpec, haggle::Error> {
    load_workload(text.parse()?)
}

/// Parses a threshold, or a range of acceptable ones; its model checks the range.
fn parse_threshold(text: &str) -> Result<Value, String> {
    text.parse().map_err(|_| "write a number such as 5".into())
}

/// A file to write, which standard output is not.
pub(crate) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    let refusal = "this writes a file, not standard output; name a file (./- is one named -)";
    let is_stream = |path: &PathBuf| path.as_os_str() == "-";
    let file = move |path: PathBuf| if is_stream(&path) { Err(refusal) } else { Ok(path) };
    PathBufValueParser::new().try_map(file)
}

/// A time in seconds.
pub(crate) fn parse_seconds(words: &str) -> Result<Duration, String> {
    let seconds = words.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| "write seconds such as 2.5".into())
}

/// A size such as 200MB, 2GB or a number of bytes.
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let text = text.trim().to_uppercase();
    let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("TB", 1 << 40), ("B", 1)];
    let found = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor): (&str, usize) = found.unwrap_or((&text, 1));
    let size: f64 = number.trim().parse().map_err(|_| "write a size such as 200MB or 2GB")?;
    if size.is_finite() && size > 0.0 {
        Ok((size * factor as f64) as usize)
    } else {
        Err("write a size such as 200MB or 2GB".into())
    }
}

//! Publishing: recode, suppress, write beside, read again, prove the promise, and only then rename.

use std::path::{Path, PathBuf};

use haggle_cube::Cube;
use haggle_data::sinks::{Delimited, Parquet, Shuffled, Sink};
use haggle_data::{Publication, Published, Streamed, Suppress, Table, publish as stream};
use haggle_model::{Level, Problem, Recoder, Role, Scheme};
use haggle_privacy::Facts;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::answer::by_name;
use crate::ask::Ask;
use crate::atomic::Readers;
use crate::criterion::{Criterion, Threshold};
use crate::engine::Progress;
use crate::loss::Judge;
use crate::manifest::{self, OutputFile};
use crate::recoded::Recoded;
use crate::results::Key;
use crate::strategies::{Chosen, Recipe, Search, Searched, deadline};
use crate::verify::manifest_path;
use crate::{Answer, Engine, Error, Project, atomic};

mod in_database;
mod papers;
mod preview;
mod prove;

use prove::Proof;

pub use preview::{Preview, PreviewAttribute, PreviewRow};

/// How to publish.
pub struct PublishOptions<'a> {
    /// The file to write.
    pub output: PathBuf,
    /// The scheme; without one, the exact answer to the request.
    pub scheme: Option<Scheme>,
    /// How a recoding is found, if no scheme is named.
    pub recipe: Recipe,
    /// The request; with a scheme, its thresholds, and its limit if it states one.
    pub ask: Ask,
    /// What happens to records whose group fails.
    pub suppress: Suppress,
    /// A column that says which records were suppressed.
    pub flag: Option<String>,
    /// The seed of a shuffle; without one, the order of the table.
    pub seed: Option<u64>,
    /// A folder for the private manifest and the value mappings.
    pub private: Option<PathBuf>,
    /// Bytes for counting what was written.
    pub memory: usize,
    /// Who is told of progress.
    pub progress: &'a dyn Progress,
}

/// What was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublicationReport {
    /// The published file.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub output: PathBuf,
    /// Its public manifest; a table in a database has one only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub manifest: Option<PathBuf>,
    /// The private manifest, if one was asked for.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub private: Option<PathBuf>,
    /// The kind of recoding: `levels`, `cuts`, `boxes` or `parts`.
    pub recoding: &'static str,
    /// The strategy that found it, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The name of the recoding; a comparison that tells the same name found the same.
    pub result: String,
    /// The scheme applied, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The groups in the file.
    pub groups: u64,
    /// The records in the file.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The thresholds promised.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub promised: Vec<(String, Threshold)>,
    /// What the written file was measured to attain.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub attained: Vec<(String, Threshold)>,
    /// Quasi-identifiers of the project that were published as recorded, because the request did
    /// not name them.
    pub as_recorded: Vec<String>,
}

impl PublicationReport {
    /// The same with files by name alone, for whoever has no business with folders.
    pub fn with_names_only(mut self) -> Self {
        let papers = self.manifest.iter_mut().chain(&mut self.private);
        for path in [&mut self.output].into_iter().chain(papers) {
            *path = path.file_name().map(PathBuf::from).unwrap_or_default();
        }
        self
    }
}

/// Published, or the answer is no.
#[derive(Debug)]
pub enum PublishOutcome {
    /// The file is there and its promise is proved.
    Published(Box<PublicationReport>),
    /// No scheme meets the request; what could give.
    NoScheme(Box<Answer>),
    /// A strategy found nothing, or not what was wanted of it.
    NotFound {
        /// The strategy.
        strategy: String,
        /// What happened and what to do: a sentence that goes on after the strategy's name.
        why: &'static str,
    },
    /// Every group of the scheme fails, so no record would be left.
    Nothing,
    /// The scheme suppresses more records than the request allows.
    TooMany {
        /// How many it suppresses.
        suppressed: u64,
        /// How many it may.
        limit: u64,
    },
}

/// Why nothing was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// In words.
    pub reason: String,
    /// How many records the scheme suppresses, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// How many it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// What could give, where no scheme meets the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Answer>>,
}

impl PublishOutcome {
    /// What was published, or why nothing was.
    pub fn told(self) -> Result<Box<PublicationReport>, Refusal> {
        let refusal = |reason: &str| Refusal {
            reason: reason.into(),
            suppressed: None,
            limit: None,
            answer: None,
        };
        Err(match self {
            Self::Published(report) => return Ok(report),
            Self::NoScheme(answer) => {
                Refusal { answer: Some(answer), ..refusal("no scheme meets the request") }
            }
            Self::NotFound { strategy, why } => refusal(&format!("{strategy} {why}")),
            Self::Nothing => refusal(
                "every group fails, so no record would be left; choose a higher scheme or a weaker threshold",
            ),
            Self::TooMany { suppressed, limit } => Refusal {
                suppressed: Some(suppressed),
                limit: Some(limit),
                ..refusal(&format!(
                    "the scheme suppresses {suppressed} records, and at most {limit} may be"
                ))
            },
        })
    }
}

impl Engine {
    /// Publishes the project's table, proved from what was written; or says why not.
    pub fn publish(
        &self,
        project: &Project,
        options: &PublishOptions<'_>,
    ) -> Result<PublishOutcome, Error> {
        // A place that cannot be written to is told before long work.
        drop(atomic::beside(&options.output, Readers::AsUsual)?);
        #[allow(clippy::redundant_closure_for_method_calls)] // a method serves one lifetime only
        self.publish_by(project, options, |work, failing| work.run(failing))
    }

    /// Settles what is published, and has it done.
    fn publish_by(
        &self,
        project: &Project,
        options: &PublishOptions<'_>,
        run: impl FnOnce(&Work<'_>, Failing) -> Result<PublicationReport, Error>,
    ) -> Result<PublishOutcome, Error> {
        self.counts_the_table("a publication")?;
        let ask = options.ask.or(self.defaults());
        let criteria = self.criteria(&ask)?;
        let shown = self.shown(&criteria)?;
        let recoded = match self.recoded(options, &ask, &criteria)? {
            Ok(recoded) => recoded,
            Err(no) => return Ok(no),
        };
        let failing = recoded.failing(&criteria);
        let named = options.scheme.is_some() || options.recipe.again.is_some();
        let limit = if named { options.ask.max_suppressed } else { ask.max_suppressed };
        let limit = limit.map_or(u64::MAX, |limit| limit.of(self.records()));
        if failing.records > limit {
            return Ok(PublishOutcome::TooMany { suppressed: failing.records, limit });
        }
        if failing.records == self.records() {
            return Ok(PublishOutcome::Nothing);
        }
        let work = Work { engine: self, project, options, ask, criteria, shown, recoded };
        run(&work, failing).map(|report| PublishOutcome::Published(report.into()))
    }

    /// The recoding that is meant: the one named, the one a strategy finds, or the exact answer; or
    /// why there is none.
    fn recoded(
        &self,
        options: &PublishOptions<'_>,
        ask: &Ask,
        criteria: &[Criterion],
    ) -> Result<Result<Recoded<'_>, PublishOutcome>, Error> {
        let progress = options.progress;
        let watch = |steps: usize| progress.step(steps);
        let judge = ask.optimize.clone().unwrap_or_else(Judge::plain);
        let Recipe { strategy, refine, result, patience, again } = &options.recipe;
        options.recipe.check(options.scheme.as_ref())?;
        let deadline = deadline(*patience);
        let search = Search { ask, criteria, judge: &judge, deadline, watch: &watch };
        if let Some(recoding) = again {
            return self.recoded_again(&search, recoding).map(Ok);
        }
        if let Some(strategy) = strategy {
            return self.found_by(strategy, result.as_deref(), &search, progress);
        }
        let scheme = if let Some(scheme) = &options.scheme {
            self.scheme(scheme)?
        } else {
            let answer = self.ask_while(ask, &|_| search.may_go_on())?;
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            match &answer.exact {
                Some(offer) => offer.scheme.clone(),
                None => return Ok(Err(PublishOutcome::NoScheme(answer.into()))),
            }
        };
        if !refine {
            return Ok(Ok(Recoded::scheme(self.cube(), scheme)));
        }
        progress.start("refining", 0);
        let judging = judge.on(self.cube(), self.facts())?;
        let refined = self.refined(&search, &judging, &scheme);
        progress.finish();
        Ok(Ok(refined?.0))
    }

    /// What a strategy finds. Where a result is wanted, it is that one as it was found, or the strategy
    /// must find the same again.
    fn found_by(
        &self,
        strategy: &str,
        wanted: Option<&str>,
        search: &Search<'_>,
        progress: &dyn Progress,
    ) -> Result<Result<Recoded<'_>, PublishOutcome>, Error> {
        let chosen = Chosen::of(strategy)?;
        let caps = search.ask.request_on(self.cube(), Vec::new(), Vec::new())?.caps;
        let key = |name: &str| Key { strategy: chosen.id(), caps, name: name.into() };
        if let Some(kept) = wanted.map(key).and_then(|key| self.results().get(&key)) {
            return Ok(Ok(Recoded::again(self.cube(), &kept)));
        }
        self.prepare_search(&chosen, search, progress)?;
        progress.start(&format!("searching ({strategy})"), 0);
        let searched = self.search(&chosen, search);
        progress.finish();
        let why = match searched? {
            Searched::Found(found) if wanted.is_none_or(|name| name == found.recoded.name()) => {
                return Ok(Ok(found.recoded));
            }
            Searched::Found(_) => "finds something else now than what was compared; compare again",
            Searched::Nothing { .. } => {
                "found nothing within the request; allow more records to be suppressed, or raise the maximum levels"
            }
            Searched::GaveUp { .. } => {
                "ran out of time before it found anything; choose another strategy, or give it more time"
            }
        };
        Ok(Err(PublishOutcome::NotFound { strategy: strategy.into(), why }))
    }

    /// At which level each sensitive attribute is published, where a promise is about a level.
    fn shown(&self, criteria: &[Criterion]) -> Result<Vec<Option<Level>>, Error> {
        let level = |facts: &Facts| {
            let mine = |c: &&Criterion| {
                c.judge().column().watches == Some(facts.target.position) && c.model.sensitive
            };
            let levels: Vec<Option<u8>> = criteria
                .iter()
                .filter(mine)
                .map(|c| Some(c.arguments.numbers[c.model.published_level?] as u8))
                .collect();
            match levels.as_slice() {
                [] => Ok(None),
                [first, rest @ ..] if rest.iter().all(|level| level == first) => {
                    Ok(first.map(Level::from))
                }
                _ => {
                    let name = &facts.target.name;
                    let what = format!("the promises ask for '{name}' at different levels");
                    let fix = "promise what holds of one level of it";
                    Err(Error::new(what, fix))
                }
            }
        };
        self.facts().iter().map(level).collect()
    }
}

/// The groups of a scheme that fail, as published codes.
#[derive(Default)]
pub(crate) struct Failing {
    pub(crate) groups: FxHashSet<Box<[u32]>>,
    pub(crate) records: u64,
}

/// The groups that fail at least one criterion.
pub(crate) fn failing_groups(cube: &Cube, scheme: &Scheme, criteria: &[Criterion]) -> Failing {
    Recoded::scheme(cube, scheme.clone()).failing(criteria)
}

/// A publication never replaces the data it is made from.
fn refuse_own_input(table: &Table, output: &Path) -> Result<(), Error> {
    let same = |path: &Path| Some(path.canonicalize().ok()? == output.canonicalize().ok()?);
    if table.input().parts().iter().any(|file| same(file.name()) == Some(true)) {
        let problem = Problem::new("the output is the data itself").file(output);
        return Err(problem.fix("name another file with -o").into());
    }
    Ok(())
}

/// One publication under way.
struct Work<'a> {
    engine: &'a Engine,
    project: &'a Project,
    options: &'a PublishOptions<'a>,
    ask: Ask,
    criteria: Vec<Criterion>,
    /// At which level each sensitive attribute is published, if not as recorded.
    shown: Vec<Option<Level>>,
    recoded: Recoded<'a>,
}

impl Work<'_> {
    fn run(&self, failing: Failing) -> Result<PublicationReport, Error> {
        let output = &self.options.output;
        let table = self.project.table()?;
        refuse_own_input(&table, output)?;
        let columns = self.columns(&table)?;
        let names = self.names(&table, &columns);
        let expected = failing.records;
        let publication = Publication {
            columns,
            recoder: self.recoder(),
            failing: failing.groups,
            suppress: self.options.suppress,
            checked: self.checked(&table),
            missing: self.project.data.missing.clone(),
        };
        let file = atomic::beside(output, Readers::AsUsual)?;
        let streamed = self.stream(&table, &publication, &file, &names)?;
        if streamed.digest != self.engine.data_digest() || streamed.suppressed != expected {
            return Err(Problem::new("the data changed since it was counted")
                .file(table.input().name())
                .fix("publish again; nothing was written")
                .into());
        }
        let proof = self.prove(self.measure(&file)?, streamed, &publication.failing)?;
        let written = OutputFile {
            file: output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: manifest::sha256(file.path())?,
            records: streamed.written,
        };
        let manifest = self.manifest(written, &proof);
        let private = self
            .options
            .private
            .as_ref()
            .map(|folder| self.private(folder, &table, &manifest, streamed, &proof));
        let private = private.transpose()?;
        if self.options.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        atomic::write(&manifest_path(output), &manifest::bytes(&manifest), Readers::AsUsual)?;
        atomic::persist(file, output)?;
        Ok(self.report(output.clone(), Some(manifest_path(output)), private, streamed, proof))
    }

    fn report(
        &self,
        output: PathBuf,
        manifest: Option<PathBuf>,
        private: Option<PathBuf>,
        streamed: Streamed,
        proof: Proof,
    ) -> PublicationReport {
        PublicationReport {
            output,
            manifest,
            private,
            recoding: self.recoded.recoding().kind(),
            strategy: self.options.recipe.strategy.clone(),
            result: self.recoded.name(),
            scheme: self.recoded.levels().cloned(),
            groups: proof.groups,
            records: streamed.written,
            suppressed: streamed.suppressed,
            promised: self.criteria.iter().map(|c| (c.label.clone(), c.asked())).collect(),
            attained: proof.attained,
            as_recorded: self.as_recorded(),
        }
    }

    fn recoder(&self) -> Recoder<'_> {
        self.recoded.recoder()
    }

    /// Identifiers go, quasi-identifiers are recoded, everything else stays, in the table's order.
    fn columns(&self, table: &Table) -> Result<Vec<Published>, Error> {
        let identifiers = self.project.named(Role::Identifier);
        let qi = self.engine.attributes();
        let published =
            table.columns().iter().enumerate().filter(|(_, name)| !identifiers.contains(name));
        let column = |(column, name): (usize, &String)| {
            let position = qi.iter().position(|qi| qi == name);
            match (position, self.mapped(name)) {
                (Some(position), _) => Published::Recoded { column, position },
                (None, Some(mapping)) => Published::Mapped { column, mapping },
                (None, None) => Published::Copied(column),
            }
        };
        let flag = self.options.flag.as_ref();
        if let Some(flag) = flag.filter(|flag| table.column(flag).is_some()) {
            let what = format!("the table already has a column '{flag}'");
            return Err(Error::new(what, "give the flag column another name"));
        }
        Ok(published.map(column).chain(flag.map(|_| Published::Flag)).collect())
    }

    /// What is published for each value of a sensitive attribute that is shown at a level.
    fn mapped(&self, name: &str) -> Option<FxHashMap<Box<str>, Box<str>>> {
        let mut shown = self.engine.facts().iter().zip(&self.shown);
        let (facts, level) = shown.find(|(facts, _)| facts.target.name == name)?;
        let ((hierarchy, codes), level) = (facts.hierarchy.as_ref()?, (*level)?);
        let label = |code: u32| hierarchy.label(hierarchy.ancestor(code, level), level);
        let pairs = facts.values.values().zip(codes);
        Some(pairs.map(|(value, &code)| (value.into(), label(code).into())).collect())
    }

    fn names(&self, table: &Table, columns: &[Published]) -> Vec<String> {
        let name = |published: &Published| match published {
            Published::Copied(column)
            | Published::Recoded { column, .. }
            | Published::Mapped { column, .. } => table.columns()[*column].clone(),
            Published::Flag => self.options.flag.clone().unwrap_or_default(),
        };
        columns.iter().map(name).collect()
    }

    fn checked(&self, table: &Table) -> Vec<usize> {
        let quasi = self.project.named(Role::QuasiIdentifier).into_iter();
        let names = quasi.chain(self.project.named(Role::Sensitive));
        names.filter_map(|name| table.column(&name)).collect()
    }

    /// Quasi-identifiers of the project that this request leaves as they are.
    fn as_recorded(&self) -> Vec<String> {
        let asked = self.engine.attributes();
        let quasi = self.project.named(Role::QuasiIdentifier).into_iter();
        quasi.filter(|name| !asked.contains(&name.as_str())).collect()
    }

    fn stream(
        &self,
        table: &Table,
        publication: &Publication<'_>,
        file: &NamedTempFile,
        names: &[String],
    ) -> Result<Streamed, Error> {
        let output = &self.options.output;
        let writer =
            std::io::BufWriter::with_capacity(1 << 18, file.reopen().map_err(Error::io(output))?);
        let is_parquet = output.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet"));
        let plain: Box<dyn Sink> = if is_parquet {
            Box::new(Parquet::new(writer, output, names)?)
        } else {
            Box::new(Delimited::new(writer, output, names)?)
        };
        let mut sink = match self.options.seed {
            Some(seed) => Box::new(Shuffled::new(plain, seed)?),
            None => plain,
        };
        self.options.progress.start("publishing", table.input().bytes().unwrap_or(0));
        let streamed =
            stream(table, publication, sink.as_mut(), &|b| self.options.progress.step(b));
        self.options.progress.finish();
        let streamed = streamed?;
        sink.finish()?;
        Ok(streamed)
    }
}

/// A seed that nobody can guess.
pub fn random_seed() -> u64 {
    use rand::TryRng;
    rand::rngs::SysRng.try_next_u64().expect("the operating system has random numbers")
}

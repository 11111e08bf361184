//! Publishing: recode, suppress, write beside, read again, prove the promise, and only then rename.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use haggle_cube::Cube;
use haggle_data::sinks::{Delimited, Parquet, Rows, Shuffled, Sink};
use haggle_data::{
    CsvOptions, Input, Publication, Published, Streamed, Suppress, Table, publish as stream,
};
use haggle_model::{Level, Problem, Recoder, Recoding, Role, Scheme};
use rustc_hash::FxHashSet;
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::answer::numbers;
use crate::ask::Ask;
use crate::atomic::Readers;
use crate::engine::Progress;
use crate::manifest::{self, Manifest, OutputFile, PrivateManifest, PublishedAttribute};
use crate::measure::{Measured, labels};
use crate::verify::{Threshold, failing as unkept, manifest_path};
use crate::{Answer, Engine, Error, Project, VERSION, atomic};

/// How to publish.
pub struct PublishOptions<'a> {
    /// The file to write.
    pub output: PathBuf,
    /// The scheme; without one, the exact answer to the request.
    pub scheme: Option<Scheme>,
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
pub struct PublicationReport {
    /// The published file.
    pub output: PathBuf,
    /// Its public manifest.
    pub manifest: PathBuf,
    /// The private manifest, if one was asked for.
    pub private: Option<PathBuf>,
    /// The scheme applied.
    pub scheme: Scheme,
    /// The records in the file.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The thresholds promised.
    #[serde(serialize_with = "numbers")]
    pub promised: Vec<(String, f64)>,
    /// What the written file was measured to attain.
    #[serde(serialize_with = "numbers")]
    pub attained: Vec<(String, f64)>,
    /// Quasi-identifiers of the project that were published as recorded, because the request did
    /// not name them.
    pub as_recorded: Vec<String>,
}

/// Published, or the answer is no.
#[derive(Debug)]
pub enum PublishOutcome {
    /// The file is there and its promise is proved.
    Published(Box<PublicationReport>),
    /// No scheme meets the request; what could give.
    NoScheme(Box<Answer>),
    /// The scheme suppresses more records than the request allows.
    TooMany {
        /// How many it suppresses.
        suppressed: u64,
        /// How many it may.
        limit: u64,
    },
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
        let ask = options.ask.or(self.defaults());
        let thresholds = self.thresholds(&ask)?;
        let scheme = if let Some(scheme) = &options.scheme {
            self.scheme(scheme)?
        } else {
            let answer = self.ask(&ask)?;
            match &answer.exact {
                Some(offer) => offer.scheme.clone(),
                None => return Ok(PublishOutcome::NoScheme(answer.into())),
            }
        };
        let failing = failing_groups(self.cube(), &scheme, &thresholds);
        let limit = match options.scheme {
            Some(_) => options.ask.max_suppressed,
            None => ask.max_suppressed,
        };
        let limit = limit.map_or(u64::MAX, |limit| limit.of(self.records()));
        if failing.records > limit {
            return Ok(PublishOutcome::TooMany { suppressed: failing.records, limit });
        }
        if failing.records == self.records() {
            let what = "every group fails, so no record would be left to publish";
            return Err(Error::new(what, "choose a higher scheme or a weaker threshold"));
        }
        let recoding = Recoding::levels(scheme.clone());
        let work =
            Work { engine: self, project, options, ask, thresholds, scheme, recoding: &recoding };
        work.run(failing).map(|report| PublishOutcome::Published(report.into()))
    }

    /// The thresholds of a request with their statistics on this engine's cube.
    fn thresholds(&self, ask: &Ask) -> Result<Vec<Threshold>, Error> {
        if ask.privacy.is_empty() {
            return Err(Error::new("no privacy is asked for", "say for instance --k 5"));
        }
        ask.privacy.iter().map(|one| one.threshold(self.cube())).collect()
    }
}

/// The groups of a scheme that fail, as published codes.
#[derive(Default)]
struct Failing {
    groups: FxHashSet<Box<[u32]>>,
    records: u64,
}

fn failing_groups(cube: &Cube, scheme: &Scheme, thresholds: &[Threshold]) -> Failing {
    let mut failing = Failing::default();
    for Threshold { statistic, value, .. } in thresholds {
        let watched = statistic.watches().unwrap_or(0);
        cube.for_each_group(scheme, watched, |codes, group| {
            let passes = statistic.comparison().passes(statistic.of(group), *value);
            if !passes && failing.groups.insert(codes.into()) {
                failing.records += group.records;
            }
        });
    }
    failing
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

/// What a publication should be.
#[derive(Default)]
struct Planned {
    groups: BTreeMap<Vec<String>, u64>,
    attained: Vec<Option<f64>>,
}

/// One publication under way.
struct Work<'a> {
    engine: &'a Engine,
    project: &'a Project,
    options: &'a PublishOptions<'a>,
    ask: Ask,
    thresholds: Vec<Threshold>,
    scheme: Scheme,
    recoding: &'a Recoding,
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
        let attained = self.prove(&file, streamed, &publication.failing)?;
        let manifest = self.manifest(&file, streamed, &attained)?;
        let private = self
            .options
            .private
            .as_ref()
            .map(|folder| self.private(folder, &table, &manifest, streamed));
        let private = private.transpose()?;
        atomic::write(&manifest_path(output), &manifest::bytes(&manifest), Readers::AsUsual)?;
        atomic::persist(file, output)?;
        Ok(PublicationReport {
            output: output.clone(),
            manifest: manifest_path(output),
            private,
            scheme: self.scheme.clone(),
            records: streamed.written,
            suppressed: streamed.suppressed,
            promised: self.thresholds.iter().map(|t| (t.model.into(), t.value)).collect(),
            attained,
            as_recorded: self.as_recorded(),
        })
    }

    fn recoder(&self) -> Recoder<'_> {
        self.recoding.of(self.engine.cube().attributes())
    }

    /// Identifiers go, quasi-identifiers are recoded, everything else stays, in the table's order.
    fn columns(&self, table: &Table) -> Result<Vec<Published>, Error> {
        let identifiers = self.project.named(Role::Identifier);
        let qi = self.engine.attributes();
        let published =
            table.columns().iter().enumerate().filter(|(_, name)| !identifiers.contains(name));
        let column = |(column, name): (usize, &String)| match qi.iter().position(|qi| qi == name) {
            Some(position) => Published::Recoded { column, position },
            None => Published::Copied(column),
        };
        let flag = self.options.flag.as_ref();
        if let Some(flag) = flag.filter(|flag| table.column(flag).is_some()) {
            let what = format!("the table already has a column '{flag}'");
            return Err(Error::new(what, "give the flag column another name"));
        }
        Ok(published.map(column).chain(flag.map(|_| Published::Flag)).collect())
    }

    fn names(&self, table: &Table, columns: &[Published]) -> Vec<String> {
        let name = |published: &Published| match published {
            Published::Copied(column) | Published::Recoded { column, .. } => {
                table.columns()[*column].clone()
            }
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
        let streamed = stream(table, publication, sink.as_mut(), &|bytes| {
            self.options.progress.advance(bytes as u64);
        });
        self.options.progress.finish();
        let streamed = streamed?;
        sink.finish()?;
        Ok(streamed)
    }

    /// Reads what was written and measures it; a broken promise is an error, and the file goes.
    fn prove(
        &self,
        file: &NamedTempFile,
        streamed: Streamed,
        failing: &FxHashSet<Box<[u32]>>,
    ) -> Result<Vec<(String, f64)>, Error> {
        let measured = self.measure(file)?;
        let kept = match self.options.suppress {
            Suppress::Drop => 0,
            Suppress::Star => streamed.suppressed,
        };
        let planned = self.planned(failing);
        let persons = self.engine.cube().unit().is_some();
        let holds = measured.records() == streamed.written
            && (kept == 0 || measured.starred() == kept)
            && (persons || unkept(&measured, &self.thresholds) == 0)
            && measured.groups() == planned.groups;
        // Persons are not in the file; its groups are those counted, so their persons are too.
        let weakest = |(t, planned): (&Threshold, &Option<f64>)| {
            if persons { *planned } else { measured.weakest(t.statistic.as_ref()) }
        };
        let attained = self.thresholds.iter().zip(&planned.attained);
        let attained: Option<Vec<(String, f64)>> =
            attained.map(|pair| Some((pair.0.model.to_owned(), weakest(pair)?))).collect();
        attained.filter(|_| holds).ok_or_else(|| {
            let what = "what was written does not keep the promise, so it was removed";
            Error::Unsupported(format!("{what}; please report this"))
        })
    }

    /// The written file, counted as it stands.
    fn measure(&self, file: &NamedTempFile) -> Result<Measured, Error> {
        let options =
            CsvOptions { header: Some(true), separator: Some(b','), ..CsvOptions::default() };
        let table = Table::open(Input::file(file.path()), &options)?;
        let qi: Vec<String> = self.engine.attributes().into_iter().map(String::from).collect();
        let sensitive: Vec<String> =
            self.engine.cube().sensitive().map(|(_, w)| w.name.clone()).collect();
        let measured = Measured::of(&table, &qi, &sensitive, None, self.options.memory)?;
        Ok(match self.options.suppress {
            Suppress::Drop => measured.with_stars_as_values(),
            Suppress::Star => measured,
        })
    }

    /// The groups that should be in the file, and what the weakest of them attains.
    fn planned(&self, failing: &FxHashSet<Box<[u32]>>) -> Planned {
        let cube = self.engine.cube();
        let mut planned = Planned::default();
        cube.for_each_group(&self.scheme, 0, |codes, group| {
            if !failing.contains(codes) {
                planned.groups.insert(labels(cube, &self.scheme, codes), group.records);
            }
        });
        for Threshold { statistic, .. } in &self.thresholds {
            let mut weakest: Option<f64> = None;
            cube.for_each_group(&self.scheme, statistic.watches().unwrap_or(0), |codes, group| {
                let value = statistic.of(group);
                let weaker = |w: f64| statistic.comparison().by_strength(value, w).is_lt();
                if !failing.contains(codes) && weakest.is_none_or(weaker) {
                    weakest = Some(value);
                }
            });
            planned.attained.push(weakest);
        }
        planned
    }

    fn manifest(
        &self,
        file: &NamedTempFile,
        streamed: Streamed,
        attained: &[(String, f64)],
    ) -> Result<Manifest, Error> {
        let output = &self.options.output;
        let attributes = self.engine.cube().attributes().iter().zip(self.scheme.levels());
        let attribute =
            |(a, &level): (&haggle_model::QuasiIdentifier, &Level)| PublishedAttribute {
                name: a.name.clone(),
                level: level.into(),
                top: a.hierarchy.top().into(),
                values: (0..a.hierarchy.len(level) as u32)
                    .map(|c| a.hierarchy.label(c, level).into())
                    .collect(),
            };
        Ok(Manifest {
            haggle: VERSION.into(),
            output: OutputFile {
                file: output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                sha256: manifest::sha256(file.path())?,
                records: streamed.written,
            },
            recoding: self.recoding.clone(),
            attributes: attributes.map(attribute).collect(),
            sensitive: self.engine.cube().sensitive().map(|(_, w)| w.name.clone()).collect(),
            guarantees: attained.iter().cloned().collect(),
        })
    }

    /// The private manifest and a mapping for each attribute, in a folder of their own.
    fn private(
        &self,
        folder: &Path,
        table: &Table,
        public: &Manifest,
        streamed: Streamed,
    ) -> Result<PathBuf, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let mapping = self.mapping();
        for (attribute, values) in &mapping {
            let mut rows = Rows::default();
            for (recorded, published) in values {
                rows.field(recorded);
                rows.field(published);
                rows.end();
            }
            let name = format!("mapping-{}.csv", attribute.replace(['/', '\\'], "_"));
            atomic::write(&folder.join(name), &rows.to_csv(), Readers::Owner)?;
        }
        let manifest = PrivateManifest {
            public: public.clone(),
            input_sha256: manifest::input_sha256(table.input())?,
            asked: self.ask.clone(),
            records: self.engine.records(),
            suppressed: streamed.suppressed,
            suppress: match self.options.suppress {
                Suppress::Drop => "drop".into(),
                Suppress::Star => "star".into(),
            },
            flag: self.options.flag.clone(),
            seed: self.options.seed,
            mapping,
            reference: self.reference(),
        };
        let path = folder.join("policy.json");
        atomic::write(&path, &manifest::bytes(&manifest), Readers::Owner)?;
        Ok(path)
    }

    fn mapping(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let recoder = self.recoder();
        let attribute = |(i, a): (usize, &haggle_model::QuasiIdentifier)| {
            let value = |code: u32| {
                let published = recoder.label(i, recoder.code(i, code));
                (a.hierarchy.label(code, Level::RECORDED).to_owned(), published.to_owned())
            };
            (a.name.clone(), (0..a.hierarchy.len(Level::RECORDED) as u32).map(value).collect())
        };
        self.engine.cube().attributes().iter().enumerate().map(attribute).collect()
    }

    /// How the sensitive values are spread over the input.
    fn reference(&self) -> BTreeMap<String, BTreeMap<String, u64>> {
        let cube = self.engine.cube();
        let mut reference = BTreeMap::new();
        for (i, watched) in cube.sensitive() {
            let mut counts = BTreeMap::new();
            cube.for_each_group(self.engine.top(), i, |_, group| {
                for value in group.values {
                    counts.insert(
                        watched.values.value(value.code).to_owned(),
                        u64::from(value.count),
                    );
                }
            });
            reference.insert(watched.name.clone(), counts);
        }
        reference
    }
}

/// A seed that nobody can guess.
pub fn random_seed() -> u64 {
    use rand::TryRng;
    rand::rngs::SysRng.try_next_u64().expect("the operating system has random numbers")
}

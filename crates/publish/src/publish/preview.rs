//! A look at a publication before it is made: its first rows, and what becomes of each attribute.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use haggle_api::{ColumnPlan, Judge, Preview, PreviewAttribute, PreviewRow, ValueRecords};
use haggle_data::sinks::{Chunk, Encoder, Sink, TextRows};
use haggle_data::{PublishedColumns, RecordRecoding, Suppress, publish as stream};
use haggle_engine::Engine;
use haggle_engine::recoded::Recoded;
use haggle_engine::update::counts_the_table;
use haggle_model::{ANY, Error, ErrorKind, Level, Progress};
use haggle_project::Project;
use haggle_project::columns::spread;

use super::columns::PlannedRecords;
use super::{Choice, Failing, PublishOptions, PublishWork};

/// No more rows than this are shown.
const MOST_ROWS: usize = 50;

/// What publishing with these options would look like, with its first rows.
pub fn preview_of(
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
    rows: usize,
) -> Result<Preview, Error> {
    counts_the_table(engine, "a preview")?;
    if options.choice == Choice::Anatomy {
        let what = "a publication in two tables has no preview";
        return Err(Error::unsupported(what, "publish it, or preview another choice"));
    }
    let work = PublishWork::of_choice(engine, project, options)?.map_err(|no| {
        let reason = no.into_report().err().map_or(String::new(), |refusal| refusal.reason);
        let fix = "name a scheme or another strategy, or ask for less";
        Error::of_kind(ErrorKind::RefusedByPolicy, reason, fix)
    })?;
    let PublishWork { recoded, failing, .. } = &work;
    let losses = losses_by_attribute(engine, recoded, failing)?;
    let (starred, suppressed) = (work.stars.records(), failing.records);
    let attribute = |(i, loss)| with_stars(becomes(engine, i, recoded, failing, loss), starred);
    let attributes = losses.into_iter().enumerate().map(attribute).collect();
    let weaker = engine.weakened(&work.ask)?;
    let (columns, rows, plan) = work.first(rows.min(MOST_ROWS))?;
    let records = engine.records();
    Ok(Preview { columns, rows, attributes, plan, suppressed, starred, records, weaker })
}

/// What is lost in each attribute alone.
fn losses_by_attribute(
    engine: &Engine,
    recoded: &Recoded<'_>,
    failing: &Failing,
) -> Result<Vec<f64>, Error> {
    let names = engine.attributes();
    let one = |name: &&str| {
        let weight = |other: &&str| ((*other).to_owned(), f64::from(u8::from(other == name)));
        let alone = Judge { weights: names.iter().map(weight).collect(), ..Judge::plain() };
        Ok(recoded.loss(&engine.judging(&alone)?, failing).0)
    };
    names.iter().map(one).collect()
}

/// How the values of one attribute are spread before and after.
fn becomes(
    engine: &Engine,
    position: usize,
    recoded: &Recoded<'_>,
    failing: &Failing,
    loss: f64,
) -> PreviewAttribute {
    let cube = engine.cube();
    let spread_of = |recoded: &Recoded<'_>, kept: &dyn Fn(&[u32]) -> bool| {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        recoded.for_each_group(0, |codes, group| {
            if kept(codes) {
                *counts.entry(codes[position]).or_default() += group.records;
            }
        });
        let all = counts.values().sum();
        let label = |(code, records)| (recoded.shown(position, code).to_owned(), records);
        spread(counts.into_iter().map(label).collect(), all)
    };
    let alone = cube.space().top().with(position, Level::RECORDED);
    PreviewAttribute {
        name: cube.attributes()[position].name.clone(),
        before: spread_of(&Recoded::scheme(cube, alone), &|_| true),
        after: spread_of(recoded, &|codes| !failing.groups.contains(codes)),
        loss,
    }
}

/// Adds the records that are published with `*`.
fn with_stars(mut attribute: PreviewAttribute, starred: u64) -> PreviewAttribute {
    let is_any = |one: &&mut ValueRecords| one.value.as_deref() == Some(ANY);
    match attribute.after.iter_mut().find(is_any) {
        Some(any) => any.records += starred,
        None if starred == 0 => {}
        None => attribute.after.push(ValueRecords { value: Some(ANY.into()), records: starred }),
    }
    attribute
}

impl PublishWork<'_> {
    /// The columns, the first rows before and after, and what becomes of every column.
    fn first(&self, most: usize) -> Result<(Vec<String>, Vec<PreviewRow>, ColumnPlan), Error> {
        let table = self.project.table(self.options.progress)?;
        let (records, plan) = self.planned_columns(&table)?;
        let PlannedRecords { publication, names, .. } = records;
        let after = publication.columns;
        let before = after.iter().filter_map(|published| match *published {
            PublishedColumns::Copied(column)
            | PublishedColumns::Recoded { column, .. }
            | PublishedColumns::Mapped { column, .. } => Some(PublishedColumns::Copied(column)),
            PublishedColumns::Flag | PublishedColumns::Group => None,
        });
        let publication = RecordRecoding {
            columns: before.chain(after.iter().cloned()).chain([PublishedColumns::Flag]).collect(),
            suppress: Suppress::Star,
            ..publication
        };
        let seen = AtomicUsize::new(0);
        let stars = self.stars.suppress() == Suppress::Star;
        let width = after.len();
        let mut first = FirstRows { width, rows: Vec::new(), seen: &seen, most, stars };
        match stream(&table, &publication, &mut first, &UntilSeen { seen: &seen, most }) {
            Err(error) if !error.is_cancelled() => Err(error),
            _ => Ok((names, first.rows, plan)),
        }
    }
}

/// Cancels reading once enough rows were seen.
struct UntilSeen<'a> {
    seen: &'a AtomicUsize,
    most: usize,
}

impl Progress for UntilSeen<'_> {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.seen.load(Relaxed) >= self.most
    }
}

/// Keeps the first rows and counts those seen.
struct FirstRows<'a> {
    width: usize,
    rows: Vec<PreviewRow>,
    seen: &'a AtomicUsize,
    most: usize,
    /// Whether suppressed records are published with stars.
    stars: bool,
}

struct ShownRows;

impl Encoder for ShownRows {
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error> {
        Ok(Chunk::Rows(rows))
    }
}

impl Sink for FirstRows<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(ShownRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        let Chunk::Rows(rows) = chunk else { return Ok(()) };
        for position in 0..rows.len().min(self.most - self.rows.len()) {
            let fields: Vec<String> = rows.record(position).map(str::to_owned).collect();
            let (before, after) = fields.split_at(self.width);
            let (after, flag) = after.split_at(self.width);
            let kept = self.stars || flag == ["false"];
            let row = PreviewRow { before: before.to_vec(), after: kept.then(|| after.to_vec()) };
            self.rows.push(row);
        }
        self.seen.store(self.rows.len(), Relaxed);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

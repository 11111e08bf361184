//! A look at a publication before it is made: its first rows, and what becomes of each attribute.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use haggle_data::sinks::{Chunk, Encoder, Rows, Sink};
use haggle_data::{Publication, Published, Suppress, publish as stream};
use haggle_model::{ANY, Level, Scheme};
use serde::Serialize;

use super::columns::Planned;
use super::settle::Settled;
use super::{Failing, PublishOptions, Work};
use crate::accounting::ColumnPlan;
use crate::columns::{ValueRecords, spread};
use crate::publications::Publications;
use crate::recoded::Recoded;
use crate::{Ask, Engine, Error, Judge, Project, Weakened};

/// No more rows than this are shown.
const MOST_ROWS: usize = 50;

/// What a publication would look like.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// The columns that would be published.
    pub columns: Vec<String>,
    /// The first records.
    pub rows: Vec<PreviewRow>,
    /// What becomes of each quasi-identifier.
    pub attributes: Vec<PreviewAttribute>,
    /// What becomes of every column of the table.
    pub plan: ColumnPlan,
    /// The records that would be suppressed.
    pub suppressed: u64,
    /// The records that would be published with `*` in every quasi-identifier.
    pub starred: u64,
    /// The records counted.
    pub records: u64,
    /// Thresholds of the project that would not be kept.
    pub weaker: Vec<Weakened>,
}

/// A record before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PreviewRow {
    /// As recorded.
    pub before: Vec<String>,
    /// As published; none if it is left out.
    pub after: Option<Vec<String>>,
}

/// A quasi-identifier before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PreviewAttribute {
    /// Its name.
    pub name: String,
    /// How many records have which value as recorded.
    pub before: Vec<ValueRecords>,
    /// How many published records have which value.
    pub after: Vec<ValueRecords>,
    /// What is lost in this attribute alone, from 0 to 1.
    pub loss: f64,
}

impl Engine {
    /// What publishing under a scheme would look like, with its first rows; without a scheme, under
    /// the answer.
    pub fn preview(
        &self,
        project: &Project,
        ask: &Ask,
        scheme: Option<&Scheme>,
        rows: usize,
    ) -> Result<Preview, Error> {
        self.counts_the_table("a preview")?;
        let scheme = Some(self.chosen(ask, scheme)?);
        let options = PublishOptions { scheme, ..PublishOptions::new("", ask.clone()) };
        self.preview_of(project, &options, rows)
    }

    /// What publishing with these options would look like, with its first rows.
    pub fn preview_of(
        &self,
        project: &Project,
        options: &PublishOptions<'_>,
        rows: usize,
    ) -> Result<Preview, Error> {
        self.counts_the_table("a preview")?;
        let ask = options.ask.or(self.defaults());
        let criteria = self.criteria(&ask)?;
        let shown = self.shown(&criteria)?;
        let Settled { recoded, .. } = self.recoded(options, &ask, &criteria)?.map_err(|no| {
            let reason = no.told().err().map_or(String::new(), |refusal| refusal.reason);
            Error::new(reason, "name a scheme or another strategy, or ask for less")
        })?;
        recoded.check_memory(options.memory)?;
        let failing = recoded.failing(&criteria);
        let losses = self.losses_by_attribute(&recoded, &failing)?;
        let stars = recoded.stars(options.suppress, &failing, &criteria);
        let starred = stars.records();
        let attributes = (0..losses.len())
            .map(|i| self.becomes(i, &recoded, &failing, losses[i]).with_stars(starred));
        let (attributes, suppressed) = (attributes.collect(), failing.records);
        let weaker = self.weakened(&ask)?;
        let publications = Publications::of(project);
        let work = Work {
            engine: self,
            project,
            publications,
            options,
            ask,
            criteria,
            shown,
            recoded,
            stars,
        };
        let (columns, rows, plan) = work.first(&failing, rows.min(MOST_ROWS))?;
        let records = self.records();
        Ok(Preview { columns, rows, attributes, plan, suppressed, starred, records, weaker })
    }

    /// What is lost in each attribute alone.
    fn losses_by_attribute(
        &self,
        recoded: &Recoded<'_>,
        failing: &Failing,
    ) -> Result<Vec<f64>, Error> {
        let names = self.attributes();
        let one = |name: &&str| {
            let weight = |other: &&str| ((*other).to_owned(), f64::from(u8::from(other == name)));
            let alone = Judge { weights: names.iter().map(weight).collect(), ..Judge::plain() };
            Ok(recoded.loss(&alone.on(self.cube(), self.facts())?, failing).0)
        };
        names.iter().map(one).collect()
    }

    /// How the values of one attribute are spread before and after.
    fn becomes(
        &self,
        position: usize,
        recoded: &Recoded<'_>,
        failing: &Failing,
        loss: f64,
    ) -> PreviewAttribute {
        let cube = self.cube();
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
}

impl PreviewAttribute {
    /// The same with records that are published with `*`.
    fn with_stars(mut self, starred: u64) -> Self {
        let is_any = |one: &&mut ValueRecords| one.value.as_deref() == Some(ANY);
        match self.after.iter_mut().find(is_any) {
            Some(any) => any.records += starred,
            None if starred == 0 => {}
            None => self.after.push(ValueRecords { value: Some(ANY.into()), records: starred }),
        }
        self
    }
}

impl Work<'_> {
    /// The columns, the first rows before and after, and what becomes of every column.
    fn first(
        &self,
        failing: &Failing,
        most: usize,
    ) -> Result<(Vec<String>, Vec<PreviewRow>, ColumnPlan), Error> {
        let table = self.project.table()?;
        let Planned { publication, names, plan, .. } = self.planned_columns(&table, failing)?;
        let after = publication.columns;
        let before = after.iter().filter_map(|published| match *published {
            Published::Copied(column)
            | Published::Recoded { column, .. }
            | Published::Mapped { column, .. } => Some(Published::Copied(column)),
            Published::Flag => None,
        });
        let publication = Publication {
            columns: before.chain(after.iter().cloned()).chain([Published::Flag]).collect(),
            suppress: Suppress::Star,
            ..publication
        };
        let seen = AtomicUsize::new(0);
        let stars = self.stars.suppress() == Suppress::Star;
        let width = after.len();
        let mut first = First { width, rows: Vec::new(), seen: &seen, most, stars };
        let more = || seen.load(Relaxed) < most;
        let enough = |_| if more() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        match stream(&table, &publication, &mut first, &enough) {
            Ok(_) | Err(haggle_data::Error::Cancelled) => Ok((names, first.rows, plan)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Keeps the first rows and tells when there are enough.
struct First<'a> {
    width: usize,
    rows: Vec<PreviewRow>,
    seen: &'a AtomicUsize,
    most: usize,
    /// Whether suppressed records are published with stars.
    stars: bool,
}

struct AsRows;

impl Encoder for AsRows {
    fn encode(&self, rows: Rows) -> Result<Chunk, haggle_data::Error> {
        Ok(Chunk::Rows(rows))
    }
}

impl Sink for First<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(AsRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), haggle_data::Error> {
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

    fn finish(&mut self) -> Result<(), haggle_data::Error> {
        Ok(())
    }
}

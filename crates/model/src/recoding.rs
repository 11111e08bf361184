//! How a publication recodes its quasi-identifiers.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::hierarchy::number as as_number;
use crate::region::is_interval;
use crate::{Error, ErrorKind, Hierarchy, Interval, Level, QuasiIdentifier, Region, Scheme};

/// How recorded values become published ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Recoding {
    /// Every value of an attribute at the same level.
    Levels {
        /// The level of each quasi-identifier.
        scheme: Scheme,
    },
    /// A cut through each hierarchy: values of different levels together, each recorded value below
    /// exactly one of them.
    Cuts {
        /// By quasi-identifier, the values of its cut.
        cuts: Vec<Vec<Span>>,
    },
    /// Multidimensional: each record is published as a box that it lies in.
    Boxes {
        /// By box, its side in each quasi-identifier.
        boxes: Vec<Vec<Span>>,
        /// Whether ends are the smallest and largest recorded values of a box, not cuts between
        /// boxes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        tight: bool,
    },
    /// Levels by part: a record is published at the first levels at which its group passes, among
    /// the records that no earlier levels could publish.
    Parts {
        /// The levels of each part, in order.
        schemes: Vec<Scheme>,
    },
    /// Cell suppression: each record keeps or stars each of its cells. Records with the same
    /// recorded values may keep different cells.
    Cells {
        /// By published combination, its value in each quasi-identifier: a recorded one, or the
        /// most general.
        patterns: Vec<Vec<Span>>,
    },
}

/// A region by the labels of its recorded values, which other hierarchies may code differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// What is published.
    pub label: Box<str>,
    /// The first recorded value; not public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Box<str>>,
    /// The last recorded value; not public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Box<str>>,
    /// All recorded values, if neither a value of the hierarchy nor two numbers determine them; not
    /// public.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Box<str>>,
}

impl Span {
    /// Builds the span of a region.
    pub fn new(region: &Region, hierarchy: &Hierarchy) -> Self {
        let label = |code: u32| Box::from(hierarchy.label(code, Level::RECORDED));
        let leaves = &region.leaves;
        let (node, level) = hierarchy.above(leaves);
        let plain = hierarchy.leaves(node, level) == *leaves || is_interval(hierarchy, leaves);
        Self {
            label: region.label.clone(),
            from: Some(label(leaves.start)),
            to: Some(label(leaves.end - 1)),
            values: if plain { Vec::new() } else { leaves.clone().map(label).collect() },
        }
    }

    /// Returns the span with its label only.
    fn label_only(&self) -> Self {
        Self { label: self.label.clone(), from: None, to: None, values: Vec::new() }
    }

    /// Returns the region that the span means in a hierarchy, which may have other recorded values;
    /// none if the hierarchy has none of these values. Fails if the values do not form a region
    /// there.
    pub fn region(&self, attribute: &QuasiIdentifier) -> Result<Option<Region>, Error> {
        let hierarchy = &attribute.hierarchy;
        let code = |value: &Option<Box<str>>| hierarchy.code(value.as_deref()?);
        let ends = [code(&self.from), code(&self.to)];
        let leaves = match ends {
            _ if self.is_whole(hierarchy) => Some(Region::whole(hierarchy).leaves),
            [Some(from), Some(to)] => Some(from..to + 1),
            _ => self.remaining(hierarchy),
        };
        let within = |end: &u32| leaves.as_ref().is_some_and(|leaves| leaves.contains(end));
        if self.from.is_none() || !ends.iter().flatten().all(within) {
            let what = format!("'{}' is not a value of '{}' here", self.label, attribute.name);
            let fix = "use the hierarchy of the first publication";
            return Err(Error::of_kind(ErrorKind::DataChanged, what, fix));
        }
        let label = self.label.clone();
        Ok(leaves.map(|leaves| Region { label, ..Region::new(hierarchy, leaves) }))
    }

    /// Returns whether the span is everything, here with values that were not recorded before. A
    /// recorded value may have the label of the top.
    fn is_whole(&self, hierarchy: &Hierarchy) -> bool {
        let is_top = *self.label == *hierarchy.label(0, hierarchy.top());
        let is_recorded = self.from == self.to && self.from.as_ref() == Some(&self.label);
        is_top && !is_recorded
    }

    /// Returns the recorded values in a hierarchy that does not have both ends: those below the
    /// same value, in the published interval, between the same numbers, or with the same names.
    fn remaining(&self, hierarchy: &Hierarchy) -> Option<Range<u32>> {
        let node = hierarchy.below(&self.label).max_by_key(ExactSizeIterator::len);
        let inside = || {
            let codes = Interval::parse(&self.label)?.codes(hierarchy);
            Some(*codes.first()?..*codes.last()? + 1)
        };
        node.or_else(inside).or_else(|| {
            let number = |value: &Option<Box<str>>| as_number(value.as_deref()?);
            let ends = number(&self.from).zip(number(&self.to));
            let ends = ends.filter(|_| self.values.is_empty());
            let is_here = |value: &str| match ends {
                Some((low, high)) => {
                    as_number(value).is_some_and(|number| low <= number && number <= high)
                }
                None => self.values.iter().any(|known| **known == *value),
            };
            let codes = 0..hierarchy.len(Level::RECORDED) as u32;
            let mut here = codes.filter(|&c| is_here(hierarchy.label(c, Level::RECORDED)));
            let first = here.next()?;
            Some(first..here.next_back().unwrap_or(first) + 1)
        })
    }
}

impl Recoding {
    /// Every attribute at the level that the scheme gives it.
    pub fn levels(scheme: Scheme) -> Self {
        Self::Levels { scheme }
    }

    /// Its kind, as it is written.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Levels { .. } => "levels",
            Self::Cuts { .. } => "cuts",
            Self::Boxes { .. } => "boxes",
            Self::Parts { .. } => "parts",
            Self::Cells { .. } => "cells",
        }
    }

    /// Returns whether the ends of its boxes are recorded values.
    pub fn is_tight(&self) -> bool {
        matches!(self, Self::Boxes { tight: true, .. })
    }

    /// Returns the public form of the recoding, which is the same whatever was suppressed: without
    /// recorded values that are not published, without values of a cut that no published record
    /// has, and without boxes that contain none; in the order of their labels. `occurs` says which
    /// label of which attribute a published record has, `is_published` which labels one has
    /// together. Levels are those of `lowest`, the lowest at which published records look the same.
    pub fn public(
        &self,
        occurs: impl Fn(usize, &str) -> bool,
        is_published: impl Fn(&[&str]) -> bool,
        lowest: Vec<Scheme>,
    ) -> Self {
        match self {
            Self::Cuts { cuts } => {
                let occurring = |(attribute, cut): (usize, &Vec<Span>)| {
                    let occurring = cut.iter().filter(|span| occurs(attribute, &span.label));
                    let mut spans: Vec<Span> = occurring.map(Span::label_only).collect();
                    spans.sort_by(|a, b| label_order(&a.label, &b.label));
                    spans
                };
                Self::Cuts { cuts: cuts.iter().enumerate().map(occurring).collect() }
            }
            Self::Boxes { boxes, tight } => {
                Self::Boxes { boxes: published(boxes, is_published), tight: *tight }
            }
            Self::Cells { patterns } => Self::Cells { patterns: published(patterns, is_published) },
            Self::Levels { scheme } => {
                Self::Levels { scheme: lowest.into_iter().next().unwrap_or_else(|| scheme.clone()) }
            }
            Self::Parts { .. } => Self::Parts { schemes: lowest },
        }
    }
}

/// Returns the labels of the combinations that are published, in their order.
fn published(all: &[Vec<Span>], is_published: impl Fn(&[&str]) -> bool) -> Vec<Vec<Span>> {
    let kept = |sides: &&Vec<Span>| {
        is_published(&sides.iter().map(|side| &*side.label).collect::<Vec<_>>())
    };
    let mut published: Vec<Vec<Span>> =
        all.iter().filter(kept).map(|sides| label_only(sides)).collect();
    let order = |a: &Vec<Span>, b: &Vec<Span>| {
        let sides = a.iter().zip(b).map(|(a, b)| label_order(&a.label, &b.label));
        sides.fold(Ordering::Equal, Ordering::then)
    };
    published.sort_by(order);
    published.dedup();
    published
}

/// Compares published values: by the number that they begin with, then as text. The order of a
/// hierarchy may depend on values that are not published.
///
/// ```
/// use haggle_model::label_order;
///
/// let mut labels = ["*", "10-14", "5-9", "-3"];
/// labels.sort_by(|a, b| label_order(a, b));
/// assert_eq!(labels, ["-3", "5-9", "10-14", "*"]);
/// ```
pub fn label_order(a: &str, b: &str) -> Ordering {
    let numbers = match (first_number(a), first_number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    numbers.then_with(|| a.cmp(b))
}

/// The number that a label begins with.
fn first_number(label: &str) -> Option<f64> {
    let ends = |(at, c): &(usize, char)| match c {
        '-' => *at > 0,
        c => !c.is_ascii_digit() && *c != '.',
    };
    let end = label.char_indices().find(ends).map_or(label.len(), |(at, _)| at);
    label[..end].parse().ok()
}

/// Returns the spans with their labels only.
fn label_only(spans: &[Span]) -> Vec<Span> {
    spans.iter().map(Span::label_only).collect()
}

/// How recorded codes become codes of regions: by attribute, by combination or by record.
#[derive(Debug, Clone)]
enum CodeMap {
    /// By attribute and recorded code.
    Values(Vec<Vec<u32>>),
    /// By recorded combination, each of those that were counted.
    Combinations(FxHashMap<Box<[u32]>, Box<[u32]>>),
    /// By recorded combination, how many of its records are published as what.
    Shares(FxHashMap<Box<[u32]>, Vec<Share>>),
}

/// How many records of one recorded combination are published as the same regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The code of their value of the watched attribute; `None` if they have none, or nothing is
    /// watched.
    pub value: Option<u32>,
    /// How many there are.
    pub records: u64,
    /// The positions of their regions.
    pub published: Box<[u32]>,
}

/// How many records of each share were recoded so far.
#[derive(Debug, Clone, Default)]
pub struct SharesTaken(FxHashMap<Box<[u32]>, Vec<u64>>);

/// A recoding that is ready to be applied to records: the regions of each attribute, and which of
/// them each record is published as.
///
/// ```
/// use haggle_model::{Hierarchy, QuasiIdentifier, Recoder, Scheme};
///
/// let hierarchy = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
/// let age = [QuasiIdentifier { name: "age".into(), hierarchy }];
/// let decades = Recoder::levels(&Scheme::new([1]), &age);
/// let group = decades.group(&["38"]).expect("all values are covered");
/// assert_eq!(decades.label(0, group[0]), "30-39");
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Recoder<'a> {
    attributes: &'a [QuasiIdentifier],
    regions: Arc<[Vec<Region>]>,
    how: CodeMap,
}

impl<'a> Recoder<'a> {
    /// Every attribute at its level; published codes are those of the hierarchy.
    pub fn levels(scheme: &Scheme, attributes: &'a [QuasiIdentifier]) -> Self {
        let with_levels = || attributes.iter().zip(scheme.levels());
        let regions = with_levels().map(|(a, &level)| nodes(&a.hierarchy, level)).collect();
        let maps = with_levels().map(|(a, &level)| a.hierarchy.ancestors(level).to_vec());
        Self::by_value(attributes, regions, maps.collect())
    }

    /// Each attribute on its own: for every recorded code, the position of its region.
    pub fn by_value(
        attributes: &'a [QuasiIdentifier],
        regions: Arc<[Vec<Region>]>,
        maps: Vec<Vec<u32>>,
    ) -> Self {
        Self { attributes, regions, how: CodeMap::Values(maps) }
    }

    /// All attributes together: for every recorded combination, the positions of its regions.
    pub fn by_combination(
        attributes: &'a [QuasiIdentifier],
        regions: Arc<[Vec<Region>]>,
        combinations: FxHashMap<Box<[u32]>, Box<[u32]>>,
    ) -> Self {
        Self { attributes, regions, how: CodeMap::Combinations(combinations) }
    }

    /// Record by record: for every recorded combination, how many of its records have which
    /// regions.
    pub fn by_share(
        attributes: &'a [QuasiIdentifier],
        regions: Arc<[Vec<Region>]>,
        shares: FxHashMap<Box<[u32]>, Vec<Share>>,
    ) -> Self {
        Self { attributes, regions, how: CodeMap::Shares(shares) }
    }

    /// Every recorded combination with the shares of its records, where records with the same
    /// recorded values may be published differently.
    pub fn shares(&self) -> Option<impl Iterator<Item = (&[u32], &[Share])>> {
        match &self.how {
            CodeMap::Shares(shares) => {
                Some(shares.iter().map(|(recorded, shares)| (&**recorded, shares.as_slice())))
            }
            _ => None,
        }
    }

    /// Writes the published codes for the next record with these recorded codes and this value of
    /// the watched attribute. Returns false if there are more such records than were counted.
    pub fn recode_next(
        &self,
        recorded: &[u32],
        value: Option<u32>,
        taken: &mut SharesTaken,
        published: &mut [u32],
    ) -> bool {
        let CodeMap::Shares(all) = &self.how else { return self.recode(recorded, published) };
        let Some(shares) = all.get(recorded) else { return false };
        let taken = taken.0.entry(recorded.into()).or_insert_with(|| vec![0; shares.len()]);
        let mut open = shares
            .iter()
            .zip(taken)
            .filter(|(share, taken)| share.value == value && **taken < share.records);
        open.next().is_some_and(|(share, taken)| {
            *taken += 1;
            published.copy_from_slice(&share.published);
            true
        })
    }

    /// Writes the published codes for a record's recorded codes. Returns false if such a record was
    /// never counted, or if its recorded codes do not decide.
    #[inline]
    pub fn recode(&self, recorded: &[u32], published: &mut [u32]) -> bool {
        match &self.how {
            CodeMap::Values(maps) => {
                for ((code, map), &recorded) in published.iter_mut().zip(maps).zip(recorded) {
                    *code = map[recorded as usize];
                }
                true
            }
            CodeMap::Combinations(known) => known.get(recorded).is_some_and(|codes| {
                published.copy_from_slice(codes);
                true
            }),
            CodeMap::Shares(shares) => shares.get(recorded).is_some_and(|shares| {
                published.copy_from_slice(&shares[0].published);
                shares.iter().all(|share| share.published == shares[0].published)
            }),
        }
    }

    /// Returns the published code of each recorded code of an attribute; none if it depends on the
    /// other attributes.
    pub fn map(&self, position: usize) -> Option<&[u32]> {
        match &self.how {
            CodeMap::Values(maps) => Some(&maps[position]),
            CodeMap::Combinations(_) | CodeMap::Shares(_) => None,
        }
    }

    /// Every recorded combination with its published codes, where values depend on each other.
    pub fn combinations(&self) -> Option<impl Iterator<Item = (&[u32], &[u32])>> {
        match &self.how {
            CodeMap::Values(_) | CodeMap::Shares(_) => None,
            CodeMap::Combinations(known) => {
                Some(known.iter().map(|(recorded, published)| (&**recorded, &**published)))
            }
        }
    }

    /// The published value of a published code.
    #[inline]
    pub fn label(&self, position: usize, code: u32) -> &str {
        &self.regions[position][code as usize].label
    }

    /// The regions of an attribute, by published code.
    pub fn regions(&self, position: usize) -> &[Region] {
        &self.regions[position]
    }

    /// The published codes of a record's quasi-identifiers; `None` if a value is not covered or no
    /// such record was counted.
    pub fn group(&self, values: &[&str]) -> Option<Vec<u32>> {
        let code = |(i, value): (usize, &&str)| self.hierarchy(i).code(value);
        let recorded: Option<Vec<u32>> = values.iter().enumerate().map(code).collect();
        let recorded = recorded?;
        let mut published = vec![0; recorded.len()];
        self.recode(&recorded, &mut published).then_some(published)
    }

    /// An attribute's hierarchy.
    #[inline]
    pub fn hierarchy(&self, position: usize) -> &'a Hierarchy {
        &self.attributes[position].hierarchy
    }

    /// How many quasi-identifiers there are.
    pub fn attributes(&self) -> usize {
        self.attributes.len()
    }
}

/// The values of a level, by code.
fn nodes(hierarchy: &Hierarchy, level: Level) -> Vec<Region> {
    (0..hierarchy.len(level) as u32).map(|code| Region::node(hierarchy, code, level)).collect()
}

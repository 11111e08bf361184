//! What a publication applies to its quasi-identifiers.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{Error, Hierarchy, Level, Problem, QuasiIdentifier, Region, Scheme};

/// How recorded values become published ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Recoding {
    /// Every value of an attribute at the same level.
    Levels {
        /// The level of each quasi-identifier.
        scheme: Scheme,
    },
    /// A cut through each hierarchy: values of different levels side by side, each recorded value
    /// below just one of them.
    Cuts {
        /// By quasi-identifier, the values of its cut.
        cuts: Vec<Vec<Span>>,
    },
    /// Multidimensional: each record is published as a box that it lies in.
    Boxes {
        /// By box, its side in each quasi-identifier.
        boxes: Vec<Vec<Span>>,
    },
    /// Levels by part: a record is published at the first levels at which its group passes, among
    /// those records that no earlier levels could serve.
    Parts {
        /// The levels of each part, in order.
        schemes: Vec<Scheme>,
    },
}

/// A region by the labels of its recorded values, which other hierarchies may code differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// What is published.
    pub label: Box<str>,
    /// The first recorded value; not told to everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Box<str>>,
    /// The last recorded value; not told to everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Box<str>>,
}

impl Span {
    /// The region's words.
    pub fn of(region: &Region, hierarchy: &Hierarchy) -> Self {
        let label = |code| Some(hierarchy.label(code, Level::RECORDED).into());
        Self {
            label: region.label.clone(),
            from: label(region.leaves.start),
            to: label(region.leaves.end - 1),
        }
    }

    /// The region that it stands for in a hierarchy; an error if it is none there.
    pub fn region(&self, attribute: &QuasiIdentifier) -> Result<Region, Error> {
        let code = |value: &Option<Box<str>>| attribute.hierarchy.code(value.as_deref()?);
        match (code(&self.from), code(&self.to)) {
            (Some(from), Some(to)) if from <= to => {
                let label = self.label.clone();
                Ok(Region { label, ..Region::of(&attribute.hierarchy, from..to + 1) })
            }
            _ => {
                let what = format!("'{}' is no value of '{}' here", self.label, attribute.name);
                let fix = "use the hierarchy of the first publication";
                Err(Error::from(crate::Problems::from(Problem::new(what).fix(fix))))
            }
        }
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
        }
    }

    /// What everybody may know of it: no recorded value that is not published, and no box that is
    /// not there. `is_published` tells which boxes are, by their labels.
    pub fn told(&self, is_published: impl Fn(&[&str]) -> bool) -> Self {
        let told = |spans: &Vec<Span>| -> Vec<Span> {
            let label = |span: &Span| Span { label: span.label.clone(), from: None, to: None };
            spans.iter().map(label).collect()
        };
        match self {
            Self::Cuts { cuts } => Self::Cuts { cuts: cuts.iter().map(told).collect() },
            Self::Boxes { boxes } => {
                let labels = |sides: &Vec<Span>| -> Vec<Box<str>> {
                    sides.iter().map(|side| side.label.clone()).collect()
                };
                let kept = |sides: &&Vec<Span>| {
                    let labels = labels(sides);
                    is_published(&labels.iter().map(AsRef::as_ref).collect::<Vec<_>>())
                };
                Self::Boxes { boxes: boxes.iter().filter(kept).map(told).collect() }
            }
            other => other.clone(),
        }
    }
}

/// How recorded codes become codes of regions, attribute by attribute or combination by combination.
#[derive(Debug, Clone)]
enum How {
    /// By attribute and recorded code.
    Values(Vec<Vec<u32>>),
    /// By recorded combination, each of those that were counted.
    Combinations(FxHashMap<Box<[u32]>, Box<[u32]>>),
}

/// A recoding made ready for records: the regions of each attribute, and which one each record is
/// published as.
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
    how: How,
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
        Self { attributes, regions, how: How::Values(maps) }
    }

    /// All attributes together: for every recorded combination, the positions of its regions.
    pub fn by_combination(
        attributes: &'a [QuasiIdentifier],
        regions: Arc<[Vec<Region>]>,
        combinations: FxHashMap<Box<[u32]>, Box<[u32]>>,
    ) -> Self {
        Self { attributes, regions, how: How::Combinations(combinations) }
    }

    /// Writes the published codes of a record's recorded ones; false if such a record was never
    /// counted.
    #[inline]
    pub fn recode(&self, recorded: &[u32], published: &mut [u32]) -> bool {
        match &self.how {
            How::Values(maps) => {
                for ((code, map), &recorded) in published.iter_mut().zip(maps).zip(recorded) {
                    *code = map[recorded as usize];
                }
                true
            }
            How::Combinations(known) => known.get(recorded).is_some_and(|codes| {
                published.copy_from_slice(codes);
                true
            }),
        }
    }

    /// The published code of each recorded one of an attribute; none if that depends on the other
    /// attributes.
    pub fn map(&self, position: usize) -> Option<&[u32]> {
        match &self.how {
            How::Values(maps) => Some(&maps[position]),
            How::Combinations(_) => None,
        }
    }

    /// Every recorded combination with its published codes, where values depend on each other.
    pub fn combinations(&self) -> Option<impl Iterator<Item = (&[u32], &[u32])>> {
        match &self.how {
            How::Values(_) => None,
            How::Combinations(known) => {
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

//! Mondrian with strict median splits over data that is only counted: each round counts, in one
//! scan, every place where any of the open boxes could be split.
//!
//! The boxes are those of [`mondrian`](super::mondrian)'s median variant on counted groups; what
//! differs is what it takes. In a database it needs a scan for each level of the tree of splits,
//! as the implementation that Nergiz et al. (ACM TODS 36(1), 2011, section 7.3) compare M-INSTANT
//! with needs count queries for each partition.

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use haggle_cube::{BoxCount, BoxSource, CountedBox, Proposed};
use haggle_model::{Level, QuasiIdentifier, Scheme};

use crate::Error;

/// The sides of a box, by attribute.
type Sides = Vec<Range<u32>>;

/// The maximum number of initial boxes.
const MOST_ROOTS: usize = 100_000;

/// A box, and the part of it in which records lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedBox {
    /// Its side in each attribute. Together the boxes cover every value.
    pub sides: Vec<Range<u32>>,
    /// The smallest box around its records.
    pub tight: Vec<Range<u32>>,
}

/// The boxes, and how many splits were evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScannedBoxes {
    /// The boxes.
    pub boxes: Vec<ScannedBox>,
    /// The splits that were evaluated.
    pub evaluated: u64,
}

/// Splits boxes under the maximum levels as long as both halves pass and the search may go on. At most
/// `places` places to split are counted in one scan, or those of one box.
pub fn mondrian_over<S: BoxSource, E: From<Error> + From<S::Error>>(
    source: &mut S,
    attributes: &[QuasiIdentifier],
    caps: &Scheme,
    places: usize,
    passes: &dyn Fn(&BoxCount) -> bool,
    may_go_on: &dyn Fn() -> bool,
) -> Result<ScannedBoxes, E> {
    let mut found = ScannedBoxes::default();
    let mut open = roots(attributes, caps)?;
    let mut go_on = true;
    while !open.is_empty() {
        let mut waiting = std::mem::take(&mut open).into_iter().peekable();
        while go_on && waiting.peek().is_some() {
            let proposed = batch(&mut waiting, places);
            let counted = source.count(&proposed)?;
            go_on = may_go_on();
            for (proposed, counted) in proposed.iter().zip(&counted) {
                let along = Along::new(proposed, counted, attributes);
                let halves = if go_on { found.split(&along, passes) } else { None };
                match halves {
                    Some(halves) => open.extend(halves),
                    None => found.boxes.push(along.whole()),
                }
            }
        }
        // Where there is no time to count a box, it stays as wide as it is.
        found.boxes.extend(waiting.map(|sides| ScannedBox { tight: sides.clone(), sides }));
    }
    Ok(found)
}

/// Takes boxes to be counted in one scan: as many as have together at most this many places to split,
/// and at least one.
fn batch(waiting: &mut Peekable<IntoIter<Sides>>, places: usize) -> Vec<Proposed> {
    let places_of = |sides: &Sides| sides.iter().map(|side| side.len() - 1).sum::<usize>();
    let (mut boxes, mut taken) = (Vec::new(), 0);
    while let Some(sides) =
        waiting.next_if(|sides| taken == 0 || taken + places_of(sides) <= places)
    {
        taken += places_of(&sides).max(1);
        boxes.push(everywhere(sides));
    }
    boxes
}

/// Returns the boxes of the maximum levels.
fn roots(attributes: &[QuasiIdentifier], caps: &Scheme) -> Result<Vec<Vec<Range<u32>>>, Error> {
    let sides = attributes.iter().zip(caps.levels()).map(|(a, &cap)| {
        let codes = 0..a.hierarchy.len(cap) as u32;
        codes.map(|code| a.hierarchy.leaves(code, cap)).collect::<Vec<_>>()
    });
    let mut boxes: Vec<Vec<Range<u32>>> = vec![Vec::new()];
    for sides in sides {
        if boxes.len() * sides.len() > MOST_ROOTS {
            let what = "there are too many boxes under these maximum levels";
            return Err(Error::unsupported(what, "raise the maximum levels"));
        }
        let longer = |one: &Vec<Range<u32>>| {
            let one = one.clone();
            sides.iter().map(move |side| [&one[..], std::slice::from_ref(side)].concat())
        };
        boxes = boxes.iter().flat_map(longer).collect();
    }
    Ok(boxes)
}

/// A box with every place where it can be split.
fn everywhere(sides: Vec<Range<u32>>) -> Proposed {
    let places = sides.iter().enumerate();
    let splits = places.flat_map(|(a, side)| (side.start + 1..side.end).map(move |code| (a, code)));
    Proposed { splits: splits.collect(), sides }
}

/// A counted box, with its records along each attribute.
struct Along<'a> {
    sides: &'a [Range<u32>],
    counted: &'a CountedBox,
    attributes: &'a [QuasiIdentifier],
    /// By attribute, the position of its first split.
    starts: Vec<usize>,
}

/// A place to split a box: the attribute, and the position among its splits.
type Place = (usize, usize);

impl<'a> Along<'a> {
    fn new(
        proposed: &'a Proposed,
        counted: &'a CountedBox,
        attributes: &'a [QuasiIdentifier],
    ) -> Self {
        let mut next = 0;
        let start = |side: &Range<u32>| {
            next += side.len() - 1;
            next - (side.len() - 1)
        };
        let starts = proposed.sides.iter().map(start).collect();
        Self { sides: &proposed.sides, counted, attributes, starts }
    }

    /// The records below each place of an attribute, from none to all of them.
    fn below(&self, attribute: usize) -> Vec<u64> {
        let start = self.starts[attribute];
        let lower = &self.counted.lower[start..start + self.sides[attribute].len() - 1];
        let inner = lower.iter().map(|count| count.records);
        [0].into_iter().chain(inner).chain([self.counted.all.records]).collect()
    }

    /// Which values of the side occur.
    fn occurring(&self, attribute: usize) -> Vec<usize> {
        let below = self.below(attribute);
        (0..below.len() - 1).filter(|&i| below[i] < below[i + 1]).collect()
    }

    /// How many values occur, relative to all.
    fn width(&self, attribute: usize) -> f64 {
        let all = self.attributes[attribute].hierarchy.len(Level::RECORDED);
        (self.occurring(attribute).len().max(1) - 1) as f64 / (all.max(2) - 1) as f64
    }

    /// The places on both sides of an attribute's median value, the most even split first.
    fn medians(&self, attribute: usize) -> Vec<Place> {
        let (below, all) = (self.below(attribute), self.counted.all.records);
        let median = (1..below.len()).find(|&i| 2 * below[i] >= all).unwrap_or(1) - 1;
        let mut places: Vec<usize> = vec![median, median + 1];
        places.retain(|&place| 0 < below[place] && below[place] < all);
        places.sort_by_key(|&place| (2 * below[place]).abs_diff(all));
        places.into_iter().map(|place| (attribute, place)).collect()
    }

    /// The places to try, from the widest attribute on.
    fn places(&self) -> Vec<Place> {
        let widths = (0..self.sides.len()).map(|a| (self.width(a), a));
        let mut widths: Vec<(f64, usize)> = widths.filter(|(width, _)| *width > 0.0).collect();
        widths.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        widths.into_iter().flat_map(|(_, attribute)| self.medians(attribute)).collect()
    }

    /// The counts on both sides of a place.
    fn counts(&self, (attribute, place): Place) -> [BoxCount; 2] {
        let lower = &self.counted.lower[self.starts[attribute] + place - 1];
        [lower.clone(), self.counted.all.without(lower)]
    }

    /// The boxes on both sides of a place. The upper one begins with a value that occurs in it.
    fn halves(&self, (attribute, place): Place) -> [Vec<Range<u32>>; 2] {
        let side = &self.sides[attribute];
        let begins = self.occurring(attribute).into_iter().find(|&value| value >= place);
        let middle = side.start + begins.unwrap_or(place) as u32;
        [side.start..middle, middle..side.end].map(|part| {
            let mut sides = self.sides.to_vec();
            sides[attribute] = part;
            sides
        })
    }

    /// The box as it is.
    fn whole(&self) -> ScannedBox {
        let tight = |attribute: usize| {
            let (side, occurring) = (&self.sides[attribute], self.occurring(attribute));
            match (occurring.first(), occurring.last()) {
                (Some(&first), Some(&last)) => {
                    side.start + first as u32..side.start + last as u32 + 1
                }
                _ => side.clone(),
            }
        };
        let tight = (0..self.sides.len()).map(tight).collect();
        ScannedBox { sides: self.sides.to_vec(), tight }
    }
}

impl ScannedBoxes {
    /// Returns the halves of a box at the first place where both pass.
    fn split(
        &mut self,
        along: &Along<'_>,
        passes: &dyn Fn(&BoxCount) -> bool,
    ) -> Option<[Vec<Range<u32>>; 2]> {
        let place = along.places().into_iter().find(|&place| {
            self.evaluated += 1;
            along.counts(place).iter().all(passes)
        })?;
        Some(along.halves(place))
    }
}

//! Estimates the cost of annotating a lattice from a few schemes of every height.
//!
//! Schemes of one height have about the same number of groups. So a few schemes of each height are
//! drawn, their cells and histograms computed, and the means multiplied by the number of schemes. A
//! quicker guess climbs a few random paths from the base to the top, and assumes that a scheme of
//! each height has as many cells as those on the paths.

use haggle_model::{Level, Scheme, Space};

use crate::counts::climb::climbed;
use crate::counts::cube::{Cells, Marginal, any_width};
use crate::lattices::annotate::Observe;
use crate::lattices::histogram::Histograms;
use crate::lattices::tally::Tallies;
use crate::{Cube, Statistic};

/// How many schemes of each height are annotated.
const OF_EACH: usize = 5;
/// How many paths are climbed for a quick guess.
const PATHS: usize = 2;
/// A fixed seed: the draw is the same for the same lattice.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The expected cost of annotating every scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number of schemes; exact, unless it exceeds the precision of the type.
    pub schemes: f64,
    /// The cells that roll-ups will read.
    pub touches: f64,
    /// The bytes of the histograms in memory.
    pub bytes: f64,
    /// The bytes of the lattice file.
    pub file_bytes: f64,
    /// How many schemes were annotated for the estimate.
    pub looked_at: usize,
}

impl Cube {
    /// Guesses how many cells roll-ups read to annotate every scheme, over all watched attributes:
    /// in a fraction of the time that annotating takes, and usually within a factor of two.
    ///
    /// ```
    /// # use haggle_cube::{Counter, Cube, CountedPart};
    /// # use haggle_model::{Hierarchy, QuasiIdentifier};
    /// # let sex = QuasiIdentifier { name: "sex".into(), hierarchy: Hierarchy::flat(["f", "m"]) };
    /// # let mut counter = Counter::new(1, 0);
    /// # [0, 1, 1].into_iter().for_each(|code| counter.add(&[code]));
    /// # let cube = Cube::from_parts(vec![sex], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1]] }]);
    /// assert_eq!(cube.guess_touches(), 2.0); // the two groups, read once for the scheme above
    /// ```
    pub fn guess_touches(&self) -> f64 {
        let heights = Heights::of(&self.space());
        let mut random = Random(SEED);
        let paths: Vec<Vec<usize>> = (0..PATHS).map(|_| self.path_cells(&mut random)).collect();
        let mean = |height: usize| {
            paths.iter().map(|path| path[height] as f64).sum::<f64>() / paths.len() as f64
        };
        let top = self.space().top().height();
        let touches: f64 =
            (1..=top).map(|height| heights.schemes(height) * mean(height as usize - 1)).sum();
        let others = self.cells() as f64 / self.marginals[0].cells.len().max(1) as f64;
        touches * others
    }

    /// Returns the number of cells of the schemes on a random path from the base to the top, by
    /// height.
    fn path_cells(&self, random: &mut Random) -> Vec<usize> {
        let Marginal { layout, cells } = &self.marginals[0];
        let (hierarchies, top) = (self.hierarchies(), self.space().top().clone());
        let mut at = self.space().bottom();
        let mut counts = vec![cells.len()];
        let mut here: Option<Cells> = None;
        while at != top {
            let left = |i: usize| top.level(i).index() - at.level(i).index();
            let all: usize = (0..top.levels().len()).map(left).sum();
            let mut draw = random.below(all as f64) as usize;
            let mut position = 0;
            while draw >= left(position) {
                draw -= left(position);
                position += 1;
            }
            let next = at.with(position, at.level(position).up());
            let from = here.as_ref().unwrap_or(cells);
            here = Some(climbed(from, layout, &hierarchies, &at, &next));
            at = next;
            counts.push(here.as_ref().map_or(0, Cells::len));
        }
        counts
    }

    /// Estimates the cost of annotating every scheme with these statistics.
    pub fn estimate(&self, statistics: &[&dyn Statistic]) -> Estimate {
        let space = self.space();
        let heights = Heights::of(&space);
        let mut random = Random(SEED);
        let file = postcard::to_stdvec(self).map_or(0, |bytes| bytes.len()) as f64;
        let mut sum =
            Estimate { schemes: 0.0, touches: 0.0, bytes: 0.0, file_bytes: file, looked_at: 0 };
        for height in 0..=space.top().height() {
            let all = heights.schemes(height);
            let drawn = heights.draw(height, all, &mut random);
            let seen = drawn.iter().map(|scheme| self.look(scheme, statistics));
            let seen = seen.fold(SchemeCost::default(), SchemeCost::plus);
            let each = all / drawn.len() as f64;
            sum.schemes += all;
            sum.touches += each * seen.touches;
            sum.bytes += each * seen.bytes;
            sum.file_bytes += each * seen.file_bytes;
            sum.looked_at += drawn.len();
        }
        sum
    }

    /// Computes the cost of one scheme, over all watched attributes that the statistics need.
    fn look(&self, scheme: &Scheme, statistics: &[&dyn Statistic]) -> SchemeCost {
        let mut look = SchemeCost::default();
        for (watched, marginal) in self.marginals.iter().enumerate() {
            let watches = |s: &&&dyn Statistic| s.column().watches.unwrap_or(0) == watched;
            let mine: Vec<&dyn Statistic> = statistics.iter().filter(watches).copied().collect();
            if !mine.is_empty() {
                look = look.plus(self.look_at(scheme, marginal, &mine));
            }
        }
        look
    }

    fn look_at(&self, scheme: &Scheme, marginal: &Marginal, mine: &[&dyn Statistic]) -> SchemeCost {
        let Marginal { layout, cells: base } = marginal;
        let (hierarchies, bottom) = (self.hierarchies(), self.space().bottom());
        let lower = self.lower(scheme, marginal);
        let (from, cells) = lower.as_ref().map_or((&bottom, base), |(from, cells)| (from, cells));
        let here = climbed(cells, layout, &hierarchies, from, scheme);
        let tallies = Tallies { statistics: mine, rows: false };
        let seen = any_width!(&here, here => {
            tallies.see(scheme, here, layout, &mut tallies.scratch())
        });
        let kept = mine.iter().zip(&seen.histograms).map(|(statistic, tallied)| {
            let mut one = Histograms::new(statistic.column().comparison, self.records());
            one.push(tallied);
            let file = postcard::to_stdvec(&one).map_or(0, |bytes| bytes.len());
            (one.bytes() as f64, file as f64)
        });
        let (bytes, file_bytes) = kept.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        SchemeCost {
            touches: lower.map_or(0.0, |(_, cells)| cells.len() as f64),
            bytes,
            file_bytes,
        }
    }

    /// Returns the cells of the lower neighbour with the fewest, from which a scheme is rolled up;
    /// none for the lowest scheme. All neighbours are reached from a scheme below them all, which
    /// takes one climb from the base.
    fn lower(
        &self,
        scheme: &Scheme,
        Marginal { layout, cells }: &Marginal,
    ) -> Option<(Scheme, Cells)> {
        let (hierarchies, bottom) = (self.hierarchies(), self.space().bottom());
        let below = |level: &Level| u8::from(*level).saturating_sub(1);
        let lowest = Scheme::new(scheme.levels().iter().map(below));
        let common = climbed(cells, layout, &hierarchies, &bottom, &lowest);
        let raised = scheme.levels().iter().enumerate().filter(|(_, level)| level.index() > 0);
        let neighbours = raised.map(|(position, level)| {
            let lower = scheme.with(position, below(level).into());
            let cells = climbed(&common, layout, &hierarchies, &lowest, &lower);
            (lower, cells)
        });
        neighbours.min_by_key(|(_, cells)| cells.len())
    }
}

/// The cost of some schemes.
#[derive(Clone, Copy, Default)]
struct SchemeCost {
    touches: f64,
    bytes: f64,
    file_bytes: f64,
}

impl SchemeCost {
    fn plus(self, other: Self) -> Self {
        Self {
            touches: self.touches + other.touches,
            bytes: self.bytes + other.bytes,
            file_bytes: self.file_bytes + other.file_bytes,
        }
    }
}

/// How many schemes each height has, for any number of schemes.
struct Heights {
    /// By attribute and height: in how many ways the attributes from there on can add up to it.
    ways: Vec<Vec<f64>>,
    tops: Vec<usize>,
}

impl Heights {
    fn of(space: &Space) -> Self {
        let tops: Vec<usize> = space.top().levels().iter().map(|top| top.index()).collect();
        let sum = space.top().height() as usize;
        let mut ways = vec![vec![0.0; sum + 1]; tops.len() + 1];
        ways[tops.len()][0] = 1.0;
        for (i, &top) in tops.iter().enumerate().rev() {
            for height in 0..=sum {
                let least = height.saturating_sub(top);
                ways[i][height] = (least..=height).map(|rest| ways[i + 1][rest]).sum();
            }
        }
        Self { ways, tops }
    }

    fn schemes(&self, height: u32) -> f64 {
        self.ways[0][height as usize]
    }

    /// Draws some schemes of a height: all of them if they are few, else uniformly at random.
    fn draw(&self, height: u32, all: f64, random: &mut Random) -> Vec<Scheme> {
        if all <= OF_EACH as f64 {
            return Space::new(Scheme::new(self.tops.iter().map(|&top| top as u8)))
                .all()
                .at_height(height)
                .collect();
        }
        (0..OF_EACH).map(|_| self.one(height as usize, random)).collect()
    }

    fn one(&self, mut rest: usize, random: &mut Random) -> Scheme {
        let level = |(i, &top): (usize, &usize)| {
            let mut place = random.below(self.ways[i][rest]);
            let highest = top.min(rest);
            for level in 0..highest {
                let ways = self.ways[i + 1][rest - level];
                if place < ways {
                    rest -= level;
                    return level as u8;
                }
                place -= ways;
            }
            rest -= highest;
            highest as u8
        };
        Scheme::new(self.tops.iter().enumerate().map(level).collect::<Vec<u8>>())
    }
}

/// A small random number generator (xorshift).
struct Random(u64);

impl Random {
    /// Returns a random number from 0 up to this one.
    fn below(&mut self, limit: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * limit
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn heights_are_counted_and_drawn_from_correctly() {
        let space = Space::new(Scheme::new([4, 0, 2, 3]));
        let (heights, mut random) = (Heights::of(&space), Random(SEED));
        for height in 0..=space.top().height() {
            let all: Vec<Scheme> = space.all().at_height(height).collect();
            assert_eq!(heights.schemes(height) as usize, all.len());
            let drawn: BTreeSet<Scheme> =
                (0..500).map(|_| heights.one(height as usize, &mut random)).collect();
            assert_eq!(drawn.into_iter().collect::<Vec<_>>(), all, "all of them, and no others");
        }
    }
}

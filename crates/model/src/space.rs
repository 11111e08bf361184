//! The order of the lattice: all schemes, their positions, and walks through a part of them by
//! height.

use std::ops::{ControlFlow, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::{Hierarchy, Level, Scheme};

/// Every scheme over a list of hierarchies, ordered level by level.
///
/// A scheme's index is its mixed-radix number, the last quasi-identifier varying fastest, so
/// schemes in index order are in the order of their levels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    top: Scheme,
    /// Where parts of the space start, if not at the bottom.
    start: Option<Scheme>,
}

impl Space {
    /// The space over these hierarchies.
    pub fn of<'a>(hierarchies: impl IntoIterator<Item = &'a Hierarchy>) -> Self {
        Self::new(Scheme::new(hierarchies.into_iter().map(|h| h.top().into())))
    }

    /// The space whose most general scheme is this one.
    pub fn new(top: Scheme) -> Self {
        Self { top, start: None }
    }

    /// Restricts [`all`](Self::all) and [`under`](Self::under) to the schemes from this one
    /// upwards.
    ///
    /// ```
    /// use haggle_model::{Scheme, Space};
    /// let space = Space::new(Scheme::new([4, 2])).starting_at(Scheme::new([3, 1]));
    /// let there: Vec<Scheme> = space.all().at_height(5).collect();
    /// assert_eq!(there, [Scheme::new([3, 2]), Scheme::new([4, 1])]);
    /// assert_eq!(space.index(&Scheme::new([1, 0])), 3, "positions count all schemes");
    /// ```
    #[must_use]
    pub fn starting_at(self, start: Scheme) -> Self {
        Self { start: Some(start), ..self }
    }

    /// The most detailed scheme of [`all`](Self::all).
    pub fn start(&self) -> Scheme {
        self.start.clone().unwrap_or_else(|| self.bottom())
    }

    /// The most general scheme.
    pub fn top(&self) -> &Scheme {
        &self.top
    }

    /// The most detailed scheme: every value as recorded.
    pub fn bottom(&self) -> Scheme {
        Scheme::new(self.top.levels().iter().map(|_| 0))
    }

    /// How many quasi-identifiers there are.
    pub fn attributes(&self) -> usize {
        self.top.levels().len()
    }

    /// How many schemes there are, if that fits the machine's word.
    pub fn size(&self) -> Option<usize> {
        self.top.levels().iter().try_fold(1_usize, |n, top| n.checked_mul(top.index() + 1))
    }

    /// Whether the scheme has as many levels as there are attributes, none above its top.
    pub fn contains(&self, scheme: &Scheme) -> bool {
        scheme.levels().len() == self.attributes() && scheme.is_under(&self.top)
    }

    /// The position of a scheme of this space among all schemes.
    ///
    /// ```
    /// use haggle_model::{Scheme, Space};
    /// let space = Space::new(Scheme::new([4, 2, 3]));
    /// assert_eq!(space.index(&Scheme::new([1, 0, 1])), 13);
    /// ```
    #[inline]
    pub fn index(&self, scheme: &Scheme) -> usize {
        let levels = scheme.levels().iter().zip(self.top.levels());
        levels.fold(0, |index, (level, top)| index * (top.index() + 1) + level.index())
    }

    /// Returns the scheme at a position.
    pub fn scheme(&self, mut index: usize) -> Scheme {
        let mut scheme = self.bottom();
        for (i, top) in self.top.levels().iter().enumerate().rev() {
            let radix = top.index() + 1;
            scheme.set(i, Level::from((index % radix) as u8));
            index /= radix;
        }
        scheme
    }

    /// By how much the index grows when the attribute at each position climbs one level.
    pub fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.attributes()];
        for i in (1..self.attributes()).rev() {
            strides[i - 1] = strides[i] * (self.top.level(i).index() + 1);
        }
        strides
    }

    /// All schemes, those below the start as well.
    pub fn whole(&self) -> Sublattice {
        Sublattice { low: self.bottom(), high: self.top.clone() }
    }

    /// All schemes from the start upwards, as a part of itself.
    pub fn all(&self) -> Sublattice {
        Sublattice { low: self.start(), high: self.top.clone() }
    }

    /// The schemes from the start upwards that are under the given maximum levels.
    pub fn under(&self, caps: &Scheme) -> Sublattice {
        Sublattice { low: self.start(), high: caps.clone() }
    }
}

/// The schemes between two schemes, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sublattice {
    low: Scheme,
    high: Scheme,
}

impl Sublattice {
    /// The most general scheme of the part.
    pub fn high(&self) -> &Scheme {
        &self.high
    }

    /// The most detailed scheme of the part.
    pub fn low(&self) -> &Scheme {
        &self.low
    }

    /// Returns all heights that occur.
    pub fn heights(&self) -> RangeInclusive<u32> {
        self.low.height()..=self.high.height()
    }

    /// Returns the part in which one attribute has exactly this level.
    pub fn fixed(&self, position: usize, level: Level) -> Self {
        Self { low: self.low.with(position, level), high: self.high.with(position, level) }
    }

    /// Returns the part without the schemes that are lower than this one in some attribute.
    ///
    /// ```
    /// use haggle_model::{Scheme, Space};
    ///
    /// let part = Space::new(Scheme::new([2, 2])).all().above(&Scheme::new([1, 0]));
    /// let lowest: Vec<Scheme> = part.at_height(2).collect();
    /// assert_eq!(lowest, [Scheme::new([1, 1]), Scheme::new([2, 0])]);
    /// ```
    #[must_use]
    pub fn above(&self, low: &Scheme) -> Self {
        let levels = self.low.levels().iter().zip(low.levels());
        let low = Scheme::new(levels.map(|(&one, &other)| one.max(other).into()));
        Self { low, high: self.high.clone() }
    }

    /// Calls `visit` with every scheme of a height, in the order of levels, until it breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use haggle_model::{Scheme, Space};
    ///
    /// let mut seen = Vec::new();
    /// let part = Space::new(Scheme::new([4, 2, 3])).under(&Scheme::new([2, 1, 1]));
    /// let _ = part.visit_height(2, &mut |scheme| {
    ///     seen.push(scheme.to_string());
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(seen, ["[0,1,1]", "[1,0,1]", "[1,1,0]", "[2,0,0]"]);
    /// ```
    pub fn visit_height<B>(
        &self,
        height: u32,
        visit: &mut impl FnMut(&Scheme) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(mut walk) = HeightWalk::new(self, height) else {
            return ControlFlow::Continue(());
        };
        loop {
            visit(&walk.scheme)?;
            if !walk.advance() {
                return ControlFlow::Continue(());
            }
        }
    }

    /// The schemes of a height, in the order of levels, each when it is asked for: a wide table has
    /// more of them than any memory holds.
    pub fn at_height(&self, height: u32) -> SchemesAtHeight {
        SchemesAtHeight(HeightWalk::new(self, height))
    }
}

/// The schemes of one height, in the order of levels.
#[derive(Debug, Clone)]
pub struct SchemesAtHeight(Option<HeightWalk>);

impl Iterator for SchemesAtHeight {
    type Item = Scheme;

    fn next(&mut self) -> Option<Scheme> {
        let walk = self.0.as_mut()?;
        let scheme = walk.scheme.clone();
        if !walk.advance() {
            self.0 = None;
        }
        Some(scheme)
    }
}

/// A scheme of a part, and what the attributes after each position add to its height.
#[derive(Debug, Clone)]
struct HeightWalk {
    part: Sublattice,
    scheme: Scheme,
    least_after: Vec<u32>,
    most_after: Vec<u32>,
}

impl HeightWalk {
    /// Starts at the first scheme of a height, if there is one.
    fn new(part: &Sublattice, height: u32) -> Option<Self> {
        let after = |scheme: &Scheme| {
            let mut sums = vec![0; scheme.levels().len()];
            for i in (1..sums.len()).rev() {
                sums[i - 1] = sums[i] + number(scheme.level(i));
            }
            sums
        };
        let mut walk = Self {
            scheme: part.low.clone(),
            least_after: after(&part.low),
            most_after: after(&part.high),
            part: part.clone(),
        };
        let exists = part.low.is_under(&part.high) && part.heights().contains(&height);
        exists.then(|| {
            walk.fill(0, height);
            walk
        })
    }

    /// Gives the attributes from a position on the first levels that add up to `rest`.
    fn fill(&mut self, from: usize, mut rest: u32) {
        for position in from..self.most_after.len() {
            let low = number(self.part.low.level(position));
            let level = low.max(rest.saturating_sub(self.most_after[position]));
            self.scheme.set(position, Level::from(level as u8));
            rest -= level;
        }
    }

    /// Moves on to the next scheme; returns whether there is one.
    fn advance(&mut self) -> bool {
        let mut after = 0;
        for position in (0..self.most_after.len()).rev() {
            let level = self.scheme.level(position);
            if level < self.part.high.level(position) && after > self.least_after[position] {
                self.scheme.set(position, level.up());
                self.fill(position + 1, after - 1);
                return true;
            }
            after += number(level);
        }
        false
    }
}

/// A level as a part of a height.
fn number(level: Level) -> u32 {
    u8::from(level).into()
}

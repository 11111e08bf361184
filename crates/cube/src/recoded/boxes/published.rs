//! What is published of the boxes that a strategy found: cuts between them, or recorded values.
//!
//! A strategy splits the domain into boxes whose sides meet. Published as tight as its records, a
//! box would name its smallest and largest recorded values, which often only one person has. By
//! default a side of numbers or dates ends at a cut: where boxes meet, at a round place between the
//! values on both sides ([`Axis::cut`]). Of all cuts of the attribute those around the records of
//! the box are taken; the outermost sides are open, or end where the maximum level's value does.
//! Sides of other values list those that published records have. All of it follows from the records
//! that are published: those of failing boxes are not looked at.

use std::ops::Range;

use haggle_model::{
    Axis, Hierarchy, Interval, Level, QuasiIdentifier, Recoding, Region, Scheme, list_label,
};

use crate::{Applied, Base};

/// What the ends of published boxes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BoxEnds {
    /// Cuts between neighbouring boxes.
    #[default]
    Cuts,
    /// The smallest and largest recorded values.
    Tight,
}

/// A box as a strategy found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBox {
    /// Its base groups.
    pub rows: Vec<u32>,
    /// Its side in each attribute, which meets the sides of its neighbours.
    pub sides: Vec<Range<u32>>,
    /// Its side in each attribute where ends are recorded values.
    pub tight: Vec<Range<u32>>,
    /// Whether it passes; else its records are suppressed.
    pub passes: bool,
}

/// Returns boxes under the maximum levels as a recoding. Every base group is in one of them.
pub fn published_boxes(
    attributes: &[QuasiIdentifier],
    base: &Base,
    caps: &Scheme,
    boxes: &[FoundBox],
    ends: BoxEnds,
) -> (Recoding, Applied) {
    let is_tight = ends == BoxEnds::Tight;
    // Where nothing is published, boxes stay apart all the same.
    let sides = if is_tight || !boxes.iter().any(FoundBox::is_published) {
        tight_sides(attributes, boxes)
    } else {
        cut_sides(attributes, base, caps, boxes)
    };
    let mut box_of = vec![0; base.len()];
    for (i, one) in boxes.iter().enumerate() {
        for &row in &one.rows {
            box_of[row as usize] = i;
        }
    }
    let applied = Applied::boxes(attributes, base, |row| &sides[box_of[row]]);
    // Suppressed records lie in no box.
    let is_box = |part: usize| {
        is_tight || applied.len() == 1 || !applied.is_fully_generalized(part, attributes)
    };
    let spans = applied.spans(attributes).into_iter().enumerate();
    let boxes = spans.filter(|(part, _)| is_box(*part)).map(|(_, sides)| sides).collect();
    (Recoding::Boxes { boxes, tight: is_tight }, applied)
}

impl FoundBox {
    fn is_published(&self) -> bool {
        self.passes && !self.rows.is_empty()
    }

    /// Returns the codes of an attribute that its records have, in ascending order.
    fn codes(&self, base: &Base, attribute: usize) -> Vec<u32> {
        let codes = self.rows.iter().map(|&row| base.codes(row as usize)[attribute]);
        let mut codes: Vec<u32> = codes.collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}

fn tight_sides(attributes: &[QuasiIdentifier], boxes: &[FoundBox]) -> Vec<Vec<Region>> {
    let side =
        |(side, a): (&Range<u32>, &QuasiIdentifier)| Region::around(&a.hierarchy, side.clone());
    boxes.iter().map(|one| one.tight.iter().zip(attributes).map(side).collect()).collect()
}

/// Returns the sides of boxes that end at cuts; those of suppressed boxes are all values.
fn cut_sides(
    attributes: &[QuasiIdentifier],
    base: &Base,
    caps: &Scheme,
    boxes: &[FoundBox],
) -> Vec<Vec<Region>> {
    let published = || boxes.iter().filter(|one| one.is_published());
    let crowd = published().map(|one| base.size(&one.rows)).min().unwrap_or(0).max(2);
    let rows: Vec<u32> = published().flat_map(|one| &one.rows).copied().collect();
    let values = |i: usize| {
        let hierarchy = &attributes[i].hierarchy;
        let mut records = vec![0; hierarchy.len(Level::RECORDED)];
        add_sizes(base, i, &rows, &mut records);
        let sides = published().map(|one| &one.sides[i]);
        SideValues::new(hierarchy, caps.level(i), &records, crowd).met_by(sides)
    };
    let values: Vec<SideValues<'_>> = (0..attributes.len()).map(values).collect();
    let whole: Vec<Region> = attributes.iter().map(|a| Region::whole(&a.hierarchy)).collect();
    let sides = |one: &FoundBox| -> Vec<Region> {
        if !one.is_published() {
            return whole.clone();
        }
        let is_crowd = base.size(&one.rows) >= crowd;
        let side =
            |(i, values): (usize, &SideValues<'_>)| values.region(&one.codes(base, i), is_crowd);
        values.iter().enumerate().map(side).collect()
    };
    boxes.iter().map(sides).collect()
}

/// Adds how many records of some groups have each recorded value of an attribute, or how many persons
/// where these are counted: many records of one person are no crowd.
fn add_sizes(base: &Base, attribute: usize, rows: &[u32], sizes: &mut [u64]) {
    let code = |row: u32| base.codes(row as usize)[attribute];
    if !base.counts_persons() {
        for &row in rows {
            sizes[code(row) as usize] += base.records(row as usize);
        }
        return;
    }
    let mut rows = rows.to_vec();
    rows.sort_unstable_by_key(|&row| code(row));
    for alike in rows.chunk_by(|&one, &other| code(one) == code(other)) {
        sizes[code(alike[0]) as usize] = base.size(alike);
    }
}

/// The values of an attribute that published records have, and the cuts between them.
struct SideValues<'h> {
    hierarchy: &'h Hierarchy,
    /// No side reaches beyond a value of this level.
    cap: Level,
    /// In ascending order.
    codes: Vec<u32>,
    line: Option<CutLine>,
}

/// The published values that are numbers or dates.
struct CutLine {
    axis: Axis,
    /// Their positions among the published values.
    run: Range<usize>,
    /// The cut before each of them but the first.
    cuts: Vec<f64>,
    /// The positions at which a side of a box begins or ends, in ascending order.
    met: Vec<usize>,
}

impl CutLine {
    fn cut(&self, position: usize) -> Option<f64> {
        let is_between = self.run.start < position && position < self.run.end;
        is_between.then(|| self.cuts[position - self.run.start - 1])
    }

    /// Returns the smallest range around some positions that begins and ends where boxes meet.
    fn around(&self, positions: &Range<usize>) -> Range<usize> {
        let before = self.met.partition_point(|&met| met <= positions.start);
        let after = self.met.partition_point(|&met| met < positions.end);
        self.met[before - 1]..self.met[after]
    }
}

impl<'h> SideValues<'h> {
    /// `counts` has the published records, or persons, of every code. A value that fewer than `crowd`
    /// of them have is no end.
    fn new(hierarchy: &'h Hierarchy, cap: Level, counts: &[u64], crowd: u64) -> Self {
        let codes: Vec<u32> =
            (0..counts.len() as u32).filter(|&code| counts[code as usize] > 0).collect();
        let line = Axis::over(hierarchy, &codes).map(|axis| {
            let has_place = |code: &u32| axis.place(*code).is_some();
            let start = codes.iter().position(has_place).unwrap_or(0);
            let end = start + codes[start..].iter().take_while(|code| has_place(code)).count();
            let is_rare = |code: &&u32| counts[**code as usize] < crowd;
            let rare: Vec<f64> =
                codes.iter().filter(is_rare).filter_map(|&code| axis.place(code)).collect();
            let cut = |pair: &[u32]| cut_between(hierarchy, &axis, pair[0], pair[1], &rare);
            let cuts = codes[start..end].windows(2).map(cut).collect();
            CutLine { run: start..end, cuts, met: vec![start, end], axis }
        });
        Self { hierarchy, cap, codes, line }
    }

    /// Adds the places where these sides of boxes begin and end.
    fn met_by<'s>(mut self, sides: impl Iterator<Item = &'s Range<u32>>) -> Self {
        let Some(mut line) = self.line.take() else { return self };
        let positions = sides.flat_map(|side| [side.start, side.end]).map(|at| self.position(at));
        line.met.extend(positions.map(|at| at.clamp(line.run.start, line.run.end)));
        line.met.sort_unstable();
        line.met.dedup();
        Self { line: Some(line), ..self }
    }

    /// Returns the position of the first published value from a code on.
    fn position(&self, code: u32) -> usize {
        self.codes.partition_point(|&published| published < code)
    }

    /// Returns the positions of the published values of a range.
    fn positions(&self, leaves: &Range<u32>) -> Range<usize> {
        self.position(leaves.start)..self.position(leaves.end)
    }

    /// Returns what is published of a box, given the codes that its records have, and whether these
    /// records are a crowd.
    fn region(&self, own: &[u32], is_crowd: bool) -> Region {
        let (first, last) = (own[0], own[own.len() - 1]);
        let has_place = |line: &&CutLine| own.iter().any(|&code| line.axis.place(code).is_some());
        let line = self.line.as_ref().filter(has_place);
        if own.len() == 1 && (is_crowd || line.is_none()) {
            let region = Region::node(self.hierarchy, first, Level::RECORDED);
            let label = list_label([&*region.label]);
            let is_clear = self.is_clear(first, Level::RECORDED);
            return if is_clear { region } else { self.labelled(region.leaves, &label) };
        }
        // Missing values that match nothing have no neighbours.
        if last >= self.hierarchy.matched(Level::RECORDED) as u32 {
            return Region::whole(self.hierarchy);
        }
        match line {
            None => self.listed(first..last + 1),
            Some(line) => self.interval(line, own),
        }
    }

    /// Returns the value of the hierarchy that has exactly these published values below it, if it
    /// is not a recorded one.
    fn node(&self, leaves: &Range<u32>, published: usize) -> Option<Region> {
        let (code, level) = self.hierarchy.above(leaves);
        let below = self.positions(&self.hierarchy.leaves(code, level)).len();
        (level > Level::RECORDED && below == published && self.is_clear(code, level))
            .then(|| Region::node(self.hierarchy, code, level))
    }

    /// Returns whether a label means the same values on whatever level it stands: a box has no level
    /// that would say which are meant. Numbers are read as such.
    fn is_clear(&self, code: u32, level: Level) -> bool {
        let label = self.hierarchy.label(code, level);
        self.line.is_some() || level == self.hierarchy.top() || !self.hierarchy.is_ambiguous(label)
    }

    /// Returns the region of values that are no numbers: the published ones are listed.
    fn listed(&self, leaves: Range<u32>) -> Region {
        let positions = self.positions(&leaves);
        self.node(&leaves, positions.len()).unwrap_or_else(|| {
            let label = list_label(self.most_general(&positions));
            self.labelled(leaves, &label)
        })
    }

    fn labelled(&self, leaves: Range<u32>, label: &str) -> Region {
        let level = self.hierarchy.above(&leaves).1;
        Region { leaves, level, label: label.into() }
    }

    /// Returns the most general values that together have these published values below them.
    fn most_general(&self, positions: &Range<usize>) -> Vec<&'h str> {
        let mut labels = Vec::new();
        let mut next = positions.start;
        while next < positions.end {
            let code = self.codes[next];
            let levels = (1..=u8::from(self.hierarchy.top())).rev().map(Level::from);
            let mut nodes = levels.map(|level| {
                let node = self.hierarchy.ancestor(code, level);
                (node, level, self.positions(&self.hierarchy.leaves(node, level)))
            });
            let fits = |&(node, level, ref below): &(u32, Level, Range<usize>)| {
                let is_inside = below.start == next && below.end <= positions.end;
                is_inside && below.len() > 1 && self.is_clear(node, level)
            };
            let node = nodes.find(fits);
            let (node, level, below) = node.unwrap_or((code, Level::RECORDED, next..next + 1));
            labels.push(self.hierarchy.label(node, level));
            next = below.end;
        }
        labels
    }

    /// Returns the region of numbers or dates up to the cuts around those of a box, with the other
    /// values that its records have.
    fn interval(&self, line: &CutLine, own: &[u32]) -> Region {
        let (placed, others): (Vec<u32>, Vec<u32>) =
            own.iter().copied().partition(|&code| line.axis.place(code).is_some());
        let positions = line.around(&self.positions(&(placed[0]..placed[placed.len() - 1] + 1)));
        let (first, last) = (self.codes[positions.start], self.codes[positions.end - 1]);
        let lowest = others.first().map_or(first, |&other| other.min(first));
        let highest = others.last().map_or(last, |&other| other.max(last));
        let published = positions.len() + others.len();
        if let Some(region) = self.node(&(lowest..highest + 1), published) {
            return region;
        }
        let container = self.hierarchy.leaves(self.hierarchy.ancestor(first, self.cap), self.cap);
        let (from, to) = self.ends(line, &positions);
        let leaves = widened(&line.axis, first..last + 1, &container, from, to);
        let label = line.axis.label(from, to);
        if others.is_empty() {
            return self.labelled(leaves, &label);
        }
        let other = |&code: &u32| self.hierarchy.label(code, Level::RECORDED);
        let (before, after) = others.split_at(others.partition_point(|&code| code < first));
        let parts: Vec<&str> =
            before.iter().map(other).chain([&*label]).chain(after.iter().map(other)).collect();
        let leaves = leaves.start.min(lowest)..leaves.end.max(highest + 1);
        self.labelled(leaves, &list_label(parts))
    }

    /// Returns the cuts around published values, none beyond what the value of the maximum level
    /// says, if that is an interval.
    fn ends(&self, line: &CutLine, positions: &Range<usize>) -> (Option<f64>, Option<f64>) {
        let node = self.hierarchy.ancestor(self.codes[positions.start], self.cap);
        let stated = Interval::parse(self.hierarchy.label(node, self.cap));
        let first = stated.and_then(|stated| stated.first_number());
        let next = stated.and_then(|stated| stated.next_number(line.axis.is_whole()));
        let from = line.cut(positions.start).into_iter().chain(first).reduce(f64::max);
        let to = line.cut(positions.end).into_iter().chain(next).reduce(f64::min);
        (from, to)
    }
}

/// Returns the cut between two neighbouring published values: where a value of the hierarchy begins,
/// the highest first; else a round place that is none of the rare ones.
fn cut_between(hierarchy: &Hierarchy, axis: &Axis, below: u32, above: u32, rare: &[f64]) -> f64 {
    let [low, high] = [below, above].map(|code| axis.place(code).unwrap_or_default());
    let levels = (1..=u8::from(hierarchy.top())).rev().map(Level::from);
    let mut bounds = levels.filter_map(|level| {
        let [lower, upper] = [below, above].map(|code| hierarchy.ancestor(code, level));
        let begins = Interval::parse(hierarchy.label(upper, level))?.first_number()?;
        (lower != upper && low < begins && begins <= high).then_some(begins)
    });
    let is_rare = |at: f64| rare.binary_search_by(|place| place.total_cmp(&at)).is_ok();
    bounds.next().unwrap_or_else(|| axis.cut(low, high, |at| !is_rare(at)))
}

/// Returns the codes up to the cuts around a range, within the codes that it may have: also values
/// that no published record has.
fn widened(
    axis: &Axis,
    mut leaves: Range<u32>,
    container: &Range<u32>,
    from: Option<f64>,
    to: Option<f64>,
) -> Range<u32> {
    let is_inside = |code: u32| {
        axis.place(code).is_some_and(|place| {
            from.is_none_or(|from| from <= place) && to.is_none_or(|to| place < to)
        })
    };
    while leaves.start > container.start && is_inside(leaves.start - 1) {
        leaves.start -= 1;
    }
    while leaves.end < container.end && is_inside(leaves.end) {
        leaves.end += 1;
    }
    leaves
}

//! Which of many boxes a record lies in, by few comparisons.

use std::ops::Range;

/// Boxes that do not overlap, to be found by a record's codes.
///
/// Boxes that came about by splitting can be told apart by splitting again: each step takes, of the cuts
/// that go through no box, the one that has as many boxes below as above. Boxes that no cut tells
/// apart are looked at one by one.
///
/// ```
/// use haggle_cube::BoxIndex;
///
/// let (lower, upper) = ([0..2, 0..5], [2..4, 0..5]);
/// let index = BoxIndex::of(vec![&lower, &upper]);
/// assert_eq!((index.find(&[1, 4]), index.find(&[2, 0]), index.find(&[4, 0])), (Some(0), Some(1), None));
/// ```
#[derive(Debug)]
pub struct BoxIndex<'b> {
    boxes: Vec<&'b [Range<u32>]>,
    /// What is below something stands behind it.
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    /// One of these, or none.
    One(Vec<usize>),
    /// Codes below the cut are at one place, the others at the next.
    Cut { attribute: usize, at: u32, below: usize },
}

impl<'b> BoxIndex<'b> {
    /// The index of these boxes, each given by its sides.
    pub fn of(boxes: Vec<&'b [Range<u32>]>) -> Self {
        let mut nodes = vec![Node::One((0..boxes.len()).collect())];
        let mut next = 0;
        while next < nodes.len() {
            if let Node::One(some) = &nodes[next]
                && let Some((attribute, at)) = cut(&boxes, some)
            {
                let (below, above) = some.iter().partition(|&&i| boxes[i][attribute].end <= at);
                nodes[next] = Node::Cut { attribute, at, below: nodes.len() };
                nodes.extend([Node::One(below), Node::One(above)]);
            }
            next += 1;
        }
        Self { boxes, nodes }
    }

    /// The box that holds these codes, by its position.
    pub fn find(&self, codes: &[u32]) -> Option<usize> {
        let mut node = 0;
        loop {
            match &self.nodes[node] {
                Node::Cut { attribute, at, below } => {
                    node = below + usize::from(codes[*attribute] >= *at);
                }
                Node::One(some) => {
                    let holds =
                        |&i: &usize| self.boxes[i].iter().zip(codes).all(|(s, c)| s.contains(c));
                    return some.iter().copied().find(holds);
                }
            }
        }
    }
}

/// The attribute and the code that have most evenly many boxes on either side and go through none.
fn cut(boxes: &[&[Range<u32>]], some: &[usize]) -> Option<(usize, u32)> {
    let attributes = some.first().map_or(0, |&first| boxes[first].len());
    let cuts = (0..attributes).filter_map(|attribute| {
        let (even, at) = evenest(some.iter().map(|&i| &boxes[i][attribute]).collect())?;
        Some((even, attribute, at))
    });
    cuts.max_by_key(|(even, ..)| *even).map(|(_, attribute, at)| (attribute, at))
}

/// The code below and above which most sides lie, none across it; and how many at least on either side.
fn evenest(mut sides: Vec<&Range<u32>>) -> Option<(usize, u32)> {
    sides.sort_unstable_by_key(|side| side.start);
    let (mut best, mut end) = (None, 0);
    for (below, side) in sides.iter().enumerate() {
        let even = below.min(sides.len() - below);
        if side.start >= end && even > best.map_or(0, |(even, _)| even) {
            best = Some((even, side.start));
        }
        end = end.max(side.end);
    }
    best
}

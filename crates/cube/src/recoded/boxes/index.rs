//! Finds which of many boxes contains a record, with few comparisons.

use std::ops::Range;

/// Disjoint boxes that can be found by a record's codes.
///
/// Boxes that were created by splitting can be separated by splitting again: each step takes, of
/// the cuts that cross no box, the one with the most even number of boxes on both sides. Boxes that
/// no cut separates are compared one by one.
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
    /// Children come after their parent.
    nodes: Vec<IndexNode>,
}

#[derive(Debug)]
enum IndexNode {
    /// One of these, or none.
    One(Vec<usize>),
    /// Codes below the cut are at this position, the others at the next.
    Cut { attribute: usize, at: u32, below: usize },
}

impl<'b> BoxIndex<'b> {
    /// The index of these boxes, each given by its sides.
    pub fn of(boxes: Vec<&'b [Range<u32>]>) -> Self {
        let mut nodes = vec![IndexNode::One((0..boxes.len()).collect())];
        let mut next = 0;
        while next < nodes.len() {
            if let IndexNode::One(some) = &nodes[next]
                && let Some((attribute, at)) = cut(&boxes, some)
            {
                let (below, above) = some.iter().partition(|&&i| boxes[i][attribute].end <= at);
                nodes[next] = IndexNode::Cut { attribute, at, below: nodes.len() };
                nodes.extend([IndexNode::One(below), IndexNode::One(above)]);
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
                IndexNode::Cut { attribute, at, below } => {
                    node = below + usize::from(codes[*attribute] >= *at);
                }
                IndexNode::One(some) => {
                    let holds =
                        |&i: &usize| self.boxes[i].iter().zip(codes).all(|(s, c)| s.contains(c));
                    return some.iter().copied().find(holds);
                }
            }
        }
    }
}

/// Returns the attribute and the code that split the boxes most evenly without crossing any.
fn cut(boxes: &[&[Range<u32>]], some: &[usize]) -> Option<(usize, u32)> {
    let attributes = some.first().map_or(0, |&first| boxes[first].len());
    let cuts = (0..attributes).filter_map(|attribute| {
        let (even, at) = evenest(some.iter().map(|&i| &boxes[i][attribute]).collect())?;
        Some((even, attribute, at))
    });
    cuts.max_by_key(|(even, ..)| *even).map(|(_, attribute, at)| (attribute, at))
}

/// Returns the code that splits the sides most evenly without crossing any, and the smaller number
/// of sides.
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

//! `POkA` as published: functions 1 to 3, transcribed, with the lists of section 5.3.
//!
//! Corrected where the functions do not reach their own output conditions: the depth is capped at
//! the height of the base node, the search ends if there is no next node, at depth 1 a neighbour of
//! the base node is used only if it has a smaller k and a smaller loss, and ties are decided by
//! levels.

use std::collections::BTreeMap;

/// The levels of a node.
pub type Node = Vec<u8>;

/// A node with its k and its loss; `(NULL, 0, 0)` if there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundNode {
    /// The node; `None` stands for NULL.
    pub node: Option<Node>,
    /// Its k, at least 1.
    pub k: f64,
    /// Its loss.
    pub loss: f64,
}

impl FoundNode {
    fn null() -> Self {
        Self { node: None, k: 0.0, loss: 0.0 }
    }

    /// `k_Q > k_No or (k_Q = k_No and L_Q < L_No)`, then by levels.
    fn or_better(self, q: Self) -> Self {
        let order = q.k.total_cmp(&self.k).reverse().then(q.loss.total_cmp(&self.loss));
        if order.then(q.node.cmp(&self.node)).is_lt() { q } else { self }
    }
}

/// A run of the published search over all nodes up to the top.
pub struct PublishedPoka<'a> {
    top: Node,
    /// Gives k (1 if nothing protects) and loss of a node.
    evaluate: &'a dyn Fn(&[u8]) -> (f64, f64),
    /// The nodes that were evaluated, with k and loss.
    pub evaluated: BTreeMap<Node, (f64, f64)>,
    /// The base node N, and the depth d below it.
    base: FoundNode,
    depth: u32,
    h_best: BTreeMap<Node, FoundNode>,
    d_best: BTreeMap<Node, FoundNode>,
}

impl<'a> PublishedPoka<'a> {
    /// Prepares a search.
    pub fn new(top: &[u8], evaluate: &'a dyn Fn(&[u8]) -> (f64, f64)) -> Self {
        Self {
            top: top.to_vec(),
            evaluate,
            evaluated: BTreeMap::new(),
            base: FoundNode::null(),
            depth: 0,
            h_best: BTreeMap::new(),
            d_best: BTreeMap::new(),
        }
    }

    /// Function 3 from a given node (section 6.1; as published the top), `while k_N > weakest`.
    pub fn run(&mut self, start: &[u8], depth: u32, weakest: f64) -> Vec<FoundNode> {
        self.base = self.evaluate(start);
        let mut found = vec![self.base.clone()];
        while self.base.k > weakest {
            let node = self.base.node.clone().expect("a base node");
            let height = node.iter().map(|&level| u32::from(level)).sum();
            self.depth = depth.min(height);
            self.h_best.clear();
            self.d_best.clear();
            let next = self.depth_search(&node);
            if next.node.is_none() {
                break;
            }
            found.push(next.clone());
            self.base = next;
        }
        found
    }

    /// Function 2.
    fn depth_search(&mut self, p: &Node) -> FoundNode {
        if let Some(known) = self.d_best.get(p) {
            return known.clone();
        }
        let mut best = FoundNode::null();
        for c in children(p, |_, level| level.checked_sub(1)) {
            let q = if self.distance(&c) == self.depth {
                if self.depth == 1 {
                    let valued = self.evaluate(&c);
                    let use_node = self.comes_after(&valued);
                    self.height_search(&c, use_node)
                } else {
                    self.height_search(&c, false)
                }
            } else {
                self.depth_search(&c)
            };
            best = best.or_better(q);
        }
        self.d_best.insert(p.clone(), best.clone());
        best
    }

    /// Function 1.
    fn height_search(&mut self, p: &Node, use_node: bool) -> FoundNode {
        if let Some(known) = self.h_best.get(p) {
            return known.clone();
        }
        let mut best = if use_node { self.evaluate(p) } else { FoundNode::null() };
        let up = |i: usize, level: u8| (level < self.top[i]).then_some(level + 1);
        for c in children(p, up) {
            let q = if self.is_below_base(&c) && self.distance(&c) > 1 {
                self.height_search(&c, false)
            } else {
                let valued = self.evaluate(&c);
                if self.comes_after(&valued) {
                    self.height_search(&c, true)
                } else {
                    FoundNode::null()
                }
            };
            best = best.or_better(q);
        }
        self.h_best.insert(p.clone(), best.clone());
        best
    }

    fn evaluate(&mut self, node: &[u8]) -> FoundNode {
        let evaluate = || (self.evaluate)(node);
        let (k, loss) = *self.evaluated.entry(node.to_vec()).or_insert_with(evaluate);
        FoundNode { node: Some(node.to_vec()), k, loss }
    }

    /// `k_C < k_N and L_C < L_N`.
    fn comes_after(&self, c: &FoundNode) -> bool {
        c.k < self.base.k && c.loss < self.base.loss
    }

    fn base_levels(&self) -> &[u8] {
        self.base.node.as_deref().unwrap_or_default()
    }

    /// Whether a node is in SG(N).
    fn is_below_base(&self, c: &[u8]) -> bool {
        c.iter().zip(self.base_levels()).all(|(c, n)| c <= n)
    }

    /// The sum of the differences of levels from N.
    fn distance(&self, c: &[u8]) -> u32 {
        c.iter().zip(self.base_levels()).map(|(c, n)| u32::from(c.abs_diff(*n))).sum()
    }
}

/// The nodes that differ from a node in one level, as far as the step has another level.
fn children(p: &Node, step: impl Fn(usize, u8) -> Option<u8>) -> Vec<Node> {
    let changed = |(i, level): (usize, u8)| {
        let mut child = p.clone();
        child[i] = level;
        child
    };
    let levels = p.iter().enumerate().filter_map(|(i, &level)| Some((i, step(i, level)?)));
    levels.map(changed).collect()
}

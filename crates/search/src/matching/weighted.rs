//! A matching of maximum weight in a general graph: Edmonds' primal-dual algorithm with blossoms.
//!
//! Every vertex has a label, every blossom (an odd cycle that is treated as one node) a label of its
//! own. An edge is tight if the labels of its ends add up to twice its weight. The search grows trees
//! of tight edges from unmatched nodes until a path between two of them can be augmented, and lowers
//! labels where no tight edge is left. After Z. Galil: Efficient algorithms for finding maximum
//! matching in graphs. ACM Computing Surveys 18(1), 1986; cubic in the number of vertices.
//!
//! Nodes are numbered from 1, so that 0 means none: vertices first, then blossoms.

use std::collections::VecDeque;

use super::PairWeights;

/// Where a node is in the trees of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    /// At an even distance from the root.
    Even,
    /// At an odd distance from the root.
    Odd,
}

/// An edge between two vertices, which may represent one between two nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Edge {
    from: usize,
    to: usize,
    weight: i64,
}

/// The state of the algorithm.
#[derive(Debug)]
pub(super) struct WeightedSearch {
    vertices: usize,
    /// Vertices and blossoms in use.
    nodes: usize,
    capacity: usize,
    /// By two nodes, the tightest edge between them.
    edges: Vec<Edge>,
    labels: Vec<i64>,
    /// By node, the vertex that it is matched to.
    matched: Vec<usize>,
    /// By node, the vertex of an even node with the tightest edge to it.
    slack: Vec<usize>,
    /// By node, the outermost node that contains it.
    outer: Vec<usize>,
    /// By node, the vertex that it was reached from.
    parent: Vec<usize>,
    /// By blossom and vertex, the node of its cycle that contains the vertex.
    member: Vec<usize>,
    place: Vec<Place>,
    visited: Vec<usize>,
    /// By blossom, the nodes of its cycle.
    cycle: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
    visits: usize,
}

impl WeightedSearch {
    pub(super) fn new(weights: &PairWeights) -> Self {
        let vertices = weights.vertices();
        let capacity = vertices + vertices / 2 + 2;
        let mut search = Self {
            vertices,
            nodes: vertices,
            capacity,
            edges: vec![Edge::default(); capacity * capacity],
            labels: vec![0; capacity],
            matched: vec![0; capacity],
            slack: vec![0; capacity],
            outer: vec![0; capacity],
            parent: vec![0; capacity],
            member: vec![0; capacity * (vertices + 1)],
            place: vec![Place::Outside; capacity],
            visited: vec![0; capacity],
            cycle: vec![Vec::new(); capacity],
            queue: VecDeque::new(),
            visits: 0,
        };
        let most = weights.weights.iter().copied().max().unwrap_or(0);
        for u in 1..=vertices {
            (search.outer[u], search.labels[u]) = (u, most);
            search.set_member(u, u, u);
            for v in 1..=vertices {
                let weight = weights.get(u - 1, v - 1).max(0);
                search.edges[u * capacity + v] = Edge { from: u, to: v, weight };
            }
        }
        search
    }

    /// Augments until nothing more can be gained.
    pub(super) fn run(mut self) -> Vec<Option<usize>> {
        while self.augment_once() {}
        (1..=self.vertices).map(|u| self.matched[u].checked_sub(1)).collect()
    }

    fn edge(&self, u: usize, v: usize) -> Edge {
        self.edges[u * self.capacity + v]
    }

    fn member(&self, blossom: usize, vertex: usize) -> usize {
        self.member[blossom * (self.vertices + 1) + vertex]
    }

    fn set_member(&mut self, blossom: usize, vertex: usize, node: usize) {
        self.member[blossom * (self.vertices + 1) + vertex] = node;
    }

    /// How far an edge is from being tight.
    fn distance(&self, edge: Edge) -> i64 {
        let weight = self.edge(edge.from, edge.to).weight;
        self.labels[edge.from] + self.labels[edge.to] - 2 * weight
    }

    fn is_outermost(&self, node: usize) -> bool {
        self.outer[node] == node
    }

    fn update_slack(&mut self, from: usize, node: usize) {
        let known = self.slack[node];
        let distance = |u: usize| self.distance(self.edge(u, node));
        if known == 0 || distance(from) < distance(known) {
            self.slack[node] = from;
        }
    }

    fn set_slack(&mut self, node: usize) {
        self.slack[node] = 0;
        for u in 1..=self.vertices {
            let outer = self.outer[u];
            let is_even = self.place[outer] == Place::Even;
            if self.edge(u, node).weight > 0 && outer != node && is_even {
                self.update_slack(u, node);
            }
        }
    }

    fn push(&mut self, node: usize) {
        if node <= self.vertices {
            self.queue.push_back(node);
            return;
        }
        for inner in self.cycle[node].clone() {
            self.push(inner);
        }
    }

    fn set_outer(&mut self, node: usize, outer: usize) {
        self.outer[node] = outer;
        if node > self.vertices {
            for inner in self.cycle[node].clone() {
                self.set_outer(inner, outer);
            }
        }
    }

    /// Returns the position of a node in its blossom's cycle at an even distance from the base,
    /// turning the cycle around if need be.
    fn even_position(&mut self, blossom: usize, node: usize) -> usize {
        let cycle = &mut self.cycle[blossom];
        let position = cycle.iter().position(|&other| other == node).expect("it is in the cycle");
        if position % 2 == 0 {
            return position;
        }
        cycle[1..].reverse();
        cycle.len() - position
    }

    fn set_match(&mut self, u: usize, v: usize) {
        let edge = self.edge(u, v);
        self.matched[u] = edge.to;
        if u <= self.vertices {
            return;
        }
        let inner = self.member(u, edge.from);
        let position = self.even_position(u, inner);
        for i in 0..position {
            let (one, other) = (self.cycle[u][i], self.cycle[u][i ^ 1]);
            self.set_match(one, other);
        }
        self.set_match(inner, v);
        self.cycle[u].rotate_left(position);
    }

    /// Flips the path from a node to its root, beginning with a new partner of the node.
    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let next = self.outer[self.matched[u]];
            self.set_match(u, v);
            if next == 0 {
                return;
            }
            let above = self.outer[self.parent[next]];
            self.set_match(next, above);
            (u, v) = (above, next);
        }
    }

    /// Returns the node where the paths of two even nodes to their roots meet; 0 if they do not.
    fn common_ancestor(&mut self, mut u: usize, mut v: usize) -> usize {
        self.visits += 1;
        while u != 0 || v != 0 {
            if u != 0 {
                if self.visited[u] == self.visits {
                    return u;
                }
                self.visited[u] = self.visits;
                u = self.outer[self.matched[u]];
                if u != 0 {
                    u = self.outer[self.parent[u]];
                }
            }
            std::mem::swap(&mut u, &mut v);
        }
        0
    }

    /// Returns the nodes from an even node up to an ancestor, without the ancestor; odd ones become
    /// even.
    fn branch(&mut self, from: usize, ancestor: usize) -> Vec<usize> {
        let (mut nodes, mut node) = (Vec::new(), from);
        while node != ancestor {
            let odd = self.outer[self.matched[node]];
            nodes.extend([node, odd]);
            self.push(odd);
            node = self.outer[self.parent[odd]];
        }
        nodes
    }

    fn add_blossom(&mut self, u: usize, ancestor: usize, v: usize) {
        let unused = (self.vertices + 1..=self.nodes).find(|&b| self.outer[b] == 0);
        let blossom = unused.unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        self.labels[blossom] = 0;
        self.place[blossom] = Place::Even;
        self.matched[blossom] = self.matched[ancestor];
        let mut left = self.branch(u, ancestor);
        left.reverse();
        let right = self.branch(v, ancestor);
        self.cycle[blossom] = [vec![ancestor], left, right].concat();
        self.set_outer(blossom, blossom);
        self.join_edges(blossom);
        self.set_slack(blossom);
    }

    /// Gives a blossom the tightest edges of the nodes of its cycle.
    fn join_edges(&mut self, blossom: usize) {
        let capacity = self.capacity;
        for x in 1..=self.nodes {
            self.edges[blossom * capacity + x].weight = 0;
            self.edges[x * capacity + blossom].weight = 0;
        }
        (1..=self.vertices).for_each(|x| self.set_member(blossom, x, 0));
        for node in self.cycle[blossom].clone() {
            for x in 1..=self.nodes {
                let (mine, own) = (self.edge(blossom, x), self.edge(node, x));
                if mine.weight == 0 || self.distance(own) < self.distance(mine) {
                    self.edges[blossom * capacity + x] = own;
                    self.edges[x * capacity + blossom] = self.edge(x, node);
                }
            }
            for x in 1..=self.vertices {
                if self.member(node, x) != 0 {
                    self.set_member(blossom, x, node);
                }
            }
        }
    }

    fn expand_blossom(&mut self, blossom: usize) {
        for node in self.cycle[blossom].clone() {
            self.set_outer(node, node);
        }
        let entered = self.edge(blossom, self.parent[blossom]).from;
        let entered = self.member(blossom, entered);
        let position = self.even_position(blossom, entered);
        let cycle = std::mem::take(&mut self.cycle[blossom]);
        for pair in cycle[..position].chunks_exact(2) {
            let (odd, even) = (pair[0], pair[1]);
            self.parent[odd] = self.edge(even, odd).from;
            (self.place[odd], self.place[even]) = (Place::Odd, Place::Even);
            self.slack[odd] = 0;
            self.set_slack(even);
            self.push(even);
        }
        self.place[entered] = Place::Odd;
        self.parent[entered] = self.parent[blossom];
        for &node in &cycle[position + 1..] {
            self.place[node] = Place::Outside;
            self.set_slack(node);
        }
        self.outer[blossom] = 0;
    }

    /// Follows a tight edge from an even node. Returns whether a path was augmented.
    fn follow(&mut self, edge: Edge) -> bool {
        let (u, v) = (self.outer[edge.from], self.outer[edge.to]);
        match self.place[v] {
            Place::Outside => {
                self.parent[v] = edge.from;
                self.place[v] = Place::Odd;
                let next = self.outer[self.matched[v]];
                (self.slack[v], self.slack[next]) = (0, 0);
                self.place[next] = Place::Even;
                self.push(next);
            }
            Place::Even => {
                let ancestor = self.common_ancestor(u, v);
                if ancestor == 0 {
                    self.augment(u, v);
                    self.augment(v, u);
                    return true;
                }
                self.add_blossom(u, ancestor, v);
            }
            Place::Odd => {}
        }
        false
    }

    /// Searches for one augmenting path, and augments it. Returns false if there is none.
    fn augment_once(&mut self) -> bool {
        self.place.fill(Place::Outside);
        self.slack.fill(0);
        self.queue.clear();
        for node in 1..=self.nodes {
            if self.is_outermost(node) && self.matched[node] == 0 {
                self.parent[node] = 0;
                self.place[node] = Place::Even;
                self.push(node);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.grow() {
                return true;
            }
            if !self.lower_labels() {
                return false;
            }
            self.queue.clear();
            if self.follow_tight() {
                return true;
            }
            for blossom in self.vertices + 1..=self.nodes {
                let is_odd = self.is_outermost(blossom) && self.place[blossom] == Place::Odd;
                if is_odd && self.labels[blossom] == 0 {
                    self.expand_blossom(blossom);
                }
            }
        }
    }

    /// Grows the trees along tight edges. Returns whether a path was augmented.
    fn grow(&mut self) -> bool {
        while let Some(u) = self.queue.pop_front() {
            if self.place[self.outer[u]] == Place::Odd {
                continue;
            }
            for v in 1..=self.vertices {
                let edge = self.edge(u, v);
                if edge.weight <= 0 || self.outer[u] == self.outer[v] {
                    continue;
                }
                if self.distance(edge) > 0 {
                    self.update_slack(u, self.outer[v]);
                } else if self.follow(edge) {
                    return true;
                }
            }
        }
        false
    }

    /// Follows edges that became tight. Returns whether a path was augmented.
    fn follow_tight(&mut self) -> bool {
        for node in 1..=self.nodes {
            let from = self.slack[node];
            if !self.is_outermost(node) || from == 0 || self.outer[from] == node {
                continue;
            }
            let edge = self.edge(from, node);
            if self.distance(edge) == 0 && self.follow(edge) {
                return true;
            }
        }
        false
    }

    /// Returns by how much labels can change before an edge becomes tight or a blossom empty.
    fn step(&self) -> i64 {
        let mut step = i64::MAX;
        for node in (1..=self.nodes).filter(|&node| self.is_outermost(node)) {
            if node > self.vertices && self.place[node] == Place::Odd {
                step = step.min(self.labels[node] / 2);
            }
            if self.slack[node] != 0 {
                let distance = self.distance(self.edge(self.slack[node], node));
                match self.place[node] {
                    Place::Outside => step = step.min(distance),
                    Place::Even => step = step.min(distance / 2),
                    Place::Odd => {}
                }
            }
        }
        step
    }

    /// Changes labels by one step. Returns false once unmatched vertices have nothing to gain.
    fn lower_labels(&mut self) -> bool {
        let step = self.step();
        let is_even = |&u: &usize| self.place[self.outer[u]] == Place::Even;
        let least = (1..=self.vertices).filter(is_even).map(|u| self.labels[u]).min();
        if least.is_none_or(|least| least <= step) {
            return false;
        }
        for u in 1..=self.vertices {
            match self.place[self.outer[u]] {
                Place::Even => self.labels[u] -= step,
                Place::Odd => self.labels[u] += step,
                Place::Outside => {}
            }
        }
        for blossom in self.vertices + 1..=self.nodes {
            if self.is_outermost(blossom) {
                match self.place[blossom] {
                    Place::Even => self.labels[blossom] += 2 * step,
                    Place::Odd => self.labels[blossom] -= 2 * step,
                    Place::Outside => {}
                }
            }
        }
        true
    }
}

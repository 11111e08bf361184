//! Simplex matching: vertices in pairs and triples of least total cost.
//!
//! Every pair has a cost and every triple, with the *simplex condition*: twice the cost of a triple
//! is at least the sum of the costs of its three pairs. Then the problem is polynomial
//! (E. Anshelevich, A. Karagiozova: Terminal backup, 3D matching, and covering cubic graphs. STOC
//! 2007): a solution that is not optimal can be improved by changing at most two triples and
//! matching all other vertices anew. So the search begins with some solution and tries every such
//! change, each with a perfect matching of least cost, until none improves. The argument is in
//! docs/explanation/cell-suppression.md.
//!
//! Changes that cannot improve are skipped by a bound: numbers of the vertices such that no two of
//! them exceed the cost of their pair. By the simplex condition they do not exceed the cost of a
//! triple either, so what a triple costs beyond its numbers is lost compared with their sum.

use super::assignment::vertex_bounds;
use super::{PairWeights, least_cost_perfect};

/// Three vertices, in ascending order.
type Triple = [usize; 3];

/// The costs of pairs and triples.
pub(crate) struct SimplexCosts<'t> {
    /// By pair.
    pub(crate) pairs: PairWeights,
    /// By triple.
    pub(crate) triple: &'t dyn Fn(Triple) -> i64,
}

/// Vertices in pairs and triples.
#[derive(Debug, Clone)]
pub(crate) struct SimplexMatching {
    triples: Vec<Triple>,
    pairs: Vec<(usize, usize)>,
    cost: i64,
}

impl SimplexMatching {
    /// The pairs and triples.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let triples = self.triples.iter().map(|triple| triple.to_vec());
        triples.chain(self.pairs.iter().map(|&(u, v)| vec![u, v])).collect()
    }
}

/// Returns a simplex matching of least cost. There must be at least two vertices. `go_on` is called
/// before every change that is tried; the best so far is returned once it says no.
pub(crate) fn simplex_matching<E>(
    costs: &SimplexCosts<'_>,
    mut go_on: impl FnMut() -> Result<bool, E>,
) -> Result<(SimplexMatching, bool), E> {
    let search = SimplexSearch::new(costs);
    let mut best = search.first();
    loop {
        match search.improved(&best, &mut go_on)? {
            Tried::Better(better) => best = better,
            Tried::Best => return Ok((best, true)),
            Tried::Stopped => return Ok((best, false)),
        }
    }
}

/// What became of trying every change.
enum Tried {
    Better(SimplexMatching),
    Best,
    Stopped,
}

struct SimplexSearch<'c, 't> {
    costs: &'c SimplexCosts<'t>,
    /// Twice the sum of the bounds of all vertices.
    bound: i64,
    /// All triples with twice what they cost beyond the bounds of their vertices, the least first.
    triples: Vec<(i64, Triple)>,
    bounds: Vec<i64>,
}

impl<'c, 't> SimplexSearch<'c, 't> {
    fn new(costs: &'c SimplexCosts<'t>) -> Self {
        let n = costs.pairs.vertices();
        let bounds = vertex_bounds(&costs.pairs);
        let mut search = Self { costs, bound: bounds.iter().sum(), triples: Vec::new(), bounds };
        let all = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let all = all.flat_map(|(u, v)| (v + 1..n).map(move |w| [u, v, w]));
        search.triples = all.map(|triple| (search.excess(triple), triple)).collect();
        search.triples.sort_unstable();
        search
    }

    /// Twice what a triple costs beyond the bounds of its vertices.
    fn excess(&self, triple: Triple) -> i64 {
        2 * (self.costs.triple)(triple) - triple.iter().map(|&v| self.bounds[v]).sum::<i64>()
    }

    /// A solution with at most one triple.
    fn first(&self) -> SimplexMatching {
        let is_odd = self.costs.pairs.vertices() % 2 == 1;
        let triple = self.triples.first().filter(|_| is_odd).map(|(_, triple)| *triple);
        self.with(triple.into_iter().collect())
    }

    /// The solution with these triples and the best pairs of the other vertices.
    fn with(&self, triples: Vec<Triple>) -> SimplexMatching {
        let n = self.costs.pairs.vertices();
        let others: Vec<usize> =
            (0..n).filter(|v| triples.iter().all(|triple| !triple.contains(v))).collect();
        let costs =
            PairWeights::from_fn(others.len(), |u, v| self.costs.pairs.get(others[u], others[v]));
        let (pairs, cost) = least_cost_perfect(&costs);
        let pairs = pairs.into_iter().map(|(u, v)| (others[u], others[v])).collect();
        let cost = cost + triples.iter().map(|&t| (self.costs.triple)(t)).sum::<i64>();
        SimplexMatching { triples, pairs, cost }
    }

    /// Tries to change two triples.
    fn improved<E>(
        &self,
        best: &SimplexMatching,
        go_on: &mut impl FnMut() -> Result<bool, E>,
    ) -> Result<Tried, E> {
        for triples in self.changes(best) {
            if !go_on()? {
                return Ok(Tried::Stopped);
            }
            let other = self.with(triples);
            if other.cost < best.cost {
                return Ok(Tried::Better(other));
            }
        }
        Ok(Tried::Best)
    }

    /// Returns the sets of triples that differ from the present ones in two, as far as they can
    /// cost less: two left out, one replaced, two added.
    fn changes(&self, best: &SimplexMatching) -> impl Iterator<Item = Vec<Triple>> {
        let excess: i64 = best.triples.iter().map(|&triple| self.excess(triple)).sum();
        let room = 2 * best.cost - self.bound - excess;
        let (without_two, without_one) = (without_two(&best.triples), without_one(&best.triples));
        let replaced = without_one.into_iter().flat_map(move |(kept, gone)| {
            let room = room + self.excess(gone);
            self.below(room).filter_map(move |(_, more)| extended(&kept, more))
        });
        let present = best.triples.clone();
        let added = self.below(room).enumerate().flat_map(move |(i, (first, one))| {
            let kept = extended(&present, one);
            let rest = self.triples[i + 1..].iter();
            let rest = rest.take_while(move |(second, _)| first + second < room);
            rest.filter_map(move |(_, other)| extended(kept.as_ref()?, *other))
        });
        without_two.into_iter().chain(replaced).chain(added)
    }

    /// The triples that cost less than this beyond their bounds.
    fn below(&self, room: i64) -> impl Iterator<Item = (i64, Triple)> {
        self.triples.iter().copied().take_while(move |(excess, _)| *excess < room)
    }
}

/// The triples with one more; none if it has a vertex of another.
fn extended(triples: &[Triple], more: Triple) -> Option<Vec<Triple>> {
    let meets = |triple: &Triple| triple.iter().any(|v| more.contains(v));
    (!triples.iter().any(meets)).then(|| [triples, &[more]].concat())
}

fn without_one(triples: &[Triple]) -> Vec<(Vec<Triple>, Triple)> {
    let without = |i: usize| {
        let mut kept = triples.to_vec();
        let gone = kept.remove(i);
        (kept, gone)
    };
    (0..triples.len()).map(without).collect()
}

fn without_two(triples: &[Triple]) -> Vec<Vec<Triple>> {
    let pairs = (0..triples.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let is_kept = |i: usize, j: usize, at: usize| at != i && at != j;
    let kept = |(i, j)| {
        let kept = triples.iter().enumerate().filter(|(at, _)| is_kept(i, j, *at));
        kept.map(|(_, triple)| *triple).collect()
    };
    pairs.map(kept).collect()
}

//! Matchings against all matchings of small graphs.

use super::assignment::vertex_bounds;
use super::{
    PairWeights, SimplexCosts, least_cost_cover, least_cost_perfect, maximum_weight,
    simplex_matching,
};

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).cast_signed() % bound
    }

    fn weights(&mut self, vertices: usize, bound: i64) -> PairWeights {
        let drawn = PairWeights::from_fn(vertices, |_, _| 0);
        let mut all = drawn;
        for u in 0..vertices {
            for v in 0..u {
                let weight = self.below(bound);
                all.weights[u * vertices + v] = weight;
                all.weights[v * vertices + u] = weight;
            }
        }
        all
    }
}

/// The greatest weight of a matching of the vertices that are left; all of them if `perfect`.
fn best(weights: &PairWeights, left: &[usize], perfect: bool) -> Option<i64> {
    let Some((&first, rest)) = left.split_first() else { return Some(0) };
    let without = if perfect { None } else { best(weights, rest, perfect) };
    let with = |position: usize| {
        let mut others = rest.to_vec();
        let partner = others.remove(position);
        Some(best(weights, &others, perfect)? + weights.get(first, partner))
    };
    (0..rest.len()).filter_map(with).chain(without).max()
}

#[test]
fn matchings_have_the_greatest_weight() {
    let mut numbers = Numbers(7);
    for round in 0..600 {
        let vertices = 1 + round % 9;
        let bound = [3, 8, 1000][round % 3];
        let weights = numbers.weights(vertices, bound);
        let partners = maximum_weight(&weights);
        let pairs = partners.iter().enumerate().filter_map(|(u, v)| Some((u, (*v)?)));
        let total: i64 = pairs.clone().map(|(u, v)| weights.get(u, v)).sum();
        assert!(pairs.clone().all(|(u, v)| partners[v] == Some(u)), "{weights:?}");
        let all: Vec<usize> = (0..vertices).collect();
        assert_eq!(Some(total / 2), best(&weights, &all, false), "{weights:?}");
    }
}

#[test]
fn perfect_matchings_have_the_least_cost() {
    let mut numbers = Numbers(11);
    for round in 0..400 {
        let vertices = 2 * (1 + round % 5);
        let costs = numbers.weights(vertices, [2, 5, 1000][round % 3]);
        let (pairs, cost) = least_cost_perfect(&costs);
        assert_eq!(pairs.len(), vertices / 2);
        let all: Vec<usize> = (0..vertices).collect();
        let negative = PairWeights::from_fn(vertices, |u, v| -costs.get(u, v));
        assert_eq!(Some(-cost), best(&negative, &all, true), "{costs:?}");
    }
}

/// The least cost of a set of edges that touches every vertex.
fn cheapest_cover(costs: &PairWeights) -> i64 {
    let n = costs.vertices();
    let mut least = vec![i64::MAX / 2; 1 << n];
    least[0] = 0;
    for covered in 0..1_usize << n {
        for u in 0..n {
            for v in 0..u {
                let more = covered | 1 << u | 1 << v;
                least[more] = least[more].min(least[covered] + costs.get(u, v));
            }
        }
    }
    least[(1 << n) - 1]
}

#[test]
fn covers_have_the_least_cost_and_are_stars() {
    let mut numbers = Numbers(13);
    for round in 0..300 {
        let vertices = 2 + round % 7;
        let costs = numbers.weights(vertices, [2, 6, 100][round % 3]);
        let edges = least_cost_cover(vertices, |u, v| Some(costs.get(u, v))).unwrap();
        let degree = |u: usize| edges.iter().filter(|(a, b)| *a == u || *b == u).count();
        assert!((0..vertices).all(|u| degree(u) > 0));
        assert!(edges.iter().all(|&(u, v)| degree(u) == 1 || degree(v) == 1), "{edges:?}");
        let cost: i64 = edges.iter().map(|&(u, v)| costs.get(u, v)).sum();
        assert_eq!(cost, cheapest_cover(&costs), "{costs:?}");
    }
    assert_eq!(
        least_cost_cover(2, |_, _| None),
        None,
        "a vertex without an edge cannot be covered"
    );
}

/// The least cost of pairs and triples, by all partitions.
fn cheapest_simplex(costs: &SimplexCosts<'_>) -> i64 {
    let n = costs.pairs.vertices();
    let mut least = vec![i64::MAX / 2; 1 << n];
    least[0] = 0;
    for covered in 0..(1_usize << n) - 1 {
        let u = covered.trailing_ones() as usize;
        for v in (u + 1..n).filter(|v| covered >> v & 1 == 0) {
            let pair = covered | 1 << u | 1 << v;
            least[pair] = least[pair].min(least[covered] + costs.pairs.get(u, v));
            for w in (v + 1..n).filter(|w| covered >> w & 1 == 0) {
                let triple = pair | 1 << w;
                let cost = least[covered] + (costs.triple)([u, v, w]);
                least[triple] = least[triple].min(cost);
            }
        }
    }
    least[(1 << n) - 1]
}

/// Any costs with the simplex condition: changing two triples at a time finds the best matching.
#[test]
fn simplex_matchings_have_the_least_cost() {
    let mut numbers = Numbers(17);
    let (mut with_triples, mut changed) = (0, 0);
    for round in 0..3000 {
        let vertices = 2 + round % 11;
        let mut pairs = numbers.weights(vertices, [2, 4, 12, 1000][round % 4]);
        // Vertices of a cluster are near each other, so that triples pay.
        let clusters: Vec<i64> = (0..vertices).map(|_| numbers.below(4)).collect();
        if round % 5 > 0 {
            let apart = |u: usize, v: usize| i64::from(clusters[u] != clusters[v]);
            let far = [1, 3, 10, 700][round % 4];
            pairs = PairWeights::from_fn(vertices, |u, v| pairs.get(u, v) + far * apart(u, v));
        }
        let more: Vec<i64> =
            (0..vertices.pow(3)).map(|_| numbers.below([1, 2, 5][round % 3])).collect();
        let triple = |[u, v, w]: [usize; 3]| {
            let sum = pairs.get(u, v) + pairs.get(v, w) + pairs.get(u, w);
            (sum + 1) / 2 + more[(u * vertices + v) * vertices + w]
        };
        let costs = SimplexCosts { pairs: pairs.clone(), triple: &triple };
        let mut tried = 0;
        let (best, is_best) = simplex_matching(&costs, || {
            tried += 1;
            Ok::<_, ()>(true)
        })
        .unwrap();
        let cost = |group: &Vec<usize>| match group[..] {
            [u, v] => pairs.get(u, v),
            [u, v, w] => triple([u, v, w]),
            _ => unreachable!("pairs and triples"),
        };
        let groups = best.groups();
        assert!(is_best && groups.iter().map(Vec::len).sum::<usize>() == vertices);
        assert_eq!(groups.iter().map(cost).sum::<i64>(), cheapest_simplex(&costs), "{pairs:?}");
        with_triples += usize::from(groups.iter().filter(|group| group.len() == 3).count() > 1);
        changed += usize::from(tried > 0);
    }
    assert!(with_triples > 100 && changed > 300, "{with_triples} {changed}");
}

#[test]
fn bounds_of_vertices_never_exceed_a_pair() {
    let mut numbers = Numbers(19);
    for round in 0..200 {
        let costs = numbers.weights(2 + round % 8, 50);
        let n = costs.vertices();
        let bounds = vertex_bounds(&costs);
        for (u, v) in (0..n).flat_map(|u| (0..u).map(move |v| (u, v))) {
            assert!(bounds[u] + bounds[v] <= 2 * costs.get(u, v), "{costs:?}");
        }
        if n.is_multiple_of(2) {
            assert!(bounds.iter().sum::<i64>() <= 2 * least_cost_perfect(&costs).1);
        }
    }
}

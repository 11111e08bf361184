//! The depth and height searches against the published functions, transcribed literally in
//! `haggle_testkit`, on random small lattices; and the exact front with one point per scheme
//! against the definition of domination.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_model::{Scheme, Space};
use haggle_search::strategies::{
    LossBounds, Poka, PokaPoint, Valued, best_of_each, poka, poka_by_ceilings,
};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::poka::{Node, PublishedPoka};
use proptest::collection::vec;
use proptest::prelude::*;

/// A lattice with a random point for each scheme.
#[derive(Debug, Clone)]
struct Drawn {
    top: Node,
    points: BTreeMap<Node, Valued>,
}

impl Drawn {
    fn space(&self) -> Space {
        Space::new(Scheme::new(self.top.clone()))
    }

    fn value(&self, scheme: &Scheme) -> Valued {
        self.points[&scheme.levels().iter().map(|&level| u8::from(level)).collect::<Node>()]
    }

    fn search(&self, start: &[u8], depth: u32, weakest: f64) -> Poka {
        let start = Scheme::new(start.iter().copied());
        poka(&self.space(), &start, depth, weakest, &|scheme| Ok(self.value(scheme))).unwrap()
    }

    fn front(&self, weakest: f64) -> Vec<PokaPoint> {
        best_of_each(&self.space(), weakest, &|scheme| Ok(self.value(scheme))).unwrap()
    }
}

fn nodes(top: &[u8]) -> Vec<Node> {
    top.iter().fold(vec![Vec::new()], |nodes, &top| {
        let longer = |node: Node| (0..=top).map(move |level| [&node[..], &[level]].concat());
        nodes.into_iter().flat_map(longer).collect()
    })
}

fn tops() -> impl Strategy<Value = Node> {
    vec(0..=3_u8, 1..=4)
}

/// Points without any order, with many ties.
fn lawless() -> impl Strategy<Value = Drawn> {
    tops().prop_flat_map(|top| {
        let point = (1..8_u8, 0..8_u8)
            .prop_map(|(k, loss)| Valued { strength: f64::from(k), loss: f64::from(loss) });
        let all = nodes(&top);
        vec(point, all.len()).prop_map(move |points| Drawn {
            top: top.clone(),
            points: all.iter().cloned().zip(points).collect(),
        })
    })
}

/// Points that grow with every level, as the source assumes.
fn growing() -> impl Strategy<Value = Drawn> {
    let step = (1..50_u32, 1..50_u32);
    (tops(), vec(vec(step, 3), 4)).prop_map(|(top, steps)| {
        let climbed = |node: &Node, which: fn(&(u32, u32)) -> u32| -> f64 {
            let of = |(level, steps): (&u8, &Vec<(u32, u32)>)| {
                steps[..usize::from(*level)].iter().map(which).sum::<u32>()
            };
            node.iter().zip(&steps).map(of).sum::<u32>().into()
        };
        let valued = |node: &Node| Valued {
            strength: 2.0 + climbed(node, |s| s.0),
            loss: climbed(node, |s| s.1),
        };
        let points = nodes(&top).into_iter().map(|node| (node.clone(), valued(&node))).collect();
        Drawn { top, points }
    })
}

fn as_nodes(points: &[PokaPoint]) -> Vec<(Node, Valued)> {
    let node = |found: &PokaPoint| found.scheme.levels().iter().map(|&l| u8::from(l)).collect();
    points.iter().map(|found| (node(found), found.valued)).collect()
}

#[test]
fn the_search_follows_the_published_pseudo_code() {
    let (missed, climbed) = (Cell::new(0), Cell::new(0));
    let lattices = prop_oneof![lawless(), growing(), sparse()];
    let inputs = (lattices, any::<prop::sample::Index>(), any::<bool>(), 1..=6_u32, 0..5_u8);
    check(1500, &inputs, |(drawn, start, from_top, depth, weakest)| {
        let weakest = f64::from(weakest);
        let all: Vec<Node> = drawn.points.keys().cloned().collect();
        let start = if from_top { drawn.top.clone() } else { start.get(&all).clone() };
        let evaluate = |node: &[u8]| (drawn.points[node].strength, drawn.points[node].loss);
        let mut published = PublishedPoka::new(&drawn.top, &evaluate);
        let expected: Vec<(Node, Valued)> = published
            .run(&start, depth, weakest)
            .into_iter()
            .filter(|found| found.k >= weakest) // what protects nothing is no point
            .map(|found| (found.node.unwrap(), Valued { strength: found.k, loss: found.loss }))
            .collect();
        let found = drawn.search(&start, depth, weakest);
        prop_assert_eq!(as_nodes(&found.points), expected);
        prop_assert_eq!(found.evaluated, published.evaluated.len());
        let fewer = from_top && found.points.len() < drawn.front(weakest).len();
        missed.set(missed.get() + usize::from(fewer));
        let useless = |node: &Node| drawn.points[node].strength < weakest;
        climbed.set(climbed.get() + published.evaluated.keys().filter(|n| useless(n)).count());
        Ok(())
    });
    // A search that always found everything, or never met what protects nothing, would not be this.
    assert!(missed.get() > enough(30) && climbed.get() > enough(100));
}

/// Only a general scheme protects at all: the way to it leads over schemes with k = 1.
#[test]
fn the_climb_continues_above_schemes_that_protect_nothing() {
    let points = [([0, 0], 1, 0), ([0, 1], 1, 1), ([0, 2], 3, 2), ([1, 0], 5, 4)];
    let points = points.into_iter().chain([([1, 1], 7, 6), ([1, 2], 9, 8)]);
    let valued = |k: u8, loss: u8| Valued { strength: k.into(), loss: loss.into() };
    let points = points.map(|(node, k, loss)| (node.to_vec(), valued(k, loss))).collect();
    let drawn = Drawn { top: vec![1, 2], points };
    // From [1,0], k = 5, down to [0,0] and up over [0,1], both with k = 1, to [0,2].
    let found = drawn.search(&[1, 0], 1, 2.0);
    assert_eq!(as_nodes(&found.points), [(vec![1, 0], valued(5, 4)), (vec![0, 2], valued(3, 2))]);
    let found = drawn.search(&[0, 0], 1, 2.0);
    assert!(found.points.is_empty(), "a start that protects nothing is no point");
}

#[test]
fn searched_to_the_bottom_of_a_growing_lattice_nothing_is_missed() {
    check(300, &growing(), |drawn| {
        let height = drawn.top.iter().map(|&level| u32::from(level)).sum();
        let found = drawn.search(&drawn.top, height, f64::NEG_INFINITY);
        let points = |all: &[PokaPoint]| all.iter().map(|f| f.valued).collect::<Vec<_>>();
        prop_assert_eq!(points(&found.points), points(&drawn.front(f64::NEG_INFINITY)));
        Ok(())
    });
}

#[test]
fn the_exact_front_has_each_point_that_no_other_dominates_once() {
    check(1000, &(lawless(), 0..5_u8), |(drawn, weakest)| {
        let weakest = f64::from(weakest);
        let useful = |point: &&Valued| point.strength >= weakest;
        let all: Vec<Valued> = drawn.points.values().filter(useful).copied().collect();
        let dominates = |a: &Valued, b: &Valued| {
            a.strength >= b.strength
                && a.loss <= b.loss
                && (a.strength, a.loss) != (b.strength, b.loss)
        };
        let undominated: BTreeSet<(u64, u64)> = all
            .iter()
            .filter(|b| !all.iter().any(|a| dominates(a, b)))
            .map(|point| (point.strength as u64, point.loss as u64))
            .collect();
        let front = drawn.front(weakest);
        let found: Vec<(u64, u64)> =
            front.iter().map(|f| (f.valued.strength as u64, f.valued.loss as u64)).collect();
        prop_assert!(found.is_sorted_by(|a, b| a > b), "the strongest first, each once");
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), undominated);
        // Of schemes with the same point the first by levels represents all.
        for found in &as_nodes(&front) {
            let same = drawn.points.iter().find(|(_, point)| **point == found.1);
            prop_assert_eq!(same.map(|(node, _)| node), Some(&found.0));
        }
        Ok(())
    });
}

/// Points that grow with every level, of which many below protect nothing.
fn sparse() -> impl Strategy<Value = Drawn> {
    (growing(), 0..120_u8).prop_map(|(mut drawn, taken)| {
        for point in drawn.points.values_mut() {
            point.strength = (point.strength - f64::from(taken)).max(1.0);
        }
        drawn
    })
}

/// Strengths that rise with every level, and losses that do but for what suppression adds: what
/// union-monotone models and measures that rise with suppression are.
fn lawful() -> impl Strategy<Value = (Drawn, BTreeMap<Node, f64>)> {
    growing().prop_flat_map(|drawn| {
        let extra = vec((0..4_u8, 0..30_u8), drawn.points.len());
        extra.prop_map(move |extra| {
            let floors: BTreeMap<Node, f64> =
                drawn.points.iter().map(|(node, p)| (node.clone(), p.loss)).collect();
            let mut lawful = drawn.clone();
            for (valued, (some, extra)) in lawful.points.values_mut().zip(extra) {
                valued.strength = (valued.strength / 8.0).floor(); // ties
                valued.loss += if some == 0 { f64::from(extra) } else { 0.0 };
            }
            (lawful, floors)
        })
    })
}

/// The rule for ground nodes of our own: no point of the exact front is lost, and none is wrong,
/// whether the levels alone bound the loss or evaluated schemes do.
#[test]
fn ceilings_lose_no_point_of_the_front() {
    let fewer = Cell::new((0, 0));
    check(400, &(lawful(), any::<bool>()), |((drawn, floors), by_levels)| {
        let floor = |scheme: &Scheme| {
            floors[&scheme.levels().iter().map(|&level| u8::from(level)).collect::<Node>()]
        };
        let bounds = LossBounds {
            by_levels: &|scheme| by_levels.then(|| floor(scheme)),
            unsuppressed: &|scheme| Ok(floor(scheme)),
        };
        let evaluate = |scheme: &Scheme| Ok(drawn.value(scheme));
        let found = poka_by_ceilings(&drawn.space(), 1.0, &evaluate, &bounds).unwrap();
        let values = |points: &[PokaPoint]| points.iter().map(|p| p.valued).collect::<Vec<_>>();
        prop_assert_eq!(values(&found.points), values(&drawn.front(1.0)));
        let (evaluated, all) = fewer.get();
        fewer.set((evaluated + found.evaluated, all + drawn.points.len()));
        Ok(())
    });
    let (evaluated, all) = fewer.get();
    println!("{evaluated} of {all} evaluated");
    assert!(evaluated < all);
}

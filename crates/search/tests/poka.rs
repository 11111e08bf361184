//! The depth and height searches against the published pseudo-code, transcribed literally, on
//! random small lattices; and the exact front with one point per scheme against the definition of
//! domination.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_model::{Scheme, Space};
use haggle_search::strategies::{
    LossBounds, Poka, PokaPoint, Valued, best_of_each, poka, poka_by_ceilings,
};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

type Node = Vec<u8>;

/// A lattice with a random point for each scheme; some have none.
#[derive(Debug, Clone)]
struct Drawn {
    top: Node,
    points: BTreeMap<Node, Option<Valued>>,
}

impl Drawn {
    fn space(&self) -> Space {
        Space::new(Scheme::new(self.top.clone()))
    }

    fn value(&self, scheme: &Scheme) -> Option<Valued> {
        self.points[&scheme.levels().iter().map(|&level| u8::from(level)).collect::<Node>()]
    }

    fn search(&self, depth: u32, weakest: f64) -> Poka {
        poka(&self.space(), depth, weakest, &|scheme| Ok(self.value(scheme))).unwrap()
    }

    fn front(&self) -> Vec<PokaPoint> {
        best_of_each(&self.space(), &|scheme| Ok(self.value(scheme))).unwrap()
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
        let point = prop_oneof![
            9 => (1..8_u8, 0..8_u8).prop_map(|(k, loss)| Some((f64::from(k), f64::from(loss)))),
            1 => Just(None),
        ];
        let all = nodes(&top);
        vec(point, all.len()).prop_map(move |points| {
            let valued =
                |p: Option<(f64, f64)>| p.map(|(strength, loss)| Valued { strength, loss });
            let points = all.iter().cloned().zip(points.into_iter().map(valued)).collect();
            Drawn { top: top.clone(), points }
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
        let valued = |node: &Node| {
            Some(Valued { strength: 2.0 + climbed(node, |s| s.0), loss: climbed(node, |s| s.1) })
        };
        let points = nodes(&top).into_iter().map(|node| (node.clone(), valued(&node))).collect();
        Drawn { top, points }
    })
}

/// The published functions without their lists of earlier searches, so that only the rule itself
/// decides. Corrected as the source needs: the depth is capped, there may be no next node, an
/// immediate neighbour is used only if it comes after the base, and ties are decided by levels.
struct Published<'a> {
    drawn: &'a Drawn,
    evaluated: RefCell<BTreeSet<Node>>,
}

type Best = Option<(Node, Valued)>;

impl Published<'_> {
    fn evaluate(&self, node: &Node) -> Option<Valued> {
        self.evaluated.borrow_mut().insert(node.clone());
        self.drawn.points[node]
    }

    fn run(&self, d: u32, weakest: f64) -> Vec<(Node, Valued)> {
        let mut found = Vec::new();
        let mut n = self.evaluate(&self.drawn.top).map(|valued| (self.drawn.top.clone(), valued));
        while let Some(base) = n {
            found.push(base.clone());
            let height: u32 = base.0.iter().map(|&level| u32::from(level)).sum();
            let stop = base.1.strength <= weakest || height == 0;
            n = if stop { None } else { self.depth_search(&base.0, &base, d.clamp(1, height)) };
        }
        found
    }

    fn depth_search(&self, p: &Node, n: &(Node, Valued), d: u32) -> Best {
        let mut best = None;
        for c in children(p, |i, level| (level > 0).then(|| (i, level - 1))) {
            let q = if apart(&c, &n.0) != d {
                self.depth_search(&c, n, d)
            } else if d == 1 {
                let used = self.evaluate(&c).is_some_and(|valued| after(valued, n.1));
                self.height_search(&c, used, n)
            } else {
                self.height_search(&c, false, n)
            };
            best = better(best, q);
        }
        best
    }

    fn height_search(&self, p: &Node, used: bool, n: &(Node, Valued)) -> Best {
        let mut best = used.then(|| (p.clone(), self.evaluate(p).unwrap()));
        for c in children(p, |i, level| (level < self.drawn.top[i]).then(|| (i, level + 1))) {
            let below = c.iter().zip(&n.0).all(|(c, n)| c <= n);
            let q = if below && apart(&c, &n.0) > 1 {
                self.height_search(&c, false, n)
            } else if self.evaluate(&c).is_some_and(|valued| after(valued, n.1)) {
                self.height_search(&c, true, n)
            } else {
                None
            };
            best = better(best, q);
        }
        best
    }
}

fn children(p: &Node, step: impl Fn(usize, u8) -> Option<(usize, u8)>) -> Vec<Node> {
    let changed = |(i, level): (usize, u8)| {
        let mut child = p.clone();
        child[i] = level;
        child
    };
    p.iter().enumerate().filter_map(|(i, &level)| step(i, level)).map(changed).collect()
}

fn apart(a: &Node, b: &Node) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

fn after(one: Valued, base: Valued) -> bool {
    one.strength < base.strength && one.loss < base.loss
}

fn better(one: Best, other: Best) -> Best {
    let (Some(a), Some(b)) = (&one, &other) else { return one.or(other) };
    let by_strength = b.1.strength.total_cmp(&a.1.strength);
    let order = by_strength.then(a.1.loss.total_cmp(&b.1.loss)).then(a.0.cmp(&b.0));
    let wins = order.is_gt();
    if wins { other } else { one }
}

fn as_nodes(points: &[PokaPoint]) -> Vec<(Node, Valued)> {
    let node = |found: &PokaPoint| found.scheme.levels().iter().map(|&l| u8::from(l)).collect();
    points.iter().map(|found| (node(found), found.valued)).collect()
}

#[test]
fn the_search_follows_the_published_pseudo_code() {
    let missed = RefCell::new(0);
    let inputs = (prop_oneof![lawless(), growing()], 1..=6_u32, 0..5_u8);
    check(1500, &inputs, |(drawn, depth, weakest)| {
        let published = Published { drawn: &drawn, evaluated: RefCell::default() };
        let expected = published.run(depth, weakest.into());
        let found = drawn.search(depth, weakest.into());
        prop_assert_eq!(as_nodes(&found.points), expected);
        prop_assert_eq!(found.evaluated, published.evaluated.borrow().len());
        *missed.borrow_mut() += usize::from(found.points.len() < drawn.front().len());
        Ok(())
    });
    // A search that always found everything would not be this one.
    assert!(missed.into_inner() > enough(100));
}

#[test]
fn searched_to_the_bottom_of_a_growing_lattice_nothing_is_missed() {
    check(300, &growing(), |drawn| {
        let height = drawn.top.iter().map(|&level| u32::from(level)).sum();
        let found = drawn.search(height, f64::NEG_INFINITY);
        let points = |all: &[PokaPoint]| all.iter().map(|f| f.valued).collect::<Vec<_>>();
        prop_assert_eq!(points(&found.points), points(&drawn.front()));
        Ok(())
    });
}

#[test]
fn the_exact_front_has_each_point_that_no_other_dominates_once() {
    check(1000, &lawless(), |drawn| {
        let all: Vec<Valued> = drawn.points.values().flatten().copied().collect();
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
        let front = drawn.front();
        let found: Vec<(u64, u64)> =
            front.iter().map(|f| (f.valued.strength as u64, f.valued.loss as u64)).collect();
        prop_assert!(found.is_sorted_by(|a, b| a > b), "the strongest first, each once");
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), undominated);
        // Of schemes with the same point the first by levels represents all.
        for found in &as_nodes(&front) {
            let same = drawn.points.iter().find(|(_, point)| **point == Some(found.1));
            prop_assert_eq!(same.map(|(node, _)| node), Some(&found.0));
        }
        Ok(())
    });
}

/// Strengths that rise with every level, and losses that do but for what suppression adds: what
/// union-monotone models and measures that rise with suppression are.
fn lawful() -> impl Strategy<Value = (Drawn, BTreeMap<Node, f64>)> {
    growing().prop_flat_map(|drawn| {
        let extra = vec((0..4_u8, 0..30_u8), drawn.points.len());
        extra.prop_map(move |extra| {
            let floors: BTreeMap<Node, f64> =
                drawn.points.iter().map(|(node, p)| (node.clone(), p.unwrap().loss)).collect();
            let mut lawful = drawn.clone();
            for (point, (some, extra)) in lawful.points.values_mut().zip(extra) {
                let valued = point.as_mut().unwrap();
                valued.strength = (valued.strength / 8.0).floor(); // ties
                valued.loss += if some == 0 { f64::from(extra) } else { 0.0 };
                if valued.strength < 1.0 {
                    *point = None;
                }
            }
            (lawful, floors)
        })
    })
}

/// The rule for ground nodes of our own: no point of the exact front is lost, and none is wrong,
/// whether the levels alone bound the loss or evaluated schemes do.
#[test]
fn ceilings_lose_no_point_of_the_front() {
    let fewer = std::cell::Cell::new((0, 0));
    check(400, &(lawful(), any::<bool>()), |((drawn, floors), by_levels)| {
        let floor = |scheme: &Scheme| {
            floors[&scheme.levels().iter().map(|&level| u8::from(level)).collect::<Node>()]
        };
        let bounds = LossBounds {
            by_levels: &|scheme| by_levels.then(|| floor(scheme)),
            unsuppressed: &|scheme| Ok(floor(scheme)),
        };
        let evaluate = |scheme: &Scheme| Ok(drawn.value(scheme));
        let found = poka_by_ceilings(&drawn.space(), 0.0, &evaluate, &bounds).unwrap();
        let values = |points: &[PokaPoint]| points.iter().map(|p| p.valued).collect::<Vec<_>>();
        prop_assert_eq!(values(&found.points), values(&drawn.front()));
        let (evaluated, all) = fewer.get();
        fewer.set((evaluated + found.evaluated, all + drawn.points.len()));
        Ok(())
    });
    let (evaluated, all) = fewer.get();
    println!("{evaluated} of {all} evaluated");
    assert!(evaluated < all);
}

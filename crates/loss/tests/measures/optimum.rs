//! The best schemes by a measure are those that sorting all schemes finds.

use std::cell::RefCell;
use std::collections::BTreeMap;

use haggle_cube::{Lattice, Weighed};
use haggle_loss::CATALOG;
use haggle_model::Scheme;
use haggle_search::optimize::{Ranked, optimize};
use haggle_search::{Error, HeightRelaxation, LatticeRequest, LowerBound, Objective, Requirement};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::losses;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sides::{Case, CatalogLoss, Sides, cases, levels, same};

/// A request on a table: thresholds by column, maximum levels, a limit, and how many answers.
#[derive(Debug, Clone)]
struct Asked {
    requirements: Vec<Requirement>,
    caps: Vec<u8>,
    limit: u64,
    most: usize,
}

fn asked() -> impl Strategy<Value = (Case, Asked)> {
    let alone = (0..3_usize, 2..7_u8).prop_map(|one| vec![one]);
    let together = (2..7_u8, 1..3_usize, 2..4_u8).prop_map(|(k, on, l)| vec![(0, k), (on, l)]);
    let requirements = prop_oneof![2 => alone, 1 => together];
    let limit = prop_oneof![1 => Just(0_u64), 3 => 0..60_u64];
    let caps = vec(prop_oneof![2 => Just(u8::MAX), 1 => any::<u8>()], 3);
    (cases(), requirements, caps, limit, 1..=5_usize).prop_map(
        |(case, requirements, mut caps, limit, most)| {
            caps.truncate(case.table.attributes.len());
            let requirement = |(column, threshold): (usize, u8)| Requirement {
                column,
                threshold: f64::from(threshold),
            };
            let requirements = requirements.into_iter().map(requirement).collect();
            (case, Asked { requirements, caps, limit, most })
        },
    )
}

impl Asked {
    /// The maximum levels, which exist.
    fn caps(&self, sides: &Sides<'_>) -> Scheme {
        let tops = levels(sides.lattice.space().top());
        let cap = |(&cap, top): (&u8, u8)| if cap == u8::MAX { top } else { cap % (top + 1) };
        Scheme::new(self.caps.iter().zip(tops).map(cap))
    }
}

/// The loss of schemes by the product's measure: aligned with the one histogram, or from the
/// groups.
struct Behind<'a> {
    sides: &'a Sides<'a>,
    judge: &'a CatalogLoss,
    asked: &'a Asked,
    weighed: Vec<Weighed>,
}

impl<'a> Behind<'a> {
    fn new(sides: &'a Sides<'a>, judge: &'a CatalogLoss, asked: &'a Asked) -> Self {
        let columns = asked.requirements.iter().map(|requirement| requirement.column);
        let weighed = columns.map(|column| sides.weighed(judge, column)).collect();
        Self { sides, judge, asked, weighed }
    }

    fn alone(&self, scheme: &Scheme, one: usize) -> f64 {
        let Requirement { column, threshold } = self.asked.requirements[one];
        let lattice = &self.sides.lattice;
        let position = lattice.space().index(scheme);
        let failing = lattice.tables()[column].histogram(position).failing(threshold);
        self.weighed[one].loss(self.judge.loss.as_ref(), scheme, position, failing)
    }
}

impl Objective for Behind<'_> {
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error> {
        if self.weighed.len() == 1 {
            return Ok(self.alone(scheme, 0));
        }
        let kept = kept_labels(self.sides, self.asked, scheme);
        let attributes = self.sides.lattice.cube().attributes();
        Ok(self.sides.of_groups(self.judge, scheme, |codes| {
            let cells = codes.iter().zip(attributes).zip(scheme.levels());
            let labels = cells.map(|((&code, a), &level)| a.hierarchy.label(code, level).into());
            kept[&labels.collect::<Vec<String>>()].0
        }))
    }

    fn lower_bound(&self, scheme: &Scheme) -> Result<LowerBound, Error> {
        let bound = match self.weighed.len() {
            1 => self.alone(scheme, 0),
            n if self.judge.entry.suppressing_costs => {
                // Rounding must not make the bound more than what it bounds.
                let alone = (0..n).map(|one| self.alone(scheme, one));
                let most = alone.fold(f64::NEG_INFINITY, f64::max);
                most - 1e-9 * most.abs().max(1.0)
            }
            _ => f64::NEG_INFINITY,
        };
        Ok(LowerBound::AtLeast(bound))
    }
}

/// Whether each group passes all requirements, and its records.
type Verdicts = BTreeMap<Vec<String>, (bool, u64)>;

fn kept_labels(sides: &Sides<'_>, asked: &Asked, scheme: &Scheme) -> Verdicts {
    let verdict = |group: &haggle_testkit::oracle::Group<'_>| {
        let labels = group.labels.iter().map(|&label| label.into()).collect();
        let passes = asked.requirements.iter().all(|requirement| {
            (sides.defined[requirement.column].of)(group) >= requirement.threshold
        });
        (labels, (passes, group.members.len() as u64))
    };
    sides.oracle.groups(&levels(scheme)).iter().map(verdict).collect()
}

/// A scheme with what it suppresses.
type Candidate = (Scheme, u64);

/// Every scheme that meets the request.
fn candidates(sides: &Sides<'_>, asked: &Asked) -> Vec<Candidate> {
    let caps = asked.caps(sides);
    let all = sides.case.table.records.len() as u64;
    let suppressed = |scheme: Scheme| {
        let verdicts = kept_labels(sides, asked, &scheme);
        let failing = verdicts.values().filter(|(kept, _)| !kept);
        let suppressed = failing.map(|(_, records)| records).sum();
        (scheme, suppressed)
    };
    let under = sides.schemes().into_iter().filter(|scheme| scheme.is_under(&caps));
    under.map(suppressed).filter(|(_, s)| *s <= asked.limit && *s < all).collect()
}

/// The candidates by (loss, height, suppressed, levels), with the losses.
fn sorted(candidates: &[Candidate], loss: impl Fn(&Scheme) -> f64) -> Vec<(f64, Candidate)> {
    let mut sorted: Vec<_> = candidates.iter().map(|one| (loss(&one.0), one.clone())).collect();
    sorted.sort_by(|a, b| {
        let rank = |(_, (scheme, suppressed)): &(f64, Candidate)| {
            (scheme.height(), *suppressed, levels(scheme))
        };
        a.0.total_cmp(&b.0).then_with(|| rank(a).cmp(&rank(b)))
    });
    sorted
}

fn assert_optimal(sides: &Sides<'_>, asked: &Asked, candidates: &[Candidate], judge: &CatalogLoss) {
    let behind = Behind::new(sides, judge, asked);
    let request = LatticeRequest {
        requirements: asked.requirements.clone(),
        negotiable: Vec::new(),
        caps: asked.caps(sides),
        limit: asked.limit,
        height: HeightRelaxation::default(),
    };
    let found = optimize(&sides.lattice, &request, &behind, asked.most).unwrap();

    let expected = sorted(candidates, |scheme| behind.loss(scheme).unwrap());
    let pair = |one: &Ranked| {
        assert_eq!(one.solution.requirements, asked.requirements);
        (one.loss, (one.solution.scheme.clone(), one.solution.suppressed))
    };
    let found: Vec<(f64, Candidate)> = found.iter().map(pair).collect();
    let most = asked.most.min(expected.len());
    assert_eq!(found, expected[..most], "{} {asked:?}", judge.entry.id);

    let table = losses::Losses::of(&sides.case.table);
    let defined = sorted(candidates, |scheme| {
        let verdicts = kept_labels(sides, asked, scheme);
        let kept = |labels: &[&str]| {
            verdicts[&labels.iter().map(|&label| label.into()).collect::<Vec<String>>()].0
        };
        let published = table.published(&levels(scheme), &kept);
        published.loss(judge.entry.id, &sides.case.weights, sides.case.sensitive)
    });
    for ((found, _), (defined, _)) in found.iter().zip(&defined) {
        assert!(same(*found, *defined), "{}: {found}, not {defined}", judge.entry.id);
    }
}

#[test]
fn the_best_schemes_are_the_first_of_all_in_order() {
    let seen: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    check(600, &asked(), |(case, asked)| {
        let sides = Sides::of(&case);
        let candidates = candidates(&sides, &asked);
        for judge in &sides.judges {
            assert_optimal(&sides, &asked, &candidates, judge);
            *seen.borrow_mut().entry(judge.entry.id).or_default() +=
                usize::from(candidates.len() > asked.most);
        }
        Ok(())
    });
    let least = seen.borrow().values().copied().min();
    assert!(least.is_some_and(|times| times >= enough(100)), "of {} measures", CATALOG.len());
}

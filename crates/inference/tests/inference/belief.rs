//! Belief compared with the counting of all worlds, and with the models of the catalog.

use std::collections::BTreeMap;

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, Base, Cube, Group, Statistic};
use haggle_inference::belief::{
    Attacker, BeliefLimits, JointPrior, MarginalPrior, Prior, exposure,
};
use haggle_inference::{JointCounts, PublishedGroups, Suppression};
use haggle_model::{Hierarchy, QuasiIdentifier, Scheme, Watched};
use haggle_privacy::{Arguments, Facts, Setting, Stated, Target};
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::prelude::*;

/// Persons with a quasi-identifier from 0 to 3 and a sensitive value from 0 to 2. Quasi-identifiers
/// 0 and 1 are published as one group, 2 and 3 as another. The first person is the target.
type Persons = Vec<(u32, u32)>;

fn attributes() -> Vec<QuasiIdentifier> {
    vec![QuasiIdentifier { name: "q".into(), hierarchy: Hierarchy::flat(["0", "1", "2", "3"]) }]
}

fn columns() -> Vec<Watched> {
    let values: Vec<Box<str>> = ["a", "b", "c"].map(Box::from).to_vec();
    vec![Watched { name: "s".into(), values: values.into() }]
}

fn side(q: u32) -> ValueSet {
    ValueSet::range(q / 2 * 2..q / 2 * 2 + 2)
}

fn counted<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    keys.for_each(|key| *counts.entry(key).or_default() += 1);
    counts
}

/// The share of worlds in which the target has each value. A world gives every person a sensitive
/// value so that as many persons of each quasi-identifier have each value as in the population, and
/// draws a sample with the target that looks like the publication.
fn by_worlds(population: &Persons, sampled: usize) -> [f64; 3] {
    let known = counted(population.iter().copied());
    let star = |(q, s): (u32, u32)| (q / 2, s);
    let published = counted(population[..sampled].iter().copied().map(star));
    let persons = population.len();
    let mut worlds = [0_u64; 3];
    for assignment in 0..3_u32.pow(persons as u32) {
        let value = |person: usize| assignment / 3_u32.pow(person as u32) % 3;
        let imagined: Persons = (0..persons).map(|p| (population[p].0, value(p))).collect();
        if counted(imagined.iter().copied()) != known {
            continue;
        }
        for sample in (0..1_u32 << persons).filter(|s| s & 1 == 1) {
            let drawn = (0..persons).filter(|p| sample >> p & 1 == 1);
            let looks = counted(drawn.map(|p| star(imagined[p])));
            worlds[value(0) as usize] += u64::from(looks == published);
        }
    }
    let all: u64 = worlds.iter().sum();
    worlds.map(|count| count as f64 / all as f64)
}

fn published<'a>(
    attributes: &'a [QuasiIdentifier],
    columns: &'a [Watched],
    sample: &Persons,
) -> PublishedGroups<'a> {
    let records = sample.iter().map(|&(q, s)| (vec![side(q)], vec![s], 1));
    PublishedGroups::of_file(attributes, columns, records)
}

fn population_prior(population: &Persons) -> JointPrior {
    let mut prior = JointPrior::of_persons(3);
    for &(q, s) in population {
        prior.add(&[q], s, 1.0);
    }
    prior
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(60)))]

    #[test]
    fn belief_is_the_share_of_all_worlds(
        population in proptest::collection::vec((0..4_u32, 0..3_u32), 4..8), part in 0.0..1.0,
    ) {
        let sampled = 2 + (part * (population.len() - 2) as f64) as usize;
        let (attributes, columns) = (attributes(), columns());
        let groups = published(&attributes, &columns, &population[..sampled].to_vec());
        let prior = population_prior(&population);
        let attacker = Attacker::new(&groups, 0, &prior).unwrap();
        let found = attacker.belief(&[population[0].0], None).unwrap();
        let expected = by_worlds(&population, sampled);
        for (value, expected) in expected.into_iter().enumerate() {
            let (least, most) = found.bounds(value);
            prop_assert!((least - expected).abs() < 1e-12 && (least - most).abs() < 1e-15, "{found:?} {expected:?}");
        }
    }
}

#[test]
fn stated_conditionals_are_a_population_in_shares() {
    let population = vec![(0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 2), (2, 0), (3, 1)];
    let (attributes, columns) = (attributes(), columns());
    let groups = published(&attributes, &columns, &vec![(0, 1), (1, 0), (1, 2), (2, 0)]);
    let conditionals = [
        (vec![0], 3.0 / 8.0, vec![1.0 / 3.0, 2.0 / 3.0, 0.0]),
        (vec![1], 3.0 / 8.0, vec![2.0 / 3.0, 0.0, 1.0 / 3.0]),
        (vec![2], 1.0 / 8.0, vec![1.0, 0.0, 0.0]),
        (vec![3], 1.0 / 8.0, vec![0.0, 1.0, 0.0]),
    ];
    let stated = JointPrior::of_conditionals(3, conditionals).unwrap();
    let counted = population_prior(&population);
    for target in 0..3 {
        let belief = |prior: &dyn Prior| {
            Attacker::new(&groups, 0, prior).unwrap().belief(&[target], None).unwrap()
        };
        for value in 0..3 {
            let (one, other) = (belief(&stated).bounds(value).0, belief(&counted).bounds(value).0);
            assert!((one - other).abs() < 1e-12);
        }
    }
    assert!(JointPrior::of_conditionals(3, [(vec![0], 1.0, vec![0.5, 0.1, 0.1])]).is_err());
}

#[test]
fn knowledge_is_a_factor_and_ruling_out_everything_is_a_contradiction() {
    let (attributes, columns) = (attributes(), columns());
    let groups = published(&attributes, &columns, &vec![(0, 0), (0, 1), (1, 1), (2, 2)]);
    let prior = MarginalPrior::new(vec![0.25, 0.25, 0.5]);
    let attacker = Attacker::new(&groups, 0, &prior).unwrap();
    let belief = |alpha: [f64; 3]| attacker.belief(&[0], Some(&alpha)).unwrap();
    assert_eq!(belief([1.0, 1.0, 1.0]).groups[0].1, Some(vec![1.0 / 3.0, 2.0 / 3.0, 0.0]));
    assert_eq!(belief([1.0, 0.0, 1.0]).groups[0].1, Some(vec![1.0, 0.0, 0.0]));
    let doubled = belief([2.0, 1.0, 1.0]);
    assert_eq!(doubled.groups[0].1, Some(vec![0.5, 0.5, 0.0]));
    assert_eq!(doubled.prior, [0.4, 0.2, 0.4], "3.1.6's prior is α·f, renormalized");
    let contradiction = belief([0.0, 0.0, 1.0]);
    assert!(contradiction.is_contradiction());
    let nothing = attacker.belief(&[0], Some(&[0.0; 3])).unwrap_err();
    assert!(nothing.to_string().contains("contradicts"), "{nothing}");
}

#[test]
fn a_prior_that_cannot_be_true_is_an_error() {
    let (attributes, columns) = (attributes(), columns());
    let groups = published(&attributes, &columns, &vec![(0, 0), (1, 0), (2, 1)]);
    let refused = |population: &Persons| {
        Attacker::new(&groups, 0, &population_prior(population)).unwrap_err().to_string()
    };
    let few = refused(&vec![(0, 0), (2, 1), (3, 1)]);
    assert!(few.contains("has 1 persons") && few.contains("2 records"), "{few}");
    let impossible = refused(&vec![(0, 0), (1, 0), (2, 0)]);
    assert!(impossible.contains("rules out"), "{impossible}");
    let prior = population_prior(&vec![(0, 0), (0, 0), (2, 1)]);
    let attacker = Attacker::new(&groups, 0, &prior).unwrap();
    assert!(attacker.belief(&[1], None).unwrap_err().to_string().contains("no one"));
}

#[test]
fn a_suppressed_target_keeps_its_prior_and_overlapping_groups_give_bounds() {
    let (attributes, columns) = (attributes(), columns());
    let records = [
        (vec![ValueSet::range(0..2)], vec![0], 2),
        (vec![ValueSet::range(1..3)], vec![0], 1),
        (vec![ValueSet::range(1..3)], vec![1], 3),
    ];
    let groups = PublishedGroups::of_file(&attributes, &columns, records);
    let prior = MarginalPrior::new(vec![0.2, 0.3, 0.5]);
    let attacker = Attacker::new(&groups, 0, &prior).unwrap();
    let both = attacker.belief(&[1], None).unwrap();
    assert_eq!((both.groups.len(), both.bounds(0)), (2, (0.25, 1.0)));
    let suppressed = attacker.belief(&[3], None).unwrap();
    assert!(suppressed.groups.is_empty());
    assert_eq!(suppressed.bounds(2), (0.5, 0.5));
}

fn shape() -> Shape {
    Shape { attributes: 2, schemes: 12, records: 30, sensitive: 1 }
}

fn some_scheme(cube: &Cube, draw: [u8; 2]) -> Scheme {
    let space = cube.space();
    let top = space.top();
    let levels = top.levels().iter().zip(draw).map(|(&top, d)| d % (u8::from(top) + 1));
    Scheme::new(levels.collect::<Vec<_>>())
}

#[test]
fn the_tables_own_joint_gives_the_same_belief_under_every_scheme() {
    check(200, &(tables_of(shape()), any::<[u8; 2]>()), |(table, draw)| {
        let cube = table.cube().unwrap();
        let (base, joint) = (Base::of(&cube), JointCounts::from_cube(&cube, Some(0)));
        let applied = Applied::levels(cube.attributes(), &base, &some_scheme(&cube, draw));
        let groups = PublishedGroups::new(&joint, &applied, |_| true, Suppression::Dropped);
        let prior = JointPrior::of_table(&joint, 0);
        let attacker = Attacker::new(&groups, 0, &prior).unwrap();
        for row in 0..joint.len() {
            let known: u64 = base.values(row, 0).iter().map(|v| v.count).sum();
            if known == 0 {
                continue;
            }
            let belief = attacker.belief(joint.codes(row), None).unwrap();
            for value in base.values(row, 0) {
                let share = value.count as f64 / known as f64;
                prop_assert!((belief.bounds(value.code as usize).0 - share).abs() < 1e-9);
            }
        }
        Ok(())
    });
}

fn statistic(facts: &Facts, id: &str) -> Box<dyn Statistic> {
    let model = haggle_privacy::find(id).unwrap();
    let numbers = model.parameters.iter().map(|parameter| (parameter.name, parameter.usual()));
    let arguments = Arguments { numbers: numbers.collect(), choices: BTreeMap::new() };
    let negotiated = &model.parameters[0];
    let facts = Some(facts);
    Setting { model, negotiated, arguments: &arguments, facts, unit: None }.statistic().unwrap()
}

#[test]
fn with_the_marginal_prior_exposure_is_the_verdict_of_the_catalog() {
    check(300, &(tables_of(shape()), any::<[u8; 2]>()), |(table, draw)| {
        let cube = table.cube().unwrap();
        let (base, joint) = (Base::of(&cube), JointCounts::from_cube(&cube, Some(0)));
        let applied = Applied::levels(cube.attributes(), &base, &some_scheme(&cube, draw));
        let groups = PublishedGroups::new(&joint, &applied, |_| true, Suppression::Dropped);
        let values = cube.watched()[0].values.clone();
        let mut counts = vec![0_u64; values.len()];
        (0..base.len())
            .flat_map(|row| base.values(row, 0))
            .for_each(|v| counts[v.code as usize] += v.count);
        let target = Target { position: 0, name: cube.watched()[0].name.clone() };
        let concerns: Vec<bool> = counts.iter().map(|count| *count > 0).collect();
        let prior = MarginalPrior::of_counts(&counts);
        let facts = Facts::new(target, values, counts, &Stated::default()).unwrap();
        let limits = BeliefLimits::default();
        let targets = (0..joint.len()).map(|row| (joint.codes(row), joint.count(row)));
        let found = exposure(&groups, 0, &prior, targets, &concerns, &limits).unwrap();
        let failing = |id: &str, threshold: f64| {
            let (statistic, mut failing) = (statistic(&facts, id), 0);
            applied.for_each_group(&base, 0, |_, group: &Group<'_>| {
                failing += if statistic.passes(group, threshold) { 0 } else { group.records };
            });
            failing
        };
        // The catalog compares exact fractions; a belief at the limit may round to either side.
        let at_limit = |share: f64, limit: f64| (share - limit).abs() < 1e-9;
        let mut doubtful = false;
        applied.for_each_group(&base, 0, |_, group| {
            let known: u64 = group.values.iter().map(|value| value.count).sum();
            doubtful |= group.values.is_empty();
            doubtful |= group.values.iter().any(|value| {
                let share = value.count as f64 / known as f64;
                [1.0 - limits.delta, limits.rho2, limits.epsilon]
                    .iter()
                    .any(|l| at_limit(share, *l))
            });
        });
        prop_assume!(!doubtful);
        prop_assert_eq!(found.positive, failing("positive-disclosure", limits.delta));
        prop_assert_eq!(found.negative, failing("negative-disclosure", limits.epsilon));
        prop_assert_eq!(found.breached, failing("rho-privacy", limits.rho2));
        Ok(())
    });
}

#[test]
fn success_needs_a_belief_that_moved_and_ends_high_or_low() {
    let (attributes, columns) = (attributes(), columns());
    let (mut sample, mut likely): (Persons, Persons) = (vec![(0, 0); 9], vec![(0, 0); 9]);
    sample.push((0, 1));
    likely.push((0, 1));
    let limits = BeliefLimits::default();
    let concerns = [true, true, false];
    let of = |sample: &Persons, shares: [f64; 3]| {
        let groups = published(&attributes, &columns, sample);
        let prior = MarginalPrior::new(shares.to_vec());
        let codes: &[u32] = &[0];
        exposure(&groups, 0, &prior, [(codes, 10)], &concerns, &limits).unwrap()
    };
    let surprising = of(&sample, [0.1, 0.8, 0.1]);
    assert_eq!((surprising.positive, surprising.successful), (10, 10));
    assert_eq!((surprising.groups[0].value, surprising.groups[0].records), (0, 10));
    let expected = of(&likely, [0.85, 0.1, 0.05]);
    assert_eq!((expected.positive, expected.successful), (10, 0), "high, but it did not move");
}

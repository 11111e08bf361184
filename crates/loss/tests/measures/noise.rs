//! Noise scanning is an estimate of the mean over all range queries, with the error that it
//! reports.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use haggle_cube::{Base, Loss};
use haggle_loss::{Basis, find};
use haggle_model::Scheme;
use haggle_testkit::Table;
use haggle_testkit::effort;
use haggle_testkit::generate::check;
use haggle_testkit::oracle::definitions::earth_movers_distance;
use proptest::collection::vec;
use proptest::prelude::any;

use super::examples::table;
use super::recodings::{Drawn, drawn};
use super::sides::{Case, Sides, cases, closeness};

/// A range of an attribute: which, from and to.
type Range = (usize, usize, usize);
/// Distances by the records on both sides.
type Distances = HashMap<(Vec<usize>, Vec<usize>), f64>;

/// The expected noise by trying every query, from the records.
struct Exact<'a> {
    case: &'a Case,
    /// The values of each attribute in the order in which ranges run.
    domains: Vec<Vec<String>>,
    values: Vec<String>,
    known: RefCell<Distances>,
}

impl<'a> Exact<'a> {
    fn of(sides: &Sides<'a>) -> Self {
        let domain = |a: &haggle_model::QuasiIdentifier| {
            let codes = 0..a.hierarchy.len(0.into()) as u32;
            codes.map(|code| a.hierarchy.label(code, 0.into()).to_owned()).collect()
        };
        let cube = sides.lattice.cube();
        let mut exact = Self {
            case: sides.case,
            domains: cube.attributes().iter().map(domain).collect(),
            values: Vec::new(),
            known: RefCell::default(),
        };
        exact.values = (0..sides.case.table.records.len()).map(|r| exact.sensitive(r)).collect();
        exact.values.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.total_cmp(&b),
            _ => a.cmp(b),
        });
        exact.values.dedup();
        exact
    }

    fn sensitive(&self, record: usize) -> String {
        let Table { attributes, records, .. } = &self.case.table;
        records[record][attributes.len() + self.case.sensitive].clone()
    }

    fn place(&self, record: usize, attribute: usize) -> usize {
        let value = &self.case.table.records[record][attribute];
        self.domains[attribute].iter().position(|known| known == value).unwrap()
    }

    /// The distance between the sensitive values of some records and of others.
    fn distance(&self, one: &[usize], other: &[usize]) -> f64 {
        let key = (one.to_vec(), other.to_vec());
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let masses = |records: &[usize], times: usize| -> Vec<f64> {
            let count = |value| records.iter().filter(|&&r| self.sensitive(r) == value).count();
            self.values.iter().map(|value| (count(value.clone()) * times) as f64).collect()
        };
        let numbers = self.values.iter().all(|value| value.parse::<f64>().is_ok());
        let apart = |i: usize, j: usize| match (i == j, numbers) {
            (true, _) => 0.0,
            (_, true) => i.abs_diff(j) as f64 / (self.values.len() - 1) as f64,
            _ => 1.0,
        };
        let (from, to) = (masses(one, other.len()), masses(other, one.len()));
        let distance = earth_movers_distance(apart, &from, &to) / (one.len() * other.len()) as f64;
        self.known.borrow_mut().insert(key, distance);
        distance
    }

    /// Every range of an attribute with how often it is drawn: two ends, each value as likely.
    fn ranges(&self, attribute: usize) -> Vec<(f64, usize, usize)> {
        let size = self.domains[attribute].len();
        let often = |from, to| if from == to { 1.0 } else { 2.0 } / (size * size) as f64;
        let to = |from| (from..size).map(move |to| (often(from, to), from, to));
        (0..size).flat_map(to).collect()
    }

    /// Every query with its probability.
    fn queries(&self) -> Vec<(f64, Vec<Range>)> {
        let weights = &self.case.weights;
        let all: f64 = weights.iter().sum();
        let weighing: Vec<usize> = (0..weights.len()).filter(|&a| weights[a] > 0.0).collect();
        let mut queries = Vec::new();
        for &one in &weighing {
            let first = weights[one] / all;
            let alone = if weighing.len() == 1 { 1.0 } else { 0.5 };
            for (often, from, to) in self.ranges(one) {
                queries.push((first * alone * often, vec![(one, from, to)]));
                for &other in weighing.iter().filter(|&&other| other != one) {
                    let both = 0.5 * first * often * weights[other] / (all - weights[one]);
                    queries.extend(
                        self.ranges(other).into_iter().map(|(often, a, b)| {
                            (both * often, vec![(one, from, to), (other, a, b)])
                        }),
                    );
                }
            }
        }
        queries
    }

    /// The mean noise of the records of a group.
    fn noise(&self, group: &[usize]) -> f64 {
        let noise = |(probability, query): &(f64, Vec<Range>)| {
            let selects = |record: &&usize| {
                let inside =
                    |&(a, from, to): &Range| (from..=to).contains(&self.place(**record, a));
                query.iter().all(inside)
            };
            let selected: Vec<usize> = group.iter().filter(selects).copied().collect();
            if selected.is_empty() { 0.0 } else { probability * self.distance(&selected, group) }
        };
        self.queries().iter().map(noise).sum()
    }
}

fn scanning(sides: &Sides<'_>) -> Box<dyn Loss> {
    let cube = sides.lattice.cube();
    let basis = Basis::of(cube).with_weights(sides.case.weights.clone());
    let basis = basis.with_distance(closeness(cube, sides.case.sensitive));
    (find("noise-scanning").unwrap().loss)(&basis).unwrap()
}

/// Six records, no two with the same disease, published as one group.
fn block() -> Case {
    let first = ["1 *", "2 *", "3 *", "7 *", "8 *"];
    let second = ["1 *", "2 *", "3 *", "4 *", "5 *"];
    let records = ["1 3 s1", "2 4 s2", "2 5 s3", "3 2 s4", "7 4 s5", "8 1 s6"];
    Case { table: table(&[&first, &second], &records), weights: vec![1.0; 2], sensitive: 0 }
}

/// The first attribute up to 3 selects four of the six: each disease with 1/4 instead of 1/6. With
/// only that attribute, all ranges are few enough to be counted by hand.
#[test]
fn the_published_block_is_as_noisy_as_its_queries() {
    let case = block();
    let sides = Sides::of(&case);
    let exact = Exact::of(&sides);
    let all: Vec<usize> = (0..6).collect();
    let third = exact.distance(&[0, 1, 2, 3], &all);
    assert!((third - 1.0 / 3.0).abs() < 1e-9, "the query of the source: {third}");
    let (loss, error) = sides.estimate(scanning(&sides).as_ref(), &Scheme::new([1, 1]), |_| true);
    let (expected, error) = (exact.noise(&all), error.unwrap());
    assert!(error > 0.0 && error < 0.1, "{error}");
    assert!((loss - expected).abs() < 4.0 * error, "{loss} ± {error}, not {expected}");
    let (recorded, none) =
        sides.estimate(scanning(&sides).as_ref(), &Scheme::new([0, 0]), |_| true);
    assert!(recorded == 0.0 && none == Some(0.0), "as recorded there is no noise");
    let (gone, _) = sides.estimate(scanning(&sides).as_ref(), &Scheme::new([1, 1]), |_| false);
    assert!((gone - 1.0).abs() < 1e-12, "suppressed records have the maximum noise: {gone}");
}

/// The records that look alike under a scheme.
fn grouped(sides: &Sides<'_>, exact: &Exact<'_>, scheme: &Scheme) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    let attributes = sides.lattice.cube().attributes();
    for record in 0..sides.case.table.records.len() {
        let above = |(position, attribute): (usize, &haggle_model::QuasiIdentifier)| {
            let code = exact.place(record, position) as u32;
            attribute.hierarchy.ancestor(code, scheme.level(position))
        };
        let codes = attributes.iter().enumerate().map(above).collect();
        groups.entry(codes).or_default().push(record);
    }
    groups.into_values().collect()
}

/// Over many tables the estimates deviate as much as their errors say, in both directions equally.
/// Summed before they are compared: the error of a noise that few queries meet is an estimate from
/// few, too.
#[test]
fn estimates_deviate_as_much_as_they_report() {
    let sums = Cell::new([0.0; 3]);
    let count = Cell::new(0);
    // A spread needs 600 cases in the short tests, too.
    check(effort::pick(3000, 600), &cases(), |case| {
        let sides = Sides::of(&case);
        let (exact, loss) = (Exact::of(&sides), scanning(&sides));
        for scheme in sides.schemes().into_iter().step_by(3) {
            let (found, error) = sides.estimate(loss.as_ref(), &scheme, |_| true);
            let groups = grouped(&sides, &exact, &scheme);
            let noise = |group: &Vec<usize>| group.len() as f64 * exact.noise(group);
            let all = case.table.records.len() as f64;
            let expected = groups.iter().map(noise).sum::<f64>() / all;
            let (off, error) = (found - expected, error.unwrap());
            assert!(off.abs() < 6.0 * error + 0.01, "{found} ± {error}, not {expected}");
            let [offs, squares, variances] = sums.get();
            sums.set([offs + off, squares + off * off, variances + error * error]);
            count.set(count.get() + u32::from(error > 0.0));
        }
        Ok(())
    });
    let [off, squares, variance] = sums.get();
    assert!(count.get() > 300, "only {} estimates", count.get());
    let (bias, spread) = (off / variance.sqrt(), squares / variance);
    assert!(bias.abs() < 4.0, "all together are off by {bias} standard errors");
    assert!((0.8..1.25).contains(&spread), "the mean squared error is {spread} variances");
}

/// Estimates also deviate as reported on cuts, boxes and levels by part, with some groups
/// suppressed. Small tables have many groups of the same rows, which are evaluated with the same
/// queries, so errors are less independent than above.
#[test]
fn estimates_hold_on_cuts_boxes_and_parts() {
    let sums = RefCell::new([[0.0_f64; 3]; 3]);
    let inputs = (cases(), vec((any::<u8>(), any::<u8>()), 0..12), 0..3_usize);
    check(500, &inputs, |(case, draws, least)| {
        let sides = Sides::of(&case);
        let (exact, loss) = (Exact::of(&sides), scanning(&sides));
        let cube = sides.lattice.cube();
        let (base, bottom) = (Base::of(cube), cube.space().bottom());
        let drawn = drawn(&case, cube, &base, &draws);
        for (Drawn { applied, sets }, sums) in drawn.iter().zip(sums.borrow_mut().iter_mut()) {
            let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
            for (record, set) in sets.iter().enumerate() {
                groups.entry(set).or_default().push(record);
            }
            // The deviation of suppressed records is the largest distance, which is 1 here.
            let noise = |group: &Vec<usize>| {
                group.len() as f64 * if group.len() > least { exact.noise(group) } else { 1.0 }
            };
            let expected = groups.values().map(noise).sum::<f64>() / sets.len() as f64;
            let mut counted = Vec::new();
            applied.for_each_group(&base, 0, |_, group| counted.push(group.records as usize));
            let (found, error) =
                applied.loss(&base, &bottom, loss.as_ref(), |p| counted[p] > least);
            let (off, error) = (found - expected, error.unwrap());
            assert!(off.abs() < 6.0 * error + 0.01, "{found} ± {error}, not {expected}");
            *sums = [sums[0] + off, sums[1] + off * off, sums[2] + error * error];
        }
        Ok(())
    });
    for [off, squares, variance] in sums.into_inner() {
        let (bias, spread) = (off / variance.sqrt(), squares / variance);
        assert!(bias.abs() < 5.0, "all together are off by {bias} standard errors");
        assert!((0.4..2.5).contains(&spread), "the mean squared error is {spread} variances");
    }
}

//! Negotiation over every model, and over several together, finds what trying every scheme finds,
//! with each group evaluated by the definitions on its records.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_cube::{Column, FullLattice, Lattice, Limits, Merging, Passing, Statistic};
use haggle_model::Scheme;
use haggle_privacy::{CATALOG, Parameter};
use haggle_search::{
    HeightRelaxation, LatticeAnswer, LatticeRequest, Negotiable, Requirement, Solution, negotiate,
};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::{Oracle, definitions};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::sample::{Asked, Sample, asked, asked_of, samples};

/// A small table whose sensitive values are "0", "10", …, at most five of them.
fn tables() -> impl Strategy<Value = Table> {
    let shape = Shape { attributes: 3, schemes: 24, records: 60, sensitive: 1 };
    tables_of(shape).prop_map(|mut table| {
        table.sensitive.truncate(1);
        let column = table.attributes.len();
        let few = |value: &str| value.bytes().map(u32::from).sum::<u32>() % 5;
        let all: BTreeSet<u32> = table.records.iter().map(|r| few(&r[column])).collect();
        for record in &mut table.records {
            let place = all.iter().position(|&v| v == few(&record[column])).unwrap();
            record[column] = (10 * place).to_string();
            record.truncate(column + 1);
        }
        table
    })
}

/// The distribution of the sensitive values of a table.
fn spread(table: &Table) -> Vec<u64> {
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for record in &table.records {
        *counts.entry(record.last().unwrap().parse::<usize>().unwrap() / 10).or_default() += 1;
    }
    counts.into_values().collect()
}

/// A table, what is stated about its sensitive attribute, and a draw of caps and limit.
#[derive(Debug, Clone)]
struct Case {
    table: Table,
    sample: Sample,
    caps: Vec<Index>,
    limit: u32,
}

fn cases() -> impl Strategy<Value = Case> {
    tables().prop_flat_map(|table| {
        let caps = vec(any::<Index>(), table.attributes.len());
        let sample = samples(spread(&table));
        (Just(table), sample, caps, prop_oneof![2 => Just(0_u32), 5 => 0..60_u32])
            .prop_map(|(table, sample, caps, limit)| Case { table, sample, caps, limit })
    })
}

/// The definitions' side: every scheme with its groups' records.
struct Truth<'a> {
    oracle: &'a Oracle<'a>,
    sample: &'a Sample,
    caps: Vec<u8>,
    limit: u64,
    records: u64,
}

type Offer = (Vec<u8>, u64);

impl Truth<'_> {
    fn suppressed(&self, levels: &[u8], asked: &[(&Asked, Option<(&str, f64)>)]) -> u64 {
        let (stated, table) = (self.sample.stated(), self.sample.records(&self.sample.counts));
        let fails = |values: &[&str]| {
            asked.iter().any(|(asked, replaced)| {
                let parameters = asked.parameters(*replaced);
                !definitions::passes(asked.model.id, &parameters, &stated, values, &table)
            })
        };
        let groups = self.oracle.groups(levels);
        let values = |g: &haggle_testkit::oracle::Group<'_>| -> Vec<String> {
            g.members.iter().map(|member| member[0].clone()).collect()
        };
        let groups = groups.iter().map(values);
        groups
            .filter(|group| fails(&group.iter().map(String::as_str).collect::<Vec<_>>()))
            .map(|group| group.len() as u64)
            .sum()
    }

    /// Every scheme that keeps a record, with what it suppresses, best first.
    fn schemes(&self, asked: &[(&Asked, Option<(&str, f64)>)]) -> Vec<Offer> {
        let all = self.oracle.schemes().into_iter();
        let mut all: Vec<Offer> = all
            .map(|levels| (levels.clone(), self.suppressed(&levels, asked)))
            .filter(|(_, suppressed)| *suppressed < self.records)
            .collect();
        all.sort_by_key(|(levels, suppressed)| (height(levels), *suppressed, levels.clone()));
        all
    }

    fn under(&self, levels: &[u8]) -> bool {
        levels.iter().zip(&self.caps).all(|(level, cap)| level <= cap)
    }

    fn exact(&self, schemes: &[Offer]) -> Option<Offer> {
        let fits = |o: &&Offer| self.under(&o.0) && o.1 <= self.limit;
        schemes.iter().find(fits).cloned()
    }
}

fn height(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}

fn offer(solution: &Solution) -> Offer {
    let levels = solution.scheme.levels().iter().map(|&level| level.into()).collect();
    (levels, solution.suppressed)
}

/// The product's side: the lattice of what is requested, and the request.
struct Product {
    lattice: FullLattice,
    numbers: Vec<(usize, &'static Parameter)>,
    request: LatticeRequest,
}

impl Product {
    fn of(case: &Case, asked: &[Asked]) -> Option<Self> {
        let facts = case.sample.facts();
        let mut statistics: Vec<Box<dyn Statistic>> = Vec::new();
        let (mut requirements, mut negotiable, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (requirement, asked) in asked.iter().enumerate() {
            for (i, (parameter, threshold)) in asked.negotiated().into_iter().enumerate() {
                let column = statistics.len();
                statistics.push(asked.statistic(&facts, parameter)?);
                numbers.push((requirement, parameter));
                negotiable.push(Negotiable { requirement, column });
                if i == 0 {
                    requirements.push(Requirement { column, threshold });
                }
            }
        }
        let cube = case.table.cube().unwrap();
        let tops = cube.space().top().clone();
        let caps = case.caps.iter().zip(tops.levels());
        let caps = caps.map(|(index, &top)| index.index(usize::from(u8::from(top)) + 1) as u8);
        let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
        let rows = asked.len() > 1;
        let limits = Limits::default();
        Some(Self {
            lattice: FullLattice::tabulate(
                cube.into(),
                &statistics,
                rows,
                limits,
                &haggle_model::Silent,
            )
            .unwrap(),
            numbers,
            request: LatticeRequest {
                requirements,
                negotiable,
                caps: Scheme::new(caps),
                limit: u64::from(case.limit) * case.table.records.len() as u64 / 100,
                height: HeightRelaxation::Lowest,
            },
        })
    }

    /// Every value that a statistic takes under the caps, weakest first.
    fn values(&self, column: usize) -> Vec<f64> {
        let part = self.lattice.space().under(&self.request.caps);
        let schemes = part.heights().flat_map(|height| part.at_height(height));
        let mut values: Vec<f64> = schemes
            .flat_map(|scheme| {
                let annotated = self.lattice.annotate(&scheme).unwrap();
                annotated.histogram(column).bins().map(|bin| bin.value).collect::<Vec<_>>()
            })
            .collect();
        let comparison = self.lattice.column(column).comparison;
        values.sort_by(|a, b| comparison.by_strength(*a, *b));
        values.dedup();
        values
    }
}

/// Returns a threshold beyond the offered one, below what the next stronger statistic passes; none
/// if nothing is stronger.
fn stronger(column: &Column, values: &[f64], offered: f64) -> Option<f64> {
    let beyond = |value: &&f64| {
        let passed = column.comparison.passed_by(**value);
        column.comparison.by_strength(passed, offered).is_gt()
    };
    let next = values.iter().find(beyond).filter(|next| next.is_finite())?;
    let between = f64::midpoint(offered, *next);
    let within = column.comparison.by_strength(between, column.strongest).is_le();
    // Closer than this the definitions' own tolerance would decide.
    (within && (between - offered).abs() > 1e-7).then_some(between)
}

/// How often each answer occurred.
type Seen = BTreeMap<&'static str, u32>;

fn assert_negotiation(case: &Case, asked: &[Asked], seen: &RefCell<Seen>) {
    let Some(product) = Product::of(case, asked) else { return };
    let oracle = Oracle::of(&case.table);
    let truth = Truth {
        oracle: &oracle,
        sample: &case.sample,
        caps: product.request.caps.levels().iter().map(|&level| level.into()).collect(),
        limit: product.request.limit,
        records: case.table.records.len() as u64,
    };
    let plain: Vec<(&Asked, Option<(&str, f64)>)> = asked.iter().map(|a| (a, None)).collect();
    let schemes = truth.schemes(&plain);
    let count = |what| *seen.borrow_mut().entry(what).or_default() += 1;
    let found = negotiate(&product.lattice, &product.request).unwrap().answer;
    let expected = truth.exact(&schemes);
    match found {
        LatticeAnswer::Exact(solution) => {
            count("exact");
            assert_eq!(Some(offer(&solution)), expected, "{asked:?}");
            assert_attained(&solution, &product);
        }
        LatticeAnswer::Relaxed(relaxed) => {
            count("relaxed");
            assert_eq!(None, expected, "{asked:?}");
            let fewest = schemes.iter().filter(|o| truth.under(&o.0)).min_by_key(|o| o.1).cloned();
            assert_eq!(relaxed.suppression.as_ref().map(offer), fewest, "{asked:?}");
            let lowest = schemes.iter().find(|o| o.1 <= truth.limit).cloned();
            assert_eq!(relaxed.height.as_ref().map(offer), lowest, "{asked:?}");
            for (column, found) in relaxed.privacy.iter().enumerate() {
                let offered = assert_privacy(column, found.as_ref(), &product, &truth, asked);
                count(if offered { "privacy" } else { "no privacy" });
            }
            assert_closest(&product, &truth, &schemes);
        }
    }
}

/// The strongest threshold was offered: it is feasible, by the lowest scheme, and no stronger one
/// is.
fn assert_privacy(
    column: usize,
    found: Option<&Solution>,
    product: &Product,
    truth: &Truth<'_>,
    asked: &[Asked],
) -> bool {
    let (requirement, parameter) = product.numbers[column];
    let about = product.lattice.column(column);
    let feasible = |threshold: f64| {
        let replaced = asked
            .iter()
            .enumerate()
            .map(|(i, asked)| (asked, (i == requirement).then_some((parameter.name, threshold))));
        truth.exact(&truth.schemes(&replaced.collect::<Vec<_>>()))
    };
    let values = product.values(column);
    let Some(solution) = found else {
        // Nothing protects: not even a threshold that every finite statistic passes.
        let weak = values.iter().find(|value| value.is_finite()).copied();
        if let Some(threshold) = weak.and_then(|value| about.offered(value)) {
            assert_eq!(feasible(threshold), None, "{} = {threshold} {asked:?}", parameter.name);
        }
        return false;
    };
    let threshold = solution.requirements[requirement].threshold;
    assert_eq!(solution.requirements[requirement].column, column);
    // The number next to a strict bound is within the definitions' tolerance of it.
    let nudged = match about.comparison {
        Passing::Above => threshold - 1e-6,
        _ => threshold,
    };
    let expected = feasible(nudged);
    assert_eq!(Some(offer(solution)), expected, "{} = {threshold} {asked:?}", parameter.name);
    if let Some(beyond) = stronger(about, &values, threshold).filter(|_| !parameter.whole) {
        assert_eq!(feasible(beyond), None, "{} = {beyond} beyond {threshold}", parameter.name);
    }
    if parameter.whole && threshold < about.strongest {
        let beyond = threshold + 1.0;
        assert_eq!(feasible(beyond), None, "{} = {beyond} beyond {threshold}", parameter.name);
    }
    true
}

/// The weakest statistics of the groups kept meet the request, and some group has each of them.
fn assert_attained(solution: &Solution, product: &Product) {
    let annotated = product.lattice.annotate(&solution.scheme).unwrap();
    for (requirement, attained) in solution.requirements.iter().zip(&solution.attained) {
        let comparison = product.lattice.column(requirement.column).comparison;
        assert!(comparison.passes(*attained, requirement.threshold));
        let histogram = annotated.histogram(requirement.column);
        assert!(histogram.bins().any(|bin| bin.value == *attained));
    }
}

fn assert_closest(product: &Product, truth: &Truth<'_>, schemes: &[Offer]) {
    let beyond = |levels: &[u8]| -> u32 {
        levels.iter().zip(&truth.caps).map(|(l, c)| u32::from(l.saturating_sub(*c))).sum()
    };
    let fits = schemes.iter().filter(|o| o.1 <= truth.limit);
    let expected = fits.min_by_key(|o| (beyond(&o.0), height(&o.0), o.1, o.0.clone())).cloned();
    let request = LatticeRequest { height: HeightRelaxation::Closest, ..product.request.clone() };
    let LatticeAnswer::Relaxed(found) = negotiate(&product.lattice, &request).unwrap().answer
    else {
        panic!("the height relaxation does not change what is feasible")
    };
    assert_eq!(found.height.as_ref().map(offer), expected);
    let request = LatticeRequest { height: HeightRelaxation::Published, ..product.request.clone() };
    let columns = product.request.requirements.iter().map(|r| product.lattice.column(r.column));
    let monotone = columns.map(|column| column.kind).max() == Some(Merging::UnionMonotone);
    assert_eq!(negotiate(&product.lattice, &request).is_ok(), monotone, "refused where unsound");
}

#[test]
fn negotiation_by_every_model_is_that_of_its_definition() {
    for model in CATALOG {
        let seen = RefCell::default();
        check(300, &(cases(), asked_of(model)), |(case, asked)| {
            assert_negotiation(&case, &[asked], &seen);
            Ok(())
        });
        let seen: Seen = seen.into_inner();
        let times = |what| seen.get(what).copied().unwrap_or(0);
        assert!(times("exact") + times("relaxed") >= enough(100), "{}: {seen:?}", model.id);
    }
}

#[test]
fn negotiation_by_several_models_is_that_of_their_definitions() {
    let seen = RefCell::default();
    check(600, &(cases(), vec(asked(), 2..4)), |(case, asked)| {
        assert_negotiation(&case, &asked, &seen);
        Ok(())
    });
    let seen: Seen = seen.into_inner();
    for what in ["exact", "relaxed", "privacy", "no privacy"] {
        assert!(seen.get(what).copied().unwrap_or(0) >= enough(60), "{what}: {seen:?}");
    }
}

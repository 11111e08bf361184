//! A random request on a random table, as a task for a strategy and as evaluated from records.

use std::collections::{BTreeMap, BTreeSet};

use haggle_cube::{Base, BoxEnds, Cube, Loss, Statistic};
use haggle_loss::{Basis, Measure};
use haggle_model::{Level, QuasiIdentifier, Scheme, SharesTaken, Silent};
use haggle_privacy::{
    Arguments, DistinctLDiversity, Facts, KAnonymity, Setting, TCloseness, Target,
};
use haggle_search::strategies::{self, Ending, StrategyOutcome, Task, TaskCriterion, Weight};
use haggle_testkit::Table;
use haggle_testkit::generate::{Shape, tables_of};
use haggle_testkit::oracle::definitions::{self, Parameters, Stated};
use proptest::collection::vec;
use proptest::prelude::*;

/// A privacy model and its threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    K(u8),
    L(u8),
    /// Frequency l-diversity: closed.
    Frequency(f64),
    T(f64),
}

/// A request on a table with one sensitive attribute at least.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) table: Table,
    pub(crate) asked: Vec<Asked>,
    pub(crate) limit: u64,
    pub(crate) caps: Vec<u8>,
    pub(crate) box_ends: BoxEnds,
}

impl Case {
    pub(crate) fn cube(&self) -> Cube {
        self.table.cube().unwrap()
    }

    /// The caps that exist.
    pub(crate) fn caps(&self, cube: &Cube) -> Scheme {
        let tops = cube.space().top().clone();
        let cap = |(&top, &draw): (&Level, &u8)| {
            if draw < 128 { u8::from(top) } else { draw % (u8::from(top) + 1) }
        };
        Scheme::new(tops.levels().iter().zip(self.caps.iter().cycle()).map(cap))
    }

    /// Whether records with these sensitive values pass, by definition.
    pub(crate) fn passes(&self, records: &[usize]) -> bool {
        let column = self.table.attributes.len();
        let all: Vec<&str> = self.table.records.iter().map(|r| r[column].as_str()).collect();
        let group: Vec<&str> = records.iter().map(|&r| all[r]).collect();
        let mut order: Vec<String> = all.iter().map(ToString::to_string).collect();
        order.sort_by_key(|value| value.parse::<i64>().unwrap());
        order.dedup();
        self.asked.iter().all(|asked| {
            let (model, name, number) = match *asked {
                Asked::K(k) => return records.len() >= k.into(),
                Asked::L(l) => ("distinct-l-diversity", "l", f64::from(l)),
                Asked::Frequency(l) => ("frequency-l-diversity", "l", l),
                Asked::T(t) => ("t-closeness", "t", t),
            };
            let parameters = Parameters {
                numbers: [(name.into(), number)].into(),
                choices: [("distance".into(), "ordered".into())].into(),
            };
            let stated = Stated { order: order.clone(), ..Stated::default() };
            definitions::passes(model, &parameters, &stated, &group, &all)
        })
    }
}

fn facts(cube: &Cube) -> Facts {
    let watched = &cube.watched()[0];
    let mut counts = vec![0; watched.values.len()];
    cube.for_each_group(cube.space().top(), 0, |_, group| {
        for value in group.values {
            counts[value.code as usize] += value.count;
        }
    });
    Facts::plain(Target { position: 0, name: watched.name.clone() }, watched.values.clone(), counts)
}

fn statistic(asked: Asked, cube: &Cube) -> (Box<dyn Statistic>, f64) {
    let facts = facts(cube);
    match asked {
        Asked::K(k) => (Box::new(KAnonymity::of_records()), k.into()),
        Asked::L(l) => (Box::new(DistinctLDiversity::on(facts.target)), l.into()),
        Asked::Frequency(l) => {
            let model = haggle_privacy::find("frequency-l-diversity").unwrap();
            let arguments = Arguments { numbers: [("l", l)].into(), ..Arguments::default() };
            let negotiated = model.threshold();
            let setting = Setting {
                model,
                negotiated,
                arguments: &arguments,
                facts: Some(&facts),
                unit: None,
            };
            (setting.statistic().unwrap(), l)
        }
        Asked::T(t) => (Box::new(TCloseness::on(&facts).unwrap()), t),
    }
}

/// Runs a strategy on a case, weighing by a measure.
pub(crate) fn run(case: &Case, strategy: &strategies::Strategy, measure: &Measure) -> Ran {
    run_by(case, measure, |task| (strategy.run)(task).expect("it is allowed"))
}

/// The outcome, its suppressed parts, and its loss.
pub(crate) struct Ran {
    pub(crate) cube: Cube,
    pub(crate) found: Option<(Box<StrategyOutcome>, u64, f64)>,
}

pub(crate) fn run_by(case: &Case, measure: &Measure, run: impl Fn(&Task<'_>) -> Ending) -> Ran {
    run_weighted(case, measure, &vec![1.0; case.table.attributes.len()], run)
}

/// Runs a strategy with weights of suppressed cells.
pub(crate) fn run_weighted(
    case: &Case,
    measure: &Measure,
    weights: &[f64],
    run: impl Fn(&Task<'_>) -> Ending,
) -> Ran {
    let cube = case.cube();
    let base = Base::of(&cube);
    let basis = Basis::of(&cube).with_class(0);
    let loss: Box<dyn Loss> = (measure.loss)(&basis).unwrap();
    let statistics: Vec<_> = case.asked.iter().map(|&asked| statistic(asked, &cube)).collect();
    let criteria = statistics.iter();
    let criteria = criteria.map(|(s, t)| TaskCriterion { statistic: s.as_ref(), threshold: *t });
    let task = Task {
        cube: &cube,
        base: &base,
        criteria: criteria.collect(),
        caps: case.caps(&cube),
        limit: case.limit,
        loss: loss.as_ref(),
        weight: Weight {
            monotone: measure.monotone,
            suppressing_costs: measure.suppressing_costs,
            additive: measure.additive,
        },
        cell_weights: weights.to_vec(),
        class: Some(0),
        box_ends: case.box_ends,
        progress: &Silent,
        memory: usize::MAX,
    };
    let found = match run(&task) {
        Ending::Found(outcome) => {
            let counted = outcome.split.as_ref().unwrap_or(&base);
            let settled = task.settle_on(counted, &outcome.applied);
            let kept = |part: usize| !settled.fails[part];
            let bottom = cube.space().bottom();
            let loss = outcome.applied.loss(counted, &bottom, task.loss, kept).0;
            Some((outcome, settled.suppressed, loss))
        }
        _ => None,
    };
    Ran { found, cube: case.cube() }
}

/// The records of each published combination, directly from the records' strings; each with the set
/// of recorded values that each cell covers. The set of a starred constant has a star as well.
pub(crate) type Looks = BTreeMap<Vec<BTreeSet<String>>, Vec<usize>>;

/// What every record of the table becomes.
pub(crate) fn looks(case: &Case, cube: &Cube, outcome: &StrategyOutcome) -> Looks {
    let base = Base::of(cube);
    let attributes = cube.attributes();
    let base = outcome.split.as_ref().unwrap_or(&base);
    let recoder = outcome.applied.recoder(attributes, base);
    let (mut looks, mut taken) = (Looks::new(), SharesTaken::default());
    for (i, record) in case.table.records.iter().enumerate() {
        let values: Vec<&str> = record[..attributes.len()].iter().map(AsRef::as_ref).collect();
        let recorded: Option<Vec<u32>> =
            values.iter().zip(attributes).map(|(v, a)| a.hierarchy.code(v)).collect();
        let secret = cube.watched()[0].values.code(&record[attributes.len()]);
        let (recorded, mut codes) = (recorded.unwrap(), vec![0; attributes.len()]);
        let is_known = recoder.recode_next(&recorded, secret, &mut taken, &mut codes);
        assert!(is_known, "it was counted");
        let set = |(p, &code): (usize, &u32)| -> BTreeSet<String> {
            let leaves = recoder.regions(p)[code as usize].leaves.clone();
            let set: BTreeSet<String> = leaves
                .map(|leaf| attributes[p].hierarchy.label(leaf, Level::RECORDED).to_owned())
                .collect();
            assert!(set.contains(values[p]), "what is published holds what was recorded");
            let top = attributes[p].hierarchy.top();
            let label = &*recoder.regions(p)[code as usize].label;
            let is_star = set.len() == 1 && top > Level::RECORDED;
            let is_star = is_star && label == attributes[p].hierarchy.label(0, top);
            set.into_iter().chain(is_star.then(|| "*".to_owned())).collect()
        };
        looks.entry(codes.iter().enumerate().map(set).collect()).or_default().push(i);
    }
    looks
}

/// Whether a published cell says nothing: it covers every value, and the one value of a constant is
/// starred, if it can be.
pub(crate) fn says_nothing(set: &BTreeSet<String>, attribute: &QuasiIdentifier) -> bool {
    let (all, top) = (attribute.hierarchy.len(Level::RECORDED), attribute.hierarchy.top());
    set.len() > all || (set.len() == all && (all > 1 || top == Level::RECORDED))
}

/// Random requests of these privacies.
pub(crate) fn cases(
    asked: impl Strategy<Value = Vec<Asked>>,
    shape: Shape,
    limited: bool,
) -> impl Strategy<Value = Case> {
    let limit = if limited {
        prop_oneof![2 => Just(0_u64), 3 => 0..20_u64].boxed()
    } else {
        Just(0).boxed()
    };
    (tables_of(shape), asked, limit, vec(any::<u8>(), 5)).prop_map(|(table, asked, limit, caps)| {
        let box_ends = BoxEnds::default();
        Case { table, asked, limit, caps, box_ends }
    })
}

/// Privacies under which more general schemes suppress no more.
pub(crate) fn monotone() -> impl Strategy<Value = Vec<Asked>> {
    prop_oneof![
        3 => (2..9_u8).prop_map(|k| vec![Asked::K(k)]),
        1 => (2..4_u8).prop_map(|l| vec![Asked::L(l)]),
        1 => (2..6_u8, 2..4_u8).prop_map(|(k, l)| vec![Asked::K(k), Asked::L(l)]),
    ]
}

/// Privacy models under which merging with a failing group may make a group fail.
pub(crate) fn closed() -> impl Strategy<Value = Vec<Asked>> {
    prop_oneof![
        (10..30_u8).prop_map(|l| vec![Asked::Frequency(f64::from(l) / 10.0)]),
        (1..9_u8).prop_map(|t| vec![Asked::T(f64::from(t) / 16.0)]),
        (2..6_u8, 1..9_u8).prop_map(|(k, t)| vec![Asked::K(k), Asked::T(f64::from(t) / 16.0)]),
    ]
}

/// Small tables with a sensitive attribute.
pub(crate) const SMALL: Shape = Shape { attributes: 3, schemes: 40, records: 80, sensitive: 1 };

/// Whether two losses are the same but for rounding.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

//! Random tables and requests: small enough for brute force, ragged and skewed enough to matter.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::oracle::{Judged, Request};
use crate::{Attribute, Table, effort};

mod hierarchy;
mod wide;

use hierarchy::{Plan, plans};
pub use hierarchy::{careless_rows, hierarchy_rows, repeated_labels};
pub use wide::wide_tables;

/// How large random tables may become.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The most quasi-identifiers; at least one.
    pub attributes: usize,
    /// The most schemes; hierarchies lose levels until there are no more.
    pub schemes: usize,
    /// The most records; at least one.
    pub records: usize,
    /// The fewest sensitive attributes.
    pub sensitive: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { attributes: 5, schemes: 150, records: 300, sensitive: 0 }
    }
}

/// Runs a test on this many inputs in the long tests and on a share of them otherwise: the same ones
/// every time, so that a failure can be reproduced. Panics with the smallest input that fails.
///
/// `PROPTEST_CASES` and `PROPTEST_RNG_SEED` in the environment ask for more or for other inputs.
///
/// ```
/// use haggle_testkit::generate::check;
///
/// check(100, &(1..10_u32), |number| {
///     assert!(number * number < 100);
///     Ok(())
/// });
/// ```
pub fn check<S: Strategy>(
    cases: u32,
    inputs: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let asked = Config::default();
    let more = std::env::var_os("PROPTEST_CASES").map_or(0, |_| asked.cases);
    let mut runner = TestRunner::new(Config {
        cases: effort::cases(cases).max(more),
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(0x1234_5678),
            fixed @ RngSeed::Fixed(_) => fixed,
        },
        failure_persistence: None,
        ..asked
    });
    if let Err(error) = runner.run(inputs, test) {
        panic!("{error}");
    }
}

/// Tables of the default shape with 0 to 2 sensitive attributes.
///
/// ```
/// use haggle_testkit::generate;
/// use haggle_testkit::oracle::Oracle;
///
/// generate::check(10, &generate::tables(), |table| {
///     assert_eq!(table.cube().unwrap().records(), table.records.len() as u64);
///     assert!(Oracle::of(&table).schemes().len() <= 150);
///     Ok(())
/// });
/// ```
pub fn tables() -> impl Strategy<Value = Table> {
    tables_of(Shape::default())
}

/// Tables of a shape.
pub fn tables_of(shape: Shape) -> impl Strategy<Value = Table> {
    let attributes = vec((plans(), skew()), 1..=shape.attributes);
    let sensitive = vec((1..=6_usize, skew()), shape.sensitive..=2.max(shape.sensitive));
    let records = vec((vec(any::<u8>(), shape.attributes + 2), repeats()), 1..=60);
    (attributes, sensitive, records).prop_map(move |(attributes, sensitive, draws)| {
        table(shape, attributes, &sensitive, &draws)
    })
}

/// How much likelier the first values are than the last.
fn skew() -> impl Strategy<Value = i32> {
    1..4_i32
}

/// How often a record occurs: mostly once, sometimes many times.
fn repeats() -> impl Strategy<Value = usize> {
    prop_oneof![6 => Just(1_usize), 3 => 2..6_usize, 1 => 6..60_usize]
}

fn table(
    shape: Shape,
    mut attributes: Vec<(Plan, i32)>,
    sensitive: &[(usize, i32)],
    draws: &[(Vec<u8>, usize)],
) -> Table {
    lower(&mut attributes, shape.schemes);
    let record = |draw: &[u8]| -> Vec<String> {
        let (for_attributes, for_sensitive) = draw.split_at(shape.attributes);
        let values = attributes.iter().zip(for_attributes);
        let values =
            values.map(|((plan, skew), &draw)| Plan::value(pick(draw, plan.values, *skew)));
        let secrets = sensitive.iter().zip(for_sensitive);
        let secrets =
            secrets.map(|(&(count, skew), &draw)| (7 * pick(draw, count, skew)).to_string());
        values.chain(secrets).collect()
    };
    let records = draws.iter().flat_map(|(draw, times)| std::iter::repeat_n(record(draw), *times));
    let attribute = |(i, (plan, _)): (usize, &(Plan, i32))| Attribute {
        name: format!("attribute {i}"),
        rows: plan.rows(),
    };
    Table {
        records: records.take(shape.records).collect(),
        attributes: attributes.iter().enumerate().map(attribute).collect(),
        sensitive: (0..sensitive.len()).map(|i| format!("sensitive {i}")).collect(),
    }
}

/// Takes levels from the highest hierarchies until there are no more schemes than allowed.
fn lower(attributes: &mut [(Plan, i32)], schemes: usize) {
    let size = |attributes: &[(Plan, i32)]| {
        attributes.iter().fold(1_usize, |size, (plan, _)| size.saturating_mul(plan.between + 2))
    };
    while size(attributes) > schemes {
        match attributes.iter_mut().max_by_key(|(plan, _)| plan.between) {
            Some((plan, _)) if plan.between > 0 => plan.between -= 1,
            _ => return,
        }
    }
}

/// A number below `count`, the small ones likelier with a larger skew.
fn pick(draw: u8, count: usize, skew: i32) -> usize {
    ((f64::from(draw) / 256.0).powi(skew) * count as f64) as usize
}

/// What a request is made from, once the table is known.
///
/// ```
/// use haggle_testkit::oracle::{Measure, Oracle};
/// use haggle_testkit::{generate, published};
///
/// let table = published::philosophers();
/// let sizes = Oracle::of(&table).judge(&Measure::size());
/// generate::check(100, &generate::draws(), |draw| {
///     let request = draw.request(&sizes);
///     assert!(request.threshold >= 2.0);
///     assert!(request.caps.iter().zip(sizes.tops()).all(|(cap, top)| cap <= top));
///     Ok(())
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Draw {
    threshold: usize,
    caps: Vec<u8>,
    limit: u8,
}

/// What requests are made from.
pub fn draws() -> impl Strategy<Value = Draw> {
    let limit = prop_oneof![1 => Just(0), 3 => any::<u8>()];
    let caps = vec(any::<u8>(), 5);
    (any::<u16>(), caps, limit).prop_map(|(threshold, caps, limit)| Draw {
        threshold: threshold.into(),
        caps,
        limit,
    })
}

impl Draw {
    /// A valid request for a measure: maximum levels that exist, up to all records suppressed, and
    /// a threshold that occurs or lies between two that do.
    pub fn request(&self, judged: &Judged) -> Request {
        let levels = self.caps.iter().cycle().zip(judged.tops());
        let thresholds = judged.thresholds();
        Request {
            threshold: thresholds[self.threshold % thresholds.len()],
            caps: levels.map(|(&draw, &top)| draw % (top + 1)).collect(),
            limit: pick(self.limit, judged.records() as usize + 2, 4) as u64,
        }
    }
}

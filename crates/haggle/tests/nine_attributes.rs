//! The best schemes of the nine-attribute Adult lattice by the measures that other tools use, next to a
//! count of every scheme from the files alone: no hierarchy, cube or measure of the product is used.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::PathBuf;

use haggle::{Amount, Ask, Engine, Options, Privacy, Project, Way};
use haggle_testkit::effort;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

const K: u64 = 5;
const LIMITS: [u64; 4] = [0, 301, 1206, 30_162];
const ORDER: [(&str, usize); 9] = [
    ("sex", 9),
    ("age", 0),
    ("race", 8),
    ("marital-status", 5),
    ("education", 3),
    ("native-country", 13),
    ("workclass", 1),
    ("occupation", 6),
    ("salary-class", 14),
];

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "data"].iter().collect()
}

/// One attribute: for each recorded value its value at each level, and how many recorded values lie
/// below each of those.
struct Attribute {
    codes: HashMap<String, usize>,
    above: Vec<Vec<u64>>,
    leaves: Vec<Vec<u64>>,
}

impl Attribute {
    fn read(name: &str) -> Self {
        let file = folder().join("adult-9/hierarchies").join(format!("{name}.csv"));
        let text = std::fs::read_to_string(file).unwrap();
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(';').collect()).collect();
        let codes = rows.iter().enumerate().map(|(code, row)| (row[0].to_owned(), code)).collect();
        let (mut above, mut leaves) = (Vec::new(), Vec::new());
        for level in 0..rows[0].len() {
            let mut known: BTreeMap<String, u64> = BTreeMap::new();
            let of = |row: &Vec<&str>| -> u64 {
                let next = known.len() as u64;
                *known.entry(row[level].to_owned()).or_insert(next)
            };
            let level: Vec<u64> = rows.iter().map(of).collect();
            let below = |&value: &u64| level.iter().filter(|&&other| other == value).count() as u64;
            leaves.push(level.iter().map(below).collect());
            above.push(level);
        }
        Self { codes, above, leaves }
    }
}

/// The complete records as codes, each combination once with its count.
fn combinations(attributes: &[Attribute]) -> Vec<([usize; 9], u64)> {
    let packed = std::fs::read(folder().join("adult/adult.data.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    let mut counted: HashMap<[usize; 9], u64> = HashMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let used = ORDER.map(|(_, column)| fields[column]);
        if used.contains(&"?") {
            continue;
        }
        let mut codes = [0; 9];
        for (place, value) in used.iter().enumerate() {
            codes[place] = attributes[place].codes[*value];
        }
        *counted.entry(codes).or_default() += 1;
    }
    counted.into_iter().collect()
}

/// What a scheme suppresses at K and what it then loses by each measure.
struct Counted {
    levels: [usize; 9],
    suppressed: u64,
    losses: [f64; 3],
}

const MEASURES: [&str; 3] = ["normalised-loss", "average-class-size", "discernibility"];

fn count(
    levels: [usize; 9],
    attributes: &[Attribute],
    combinations: &[([usize; 9], u64)],
) -> Counted {
    let key = |codes: &[usize; 9]| {
        (0..9).fold(0_u64, |key, a| key * 128 + attributes[a].above[levels[a]][codes[a]])
    };
    let mut sizes: FxHashMap<u64, u64> = FxHashMap::default();
    let keys: Vec<u64> = combinations.iter().map(|(codes, _)| key(codes)).collect();
    for (key, (_, records)) in keys.iter().zip(combinations) {
        *sizes.entry(*key).or_default() += records;
    }
    let all: u64 = combinations.iter().map(|(_, records)| records).sum();
    let kept: Vec<u64> = sizes.values().copied().filter(|&size| size >= K).collect();
    let suppressed = all - kept.iter().sum::<u64>();
    let squares: u64 = kept.iter().map(|size| size * size).sum();
    let classes = kept.len() as u64 + u64::from(suppressed > 0);
    let mut shares = [0; 9];
    for (key, (codes, records)) in keys.iter().zip(combinations) {
        if sizes[key] >= K {
            for (a, share) in shares.iter_mut().enumerate() {
                *share += records * attributes[a].leaves[levels[a]][codes[a]];
            }
        }
    }
    let loss = |a: usize| {
        let domain = attributes[a].codes.len() as f64;
        let (sum, least) = (shares[a] as f64 / domain + suppressed as f64, all as f64 / domain);
        (sum - least) / (all as f64 - least)
    };
    let product: f64 = (0..9).map(|a| (1.0 + loss(a)).powf(1.0 / 9.0)).product();
    let losses = [
        product - 1.0,
        all as f64 / classes as f64,
        squares as f64 + suppressed as f64 * all as f64,
    ];
    Counted { levels, suppressed, losses }
}

/// The order of answers: loss, height, suppressed, levels; losses that differ by rounding are equal.
fn order(a: &Counted, b: &Counted, measure: usize) -> Ordering {
    let (x, y) = (a.losses[measure], b.losses[measure]);
    let rank = |c: &Counted| (c.levels.iter().sum::<usize>(), c.suppressed, c.levels);
    let loss = if (x - y).abs() <= 1e-11 * x.abs() { Ordering::Equal } else { x.total_cmp(&y) };
    loss.then_with(|| rank(a).cmp(&rank(b)))
}

fn schemes(attributes: &[Attribute]) -> Vec<[usize; 9]> {
    let mut schemes = vec![[0; 9]];
    for (place, attribute) in attributes.iter().enumerate() {
        let at = |scheme: &[usize; 9]| {
            let mut scheme = *scheme;
            (0..attribute.above.len())
                .map(|level| {
                    scheme[place] = level;
                    scheme
                })
                .collect::<Vec<_>>()
        };
        schemes = schemes.iter().flat_map(at).collect();
    }
    schemes
}

/// Every scheme is counted in the long tests, else some of them: none may be better than the answer.
#[test]
fn no_scheme_that_is_counted_is_better_than_the_answer() {
    let attributes: Vec<Attribute> = ORDER.iter().map(|(name, _)| Attribute::read(name)).collect();
    let combinations = combinations(&attributes);
    let schemes = schemes(&attributes);
    assert_eq!(schemes.len(), 12_960);
    let step = effort::pick(37, 1);
    let count = |levels: [usize; 9]| count(levels, &attributes, &combinations);
    let counted: Vec<Counted> =
        schemes.par_iter().step_by(step).map(|levels| count(*levels)).collect();
    let project = Project::open(folder().join("adult-9").to_str().unwrap()).unwrap();
    let options = Options { way: Way::Full, stored: false, ..Options::default() };
    let engine = Engine::open(&project, &options).unwrap();
    assert_eq!(engine.attributes(), ORDER.map(|(name, _)| name));
    for (measure, id) in MEASURES.iter().enumerate() {
        for limit in LIMITS {
            let ask = Ask {
                privacy: vec![Privacy::new("k-anonymity", K as f64)],
                max_suppressed: Some(limit.to_string().parse::<Amount>().unwrap()),
                optimize: Some(id.parse().unwrap()),
                ..Ask::default()
            };
            let found = engine.ask(&ask).unwrap().exact.unwrap();
            let levels: Vec<usize> = found.scheme.levels().iter().map(|l| l.index()).collect();
            let answer = count(levels.try_into().unwrap());
            assert_eq!(found.suppressed, answer.suppressed, "{id} at {limit}");
            assert!(answer.suppressed <= limit, "{id} at {limit}");
            let (loss, expected) = (found.loss[*id], answer.losses[measure]);
            assert!((loss - expected).abs() <= 1e-10 * expected, "{id}: {loss}, not {expected}");
            let within = |c: &&Counted| c.suppressed <= limit && c.suppressed < engine.records();
            for other in counted.iter().filter(within) {
                assert_ne!(
                    order(other, &answer, measure),
                    Ordering::Less,
                    "{id} at {limit}: {:?} is better than {:?}",
                    other.levels,
                    answer.levels
                );
            }
        }
    }
}

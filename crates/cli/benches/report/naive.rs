//! The plain way to annotate: every scheme by a hash table from its smallest lower neighbour.

use std::collections::BTreeMap;
use std::time::Instant;

use haggle::{Engine, Scheme};
use rustc_hash::FxHashMap;

type Groups = FxHashMap<u64, u32>;

/// Nanoseconds for each group read, on one core, with a histogram of sizes for each scheme; and how
/// many groups were read.
pub(crate) fn nanos_per_touch(engine: &Engine) -> (f64, u64) {
    let cube = engine.cube();
    let space = cube.space();
    let parents: Vec<Vec<Vec<u32>>> = cube
        .attributes()
        .iter()
        .map(|a| {
            (0..u8::from(a.hierarchy.top()))
                .map(|l| a.hierarchy.parents(l.into()).to_vec())
                .collect()
        })
        .collect();
    let mut base = Groups::default();
    cube.for_each_group(&space.bottom(), 0, |codes, group| {
        let key =
            codes.iter().enumerate().fold(0, |key, (i, &code)| key | u64::from(code) << (8 * i));
        base.insert(key, group.records as u32);
    });
    let start = Instant::now();
    let mut touches = 0;
    let mut layer: BTreeMap<Scheme, Groups> = BTreeMap::from([(space.bottom(), base)]);
    for height in 1..=space.top().height() {
        let mut next = BTreeMap::new();
        for scheme in space.all().at_height(height) {
            let lower = |i: usize| {
                let level = u8::from(scheme.level(i)).checked_sub(1)?;
                Some((i, level, &layer[&scheme.with(i, level.into())]))
            };
            let (i, level, groups) = (0..space.attributes())
                .filter_map(lower)
                .min_by_key(|(_, _, groups)| groups.len())
                .expect("there is a lower neighbour");
            touches += groups.len();
            let mut rolled = Groups::default();
            for (&key, &count) in groups {
                let code = (key >> (8 * i)) & 0xff;
                let parent = u64::from(parents[i][level as usize][code as usize]);
                *rolled.entry(key & !(0xff << (8 * i)) | parent << (8 * i)).or_insert(0) += count;
            }
            let mut sizes: FxHashMap<u32, u32> = FxHashMap::default();
            for &count in rolled.values() {
                *sizes.entry(count).or_insert(0) += 1;
            }
            std::hint::black_box(&sizes);
            next.insert(scheme, rolled);
        }
        layer = next;
    }
    (start.elapsed().as_nanos() as f64 / touches as f64, touches as u64)
}

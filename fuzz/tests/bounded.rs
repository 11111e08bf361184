//! Every target over its seeds and damaged copies of them, always the same ones.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use haggle_fuzz::{TARGETS, Target, Verdict, find, run, seeds};
use haggle_testkit::effort;
use haggle_testkit::mutate::Damage;

/// Memory is measured for the whole process: one target at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Checks an input; one that fails is kept, so that it can become a seed.
fn checked(target: &Target, input: &[u8]) -> Verdict {
    run(target, input).unwrap_or_else(|failed| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(target.name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{:016x}", xxhash_rust::xxh3::xxh3_64(input)));
        std::fs::write(&file, input).unwrap();
        let seeds = format!("fuzz/seeds/{}", target.name);
        panic!("{failed}\n{} fails; fix it and copy it to {seeds}", file.display())
    })
}

/// Seeds and damaged copies: some are read, some are refused, and every property holds.
fn bounded(name: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let target = find(name).unwrap();
    let seeds = seeds(target);
    let accepted = seeds.iter().filter(|seed| checked(target, seed) == Verdict::Accepted).count();
    assert!(accepted > 0, "no seed is valid");
    let (tries, mut damage) = (target.tries * effort::pick(1, 5), Damage::new(seeds.len() as u64));
    let refused = (0..tries).filter(|i| {
        let other = &seeds[damage.below(seeds.len())];
        let copy = damage.crossed(&seeds[i % seeds.len()], other);
        checked(target, &copy) == Verdict::Refused
    });
    let refused = refused.count();
    println!("{name}: {refused} of {tries} refused");
    assert!(refused > tries / 20, "only {refused} of {tries} were refused");
    assert!(refused < tries, "nothing was read: only the surface is tested");
}

macro_rules! bounded {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            bounded(stringify!($target));
        })*

        #[test]
        fn every_target_is_run() {
            assert!(TARGETS.iter().map(|target| target.name).eq([$(stringify!($target)),*]));
        }
    };
}

bounded!(project hierarchy text parquet lattice request argument http manifest);

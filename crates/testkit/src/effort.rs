//! How much the tests try: a share of the cases in `make test`, all of them in `make test-long`.

use std::env;
use std::ops::Div;

/// Where not all cases are tried, one of this many is.
const SHARE: u8 = 5;

/// The fewest cases that are tried of a property that has as many.
const LEAST: u32 = 8;

/// Whether every case is tried: `HAGGLE_TESTS=long` in the environment.
pub fn is_long() -> bool {
    match env::var("HAGGLE_TESTS").as_deref() {
        Err(_) | Ok("") => false,
        Ok("long") => true,
        Ok(other) => panic!("HAGGLE_TESTS is '{other}': leave it out, or set it to 'long'"),
    }
}

/// The number of cases to try of a property that is tried on this many in the long tests.
///
/// ```
/// use haggle_testkit::effort::cases;
///
/// assert!(cases(2000) >= 400);
/// assert_eq!(cases(5), 5);
/// ```
pub fn cases(all: u32) -> u32 {
    pick(all.min(LEAST.max(all / u32::from(SHARE))), all)
}

/// The first amount, or the second one in the long tests.
pub fn pick<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

/// How often something must have occurred in a property that must see it this often in the long tests:
/// at least once, and half of the share of cases, which leaves room for chance.
pub fn enough<N: Div<Output = N> + From<u8> + Ord>(all: N) -> N {
    if is_long() { all } else { (all / N::from(2 * SHARE)).max(N::from(1)) }
}

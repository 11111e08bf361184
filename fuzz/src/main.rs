//! One target under libFuzzer: the one that `HAGGLE_FUZZ` names.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use haggle_fuzz::{Target, find, run, seeds};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("HAGGLE_FUZZ").expect("HAGGLE_FUZZ names a target");
    find(&name).unwrap_or_else(|| panic!("there is no target '{name}'"))
});

/// Writes the seeds to the folder in `HAGGLE_FUZZ_CORPUS`, from which libFuzzer starts.
fn write_seeds() {
    if let Ok(folder) = std::env::var("HAGGLE_FUZZ_CORPUS") {
        for (number, seed) in seeds(&TARGET).iter().enumerate() {
            let file = Path::new(&folder).join(format!("seed-{number}"));
            std::fs::write(file, seed).expect("a seed can be written");
        }
    }
}

fuzz_target!(init: write_seeds(), |input: &[u8]| {
    if let Err(failed) = run(&TARGET, input) {
        panic!("{failed}");
    }
});

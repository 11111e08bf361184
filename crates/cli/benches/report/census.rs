//! A real table with 42 columns, from start to publication with no hand edit: the census-income
//! (KDD) data, which `make bench` fetches.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

pub(crate) fn report() {
    let Some(table) = std::env::var_os("HAGGLE_CENSUS") else {
        println!("The census-income table: not measured; `make bench` fetches it\n");
        return;
    };
    println!("The census-income table, 199,523 records of 42 columns, no hand edit");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(&table, folder.path().join("census.csv")).expect("the table was fetched");
    for step in [
        "init census.csv",
        "build .",
        "ask . --k 5 --max-suppressed 5%",
        "publish . --k 5 --max-suppressed 5% -o out.csv",
        "verify out.csv --k 5",
    ] {
        let start = Instant::now();
        haggle(folder.path(), step);
        println!("  haggle {step:<51} {:>9.2} s", start.elapsed().as_secs_f64());
    }
    println!();
}

fn haggle(folder: &Path, step: &str) {
    let run = Command::new(env!("CARGO_BIN_EXE_haggle"))
        .args(step.split(' '))
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "haggle {step}: {said}{}", String::from_utf8_lossy(&run.stdout));
}

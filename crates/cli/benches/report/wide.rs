//! Tables with many columns: what a column costs must not depend on how many others there are.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::line;

const FEW: usize = 5_000;
const MANY: usize = 20_000;
const RECORDS: usize = 60;

pub(crate) fn report() {
    println!("Wide tables ({FEW} and {MANY} columns, {RECORDS} records)");
    let (few, many) = (seconds(FEW), seconds(MANY));
    for (command, few, many) in [("init", few.0, many.0), ("check", few.1, many.1)] {
        println!("  haggle {command:<51} {few:>9.2} s, {many:.2} s");
        let ratio = many / few * FEW as f64 / MANY as f64;
        line(&format!("{command}: a column of many, to one of few"), ratio, "times", 1.3);
    }
    println!();
}

/// How long `init` and `check` take on a table of this many columns.
fn seconds(columns: usize) -> (f64, f64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("table.csv"), table(columns)).expect("written");
    (timed(folder.path(), &["init", "table.csv"]), timed(folder.path(), &["check", "."]))
}

fn table(columns: usize) -> String {
    let mut text: String = (0..columns).map(|column| format!("c{column},")).collect();
    text.push_str("s\n");
    for record in 0..RECORDS {
        for column in 0..columns {
            write!(text, "{},", (record * 7 + column * 13) % 9).expect("a text grows");
        }
        text.push_str("x\n");
    }
    text
}

fn timed(folder: &Path, args: &[&str]) -> f64 {
    let start = Instant::now();
    let run = Command::new(env!("CARGO_BIN_EXE_haggle"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .expect("the program starts");
    assert!(run.success(), "haggle {}", args.join(" "));
    start.elapsed().as_secs_f64()
}

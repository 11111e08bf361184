//! Tables of very many columns: what `init` and `check` do grows with their number, not with its square.

use std::process::{Command, Stdio};

use haggle_testkit::process;
use wait4::Wait4;

use crate::common::{Folder, HAGGLE};

/// A table of this many columns with few records.
fn table(folder: &Folder, columns: usize) {
    let names: Vec<String> = (0..columns).map(|i| format!("c{i}")).collect();
    let mut text = names.join(",") + "\n";
    for record in 0..4 {
        let fields: Vec<String> = (0..columns).map(|i| ((i + record) % 5).to_string()).collect();
        text += &(fields.join(",") + "\n");
    }
    folder.write("table.csv", &text);
}

/// The processor time of a run, in seconds.
fn processor_seconds(folder: &Folder, run: &[&str]) -> f64 {
    let mut child = Command::new(HAGGLE)
        .args(run)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ended = process::within_limit(child.id(), process::LIMIT, || child.wait4().unwrap());
    assert!(ended.status.success());
    (ended.rusage.utime + ended.rusage.stime).as_secs_f64()
}

/// Processor time, not time on the clock, and a bound far from both: eight times the columns may take
/// thirty times as long, and took a hundred times as long where something was quadratic.
#[test]
fn init_and_check_grow_with_the_number_of_columns_and_not_with_its_square() {
    let measured = |columns: usize| {
        let folder = Folder::empty();
        table(&folder, columns);
        let init = processor_seconds(&folder, &["init", "table.csv"]);
        [init, processor_seconds(&folder, &["check", "."])]
    };
    let (few, many) = (measured(2_500), measured(20_000));
    println!("{few:?} s and {many:?} s");
    for (few, many) in few.iter().zip(many) {
        assert!(many <= 30.0 * few.max(0.02), "{few} s and {many} s");
    }
}

//! The whole program: from a cold start to an answer, and how much memory that takes.

use std::process::{Command, Stdio};

use wait4::Wait4;

use crate::{best, line};

pub(crate) fn report() {
    println!(
        "The program (haggle ask demo:adult --k 10: read, count, annotate 3,600 schemes, answer)"
    );
    let (time, memory) = best(5, || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_haggle"))
            .args(["ask", "demo:adult", "--k", "10", "--json"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        child.wait4().expect("the program ends").rusage.maxrss
    });
    line("cold start to answer", time.as_secs_f64(), "s", 0.4);
    line("peak memory", memory as f64 / 1e6, "MB", 150.0);
    println!();
}

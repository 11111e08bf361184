//! A large table counted within PostgreSQL: time compared with the same `GROUP BY` alone, and the memory
//! of the client.

use std::process::{Command, Stdio};
use std::time::Instant;

use haggle_testkit::postgres::{PASSWORD, Server, USER};
use wait4::Wait4;

use crate::line;

/// Five million, unless the environment asks for another number.
fn records() -> u64 {
    let asked = std::env::var("HAGGLE_BENCH_DATABASE").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(5_000_000)
}

pub(crate) fn report() {
    let records = records();
    println!("A database ({records} records in PostgreSQL, counted there)");
    let server = Server::start();
    server.sql(&format!(
        "SELECT setseed(0.5); CREATE TABLE people AS SELECT (18 + random() * 70)::int AS age, \
         (ARRAY['f', 'm'])[1 + (random() * 1)::int] AS sex, \
         'region-' || (random() * 15)::int AS region, 'job-' || (random() * 40)::int AS job, \
         'disease-' || (random() * 60)::int AS disease FROM generate_series(1, {records}); \
         ANALYZE people;"
    ));
    let folder = tempfile::tempdir().expect("a folder");
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let project = format!(
        "[data]\nurl = \"{}\"\ntable = \"public.people\"\n{}hierarchy = {{ intervals = [5, 10] }}\n{}{}{}",
        server.url(USER),
        attribute("age", "quasi-identifier"),
        attribute("sex", "quasi-identifier"),
        attribute("region", "quasi-identifier"),
        attribute("job", "quasi-identifier"),
    );
    std::fs::write(folder.path().join("haggle.toml"), project).expect("it can be written");
    let start = Instant::now();
    server.sql("SELECT count(*) FROM (SELECT age, sex, region, job, count(*) FROM people GROUP BY 1, 2, 3, 4) g");
    let plain = start.elapsed().as_secs_f64();
    let run = |args: &[&str]| {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_haggle"))
            .args(args)
            .env("PGPASSWORD", PASSWORD)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let ended = child.wait4().expect("the program ends");
        assert!(ended.status.success(), "haggle {args:?}");
        (start.elapsed().as_secs_f64(), ended.rusage.maxrss as f64)
    };
    let (time, memory) = run(&["ask", ".", "--k", "10"]);
    line("ask: time, times that of the plain GROUP BY", time / plain, "times", 3.0);
    line("ask: peak memory of the client", memory / 1e6, "MB", 200.0);
    let (time, memory) = run(&["instant", ".", "--k", "10", "--summary", "pg"]);
    line("instant from statistics: peak memory", memory / 1e6, "MB", 200.0);
    println!("  {:<58} {time:>9.2} s\n", "instant from statistics");
}

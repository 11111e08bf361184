//! A real table with 42 columns, from start to publication with no hand edit: the census-income
//! (KDD) data, which `make bench` fetches.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::line;

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
    on_demand(folder.path());
    chosen(folder.path());
}

/// Eight quasi-identifiers: the search that is chosen next to the one on demand, which is the right one.
fn chosen(folder: &Path) {
    println!("The same with eight quasi-identifiers, 20,250 schemes: as chosen, and on demand");
    let sensitive = "\n[[attribute]]\nname = \"income\"\nrole = \"sensitive\"\n";
    let project = format!("{}{sensitive}", include_str!("census.toml"));
    std::fs::write(folder.join("haggle.toml"), project).expect("written");
    let eight = "age,class-of-worker,industry,occupation,education,marital-status,race,sex";
    for asked in ["--k 10 --l 2", "--k 10 --l 2 --optimize lm"] {
        let asked = format!("--qi {eight} --max-suppressed 1% {asked}");
        let timed = |asked: &str| {
            let start = Instant::now();
            let (answer, bytes) = asked_on_demand(folder, asked);
            (start.elapsed().as_secs_f64(), bytes as f64 / 1e6, answer["exact"]["scheme"].clone())
        };
        let (time, bytes, scheme) = timed(&asked);
        let (best_time, best_bytes, best) = timed(&format!("{asked} --on-demand"));
        assert_eq!(scheme, best, "both are proved");
        let what = asked.split_once("% ").map_or("", |(_, what)| what);
        line(&format!("{what}: time"), time, "s", best_time);
        line(&format!("{what}: peak memory"), bytes, "MB", best_bytes);
    }
    println!();
}

/// Fifteen quasi-identifiers: how soon there is a scheme, and how close to the best it is proved to be.
fn on_demand(folder: &Path) {
    println!("The same with fifteen quasi-identifiers, 59,049,000 schemes, on demand");
    std::fs::write(folder.join("haggle.toml"), include_str!("census.toml")).expect("written");
    for asked in [
        "--max-suppressed 1% --time-limit 0",
        "--max-suppressed 0 --time-limit 60",
        "--max-suppressed 1% --time-limit 60",
        "--max-suppressed 5% --time-limit 60",
        "--max-suppressed 1% --time-limit 60 --memory 200MB",
        "--max-suppressed 1% --time-limit 60 --optimize lm",
    ] {
        let (answer, bytes) = asked_on_demand(folder, asked);
        let (exact, obtained) = (&answer["exact"], &answer["obtained"]);
        let by_loss = exact["loss"].get("lm");
        println!("  k = 5, {asked}");
        println!(
            "    {} {}, none below {}, proven {}; {} annotated in {} ms, {} MB",
            by_loss.map_or("height", |_| "lm"),
            by_loss.unwrap_or(&exact["height"]),
            obtained.get("none_below").unwrap_or(&obtained["no_loss_below"]),
            obtained["proven"],
            obtained["annotated"],
            answer["micros"].as_u64().unwrap_or(0) / 1000,
            bytes >> 20
        );
    }
    println!();
}

/// The answer of the program, and the most memory that it had.
fn asked_on_demand(folder: &Path, asked: &str) -> (serde_json::Value, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_haggle"))
        .args(["ask", ".", "--json"].into_iter().chain(asked.split(' ')))
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut text = String::new();
    let out = child.stdout.as_mut().expect("it is piped");
    std::io::Read::read_to_string(out, &mut text).expect("an answer");
    let usage = wait4::Wait4::wait4(&mut child).expect("it ends").rusage;
    (serde_json::from_str(&text).expect("an answer in JSON"), usage.maxrss)
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

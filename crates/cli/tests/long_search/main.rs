//! Searches too long to wait for: the process keeps to its memory meanwhile, Ctrl-C ends them with what
//! they found, and the right way to search is chosen.

use std::fmt::Write;
use std::io::Read;
use std::process::{Child, Command, Stdio};

#[path = "../common/mod.rs"]
mod common;
use common::Folder;
use common::memory::{MB, measured};
use haggle_testkit::process;

mod choice;
#[cfg(unix)]
mod database;
mod limits;
mod memory;
mod time_limit;
mod wide;

/// Twelve quasi-identifiers of nine values with four levels each: 16 million schemes, and hardly a
/// record like another.
fn large(folder: &Folder) {
    let names: Vec<String> = (b'a'..b'a' + 12).map(|name| char::from(name).into()).collect();
    let mut table = names.join(",") + "\n";
    let mut state = 1_u64;
    for _ in 0..60_000 {
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Small numbers are more frequent, so that some schemes keep most records.
            let (one, other) = ((state >> 33) % 9, (state >> 45) % 9);
            (one * other / 8).to_string()
        };
        let record: Vec<String> = names.iter().map(|_| draw()).collect();
        table += &(record.join(",") + "\n");
    }
    let mut project = "[data]\npath = \"large.csv\"\n".to_owned();
    for name in &names {
        write!(
            project,
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [3, 6] }}\n"
        )
        .unwrap();
    }
    folder.write("large.csv", &table);
    folder.write("haggle.toml", &project);
}

const ASK: &[&str] = &["ask", ".", "--json", "--k", "5", "--max-suppressed", "2%"];

fn report(child: &mut Child) -> String {
    let mut text = String::new();
    let (id, stdout) = (child.id(), child.stdout.as_mut().unwrap());
    process::within_limit(id, process::LIMIT, || stdout.read_to_string(&mut text).unwrap());
    text
}

#[test]
fn a_search_on_demand_answers_within_its_memory() {
    let folder = Folder::empty();
    large(&folder);
    let limit = 100;
    for more in [&[][..], &["--optimize", "lm"]] {
        let within = ["--memory", &format!("{limit}MB"), "--time-limit", "8"];
        let run = measured(&mut folder.command(&[ASK, &within[..], more].concat()));
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(answer["obtained"]["way"], "on-demand");
        assert!(answer["exact"]["height"].as_u64().is_some(), "{answer}");
        let annotated = answer["obtained"]["annotated"].as_u64().unwrap();
        println!("{annotated} schemes annotated, {} MB", run.peak / MB);
        assert!(annotated > 500, "{annotated} schemes fill no memory");
        assert!(run.peak <= limit * MB, "{} MB", run.peak / MB);
    }
}

/// Pressed before the search has begun it ends the program as ever, so it is tried later and later.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_what_it_found() {
    let folder = Folder::empty();
    large(&folder);
    let interrupted = [1, 4, 16, 60].into_iter().find_map(|seconds| {
        let mut command = folder.command(ASK);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        assert!(child.try_wait().unwrap().is_none(), "a search that long does not end by itself");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let text = report(&mut child);
        process::wait(&mut child).success().then_some(text)
    });
    let answer: serde_json::Value = serde_json::from_str(&interrupted.unwrap()).unwrap();
    assert_eq!(answer["obtained"]["proven"], false);
    let (found, bound) = (&answer["exact"]["height"], &answer["obtained"]["none_below"]);
    assert!(bound.as_u64().unwrap() <= found.as_u64().unwrap(), "{answer}");
}

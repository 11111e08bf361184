//! Killed at any system call, a publication into a table leaves table, manifest and record all
//! there or all absent once the next publication of the project recovered them.

use std::path::PathBuf;
use std::process::Stdio;

use haggle_testkit::postgres::PASSWORD;

use haggle_testkit::process;

use crate::common::kill::{fraction, killed_at, print_kills, random_kills, was_killed};
use crate::database::Census;

const HOW: [&str; 6] = ["--qi", "race", "--k", "10", "--scheme", "1"];

/// A small table, where a publication is made again and again.
struct Place {
    census: Census,
    killed: String,
    manifest: PathBuf,
}

impl Place {
    fn new() -> Self {
        let census = Census::of(200);
        let killed = census.table.replace("adult", "killed");
        let manifest = census.folder.path().join("killed.manifest.json");
        Self { census, killed, manifest }
    }

    fn arguments(&self) -> Vec<&str> {
        let manifest = self.manifest.to_str().unwrap();
        [&HOW[..], &["--table", &self.killed, "--manifest", manifest]].concat()
    }

    /// Publishes into another table, and returns the tables recorded before it.
    fn publish_another(&self, n: usize) -> Vec<String> {
        let another = self.census.table.replace("adult", &format!("another{n}"));
        let report = self.census.json("publish", &[&HOW[..], &["--table", &another]].concat());
        let earlier = report["earlier"].as_array().unwrap_or_else(|| panic!("{report}"));
        earlier.iter().map(|one| one["output"].as_str().unwrap().into()).collect()
    }

    /// Whether the table is there after the next publication; its manifest and its record are, too,
    /// or none of them is.
    fn is_published(&self, n: usize) -> bool {
        let earlier = self.publish_another(n);
        let there = self.census.exists(&self.killed);
        let recorded = earlier.iter().filter(|&table| table.ends_with("killed")).count();
        assert_eq!(self.manifest.exists(), there, "the manifest");
        assert_eq!(recorded, usize::from(there), "the record: {earlier:?}");
        for entry in std::fs::read_dir(self.census.folder.path()).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(
                !name.to_string_lossy().starts_with(".haggle-"),
                "{} is left over",
                name.display()
            );
        }
        self.clear();
        there
    }

    fn clear(&self) {
        self.census.sql(&format!("DROP TABLE IF EXISTS {}", self.killed));
        let record = self.census.folder.path().join("publications.jsonl");
        for file in [&self.manifest, &record] {
            let _ = std::fs::remove_file(file);
        }
    }
}

#[test]
fn a_table_whose_publication_is_killed_at_any_system_call_is_whole_or_absent() {
    let place = Place::new();
    let (mut n, mut outcomes) = (0, [0, 0]);
    for call in ["write", "fsync", "rename", "unlink"] {
        for when in 1.. {
            let mut command = killed_at(call, when, &[]);
            command.arg("publish").arg(place.census.path()).args(place.arguments());
            command.env("PGPASSWORD", PASSWORD).current_dir(place.census.folder.path());
            let killed = was_killed(process::wait(&mut command.spawn().unwrap()));
            n += 1;
            outcomes[usize::from(place.is_published(n))] += 1;
            if !killed {
                break;
            }
        }
    }
    print_kills("publications into tables, by system call");
    assert!(outcomes.iter().all(|&n| n > 4), "{outcomes:?}");
}

#[test]
fn a_table_whose_publication_is_killed_at_any_moment_is_whole_or_absent() {
    let place = Place::new();
    let start = std::time::Instant::now();
    place.census.json("publish", &place.arguments());
    let took = start.elapsed();
    place.clear();
    for n in 0..random_kills(5) {
        let mut command = place.census.command("publish", &place.arguments());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(took.mul_f64(fraction(n)));
        child.kill().unwrap();
        was_killed(process::wait(&mut child));
        place.is_published(n as usize);
    }
    print_kills("publications into tables, at random");
}

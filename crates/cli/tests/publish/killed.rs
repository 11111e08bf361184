//! Killed at any system call or moment, a publication leaves file, manifest and record all old or
//! all new once the next command recovered them; nothing is left over or readable by others.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use haggle_testkit::{effort, process};
use serde_json::Value;

use crate::common::Folder;
use crate::common::kill::{
    CALLS, fraction, kill_after, kill_at, print_kills, random_kills, time_of,
};

const OLD: &[&str] =
    &["publish", ".", "--k", "2", "--scheme", "2,1", "-o", "out.csv", "--private", "private"];
const NEW: &[&str] =
    &["publish", ".", "--k", "2", "--scheme", "1,0", "-o", "out.csv", "--private", "private"];
const RECORD: &str = "publications.jsonl";
const VERIFY: &[&str] = &["verify", "out.csv", "--k", "2", "--json"];

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

/// Whether the publication is the new one. Old or new, file, manifest and private manifest are of
/// one publication.
fn is_new(folder: &Folder) -> bool {
    let verdict = folder.haggle(VERIFY).json(0);
    assert_eq!(verdict["manifest_matches"], true, "{verdict}");
    let manifest = json(folder, "out.csv.manifest.json");
    assert_eq!(json(folder, "private/policy.json")["public"], manifest);
    let mapping = String::from_utf8(folder.read("private/mapping-age.csv")).unwrap();
    let new = manifest["attributes"][0]["level"] == 1;
    assert_eq!(mapping.lines().any(|line| line == "34,30-39"), new, "{mapping}");
    let record = records(folder).pop().unwrap();
    assert_eq!(record["sha256"], manifest["output"]["sha256"]);
    assert_eq!(record["recoding"]["scheme"][0], manifest["attributes"][0]["level"]);
    new
}

/// The record of publications: whole lines, each different from the others.
fn records(folder: &Folder) -> Vec<Value> {
    let text = String::from_utf8(folder.read(RECORD)).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "half a line: {text}");
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: BTreeSet<_> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), records.len(), "a publication was recorded twice");
    records
}

/// Nothing that is not published may be read by others, whenever the process was killed.
fn assert_private(folder: &Folder) {
    let kept = folder.kept_by_haggle();
    let private = ["private/policy.json", "private/mapping-age.csv", RECORD];
    let private = private.map(|name| folder.file(name));
    for path in kept.iter().chain(private.iter().filter(|path| path.exists())) {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o77, 0, "{} has mode {mode:o}", path.display());
    }
}

/// What a killed publication left is made whole by the next command, `verify` or another `publish`.
/// This many publications were recorded before.
fn assert_recovers(folder: &Folder, before: usize, by_publishing: bool) -> bool {
    assert_private(folder);
    if by_publishing {
        folder.haggle(NEW).text();
    }
    let new = is_new(folder);
    assert!(new || !by_publishing);
    let added = records(folder).len() - before;
    if by_publishing {
        assert!([1, 2].contains(&added), "{added} added by a killed publication and a whole one");
    } else {
        assert_eq!(added, usize::from(new), "recorded if and only if it is the new one");
    }
    assert_eq!(folder.kept_by_haggle(), Vec::<std::path::PathBuf>::new());
    let mode = |name: &str| folder.file(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("out.csv"), mode("out.csv.manifest.json"));
    assert_eq!(mode("out.csv"), mode("people.csv"), "as the umask lets");
    new
}

#[test]
fn a_publication_killed_at_any_system_call_is_the_old_pair_or_the_new_one() {
    let folder = Folder::people();
    let (mut kills, mut outcomes) = (0, [0, 0]);
    for call in CALLS {
        for n in 1.. {
            folder.haggle(OLD).text();
            let before = records(&folder).len();
            if !kill_at(&folder, NEW, call, n) {
                break;
            }
            kills += 1;
            outcomes[usize::from(assert_recovers(&folder, before, kills % 4 == 0))] += 1;
        }
    }
    print_kills("publications, by system call");
    assert!(kills > 50 && outcomes.iter().all(|&n| n > 0), "{kills} kills: {outcomes:?}");
}

#[test]
fn a_first_publication_killed_at_any_rename_is_whole_or_absent() {
    let folder = Folder::people();
    for call in ["fsync", "rename", "unlink", "chmod"] {
        for n in 1.. {
            let killed = kill_at(&folder, NEW, call, n);
            let run = folder.haggle(VERIFY);
            if folder.file("out.csv").exists() {
                assert_eq!(run.json(0)["manifest_matches"], true);
                assert_eq!(records(&folder).len(), 1);
            } else {
                assert!(!folder.file(RECORD).exists(), "{call} {n}");
                assert!(!folder.file("out.csv.manifest.json").exists(), "{call} {n}");
            }
            assert_eq!(folder.kept_by_haggle(), Vec::<std::path::PathBuf>::new());
            for name in ["out.csv", "out.csv.manifest.json", RECORD] {
                let _ = std::fs::remove_file(folder.file(name));
            }
            let _ = std::fs::remove_dir_all(folder.file("private"));
            if !killed {
                break;
            }
        }
    }
    print_kills("first publications, by system call");
}

#[test]
fn a_publication_killed_at_any_moment_is_the_old_pair_or_the_new_one() {
    let folder = Folder::people();
    let took = time_of(&folder, NEW);
    for n in 0..random_kills(20) {
        folder.haggle(OLD).text();
        let before = records(&folder).len();
        kill_after(&folder, NEW, took.mul_f64(fraction(n)));
        assert_recovers(&folder, before, n % 4 == 0);
    }
    print_kills("publications, at random");
}

/// Kills a command that replaces the lattice; the file is the old one or the new one, and after
/// the next run of the command the new one, with nothing left over.
fn assert_replaces_whole(folder: &Folder, command: &[&str], old: &[u8], new: &[u8]) {
    let lattice = Path::new("haggle.lattice");
    let restore = || folder.write("haggle.lattice", old);
    let check = |killed: bool| {
        assert_private(folder);
        let found = folder.read("haggle.lattice");
        assert!(found == old || found == new, "{} bytes", found.len());
        restore();
        folder.haggle(command).text();
        assert!(folder.read("haggle.lattice") == new, "{command:?} {killed}");
        assert_eq!(folder.kept_by_haggle(), Vec::<std::path::PathBuf>::new());
        let mode = folder.file(lattice.to_str().unwrap()).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o77, 0, "{mode:o}");
        restore();
    };
    restore();
    for call in ["fsync", "flock", "rename", "unlink", "write"] {
        for n in 1.. {
            let killed = kill_at(folder, command, call, n);
            check(killed);
            if !killed {
                break;
            }
        }
    }
    let took = time_of(folder, command);
    restore();
    for n in 0..random_kills(10) {
        check(kill_after(folder, command, took.mul_f64(fraction(n))));
    }
}

#[test]
fn a_killed_update_or_build_leaves_the_old_lattice_or_the_new_one() {
    let folder = Folder::people();
    folder.write("private/", "");
    folder.write("private/policy.json", "");
    folder.write("private/mapping-age.csv", "");
    for name in ["private/policy.json", "private/mapping-age.csv"] {
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(folder.file(name), mode).unwrap();
    }
    folder.write("more.csv", "name,age,sex,disease\nEve,34,f,flu\n");
    folder.haggle(&["build", "."]).text();
    let built = folder.read("haggle.lattice");
    let update: &[&str] = &["update", ".", "--add", "more.csv"];
    folder.haggle(update).text();
    let updated = folder.read("haggle.lattice");
    assert!(built != updated);
    assert_replaces_whole(&folder, update, &built, &updated);
    assert_replaces_whole(&folder, &["build", "."], &updated, &built);
    print_kills("updates and builds, by system call and at random");
}

#[test]
fn publications_of_one_name_at_once_end_in_one_whole_pair() {
    let folder = Folder::people();
    let mut recorded = 0;
    for _ in 0..effort::pick(2, 6) {
        let commands = (0..20).map(|n| if n % 2 == 0 { OLD } else { NEW });
        let running: Vec<_> = commands
            .map(|command| folder.command(command).stdout(std::process::Stdio::null()).spawn())
            .collect();
        for child in running {
            assert!(process::wait(&mut child.unwrap()).success());
        }
        is_new(&folder);
        recorded += 20;
        assert_eq!(records(&folder).len(), recorded);
        assert_eq!(folder.kept_by_haggle(), Vec::<std::path::PathBuf>::new());
    }
}

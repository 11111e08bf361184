//! A build that is killed, or finds no room, leaves the old file or the new one, never a part.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use haggle_testkit::process;
use insta::assert_snapshot;

use crate::common::Folder;
#[cfg(target_os = "linux")]
use crate::common::kill::kill_at;

/// A table large enough that building takes a while: seven quasi-identifiers of ten values.
fn large(records: u64) -> Folder {
    let mut project = String::from("[data]\npath = \"large.csv\"\n");
    let mut table = String::from("a,b,c,d,e,f,g,s\n");
    for name in "abcdefg".chars() {
        let role = "role = \"quasi-identifier\"\nhierarchy = \"digits.csv\"";
        write!(project, "[[attribute]]\nname = \"{name}\"\n{role}\n").unwrap();
    }
    project += "[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n";
    let mut state = records; // any sequence of digits does, as long as it is always the same
    for _ in 0..records {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = format!("{:08}", (state >> 33) % 100_000_000);
        let fields: Vec<&str> = digits.split("").filter(|digit| !digit.is_empty()).collect();
        table += &(fields.join(",") + "\n");
    }
    let hierarchy: String = (0..10).map(|i| format!("{i};{};*\n", i / 3)).collect();
    Folder::with([("haggle.toml", project), ("large.csv", table), ("digits.csv", hierarchy)])
}

/// The names of files that a killed build may leave.
fn is_temporary(name: &Path) -> bool {
    name.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".haggle-"))
}

#[test]
fn a_killed_build_leaves_the_old_file_or_the_new_one() {
    let folder = large(3_000);
    let smaller = Folder::people();
    smaller.haggle(&["build", "."]).text();
    let start = Instant::now();
    folder.haggle(&["build", ".", "-o", "reference.lattice"]).text();
    let (took, new) = (start.elapsed(), folder.read("reference.lattice"));
    let old = smaller.read("haggle.lattice");
    let mut kept = 0;
    for step in 0..12 {
        folder.write("haggle.lattice", &old);
        let mut command = folder.command(&["build", "."]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Most of the steps fall on the time around the writing, which comes last.
        let share = if step < 3 { step * 30 } else { 80 + 3 * step };
        std::thread::sleep(took * share / 100);
        child.kill().unwrap();
        process::wait(&mut child);
        let found = folder.read("haggle.lattice");
        assert!(found == old || found == new, "killed after {share} %: {} bytes", found.len());
        kept += u32::from(found == old);
    }
    assert!(kept > 0, "no build was killed in time");
    folder.haggle(&["build", "."]).text();
    assert_eq!(folder.read("haggle.lattice"), new, "a later build succeeds");
    let known = ["haggle.toml", "large.csv", "digits.csv", "haggle.lattice", "reference.lattice"];
    for name in folder.listing().keys() {
        assert!(is_temporary(name) || known.iter().any(|known| name.ends_with(known)), "{name:?}");
    }
}

/// What haggle keeps in a folder, by names alone: a kill must come while something is written.
fn left_behind(folder: &Folder) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| is_temporary(path)).collect()
}

fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "journal")
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_build_left_is_removed_by_the_next_one_of_that_name() {
    let folder = large(3_000);
    assert!(kill_at(&folder, &["build", "."], "fsync", 1));
    let left = left_behind(&folder);
    let journal = left.iter().find(|path| is_journal(path)).unwrap();
    let small = large(10);
    std::fs::copy(small.file("large.csv"), folder.file("large.csv")).unwrap();
    let build = |output: &str| {
        folder.haggle(&["build", ".", "-o", output]).text();
        journal.exists()
    };
    assert!(build("other.lattice"), "it belongs to another file");
    let held = std::fs::File::options().write(true).open(journal).unwrap();
    held.lock().unwrap();
    assert!(build("haggle.lattice"), "a process holds it");
    drop(held);
    assert!(!build("haggle.lattice"), "no process does, however new it is");
    assert_eq!(left_behind(&folder), Vec::<PathBuf>::new());
    assert_eq!(folder.read("haggle.lattice"), folder.read("other.lattice"), "the new one is whole");
}

/// Runs a build that finds no room; the old file must be as it was, and nothing more.
fn no_room(folder: &Folder, script: &str) -> String {
    let before = folder.listing();
    let refusal = folder.shell(script).printed(2);
    assert!(folder.listing() == before, "the folder is not as it was");
    refusal
}

#[test]
fn a_build_that_may_not_write_so_much_leaves_the_old_file() {
    let folder = large(1_000);
    folder.write("haggle.lattice", "HAGGLELT, an old one");
    // Without the trap the system kills the process, as in the test above.
    let script = "trap '' XFSZ; ulimit -f 8; haggle build .";
    assert_snapshot!(no_room(&folder, script), @"
    error: the lattice is not stored: ./haggle.lattice: File too large (os error 27)
        fix: free some space, or choose another folder
    ");
}

#[test]
fn a_build_on_a_full_disk_leaves_the_old_file() {
    let folder = large(1_000);
    // A disk of our own, in a name space of our own, gone with its shell.
    let disk = "mkdir disk && mount -t tmpfs -o size=64k tmpfs disk";
    let mounted = folder.shell(&format!("unshare -rm sh -c '{disk}' && rmdir disk"));
    assert_eq!(mounted.code, Some(0), "this test mounts a small disk of its own: {mounted:#?}");
    let script = format!(
        "unshare -rm sh -ec '{disk}; echo HAGGLELT > disk/old; \
         haggle build . -o disk/old || code=$?; \
         test \"$(cat disk/old)\" = HAGGLELT; test \"$(ls -A disk)\" = old; exit $code'; \
         code=$?; rmdir disk; exit $code"
    );
    assert_snapshot!(no_room(&folder, &script), @"
    error: the lattice is not stored: disk/old: No space left on device (os error 28)
        fix: free some space, or choose another folder
    ");
}

#[test]
fn two_builds_at_once_leave_a_whole_file() {
    let folder = large(500);
    let mut builds: Vec<_> = (0..2)
        .map(|_| folder.command(&["build", "."]).stdout(Stdio::null()).spawn().unwrap())
        .collect();
    for build in &mut builds {
        assert!(process::wait(build).success());
    }
    let run = folder.haggle(&["ask", ".", "--k", "2", "--max-suppressed", "90%"]);
    assert!(run.code == Some(0) && run.stderr.is_empty(), "{run:#?}");
}

//! A publication that is killed, or finds no room, leaves the old file or the new one.

use std::fmt::Write;
use std::process::Stdio;
use std::time::Instant;

use haggle_testkit::process;
use haggle_testkit::redacted;
use insta::{allow_duplicates, assert_snapshot};

use crate::common::Folder;
#[cfg(target_os = "linux")]
use crate::common::kill::kill_at;

/// A table that takes a while to publish.
fn large(records: usize) -> Folder {
    let mut table = String::from("age,sex,note\n");
    for i in 0..records {
        writeln!(table, "{},{},{:0>60}", 20 + i * 7 % 50, ["f", "m"][i % 2], i * 31).unwrap();
    }
    let attribute =
        |name: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n");
    let project = format!("[data]\npath = \"table.csv\"\n{}{}", attribute("age"), attribute("sex"));
    Folder::with([("haggle.toml", project), ("table.csv", table)])
}

/// In the order of the table, so that every publication is the same.
const PUBLISH: &[&str] =
    &["publish", ".", "--k", "2", "--scheme", "0,1", "--keep-order", "-o", "out.csv"];

#[test]
fn a_killed_publication_leaves_the_old_file_or_the_new_one() {
    let folder = large(150_000);
    let start = Instant::now();
    folder.haggle(PUBLISH).text();
    let (took, new) = (start.elapsed(), folder.read("out.csv"));
    let mut kept = 0;
    for step in 1..12 {
        folder.write("out.csv", "the old one");
        let mut command = folder.command(PUBLISH);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(took * step / 11);
        child.kill().unwrap();
        process::wait(&mut child);
        let found = folder.read("out.csv");
        assert!(found == b"the old one" || found == new, "step {step}: {} bytes", found.len());
        kept += u32::from(found != new);
    }
    assert!(kept > 0, "no publication was killed in time");
    folder.haggle(PUBLISH).text();
    assert!(folder.read("out.csv") == new, "a later publication succeeds");
}

#[test]
fn a_publication_that_may_not_write_so_much_leaves_the_old_file() {
    let folder = large(20_000);
    folder.write("out.csv", "the old one");
    let before = folder.listing();
    let run =
        folder.shell(&format!("trap '' XFSZ; ulimit -f 100; haggle {} --force", PUBLISH.join(" ")));
    assert_snapshot!(run.printed(2), @"
    Columns, with the records whose value is unique or is shared by fewer than 2 records:
      column  unique  fewer than 2    published
      age          0             0  generalized
      sex          0             0  generalized
      note    20,000        20,000      dropped
    error: out.csv: File too large (os error 27)
        fix: free some space, or choose another folder
    ");
    assert!(folder.listing() == before, "the folder is not as it was");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_anything_is_read() {
    let folder = large(300);
    folder.write("file", "no folder");
    let before = folder.listing();
    let run = folder.haggle(&["publish", ".", "--k", "2", "--scheme", "0,1", "-o", "file/out.csv"]);
    assert_snapshot!(run.printed(2), @"
    error: file/out.csv: there is no such folder
        fix: create it, or name a file elsewhere
    ");
    assert!(folder.listing() == before);
}

/// Publishes onto disks from one that holds hardly the old files to one with room for the new: at
/// each size there are the old files or the new ones, and the error says what to do.
#[test]
fn a_publication_on_a_full_disk_leaves_the_old_file() {
    let folder = large(300);
    // A disk of our own, in a name space of our own, gone with its shell.
    let disk = "mkdir -p disk && mount -t tmpfs -o size=${size}k tmpfs disk";
    let mounted = folder.shell(&format!("size=8; export size; unshare -rm sh -c '{disk}'"));
    assert_eq!(mounted.code, Some(0), "this test mounts a small disk of its own: {mounted:#?}");
    let mut outcomes = std::collections::BTreeSet::new();
    for name in ["out.csv", "out.parquet"] {
        let publish =
            format!("haggle publish . --k 2 --scheme 0,1 --suppress star --force -o disk/{name}");
        for size in (8..=48).step_by(4) {
            let script = format!(
                "size={size}; export size; unshare -rm sh -c '{disk}; cd disk; echo old > {name}; \
                 echo older > {name}.manifest.json; cd ..; {publish} > said 2>&1; code=$?; \
                 cp -r disk/. found; exit $code'"
            );
            folder.write("found/", "");
            let code = folder.shell(&script).code;
            let said = String::from_utf8(folder.read("said")).unwrap();
            let found = std::fs::read_dir(folder.file("found")).unwrap().count();
            assert_eq!(found, 2, "{size} kB hold a file, its manifest and nothing else: {said}");
            if code == Some(0) {
                let verify = ["verify", &format!("found/{name}"), "--k", "2", "--json"];
                assert_eq!(folder.haggle(&verify).json(0)["manifest_matches"], true, "{size} kB");
            } else {
                assert_eq!(code, Some(2), "{size} kB: {said}");
                let (file, manifest) =
                    (format!("disk/{name}"), format!("disk/{name}.manifest.json"));
                let said = redacted(&said, &[(&manifest, "output"), (&file, "output")]);
                // Where it comes before the first write, the table of columns is printed already.
                let error = &said[said.find("error:").unwrap_or_default()..];
                allow_duplicates!(assert_snapshot!(error, @"
                error: [output]: No space left on device (os error 28)
                    fix: free some space, or choose another folder
                "));
                assert_eq!(folder.read(&format!("found/{name}")), b"old\n", "{size} kB");
                assert_eq!(folder.read(&format!("found/{name}.manifest.json")), b"older\n");
            }
            outcomes.insert((name, code));
            std::fs::remove_dir_all(folder.file("found")).unwrap();
        }
    }
    assert_eq!(outcomes.len(), 4, "both kinds of files on disks too small and large enough");
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_publication_left_is_removed_by_the_next_one_of_that_name() {
    let folder = large(300);
    assert!(kill_at(&folder, PUBLISH, "fsync", 1));
    let is_journal = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "journal");
    let journal = folder.kept_by_haggle().into_iter().find(is_journal).unwrap();
    let small = large(10);
    std::fs::copy(small.file("table.csv"), folder.file("table.csv")).unwrap();
    let publish = |output: &str| {
        folder.haggle(&["publish", ".", "--k", "2", "--scheme", "1,1", "-o", output]).text();
        journal.exists()
    };
    assert!(publish("other.csv"), "it belongs to another file");
    let held = std::fs::File::options().write(true).open(&journal).unwrap();
    held.lock().unwrap();
    assert!(publish("out.csv"), "a process holds it");
    drop(held);
    assert!(!publish("out.csv"), "no process does, however new it is");
    assert!(folder.kept_by_haggle().is_empty());
}

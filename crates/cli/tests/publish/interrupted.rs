//! A publication that is killed, or finds no room, leaves the old file or the new one.

use std::fmt::Write;
use std::process::Stdio;
use std::time::Instant;

use crate::common::Folder;

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

const PUBLISH: &[&str] = &["publish", ".", "--k", "2", "--scheme", "0,1", "-o", "out.csv"];

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
        child.wait().unwrap();
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
    let run = folder.shell(&format!("trap '' XFSZ; ulimit -f 100; haggle {}", PUBLISH.join(" ")));
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("out.csv"), "{run:#?}");
    assert!(folder.listing() == before, "the folder is not as it was");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_anything_is_read() {
    let folder = large(300);
    folder.write("file", "no folder");
    let before = folder.listing();
    let run = folder.haggle(&["publish", ".", "--k", "2", "--scheme", "0,1", "-o", "file/out.csv"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains("file"), "{run:#?}");
    assert!(folder.listing() == before);
}

//! What a publication may replace: an earlier one, other files only by force, and some things never.

use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;

use haggle_testkit::titled;
use insta::{allow_duplicates, assert_snapshot};
use serde_json::Value;

use crate::common::{Folder, Run};

fn publish(folder: &Folder, more: &[&str]) -> Run {
    folder.haggle(&[&["publish", ".", "--k", "2", "--scheme", "1,0"], more].concat())
}

/// Why a publication is refused; nothing changed.
fn refusal(folder: &Folder, more: &[&str]) -> String {
    let before = folder.listing();
    let refusal = publish(folder, more).printed(2);
    assert!(folder.listing() == before, "{more:?}: something was written");
    refusal
}

/// Why publications to these files are refused; by force they are refused as well.
fn refusals<const N: usize>(folder: &Folder, outputs: [&str; N]) -> String {
    titled(outputs.map(|output| {
        let refused = refusal(folder, &["-o", output]);
        assert_eq!(refusal(folder, &["-o", output, "--force"]), refused);
        (output, refused)
    }))
}

#[test]
fn the_files_of_the_project_are_never_replaced() {
    let folder = Folder::people();
    folder.haggle(&["build", "."]).text();
    std::fs::hard_link(folder.file("people.csv"), folder.file("same.csv")).unwrap();
    symlink("people.csv", folder.file("link.csv")).unwrap();
    let own = ["haggle.toml", "./age.csv", "people.csv", "haggle.lattice", "same.csv", "link.csv"];
    assert_snapshot!(refusals(&folder, own));
    let own = ["-o", "out.csv", "--private", "secret", "--force"];
    folder.write("secret/", "");
    std::fs::hard_link(folder.file("age.csv"), folder.file("secret/mapping-age.csv")).unwrap();
    assert_snapshot!(refusal(&folder, &own), @"
    error: secret/mapping-age.csv: the output is a hierarchy of the project
        fix: name another file
    ");
}

#[test]
fn folders_pipes_and_devices_are_never_replaced() {
    let folder = Folder::people();
    folder.write("results/", "");
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status();
    assert!(made.unwrap().success());
    symlink("pipe", folder.file("link")).unwrap();
    symlink("/dev/null", folder.file("null")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.file("socket")).unwrap();
    assert_snapshot!(refusals(&folder, ["results", "pipe", "link", "null", "socket"]), @"
    == results
    error: results: the output is a folder
        fix: name a file
    == pipe
    error: pipe: the output is a pipe, a device or a socket
        fix: name a file
    == link
    error: link: the output is a pipe, a device or a socket
        fix: name a file
    == null
    error: null: the output is a pipe, a device or a socket
        fix: name a file
    == socket
    error: socket: the output is a pipe, a device or a socket
        fix: name a file
    ");
    std::fs::rename(folder.file("pipe"), folder.file("out.csv.manifest.json")).unwrap();
    assert_snapshot!(refusals(&folder, ["out.csv"]), @"
    == out.csv
    error: out.csv.manifest.json: the output is a pipe, a device or a socket
        fix: name another file
    ");
    assert!(folder.file("out.csv.manifest.json").metadata().unwrap().file_type().is_fifo());
}

#[test]
fn a_device_is_not_replaced_by_any_command() {
    let folder = Folder::people();
    let made = Command::new("mkfifo").arg(folder.file("pipe.svg")).status();
    assert!(made.unwrap().success());
    for command in [
        &["hierarchy", "export", ".", "age", "-o", "pipe.svg", "--force"][..],
        &["init", "people.csv", "-o", "pipe.svg", "--force"],
        &["build", ".", "-o", "pipe.svg"],
        &["study", ".", "--k", "2", "--plot", "pipe.svg"],
    ] {
        let run = folder.haggle(command);
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(folder.file("pipe.svg").metadata().unwrap().file_type().is_fifo(), "{command:?}");
    }
}

#[test]
fn an_earlier_publication_is_replaced_with_its_manifest_and_other_files_by_force() {
    let folder = Folder::people();
    for (name, content) in [("out.csv", "mine"), ("other.csv.manifest.json", "{}")] {
        folder.write(name, content);
    }
    let refused = |output: &str| refusal(&folder, &["-o", output]);
    assert_snapshot!(refused("out.csv"), @"
    error: out.csv: there is a file of this name already, and it is not an earlier publication
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    assert_snapshot!(refused("other.csv"), @"
    error: other.csv.manifest.json: there is a file of this name already, and it is not an earlier publication
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    publish(&folder, &["-o", "out.csv", "--force"]).text();
    folder.haggle(&["publish", ".", "--k", "2", "--scheme", "2,1", "-o", "out.csv"]).text();
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "4", "--json"]).json(0);
    assert_eq!(verdict["manifest_matches"], true);
    std::fs::rename(folder.file("out.csv"), folder.file("moved.csv")).unwrap();
    std::fs::copy(folder.file("out.csv.manifest.json"), folder.file("moved.csv.manifest.json"))
        .unwrap();
    assert_snapshot!(refused("moved.csv"), @"
    error: moved.csv: there is a file of this name already, and it is not an earlier publication
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
}

#[test]
fn private_files_of_others_are_not_replaced() {
    let folder = Folder::people();
    folder.write("mapping-age.csv", "mine");
    let private = ["-o", "out.csv", "--private", "."];
    assert_snapshot!(refusal(&folder, &private), @"
    error: ./mapping-age.csv: there is a file of this name already, and it is not an earlier publication
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    std::fs::remove_file(folder.file("mapping-age.csv")).unwrap();
    publish(&folder, &private).text();
    publish(&folder, &private).text();
}

#[test]
fn standard_output_is_not_a_file_named_so() {
    let folder = Folder::people();
    for command in [
        &["publish", ".", "--k", "2", "--scheme", "1,0", "-o", "-"][..],
        &["build", ".", "-o", "-"],
        &["init", "people.csv", "-o", "-"],
    ] {
        allow_duplicates!(assert_snapshot!(folder.haggle(command).printed(2), @"
        error: invalid value '-' for '--output <FILE>': this writes a file, not standard output; name a file (./- is one named -)

        For more information, try '--help'.
        "));
    }
    let exported = folder.haggle(&["hierarchy", "export", ".", "sex", "-o", "-"]);
    assert_eq!(exported.text(), "f;*\nm;*\n");
    assert!(!folder.file("-").exists());
}

#[test]
fn attributes_with_similar_names_have_mappings_of_their_own() {
    let folder = Folder::people();
    folder.edit("people.csv", "age,sex", "a/b,a_b");
    folder.edit("haggle.toml", "\"age\"", "\"a/b\"");
    folder.edit("haggle.toml", "\"sex\"", "\"a_b\"");
    publish(&folder, &["-o", "out.csv", "--private", "secret"]).text();
    let read = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let has = |name: &str, row: &str| read(name).lines().any(|line| line == row);
    assert!(has("secret/mapping-a%2Fb.csv", "34,30-39"));
    assert!(has("secret/mapping-a_b.csv", "f,f"));
}

#[test]
fn a_private_folder_holds_the_mappings_of_one_publication() {
    let folder = Folder::people();
    publish(&folder, &["-o", "out.csv", "--private", "secret"]).text();
    assert!(folder.file("secret/mapping-sex.csv").exists());
    let one = ["publish", ".", "--qi", "age", "--k", "2", "--scheme", "1", "-o", "out.csv"];
    folder.haggle(&[&one[..], &["--private", "secret"]].concat()).text();
    assert!(!folder.file("secret/mapping-sex.csv").exists());
    assert!(folder.file("secret/mapping-age.csv").exists());
}

#[test]
fn manifests_say_their_version_and_newer_ones_are_refused() {
    let folder = Folder::people();
    publish(&folder, &["-o", "out.csv", "--private", "secret"]).text();
    let manifest: Value = serde_json::from_slice(&folder.read("out.csv.manifest.json")).unwrap();
    let policy: Value = serde_json::from_slice(&folder.read("secret/policy.json")).unwrap();
    assert_eq!((&manifest["version"], &policy["version"]), (&2.into(), &2.into()));
    let verify = ["verify", "out.csv", "--k", "2"];
    let again = ["publish", ".", "--policy", "secret/policy.json", "-o", "again.csv"];
    for name in ["out.csv.manifest.json", "secret/policy.json"] {
        folder.edit(name, "\"version\": 2", "\"version\": 3");
    }
    assert_snapshot!(folder.haggle(&verify).printed(2), @"
    error: out.csv.manifest.json: this manifest has version 3, and this haggle reads up to 2
        fix: use the haggle that wrote it, or a newer one
    ");
    assert_snapshot!(folder.haggle(&again).printed(2), @"
    error: secret/policy.json: this manifest has version 3, and this haggle reads up to 2
        fix: use the haggle that wrote it, or a newer one
    ");
    // Haggle 0.1.0 wrote none.
    for name in ["out.csv.manifest.json", "secret/policy.json"] {
        folder.edit(name, "\"version\": 3,", "");
    }
    folder.haggle(&verify).text();
    folder.haggle(&again).text();
}

#[test]
fn a_file_that_is_not_its_manifests_is_not_verified() {
    let folder = Folder::people();
    publish(&folder, &["-o", "out.csv"]).text();
    let text = String::from_utf8(folder.read("out.csv")).unwrap();
    folder.write("out.csv", text.replace("gout", "flux"));
    assert_snapshot!(folder.haggle(&["verify", "out.csv", "--k", "2"]).printed(1), @"
    No: it is not the file that its manifest describes. As it is, k = 2 holds; the weakest group has k = 2.
    4 records in 2 groups over age, sex.
    0.00 % of the records (0) are unique over all published columns that are not sensitive.
    Warning: the sensitive values of disease single people out: 2 of 4 records have one that fewer than 2 share.
    The file is not the one that its manifest describes: it was changed, or replaced without its manifest. Publish it again.
    ");
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "2", "--json"]).json(1);
    assert_eq!((&verdict["holds"], &verdict["manifest_matches"]), (&true.into(), &false.into()));
}

#[test]
fn an_interrupted_publication_that_cannot_be_completed_is_called_so() {
    let folder = Folder::people();
    publish(&folder, &["-o", "out.csv"]).text();
    assert!(crate::common::kill::kill_at(
        &folder,
        &["publish", ".", "--k", "2", "--scheme", "2,1", "-o", "out.csv"],
        "rename",
        2
    ));
    // Another user's journal is not followed; a lock that is not a file stands for a folder that is
    // read-only, which root does not notice.
    let name =
        folder.kept_by_haggle().into_iter().find(|p| p.extension().is_some_and(|e| e == "lock"));
    let lock = name.expect("the lock was left");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    let verify = ["verify", "out.csv", "--k", "2", "--json"];
    assert_eq!(folder.haggle(&verify).json(1)["recovery"], "interrupted");
    std::fs::remove_dir(&lock).unwrap();
    let verdict = folder.haggle(&verify).json(0);
    assert_eq!(
        (&verdict["recovery"], &verdict["manifest_matches"]),
        (&"completed".into(), &true.into())
    );
    assert!(folder.kept_by_haggle().is_empty());
}

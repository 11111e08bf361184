//! What a publication may replace: an earlier one, other files only by force, and some things never.

use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, Run};

fn publish(folder: &Folder, more: &[&str]) -> Run {
    folder.haggle(&[&["publish", ".", "--k", "2", "--scheme", "1,0"], more].concat())
}

/// Refused with this reason, by force as well if it is refused always; nothing changed.
fn assert_refused(folder: &Folder, more: &[&str], why: &str) {
    let before = folder.listing();
    let run = publish(folder, more);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stderr.contains(why) && run.stderr.contains("fix: "), "{more:?}: {run:#?}");
    assert!(folder.listing() == before, "{more:?}: something was written");
}

fn assert_always_refused(folder: &Folder, output: &str, why: &str) {
    assert_refused(folder, &["-o", output], why);
    assert_refused(folder, &["-o", output, "--force"], why);
}

#[test]
fn the_files_of_the_project_are_never_replaced() {
    let folder = Folder::people();
    folder.haggle(&["build", "."]).text();
    assert_always_refused(&folder, "haggle.toml", "the output is the project file");
    assert_always_refused(&folder, "./age.csv", "the output is a hierarchy of the project");
    assert_always_refused(&folder, "people.csv", "the output is the data itself");
    assert_always_refused(&folder, "haggle.lattice", "the output is the lattice file");
    std::fs::hard_link(folder.file("people.csv"), folder.file("same.csv")).unwrap();
    assert_always_refused(&folder, "same.csv", "the output is the data itself");
    symlink("people.csv", folder.file("link.csv")).unwrap();
    assert_always_refused(&folder, "link.csv", "the output is the data itself");
    let own = ["-o", "out.csv", "--private", "secret", "--force"];
    folder.write("secret/", "");
    std::fs::hard_link(folder.file("age.csv"), folder.file("secret/mapping-age.csv")).unwrap();
    assert_refused(&folder, &own, "the output is a hierarchy of the project");
}

#[test]
fn folders_pipes_and_devices_are_never_replaced() {
    let folder = Folder::people();
    folder.write("results/", "");
    assert_always_refused(&folder, "results", "the output is a folder");
    let made = Command::new("mkfifo").arg(folder.file("pipe")).status();
    assert!(made.unwrap().success());
    symlink("pipe", folder.file("link")).unwrap();
    symlink("/dev/null", folder.file("null")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.file("socket")).unwrap();
    for output in ["pipe", "link", "null", "socket"] {
        assert_always_refused(&folder, output, "the output is a pipe, a device or a socket");
    }
    std::fs::rename(folder.file("pipe"), folder.file("out.csv.manifest.json")).unwrap();
    assert_always_refused(&folder, "out.csv", "the output is a pipe, a device or a socket");
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
    let why = "it is not an earlier publication";
    assert_refused(&folder, &["-o", "out.csv"], why);
    assert_refused(&folder, &["-o", "other.csv"], why);
    publish(&folder, &["-o", "out.csv", "--force"]).text();
    folder.haggle(&["publish", ".", "--k", "2", "--scheme", "2,1", "-o", "out.csv"]).text();
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "4", "--json"]).json(0);
    assert_eq!(verdict["manifest_matches"], true);
    std::fs::rename(folder.file("out.csv"), folder.file("moved.csv")).unwrap();
    std::fs::copy(folder.file("out.csv.manifest.json"), folder.file("moved.csv.manifest.json"))
        .unwrap();
    assert_refused(&folder, &["-o", "moved.csv"], why);
}

#[test]
fn private_files_of_others_are_not_replaced() {
    let folder = Folder::people();
    folder.write("mapping-age.csv", "mine");
    let private = ["-o", "out.csv", "--private", "."];
    assert_refused(&folder, &private, "it is not an earlier publication");
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
        let run = folder.haggle(command);
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("not standard output"), "{run:#?}");
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
    assert!(read("secret/mapping-a%2Fb.csv").contains("34,30-39"));
    assert!(read("secret/mapping-a_b.csv").contains("f,f"));
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
    for command in [&verify[..], &again] {
        let run = folder.haggle(command);
        assert_eq!(run.code, Some(2), "{run:#?}");
        assert!(run.stderr.contains("version 3, and this haggle reads up to 2"), "{run:#?}");
    }
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
    let run = folder.haggle(&["verify", "out.csv", "--k", "2"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(
        run.stdout.starts_with("No: it is not the file that its manifest describes"),
        "{run:#?}"
    );
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

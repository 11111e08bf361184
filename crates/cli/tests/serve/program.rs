//! Where it listens, who may reach it, and that it writes nowhere but where it may.

#[cfg(target_os = "linux")]
use std::net::TcpStream;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::common::{Folder, PEOPLE};
use crate::serve::Served;

/// The last line of a streamed answer.
pub(crate) fn last(answer: &[u8]) -> Value {
    let text = String::from_utf8_lossy(answer).into_owned();
    let line = text.lines().rfind(|line| line.starts_with('{'));
    serde_json::from_str(line.unwrap_or_else(|| panic!("{text}"))).unwrap()
}

#[test]
fn other_machines_are_let_in_only_if_that_is_meant() {
    let run = Folder::people().haggle(&["serve", ".", "--no-open", "--address", "0.0.0.0"]);
    assert_snapshot!(run.printed(2), @r#"
    error: 0.0.0.0 can be reached by other machines
        fix: leave the address out, or allow remote access if that is intended
        flags: --allow-remote allows it
    "#);
    let run = Folder::people().haggle(&["serve", "nowhere", "--no-open"]);
    assert_snapshot!(run.printed(2), @r#"
    error: nowhere: there is no project here
        fix: name a haggle.toml or its folder, or try demo:adult
    "#);
}

/// 127.0.0.2 is this machine, too, and reaches whatever listens at every address.
#[cfg(target_os = "linux")]
#[test]
fn only_one_address_of_this_machine_is_listened_at() {
    let served = Served::start(&["demo"]);
    let port: u16 = served.host.rsplit(':').next().unwrap().parse().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
}

#[test]
fn the_answer_is_that_of_the_command_line() {
    let served = Served::start(&["demo"]);
    let body = json!({"privacy": {"k-anonymity": 10}, "max_suppressed": 321, "levels": [2, 2, 2, 1, 1, 2]});
    let mut reported = last(&served.answer("POST", "/api/ask", &body.to_string()));
    let arguments = [
        "ask",
        "demo:adult",
        "--k",
        "10",
        "--max-suppressed",
        "321",
        "--levels",
        "2,2,2,1,1,2",
        "--json",
    ];
    let mut expected = Folder::empty().haggle(&arguments).json(0);
    for answer in [&mut reported, &mut expected] {
        answer.as_object_mut().unwrap().remove("micros");
    }
    assert_eq!(reported, expected);
}

#[test]
fn a_publication_goes_into_the_projects_folder_and_nowhere_else() {
    let folder = Folder::people();
    let served = Served::start(&["serve", folder.path().to_str().unwrap()]);
    let publish = |output: &str| {
        let body = json!({"privacy": {"k-anonymity": 2}, "scheme": [1, 0], "output": output});
        last(&served.answer("POST", "/api/publish", &body.to_string()))
    };
    let before = folder.listing();
    let outside = folder.path().parent().unwrap().join("escaped.csv");
    for output in [
        "../escaped.csv",
        "/tmp/escaped.csv",
        "a/../../escaped.csv",
        "..",
        "",
        ".csv",
        "people.csv",
        "age.csv",
        "haggle.toml",
        "out.txt",
        "C:out.csv",
        "a\\b.csv",
        "x\n.csv",
    ] {
        let ended = publish(output);
        assert!(ended["error"]["problems"][0]["fix"].is_string(), "{output}: {ended}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.path().join("link.csv")).unwrap();
        assert!(publish("link.csv")["error"].is_object());
        std::fs::remove_file(folder.path().join("link.csv")).unwrap();
    }
    assert!(!outside.exists() && folder.listing() == before, "something was written");
    let ended = publish("out.csv");
    assert_eq!(ended["done"]["report"]["output"], "out.csv", "{ended}");
    folder.haggle(&["verify", "out.csv", "--k", "2"]).text();
    assert!(publish("out.csv")["error"].is_object(), "never over another file");
}

#[test]
fn errors_contain_no_record() {
    let mut files: Vec<(&str, String)> =
        PEOPLE.iter().map(|(n, t)| (*n, (*t).to_owned())).collect();
    files[1].1 += "Canary,99,f,secret\n";
    let folder = Folder::with(files);
    let served = Served::start(&["serve", folder.path().to_str().unwrap()]);
    for path in ["/api/lattice", "/api/build", "/api/ask", "/api/preview", "/api/publish"] {
        let answer = String::from_utf8_lossy(&served.answer("POST", path, "{}")).into_owned();
        assert!(last(answer.as_bytes())["error"]["problems"].is_array(), "{answer}");
        assert!(!answer.contains("Canary") && !answer.contains("secret"), "{answer}");
    }
}

//! A lattice file that is out of date is not used, and the user learns why.

use haggle_testkit::{titled, without_lengths};
use insta::assert_snapshot;

use crate::common::{Folder, untimed};

/// Changes something in a built project; the next answer must say what, and be as a fresh one.
fn out_of_date(change: impl Fn(&Folder), why: &str) {
    let (built, fresh) = (Folder::people(), Folder::people());
    built.haggle(&["build", "."]).text();
    let old = built.read("haggle.lattice");
    change(&built);
    change(&fresh);
    for asked in [["--k", "2"], ["--l", "2"]] {
        let arguments = [&["ask", ".", "--json"], &asked[..]].concat();
        let (run, expected) = (built.haggle(&arguments), fresh.haggle(&arguments));
        let note = format!("note: ./haggle.lattice is not used: {why}; build the lattice again");
        assert!(run.stderr.starts_with(&note), "{run:#?}");
        assert_eq!(run.code, expected.code);
        match run.code {
            Some(2) => assert!(run.stderr.ends_with(&expected.stderr), "{run:#?}"),
            _ => assert_eq!(untimed(run.json(0)), untimed(expected.json(0))),
        }
    }
    assert_eq!(built.read("haggle.lattice"), old, "only build writes");
    built.haggle(&["build", "."]).text();
    let renewed = built.haggle(&["ask", ".", "--k", "2", "--json"]);
    assert!(renewed.stderr.is_empty(), "{renewed:#?}");
    assert_eq!(untimed(renewed.json(0)), fresh.answer(&[".", "--k", "2"]));
}

#[test]
fn changed_data_is_noticed() {
    out_of_date(
        |folder| folder.edit("people.csv", "Dan,47,m,gout", "Dan,47,m,gout\nEve,36,f,gout"),
        "the data changed",
    );
    out_of_date(|folder| folder.edit("people.csv", "gout", "acne"), "the data changed");
}

#[test]
fn data_of_the_same_size_and_time_is_noticed() {
    let folder = Folder::people();
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    let dated = |content: Option<&str>| {
        if let Some(content) = content {
            folder.write("people.csv", content);
        }
        let file = std::fs::File::options().append(true).open(folder.file("people.csv")).unwrap();
        file.set_modified(old).unwrap();
    };
    dated(None);
    folder.haggle(&["build", "."]).text();
    let text = String::from_utf8(folder.read("people.csv")).unwrap();
    dated(Some(&text.replace("Dan,47,m", "Dan,41,m")));
    let fresh = Folder::people();
    fresh.edit("people.csv", "Dan,47,m", "Dan,41,m");
    let run = folder.haggle(&["ask", ".", "--k", "2", "--json"]);
    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: the data changed; build the lattice again");
    assert_eq!(untimed(run.json(0)), fresh.answer(&[".", "--k", "2"]));
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).text();
}

#[test]
fn a_changed_hierarchy_is_noticed() {
    out_of_date(|folder| folder.edit("age.csv", "47;40-49", "47;old"), "a hierarchy changed");
    out_of_date(
        |folder| folder.edit("haggle.toml", "hierarchy = \"sex.csv\"\n", ""),
        "a hierarchy changed",
    );
}

#[test]
fn changed_roles_are_noticed() {
    let why = "the project file's data section or attributes changed";
    let role = |from: &'static str, to: &'static str| {
        move |folder: &Folder| folder.edit("haggle.toml", from, to)
    };
    out_of_date(role("role = \"sensitive\"", "role = \"insensitive\""), why);
    out_of_date(role("role = \"identifier\"", "role = \"sensitive\""), why);
    out_of_date(role("role = \"identifier\"", "role = \"quasi-identifier\""), why);
}

#[test]
fn a_changed_policy_is_noticed() {
    let why = "the project file's data section or attributes changed";
    let policy = |policy: &'static str| {
        move |folder: &Folder| folder.edit("haggle.toml", "[data]", &format!("[data]\n{policy}"))
    };
    out_of_date(policy("on_missing = \"drop\""), why);
    out_of_date(policy("missing = [\"gout\"]\non_missing = \"drop\""), why);
    out_of_date(policy("missing = [\"gout\"]\non_missing = \"value\""), why);
    out_of_date(policy("separator = \",\""), why);
}

#[test]
fn what_does_not_matter_is_not_noticed() {
    let folder = Folder::people();
    folder.haggle(&["build", "."]).text();
    let before = folder.answer(&[".", "--k", "2"]);
    folder.edit("haggle.toml", "[data]", "# a remark\n[data]");
    folder.edit("haggle.toml", "\"identifier\"", "\"insensitive\"");
    let data = folder.read("people.csv");
    folder.write("people.csv", data);
    let run = folder.haggle(&["ask", ".", "--k", "2", "--json"]);
    assert!(run.stderr.is_empty(), "written again, but the same: {run:#?}");
    assert_eq!(untimed(run.json(0)), before);
}

#[test]
fn a_damaged_file_next_to_the_project_is_reported_and_not_used() {
    let folder = Folder::people();
    let before = folder.answer(&[".", "--k", "2"]);
    folder.haggle(&["build", "."]).text();
    let whole = folder.read("haggle.lattice");
    let mut flipped = whole.clone();
    flipped[200] ^= 4;
    let damaged: [(_, &[u8]); 4] = [
        ("cut", &whole[..100]),
        ("one bit", &flipped),
        ("empty", b""),
        ("something else", b"no lattice at all"),
    ];
    assert_snapshot!(titled(damaged.map(|(title, damaged)| {
        folder.write("haggle.lattice", damaged);
        let run = folder.haggle(&["ask", ".", "--k", "2", "--json"]);
        assert_eq!(untimed(run.json(0)), before);
        (title, without_lengths(&run.notes()))
    })), @"
    == cut
    note: ./haggle.lattice is not used: the lattice file is cut off or has grown: [lengths]; build the lattice again
    == one bit
    note: ./haggle.lattice is not used: the lattice file is damaged: its checksum does not match; build the lattice again
    == empty
    note: ./haggle.lattice is not used: this is not a lattice file of haggle; build the lattice again
    == something else
    note: ./haggle.lattice is not used: this is not a lattice file of haggle; build the lattice again
    ");
    folder.haggle(&["build", "."]).text();
    assert_eq!(folder.read("haggle.lattice"), whole, "build repairs it");
    std::fs::remove_file(folder.file("haggle.lattice")).unwrap();
    folder.write("haggle.lattice/", "");
    let run = folder.haggle(&["ask", ".", "--k", "2", "--json"]);
    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: this is a folder, not a file; build the lattice again");
    assert_eq!(untimed(run.json(0)), before);
}

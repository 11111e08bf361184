//! Project files that are missing, are none, or say what cannot be.

use insta::assert_snapshot;

use crate::bad_input::{bare, case, refused};

const ASK: &[&str] = &["ask", ".", "--k", "2"];

#[test]
fn a_project_that_is_not_there() {
    assert_snapshot!(refused([
        bare("missing", &["ask", "nowhere", "--k", "2"]),
        bare("folder without one", ASK),
        bare("missing for check", &["check", "nowhere"]),
        bare("missing for build", &["build", "nowhere"]),
        bare("missing for study", &["study", "nowhere"]),
        bare("unknown demo", &["ask", "demo:nobody"]),
        bare("missing lattice", &["ask", "no.lattice"]),
    ]));
}

#[test]
fn a_project_file_that_cannot_be_read() {
    let latin = b"[data]\npath = \"caf\xe9.csv\"\n";
    let many: String = (0..100).map(|i| format!("record {i}\n")).collect();
    assert_snapshot!(refused([
        case("not UTF-8", ASK).file("haggle.toml", latin),
        case("syntax", ASK).file("haggle.toml", "[data]\npath = \n"),
        case("not TOML at all", ASK).file("haggle.toml", many),
        case("the data instead", &["ask", "people.csv", "--k", "2"]),
        case("empty", ASK).file("haggle.toml", ""),
    ]));
}

#[test]
fn unknown_keys_are_all_reported_with_what_was_meant() {
    let sloppy = r#"[data]
path = "people.csv"
seperator = ","

[[attribute]]
name = "age"
rol = "quasi-identifier"
colour = "red"

[requests]
k = 5
"#;
    assert_snapshot!(refused([
        case("several at once", ASK).file("haggle.toml", sloppy),
        case("in the request", ASK).edit(
            "haggle.toml",
            "[data]",
            "[request]\nmax-supressed = 3\n[data]"
        ),
    ]));
}

#[test]
fn values_of_the_wrong_type_are_all_reported() {
    let wrong = r#"[data]
path = 3
header = "no"
missing = "?"
separator = ";;"
columns = [1, 2]
on_missing = "ignore"

[[attribute]]
name = 7
role = true
hierarchy = ["a"]

[request]
k = "five"
max_suppressed = 1.5
levels = "high"
relax_height = "upwards"
quasi_identifiers = ["nobody"]
"#;
    assert_snapshot!(refused([case("everything", ASK).file("haggle.toml", wrong)]));
}

#[test]
fn attributes_that_cannot_be() {
    let twice = "[[attribute]]\nname = \"age\"\nrole = \"sensitive\"\n[data]";
    assert_snapshot!(refused([
        case("unknown role", ASK).edit(
            "haggle.toml",
            "role = \"quasi-identifier\"\nhierarchy = \"age",
            "role = \"secret\"\nhierarchy = \"age",
        ),
        case("no quasi-identifier", ASK).edit(
            "haggle.toml",
            "role = \"quasi-identifier\"",
            "role = \"insensitive\""
        ),
        case("described twice", ASK).edit("haggle.toml", "[data]", twice),
        case("without a name", ASK).edit("haggle.toml", "name = \"age\"\n", "",),
        case("hierarchy of the wrong role", ASK).edit(
            "haggle.toml",
            "role = \"identifier\"",
            "role = \"identifier\"\nhierarchy = \"age.csv\"",
        ),
        case("one character for two things", ASK).edit(
            "haggle.toml",
            "[data]",
            "[data]\nseparator = \";\"\nquote = \";\""
        ),
        case("a line end as separator", ASK).edit(
            "haggle.toml",
            "[data]",
            "[data]\nseparator = \"\\n\""
        ),
        case("hierarchy is the data", ASK).edit("haggle.toml", "age.csv", "people.csv"),
    ]));
}

#[test]
fn requests_of_the_project_that_cannot_be() {
    let request = |text: &'static str| {
        case(text, &["ask", "."])
            .file("haggle.toml", format!("[request]\n{text}\n{}", crate::bad_input::PEOPLE[0].1))
    };
    assert_snapshot!(refused([
        request("k = 1"),
        request("l = 0"),
        request("k = nan"),
        request("k = 2.5"),
        request("privacy = [\"m-anonymity=2\"]"),
        request("privacy = [\"k-anonymity\"]"),
        request("max_suppressed = \"200%\""),
        request("max_suppressed = -1"),
        request("k = 2\nlevels = [9, 0]"),
        request("k = 2\nlevels = [0]"),
        request("k = 2\nquasi_identifiers = []"),
        request("k = 2\nquasi_identifiers = [\"sex\", \"sex\"]"),
    ]));
}

//! Project files that are missing, are none, or say what cannot be.

use crate::{bare, case, refused};

const ASK: &[&str] = &["ask", ".", "--k", "2"];

#[test]
fn a_project_that_is_not_there() {
    let try_demo = "name a haggle.toml or its folder, or try demo:adult";
    refused([
        bare(
            "missing",
            &["ask", "nowhere", "--k", "2"],
            &["nowhere: there is no project", try_demo],
        ),
        bare("folder without one", ASK, &["./haggle.toml: there is no project", try_demo]),
        bare("missing for check", &["check", "nowhere"], &["nowhere", try_demo]),
        bare("missing for build", &["build", "nowhere"], &["nowhere", try_demo]),
        bare("missing for study", &["study", "nowhere"], &["nowhere", try_demo]),
        bare("unknown demo", &["ask", "demo:nobody"], &["'nobody'", "demo:adult"]),
        bare("missing lattice", &["ask", "no.lattice"], &["no.lattice", "check the path"]),
    ]);
}

#[test]
fn a_project_file_that_cannot_be_read() {
    let latin = b"[data]\npath = \"caf\xe9.csv\"\n";
    let many: String = (0..100).map(|i| format!("record {i}\n")).collect();
    refused([
        case("not UTF-8", ASK, &["haggle.toml:2", "UTF-8"]).file("haggle.toml", latin),
        case("syntax", ASK, &["haggle.toml:2", "TOML"]).file("haggle.toml", "[data]\npath = \n"),
        case("not TOML at all", ASK, &["haggle.toml:1", "haggle.toml:5", "and 95 more"])
            .file("haggle.toml", many),
        case("the data instead", &["ask", "people.csv", "--k", "2"], &["people.csv:1", "TOML"]),
        case(
            "empty",
            ASK,
            &["haggle.toml:1", "names no data", "no attribute is a quasi-identifier"],
        )
        .file("haggle.toml", ""),
    ]);
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
    refused([
        case(
            "several at once",
            ASK,
            &[
                "haggle.toml:3: unknown key 'seperator'",
                "did you mean 'separator'",
                "haggle.toml:7: unknown key 'rol'",
                "did you mean 'role'",
                "haggle.toml:8: unknown key 'colour'",
                "known keys: name, role, hierarchy",
                "haggle.toml:10: unknown key 'requests'",
                "did you mean 'request'",
            ],
        )
        .file("haggle.toml", sloppy),
        case(
            "in the request",
            ASK,
            &["unknown key 'max-supressed'", "did you mean 'max_suppressed'"],
        )
        .edit("haggle.toml", "[data]", "[request]\nmax-supressed = 3\n[data]"),
    ]);
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
    refused([case(
        "everything",
        ASK,
        &[
            "haggle.toml:2: path in [data] is not a text",
            "haggle.toml:3: header in [data] is not true or false",
            "haggle.toml:4: missing in [data] is not a list of texts",
            "haggle.toml:5: separator in [data] is not a single character",
            "haggle.toml:6: columns in [data] is not a list of texts",
            "haggle.toml:7: on_missing = \"ignore\" is unknown",
            "choose \"value\", \"drop\", \"unmatched\" or \"error\"",
            "haggle.toml:10: name in [[attribute]] is not a text",
            "haggle.toml:11: role in [[attribute]] is not a text",
            "haggle.toml:12: hierarchy in [[attribute]] is not a file name",
            "haggle.toml:15: k in [request] is not a number",
            "haggle.toml:16: max_suppressed in [request] is not a count",
            "haggle.toml:17: levels in [request] is not a list",
            "haggle.toml:18: 'upwards' is no height relaxation",
            "haggle.toml:19: 'nobody' in quasi_identifiers",
        ],
    )
    .file("haggle.toml", wrong)]);
}

#[test]
fn attributes_that_cannot_be() {
    let twice = "[[attribute]]\nname = \"age\"\nrole = \"sensitive\"\n[data]";
    refused([
        case(
            "unknown role",
            ASK,
            &[
                "haggle.toml:10: there is no role 'secret'",
                "identifier, quasi-identifier, sensitive",
            ],
        )
        .edit(
            "haggle.toml",
            "role = \"quasi-identifier\"\nhierarchy = \"age",
            "role = \"secret\"\nhierarchy = \"age",
        ),
        case("no quasi-identifier", ASK, &["haggle.toml:1", "no attribute is a quasi-identifier"])
            .edit("haggle.toml", "role = \"quasi-identifier\"", "role = \"insensitive\""),
        case("described twice", ASK, &["haggle.toml", "'age' is described twice", "keep one"])
            .edit("haggle.toml", "[data]", twice),
        case("without a name", ASK, &["haggle.toml:8", "an attribute without a name"]).edit(
            "haggle.toml",
            "name = \"age\"\n",
            "",
        ),
        case("hierarchy of the wrong role", ASK, &["'name' has a hierarchy", "quasi-identifier"])
            .edit(
                "haggle.toml",
                "role = \"identifier\"",
                "role = \"identifier\"\nhierarchy = \"age.csv\"",
            ),
        case(
            "one character for two things",
            ASK,
            &["haggle.toml:3: separator and quote are the same character"],
        )
        .edit("haggle.toml", "[data]", "[data]\nseparator = \";\"\nquote = \";\""),
        case(
            "a line end as separator",
            ASK,
            &["haggle.toml:2: separator in [data] is not a single"],
        )
        .edit("haggle.toml", "[data]", "[data]\nseparator = \"\\n\""),
        case("hierarchy is the data", ASK, &["haggle.toml:8", "'age' is the data file itself"])
            .edit("haggle.toml", "age.csv", "people.csv"),
    ]);
}

#[test]
fn requests_of_the_project_that_cannot_be() {
    let request = |text: &'static str, expected: &[&'static str]| {
        case(text, &["ask", "."], expected)
            .file("haggle.toml", format!("[request]\n{text}\n{}", crate::PEOPLE[0].1))
    };
    refused([
        request("k = 1", &["haggle.toml:2: k = 1 is out of range", "from 2"]),
        request("l = 0", &["haggle.toml:2: l = 0 is out of range"]),
        request("k = nan", &["haggle.toml:2: k = NaN is out of range"]),
        request("k = 2.5", &["haggle.toml:2: k = 2.5 is out of range", "whole number"]),
        request(
            "privacy = [\"m-anonymity=2\"]",
            &["haggle.toml:2", "no privacy model 'm-anonymity'"],
        ),
        request("privacy = [\"k-anonymity\"]", &["haggle.toml:2", "write MODEL=THRESHOLD"]),
        request("max_suppressed = \"200%\"", &["haggle.toml:2: '200%'", "per cent"]),
        request("max_suppressed = -1", &["haggle.toml:2: '-1'", "per cent"]),
        request("k = 2\nlevels = [9, 0]", &["'age' has no level 9", "0 to 2"]),
        request("k = 2\nlevels = [0]", &["1 levels for 2", "age, sex"]),
        request("k = 2\nquasi_identifiers = []", &["no quasi-identifier is chosen", "age, sex"]),
        request("k = 2\nquasi_identifiers = [\"sex\", \"sex\"]", &["'sex' is named twice"]),
    ]);
}

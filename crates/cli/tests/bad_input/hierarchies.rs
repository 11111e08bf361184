//! Hierarchies that are missing, do not cover the data, or contradict themselves.

use crate::{Case, case, refused};

/// The sound project with another hierarchy of age.
fn age(name: &'static str, content: impl Into<Vec<u8>>, expected: &[&'static str]) -> Case {
    case(name, &["ask", ".", "--k", "2"], expected).file("age.csv", content)
}

#[test]
fn a_hierarchy_that_cannot_be_read() {
    let missing = &["age.csv: No such file", "relative to the project file"];
    refused([
        age("missing", "", missing).without("age.csv"),
        age("a folder", "", &["age.csv: this is a folder"]).without("age.csv").file("age.csv/", ""),
        age("empty", "", &["age.csv: the hierarchy of 'age' has no rows", "37;30-39;*"]),
        age("blank lines", "\n\n", &["age.csv: the hierarchy of 'age' has no rows"]),
        age(
            "not UTF-8",
            b"34;30-39;*\n36;30\xff39;*\n",
            &["age.csv:2: the hierarchy of 'age' is not valid UTF-8", "save the file as UTF-8"],
        ),
        age(
            "NUL",
            "34;30-39;*\n36;30\x0039;*\n",
            &["age.csv:2: the hierarchy of 'age' contains a NUL byte"],
        ),
    ]);
}

#[test]
fn values_that_no_hierarchy_covers_are_all_reported() {
    let add = "add a row for each to ./age.csv, or declare it as missing";
    refused([
        age("one", "34;*\n36;*\n41;*\n", &["people.csv:5: the hierarchy of 'age' does not cover '47'", add]),
        age("two attributes", "34;*\n47;*\n", &[
            "people.csv:3: the hierarchy of 'age' does not cover '36', '41', first on this line",
            "people.csv:4: the hierarchy of 'sex' does not cover 'm'",
            "./sex.csv",
            add,
        ])
        .file("sex.csv", "f;*\n"),
        age("a gap and a missing file", "34;*\n", &["people.csv:3: the hierarchy of 'age'", "sex.csv: No such file"])
            .without("sex.csv"),
        age("many", "1;*\n", &["'34', '36', '41', '47', '50' and 2 more, first on this line", "people.csv:2:"]).file(
            "people.csv",
            "name,age,sex,disease\nA,47,f,x\nA,34,f,x\nA,36,f,x\nA,41,f,x\nA,50,f,x\nA,51,f,x\nA,52,f,x\n",
        ),
        case("'*' is recorded", &["ask", ".", "--k", "2"], &["'sex' has the value '*'", "give it a hierarchy"])
            .edit("haggle.toml", "hierarchy = \"sex.csv\"\n", "")
            .edit("people.csv", ",m,", ",*,"),
    ]);
}

#[test]
fn hierarchies_that_contradict_themselves() {
    let rest = "41;40-49;*\n47;40-49;*\n";
    refused([
        age(
            "a value twice",
            format!("34;30-39;*\n36;30-39;*\n36;young;*\n{rest}"),
            &[
                "age.csv:3: in the hierarchy of 'age', '36' (level 0) belongs to 'young' and, on line 2, to '30-39'",
                "let '36' belong to one of them",
            ],
        ),
        age(
            "a label with two parents",
            "34;30-39;young;*\n36;30-39;old;*\n41;40-49;old;*\n47;40-49;old;*\n",
            &[
                "age.csv:2: in the hierarchy of 'age', '30-39' (level 1) belongs to 'old' and, on line 1, to 'young'",
            ],
        ),
        age(
            "two attributes",
            format!("34;30-39;*\n34;young;*\n36;30-39;*\n{rest}"),
            &["age.csv:2:", "sex.csv:3:"],
        )
        .file("sex.csv", "f;known;*\nm;known;*\nm;unknown;*\n"),
        age(
            "half a top",
            format!("34;30-39;*\n36;30-39;any\n{rest}"),
            &[
                "age.csv:2: the hierarchy of 'age' must end in one value",
                "'any'",
                "end every row in '*', or none",
            ],
        ),
        age(
            "a row that ends early in '*'",
            "34;*\n36;30-39;x\n41;40-49;x\n47;40-49;x\n",
            &[
                "age.csv:2: the hierarchy of 'age' must end in one value, but line 1 ends in '*'",
                "and this one in 'x'",
                "end every row in '*', or none",
            ],
        ),
        age(
            "too many levels",
            format!("34;{}*\n", "x;".repeat(300)),
            &["age.csv: the hierarchy of 'age' has 302 levels", "leave out levels"],
        ),
    ]);
}

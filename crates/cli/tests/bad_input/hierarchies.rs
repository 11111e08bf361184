//! Hierarchies that are missing, do not cover the data, or contradict themselves.

use insta::assert_snapshot;

use crate::bad_input::{Case, case, refused};

/// The sound project with another hierarchy of age.
fn age(name: &'static str, content: impl Into<Vec<u8>>) -> Case {
    case(name, &["ask", ".", "--k", "2"]).file("age.csv", content)
}

#[test]
fn a_hierarchy_that_cannot_be_read() {
    assert_snapshot!(refused([
        age("missing", "").without("age.csv"),
        age("a folder", "").without("age.csv").file("age.csv/", ""),
        age("empty", ""),
        age("blank lines", "\n\n"),
        age("not UTF-8", b"34;30-39;*\n36;30\xff39;*\n"),
        age("NUL", "34;30-39;*\n36;30\x0039;*\n"),
    ]));
}

#[test]
fn values_that_no_hierarchy_covers_are_all_reported() {
    assert_snapshot!(refused([
        age("one", "34;*\n36;*\n41;*\n"),
        age("two attributes", "34;*\n47;*\n")
        .file("sex.csv", "f;*\n"),
        age("a gap and a missing file", "34;*\n")
            .without("sex.csv"),
        age("many", "1;*\n").file(
            "people.csv",
            "name,age,sex,disease\nA,47,f,x\nA,34,f,x\nA,36,f,x\nA,41,f,x\nA,50,f,x\nA,51,f,x\nA,52,f,x\n",
        ),
        case("'*' is recorded", &["ask", ".", "--k", "2"])
            .edit("haggle.toml", "hierarchy = \"sex.csv\"\n", "")
            .edit("people.csv", ",m,", ",*,"),
    ]));
}

#[test]
fn hierarchies_that_contradict_themselves() {
    let rest = "41;40-49;*\n47;40-49;*\n";
    assert_snapshot!(refused([
        age("a value twice", format!("34;30-39;*\n36;30-39;*\n36;young;*\n{rest}")),
        age(
            "a label with two parents",
            "34;30-39;young;*\n36;30-39;old;*\n41;40-49;old;*\n47;40-49;old;*\n"
        ),
        age("two attributes", format!("34;30-39;*\n34;young;*\n36;30-39;*\n{rest}"))
            .file("sex.csv", "f;known;*\nm;known;*\nm;unknown;*\n"),
        age("half a top", format!("34;30-39;*\n36;30-39;any\n{rest}")),
        age("a row that ends early in '*'", "34;*\n36;30-39;x\n41;40-49;x\n47;40-49;x\n"),
        age("too many levels", format!("34;{}*\n", "x;".repeat(300))),
    ]));
}

//! Data that is missing, is not a table, or does not fit the project.

use insta::assert_snapshot;

use crate::bad_input::{Case, case, refused};

/// The sound project with other data.
fn data(name: &'static str, content: impl Into<Vec<u8>>) -> Case {
    case(name, &["ask", ".", "--k", "2"]).file("people.csv", content)
}

#[test]
fn data_that_is_not_a_file() {
    assert_snapshot!(refused([
        case("missing", &["ask", ".", "--k", "2"]).without("people.csv"),
        case("missing, checked", &["check", "."]).without("people.csv"),
        case("a folder", &["ask", ".", "--k", "2"]).without("people.csv").file("people.csv/", ""),
        case("a device", &["ask", ".", "--k", "2"]).edit("haggle.toml", "people.csv", "/dev/null"),
    ]));
}

#[test]
fn records_with_a_wrong_number_of_fields() {
    assert_snapshot!(refused([
        data("plain", "name,age,sex,disease\nAda,34,f,flu\nBea,36,f\n"),
        data("at the end", "name,age,sex,disease\nAda,34,f,flu\nBea,36,f"),
        data("Windows line ends", "name,age,sex,disease\r\nAda,34,f,flu\r\nBea,36,f\r\n"),
        data("old line ends", "name,age,sex,disease\rAda,34,f,flu\rBea,36,f\r"),
        data("after blank lines", "\nname,age,sex,disease\n\n\nAda,34,f,flu\n\nBea,36,f\n"),
        data("after quoted line ends", "name,age,sex,disease\n\"A\nd\n\na\",34,f,flu\nBea,36,f\n"),
        data("a mark before", "\u{feff}name,age,sex,disease\nBea,36,f\n"),
        data("too many", "name,age,sex,disease\nAda,34,f,flu,x\n"),
        data(
            "more than are spelled out",
            format!("name,age,sex,disease\n{}", "Ada,34\n".repeat(12))
        ),
    ]));
}

/// A table of several blocks, so that all cores read it.
fn large(quoted: bool) -> String {
    let name = if quoted { "\"A.\n\nda\"" } else { "Ada" };
    let record = format!("{name},34,f,flu\n");
    format!("name,age,sex,disease\n{}", record.repeat(4_000_000 / record.len()))
}

#[test]
fn lines_are_right_in_large_files() {
    let (plain, quoted) = (large(false), large(true));
    let lines = |text: &str| text.matches('\n').count();
    assert_eq!((lines(&plain), lines(&quoted)), (307_693, 666_667));
    assert_snapshot!(refused([
        data("fields", format!("{plain}Ada,34,f\n")),
        data("fields after quotes", format!("{quoted}Ada,34,f\n")),
        data("Windows line ends", format!("{}Ada,34,f\r\n", plain.replace('\n', "\r\n"))),
        data("old line ends", format!("{}Ada,34,f\r", quoted.replace('\n', "\r"))),
        data("NUL", format!("{plain}Ada,34,\0,flu\nAda,34,\0,flu\n")),
        data("value not covered", format!("{quoted}Ada,99,f,flu\n")),
        data("missing", format!("{plain}Ada,,f,flu\n")),
    ]));
}

#[test]
fn the_first_of_several_faults_is_reported_whichever_thread_meets_it() {
    let record = "Ada,34,f,flu\n";
    let block = record.repeat(100_000);
    let faulty = format!("name,age,sex,disease\n{block}Bea,\0,f,flu\n{block}Bea,\0,f,flu\n{block}");
    assert_snapshot!(refused((0..5).map(|_| data("NUL twice", faulty.clone()))));
}

#[test]
fn bytes_that_are_not_text() {
    let unmarked: Vec<u8> =
        "name,age,sex,disease\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
    assert_snapshot!(refused([
        data("NUL", "name,age,sex,disease\nAda,34,f,flu\nBea,3\x006,f,flu\n"),
        data("not UTF-8", b"name,age,sex,disease\nAda,34,f,grippe aigu\xeb\n"),
        data("not UTF-8 in the header", b"name,\xe2ge,sex,disease\nAda,34,f,flu\n"),
        data("UTF-16 without its mark", unmarked),
        data("a spreadsheet", b"PK\x03\x04\x14\0\x08\0"),
        data("Parquet", b"PAR1\x15\x04"),
        data("gzip, cut off", gzip),
    ]));
}

#[test]
fn quotes_that_are_never_closed() {
    let open = "name,age,sex,disease\nAda,34,f,flu\n\"Bea,36,f,flu\nCid,41,m,flu\n";
    let last = "name,age,sex,disease\nAda,34,f,flu\nBea,36,f,\"flu\nCid,41,m,flu\n";
    let large = large(false);
    let swallowed = large.replacen("Ada", "\"Ada", 1);
    assert_snapshot!(refused([
        data("in the first field", open),
        data("in the last field", last),
        data("in a large file", swallowed),
        data("in a larger file", format!("name,age,sex,disease\n\"{}", large.repeat(5))),
    ]));
}

#[test]
fn tables_without_records() {
    let dropping = |case: Case| case.edit("haggle.toml", "[data]", "[data]\non_missing = \"drop\"");
    assert_snapshot!(refused([
        data("empty", ""),
        data("blank lines", "\n\r\n\n"),
        data("a mark alone", "\u{feff}"),
        data("the header alone", "name,age,sex,disease\n"),
        dropping(data("all missing", "name,age,sex,disease\nAda,,f,flu\nBea,36,f,\n")),
    ]));
}

#[test]
fn columns_that_are_not_there_or_twice() {
    let columns = "[data]\nheader = false\ncolumns = [\"name\", \"age\", \"age\", \"disease\"]";
    assert_snapshot!(refused([
        data("twice", "name,age,age,disease\nAda,34,f,flu\n"),
        data("no name", "name,age,,disease\nAda,34,f,flu\n"),
        data("missing", "name,years,sex,illness\nAda,34,f,flu\n"),
        data("no header", "Ada,34,f,flu\nBea,36,f,flu\n"),
        data("no header, and that is stated", "Ada,34,f,flu\n").edit(
            "haggle.toml",
            "[data]",
            "[data]\nheader = false"
        ),
        data("fewer columns than fields", "Ada,34,f,flu\n").edit(
            "haggle.toml",
            "[data]",
            "[data]\ncolumns = [\"age\", \"sex\"]"
        ),
        data("named twice in the project", "Ada,34,f,flu\n").edit("haggle.toml", "[data]", columns),
    ]));
}

#[test]
fn missing_values_without_a_policy() {
    let stated = |case: Case| case.edit("haggle.toml", "[data]", "[data]\nmissing = [\"?\", \"\"]");
    assert_snapshot!(refused([
        data("a quasi-identifier", "name,age,sex,disease\nAda,34,,flu\nBea, ,f,flu\n"),
        data("a sensitive attribute", "name,age,sex,disease\nAda,34,f,\n"),
        stated(data("a mark", "name,age,sex,disease\nAda,34,f,?\nBea,,f,flu\n")),
        data(
            "more than are spelled out",
            format!("name,age,sex,disease\n{}", "Ada,34,,flu\n".repeat(9))
        ),
    ]));
}

//! Data that is missing, is not a table, or does not fit the project.

use crate::{Case, case, refused};

/// The sound project with other data.
fn data(name: &'static str, content: impl Into<Vec<u8>>, expected: &[&'static str]) -> Case {
    case(name, &["ask", ".", "--k", "2"], expected).file("people.csv", content)
}

#[test]
fn data_that_is_not_a_file() {
    let missing = &["people.csv: No such file", "relative to the project file"];
    refused([
        case("missing", &["ask", ".", "--k", "2"], missing).without("people.csv"),
        case("missing, checked", &["check", "."], missing).without("people.csv"),
        case("a folder", &["ask", ".", "--k", "2"], &["people.csv: this is a folder"])
            .without("people.csv")
            .file("people.csv/", ""),
        case("a device", &["ask", ".", "--k", "2"], &["/dev/null: this is a pipe or a device"])
            .edit("haggle.toml", "people.csv", "/dev/null"),
    ]);
}

#[test]
fn records_with_a_wrong_number_of_fields() {
    let fix = "quote fields that contain the separator";
    let wrong =
        |name, content: &str, line| data(name, content, &[line, "3 fields", "4 columns", fix]);
    refused([
        wrong("plain", "name,age,sex,disease\nAda,34,f,flu\nBea,36,f\n", "people.csv:3:"),
        wrong("at the end", "name,age,sex,disease\nAda,34,f,flu\nBea,36,f", "people.csv:3:"),
        wrong(
            "Windows line ends",
            "name,age,sex,disease\r\nAda,34,f,flu\r\nBea,36,f\r\n",
            "people.csv:3:",
        ),
        wrong("old line ends", "name,age,sex,disease\rAda,34,f,flu\rBea,36,f\r", "people.csv:3:"),
        wrong(
            "after blank lines",
            "\nname,age,sex,disease\n\n\nAda,34,f,flu\n\nBea,36,f\n",
            "people.csv:7:",
        ),
        wrong(
            "after quoted line ends",
            "name,age,sex,disease\n\"A\nd\n\na\",34,f,flu\nBea,36,f\n",
            "people.csv:6:",
        ),
        wrong("a mark before", "\u{feff}name,age,sex,disease\nBea,36,f\n", "people.csv:2:"),
        data(
            "too many",
            "name,age,sex,disease\nAda,34,f,flu,x\n",
            &["people.csv:2: 5 fields", fix],
        ),
        data(
            "more than are spelled out",
            format!("name,age,sex,disease\n{}", "Ada,34\n".repeat(12)),
            &["people.csv:2:", "people.csv:6:", "and 7 more records with a wrong number of fields"],
        ),
    ]);
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
    refused([
        data("fields", format!("{plain}Ada,34,f\n"), &["people.csv:307694: 3 fields"]),
        data(
            "fields after quotes",
            format!("{quoted}Ada,34,f\n"),
            &["people.csv:666668: 3 fields"],
        ),
        data(
            "Windows line ends",
            format!("{}Ada,34,f\r\n", plain.replace('\n', "\r\n")),
            &["people.csv:307694: 3 fields"],
        ),
        data(
            "old line ends",
            format!("{}Ada,34,f\r", quoted.replace('\n', "\r")),
            &["people.csv:666668: 3 fields"],
        ),
        data(
            "NUL",
            format!("{plain}Ada,34,\0,flu\nAda,34,\0,flu\n"),
            &["people.csv:307694: a NUL byte"],
        ),
        data(
            "value not covered",
            format!("{quoted}Ada,99,f,flu\n"),
            &["people.csv:666668", "'99'"],
        ),
        data("missing", format!("{plain}Ada,,f,flu\n"), &["people.csv:307694:2: 'age' is missing"]),
    ]);
}

#[test]
fn the_first_of_several_faults_is_reported_whichever_thread_meets_it() {
    let record = "Ada,34,f,flu\n";
    let block = record.repeat(100_000);
    let faulty = format!("name,age,sex,disease\n{block}Bea,\0,f,flu\n{block}Bea,\0,f,flu\n{block}");
    refused((0..5).map(|_| data("NUL twice", faulty.clone(), &["people.csv:100002: a NUL byte"])));
}

#[test]
fn bytes_that_are_not_text() {
    let unmarked: Vec<u8> =
        "name,age,sex,disease\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
    refused([
        data(
            "NUL",
            "name,age,sex,disease\nAda,34,f,flu\nBea,3\x006,f,flu\n",
            &["people.csv:3: a NUL byte"],
        ),
        data(
            "not UTF-8",
            b"name,age,sex,disease\nAda,34,f,grippe aigu\xeb\n",
            &["people.csv:2: not valid UTF-8", "encoding = \"windows-1252\""],
        ),
        data(
            "not UTF-8 in the header",
            b"name,\xe2ge,sex,disease\nAda,34,f,flu\n",
            &["people.csv:1: not valid UTF-8"],
        ),
        data("UTF-16 without its mark", unmarked, &["people.csv:1: a NUL byte", "\"utf-16\""]),
        data("a spreadsheet", b"PK\x03\x04\x14\0\x08\0", &["people.csv", "spreadsheet", "CSV"]),
        data("Parquet", b"PAR1\x15\x04", &["people.csv", "Parquet", "CSV"]),
        data("gzip, cut off", gzip, &["people.csv", "unexpected end of file", "damaged"]),
    ]);
}

#[test]
fn quotes_that_are_never_closed() {
    let open = "name,age,sex,disease\nAda,34,f,flu\n\"Bea,36,f,flu\nCid,41,m,flu\n";
    let last = "name,age,sex,disease\nAda,34,f,flu\nBea,36,f,\"flu\nCid,41,m,flu\n";
    let large = large(false);
    let swallowed = large.replacen("Ada", "\"Ada", 1);
    let never = "a quote in this record is never closed";
    refused([
        data("in the first field", open, &["people.csv:3:", never, "close or double the quote"]),
        data("in the last field", last, &["people.csv:3:", never]),
        data("in a large file", swallowed, &["people.csv:2:", never]),
        data(
            "in a larger file",
            format!("name,age,sex,disease\n\"{}", large.repeat(5)),
            &["people.csv:2: this record is longer than 16 MB", "close the quote"],
        ),
    ]);
}

#[test]
fn tables_without_records() {
    let no_records = &["people.csv: the file has no records", "check that this is the right file"];
    let dropping = |case: Case| case.edit("haggle.toml", "[data]", "[data]\non_missing = \"drop\"");
    refused([
        data("empty", "", no_records),
        data("blank lines", "\n\r\n\n", no_records),
        data("a mark alone", "\u{feff}", no_records),
        data("the header alone", "name,age,sex,disease\n", no_records),
        dropping(data(
            "all missing",
            "name,age,sex,disease\nAda,,f,flu\nBea,36,f,\n",
            &["people.csv: every record has a missing value", "on_missing = \"value\""],
        )),
    ]);
}

#[test]
fn columns_that_are_not_there_or_twice() {
    let columns = "[data]\nheader = false\ncolumns = [\"name\", \"age\", \"age\", \"disease\"]";
    refused([
        data(
            "twice",
            "name,age,age,disease\nAda,34,f,flu\n",
            &["people.csv:1: columns 2 and 3 have the same name", "header = false"],
        ),
        data(
            "no name",
            "name,age,,disease\nAda,34,f,flu\n",
            &["people.csv:1: column 3 has no name"],
        ),
        data(
            "missing",
            "name,years,sex,illness\nAda,34,f,flu\n",
            &[
                "haggle.toml:8: the data has no column 'age'",
                "haggle.toml:18: the data has no column 'disease'",
                "its columns are: name, years, sex, illness",
            ],
        ),
        data(
            "no header",
            "Ada,34,f,flu\nBea,36,f,flu\n",
            &["haggle.toml:8: the data has no column 'age'", "header = false"],
        ),
        data(
            "no header, and that is stated",
            "Ada,34,f,flu\n",
            &["header = false, but no columns are named"],
        )
        .edit("haggle.toml", "[data]", "[data]\nheader = false"),
        data(
            "fewer columns than fields",
            "Ada,34,f,flu\n",
            &["people.csv:1: the first record has 4 fields, but 2 columns are named"],
        )
        .edit("haggle.toml", "[data]", "[data]\ncolumns = [\"age\", \"sex\"]"),
        data(
            "named twice in the project",
            "Ada,34,f,flu\n",
            &["haggle.toml:3: two columns are named 'age'"],
        )
        .edit("haggle.toml", "[data]", columns),
    ]);
}

#[test]
fn missing_values_without_a_policy() {
    let state = "state what missing values mean: on_missing = \"drop\", \"value\" or \"unmatched\"";
    let stated = |case: Case| case.edit("haggle.toml", "[data]", "[data]\nmissing = [\"?\", \"\"]");
    refused([
        data(
            "a quasi-identifier",
            "name,age,sex,disease\nAda,34,,flu\nBea, ,f,flu\n",
            &["people.csv:2:3: 'sex' is missing", "people.csv:3:2: 'age' is missing", state],
        ),
        data(
            "a sensitive attribute",
            "name,age,sex,disease\nAda,34,f,\n",
            &["people.csv:2:4: 'disease' is missing", state],
        ),
        stated(data(
            "a mark",
            "name,age,sex,disease\nAda,34,f,?\nBea,,f,flu\n",
            &["people.csv:2:4: 'disease'", "people.csv:3:2: 'age'", state],
        )),
        data(
            "more than are spelled out",
            format!("name,age,sex,disease\n{}", "Ada,34,,flu\n".repeat(9)),
            &["people.csv:6:3", "and 4 more missing values"],
        ),
    ]);
}

//! `haggle init`: what it writes is checked, built and asked with no edit by hand.

use crate::common::{Folder, Run};
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::Value;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");

/// Runs the project as a user would: check, build, ask; the answer may be yes or no.
fn works(folder: &Folder) -> Run {
    folder.haggle(&["check", "."]).text();
    folder.haggle(&["build", "."]).text();
    let run = folder.haggle(&["ask", "."]);
    assert!(run.code < Some(2), "{run:#?}");
    assert_eq!(run.stderr, "");
    run
}

fn guess<'a>(guesses: &'a Value, name: &str) -> &'a Value {
    let attributes = guesses["attributes"].as_array().unwrap();
    attributes
        .iter()
        .find(|a| a["name"] == name)
        .unwrap_or_else(|| panic!("no {name}: {guesses:#}"))
}

fn role<'a>(guesses: &'a Value, name: &str) -> &'a str {
    guess(guesses, name)["role"].as_str().unwrap()
}

fn init(folder: &Folder, data: &str) -> Value {
    folder.haggle(&["init", data, "--json"]).json(0)
}

/// A file that was written, as text.
fn written(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

fn rows(folder: &Folder, attribute: &str) -> String {
    folder.haggle(&["hierarchy", "export", ".", attribute]).text().to_owned()
}

/// The Adult data, packed as it is.
fn adult() -> Vec<u8> {
    std::fs::read(format!("{DATA}/adult/adult.data.gz")).unwrap()
}

#[test]
fn adult_without_a_header_works_with_no_edit() {
    let folder = Folder::with([("adult.data.gz", adult())]);
    let unpacked = folder.shell("gunzip adult.data.gz");
    assert_eq!(unpacked.code, Some(0), "{unpacked:#?}");
    assert_snapshot!("init_of_adult", folder.haggle(&["init", "adult.data"]).printed(0));
    assert_snapshot!("project_of_adult", written(&folder, "haggle.toml"));
    assert_snapshot!("answer_on_adult", works(&folder).printed(0));
}

#[test]
fn every_guess_has_its_reason_and_the_lattice_stays_small() {
    let folder = Folder::with([("adult.data.gz", adult())]);
    let guesses = init(&folder, "adult.data.gz");
    assert_eq!(guesses["dropped"], 2399);
    let attributes = guesses["attributes"].as_array().unwrap();
    assert_eq!(attributes.len(), 15);
    assert!(attributes.iter().all(|a| !a["why"].as_str().unwrap().is_empty()));
    let chosen = guesses["quasi_identifiers"].as_array().unwrap();
    assert_eq!(chosen.len(), 6);
    assert!(guesses["schemes"].as_u64().unwrap() <= 20_000);
    assert_eq!(role(&guesses, "column10"), "quasi-identifier", "its values are sexes");
    assert_eq!(guess(&guesses, "column1")["hierarchy"], "{ intervals = [5, 10, 20] }");
    assert_eq!(role(&guesses, "column15"), "sensitive");
    let text = String::from_utf8(folder.read("haggle.toml")).unwrap();
    let sections = text.split("[[attribute]]\n").skip(1);
    assert!(sections.clone().all(|section| section.starts_with("# ")), "a comment on each");
    assert_eq!(sections.count(), 15);
}

/// As other tools lay out their examples: a table and its hierarchies in one folder.
#[test]
fn a_folder_with_hierarchy_files_is_read_as_it_is() {
    let folder = Folder::with([("data/adult.data.gz", adult())]);
    let names = "age;workclass;fnlwgt;education;education-num;marital-status;occupation;relationship;race;sex;capital-gain;capital-loss;hours-per-week;native-country;salary-class";
    let made = folder.shell(&format!(
        "cd data && (echo '{names}'; gunzip -c adult.data.gz | sed 's/, /;/g') > adult.csv && rm adult.data.gz"
    ));
    assert_eq!(made.code, Some(0), "{made:#?}");
    let files = std::fs::read_dir(format!("{DATA}/adult-9/hierarchies")).unwrap();
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let name = format!("data/adult_hierarchy_{name}.csv");
        folder.write(&name, std::fs::read(&file).unwrap());
    }
    let guesses = init(&folder, "data");
    assert_eq!(guesses["file"], "data/haggle.toml");
    assert_eq!(guesses["quasi_identifiers"].as_array().unwrap().len(), 9);
    assert_eq!(guesses["schemes"], 12_960);
    assert_eq!(guess(&guesses, "sex")["hierarchy"], "\"adult_hierarchy_sex.csv\"");
    assert_eq!(role(&guesses, "salary-class"), "quasi-identifier", "its hierarchy was given");
    let report = folder.haggle(&["check", "data", "--json"]).json(0);
    assert_eq!(report["dropped"], 2399);
    folder.haggle(&["build", "data"]).text();
    folder.answer(&["data"]);
}

#[test]
fn a_table_with_names_is_understood_by_them() {
    let names = ["ada", "bob", "cid", "dan", "eve", "fay", "gus", "hal"];
    let record = |i: usize| {
        format!(
            "P{:03};{}{i};{};{};{};{}.{}.{};{};{}\n",
            i / 2,
            names[i % 8],
            if i.is_multiple_of(3) { "m" } else { "w" },
            20 + i * 7 % 60,
            1000 + i * 613 % 9000,
            1 + i % 28,
            1 + i % 12,
            1940 + i % 60,
            ["Asthma", "Grippe", "Migräne", "NA"][i % 4],
            i * 31 % 17,
        )
    };
    let records: String = (0..400).map(record).collect();
    let folder = Folder::with([(
        "patienten.csv",
        format!("Patienten-ID;Nachname;Geschlecht;Alter;PLZ;Geburtsdatum;Diagnose;Wert\n{records}"),
    )]);
    let guesses = init(&folder, "patienten.csv");
    for (name, expected) in [
        ("Patienten-ID", "identifier"),
        ("Nachname", "identifier"),
        ("Geschlecht", "quasi-identifier"),
        ("Alter", "quasi-identifier"),
        ("PLZ", "quasi-identifier"),
        ("Geburtsdatum", "quasi-identifier"),
        ("Diagnose", "sensitive"),
        ("Wert", "insensitive"),
    ] {
        assert_eq!(role(&guesses, name), expected, "{name}");
    }
    assert_eq!(guess(&guesses, "PLZ")["hierarchy"], "{ prefix = [1, 2, 3] }");
    assert!(
        guess(&guesses, "Geburtsdatum")["hierarchy"].as_str().unwrap().starts_with("{ dates = ")
    );
    assert_eq!(guesses["unit"], "Patienten-ID", "two records each");
    let text = written(&folder, "haggle.toml");
    assert!(text.lines().any(|line| line == "# unit = \"Patienten-ID\""), "{text}");
    assert!(text.lines().any(|line| line == "missing = [\"NA\"]"), "{text}");
    assert_eq!(guesses["on_missing"], "value", "a quarter has no diagnosis");
    works(&folder);
}

#[test]
fn a_project_that_is_there_is_never_overwritten_unless_forced() {
    let folder = Folder::people();
    let before = folder.listing();
    assert_snapshot!(folder.haggle(&["init", "people.csv"]).printed(2), @"
    error: haggle.toml: there is a file of this name already, and it was not touched
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    assert_eq!(folder.listing(), before);
    folder.haggle(&["init", "people.csv", "-o", "other.toml"]).text();
    folder.haggle(&["check", "other.toml"]).text();
    folder.haggle(&["init", "people.csv", "--force"]).text();
    assert!(folder.read("haggle.toml").starts_with(b"# Written by haggle from"));
    works(&folder);
}

#[test]
fn paths_are_relative_to_the_project() {
    let folder = Folder::with([("data/deep/people.csv", "age,sex\n34,f\n36,m\n")]);
    folder.haggle(&["init", "data/deep/people.csv", "-o", "haggle.toml"]).text();
    let text = written(&folder, "haggle.toml");
    assert!(text.lines().any(|line| line == "path = \"data/deep/people.csv\""), "{text}");
    works(&folder);
    folder.write("elsewhere/", "");
    folder.haggle(&["init", "data/deep/people.csv", "-o", "elsewhere"]).text();
    folder.haggle(&["check", "elsewhere"]).text();
}

/// Records of a table with missing values and dates, as several files would share them.
fn patients(records: std::ops::Range<usize>) -> String {
    let record = |i: usize| {
        let disease = ["flu", "asthma", "gout", "?"][i * 5 % 4 * usize::from(!i.is_multiple_of(7))];
        format!("{},{},{},{disease}\n", 20 + i * 7 % 60, ["f", "m"][i % 2], 8000 + i * 13 % 90)
    };
    records.map(record).collect()
}

/// What `init` makes of one file and what it makes of the parts must be the same but for the path.
fn assert_as_one(whole: &Folder, parts: &Folder, named: &[&str], path: &Value) {
    let mut expected = init(whole, "whole.csv");
    let mut guesses = parts.haggle(&[&["init", "--json"], named].concat()).json(0);
    assert_eq!(guesses["data"], *path);
    assert_eq!(guesses["records"], 300);
    for guesses in [&mut expected, &mut guesses] {
        guesses["data"] = Value::Null;
    }
    assert_eq!(guesses, expected);
    for asked in [&["--k", "5"][..], &["--k", "20", "--max-suppressed", "3"], &["--l", "2"]] {
        let asked = [&["."], asked].concat();
        assert_eq!(parts.answer(&asked), whole.answer(&asked), "{asked:?}");
    }
    works(parts);
}

#[test]
fn several_files_and_patterns_are_one_table() {
    let header = "age,sex,zip,disease\n";
    for header in [header, ""] {
        let whole = || Folder::with([("whole.csv", format!("{header}{}", patients(0..300)))]);
        let parts = || {
            let part = |records| format!("{header}{}", patients(records));
            Folder::with([
                ("part-1.csv", part(0..100)),
                ("part-2.csv", part(100..250)),
                ("part-3.csv", part(250..300)),
                ("other.csv", "nothing of the kind\n".into()),
            ])
        };
        let list = ["part-1.csv", "part-2.csv", "part-3.csv"];
        assert_as_one(&whole(), &parts(), &list, &list.as_slice().into());
        assert_as_one(&whole(), &parts(), &["part-*.csv"], &"part-*.csv".into());
        let mixed = ["part-1.csv", "part-[23].csv"];
        assert_as_one(&whole(), &parts(), &mixed, &mixed.as_slice().into());
    }
}

#[test]
fn the_project_of_several_files_says_which_and_is_next_to_the_first() {
    let table = |records| format!("age,sex,zip,disease\n{}", patients(records));
    let folder = Folder::with([
        ("data/a/part.csv", table(0..50)),
        ("data/b/part.csv", table(50..90)),
        ("data/b/more.csv", table(90..99)),
    ]);
    let path = |project: &str| {
        let text = written(&folder, project);
        text.lines().find_map(|line| line.strip_prefix("path = ").map(String::from)).unwrap()
    };
    folder.haggle(&["init", "data/b/*.csv"]).text();
    assert_eq!(path("data/b/haggle.toml"), "\"*.csv\"");
    let start: Vec<_> =
        written(&folder, "data/b/haggle.toml").lines().take(3).map(String::from).collect();
    assert_snapshot!(start.join("\n"), @"
    # Written by haggle from the data in *.csv (2 files): 49 records, 4 columns. Everything below is
    # a guess, with its reason.
    #
    ");
    folder.haggle(&["init", "data/b/part.csv", "data/b/more.csv", "-o", "list.toml"]).text();
    assert_eq!(path("list.toml"), "[\"data/b/part.csv\", \"data/b/more.csv\"]");
    folder.haggle(&["init", "data/*/part.csv"]).text();
    assert_eq!(path("data/haggle.toml"), "\"*/part.csv\"");
    folder.haggle(&["init", "data/a/part.csv", "data/b/part.csv"]).text();
    folder.haggle(&["init", "data/b/*.csv", "-o", "data/a/elsewhere.toml"]).text();
    let projects = [("data/b", 49), ("list.toml", 49), ("data", 90), ("data/a", 90)];
    for (project, records) in [&projects[..], &[("data/a/elsewhere.toml", 49)]].concat() {
        let found = folder.haggle(&["check", project, "--json"]).json(0);
        assert_eq!(found["records"], records, "{project}");
    }
}

#[test]
fn several_files_that_are_not_a_table_are_refused_and_nothing_is_written() {
    type Files<'a> = &'a [(&'a str, &'a [u8])];
    let cases: [(&str, &[&str], Files<'_>); 9] = [
        ("no match", &["part-*.csv"], &[]),
        ("no such file", &["a.csv", "b.csv"], &[("a.csv", b"age,sex\n1,f\n")]),
        ("twice", &["a.csv", "./a.csv"], &[("a.csv", b"age,sex\n1,f\n")]),
        (
            "another name",
            &["?.csv"],
            &[("a.csv", b"age,sex\n1,f\n"), ("b.csv", b"age,zip\n1,8000\n")],
        ),
        (
            "more columns",
            &["a.csv", "b.csv"],
            &[("a.csv", b"1,f\n2,m\n"), ("b.csv", b"1,f,8000\n")],
        ),
        (
            "one header",
            &["a.csv", "b.csv"],
            &[("a.csv", b"1,f\n2,m\n"), ("b.csv", b"age,sex\n3,f\n")],
        ),
        (
            "a column without a name",
            &["a.csv", "b.csv"],
            &[("a.csv", b"age,,x\n1,f,2\n"), ("b.csv", b"age,,y\n3,f,4\n")],
        ),
        (
            "two encodings",
            &["a.csv", "b.csv"],
            &[("a.csv", b"sex\nm\xe4nnlich\n"), ("b.csv", "sex\nmännlich\n".as_bytes())],
        ),
        ("the project itself", &["*"], &[("a.csv", b"age,sex\n1,f\n")]),
    ];
    assert_snapshot!(titled(cases.map(|(title, named, files)| {
        let folder = Folder::with(files.iter().copied());
        let before = folder.listing();
        let refusal = folder.haggle(&[&["init"], named].concat()).printed(2);
        assert_eq!(folder.listing(), before);
        (title, refusal)
    })));
}

#[test]
fn words_without_names_in_several_files_are_records() {
    let records: String = (0..20).map(|i| ["yes,no\n", "no,yes\n", "yes,yes\n"][i % 3]).collect();
    let folder = Folder::with([("a.csv", records.clone()), ("b.csv", format!("no,no\n{records}"))]);
    let guesses = folder.haggle(&["init", "a.csv", "b.csv", "--json"]).json(0);
    assert_eq!((&guesses["header"], &guesses["records"]), (&false.into(), &41.into()));
    works(&folder);
}

#[test]
fn odd_tables_work_too() {
    let unique: String = (0..50).map(|i| format!("x{i}y\n")).collect();
    let gaps: String =
        (0..50).map(|i| if i % 2 == 0 { ",b\n" } else { "a,\n" }.to_owned()).collect();
    let tables = [
        ("one value", "age,sex\n1,f\n".to_owned()),
        ("a single column, all different", format!("code\n{unique}")),
        ("a gap in every record", format!("city,country\n{gaps}")),
        ("names that are empty or occur twice", ",a,a\n1,x,y\n2,y,x\n3,x,x\n".to_owned()),
        ("only texts, no names", "yes,no\nno,yes\nyes,yes\nno,no\nyes,no\n".to_owned()),
        ("stars, few", "age,sex\n1,f\n2,m\n3,f\n4,m\n5,f\n*,f\n".to_owned()),
        ("stars, many", "age,sex\n1,*\n*,m\n2,f\n3,*\n".to_owned()),
        ("quotes in values", "job,age\n\"a \"\"b\"\", c\",3\n\"d;e\",4\n".to_owned()),
        (
            "ambiguous dates",
            "born,sex\n1/2/1990,f\n3/4/1991,m\n5/6/1970,f\n7/8/1995,m\n".to_owned(),
        ),
        ("numbers with a text among them", "age,sex\n34,f\n36,m\nold,f\n40,f\n41,f\n".to_owned()),
    ];
    for (what, table) in tables {
        let folder = Folder::with([("table.csv", table)]);
        let run = folder.haggle(&["init", "table.csv"]);
        assert_eq!(run.code, Some(0), "{what}: {run:#?}");
        works(&folder);
    }
}

#[test]
fn an_older_encoding_is_stated() {
    let table = b"Geschlecht,Alter\nm\xe4nnlich,34\nweiblich,36\nm\xe4nnlich,41\nweiblich,50\n";
    let folder = Folder::with([("alt.csv", table)]);
    assert_eq!(init(&folder, "alt.csv")["encoding"], "windows-1252");
    works(&folder);
    assert_eq!(rows(&folder, "Geschlecht"), "männlich;*\nweiblich;*\n");
}

#[test]
fn packed_and_parquet_tables_work_as_well() {
    let folder = Folder::empty();
    folder
        .haggle(&[
            "publish",
            "demo:adult",
            "--qi",
            "race",
            "--k",
            "5",
            "--as-recorded",
            "age",
            "-o",
            "adult.parquet",
        ])
        .text();
    let guesses = init(&folder, "adult.parquet");
    assert_eq!(guess(&guesses, "age")["hierarchy"], "{ intervals = [5, 10, 20] }");
    folder.haggle(&["check", "."]).text();
}

#[test]
fn tables_that_cannot_be_read_are_refused_and_nothing_is_written() {
    type Files<'a> = &'a [(&'a str, &'a str)];
    let cases: [(&str, &str, Files<'_>); 5] = [
        ("no such file", "nothing.csv", &[]),
        ("an empty file", "empty.csv", &[("empty.csv", "")]),
        ("several tables", ".", &[("a.csv", "a\n1\n"), ("b.csv", "b\n1\n")]),
        ("no table", ".", &[("readme.md", "nothing here")]),
        (
            "a hierarchy of no column",
            "a.csv",
            &[("a.csv", "age\n1\n2\n"), ("a_hierarchy_zip.csv", "1;*\n")],
        ),
    ];
    assert_snapshot!(titled(cases.map(|(title, data, files)| {
        let folder = Folder::with(files.iter().copied());
        let before = folder.listing();
        let refusal = folder.haggle(&["init", data]).printed(2);
        assert_eq!(folder.listing(), before);
        (title, refusal)
    })), @"
    == no such file
    error: nothing.csv: No such file or directory (os error 2)
        fix: check the path; in a project it is relative to the project file
    == an empty file
    error: empty.csv: the file has no records
        fix: check that this is the right file and that its export was finished
    == several tables
    error: .: there are several tables in this folder: a.csv, b.csv
        fix: name the one that is meant
    == no table
    error: .: there is no table in this folder
        fix: name the data file
    == a hierarchy of no column
    error: ./a_hierarchy_zip.csv: this is a hierarchy of 'zip', but the table has no such column
        fix: rename the file or the column, or move the file away
    ");
}

#[test]
fn a_hierarchy_file_that_does_not_fit_is_named() {
    let folder = Folder::with([("a.csv", "age\n1\n2\n"), ("a_hierarchy_age.csv", "1;0-4;*\n")]);
    assert_snapshot!(folder.haggle(&["init", "a.csv"]).printed(2), @"
    error: a.csv:3: the hierarchy of 'age' does not cover '2', first on this line
        fix: add a row for each to a_hierarchy_age.csv, or declare it as missing
    ");
}

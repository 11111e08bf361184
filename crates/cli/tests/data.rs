//! Tables as people have them: dialects, missing values, ragged hierarchies, columns that do not
//! count.

use crate::common::{Folder, PEOPLE, holds};
use insta::{allow_duplicates, assert_snapshot};
use serde_json::{Value, json};
use std::process::Command;

/// The answers to a few requests, for comparison.
fn answers(folder: &Folder) -> Vec<Value> {
    let asked: [&[&str]; 4] = [
        &[".", "--k", "2"],
        &[".", "--k", "2", "--levels", "1,0", "--max-suppressed", "1"],
        &[".", "--l", "3"],
        &[".", "--k", "3", "--qi", "sex"],
    ];
    asked.iter().map(|asked| folder.answer(asked)).collect()
}

/// The sound project with its data written differently, and a few lines under `[data]`.
fn written(data: impl AsRef<[u8]>, options: &str) -> Folder {
    let folder = Folder::people();
    folder.write("people.csv", data);
    folder.edit("haggle.toml", "[data]", &format!("[data]\n{options}"));
    folder
}

fn people() -> &'static str {
    PEOPLE.iter().find(|(name, _)| *name == "people.csv").unwrap().1
}

#[test]
fn every_dialect_is_understood_by_itself() {
    let expected = answers(&Folder::people());
    let plain = people();
    let fields = |wrap: fn(&str) -> String| -> String {
        let line = |line: &str| line.split(',').map(wrap).collect::<Vec<_>>().join(",") + "\n";
        plain.lines().map(line).collect()
    };
    let dialects = [
        ("semicolons", plain.replace(',', ";")),
        ("tabs", plain.replace(',', "\t")),
        ("bars", plain.replace(',', "|")),
        ("double quotes", fields(|field| format!("\"{field}\""))),
        ("single quotes", fields(|field| format!("'{field}'"))),
        ("spaces around", fields(|field| format!("  {field}   "))),
        ("Windows line ends", plain.replace('\n', "\r\n")),
        ("old line ends", plain.replace('\n', "\r")),
        ("a mark", format!("\u{feff}{plain}")),
        ("a mark and quotes", format!("\u{feff}{}", fields(|field| format!("\"{field}\"")))),
        ("blank lines", format!("\n{}\n\n", plain.replace('\n', "\n\n"))),
        ("no line end at the end", plain.trim_end().to_owned()),
        ("separators within quotes", plain.replace("Ada", "\"Ada, Bea; Cid\"")),
        ("line ends within quotes", plain.replace("Ada", "\"Ada\n\nor\r\nsomebody\"")),
        ("quotes within quotes", plain.replace("Ada", "\"the \"\"Countess\"\"\"")),
        ("quotes within fields", plain.replace("Ada", "Ada 5\" 3'")),
    ];
    for (name, data) in dialects {
        assert_eq!(answers(&written(&data, "")), expected, "{name}: {data:?}");
    }
}

#[test]
fn what_is_stated_is_not_guessed() {
    let expected = answers(&Folder::people());
    let plain = people();
    let columns = "columns = [\"name\", \"age\", \"sex\", \"disease\"]";
    let (header, body) = plain.split_once('\n').unwrap();
    let stated = [
        (plain.replace(',', "#"), "separator = \"#\"".to_owned()),
        (
            plain.replace("Ada", "~a#b~").replace(',', "#"),
            "separator = \"#\"\nquote = \"~\"".into(),
        ),
        (body.to_owned(), format!("header = false\n{columns}")),
        (body.to_owned(), columns.into()),
        (plain.to_owned(), columns.into()),
        (plain.to_owned(), "header = true".into()),
        (format!("{}\n{body}", header.to_uppercase()), format!("header = true\n{columns}")),
    ];
    for (data, options) in stated {
        assert_eq!(answers(&written(&data, &options)), expected, "{options}: {data:?}");
    }
}

#[test]
fn packed_files_are_unpacked() {
    let folder = Folder::people();
    let expected = answers(&folder);
    let packed = Command::new("gzip").arg(folder.file("people.csv")).status();
    assert!(packed.is_ok_and(|status| status.success()), "gzip works");
    folder.edit("haggle.toml", "people.csv", "people.csv.gz");
    assert_eq!(answers(&folder), expected);
    let twice = [folder.read("people.csv.gz"), folder.read("people.csv.gz")].concat();
    folder.write("people.csv.gz", twice);
    // The header of the second part is read as a record.
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @"
    error: ./people.csv.gz:6: the hierarchy of 'age' does not cover 'age', first on this line
        fix: add a row for each to ./age.csv, or declare it as missing
    ./people.csv.gz:6: the hierarchy of 'sex' does not cover 'sex', first on this line
        fix: add a row for each to ./sex.csv, or declare it as missing
    ");
}

#[test]
fn records_across_blocks_are_all_counted() {
    let folder = Folder::people();
    let (header, body) = people().split_once('\n').unwrap();
    for (name, record) in [("plain", "Ada,34,f,flu\n"), ("quoted", "\"A,\n\"\"da\",34,f,flu\n")] {
        let copies = 3_500_000 / record.len();
        for ends in ["\n", "\r\n", "\r"] {
            let table = format!("{header}\n{}{body}", record.repeat(copies)).replace('\n', ends);
            folder.write("people.csv", table);
            let report = folder.haggle(&["check", ".", "--json"]).json(0);
            assert_eq!(report["records"], copies + 4, "{name}, {ends:?}");
        }
    }
}

/// Ten records; age is missing in two, sex in one more, disease in another, name in yet another.
const GAPS: &str = "name,age,sex,disease\n\
    a,34,f,flu\nb,34,f,gout\nc,?,f,flu\nd,,f,flu\ne,36,?,flu\n\
    f,36,f,?\n?,36,m,flu\nh,41,m,flu\ni,41,m,gout\nj,47,m,asthma\n";

#[test]
fn records_with_a_gap_are_dropped() {
    let folder = written(GAPS, "missing = [\"?\", \"\"]\non_missing = \"drop\"");
    let report = folder.haggle(&["check", ".", "--json"]).json(0);
    assert!(holds(&report, &json!({"records": 10, "dropped": 4})), "{report}");
    // Left are a, b, the unnamed one, h, i and j: 34 f twice, 36 m once, 41 m twice, 47 m once.
    let least = |height: usize| study(&folder)["heights"][height]["least"].clone();
    assert_eq!((least(0), least(3)), (json!(2), json!(0)));
    // A blank is only missing if that is stated.
    let blank = written(GAPS, "missing = [\"?\"]\non_missing = \"drop\"");
    assert_snapshot!(blank.haggle(&["check", "."]).printed(2), @"
    error: ./people.csv:5: the hierarchy of 'age' does not cover '', first on this line
        fix: add a row for each to ./age.csv, or declare it as missing
    ");
}

#[test]
fn missing_may_be_a_value_of_its_own() {
    let folder = written(GAPS, "missing = [\" ? \", \"\"]\non_missing = \"value\"");
    let report = folder.haggle(&["check", ".", "--json"]).json(0);
    let expected = json!({
        "records": 10,
        "dropped": 0,
        "attributes": [{"values": 5}, {"values": 3}, {"values": 4}],
    });
    assert!(holds(&report, &expected), "{report}");
    // Groups: 34 f 2, ? f 2, 36 ? 1, 36 f 1, 36 m 1, 41 m 2, 47 m 1: four records are alone.
    assert_eq!(study(&folder)["heights"][0]["least"], 4);
    // In tens: 30-39 f 3, ? f 2, 30-39 ? 1, 30-39 m 1, 40-49 m 3.
    let decades = folder.haggle(&["study", ".", "--k", "2", "--scheme", "1,0", "--json"]).json(0);
    assert_eq!(decades["groups"], 5);
    assert!(holds(&decades["bins"][0], &json!({"value": 1.0, "groups": 2})), "{decades}");
    // A gap in the sensitive attribute is one more value: 30-39 f has flu, gout and ?.
    let diverse = folder.answer(&[".", "--l", "3", "--levels", "1,0", "--max-suppressed", "90%"]);
    assert_eq!(diverse["exact"]["suppressed"], 4, "{diverse}");
}

#[test]
fn missing_is_an_error_unless_something_else_is_stated() {
    for policy in ["missing = [\"?\", \"\"]", "missing = [\"?\", \"\"]\non_missing = \"error\""] {
        let run = written(GAPS, policy).haggle(&["ask", ".", "--k", "2"]);
        // Line 8 is not listed: names do not count.
        allow_duplicates!(assert_snapshot!(run.printed(2), @r#"
        error: ./people.csv:4:2: 'age' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:5:2: 'age' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:6:3: 'sex' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        ./people.csv:7:4: 'disease' is missing
            fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
        "#));
    }
}

#[test]
fn a_gap_counts_whichever_quasi_identifiers_are_chosen() {
    let folder = written(GAPS, "missing = [\"?\", \"\"]\non_missing = \"drop\"");
    let records = |qi: &str| {
        let run = folder.haggle(&["build", ".", "--qi", qi, "-o", "x.lattice", "--json"]);
        run.json(0)["records"].as_u64().unwrap()
    };
    assert_eq!(["age,sex", "sex", "age", "sex,age"].map(records), [6; 4]);
    // Six are left, two of them f: k = 3 suppresses 2 over sex alone.
    let sex = ["study", ".", "--qi", "sex", "--k", "3", "--json"];
    assert_eq!(folder.haggle(&sex).json(0)["heights"][0]["least"], 2);
}

fn study(folder: &Folder) -> Value {
    folder.haggle(&["study", ".", "--k", "2", "--json"]).json(0)
}

#[test]
fn ragged_hierarchies_are_padded_and_topped() {
    let full = answers(&Folder::people());
    let hierarchies = [
        ("no top", "34;30-39\n36;30-39\n41;40-49\n47;40-49\n"),
        ("another top", "34;30-39;any\n36;30-39;any\n41;40-49;any\n47;40-49;any\n"),
        ("commas", "34,30-39,*\n36,30-39,*\n41,40-49,*\n47,40-49,*\n"),
        ("blanks and a mark", "\u{feff} 34 ; 30-39 ;*\n36;30-39;* \n\n41;40-49;*;\n47;40-49;*;;\n"),
        ("Windows line ends", "34;30-39;*\r\n36;30-39;*\r\n41;40-49;*\r\n47;40-49;*"),
        (
            "more than occurs",
            "33;30-39;*\n34;30-39;*\n36;30-39;*\n41;40-49;*\n47;40-49;*\n47;40-49;*\n",
        ),
    ];
    for (name, hierarchy) in hierarchies {
        let folder = Folder::people();
        folder.write("age.csv", hierarchy);
        assert_eq!(answers(&folder), full, "{name}");
    }
    // A short row stays itself until the top: 41 and 47 stay apart at level 1.
    let ragged = Folder::people();
    ragged.write("age.csv", "34;30-39;*\n36;30-39;*\n41;*\n47\n");
    let levels = |level| {
        let scheme = format!("{level},1");
        let run = ragged.haggle(&["study", ".", "--k", "2", "--scheme", &scheme, "--json"]);
        run.json(0)["groups"].as_u64().unwrap()
    };
    assert_eq!([0, 1, 2].map(levels), [4, 3, 1]);
}

#[test]
fn a_quasi_identifier_without_a_hierarchy_is_as_recorded_or_not_at_all() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "hierarchy = \"age.csv\"\n", "");
    let report = folder.haggle(&["check", ".", "--json"]).json(0);
    assert!(holds(&report["attributes"][0], &json!({"name": "age", "levels": 1})), "{report}");
    let answer = folder.answer(&[".", "--k", "2"]);
    assert_eq!(answer["exact"]["scheme"], json!([1, 0]));
}

#[test]
fn columns_that_do_not_count_may_hold_anything() {
    let expected = answers(&Folder::people());
    let (_, body) = people().split_once('\n').unwrap();
    let widened = body.lines().map(|line| format!(",?,\"a\nb\",{line},*,☃ \u{200f}\n"));
    let data = format!("x,y,z,name,age,sex,disease,,w\n{}", widened.collect::<String>());
    let named = data.replace("disease,,w", "disease,v,w");
    assert_eq!(
        answers(&written(&named, "missing = [\"?\", \"\"]\non_missing = \"drop\"")),
        expected
    );
    let identified = written(&named, "");
    identified.edit(
        "haggle.toml",
        "[data]",
        "[[attribute]]\nname = \"x\"\nrole = \"insensitive\"\n[data]",
    );
    assert_eq!(answers(&identified), expected);
}

#[test]
fn several_sensitive_attributes_are_distinguished() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "role = \"identifier\"", "role = \"sensitive\"");
    folder.edit("people.csv", "asthma", "flu");
    let scheme = |on: &str| {
        let privacy = format!("distinct-l-diversity:l=2,on={on}");
        folder.answer(&[".", "--privacy", &privacy])["exact"]["scheme"].take()
    };
    assert_eq!(scheme("name"), json!([1, 0]), "four names, two a decade");
    assert_eq!(scheme("disease"), json!([2, 1]), "those between 30 and 39 have only the flu");
}

#[test]
fn odd_but_sound_tables_are_answered() {
    let one = written("name,age,sex,disease\nAda,34,f,flu", "");
    assert_eq!(one.haggle(&["ask", ".", "--k", "2"]).code, Some(1));
    let same = written(format!("name,age,sex,disease\n{}", "Ada,34,f,flu\n".repeat(50)), "");
    assert_eq!(same.answer(&[".", "--k", "50"])["exact"]["scheme"], json!([0, 0]));
    let steering = written(people().replace("Ada", "\x1b[31m").replace(",f,", ",\x1b[2Jf,"), "");
    let run = steering.haggle(&["ask", ".", "--k", "2"]);
    assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "{run:#?}");
    let long = "x".repeat(1_000_000);
    let huge = written(people().replace("Ada", &long), "");
    assert_eq!(answers(&huge), answers(&Folder::people()));
    let filler: String = (0..2_000).map(|i| format!(",a rather long name of column {i}")).collect();
    let (header, body) = people().split_once('\n').unwrap();
    let fields: String =
        body.lines().map(|line| format!("{line}{}\n", ",0".repeat(2_000))).collect();
    let wide = written(format!("{header}{filler}\n{fields}"), "");
    assert_eq!(answers(&wide), answers(&Folder::people()), "a header longer than the first look");
}

#[test]
fn a_hierarchy_may_have_as_many_levels_as_there_are_numbers_for() {
    let folder = Folder::people();
    let row = |age: &str| (0..254).map(|level| format!(";{age}-{level}")).collect::<String>();
    let rows: String = ["34", "36", "41", "47"].map(|age| format!("{age}{}\n", row(age))).concat();
    folder.write("age.csv", rows);
    let report = folder.haggle(&["check", ".", "--json"]).json(0);
    assert_eq!(report["attributes"][0]["levels"], 255);
    assert_eq!(folder.answer(&[".", "--k", "4"])["exact"]["scheme"], json!([255, 1]));
}

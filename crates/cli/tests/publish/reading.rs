//! What was published is read again as it was written, whatever its values look like.

use serde_json::Value;

use crate::common::Folder;

/// A project with one quasi-identifier `a` and one sensitive attribute `s`.
fn project(data: &str, quasi: &str, records: &str) -> Folder {
    let project = format!(
        "[data]\npath = \"data.csv\"\n{data}\n\n[[attribute]]\nname = \"a\"\nrole = \"quasi-identifier\"\n\
         {quasi}\n\n[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n"
    );
    let records = records.split_whitespace().collect::<Vec<_>>().join("\n");
    Folder::with([("haggle.toml", project), ("data.csv", format!("a,s\n{records}\n"))])
}

fn lines(folder: &Folder, file: &str) -> Vec<String> {
    let text = String::from_utf8(folder.read(file)).unwrap();
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn several_marks_of_missing_values_are_written_as_one() {
    let folder = project(
        "missing = [\"NA\", \"-\"]\non_missing = \"value\"",
        "",
        "30,NA 30,- 40,flu 40,cold -,flu NA,cold",
    );
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).text();
    let expected = ["30,NA", "30,NA", "40,cold", "40,flu", "NA,cold", "NA,flu"];
    assert_eq!(lines(&folder, "out.csv"), expected);
    for project in [&[][..], &["."]] {
        let verify = [&["verify", "out.csv"], project, &["--l", "2", "--json"]].concat();
        let verdict = folder.haggle(&verify).json(1);
        assert_eq!(verdict["failing"], 2, "{verdict}");
    }
}

#[test]
fn quotes_are_what_the_project_says_and_what_was_written() {
    let stated = "quote = \"\\\"\"";
    let folder = project(stated, "", "'x',u x,y 'z',u z,w");
    let verdict = folder.haggle(&["verify", "data.csv", ".", "--k", "2", "--json"]).json(1);
    assert_eq!(verdict["attained"]["k-anonymity"], 1, "{verdict}");

    let folder = project(stated, "", "1,'x' 1,y 2,'x' 2,y");
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).text();
    assert_eq!(lines(&folder, "out.csv"), ["1,'x'", "1,y", "2,'x'", "2,y"]);
    for project in [&[][..], &["."]] {
        let verify = [&["verify", "out.csv"], project, &["--l", "2", "--json"]].concat();
        assert_eq!(folder.haggle(&verify).json(0)["attained"]["distinct-l-diversity"], 2);
    }
}

#[test]
fn a_publication_is_read_as_it_was_written_though_the_data_is_written_otherwise() {
    let folder = project("separator = \";\"\nquote = \"'\"\nescape = \"\\\\\"", "", "");
    folder.write("data.csv", "a;s\n1;'x, \\\"y'\n1;z\n2;'x, \\\"y'\n2;'it\\'s'\n");
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).text();
    for manifest in [true, false] {
        for project in [&[][..], &["."]] {
            let named = ["--qi", "a", "--sensitive", "s", "--l", "2", "--json"];
            let verify = [&["verify", "out.csv"], project, &named].concat();
            let verdict = folder.haggle(&verify).json(0);
            assert_eq!(verdict["records"], 4, "{manifest}: {verdict}");
        }
        let _ = std::fs::remove_file(folder.file("out.csv.manifest.json"));
    }
}

#[test]
fn a_file_without_any_sensitive_value_can_be_verified() {
    let folder = project("missing = [\"?\"]\non_missing = \"unmatched\"", "", "1,? 1,? 2,? 2,?");
    folder.haggle(&["publish", ".", "--k", "2", "-o", "out.csv"]).text();
    for project in [&[][..], &["."]] {
        let verify = |asked: &[&str]| {
            folder.haggle(&[&["verify", "out.csv"], project, asked, &["--json"]].concat())
        };
        assert_eq!(verify(&["--k", "2"]).json(0)["failing"], 0);
        assert_eq!(verify(&["--l", "2"]).code, Some(1));
    }
    let verify = ["verify", "out.csv", "--privacy", "extended-k-anonymity:k=2,level=0", "--json"];
    assert_eq!(folder.haggle(&verify).json(1)["failing"], 4);
}

#[test]
fn boxes_say_what_they_contain_whatever_the_order_of_the_hierarchy() {
    let folder = project("", "hierarchy = \"h.csv\"", "5,x 5,y 32,x 32,y 16,x 16,y 22,x 22,y");
    folder.write("h.csv", "5;A\n32;A\n16;A\n22;A\n");
    let publish = ["publish", ".", "--k", "4", "--strategy", "mondrian", "-o", "out.csv"];
    folder.haggle(&publish).text();
    let published = lines(&folder, "out.csv");
    let is_set = |line: &&String| line.starts_with("\"{5, 32}\",");
    assert_eq!(published.iter().filter(is_set).count(), 4, "{published:?}");
    // 16 and 22 are those of few people, and neighbours only in the order of the hierarchy.
    let is_other_set = |line: &&String| line.starts_with("\"{16, 22}\",");
    assert_eq!(published.iter().filter(is_other_set).count(), 4, "{published:?}");
}

#[test]
fn stars_that_a_hierarchy_writes_early_are_not_suppressed_records() {
    let folder = project("", "hierarchy = \"h.csv\"", "a,x a,y b,x b,y b,z c,x");
    folder.write("h.csv", "a;*;*\nb;B;*\nc;C;*\n");
    folder.haggle(&["publish", ".", "--k", "2", "--scheme", "1", "-o", "out.csv"]).text();
    assert_eq!(lines(&folder, "out.csv"), ["*,x", "*,y", "B,x", "B,y", "B,z"]);
    let verdict = folder.haggle(&["verify", "out.csv", "--k", "2", "--json"]).json(0);
    let found = (&verdict["groups"], &verdict["starred"], &verdict["attained"]["k-anonymity"]);
    assert_eq!(found, (&Value::from(2), &Value::from(0), &Value::from(2)), "{verdict}");
    let star = ["--scheme", "1", "--suppress", "star", "-o", "starred.csv"];
    folder.haggle(&[&["publish", ".", "--k", "2"], &star[..]].concat()).text();
    assert_eq!(lines(&folder, "starred.csv"), ["*,x", "*,x", "*,y", "B,x", "B,y", "B,z"]);
    let verdict = folder.haggle(&["verify", "starred.csv", "--k", "2", "--json"]).json(0);
    assert_eq!(verdict["attained"]["k-anonymity"], 3, "{verdict}");
}

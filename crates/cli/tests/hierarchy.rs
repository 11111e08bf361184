//! `haggle hierarchy`, and projects whose hierarchies are built by a rule.

use crate::common::Folder;
use haggle_testkit::titled;
use insta::assert_snapshot;
use serde_json::json;

/// A project over `age`, `zip`, `born` and `job`, with these hierarchies for the first lines.
fn project(hierarchies: &[(&str, &str)]) -> Folder {
    let attribute = |(name, hierarchy): &(&str, &str)| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = {hierarchy}\n"
        )
    };
    let attributes: String = hierarchies.iter().map(attribute).collect();
    let project = format!("[data]\npath = \"people.csv\"\n{attributes}[request]\nk = 2\n");
    let people = "age,zip,born,job\n\
                  17,10115,2007-02-28,nurse\n\
                  36,10117,1988-07-01,teacher\n\
                  41,1067,1983-12-31,nurse\n\
                  88,12045,1936-01-01,judge\n";
    Folder::with([("haggle.toml", project.as_str()), ("people.csv", people)])
}

fn rows(folder: &Folder, attribute: &str) -> String {
    folder.haggle(&["hierarchy", "export", ".", attribute]).text().to_owned()
}

/// Everything that a project with this hierarchy of `age` is refused for.
fn refused(hierarchy: &str) -> String {
    project(&[("age", hierarchy)]).haggle(&["check", "."]).printed(2)
}

#[test]
fn every_rule_builds_the_hierarchy_it_describes() {
    let folder = project(&[
        ("age", "{ intervals = [5, 10, 20], origin = 17, above = 80 }"),
        ("zip", "{ prefix = [1, 2, 3], pad = \"left\" }"),
        ("born", "{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }"),
        (
            "job",
            "{ tree = { Care = [\"nurse\"], State = { School = [\"teacher\"] } }, rest = \"Other\" }",
        ),
    ]);
    assert_eq!(
        rows(&folder, "age"),
        "17;17-21;17-26;17-36;*\n36;32-36;27-36;17-36;*\n41;37-41;37-46;37-56;*\n88;≥80;≥80;≥80;*\n"
    );
    assert_eq!(
        rows(&folder, "zip"),
        "1067;0106*;010**;01***;*\n10115;1011*;101**;10***;*\n10117;1011*;101**;10***;*\n12045;1204*;120**;12***;*\n"
    );
    let born = rows(&folder, "born");
    assert!(born.lines().any(|row| row == "2007-02-28;2007-02;2007-Q1;2007;2000s;*"), "{born}");
    assert_eq!(
        rows(&folder, "job"),
        "nurse;Care;Care;*\nteacher;School;State;*\njudge;Other;Other;*\n"
    );
    let folder = project(&[
        ("age", "{ bounds = [[18, 40, 65], [18, 65]] }"),
        (
            "job",
            "{ groups = [{ health = [\"nurse\"], public = [\"teacher\", \"judge\"] }, { work = [\"health\", \"public\"] }] }",
        ),
    ]);
    assert_eq!(
        rows(&folder, "age"),
        "17;<18;<18;*\n36;18-39;18-64;*\n41;40-64;18-64;*\n88;≥65;≥65;*\n"
    );
    let jobs = rows(&folder, "job");
    assert!(jobs.lines().any(|row| row == "judge;public;work;*"), "{jobs}");
}

#[test]
fn an_exported_hierarchy_is_read_back_as_the_same() {
    let folder = project(&[
        ("age", "{ intervals = [5, 20] }"),
        ("job", "{ tree = { \"a;b\" = [\"nurse\"], \"c \\\" d\" = [\"teacher\", \"judge\"] } }"),
    ]);
    for attribute in ["age", "job"] {
        let file = format!("{attribute}.csv");
        let run = folder.haggle(&["hierarchy", "export", ".", attribute, "-o", &file]);
        assert!(run.text().starts_with("Wrote "), "{run:#?}");
    }
    let built = folder.answer(&["."]);
    let shown = folder.haggle(&["hierarchy", "show", ".", "job", "--json"]).json(0);
    let from_files = project(&[("age", "\"age.csv\""), ("job", "\"job.csv\"")]);
    for file in ["age.csv", "job.csv"] {
        from_files.write(file, folder.read(file));
    }
    assert_eq!(from_files.answer(&["."]), built);
    let again = from_files.haggle(&["hierarchy", "show", ".", "job", "--json"]).json(0);
    assert_eq!(again["tree"], shown["tree"]);
    assert_eq!(again["source"], "job.csv");
}

#[test]
fn an_export_keeps_a_file_that_is_there() {
    let folder = project(&[("age", "{ intervals = [5] }")]);
    let before = folder.listing();
    let run = folder.haggle(&["hierarchy", "export", ".", "age", "-o", "people.csv"]);
    assert_snapshot!(run.printed(2), @"
    error: people.csv: there is a file of this name already, and it was not touched
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    assert_eq!(folder.listing(), before);
    folder.write("old.csv", "old");
    folder.haggle(&["hierarchy", "export", ".", "age", "-o", "old.csv", "--force"]).text();
    assert!(folder.read("old.csv").starts_with(b"17;15-19;*"));
}

#[test]
fn the_tree_is_shown_with_its_levels_records_and_origin() {
    let folder =
        project(&[("job", "{ tree = { Care = [\"nurse\"], State = [\"teacher\", \"judge\"] } }")]);
    let expected = "\
job: a tree of 3 values
4 records: 3 values as recorded, 2 at level 1, 1 at level 2.

  level                 records
  2      *                    4
  1      ├─ Care              2
  0      │  └─ nurse          2
  1      └─ State             2
  0         ├─ teacher        1
  0         └─ judge          1
";
    assert_eq!(folder.haggle(&["hierarchy", "show", ".", "job"]).text(), expected);
    let shown = folder.haggle(&["hierarchy", "show", ".", "job", "--json"]).json(0);
    assert_eq!(shown["levels"], json!([3, 2, 1]));
    assert_eq!(
        shown["tree"]["below"][0],
        json!({"label": "Care", "level": 1, "records": 2, "below": [{"label": "nurse", "level": 0, "records": 2}]})
    );
}

#[test]
fn large_trees_are_cut_short_unless_all_is_asked_for() {
    let folder = Folder::empty();
    assert_snapshot!(folder.haggle(&["hierarchy", "show", "demo:adult", "age"]).printed(0));
    let all = folder.haggle(&["hierarchy", "show", "demo:adult", "age", "--all"]);
    let ages = all.text().lines().filter(|line| line.starts_with("  0 ")).count();
    assert_eq!(ages, 80, "{all:#?}");
}

#[test]
fn check_says_which_hierarchy_is_used() {
    let folder = project(&[("age", "{ intervals = [5, 10] }"), ("zip", "{ prefix = [1] }")]);
    let report = folder.haggle(&["check", ".", "--json"]).json(0);
    let sources: Vec<_> =
        report["attributes"].as_array().unwrap().iter().map(|a| &a["hierarchy"]).collect();
    assert_eq!(sources, ["intervals of 5 and 10", "the last 1 character hidden"]);
}

#[test]
fn a_lattice_is_stale_once_a_rule_changed() {
    let folder = project(&[("age", "{ intervals = [5, 10] }")]);
    folder.haggle(&["build", "."]).text();
    assert_eq!(folder.haggle(&["ask", "."]).stderr, "");
    folder.edit("haggle.toml", "[5, 10]", "[4, 12]");
    let run = folder.haggle(&["ask", "."]);
    assert_snapshot!(run.notes(), @"note: ./haggle.lattice is not used: a hierarchy changed; build the lattice again");
}

#[test]
fn a_missing_value_gets_its_own_path() {
    let folder = project(&[("age", "{ intervals = [5] }")]);
    folder.edit("people.csv", "\n41,", "\n?,");
    folder.edit("haggle.toml", "[data]\n", "[data]\nmissing = [\"?\"]\non_missing = \"value\"\n");
    assert_eq!(rows(&folder, "age").lines().last(), Some("?;?;*"));
}

#[test]
fn values_that_a_rule_cannot_place_are_named_with_their_line() {
    let folder = project(&[
        ("age", "{ intervals = [5] }"),
        ("born", "{ dates = [\"year\"] }"),
        ("job", "{ groups = [{ a = [\"nurse\"] }] }"),
    ]);
    folder.edit("people.csv", "\n41,1067,1983-12-31", "\nabc,1067,soon");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @r#"
    error: ./people.csv:4: the intervals of 'age' need numbers, and these are not numbers: 'abc', first on this line
        fix: correct them (digits, at most one point), or declare them as missing
    ./people.csv:4: 'born' has values that are not dates of the form YYYY-MM-DD: 'soon', first on this line
        fix: correct them, state another format = "D.M.YYYY", or declare them as missing
    ./people.csv:3: no group of 'job' lists 'judge', 'teacher', first on this line
        fix: add each to a group, or label what is left: rest = "Other"
    "#);
}

#[test]
fn ambiguous_dates_are_an_error_of_the_project() {
    let folder = project(&[("born", "{ dates = [\"year\"] }")]);
    folder.write("people.csv", "born\n1/2/1990\n3/4/1991\n");
    assert_snapshot!(folder.haggle(&["check", "."]).printed(2), @r#"
    error: ./haggle.toml:3: the dates of 'born' can be read as M/D/YYYY and as D/M/YYYY, such as '1/2/1990'
        fix: state which: format = "M/D/YYYY" or format = "D/M/YYYY"
    "#);
    folder.edit("haggle.toml", "[\"year\"]", "[\"year\"], format = \"D/M/YYYY\"");
    folder.haggle(&["check", "."]).text();
}

#[test]
fn every_wrong_rule_is_refused_with_its_line_and_a_remedy() {
    let rules = [
        "{}",
        "{ interval = [5] }",
        "{ intervals = [5], prefix = [1] }",
        "{ intervals = [5], pad = \"left\" }",
        "{ intervals = 5 }",
        "{ intervals = [5, 12] }",
        "{ intervals = [0x10] }",
        "{ intervals = [5], below = \"x\" }",
        "{ bounds = [18, 65] }",
        "{ bounds = [[18], [65]] }",
        "{ prefix = [2, 1] }",
        "{ prefix = [-1] }",
        "{ prefix = [1], pad = \"up\" }",
        "{ dates = [\"month\", \"fortnight\"] }",
        "{ dates = [\"week\", \"month\"] }",
        "{ dates = [\"day\"], format = \"D.M.YY\" }",
        "{ groups = [{ a = [\"1\"], b = [\"1\"] }] }",
        "{ groups = [[\"a\"], [\"z\"]] }",
        "{ tree = { a = [], b = [\"1\"] } }",
        "{ tree = [\"a\"] }",
        "7",
    ];
    assert_snapshot!(titled(rules.map(|rule| (rule, refused(rule)))));
}

#[test]
fn all_problems_of_all_rules_are_reported_at_once() {
    let run = project(&[
        ("age", "{ intervals = [5, 7] }"),
        ("zip", "{ prefix = [] }"),
        ("job", "{ tree = {} }"),
    ])
    .haggle(&["check", "."]);
    assert_snapshot!(run.printed(2), @r#"
    error: ./haggle.toml:6: intervals of 5 do not fit into intervals of 7
        fix: make each width a larger multiple of the one before, such as 10
    ./haggle.toml:10: prefix = [] does not hide more characters at each level
        fix: write how many of the last characters each level hides, such as [1, 2, 3]
    ./haggle.toml:14: the tree has no branches
        fix: write labels and their values: { Government = ["Federal", "Local"] }
    "#);
}

#[test]
fn suggestions_can_be_pasted_as_they_are() {
    let folder = project(&[("age", "{ intervals = [5] }")]);
    let people: String = (0..300)
        .map(|i| {
            let job = ["nurse", "teacher", "judge", "cook", "smith"][(i % 40_usize).min(4)];
            format!(
                "{},{:05},{}-{:02}-01,{job}\n",
                18 + i % 70,
                1000 + 37 * i,
                1930 + i % 70,
                1 + i % 12
            )
        })
        .collect();
    folder.write("people.csv", format!("age,zip,born,job\n{people}"));
    let expected = [
        ("age", "hierarchy = { intervals = [5, 10, 20] }"),
        ("zip", "hierarchy = { prefix = [1, 2, 3] }"),
        ("born", "hierarchy = { dates = [\"month\", \"year\", \"decade\"] }"),
        ("job", "hierarchy = { groups = [[\"smith\"]], rest = \"Other\" }"),
    ];
    let mut attributes = String::new();
    for (name, toml) in expected {
        let run = folder.haggle(&["hierarchy", "suggest", ".", name]);
        let (why, pasted) = run.text().split_once('\n').unwrap();
        assert!(why.starts_with(&format!("# {name}: ")) && why.ends_with('.'), "{why}");
        assert_eq!(pasted.trim_end(), toml);
        attributes +=
            &format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n{pasted}");
    }
    folder.write("haggle.toml", format!("[data]\npath = \"people.csv\"\n{attributes}"));
    folder.haggle(&["check", "."]).text();
    let json = folder.haggle(&["hierarchy", "suggest", ".", "age", "--json"]).json(0);
    assert_eq!(json["hierarchy"], "{ intervals = [5, 10, 20] }");
    assert_eq!(json["values"], 70);
}

#[test]
fn attributes_that_are_not_there_are_refused() {
    let folder = project(&[("age", "{ intervals = [5] }")]);
    assert_snapshot!(folder.haggle(&["hierarchy", "show", ".", "job"]).printed(2), @"
    error: 'job' is not a quasi-identifier of this project
        fix: choose from: age
    ");
    assert_snapshot!(folder.haggle(&["hierarchy", "suggest", ".", "shoe size"]).printed(2), @r#"
    error: ./haggle.toml:1: the data has no column 'shoe size'
        fix: the first record names few attributes of the project; if it is not a header, state header = false and columns = ["…", …]
    "#);
}

/// A line of the book such as `hierarchy = { … }  # 37 → 35-39 → *;  70 → …`.
fn example(line: &str) -> Option<(&str, Vec<Vec<&str>>)> {
    let (rule, comment) = line.split_once('#')?;
    let paths = comment.split(';').map(|path| path.split(" → ").map(str::trim).collect());
    let shown = rule.starts_with("hierarchy = {") && comment.contains('→');
    shown.then(|| (rule.trim(), paths.collect()))
}

#[test]
fn the_examples_of_the_book_are_true() {
    let page = include_str!("../../../docs/reference/hierarchies.md");
    let examples: Vec<_> = page.lines().filter_map(example).collect();
    assert!(examples.len() >= 8, "{examples:?}");
    for (rule, paths) in examples {
        let (mut values, mut rows) = (String::from("x\n"), Vec::new());
        for path in paths {
            let (value, among) = path[0].split_once(" (among ").unwrap_or((path[0], ")"));
            values += &format!("{value}\n{}\n", among.trim_end_matches(')'));
            rows.push([&[value], &path[1..]].concat().join(";"));
        }
        let rule = rule.strip_prefix("hierarchy = ").unwrap();
        let folder = project(&[("x", rule)]);
        folder.write("people.csv", values);
        let exported = self::rows(&folder, "x");
        assert!(
            rows.iter().all(|row| exported.lines().any(|line| line == row)),
            "{rule}: {exported}"
        );
    }
}

#[test]
fn the_rules_of_the_book_are_read() {
    let page = include_str!("../../../docs/reference/hierarchies.md");
    let rules = page.lines().filter_map(|line| line.strip_prefix("hierarchy = {"));
    let section = page.split("```").find(|part| part.contains("[attribute.hierarchy")).unwrap();
    let section = section.strip_prefix("toml\n").unwrap();
    let rules = rules.map(|rule| format!("hierarchy = {{{rule}\n")).chain([section.to_owned()]);
    for rule in rules {
        let folder = project(&[]);
        folder.write("haggle.toml", format!("[data]\npath = \"people.csv\"\n[[attribute]]\nname = \"job\"\nrole = \"quasi-identifier\"\n{rule}"));
        let run = folder.haggle(&["check", "."]);
        assert!(!run.stderr.contains("haggle.toml:"), "{rule}: {run:#?}");
    }
}

/// Section 4.2 of S.-Y. Hsu's thesis, lemma 4.2.3: a and b under x, c and d under y; a is almost
/// everything, so y is more uncertain than the whole, and is merged with its sibling.
#[test]
fn a_tree_in_which_the_entropy_falls_is_repaired() {
    let values = [("a", 97), ("b", 1), ("c", 1), ("d", 1)];
    let records: String = values.iter().map(|(value, n)| format!("{value}\n").repeat(*n)).collect();
    let project = "[data]\npath = \"values.csv\"\n\n[[attribute]]\nname = \"v\"\n\
                   role = \"quasi-identifier\"\n\
                   hierarchy = { tree = { x = [\"a\", \"b\"], y = [\"c\", \"d\"] } }\n";
    let folder = Folder::with([
        ("haggle.toml", project.to_owned()),
        ("values.csv", format!("v\n{records}")),
    ]);
    let run = folder.haggle(&["hierarchy", "repair", ".", "v", "--json"]).json(0);
    assert_eq!(run["merged"][0]["values"], json!(["x", "y"]));
    assert_eq!((&run["merged"][0]["into"], &run["merged"][0]["level"]), (&json!("*"), &json!(1)));
    assert!((run["merged"][0]["entropy"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(run["levels"], json!([4, 1, 1]));
    let text = folder.haggle(&["hierarchy", "repair", ".", "v", "-o", "v.csv"]);
    assert!(text.text().contains("'x' and 'y' become '*'"), "{text:#?}");
    assert_eq!(folder.read("v.csv"), b"a;*;*\nb;*;*\nc;*;*\nd;*;*\n");
    let tree = "hierarchy = { tree = { x = [\"a\", \"b\"], y = [\"c\", \"d\"] } }";
    folder.write("haggle.toml", project.replace(tree, "hierarchy = \"v.csv\""));
    let again = folder.haggle(&["hierarchy", "repair", ".", "v"]);
    assert!(again.text().starts_with("v: no value is more uncertain than the value above it.\n"));
    let kept = folder.haggle(&["hierarchy", "repair", ".", "v", "-o", "v.csv"]).printed(2);
    assert!(kept.contains("there is a file of this name already"), "{kept}");
    let unknown = folder.haggle(&["hierarchy", "repair", ".", "w"]).printed(2);
    assert!(unknown.contains("'w'"), "{unknown}");
}

//! `haggle hierarchy`, and projects whose hierarchies are built by a rule.

mod common;

use common::Folder;
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
    let run = project(&[("age", hierarchy)]).haggle(&["check", "."]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    run.stderr
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
    assert!(rows(&folder, "born").contains("2007-02-28;2007-02;2007-Q1;2007;2000s;*\n"));
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
    assert!(rows(&folder, "job").contains("judge;public;work;*\n"));
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
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("people.csv: there is a file of this name already"), "{run:#?}");
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
    let short = folder.haggle(&["hierarchy", "show", "demo:adult", "age"]);
    assert!(short.text().lines().count() < 70);
    assert!(short.text().contains("… and "), "{short:#?}");
    let all = folder.haggle(&["hierarchy", "show", "demo:adult", "age", "--all"]);
    assert!(all.text().contains("87-91") && !all.text().contains("… and "));
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
    assert!(run.stderr.contains("a hierarchy changed"), "{run:#?}");
}

#[test]
fn a_missing_value_gets_its_own_path() {
    let folder = project(&[("age", "{ intervals = [5] }")]);
    folder.edit("people.csv", "\n41,", "\n?,");
    folder.edit("haggle.toml", "[data]\n", "[data]\nmissing = [\"?\"]\non_missing = \"value\"\n");
    assert!(rows(&folder, "age").contains("?;?;*\n"));
}

#[test]
fn values_that_a_rule_cannot_place_are_named_with_their_line() {
    let folder = project(&[
        ("age", "{ intervals = [5] }"),
        ("born", "{ dates = [\"year\"] }"),
        ("job", "{ groups = [{ a = [\"nurse\"] }] }"),
    ]);
    folder.edit("people.csv", "\n41,1067,1983-12-31", "\nabc,1067,soon");
    let run = folder.haggle(&["check", "."]);
    assert_eq!(run.code, Some(2));
    for expected in [
        "people.csv:4: the intervals of 'age' need numbers, and these are not numbers: 'abc', first on this line\n    fix: ",
        "people.csv:4: 'born' has values that are not dates of the form YYYY-MM-DD: 'soon'",
        "people.csv:3: no group of 'job' lists 'judge', 'teacher', first on this line",
    ] {
        assert!(run.stderr.contains(expected), "{expected}\n{}", run.stderr);
    }
}

#[test]
fn ambiguous_dates_are_an_error_of_the_project() {
    let folder = project(&[("born", "{ dates = [\"year\"] }")]);
    folder.write("people.csv", "born\n1/2/1990\n3/4/1991\n");
    let run = folder.haggle(&["check", "."]);
    assert!(
        run.stderr
            .contains("haggle.toml:3: the dates of 'born' can be read as M/D/YYYY and as D/M/YYYY"),
        "{run:#?}"
    );
    folder.edit("haggle.toml", "[\"year\"]", "[\"year\"], format = \"D/M/YYYY\"");
    folder.haggle(&["check", "."]).text();
}

#[test]
fn every_wrong_rule_is_refused_with_its_line_and_a_remedy() {
    for (hierarchy, expected) in [
        ("{}", "the hierarchy has no rule"),
        ("{ interval = [5] }", "did you mean 'intervals'?"),
        ("{ intervals = [5], prefix = [1] }", "the hierarchy has intervals and prefix"),
        ("{ intervals = [5], pad = \"left\" }", "unknown key 'pad' in the hierarchy"),
        (
            "{ intervals = 5 }",
            "intervals in the hierarchy is not a list of widths such as [5, 10, 20]",
        ),
        ("{ intervals = [5, 12] }", "intervals of 5 do not fit into intervals of 12"),
        ("{ intervals = [0x10] }", "is not a list of widths"),
        ("{ intervals = [5], below = \"x\" }", "below in the hierarchy is not a number"),
        ("{ bounds = [18, 65] }", "is not a list of bounds for each level"),
        ("{ bounds = [[18], [65]] }", "level 2 is bounded at 65, but the level below it is not"),
        ("{ prefix = [2, 1] }", "does not hide more characters at each level"),
        ("{ prefix = [-1] }", "is not a list of whole numbers"),
        ("{ prefix = [1], pad = \"up\" }", "pad in the hierarchy is not \"right\" or \"left\""),
        ("{ dates = [\"month\", \"fortnight\"] }", "is not a list of units"),
        ("{ dates = [\"week\", \"month\"] }", "a week may lie in two months"),
        (
            "{ dates = [\"day\"], format = \"D.M.YY\" }",
            "format in the hierarchy is not a date format",
        ),
        ("{ groups = [{ a = [\"1\"], b = [\"1\"] }] }", "'1' is listed in 'a' and again in 'b'"),
        (
            "{ groups = [[\"a\"], [\"z\"]] }",
            "'z' in the groups of level 2 is not a label of the level below",
        ),
        (
            "{ tree = { a = [], b = [\"1\"] } }",
            "the branch 'a' of the tree has no values or no name",
        ),
        ("{ tree = [\"a\"] }", "tree in the hierarchy is not a table"),
        ("7", "hierarchy in [[attribute]] is not a file name, or a rule such as"),
    ] {
        let message = refused(hierarchy);
        assert!(message.contains(expected), "{hierarchy}: {message}");
        assert!(
            message.contains("haggle.toml:6: ") && message.contains("fix: "),
            "{hierarchy}: {message}"
        );
    }
}

#[test]
fn all_problems_of_all_rules_are_reported_at_once() {
    let run = project(&[
        ("age", "{ intervals = [5, 7] }"),
        ("zip", "{ prefix = [] }"),
        ("job", "{ tree = {} }"),
    ])
    .haggle(&["check", "."]);
    for expected in ["intervals of 5", "prefix = []", "the tree has no branches"] {
        assert!(run.stderr.contains(expected), "{run:#?}");
    }
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
    let run = folder.haggle(&["hierarchy", "show", ".", "job"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("'job' is not a quasi-identifier")
            && run.stderr.contains("choose from: age"),
        "{run:#?}"
    );
    let run = folder.haggle(&["hierarchy", "suggest", ".", "shoe size"]);
    assert!(run.stderr.contains("the data has no column 'shoe size'"), "{run:#?}");
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

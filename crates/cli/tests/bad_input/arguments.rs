//! Arguments that cannot be: thresholds, levels, limits, quasi-identifiers, models, memory.

use insta::assert_snapshot;

use crate::bad_input::{Case, case, refused};

/// `ask` in the sound project with these arguments.
fn ask(arguments: &[&'static str]) -> Case {
    let name = arguments.last().copied().unwrap_or_default();
    case(name, &[&["ask", "."], arguments].concat())
}

#[test]
fn thresholds_out_of_range() {
    let cases = ["0", "1", "-3", "1.5", "1e300", "inf", "-inf", "4294967296"].map(|value| {
        let k = ["ask", ".", "--k", value];
        let l = ["ask", ".", "--l", value];
        let privacy: &'static str = format!("--privacy=k-anonymity={value}").leak();
        [
            case("--k", &k),
            case("--l", &l),
            case("--privacy", &["ask", ".", privacy]),
            case("study", &["study", ".", "--k", value]),
        ]
    });
    let mut errors = refused(cases.into_iter().flatten());
    errors += &refused([
        ask(&["--k", "NaN"]),
        ask(&["--l", "NaN"]),
        case("study", &["study", ".", "--k", "NaN"]),
        case("study", &["study", ".", "--l", "NaN"]),
        ask(&["--privacy=k-anonymity=NaN"]),
    ]);
    errors += &refused(["text", "", "3k", "1,5"].map(|k| ask(&["--k", k])));
    errors += &refused([ask(&[]), case("study without privacy", &["study", "."])]);
    assert_snapshot!(errors);
}

#[test]
fn levels_that_the_hierarchies_do_not_have() {
    let levels = |levels: &'static str| ask(&["--k", "2", "--levels", levels]);
    assert_snapshot!(refused([
        levels("3,0"),
        levels("0,255"),
        levels("0,256"),
        levels("age=3"),
        levels("1"),
        levels("1,1,1"),
        levels("height=1"),
        levels("disease=1"),
        levels("high,low"),
        levels("-1,0"),
        levels("age=-1"),
        levels("age=high"),
        levels("1.5,0"),
        levels("age=1,age=2"),
        levels(""),
        case("a scheme out of range", &["study", ".", "--k", "2", "--scheme", "0,2"]),
        case("a scheme too short", &["study", ".", "--k", "2", "--scheme", "0"]),
        case("a negative scheme", &["study", ".", "--k", "2", "--scheme", "-1,0"]),
    ]));
}

#[test]
fn limits_that_are_not_numbers_of_records() {
    let mut errors =
        refused(["-1", "-1%", "some", "", "%", "1.5", "1e3", ".%", "1.2.3%"].map(|limit| {
            let limit: &'static str = format!("--max-suppressed={limit}").leak();
            ask(&["--k", "2", limit])
        }));
    errors += &refused(["101%", "100.1%", "999999999999999999999%"].map(|limit| {
        let limit: &'static str = format!("--max-suppressed={limit}").leak();
        ask(&["--k", "2", limit])
    }));
    let many = ["--max-suppressed", "0.1234567891%"];
    errors += &refused([ask(&["--k", "2", many[0], many[1]])]);
    errors += &refused([ask(&["--k", "2", "--max-suppressed", "-5"])]);
    assert_snapshot!(errors);
}

#[test]
fn quasi_identifiers_that_are_none() {
    assert_snapshot!(refused([
        ask(&["--k", "2", "--qi", "age,height"]),
        ask(&["--k", "2", "--qi", "disease"]),
        ask(&["--k", "2", "--qi", "sex,age,sex"]),
        ask(&["--k", "2", "--qi", ""]),
        ask(&["--k", "2", "--qi", "age,,sex"]),
    ]));
}

#[test]
fn models_and_parameters_that_there_are_not() {
    assert_snapshot!(refused([
        ask(&["--privacy", "m-anonymity=3"]),
        ask(&["--privacy", "k-anonymity:m=3"]),
        ask(&["--privacy", "distinct-l-diversity:on=disease"]),
        ask(&["--privacy", "k-anonymity"]),
        ask(&["--privacy", "k-anonymity=many"]),
        ask(&["--privacy", "k-anonymity:k"]),
        ask(&["--privacy", "k-anonymity:k=2,k=3"]),
        ask(&["--privacy", "k-anonymity:k=2,on=disease"]),
        ask(&["--privacy", ""]),
        ask(&["--privacy", "distinct-l-diversity:l=2,on=fortune"]),
        ask(&["--k", "2", "--privacy", "k-anonymity=3"]),
        ask(&["--privacy", "recursive-l-diversity:l=2"]),
        ask(&["--privacy", "t-closeness:t=0.1,distance=far"]),
        ask(&["--privacy", "alpha-k-anonymity:alpha=1,k=2"]),
        ask(&["--privacy", "k-anonymity=1e300"]),
        ask(&["--k", "2", "--relax-height", "up"]),
        case("explained", &["models", "m-anonymity"]),
        ask(&["--l", "2"]).edit("haggle.toml", "role = \"sensitive\"", "role = \"insensitive\"",),
        ask(&["--l", "2"])
            .edit(
                "haggle.toml",
                "[data]",
                "[data]\ncolumns = [\"name\", \"age\", \"sex\", \"disease\", \"job\"]\n#",
            )
            .edit(
                "haggle.toml",
                "role = \"sensitive\"\n",
                "role = \"sensitive\"\n[[attribute]]\nname = \"job\"\nrole = \"sensitive\"\n",
            )
            .edit("haggle.toml", "#\npath", "path")
            .file("people.csv", "name,age,sex,disease,job\nAda,34,f,flu,cook\n"),
    ]));
}

#[test]
fn memory_that_is_not_enough_or_not_a_size() {
    let mut errors = refused([
        case("counting", &["ask", "demo:adult", "--memory", "1KB"]),
        case("annotating", &["ask", "demo:adult", "--full", "--memory", "4MB"]),
    ]);
    errors += &refused([case("all for a study", &["study", "demo:adult", "--memory", "4MB"])]);
    errors += &refused(["much", "", "-1GB", "0", "NaN", "1XB", "infGB"].map(|size| {
        let size: &'static str = format!("--memory={size}").leak();
        ask(&["--k", "2", size])
    }));
    assert_snapshot!(errors);
}

#[test]
fn commands_and_options_that_there_are_not() {
    assert_snapshot!(refused([
        case("no such command", &["anonymize", "."]),
        case("no such option", &["ask", ".", "--kk", "3"]),
        case("no project", &["ask"]),
        case("a value too few", &["ask", ".", "--k"]),
        case("twice", &["ask", ".", "--k", "2", "--k", "3"]),
        case(
            "scheme and levels",
            &["study", ".", "--k", "2", "--scheme", "0,0", "--levels", "0,0"]
        ),
    ]));
}

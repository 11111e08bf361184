//! Arguments that cannot be: thresholds, levels, limits, quasi-identifiers, models, memory.

use crate::{Case, case, refused};

/// `ask` in the sound project with these arguments.
fn ask(arguments: &[&'static str], expected: &[&'static str]) -> Case {
    let name = arguments.last().copied().unwrap_or_default();
    case(name, &[&["ask", "."], arguments].concat(), expected)
}

#[test]
fn thresholds_out_of_range() {
    let cases = ["0", "1", "-3", "1.5", "1e300", "inf", "-inf", "4294967296"].map(|value| {
        let k = ["ask", ".", "--k", value];
        let l = ["ask", ".", "--l", value];
        let privacy: &'static str = format!("--privacy=k-anonymity={value}").leak();
        [
            case("--k", &k, &["k = ", "out of range", "a whole number from 2 to 4294967295"]),
            case("--l", &l, &["l = ", "out of range", "the fewest different sensitive values"]),
            case(
                "--privacy",
                &["ask", ".", privacy],
                &["k = ", "out of range", "the fewest records"],
            ),
            case("study", &["study", ".", "--k", value], &["k = ", "out of range"]),
        ]
    });
    refused(cases.into_iter().flatten());
    refused([
        ask(&["--k", "NaN"], &["k = NaN is out of range"]),
        ask(&["--l", "NaN"], &["l = NaN is out of range"]),
        case("study", &["study", ".", "--k", "NaN"], &["k = NaN is out of range"]),
        case("study", &["study", ".", "--l", "NaN"], &["l = NaN is out of range"]),
        ask(&["--privacy=k-anonymity=NaN"], &["'k-anonymity=NaN' is no privacy model"]),
    ]);
    refused(["text", "", "3k", "1,5"].map(|k| ask(&["--k", k], &["--k <K>", "write a number"])));
    refused([
        ask(&[], &["no privacy is asked for", "--k 5"]),
        case("study without privacy", &["study", "."], &["no privacy is asked for", "--k 5"]),
    ]);
}

#[test]
fn levels_that_the_hierarchies_do_not_have() {
    let levels = |levels: &'static str, expected: &[&'static str]| {
        ask(&["--k", "2", "--levels", levels], expected)
    };
    refused([
        levels("3,0", &["'age' has no level 3", "its levels are 0 to 2"]),
        levels("0,255", &["'sex' has no level 255", "its levels are 0 to 1"]),
        levels("0,256", &["'256' is not a level"]),
        levels("age=3", &["'age' has no level 3", "its levels are 0 to 2"]),
        levels("1", &["1 levels for 2 quasi-identifiers", "give one for each of: age, sex"]),
        levels("1,1,1", &["3 levels for 2 quasi-identifiers", "age, sex"]),
        levels("height=1", &["'height' is not among the quasi-identifiers", "age, sex"]),
        levels("disease=1", &["'disease' is not among the quasi-identifiers"]),
        levels("high,low", &["'high' is not a level", "2,1,0"]),
        levels("-1,0", &["'-1' is not a level", "2,1,0"]),
        levels("age=-1", &["'age=-1' are no levels", "age=2,race=1"]),
        levels("age=high", &["are no levels", "age=2,race=1"]),
        levels("1.5,0", &["'1.5' is not a level"]),
        levels("age=1,age=2", &["'age=1,age=2' are no levels", "each name once"]),
        levels("", &["'' is not a level"]),
        case(
            "a scheme out of range",
            &["study", ".", "--k", "2", "--scheme", "0,2"],
            &["'sex' has no level 2"],
        ),
        case(
            "a scheme too short",
            &["study", ".", "--k", "2", "--scheme", "0"],
            &["1 levels for 2", "age, sex"],
        ),
        case(
            "a negative scheme",
            &["study", ".", "--k", "2", "--scheme", "-1,0"],
            &["'-1' is not a level"],
        ),
    ]);
}

#[test]
fn limits_that_are_not_numbers_of_records() {
    refused(["-1", "-1%", "some", "", "%", "1.5", "1e3", ".%", "1.2.3%"].map(|limit| {
        let limit: &'static str = format!("--max-suppressed={limit}").leak();
        ask(&["--k", "2", limit], &["is no number of records", "321, or per cent such as 1%"])
    }));
    refused(["101%", "100.1%", "999999999999999999999%"].map(|limit| {
        let limit: &'static str = format!("--max-suppressed={limit}").leak();
        ask(&["--k", "2", limit], &["is more than 100%", "per cent up to 100%"])
    }));
    let many = ["--max-suppressed", "0.1234567891%"];
    refused([ask(&["--k", "2", many[0], many[1]], &["has more than 8 decimals", "round it"])]);
    refused([ask(&["--k", "2", "--max-suppressed", "-5"], &["'-5' is no number of records"])]);
}

#[test]
fn quasi_identifiers_that_are_none() {
    refused([
        ask(
            &["--k", "2", "--qi", "age,height"],
            &["'height' is not a quasi-identifier", "choose from: age, sex"],
        ),
        ask(&["--k", "2", "--qi", "disease"], &["'disease' is not a quasi-identifier", "age, sex"]),
        ask(&["--k", "2", "--qi", "sex,age,sex"], &["'sex' is named twice", "once"]),
        ask(&["--k", "2", "--qi", ""], &["'' is not a quasi-identifier", "age, sex"]),
        ask(&["--k", "2", "--qi", "age,,sex"], &["'' is not a quasi-identifier"]),
    ]);
}

#[test]
fn models_and_parameters_that_there_are_not() {
    refused([
        ask(
            &["--privacy", "m-anonymity=3"],
            &["no privacy model 'm-anonymity'", "k-anonymity, distinct-l-diversity"],
        ),
        ask(
            &["--privacy", "k-anonymity:m=3"],
            &["k-anonymity has no parameter 'm'", "its parameter is k"],
        ),
        ask(
            &["--privacy", "distinct-l-diversity:on=disease"],
            &["distinct-l-diversity needs its parameter l", "distinct-l-diversity=2"],
        ),
        ask(&["--privacy", "k-anonymity"], &["--privacy", "write MODEL=THRESHOLD"]),
        ask(&["--privacy", "k-anonymity=many"], &["--privacy", "write MODEL=THRESHOLD"]),
        ask(&["--privacy", "k-anonymity:k"], &["--privacy", "write MODEL=THRESHOLD"]),
        ask(&["--privacy", "k-anonymity:k=2,k=3"], &["--privacy", "write MODEL=THRESHOLD"]),
        ask(
            &["--privacy", "k-anonymity:k=2,on=disease"],
            &["k-anonymity looks at no sensitive attribute", "leave on=disease out"],
        ),
        ask(&["--privacy", ""], &["--privacy", "write MODEL=THRESHOLD"]),
        ask(
            &["--privacy", "distinct-l-diversity:l=2,on=fortune"],
            &["'fortune' is not a sensitive attribute", "disease"],
        ),
        ask(&["--k", "2", "--privacy", "k-anonymity=3"], &["k-anonymity", "asked for twice"]),
        ask(
            &["--privacy", "recursive-l-diversity:l=2"],
            &["recursive-l-diversity needs its parameter c", "recursive-l-diversity:l=2,c=1"],
        ),
        ask(
            &["--privacy", "t-closeness:t=0.1,distance=far"],
            &["t-closeness has no distance 'far'", "equal, ordered, hierarchical, matrix"],
        ),
        ask(
            &["--privacy", "alpha-k-anonymity:alpha=1,k=2"],
            &["alpha = 1 is out of range", "a number above 0 and below 1"],
        ),
        ask(&["--privacy", "k-anonymity=1e300"], &["k = 1e300 is out of range"]),
        ask(
            &["--k", "2", "--relax-height", "up"],
            &["'up' is no height relaxation", "lowest, closest or published"],
        ),
        case(
            "explained",
            &["models", "m-anonymity"],
            &["no privacy model 'm-anonymity'", "haggle models"],
        ),
        ask(&["--l", "2"], &["needs a sensitive attribute", "role \"sensitive\""]).edit(
            "haggle.toml",
            "role = \"sensitive\"",
            "role = \"insensitive\"",
        ),
        ask(&["--l", "2"], &["on which sensitive attribute", "on=NAME with one of: disease, job"])
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
    ]);
}

#[test]
fn memory_that_is_not_enough_or_not_a_size() {
    let raise = ["--memory", "--qi"];
    refused([
        case("counting", &["ask", "demo:adult", "--memory", "1KB"], &raise),
        case(
            "annotating",
            &["ask", "demo:adult", "--full", "--memory", "4MB"],
            &[&raise[..], &["annotating 3600 schemes"]].concat(),
        ),
    ]);
    refused([case("all for a study", &["study", "demo:adult", "--memory", "4MB"], &raise)]);
    refused(["much", "", "-1GB", "0", "NaN", "1XB", "infGB"].map(|size| {
        let size: &'static str = format!("--memory={size}").leak();
        ask(&["--k", "2", size], &["--memory <SIZE>", "200MB or 2GB"])
    }));
}

#[test]
fn commands_and_options_that_there_are_not() {
    refused([
        case("no such command", &["anonymize", "."], &["anonymize"]),
        case("no such option", &["ask", ".", "--kk", "3"], &["--kk"]),
        case("no project", &["ask"], &["PROJECT"]),
        case("a value too few", &["ask", ".", "--k"], &["--k <K>"]),
        case("twice", &["ask", ".", "--k", "2", "--k", "3"], &["--k <K>"]),
        case(
            "scheme and levels",
            &["study", ".", "--k", "2", "--scheme", "0,0", "--levels", "0,0"],
            &["--scheme", "--levels"],
        ),
    ]);
}

//! What is accepted is obeyed: every option of every command changes what happens, or is refused.
//! The options are those that `--help` lists; one that is not in the table fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{Folder, HAGGLE, PEOPLE, Run};

/// What shows that an option is obeyed.
enum Shows {
    /// With these arguments added something else happens.
    Effect(&'static [&'static str]),
    /// With these arguments added it is refused with these words.
    Refusal(&'static [&'static str], &'static str),
    /// With these arguments added the server begins with another line.
    FirstLine(&'static [&'static str]),
}

use Shows::{Effect, FirstLine, Refusal};

/// An option, the command line that it is added to, and what shows that it is obeyed.
type Case = (&'static str, &'static str, &'static [&'static str], Shows);

const JSON: Shows = Effect(&["--json"]);
const CSV: Shows = Effect(&["--csv"]);
const LITTLE: Shows = Effect(&["--memory", "1KB"]);
const ONE: Shows = Effect(&["--qi", "age"]);

const ASK: &[&str] = &["ask", ".", "--k", "3", "--levels", "1,0"];
const BEST: &[&str] = &["ask", ".", "--k", "3", "--optimize", "lm"];
const STUDY: &[&str] = &["study", ".", "--k", "3"];
const WHY: &[&str] = &["why", ".", "--scheme", "0,0"];
const SECURITY: &[&str] = &["security", ".", "--scheme", "1,1", "--on", "disease"];
const PUBLISH: &[&str] = &["publish", ".", "-o", "new.csv"];
const SCHEME: &[&str] = &["publish", ".", "-o", "new.csv", "--scheme", "0,0"];
const VERIFY: &[&str] = &["verify", "kept.csv", "."];
const ASSESS: &[&str] = &["assess", "kept.csv", "."];
const PARETO: &[&str] = &["pareto", "."];
const POKA: &[&str] = &["pareto", ".", "--poka"];
const COMPARE: &[&str] = &["compare", ".", "--strategies", "datafly", "--measures", "lm"];
const INSTANT: &[&str] = &["instant", "."];
const DEMO_ASK: &[&str] = &["ask", "demo:adult", "--qi", "age,race,workclass"];
const DEMO_STUDY: &[&str] = &["study", "demo:adult", "--qi", "age,race,workclass"];

const CASES: &[Case] = &[
    ("init", "output", &["init", "people.csv", "--force"], Effect(&["-o", "other.toml"])),
    ("init", "force", &["init", "people.csv"], Effect(&["--force"])),
    ("init", "json", &["init", "people.csv", "--force"], JSON),
    ("ask", "qi", &["ask", "."], ONE),
    ("ask", "memory", DEMO_ASK, LITTLE),
    ("ask", "json", ASK, JSON),
    ("ask", "k", &["ask", "."], Effect(&["--k", "6"])),
    ("ask", "l", &["ask", "."], Effect(&["--l", "4"])),
    ("ask", "privacy", &["ask", "."], Effect(&["--privacy", "t-closeness:t=0.1,on=disease"])),
    ("ask", "only", &["ask", ".", "--privacy", "distinct-l-diversity:l=2,on=disease"], Effect(&["--only"])),
    ("ask", "levels", &["ask", "."], Effect(&["--levels", "0,0"])),
    ("ask", "max-suppressed", &["ask", "."], Effect(&["--max-suppressed", "50%"])),
    ("ask", "optimize", &["ask", ".", "--k", "3"], Effect(&["--optimize", "lm"])),
    ("ask", "relax-height", &["ask", ".", "--k", "6", "--levels", "0,1"], Effect(&["--relax-height", "closest"])),
    ("ask", "top", BEST, Effect(&["--top", "3"])),
    ("ask", "top", ASK, Refusal(&["--top", "3"], "--optimize")),
    ("ask", "top", BEST, Refusal(&["--top", "0"], "--top")),
    ("ask", "requests", &["ask", "."], Effect(&["--requests", "asked.jsonl"])),
    ("ask", "on-demand", ASK, Effect(&["--on-demand"])),
    ("ask", "full", &["ask", "partial", "--k", "3"], Effect(&["--full"])),
    ("ask", "annotate-maximum", &["ask", "partial", "--k", "5", "--levels", "1,1"], Effect(&["--annotate-maximum", "--json"])),
    ("ask", "annotate-maximum", ASK, Refusal(&["--annotate-maximum"], "partial lattices")),
    ("ask", "time-limit", &["ask", "demo:adult", "--on-demand"], Effect(&["--time-limit", "0"])),
    ("ask", "csv", ASK, CSV),
    ("ask", "plot", ASK, Effect(&["--plot", "lattice.svg"])),
    ("study", "qi", STUDY, ONE),
    ("study", "memory", DEMO_STUDY, LITTLE),
    ("study", "json", STUDY, JSON),
    ("study", "k", &["study", "."], Effect(&["--k", "6"])),
    ("study", "l", &["study", "."], Refusal(&["--l", "2"], "on which sensitive attribute")),
    ("study", "privacy", &["study", "."], Effect(&["--privacy", "distinct-l-diversity:l=3,on=disease"])),
    ("study", "levels", STUDY, Effect(&["--levels", "1,0"])),
    ("study", "scheme", STUDY, Effect(&["--scheme", "0,0"])),
    ("study", "all", &["study", "many", "--k", "3", "--scheme", "0"], Effect(&["--all"])),
    ("study", "all", STUDY, Refusal(&["--scheme", "0,0", "--all", "--json"], "--json")),
    ("study", "estimators", STUDY, Effect(&["--estimators"])),
    ("study", "partial", &["study", ".", "--k", "3", "--estimators"], Effect(&["--partial", "100%"])),
    ("study", "csv", STUDY, CSV),
    ("study", "plot", STUDY, Effect(&["--plot", "study.svg"])),
    ("why", "qi", &["why", ".", "--scheme", "0"], ONE),
    ("why", "memory", &["why", "demo:adult", "--qi", "age,race", "--scheme", "0,0"], LITTLE),
    ("why", "json", WHY, JSON),
    ("why", "k", WHY, Effect(&["--k", "5"])),
    ("why", "l", WHY, Refusal(&["--l", "2"], "on which sensitive attribute")),
    ("why", "privacy", WHY, Effect(&["--privacy", "distinct-l-diversity:l=3,on=disease"])),
    ("why", "only", &["why", ".", "--scheme", "1,1", "--privacy", "distinct-l-diversity:l=2,on=disease"], Effect(&["--only"])),
    ("why", "scheme", WHY, Refusal(&["--scheme", "1,0"], "--scheme")),
    ("why", "loss", WHY, Effect(&["--loss", "discernibility"])),
    ("why", "loss", WHY, Refusal(&["--loss", "discernibility:age=2"], "no effect on discernibility")),
    ("why", "csv", WHY, CSV),
    ("security", "qi", &["security", ".", "--scheme", "1", "--on", "disease"], ONE),
    ("security", "memory", &["security", "demo:adult", "--qi", "age,race", "--scheme", "1,1"], LITTLE),
    ("security", "json", SECURITY, JSON),
    ("security", "scheme", SECURITY, Refusal(&["--scheme", "1,0"], "--scheme")),
    ("security", "on", &["security", ".", "--scheme", "1,1"], Effect(&["--on", "visits"])),
    ("security", "width", SECURITY, Effect(&["--width", "2"])),
    ("security", "scale", SECURITY, Effect(&["--scale", "2"])),
    ("security", "csv", SECURITY, CSV),
    ("publish", "qi", &["publish", ".", "-o", "new.csv", "--scheme", "2"], ONE),
    ("publish", "memory", &["publish", "demo:adult", "-o", "new.csv", "--qi", "age,race"], LITTLE),
    ("publish", "json", PUBLISH, JSON),
    ("publish", "k", PUBLISH, Effect(&["--k", "6"])),
    ("publish", "l", PUBLISH, Refusal(&["--l", "2"], "on which sensitive attribute")),
    ("publish", "privacy", PUBLISH, Effect(&["--privacy", "distinct-l-diversity:l=3,on=disease"])),
    ("publish", "only", &["publish", ".", "-o", "new.csv", "--k", "2"], Effect(&["--only"])),
    ("publish", "only", PUBLISH, Refusal(&["--only"], "name one with --k, --l or --privacy")),
    ("publish", "levels", PUBLISH, Effect(&["--levels", "2,0"])),
    ("publish", "max-suppressed", SCHEME, Effect(&["--max-suppressed", "0"])),
    ("publish", "optimize", &["publish", ".", "-o", "new.csv", "--k", "5"], Effect(&["--optimize", "precision"])),
    ("publish", "optimize", SCHEME, Refusal(&["--optimize", "lm"], "no effect on a scheme that is named")),
    ("publish", "scheme", PUBLISH, Effect(&["--scheme", "2,1"])),
    ("publish", "strategy", PUBLISH, Effect(&["--strategy", "mondrian"])),
    ("publish", "patience", &["publish", ".", "-o", "new.csv", "--strategy", "k-optimize"], Effect(&["--patience", "0"])),
    ("publish", "patience", PUBLISH, Refusal(&["--patience", "1"], "--strategy")),
    ("publish", "refine", &["publish", ".", "-o", "new.csv", "--k", "5", "--scheme", "1,0"], Effect(&["--refine"])),
    ("publish", "output", &["publish", "."], Effect(&["-o", "new.csv"])),
    ("publish", "table", PUBLISH, Refusal(&["--table", "public.x"], "--table")),
    ("publish", "manifest", PUBLISH, Refusal(&["--manifest", "m.json"], "--table")),
    ("publish", "suppress", SCHEME, Effect(&["--suppress", "star"])),
    ("publish", "suppress", PUBLISH, Refusal(&["--policy", "policy.json", "--suppress", "star"], "--suppress")),
    ("publish", "flag", SCHEME, Effect(&["--flag", "left_out", "--suppress", "star"])),
    ("publish", "shuffle", PUBLISH, Effect(&["--shuffle", "--json"])),
    ("publish", "seed", PUBLISH, Effect(&["--seed", "7"])),
    ("publish", "private", PUBLISH, Effect(&["--private", "private"])),
    ("publish", "policy", PUBLISH, Effect(&["--policy", "policy.json"])),
    ("publish", "policy", PUBLISH, Refusal(&["--policy", "policy.json", "--optimize", "lm"], "--optimize")),
    ("verify", "qi", VERIFY, Effect(&["--qi", "age"])),
    ("verify", "sensitive", &["verify", "kept.csv", "--qi", "age,sex", "--l", "2"], Effect(&["--sensitive", "disease"])),
    ("verify", "memory", VERIFY, Effect(&["--memory", "1"])),
    ("verify", "json", VERIFY, JSON),
    ("verify", "k", VERIFY, Effect(&["--k", "99"])),
    ("verify", "l", &["verify", "kept.csv", "--qi", "age,sex", "--sensitive", "disease", "--k", "2"], Effect(&["--l", "9"])),
    ("verify", "privacy", VERIFY, Effect(&["--privacy", "distinct-l-diversity:l=9,on=disease"])),
    ("verify", "only", &["verify", "kept.csv", ".", "--privacy", "distinct-l-diversity:l=2,on=disease"], Effect(&["--only"])),
    ("assess", "qi", ASSESS, Effect(&["--qi", "age"])),
    ("assess", "sensitive", ASSESS, Effect(&["--sensitive", "visits"])),
    ("assess", "memory", ASSESS, Effect(&["--memory", "1"])),
    ("assess", "json", ASSESS, JSON),
    ("build", "qi", &["build", "."], ONE),
    ("build", "memory", &["build", "demo:adult", "-o", "a.lattice", "--qi", "age,race"], LITTLE),
    ("build", "json", &["build", "."], JSON),
    ("build", "output", &["build", "."], Effect(&["-o", "other.lattice"])),
    ("build", "partial", &["build", "."], Effect(&["--partial", "10%"])),
    ("build", "estimator", &["build", ".", "--partial", "10%"], Effect(&["--estimator", "gamma"])),
    ("build", "estimate", &["build", "."], Effect(&["--estimate"])),
    ("update", "add", &["update", "built"], Effect(&["--add", "add.csv"])),
    ("update", "delete", &["update", "built", "--add", "add.csv"], Effect(&["--delete", "add.csv"])),
    ("update", "output", &["update", "built", "--add", "add.csv"], Effect(&["-o", "other.lattice"])),
    ("update", "memory", &["update", "built", "--add", "add.csv"], Effect(&["--memory", "1"])),
    ("update", "json", &["update", "built", "--add", "add.csv"], JSON),
    ("check", "json", &["check", "."], JSON),
    ("hierarchy show", "all", &["hierarchy", "show", "many", "n"], Effect(&["--all"])),
    ("hierarchy show", "json", &["hierarchy", "show", ".", "age"], JSON),
    ("hierarchy export", "output", &["hierarchy", "export", ".", "age"], Effect(&["-o", "new.csv"])),
    ("hierarchy export", "force", &["hierarchy", "export", ".", "age", "-o", "age.csv"], Effect(&["--force"])),
    ("hierarchy export", "json", &["hierarchy", "export", ".", "age"], JSON),
    ("hierarchy suggest", "json", &["hierarchy", "suggest", ".", "age"], JSON),
    ("pareto", "qi", PARETO, ONE),
    ("pareto", "memory", &["pareto", "demo:adult", "--qi", "age,race"], LITTLE),
    ("pareto", "json", PARETO, JSON),
    ("pareto", "privacy", PARETO, Effect(&["--privacy", "distinct-l-diversity:on=disease"])),
    ("pareto", "privacy", PARETO, Refusal(&["--privacy", "k-anonymity:k=5"], "varies")),
    ("pareto", "loss", PARETO, Effect(&["--loss", "discernibility"])),
    ("pareto", "loss", PARETO, Refusal(&["--loss", "lm:on=disease"], "no effect on lm")),
    ("pareto", "levels", PARETO, Effect(&["--levels", "1,0"])),
    ("pareto", "max-suppressed", PARETO, Effect(&["--max-suppressed", "50%"])),
    ("pareto", "max-loss", PARETO, Effect(&["--privacy", "k-anonymity", "--privacy", "distinct-l-diversity:on=disease", "--max-loss", "0.9"])),
    ("pareto", "suppression", &["pareto", ".", "--max-suppressed", "50%"], Effect(&["--suppression"])),
    ("pareto", "poka", PARETO, Effect(&["--poka"])),
    ("pareto", "depth", POKA, Effect(&["--depth", "1"])),
    ("pareto", "exhaustive", POKA, Effect(&["--exhaustive"])),
    ("pareto", "csv", PARETO, CSV),
    ("pareto", "plot", PARETO, Effect(&["--plot", "front.svg"])),
    ("compare", "qi", COMPARE, ONE),
    ("compare", "memory", &["compare", "demo:adult", "--qi", "age,race", "--strategies", "datafly"], LITTLE),
    ("compare", "json", COMPARE, JSON),
    ("compare", "k", COMPARE, Effect(&["--k", "6"])),
    ("compare", "l", COMPARE, Refusal(&["--l", "2"], "on which sensitive attribute")),
    ("compare", "privacy", COMPARE, Effect(&["--privacy", "distinct-l-diversity:l=3,on=disease"])),
    ("compare", "only", &["compare", ".", "--strategies", "datafly", "--privacy", "distinct-l-diversity:l=2,on=disease"], Effect(&["--only"])),
    ("compare", "levels", COMPARE, Effect(&["--levels", "0,1"])),
    ("compare", "max-suppressed", COMPARE, Effect(&["--max-suppressed", "50%"])),
    ("compare", "optimize", &["compare", ".", "--strategies", "datafly"], Effect(&["--optimize", "precision"])),
    ("compare", "optimize", COMPARE, Refusal(&["--optimize", "lm"], "--measures")),
    ("compare", "measures", &["compare", ".", "--strategies", "datafly"], Effect(&["--measures", "precision"])),
    ("compare", "strategies", COMPARE, Refusal(&["--strategies", "none"], "strateg")),
    ("compare", "patience", &["compare", ".", "--strategies", "k-optimize", "--measures", "lm"], Effect(&["--patience", "0"])),
    ("compare", "csv", COMPARE, CSV),
    ("compare", "plot", COMPARE, Effect(&["--plot", "bars.svg"])),
    ("instant", "qi", INSTANT, ONE),
    ("instant", "memory", &["instant", "demo:adult", "--qi", "age,race"], LITTLE),
    ("instant", "json", INSTANT, JSON),
    ("instant", "k", INSTANT, Effect(&["--k", "6"])),
    ("instant", "l", INSTANT, Refusal(&["--l", "2"], "one privacy model")),
    ("instant", "privacy", INSTANT, Refusal(&["--privacy", "frequency-l-diversity:l=2,on=disease"], "one privacy model")),
    ("instant", "only", &["instant", ".", "--privacy", "frequency-l-diversity:l=1.5,on=disease"], Effect(&["--only"])),
    ("instant", "levels", INSTANT, Effect(&["--levels", "0,0"])),
    ("instant", "max-suppressed", INSTANT, Effect(&["--max-suppressed", "50%"])),
    ("instant", "summary", INSTANT, Effect(&["--summary", "bayes"])),
    ("instant", "sample", &["instant", "demo:adult", "--qi", "age,race", "--summary", "sample"], Effect(&["--sample", "50"])),
    ("instant", "sample", INSTANT, Refusal(&["--sample", "50"], "draws no sample")),
    ("instant", "seed", &["instant", "demo:adult", "--qi", "age,race", "--summary", "sample", "--sample", "50"], Effect(&["--seed", "2"])),
    ("instant", "seed", INSTANT, Refusal(&["--seed", "2"], "draws no sample")),
    ("instant", "by", INSTANT, Effect(&["--by", "expectation"])),
    ("instant", "threshold", &["instant", ".", "--by", "probability"], Effect(&["--threshold", "0.000001"])),
    ("instant", "predictor", INSTANT, Effect(&["--predictor", "bonferroni"])),
    ("instant", "without", INSTANT, Effect(&["--without", "max,limit,expo,hybrid,sd-cut", "--json"])),
    ("instant", "max-scans", INSTANT, Effect(&["--max-scans", "0"])),
    ("instant", "compare", INSTANT, Effect(&["--compare"])),
    ("models", "json", &["models"], JSON),
    ("models", "markdown", &["models", "k-anonymity"], Effect(&["--markdown"])),
    ("measures", "json", &["measures"], JSON),
    ("measures", "markdown", &["measures", "lm"], Effect(&["--markdown"])),
    ("strategies", "json", &["strategies"], JSON),
    ("strategies", "markdown", &["strategies", "mondrian"], Effect(&["--markdown"])),
    ("serve", "qi", &["serve", ".", "--no-open"], Refusal(&["--qi", "height"], "'height' is not a quasi-identifier")),
    ("serve", "memory", &["serve", ".", "--no-open"], Refusal(&["--memory", "much"], "write a size")),
    ("serve", "json", &["serve", ".", "--no-open"], FirstLine(&["--json"])),
    ("serve", "port", &["serve", ".", "--no-open"], Refusal(&["--port", "99999"], "--port")),
    ("serve", "no-open", &["serve", ".", "--address", "0.0.0.0"], Refusal(&["--no-open"], "--allow-remote")),
    ("serve", "address", &["serve", ".", "--no-open"], Refusal(&["--address", "0.0.0.0"], "--allow-remote")),
    ("serve", "allow-remote", &["serve", ".", "--no-open", "--address", "0.0.0.0"], FirstLine(&["--allow-remote"])),
    ("demo", "json", &["demo", "--no-open"], FirstLine(&["--json"])),
    ("demo", "port", &["demo", "--no-open"], Refusal(&["--port", "99999"], "--port")),
    ("demo", "no-open", &["demo", "--port", "99999"], Refusal(&["--no-open"], "--port")),
];

/// Options that were taken away because they have no effect, and stay away.
const REFUSED: &[&[&str]] = &[
    &["instant", ".", "--optimize", "lm"],
    &["instant", ".", "--top", "2"],
    &["instant", ".", "--relax-height", "closest"],
    &["publish", ".", "-o", "new.csv", "--top", "2"],
    &["publish", ".", "-o", "new.csv", "--relax-height", "closest"],
    &["compare", ".", "--top", "2"],
    &["compare", ".", "--relax-height", "closest"],
    &["study", ".", "--only", "--k", "2"],
];

/// The commands and their options, as `--help` lists them.
fn options(path: &[&str], found: &mut BTreeMap<String, BTreeSet<String>>) {
    let help = Folder::empty().haggle(&[path, &["--help"]].concat());
    let help = help.text();
    let section = |title: &str| {
        let lines = help.lines().skip_while(move |line| *line != title).skip(1);
        lines.take_while(|line| !line.is_empty() || title == "Options:").collect::<Vec<_>>()
    };
    for line in section("Commands:") {
        let command = line.split_whitespace().next().unwrap_or_default();
        if line.starts_with("  ") && !line.starts_with("   ") && command != "help" {
            options(&[path, &[command]].concat(), found);
        }
    }
    let listed = section("Options:").into_iter().filter(|line| line.trim_start().starts_with('-'));
    let names = listed.filter_map(|line| line.split("--").nth(1)?.split([' ', '<', '=']).next());
    let names = names.filter(|name| !["help", "version"].contains(name)).map(String::from);
    found.entry(path.join(" ")).or_default().extend(names);
}

/// The files that every case begins with.
fn world() -> Vec<(String, Vec<u8>)> {
    let folder = Folder::empty();
    let project = PEOPLE[0].1.replace("[data]", "[request]\nk = 3\n[data]");
    let project = format!("{project}\n[[attribute]]\nname = \"visits\"\nrole = \"sensitive\"\n");
    let rows = (0..24).map(|i| {
        let (age, sex) = (30 + (i * i + i) % 9, if i % 3 == 0 { "f" } else { "m" });
        format!("n{i},{age},{sex},{},{}\n", ["flu", "asthma", "gout", "none"][i * 7 % 4], i % 5)
    });
    let table = format!("name,age,sex,disease,visits\n{}", rows.collect::<String>());
    let ages: String = (30..39).map(|age| format!("{age};{}-{};*\n", age / 3 * 3, age / 3 * 3 + 2)).collect();
    for place in ["", "partial/", "built/"] {
        folder.write(&format!("{place}haggle.toml"), &project);
        folder.write(&format!("{place}people.csv"), &table);
        folder.write(&format!("{place}age.csv"), &ages);
        folder.write(&format!("{place}sex.csv"), "f;*\nm;*\n");
    }
    let many: String = (0..100).map(|i| format!("{i}\n").repeat(i % 40 + 1)).collect();
    folder.write("many/n.csv", format!("n\n{many}"));
    folder.write("many/haggle.toml", "[data]\npath = \"n.csv\"\n[[attribute]]\nname = \"n\"\nrole = \"quasi-identifier\"\n");
    folder.write("asked.jsonl", "{\"privacy\":{\"k-anonymity\":2}}\n");
    folder.write("add.csv", "name,age,sex,disease,visits\nx,30,f,flu,1\n");
    folder.haggle(&["build", "built"]).text();
    folder.haggle(&["build", "partial", "--partial", "10%"]).text();
    let kept = ["publish", ".", "--scheme", "1,1", "-o", "kept.csv", "--private", "."];
    folder.haggle(&kept).text();
    let file = |(path, content): (std::path::PathBuf, Option<Vec<u8>>)| {
        let name = path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
        Some((name, content?))
    };
    folder.listing().into_iter().filter_map(file).collect()
}

/// What a run did: its code, what it printed but for times, and the files it left.
fn deed(world: &[(String, Vec<u8>)], arguments: &[&str]) -> (Option<i32>, String, Vec<String>, Run) {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    let run = folder.haggle(arguments);
    let files = folder.listing().into_iter().map(|(path, content)| {
        format!("{}: {}", path.display(), content.map_or(0, |content| content.len()))
            .replace(folder.path().to_str().unwrap(), "")
    });
    (run.code, untimed(&run.stdout), files.collect(), run)
}

/// A text without how long anything took.
fn untimed(text: &str) -> String {
    let line = |line: &str| match serde_json::from_str(line) {
        Ok(mut json) => {
            forget_times(&mut json);
            json.to_string()
        }
        Err(_) => {
            let words: Vec<&str> = line.split_whitespace().collect();
            let unit = |word: &&str| ["µs", "ms", "s"].contains(&word.trim_matches(['.', ',', ';']));
            let kept = (0..words.len()).filter(|&i| !words.get(i + 1).is_some_and(|word| unit(word)));
            kept.map(|i| words[i]).collect::<Vec<_>>().join(" ")
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn forget_times(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            fields.retain(|name, _| !["micros", "millis", "seconds", "nanos"].iter().any(|t| name.contains(t)));
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// The first line that a server prints; it is then ended.
fn first_line(world: &[(String, Vec<u8>)], arguments: &[&str]) -> String {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    let mut command = Command::new(HAGGLE);
    command.args(arguments).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    line.chars().take(8).collect()
}

#[test]
fn every_option_of_every_command_is_obeyed_or_refused() {
    let mut listed = BTreeMap::new();
    options(&[], &mut listed);
    let tested: BTreeSet<(&str, &str)> = CASES.iter().map(|case| (case.0, case.1)).collect();
    for (command, names) in &listed {
        for name in names {
            assert!(tested.contains(&(command.as_str(), name.as_str())), "no case for {command} --{name}");
        }
    }
    let known = |(command, name): &&(&str, &str)| listed.get(*command).is_none_or(|names| !names.contains(*name));
    assert_eq!(tested.iter().filter(known).collect::<Vec<_>>(), Vec::<&(&str, &str)>::new(), "no such option");

    let world = world();
    let mut idle = Vec::new();
    for (command, name, base, shows) in CASES {
        let with = |more: &[&'static str]| [base, more].concat();
        let shown = match shows {
            Effect(more) => {
                let (before, after) = (deed(&world, base), deed(&world, &with(more)));
                (&before.0, &before.1, &before.2) != (&after.0, &after.1, &after.2)
            }
            Refusal(more, words) => {
                let run = deed(&world, &with(more)).3;
                run.code == Some(2) && run.stderr.contains(words)
            }
            FirstLine(more) => first_line(&world, base) != first_line(&world, &with(more)),
        };
        if !shown {
            idle.push(format!("{command} --{name} ({base:?})"));
        }
    }
    assert!(idle.is_empty(), "accepted without effect, or not refused as it should be:\n{}", idle.join("\n"));
}

#[test]
fn options_without_effect_are_refused() {
    let world = world();
    for arguments in REFUSED {
        let run = deed(&world, arguments).3;
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:#?}");
        assert!(run.stderr.contains("unexpected argument"), "{arguments:?}: {run:#?}");
    }
}

#[test]
fn defaults_of_the_project_that_a_command_does_not_use_are_no_fault() {
    let folder = Folder::people();
    let request = "[request]\nk = 2\nmax_suppressed = 0\nrelax_height = \"closest\"\nlevels = [2, 1]\n[data]";
    folder.edit("haggle.toml", "[data]", request);
    for command in [&["instant", "."][..], &["compare", ".", "--measures", "lm"], &["publish", ".", "-o", "out.csv"], &["study", "."]] {
        assert_eq!(folder.haggle(command).code, Some(0), "{command:?}");
    }
}

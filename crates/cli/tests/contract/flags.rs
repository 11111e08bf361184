//! What is accepted is obeyed: every option of every command changes what happens, or is refused.
//! The options are those that `--help` lists; one that is not in the table fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use haggle_testkit::process;
use haggle_testkit::{redacted, titled};
use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{Folder, HAGGLE, PEOPLE, Run};

/// The table: a line for each case, `command | option | command line | added | what that does`.
const TABLE: &str = include_str!("flags.txt");

/// A line of the table: an option, a command line, what is added to it, and what that does.
struct Case {
    command: &'static str,
    option: &'static str,
    line: Vec<&'static str>,
    added: Vec<&'static str>,
    does: &'static str,
}

impl Case {
    fn of(line: &'static str) -> Self {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [command, option, line, added, does] = fields[..] else { panic!("{line}") };
        let words = |text: &'static str| text.split_whitespace().collect();
        Self { command, option, line: words(line), added: words(added), does }
    }

    fn all() -> Vec<Self> {
        TABLE.lines().filter(|line| !line.starts_with('#')).map(Self::of).collect()
    }

    /// Whether it does what the table says.
    fn holds(&self, world: &World) -> bool {
        let with = [&self.line[..], &self.added].concat();
        match (self.does, self.does.strip_prefix("refused: ")) {
            ("changes", _) => deed(world, &self.line).0 != deed(world, &with).0,
            ("serves otherwise", _) => {
                lattice_served(world, &self.line) != lattice_served(world, &with)
            }
            ("first line", _) => first_line(world, &self.line) != first_line(world, &with),
            ("repeats the order", _) => {
                rows(world, &with) == rows(world, &with)
                    && rows(world, &self.line) != rows(world, &self.line)
            }
            ("opens no browser", _) => opened(world, &self.line) && !opened(world, &with),
            (_, Some(words)) => {
                let run = deed(world, &with).1;
                run.code == Some(2) && run.stderr.contains(words)
            }
            (other, None) => panic!("the table says '{other}'"),
        }
    }
}

/// The files that every case begins with.
type World = [(String, Vec<u8>)];

/// What a run did: its code, what it printed but for times, and the files it left.
type Deed = (Option<i32>, String, Vec<String>);

/// Options that were taken away because they have no effect, and stay away.
const REFUSED: &[&[&str]] = &[
    &["publish", ".", "-o", "new.csv", "--top", "2"],
    &["publish", ".", "-o", "new.csv", "--relax-height", "closest"],
    &["compare", ".", "--top", "2"],
    &["compare", ".", "--relax-height", "closest"],
    &["study", ".", "--only", "--k", "2"],
];

/// Earlier names of options, which help does not list and which are accepted for one more release.
const EARLIER_NAMES: &[(&str, &[&str], &[&str])] = &[
    ("time-limit", &["compare", ".", "--strategies", "k-optimize"], &["--patience", "0"]),
    ("time-limit", &["publish", ".", "-o", "new.csv"], &["--patience", "0"]),
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
    let scale =
        "order = [\"none\", \"flu\", \"gout\", \"asthma\"]\nclass_function = \"empirical\"\n";
    let visits =
        "[[attribute]]\nname = \"visits\"\nrole = \"sensitive\"\nclass_function = \"empirical\"\n";
    let project = format!("{project}{scale}{visits}");
    let rows = (0..24).map(|i| {
        let (age, sex) = (30 + (i * i + i) % 9, if i % 3 == 0 { "f" } else { "m" });
        format!("n{i},{age},{sex},{},{}\n", ["flu", "asthma", "gout", "none"][i * 7 % 4], i % 5)
    });
    let table = format!("name,age,sex,disease,visits\n{}", rows.collect::<String>());
    let ages: String =
        (30..39).map(|age| format!("{age};{}-{};*\n", age / 3 * 3, age / 3 * 3 + 2)).collect();
    for place in ["", "partial/", "built/"] {
        folder.write(&format!("{place}haggle.toml"), &project);
        folder.write(&format!("{place}people.csv"), &table);
        folder.write(&format!("{place}age.csv"), &ages);
        folder.write(&format!("{place}sex.csv"), "f;*\nm;*\n");
    }
    let many: String = (0..100).map(|i| format!("{i}\n").repeat(i % 40 + 1)).collect();
    folder.write("many/n.csv", format!("n\n{many}"));
    folder.write(
        "many/haggle.toml",
        "[data]\npath = \"n.csv\"\n[[attribute]]\nname = \"n\"\nrole = \"quasi-identifier\"\n",
    );
    let formulas = "name,age,sex,disease\n".to_owned() + &"x,30,f,=1+1\n".repeat(3);
    folder.write("formulas/people.csv", formulas);
    folder.write("formulas/haggle.toml", PEOPLE[0].1);
    folder.write("formulas/age.csv", "30;*\n");
    folder.write("formulas/sex.csv", "f;*\n");
    folder.write("queries.txt", "age < 33\nsex = f\n");
    folder.write("wide/people.csv", "age\n30\n30\n39\n50\n");
    folder.write("wide/age.csv", "30;30-39;*\n39;30-39;*\n40;40-49;*\n50;50-59;*\n");
    folder.write(
        "wide/haggle.toml",
        "[data]\npath = \"people.csv\"\n[[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\nhierarchy = \"age.csv\"\n",
    );
    folder.write("asked.jsonl", "{\"privacy\":{\"k-anonymity\":2}}\n");
    folder.write("add.csv", "name,age,sex,disease,visits\nx,30,f,flu,1\n");
    for there in ["there.svg", "there.md"] {
        folder.write(there, "something else\n");
    }
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
fn deed(world: &World, arguments: &[&str]) -> (Deed, Run) {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    let run = folder.haggle(arguments);
    let files = folder.listing().into_iter().map(|(path, content)| {
        let name = path.display().to_string().replace(folder.path().to_str().unwrap(), "");
        let table = content
            .filter(|_| {
                std::path::Path::new(&name)
                    .extension()
                    .is_some_and(|end| end == "csv" || end == "sql")
            })
            .unwrap_or_default();
        let mut lines: Vec<String> =
            String::from_utf8_lossy(&table).lines().map(String::from).collect();
        lines.sort(); // publications are in a random order
        format!("{name}: {lines:?}")
    });
    ((run.code, untimed(&run.stdout), files.collect()), run)
}

/// The rows of a publication, in their order.
fn rows(world: &World, arguments: &[&str]) -> Vec<u8> {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    folder.haggle(arguments).text();
    folder.read("new.csv")
}

/// A text without how long anything took.
fn untimed(text: &str) -> String {
    let line = |line: &str| {
        if let Ok(mut json) = serde_json::from_str(line) {
            forget_times(&mut json);
            json.to_string()
        } else {
            redacted(&line.split_whitespace().collect::<Vec<_>>().join(" "), &[])
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn forget_times(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !["micros", "millis", "seconds", "nanos"].iter().any(|t| name.contains(t))
            });
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// How the first line begins that a server prints; it is then ended.
fn first_line(world: &World, arguments: &[&str]) -> String {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    served(&folder, arguments, |_, _| ()).chars().take(8).collect()
}

/// What a server that is started with these arguments and `--json` says of its lattice, or why it
/// cannot.
fn lattice_served(world: &World, arguments: &[&str]) -> String {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    let mut body = String::new();
    served(&folder, arguments, |_, line| {
        let report: Value = serde_json::from_str(line).unwrap();
        let (origin, token) =
            (report["origin"].as_str().unwrap(), report["token"].as_str().unwrap());
        let host = origin.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let head = format!("POST /api/lattice HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        let head = format!("{head}Content-Type: application/json\r\nContent-Length: 2\r\n");
        let request = format!("{head}Authorization: Bearer {token}\r\n\r\n{{}}");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        body = untimed(answer.split("\r\n\r\n").nth(1).unwrap_or_default());
    });
    body
}

/// Whether a server opens a browser: a program of that name which leaves a file behind.
fn opened(world: &World, arguments: &[&str]) -> bool {
    let folder = Folder::with(world.iter().map(|(name, content)| (name.as_str(), content)));
    let mark = folder.file("opened");
    folder.write("bin/xdg-open", format!("#!/bin/sh\n: > '{}'\n", mark.display()));
    let program = folder.file("bin/xdg-open");
    std::fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let wait = |folder: &Folder, _: &str| {
        // As long as it takes where it is opened; where it is not, a while is enough.
        let attempts = if arguments.contains(&"--no-open") { 3 } else { 100 };
        for _ in 0..attempts {
            if folder.file("opened").exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    served(&folder, arguments, wait);
    mark.exists()
}

/// The first line that a server prints; it is ended after that and what is done meanwhile.
fn served(folder: &Folder, arguments: &[&str], meanwhile: impl FnOnce(&Folder, &str)) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(HAGGLE);
    command.env("XDG_STATE_HOME", folder.path()).env("TMPDIR", folder.path());
    command.env("PATH", format!("{}:{path}", folder.file("bin").display()));
    command.args(arguments).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let read = || stdout.read_line(&mut line).unwrap();
    process::within_limit(child.id(), process::LIMIT, read);
    meanwhile(folder, &line);
    let _ = child.kill();
    let _ = child.wait();
    line
}

#[test]
fn every_option_of_every_command_is_obeyed_or_refused() {
    let mut listed = BTreeMap::new();
    options(&[], &mut listed);
    let listed: BTreeSet<(&str, &str)> = listed
        .iter()
        .flat_map(|(command, names)| names.iter().map(|name| (command.as_str(), name.as_str())))
        .collect();
    let cases = Case::all();
    let tested: BTreeSet<(&str, &str)> = cases.iter().map(|c| (c.command, c.option)).collect();
    let untested: Vec<_> = listed.difference(&tested).collect();
    assert!(untested.is_empty(), "without a case in flags.txt: {untested:?}");
    let unknown: Vec<_> = tested.difference(&listed).collect();
    assert!(unknown.is_empty(), "in flags.txt, but no option: {unknown:?}");

    let world = world();
    let idle: Vec<String> = cases
        .iter()
        .filter(|case| !case.holds(&world))
        .map(|case| format!("{} --{} ({:?})", case.command, case.option, case.line))
        .collect();
    assert!(
        idle.is_empty(),
        "without effect, or not refused as it should be:\n{}",
        idle.join("\n")
    );
}

#[test]
fn options_without_effect_are_refused() {
    let world = world();
    let refused = |arguments: &&[&str]| (arguments.join(" "), deed(&world, arguments).1.printed(2));
    assert_snapshot!(titled(REFUSED.iter().map(refused)));
}

#[test]
fn earlier_names_of_options_do_the_same_and_are_not_listed() {
    let world = world();
    for (name, line, earlier) in EARLIER_NAMES {
        let help = deed(&world, &[&line[..1], &["--help"]].concat()).1;
        assert!(!help.stdout.contains(earlier[0]), "{line:?}: {help:#?}");
        let current = format!("--{name}");
        let current = [*line, &[current.as_str()], &earlier[1..]].concat();
        let (earlier, current) =
            (deed(&world, &[*line, *earlier].concat()), deed(&world, &current));
        assert_eq!(earlier.0, current.0, "{line:?}: {:#?}", earlier.1);
        assert!(earlier.0 != deed(&world, line).0, "{line:?} is not changed by {name}");
    }
}

#[test]
fn defaults_of_the_project_that_a_command_does_not_use_are_ignored() {
    let folder = Folder::people();
    let request =
        "[request]\nk = 2\nmax_suppressed = 0\nrelax_height = \"closest\"\nlevels = [2, 1]\n[data]";
    folder.edit("haggle.toml", "[data]", request);
    for command in [
        &["instant", "."][..],
        &["compare", ".", "--measures", "lm"],
        &["publish", ".", "-o", "out.csv"],
        &["study", "."],
    ] {
        assert_eq!(folder.haggle(command).code, Some(0), "{command:?}");
    }
}

//! `--memory` and `--time-limit` hold for every command, strategy and route that there is, on tables
//! that are wide, long or of many values. What is tried comes from the catalogs of the binary, so that
//! whatever is new is tried, too.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use haggle_testkit::{effort, process};
use serde_json::{Value, json};
use wait4::Wait4;

use crate::common::Folder;
use crate::common::memory::{MB, Measured, keeps_to, measured};

/// What a strategy may take beyond its time limit, in seconds: a last step on a busy machine.
const SLACK: u64 = 15;

/// How long a command may take to answer or to refuse, in seconds of all processors: few of them, on
/// tables that are not long.
const LONGEST: f64 = 90.0;

/// Numbers that look random and are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// A table to try the limits on.
struct Shape {
    name: &'static str,
    records: u64,
    /// How many values each quasi-identifier has.
    values: Vec<u64>,
    megabytes: u64,
}

impl Shape {
    /// Every shape; the long table has millions of records in the long tests only.
    fn all() -> [Self; 3] {
        let (records, megabytes) = effort::pick((30_000, 16), (2_000_000, 100));
        [
            Self { name: "wide", records: 500, values: vec![9; 60], megabytes: 60 },
            Self { name: "long", records, values: vec![100, 40, 20], megabytes },
            Self { name: "many values", records: 15_000, values: vec![20_000; 2], megabytes: 60 },
        ]
    }

    fn attributes(&self) -> Vec<String> {
        (0..self.values.len()).map(|i| format!("q{i}")).collect()
    }

    /// Writes the table as it is made: what this process holds would count as the program's own.
    fn write(&self, folder: &Folder) {
        let mut draw = Draw(1);
        let mut table = BufWriter::new(File::create(folder.file("table.csv")).unwrap());
        writeln!(table, "{},s", self.attributes().join(",")).unwrap();
        for _ in 0..self.records {
            self.values.iter().for_each(|&limit| write!(table, "{},", draw.below(limit)).unwrap());
            writeln!(table, "{}", draw.below(5)).unwrap();
        }
        let mut project = "[data]\npath = \"table.csv\"\n".to_owned();
        for (name, values) in self.attributes().iter().zip(&self.values) {
            let intervals = if *values < 10 { "[3, 6]" } else { "[5, 20]" };
            write!(
                project,
                "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n\
                 hierarchy = {{ intervals = {intervals} }}\n"
            )
            .unwrap();
        }
        project += "[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n\
                    class_function = \"empirical\"\n";
        folder.write("haggle.toml", project);
        let one = self.values.iter().map(|_| "1,").collect::<String>();
        folder.write("add.csv", format!("{},s\n{one}1\n", self.attributes().join(",")));
    }

    /// The scheme with every attribute at this level.
    fn scheme(&self, level: u8) -> String {
        self.values.iter().map(|_| level.to_string()).collect::<Vec<_>>().join(",")
    }

    /// Runs a line of arguments within the memory of this shape.
    fn run(&self, folder: &Folder, line: &str) -> Measured {
        let line = format!("{line} --memory {}MB", self.megabytes);
        let run = measured(&mut folder.command(&line.split(' ').collect::<Vec<_>>()));
        let megabytes = run.peak / MB;
        println!(
            "{:<12} {:?} {megabytes:>5} MB {:>6.1} s  {line}",
            self.name, run.code, run.seconds
        );
        run
    }

    /// What is wrong with a run: too much memory, or an end that is neither an answer nor a refusal
    /// that says what to do.
    fn faults(&self, what: &str, run: &Measured) -> Vec<String> {
        let mut faults = Vec::new();
        if !run.keeps_to(self.megabytes) {
            faults.push(format!("{} of {}: {} MB", what, self.name, run.peak / MB));
        }
        let is_refused = run.code == Some(2) && run.stderr.contains("fix: ");
        if !(matches!(run.code, Some(0 | 1)) || is_refused) {
            faults.push(format!("{what} of {}: {:?}, {}", self.name, run.code, run.stderr));
        }
        faults
    }
}

/// The ids of all strategies.
fn strategies(folder: &Folder) -> Vec<String> {
    let listed = folder.haggle(&["strategies", "--json"]).json(0);
    let ids = listed.as_array().unwrap().iter();
    ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_strategy_keeps_to_its_memory_and_time() {
    let mut faults = Vec::new();
    for shape in Shape::all() {
        let folder = Folder::empty();
        shape.write(&folder);
        let ask = "compare . --k 5 --max-suppressed 5% --time-limit 1 --json";
        let run = shape.run(&folder, ask);
        faults.extend(shape.faults("compare", &run));
        let Ok(comparison) = serde_json::from_str::<Value>(&run.stdout) else { continue };
        let compared = comparison["strategies"].as_array().unwrap();
        let ids: Vec<&str> = compared.iter().map(|one| one["strategy"].as_str().unwrap()).collect();
        assert_eq!(ids, strategies(&folder), "the others are compared");
        for one in compared {
            let seconds = one["micros"].as_u64().unwrap() / 1_000_000;
            if seconds > 1 + SLACK {
                faults.push(format!("{} of {}: {seconds} s", one["strategy"], shape.name));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// One process for each, so that none hides behind another.
#[test]
fn every_strategy_keeps_to_its_limits_where_it_is_published() {
    let mut faults = Vec::new();
    for shape in Shape::all() {
        let folder = Folder::empty();
        shape.write(&folder);
        let ids = strategies(&folder);
        // Each takes a scan or more; a third of them in turn is enough where time is short.
        for id in ids.iter().step_by(effort::pick(3, 1)) {
            let ask = "publish . --k 5 --max-suppressed 5% --force -o out.csv --time-limit 4";
            let run = shape.run(&folder, &format!("{ask} --strategy {id}"));
            faults.extend(shape.faults(id, &run));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A line of arguments for each command that has a limit on memory. Those of one shape run in this
/// order, in one folder.
fn lines(shape: &Shape) -> Vec<(&'static str, String)> {
    let (low, high) = (shape.scheme(1), shape.scheme(2));
    let lines = [
        ("check", "check .".into()),
        ("init", "init table.csv -o first.toml --force".into()),
        ("ask", "ask . --k 5 --max-suppressed 1% --time-limit 4".into()),
        ("study", format!("study . --k 3 --scheme {low}")),
        ("why", format!("why . --scheme {low} --k 5")),
        ("query", format!("query . --scheme {low} q0<5")),
        ("security", format!("security . --scheme {low} --on s")),
        ("utility", format!("utility . --k 2 --scheme {high}")),
        ("risk", format!("risk . --k 2 --scheme {high}")),
        ("report", format!("report . --k 2 --scheme {high} -o report.html")),
        ("pareto", "pareto .".into()),
        ("instant", "instant . --k 5".into()),
        ("compare", "compare . --k 5 --strategies datafly".into()),
        ("publish", "publish . --k 2 --max-suppressed 5% --time-limit 9 -o out.csv".into()),
        ("verify", "verify out.csv --k 2".into()),
        ("assess", "assess out.csv".into()),
        ("build", "build .".into()),
        ("update", "update . --add add.csv".into()),
    ];
    lines.into_iter().collect()
}

/// The commands whose help names `--memory`, as the binary lists them.
fn limited_commands(folder: &Folder) -> Vec<String> {
    let help = folder.haggle(&["help"]);
    let listed = help.text().split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names = listed.lines().filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        name.split(' ').next().map(str::to_owned)
    });
    names.filter(|name| folder.haggle(&["help", name]).stdout.contains("--memory")).collect()
}

#[test]
fn every_command_keeps_to_its_memory() {
    let mut faults = Vec::new();
    for shape in Shape::all() {
        let folder = Folder::empty();
        shape.write(&folder);
        let lines = lines(&shape);
        for (command, line) in &lines {
            let run = shape.run(&folder, line);
            faults.extend(shape.faults(command, &run));
            if shape.name != "long" && run.seconds > LONGEST {
                faults.push(format!("{command} of {}: {} s", shape.name, run.seconds));
            }
        }
        let is_tried = |name: &String| name == "serve" || lines.iter().any(|(one, _)| one == name);
        let untried: Vec<String> =
            limited_commands(&folder).into_iter().filter(|name| !is_tried(name)).collect();
        assert!(untried.is_empty(), "{untried:?} have a limit on memory that is not tried");
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// How many schemes a search annotates whose time is over from the start: those that a first answer
/// needs, however many attributes there are.
#[test]
fn a_search_without_time_annotates_few_schemes_of_a_wide_table() {
    let folder = Folder::empty();
    let [wide, ..] = Shape::all();
    wide.write(&folder);
    let caps = format!("--levels {}", wide.scheme(1));
    for more in ["", "--optimize lm", &caps, &format!("{caps} --relax-height closest")] {
        let ask = format!("ask . --k 5 --on-demand --time-limit 0 --json {more}");
        let answer = folder.haggle(&ask.split_whitespace().collect::<Vec<_>>());
        let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
        let annotated = answer["obtained"]["annotated"].as_u64().unwrap();
        assert!(annotated <= 20, "{annotated} schemes: {more}");
    }
}

/// A server, and one request with its answer.
struct Served {
    child: std::process::Child,
    host: String,
    token: String,
}

impl Served {
    fn start(folder: &Folder, megabytes: u64) -> Self {
        let memory = format!("{megabytes}MB");
        let line = ["serve", ".", "--no-open", "--json", "--port", "0", "--memory", &memory];
        let mut command = folder.command(&line);
        command.env("HOME", folder.path()).env("RAYON_NUM_THREADS", "2");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let started: Value = serde_json::from_str(&first).unwrap();
        let text = |name: &str| started[name].as_str().unwrap().to_owned();
        let host = text("origin").strip_prefix("http://").unwrap().to_owned();
        Self { child, host, token: text("token") }
    }

    /// The status line and the body of an answer.
    fn post(&self, path: &str, body: &Value) -> String {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(3))).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            self.token,
            body.len()
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Ends the server; returns the most memory that it had.
    fn end(mut self) -> u64 {
        self.child.kill().unwrap();
        let ended = process::within_limit(self.child.id(), process::LIMIT, || self.child.wait4());
        ended.unwrap().rusage.maxrss
    }
}

#[test]
fn no_route_takes_the_server_beyond_its_memory() {
    for shape in Shape::all() {
        let folder = Folder::empty();
        shape.write(&folder);
        let server = Served::start(&folder, shape.megabytes);
        let ask = json!({"privacy": {"k-anonymity": 5}, "max_suppressed": "5%"});
        let with = |name: &str, value: Value| {
            let mut ask = ask.clone();
            ask[name] = value;
            ask
        };
        let scheme = vec![2; shape.values.len()];
        // All of them on the wide table, on which most ever failed.
        let step = if shape.name == "wide" { 1 } else { effort::pick(5, 1) };
        for id in strategies(&folder).iter().step_by(step) {
            let mut compared = with("strategies", json!([id]));
            compared["time_limit"] = json!(1);
            let answer = server.post("/api/compare", &compared);
            // Work that would exceed the limit is stopped, with the status that says so.
            let is_kept = ["HTTP/1.1 200", "HTTP/1.1 507"].iter().any(|s| answer.starts_with(s));
            assert!(is_kept, "{id} of {}: {answer}", shape.name);
        }
        for path in ["/api/risk", "/api/utility", "/api/report", "/api/preview"] {
            let answer = server.post(path, &with("scheme", json!(scheme)));
            let is_answered = answer.starts_with("HTTP/1.1 200");
            let refusals = ["HTTP/1.1 422", "HTTP/1.1 503", "HTTP/1.1 507"];
            let is_refused = refusals.iter().any(|status| answer.starts_with(status));
            assert!(is_answered || is_refused, "{path} of {}: {answer}", shape.name);
        }
        let still = server.post("/api/lattice", &json!({}));
        assert!(still.starts_with("HTTP/1.1 200"), "{still}");
        let peak = server.end();
        println!("{:<12} {:>5} MB of {} MB", shape.name, peak / MB, shape.megabytes);
        assert!(keeps_to(peak, shape.megabytes), "{}: {} MB", shape.name, peak / MB);
    }
}

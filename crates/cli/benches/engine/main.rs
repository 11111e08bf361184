//! `make bench-engine`: a table that grows within an engine, counted, negotiated, published and proved
//! there. What haggle itself takes stands next to what the engine takes, as processor time and memory,
//! because seconds depend on what else the machine does.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use haggle_testkit::sail::{self, ConnectServer};
use wait4::Wait4;

const HAGGLE: &str = env!("CARGO_BIN_EXE_haggle");
/// The sizes, unless `HAGGLE_RECORDS` names others.
const SIZES: &str = "1000000,10000000,100000000";

/// The records, made by the engine from their numbers: four quasi-identifiers with 32,768 combinations,
/// one sensitive attribute with 8 values.
const RECORDS: &str = "CAST(18 + pmod(hash(id, 1), 64) AS INT) AS age, \
    CAST(1000 + 16 * pmod(hash(id, 2), 64) AS INT) AS zip, \
    CASE WHEN pmod(hash(id, 3), 2) = 0 THEN 'f' ELSE 'm' END AS sex, \
    concat('state ', pmod(hash(id, 4), 4)) AS state, \
    concat('diagnosis ', pmod(hash(id, 5), 8)) AS diagnosis";

const PROJECT: &str = r#"
[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20], origin = 0 }

[[attribute]]
name = "zip"
role = "quasi-identifier"
hierarchy = { prefix = [1, 2, 3] }

[[attribute]]
name = "sex"
role = "quasi-identifier"

[[attribute]]
name = "state"
role = "quasi-identifier"

[[attribute]]
name = "diagnosis"
role = "sensitive"
"#;

/// What a step took.
struct Cost {
    step: &'static str,
    seconds: f64,
    haggle: f64,
    peak_mb: u64,
    engine: f64,
}

fn main() {
    let sizes = std::env::var("HAGGLE_RECORDS").unwrap_or_else(|_| SIZES.into());
    println!(
        "| records | step | seconds | haggle's CPU s | haggle's peak MB | engine's CPU s | haggle's share |"
    );
    println!("|---|---|---|---|---|---|---|");
    for size in sizes.split(',') {
        let records: u64 = size.trim().parse().expect("HAGGLE_RECORDS holds numbers");
        let server = sail::start();
        for cost in run(&server, records) {
            print(records, &cost);
        }
        println!("| {records} | engine's peak memory | | | {} (engine) | | |", peak_mb(&server));
    }
}

fn print(records: u64, cost: &Cost) {
    let share = 100.0 * cost.haggle / (cost.haggle + cost.engine).max(0.01);
    println!(
        "| {records} | {} | {:.1} | {:.2} | {} | {:.1} | {share:.2} % |",
        cost.step, cost.seconds, cost.haggle, cost.peak_mb, cost.engine
    );
}

/// Makes the table, counts and negotiates, publishes and proves.
fn run(server: &ConnectServer, records: u64) -> Vec<Cost> {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("source");
    let (url, driver) = (server.url(), library());
    let project = format!(
        "[data]\nurl = \"{url}\"\ndriver = \"{driver}\"\npath = \"parquet:{}\"\n{PROJECT}",
        source.display()
    );
    std::fs::write(folder.path().join("haggle.toml"), project).expect("a file");
    let generate = format!(
        "INSERT OVERWRITE DIRECTORY '{}' USING parquet SELECT {RECORDS} FROM range({records})",
        source.display()
    );
    let python = format!(
        "from adbc_driver_spark import dbapi\nc = dbapi.connect('{url}', autocommit=True).cursor()\n\
         c.execute(\"\"\"{generate}\"\"\")\nc.fetchall()"
    );
    let mut made = Command::new(sail::python());
    let made = measured(server, "generate (engine alone)", made.arg("-c").arg(python));
    let haggle = |args: &[&str]| {
        let mut command = Command::new(HAGGLE);
        command.args(args).current_dir(folder.path());
        command
    };
    let request = ["--k", "50", "--l", "4", "--max-suppressed", "1%"];
    let ask = haggle(&[&["ask", "haggle.toml"], &request[..]].concat());
    let output = format!("parquet:{}", folder.path().join("out").display());
    let target = ["-o", &output, "--manifest", "out.json"];
    let publish = haggle(&[&["publish", "haggle.toml"], &request[..], &target].concat());
    let kept = format!("parquet:{}", folder.path().join("kept").display());
    let target = ["-o", &kept, "--manifest", "kept.json", "--keep-order"];
    let in_order = haggle(&[&["publish", "haggle.toml"], &request[..], &target].concat());
    let mut costs = vec![Cost { haggle: 0.0, peak_mb: 0, ..made }];
    for (step, mut command) in [
        ("count and negotiate", ask),
        ("count, publish in order, prove", in_order),
        ("count, publish shuffled, prove", publish),
    ] {
        costs.push(measured(server, step, &mut command));
    }
    costs
}

/// Runs a command, which must succeed.
fn measured(server: &ConnectServer, step: &'static str, command: &mut Command) -> Cost {
    let (before, start) = (cpu_seconds(server), Instant::now());
    let mut child = command.stdout(Stdio::null()).spawn().expect("it starts");
    let used = child.wait4().expect("it ends");
    assert!(used.status.success(), "{step} fails");
    let haggle = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Cost {
        step,
        seconds: start.elapsed().as_secs_f64(),
        haggle,
        peak_mb: used.rusage.maxrss / 1_000_000,
        engine: cpu_seconds(server) - before,
    }
}

/// The processor time of the server so far.
fn cpu_seconds(server: &ConnectServer) -> f64 {
    let stat =
        std::fs::read_to_string(format!("/proc/{}/stat", server.process())).expect("it runs");
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory that the server had.
fn peak_mb(server: &ConnectServer) -> u64 {
    let path = format!("/proc/{}/status", server.process());
    let status = std::fs::read_to_string(path).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("Linux notes it");
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1000
}

/// The driver in the Python environment that has Sail.
fn library() -> String {
    let script = "import adbc_driver_spark as d, pathlib; \
                  print(pathlib.Path(d.__file__).with_name('libadbc_driver_spark.so'))";
    let found = Command::new(sail::python()).args(["-c", script]).output().expect("Python runs");
    let library = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    assert!(Path::new(&library).is_file(), "adbc-driver-spark is installed");
    library
}

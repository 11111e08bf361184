//! Publishing a large table: speed compared with copying it through the CSV reader and writer, and memory.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

use crate::answers::Random;
use crate::line;

/// Ten million, unless the environment asks for another number.
fn records() -> u64 {
    let asked = std::env::var("HAGGLE_BENCH_RECORDS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(10_000_000)
}

pub(crate) fn report() {
    let records = records();
    println!("Publishing ({records} records: read, recode, write, read again and prove)");
    let folder = tempfile::tempdir().expect("a temporary folder");
    generate(folder.path(), records);
    haggle(folder.path(), &["build", "."]);
    let (time, memory) =
        haggle(folder.path(), &["publish", ".", "--k", "5", "--scheme", "1,0,1", "-o", "out.csv"]);
    let start = Instant::now();
    copy(&folder.path().join("table.csv"), &folder.path().join("copy.csv"));
    let copied = start.elapsed().as_secs_f64();
    line("time, times that of copying the file", time / copied, "times", 2.0);
    line("peak memory", memory / 1e6, "MB", 300.0);
    println!("  {:<58} {:>9.2} million records/s\n", "speed", records as f64 / time / 1e6);
}

fn generate(folder: &Path, records: u64) {
    let mut random = Random(3);
    let mut file =
        BufWriter::new(File::create(folder.join("table.csv")).expect("it can be written"));
    file.write_all(b"id,age,sex,region,job,disease\n").expect("it can be written");
    let mut text = String::new();
    for id in 0..records {
        text.clear();
        let (age, sex, region) = (18 + random.below(70), random.below(2), random.below(16));
        let (job, disease) = (random.below(40), random.below(60));
        let _ = writeln!(text, "{id},{age},{sex},region-{region},job-{job},disease-{disease}");
        file.write_all(text.as_bytes()).expect("it can be written");
    }
    file.flush().expect("it can be written");
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let age = "[[attribute]]\nname = \"age\"\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [5, 10] }\n";
    let project = format!(
        "[data]\npath = \"table.csv\"\n{}{age}{}{}{}",
        attribute("id", "identifier"),
        attribute("sex", "quasi-identifier"),
        attribute("region", "quasi-identifier"),
        attribute("disease", "sensitive"),
    );
    std::fs::write(folder.join("haggle.toml"), project).expect("it can be written");
}

/// Runs the program and tells its seconds and its peak memory in bytes.
fn haggle(folder: &Path, arguments: &[&str]) -> (f64, f64) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_haggle"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let ended = child.wait4().expect("the program ends");
    assert!(ended.status.success(), "haggle {arguments:?} failed");
    (start.elapsed().as_secs_f64(), ended.rusage.maxrss as f64)
}

fn copy(from: &Path, to: &Path) {
    let mut reader = csv::Reader::from_path(from).expect("it is there");
    let mut writer = csv::Writer::from_path(to).expect("it can be written");
    writer
        .write_byte_record(reader.byte_headers().expect("there is a header"))
        .expect("it can be written");
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).expect("it is sound") {
        writer.write_byte_record(&record).expect("it can be written");
    }
    writer.flush().expect("it can be written");
}

//! Reading a ten-column CSV file: coding and counting, against the bare CSV reader.

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use haggle::{Engine, Options, Project};

use crate::answers::Random;
use crate::{best, cores, line};

const RECORDS: u64 = 2_000_000;

pub(crate) fn report() {
    println!("Reading ({RECORDS} records of ten columns, six of them counted)");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = generate(folder.path());
    let project =
        Project::open(folder.path().to_str().expect("a plain path")).expect("just written");
    let options = Options { stored: false, ..Options::default() };
    let engines = (0..3).map(|_| Engine::open(&project, &options).expect("the table is sound"));
    let engine = engines.min_by_key(|engine| engine.built().scan_millis).expect("several runs");
    assert_eq!(engine.records(), RECORDS);
    let time = Duration::from_millis(engine.built().scan_millis);
    let (bare, count) = best(2, || bare_reader(&folder.path().join("table.csv")));
    assert_eq!(count, RECORDS);
    let per_core = RECORDS as f64 / time.as_secs_f64() / cores() as f64;
    line("seconds for a million records and core", 1e6 / per_core, "s", 1.0);
    println!(
        "  {:<58} {:>9.2} million/s, {:.0} MB/s",
        "all cores",
        per_core * cores() as f64 / 1e6,
        bytes as f64 / time.as_secs_f64() / 1e6
    );
    println!(
        "  {:<58} {:>9.2} times our time\n",
        "the bare CSV reader on one core",
        bare.as_secs_f64() / time.as_secs_f64()
    );
}

fn generate(folder: &Path) -> u64 {
    let mut random = Random(7);
    let mut text = String::from("id,age,sex,zip,region,education,job,income,visits,disease\n");
    for id in 0..RECORDS {
        let (age, sex, zip) = (17 + random.below(70), random.below(2), 10_000 + random.below(900));
        // Attributes of real people depend on each other, so groups are far fewer than records.
        let (region, education, job) = (zip % 16, age / 6, zip % 16 * 2 + sex);
        let (income, visits, disease) = (random.below(90_000), random.below(40), random.below(60));
        let _ = writeln!(
            text,
            "{id},{age},{sex},{zip},region-{region},education-{education},job-{job},{income},{visits},disease-{disease}"
        );
    }
    std::fs::write(folder.join("table.csv"), &text).expect("it can be written");
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    let quasi = ["age", "sex", "region", "education", "job"]
        .map(|name| attribute(name, "quasi-identifier"));
    let project = format!(
        "[data]\npath = \"table.csv\"\n{}{}",
        quasi.concat(),
        attribute("disease", "sensitive")
    );
    std::fs::write(folder.join("haggle.toml"), project).expect("it can be written");
    text.len() as u64
}

fn bare_reader(path: &Path) -> u64 {
    let mut reader = csv::Reader::from_path(path).expect("just written");
    let mut record = csv::ByteRecord::new();
    let mut count = 0;
    while reader.read_byte_record(&mut record).expect("it is sound") {
        black_box(&record);
        count += 1;
    }
    count
}

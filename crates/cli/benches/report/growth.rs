//! Growth: how annotating grows with attributes, and how everything grows with records; and whether the
//! estimate said so beforehand.

use std::io::{BufWriter, Write};
use std::path::Path;

use haggle::reports::{BuildEstimate, Built};
use haggle::{Engine, Options, Project, Way};

use crate::answers::Random;
use crate::project;

/// Attributes in the order in which they are added; the first three are the smallest lattice.
const NINE: [&str; 9] = [
    "age",
    "race",
    "workclass",
    "occupation",
    "education",
    "marital-status",
    "sex",
    "native-country",
    "salary-class",
];
const SIX: usize = 6;
/// The most records, unless `HAGGLE_GROWTH` names fewer.
const RECORDS: u64 = 30_000_000;

pub(crate) fn report() {
    println!(
        "Growth with attributes (Adult, 30,162 records; estimated: by the estimate, as a ratio)"
    );
    head();
    for attributes in 3..=NINE.len() {
        measure(&project("adult-9"), attributes, &format!("{attributes} attributes"));
    }
    let most = std::env::var("HAGGLE_GROWTH").ok().and_then(|records| records.parse().ok());
    println!("\nGrowth with records (six attributes; records drawn from Adult's, seeded)");
    head();
    let mut records = 30_000;
    while records <= most.unwrap_or(RECORDS) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        generate(folder.path(), records);
        let name = folder.path().to_str().expect("a plain path");
        measure(name, SIX, &format!("{records} records"));
        records *= 10;
    }
    println!(
        "  Records cost reading: annotating follows the groups, which are soon all met, and how many\n  \
         different sizes they have; that is negligible compared with the scan.\n"
    );
}

fn head() {
    let columns = [
        "schemes",
        "groups",
        "touches",
        "scan s",
        "annotate s",
        "ns/touch",
        "estimated touches",
        "estimated s",
    ];
    let columns: String = columns.iter().map(|column| format!(" {column:>12}")).collect();
    println!("  {:<18}{columns}", "");
}

fn measure(name: &str, attributes: usize, what: &str) {
    let qi = Some(NINE[..attributes].iter().map(|&name| name.to_owned()).collect());
    let options = Options { qi, way: Way::Full, stored: false, ..Options::default() };
    let project = Project::open(name).expect("the project is there");
    let estimate = Engine::estimate(&project, &options).expect("it can be estimated");
    let runs = (0..3).map(|_| Engine::open(&project, &options).expect("it can be annotated"));
    let engine = runs.min_by_key(|engine| engine.built().annotate_millis).expect("several runs");
    print(what, engine.built(), &estimate);
}

fn print(what: &str, built: &Built, estimate: &BuildEstimate) {
    let touches = built.touches.max(1) as f64;
    print!(
        "  {what:<18} {:>12} {:>12} {:>12} {:>12.2}",
        built.schemes,
        built.base_groups,
        built.touches,
        built.scan_millis as f64 / 1e3,
    );
    let estimated_touches = estimate.touches as f64 / touches;
    if built.annotate_millis < 2 {
        println!(" {:>12} {:>12} {estimated_touches:>12.2} {:>12}", "at once", "-", "-");
        return;
    }
    let annotate = built.annotate_millis as f64 / 1e3;
    println!(
        " {annotate:>12.3} {:>12.2} {estimated_touches:>12.2} {:>12.2}",
        annotate * 1e9 / touches,
        estimate.annotate_seconds / annotate,
    );
}

/// A table of this many records, each one of Adult's at random, with the columns that count. The same number
/// gives the same table.
fn generate(folder: &Path, records: u64) {
    let adult = std::fs::canonicalize(project("adult-9")).expect("the data is in the repository");
    let known = known();
    let table = std::fs::File::create(folder.join("table.csv")).expect("it can be written");
    let mut table = BufWriter::with_capacity(1 << 20, table);
    writeln!(table, "{}", NINE[..SIX].join(",")).expect("it can be written");
    let mut random = Random(20_120_625);
    for _ in 0..records {
        let record = &known[random.below(known.len() as u64) as usize];
        table.write_all(record.as_bytes()).expect("it can be written");
    }
    table.flush().expect("it can be written");
    let attributes: String = NINE[..SIX]
        .iter()
        .map(|name| {
            let file = adult.join("hierarchies").join(format!("{name}.csv"));
            format!(
                "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{}\"\n",
                file.display()
            )
        })
        .collect();
    let text =
        format!("[data]\npath = \"table.csv\"\nheader = true\nseparator = \",\"\n{attributes}");
    std::fs::write(folder.join("haggle.toml"), text).expect("it can be written");
}

/// Adult's complete records, as lines of the six columns.
fn known() -> Vec<String> {
    let project = Project::open("demo:adult").expect("it is embedded");
    let qi = Some(NINE[..SIX].iter().map(|&name| name.to_owned()).collect());
    let options = Options { qi, way: Way::Full, stored: false, ..Options::default() };
    let engine = Engine::open(&project, &options).expect("it is embedded");
    let (cube, mut lines) = (engine.cube(), Vec::new());
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
        let values = codes.iter().zip(cube.attributes());
        let values: Vec<&str> =
            values.map(|(&code, a)| a.hierarchy.label(code, 0.into())).collect();
        let line = values.join(",") + "\n";
        lines.extend(std::iter::repeat_n(line, group.records as usize));
    });
    lines
}

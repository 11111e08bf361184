//! Annotating every scheme: time per group touched, against a plain hash roll-up.

use haggle::Silent;
use haggle::{Engine, Options, Project, Way};
use haggle_cube::{FullLattice, Limits, Statistic};
use haggle_privacy::KAnonymity;

use crate::{cores, line, naive, project};

const SIX: &str = "age,education,marital-status,occupation,race,workclass";

pub(crate) fn report() {
    println!("Annotating (a touch is a group read by a roll-up from the smallest scheme below)");
    let bandwidth = bandwidth();
    let folder = six_without_sensitive();
    let six = open(folder.path().to_str().expect("a plain path"), None);
    let touches = measured("6 attributes, 3,600 schemes, k", &six, bandwidth);
    let with_l = open("demo:adult", Some(SIX));
    line("  k and l together", nanos(&with_l, touches), "ns", 60.0);
    let nine = open(&project("adult-9"), None);
    measured("9 attributes, 12,960 schemes, k", &nine, bandwidth);
    println!();
}

/// Prints what annotating took, compared with a plain hash roll-up; returns how many groups that touches.
fn measured(name: &str, engine: &Engine, bandwidth: f64) -> u64 {
    let (hashed, touches) = naive::nanos_per_touch(engine);
    let ours = nanos(engine, touches);
    line(&format!("{name}, ns per touch and core"), ours, "ns", 20.0);
    line(
        "  times faster than a plain hash roll-up (three to four asked)",
        hashed / ours,
        "times",
        3.0,
    );
    let millis = engine.built().annotate_millis;
    println!("  {:<58} {millis:>9} ms", "  the whole lattice");
    let moved = moved(engine) as f64 / (millis as f64 / 1e3);
    println!(
        "  {:<58} {:>9.1} % of {:.1} GB/s that copying reaches",
        "  bytes of groups read and written",
        100.0 * moved / bandwidth,
        bandwidth / 1e9
    );
    touches
}

/// The bytes of groups that roll-ups read and wrote.
fn moved(engine: &Engine) -> u64 {
    const GROUP: u64 = 16;
    let size: Vec<Box<dyn Statistic>> = vec![Box::new(KAnonymity::of_records())];
    let lattice =
        FullLattice::build(engine.cube().clone().into(), &size, Limits::default(), &Silent);
    let lattice = lattice.expect("an annotated lattice");
    let schemes = 0..lattice.work().schemes;
    let written: u64 = schemes.map(|i| lattice.tables()[0].histogram(i).groups()).sum();
    GROUP * (lattice.work().touches + written)
}

/// The bytes a second that all cores together read and write when they copy.
fn bandwidth() -> f64 {
    const WORDS: usize = 16 << 20;
    let copy = |_: usize| {
        let (from, mut to) = (vec![1_u64; WORDS], vec![0_u64; WORDS]);
        let runs = (0..5).map(|_| {
            let start = std::time::Instant::now();
            to.copy_from_slice(std::hint::black_box(&from));
            std::hint::black_box(&to);
            start.elapsed().as_secs_f64()
        });
        (2 * 8 * WORDS) as f64 / runs.fold(f64::INFINITY, f64::min)
    };
    let threads: Vec<_> = (0..cores()).map(|core| std::thread::spawn(move || copy(core))).collect();
    threads.into_iter().map(|thread| thread.join().expect("it copies")).sum()
}

pub(crate) fn open(name: &str, qi: Option<&str>) -> Engine {
    let qi = qi.map(|qi| qi.split(',').map(String::from).collect());
    let options = Options { qi, way: Way::Full, stored: false, ..Options::default() };
    let project = Project::open(name).expect("the project is there");
    let runs = (0..5).map(|_| Engine::open(&project, &options).expect("it can be annotated"));
    runs.min_by_key(|engine| engine.built().annotate_millis).expect("several runs")
}

/// For each group that a roll-up from the smallest scheme below would touch, and core.
fn nanos(engine: &Engine, touches: u64) -> f64 {
    engine.built().annotate_millis as f64 * 1e6 / touches as f64 * cores() as f64
}

/// The six-attribute project with nothing watched, so that cells are groups.
pub(crate) fn six_without_sensitive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let adult = std::fs::canonicalize(project("adult")).expect("the data is in the repository");
    let text = std::fs::read_to_string(adult.join("haggle.toml")).expect("the project is there");
    let text = text
        .replace("\"sensitive\"", "\"insensitive\"")
        .replace("\"adult.data.gz\"", &format!("\"{}\"", adult.join("adult.data.gz").display()))
        .replace("\"hierarchies/", &format!("\"{}/", adult.join("hierarchies").display()));
    std::fs::write(folder.path().join("haggle.toml"), text).expect("it can be written");
    folder
}

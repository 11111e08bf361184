//! Annotating every scheme: time per group touched, against a plain hash roll-up.

use haggle::{Engine, Options, Project};

use crate::{cores, line, naive, project};

const SIX: &str = "age,education,marital-status,occupation,race,workclass";

pub(crate) fn report() {
    println!("Annotating (ns per group touched and core; a touch is a group read by a roll-up)");
    let folder = six_without_sensitive();
    let six = open(folder.path().to_str().expect("a plain path"), None);
    let hashed = naive::nanos_per_touch(&six);
    let ours = nanos(&six);
    line("6 attributes, 3,600 schemes, k", ours, "ns", 20.0);
    println!(
        "  {:<58} {hashed:>9.2} ns  ({:.2} times ours)",
        "  the same by a plain hash roll-up",
        hashed / ours
    );
    let with_l = open("demo:adult", Some(SIX));
    let ratio = with_l.built().annotate_millis as f64 / six.built().annotate_millis as f64;
    line("  k and l together, times the k-only build", ratio, "times", 3.0);
    let nine = open(&project("adult-9"), None);
    line("9 attributes, 12,960 schemes, k", nanos(&nine), "ns", 20.0);
    println!("  {:<58} {:>9} ms\n", "  the whole lattice", nine.built().annotate_millis);
}

pub(crate) fn open(name: &str, qi: Option<&str>) -> Engine {
    let qi = qi.map(|qi| qi.split(',').map(String::from).collect());
    let options = Options { qi, stored: false, ..Options::default() };
    let project = Project::open(name).expect("the project is there");
    let runs = (0..5).map(|_| Engine::open(&project, &options).expect("it can be annotated"));
    runs.min_by_key(|engine| engine.built().annotate_millis).expect("several runs")
}

fn nanos(engine: &Engine) -> f64 {
    let built = engine.built();
    built.annotate_millis as f64 * 1e6 / built.touches as f64 * cores() as f64
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

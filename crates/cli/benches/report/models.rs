//! Every model's tables on the 3,600-scheme lattice, and conjunctions answered from them.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use haggle::catalog::MODELS;
use haggle::{Amount, Ask, Engine, Levels, Privacy};

use crate::annotation::{open, six_without_sensitive};
use crate::answers::Random;
use crate::{line, project};

/// Something to ask of each model; the number does not matter to how long its table takes.
const ASKED: &[&str] = &[
    "k-anonymity=5",
    "extended-k-anonymity:k=2,level=2",
    "distinct-l-diversity=3",
    "frequency-l-diversity=2",
    "entropy-l-diversity=2",
    "recursive-l-diversity:l=2,c=3",
    "pd-recursive-l-diversity:l=2,c=3",
    "npd-recursive-l-diversity:l=2,c1=5,c2=0.01",
    "t-closeness:t=0.3,distance=equal",
    "t-closeness:t=0.2,distance=ordered",
    "t-closeness:t=0.3,distance=hierarchical",
    "basic-beta-likeness=10",
    "enhanced-beta-likeness=3",
    "delta-disclosure=2",
    "alpha-k-anonymity:alpha=0.7,k=5",
    "categorical-diversity=2",
    "density-control=0.8",
    "dilution=0.1",
    "recursive-categorical-diversity:l=2,c=3",
    "recursive-density-control:l=2,c=3",
    "range-control=0.2",
    "linear-diversity:l=2,r=0.1",
    "positive-disclosure=0.2",
    "negative-disclosure=0.0001",
    "rho-privacy:rho1=0.05,rho2=0.5",
];

const CONJUNCTIONS: usize = 300;

pub(crate) fn report() {
    println!("Models (first question over 3,600 schemes, times the k-only build)");
    let plain = six_without_sensitive();
    let plain = open(plain.path().to_str().expect("a plain path"), None);
    let build = plain.built().annotate_millis as f64 / 1e3;
    let folder = stating_everything();
    let engine = open(folder.path().to_str().expect("a plain path"), None);
    for asked in ASKED {
        let ask = Ask { privacy: vec![privacy(asked)], ..Ask::default() };
        let start = Instant::now();
        black_box(engine.ask(&ask).expect("every model can be asked for"));
        line(asked, start.elapsed().as_secs_f64() / build, "times", 10.0);
    }
    assert!(MODELS.iter().all(|m| ASKED.iter().any(|asked| asked.starts_with(m.id))));
    conjunctions(&engine);
}

fn privacy(text: &str) -> Privacy {
    text.parse().expect("a model and its parameters")
}

/// Two or three models together, once their tables are there.
fn conjunctions(engine: &Engine) {
    println!("\nConjunctions of two or three models (random caps and limits)");
    let mut random = Random(7);
    let tops: Vec<u8> = engine.top().levels().iter().map(|&level| level.into()).collect();
    let mut request = || {
        let models = 2 + random.below(2);
        let step = 1 + random.below(7);
        let first = random.below(ASKED.len() as u64);
        let chosen = (0..models).map(|i| ASKED[((first + i * step) % ASKED.len() as u64) as usize]);
        Ask {
            privacy: chosen.map(privacy).collect(),
            levels: Some(Levels::InOrder(
                tops.iter().map(|&top| random.below(u64::from(top) + 1) as u8).collect(),
            )),
            max_suppressed: Some(Amount::Records(random.below(6000))),
            ..Ask::default()
        }
    };
    let asks: Vec<Ask> = (0..CONJUNCTIONS).map(|_| request()).collect();
    let mut millis = Vec::new();
    for ask in &asks {
        if engine.ask(ask).is_err() {
            continue; // the same model twice
        }
        let start = Instant::now();
        black_box(engine.ask(ask).expect("it was answered just now"));
        millis.push(start.elapsed().as_secs_f64() * 1e3);
    }
    millis.sort_unstable_by(f64::total_cmp);
    line("median", millis[millis.len() / 2], "ms", 10.0);
    line("worst", millis[millis.len() - 1], "ms", 200.0);
    println!();
}

/// The six-attribute project with everything stated of its sensitive attribute.
fn stating_everything() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let adult = std::fs::canonicalize(project("adult")).expect("the data is in the repository");
    let text = std::fs::read_to_string(adult.join("haggle.toml")).expect("the project is there");
    let hours = |from: u32, to: u32| {
        (from..=to).filter(|&hours| hours != 40).fold(String::new(), |mut list, hours| {
            write!(list, "\"{hours}\", ").expect("a string can be written to");
            list
        })
    };
    let stated = format!(
        "role = \"sensitive\"\nhierarchy = {{ intervals = [10, 20] }}\ndont_care = [\"40\"]\n\
         never_rule_out = [\"50\"]\nclass_function = \"empirical\"\n\
         categories = {{ short = [{}], part = [{}], full = [{}], over = [{}] }}\n",
        hours(1, 25),
        hours(15, 35),
        hours(30, 45),
        hours(41, 99)
    );
    let text = text
        .replace("role = \"sensitive\"", &stated)
        .replace("\"adult.data.gz\"", &format!("\"{}\"", adult.join("adult.data.gz").display()))
        .replace("\"hierarchies/", &format!("\"{}/", adult.join("hierarchies").display()));
    std::fs::write(folder.path().join("haggle.toml"), text).expect("it can be written");
    folder
}

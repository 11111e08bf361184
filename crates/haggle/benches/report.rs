//! `make bench`: how fast haggle annotates, answers, reads and starts, as ratios to its targets.

use std::hint::black_box;
use std::time::{Duration, Instant};

use haggle::{Ask, Engine, Options, Project};

fn main() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    annotation("adult, 6 attributes, k and l", "demo:adult", None);
    annotation("adult, 9 attributes, k only", &format!("{root}/data/adult-9"), None);
    answers();
}

/// The best of several runs: noise only ever adds.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = |run: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    (0..runs).map(|_| timed(&mut run)).min_by_key(|(time, _)| *time).expect("at least one run")
}

fn annotation(title: &str, project: &str, qi: Option<Vec<String>>) {
    let project = Project::open(project).expect("the project is there");
    let options = Options { qi, stored: false, ..Options::default() };
    let (_, engine) = best(3, || Engine::open(&project, &options).expect("it can be annotated"));
    let built = engine.built();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let per_touch = built.annotate_millis as f64 * 1e6 / built.touches as f64;
    println!(
        "{title}: {} schemes, {} cells touched, {} ms; {:.1} ns per touch, {:.1} per core",
        built.schemes,
        built.touches,
        built.annotate_millis,
        per_touch,
        per_touch * cores as f64
    );
}

fn answers() {
    let engine = Engine::open(&Project::open("demo:adult").unwrap(), &Options::default()).unwrap();
    let mut state = 42_u64;
    let mut random = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let asks: Vec<Ask> = (0..2000)
        .map(|_| {
            let levels: Vec<String> = engine
                .top()
                .levels()
                .iter()
                .map(|&l| random(u64::from(u8::from(l)) + 1).to_string())
                .collect();
            let model = if random(2) == 0 { "k-anonymity" } else { "distinct-l-diversity" };
            serde_json::from_str(&format!(
                r#"{{"privacy":{{"{model}":{}}},"levels":[{}],"max_suppressed":{}}}"#,
                2 + random(20),
                levels.join(","),
                random(3000)
            ))
            .unwrap()
        })
        .collect();
    let (time, _) = best(5, || {
        for ask in &asks {
            black_box(engine.ask(ask).unwrap());
        }
    });
    let mut micros: Vec<u64> = asks.iter().map(|ask| engine.ask(ask).unwrap().micros).collect();
    micros.sort_unstable();
    println!(
        "answers: {:.1} µs each, median {} µs, 99th {} µs, worst {} µs",
        time.as_secs_f64() * 1e6 / asks.len() as f64,
        micros[1000],
        micros[1980],
        micros[1999]
    );
    let visited: u64 = asks.iter().map(|ask| engine.ask(ask).unwrap().visited).sum();
    println!("visited mean {}", visited / asks.len() as u64);
}

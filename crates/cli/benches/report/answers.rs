//! Answering random requests on the 3,600-scheme lattice.

use std::hint::black_box;

use haggle::{Amount, Ask, Engine, Levels, Options, Privacy, Project};

use crate::{best, line};

const REQUESTS: usize = 2000;

pub(crate) fn report() {
    println!("Answering (random k or l, caps and limits on 3,600 schemes)");
    let project = Project::open("demo:adult").expect("the demo is embedded");
    let engine = Engine::open(&project, &Options::default()).expect("it can be annotated");
    let asks = random_requests(&engine);
    let (time, ()) = best(5, || {
        for ask in &asks {
            black_box(engine.ask(ask).expect("every request is valid"));
        }
    });
    let each = time.as_secs_f64() * 1e6 / REQUESTS as f64;
    let mut micros: Vec<u64> = asks.iter().map(|a| engine.ask(a).expect("valid").micros).collect();
    micros.sort_unstable();
    line("mean", each, "µs", 50.0);
    line("median", micros[REQUESTS / 2] as f64, "µs", 50.0);
    line("99th percentile", micros[REQUESTS * 99 / 100] as f64, "µs", 50.0);
    println!("  {:<58} {:>9.0}\n", "answers a second, one core", 1e6 / each);
}

fn random_requests(engine: &Engine) -> Vec<Ask> {
    let mut random = Random(42);
    let tops: Vec<u8> = engine.top().levels().iter().map(|&level| level.into()).collect();
    let mut request = || {
        let model = ["k-anonymity", "distinct-l-diversity"][random.below(2) as usize];
        Ask {
            privacy: vec![Privacy::new(model, (2 + random.below(50)) as f64)],
            levels: Some(Levels::InOrder(
                tops.iter().map(|&top| random.below(u64::from(top) + 1) as u8).collect(),
            )),
            max_suppressed: Some(Amount::Records(random.below(3000))),
            ..Ask::default()
        }
    };
    (0..REQUESTS).map(|_| request()).collect()
}

/// A small generator; the same requests in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

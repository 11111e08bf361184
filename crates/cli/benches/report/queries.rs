//! A thousand random range queries on one scheme, and on every scheme of the six-attribute lattice.

use haggle::queries::{self, QueriedPublication, Query, RandomQueries, SuppressedRecords};
use haggle::{Ask, Choice, Engine, Options, Privacy, Project, Scheme, Silent, Way};

use crate::{best, line};

pub(crate) fn report() {
    println!("Queries (a thousand random ranges of three attributes, 3,600 schemes)");
    let options = Options { way: Way::OnDemand, ..Options::default() };
    let engine = Engine::open(&Project::demo(), &options).expect("the demo can be counted");
    let random = RandomQueries { queries: 1000, dimensions: 3, selectivity: 0.05, seed: 1 };
    let conditions = random.draw(engine.cube().attributes()).expect("there are six attributes");
    let queries: Vec<Query> = conditions
        .iter()
        .map(|condition| Query { condition: condition.clone(), target: None })
        .collect();
    let publication = QueriedPublication {
        recoding: Choice::Scheme(Scheme::new([1, 1, 1, 1, 0, 1])),
        ask: Ask::default(),
        suppressed: SuppressedRecords::Drop,
    };
    let one =
        || queries::workload(&engine, &publication, &queries, &Silent).expect("it can be answered");
    let (time, _) = best(3, one);
    line("all three answers on one scheme", time.as_secs_f64(), "s", 1.0);
    for (what, privacy) in [
        ("independently corrected, on every scheme", Vec::new()),
        ("the same with k = 5", vec![Privacy::new("k-anonymity", 5.0)]),
    ] {
        let ask = Ask { privacy, ..Ask::default() };
        let (time, found) = best(1, || {
            let found = queries::over_schemes(&engine, &ask, &conditions, "ic", &Silent);
            found.expect("it can be answered")
        });
        assert_eq!(found.schemes.len(), 3600);
        line(what, time.as_secs_f64(), "s", 60.0);
    }
    println!();
}

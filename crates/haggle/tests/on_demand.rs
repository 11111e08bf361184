//! Answers from a lattice on demand are those of the full one, from few of its schemes.

use haggle::{Amount, Ask, Engine, Levels, Options, Privacy, Project, Way};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn engine(project: &str, way: Way) -> Engine {
    let project = Project::open(project).unwrap();
    Engine::open(&project, &Options { way, stored: false, ..Options::default() }).unwrap()
}

/// A random request: any k or l up to some, some limit, any maximum levels.
fn request(engine: &Engine, random: &mut StdRng, model: &str, most: u32) -> Ask {
    let limits = [0, 10, 50, 100, 301, 1000, 3000];
    let limit = limits[random.random_range(0..limits.len())];
    let tops = engine.top().levels().iter();
    let levels = tops.map(|&top| random.random_range(0..=u8::from(top))).collect();
    let levels = Levels::InOrder(levels);
    Ask {
        privacy: vec![Privacy::of(model, f64::from(random.random_range(2..2 + most)))],
        levels: Some(levels),
        max_suppressed: Some(limit.to_string().parse::<Amount>().unwrap()),
        ..Ask::default()
    }
}

#[test]
fn a_thousand_requests_are_answered_as_by_the_full_lattice_from_few_schemes() {
    let (full, on_demand) = (engine("demo:adult", Way::Full), engine("demo:adult", Way::OnDemand));
    let mut random = StdRng::seed_from_u64(7);
    let mut visited = Vec::new();
    for i in 0..1000 {
        let (model, most) =
            if i % 2 == 0 { ("k-anonymity", 49) } else { ("distinct-l-diversity", 9) };
        let ask = request(&full, &mut random, model, most);
        let (found, expected) = (on_demand.ask(&ask).unwrap(), full.ask(&ask).unwrap());
        assert_eq!(found.exact, expected.exact, "{ask:?}");
        assert_eq!(found.relaxations, expected.relaxations, "{ask:?}");
        let obtained = found.obtained.unwrap();
        assert!(obtained.proven);
        visited.push(found.visited);
    }
    visited.sort_unstable();
    let median = visited[visited.len() / 2];
    println!("median {median}, mean {}, most {}", visited.iter().sum::<u64>() / 1000, visited[999]);
    assert!(median < 180, "a median of {median} of 3,600 schemes");
}

/// Nine quasi-identifiers are bounded part by part.
#[test]
fn many_attributes_are_answered_as_by_the_full_lattice() {
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult-9");
    let (full, on_demand) = (engine(project, Way::Full), engine(project, Way::OnDemand));
    let mut random = StdRng::seed_from_u64(9);
    for _ in 0..25 {
        let ask = request(&full, &mut random, "k-anonymity", 29);
        let (found, expected) = (on_demand.ask(&ask).unwrap(), full.ask(&ask).unwrap());
        assert_eq!(found.exact, expected.exact, "{ask:?}");
        assert_eq!(found.relaxations, expected.relaxations, "{ask:?}");
    }
}

/// Stopped at once, it still has something to offer, and says truly how good that may be.
#[test]
fn a_search_that_is_stopped_tells_what_is_proved() {
    let full = engine("demo:adult", Way::Full);
    let ask = Ask {
        privacy: vec![Privacy::of("k-anonymity", 10.0)],
        max_suppressed: Some("1%".parse::<Amount>().unwrap()),
        ..Ask::default()
    };
    let best = full.ask(&ask).unwrap().exact.unwrap();
    for looks in [0, 20, 60, 120, 100_000] {
        let on_demand = engine("demo:adult", Way::OnDemand);
        let asked = std::sync::atomic::AtomicU32::new(0);
        let found = on_demand
            .ask_while(&ask, &|closing| {
                assert!(closing.found.is_none_or(|found| found >= closing.none_below));
                assert!(closing.none_below <= best.height, "never more than is true");
                asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < looks
            })
            .unwrap();
        let (obtained, found) = (found.obtained.unwrap(), found.exact.unwrap());
        assert!(found.height >= best.height && obtained.none_below <= best.height);
        assert!(found.suppressed <= 301, "what is offered can be had");
        assert_eq!(obtained.proven, looks == 100_000);
        if obtained.proven {
            assert_eq!(found, best);
        }
    }
}

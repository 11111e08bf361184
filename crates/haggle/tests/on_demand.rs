//! Answers from a lattice on demand are those of the full one, from few of its schemes.

use haggle::{Amount, Ask, Engine, Levels, Options, Privacy, Project, Way};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const TOPS: [u8; 6] = [4, 4, 3, 2, 2, 3];

fn engine(way: Way) -> Engine {
    let project = Project::open("demo:adult").unwrap();
    Engine::open(&project, &Options { way, ..Options::default() }).unwrap()
}

/// A random request: any k or l up to 50, some limit, any maximum levels.
fn request(random: &mut StdRng, model: &str, most: u32) -> Ask {
    let limits = [0, 10, 50, 100, 301, 1000, 3000];
    let limit = limits[random.random_range(0..limits.len())];
    let level = |&top: &u8| random.random_range(0..=top);
    let levels = Levels::InOrder(TOPS.iter().map(level).collect());
    Ask {
        privacy: vec![Privacy::of(model, f64::from(random.random_range(2..2 + most)))],
        levels: Some(levels),
        max_suppressed: Some(limit.to_string().parse::<Amount>().unwrap()),
        ..Ask::default()
    }
}

#[test]
fn a_thousand_requests_are_answered_as_by_the_full_lattice_from_few_schemes() {
    let (full, on_demand) = (engine(Way::Full), engine(Way::OnDemand));
    let mut random = StdRng::seed_from_u64(7);
    let mut visited = Vec::new();
    for i in 0..1000 {
        let (model, most) =
            if i % 2 == 0 { ("k-anonymity", 49) } else { ("distinct-l-diversity", 9) };
        let ask = request(&mut random, model, most);
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

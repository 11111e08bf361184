//! Answers from a lattice on demand are those of the full one, from few of its schemes.

mod front_at;
mod ranges;
mod single_schemes;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use haggle::search::SearchState;
use haggle::{
    Amount, Answer, Ask, Engine, ErrorKind, Levels, Offer, Options, Privacy, Progress, Project, Way,
};
use haggle_testkit::effort;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Ends a search after some looks at its state, which must be possible.
struct Looks<C: Fn(&SearchState) + Sync> {
    most: u32,
    looked: AtomicU32,
    check: C,
}

impl<C: Fn(&SearchState) + Sync> Looks<C> {
    fn at_most(most: u32, check: C) -> Self {
        Self { most, looked: AtomicU32::new(0), check }
    }
}

impl<C: Fn(&SearchState) + Sync> Progress for Looks<C> {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn searching(&self, state: &SearchState) {
        assert!(state.found.is_none_or(|found| found >= state.none_below));
        (self.check)(state);
        self.looked.fetch_add(1, Relaxed);
    }

    fn deadline(&self) -> Option<Instant> {
        (self.looked.load(Relaxed) > self.most).then(Instant::now)
    }
}

fn engine(project: &str, way: Way) -> Engine {
    engine_with(project, way, Options::default().memory)
}

fn engine_with(project: &str, way: Way, memory: usize) -> Engine {
    let project = Project::open(project).unwrap();
    Engine::open(&project, &Options { way, memory, stored: false, ..Options::default() }).unwrap()
}

/// A random request: any k or l up to some, some limit, any maximum levels.
fn request(engine: &Engine, random: &mut StdRng, model: &str, most: u32) -> Ask {
    let limits = [0_u64, 10, 50, 100, 301, 1000, 3000, 30_162, 5_000_000_000];
    let limit = limits[random.random_range(0..limits.len())];
    let tops = engine.top().levels().iter();
    let levels = tops.map(|&top| random.random_range(0..=u8::from(top))).collect();
    let levels = Levels::InOrder(levels);
    Ask {
        privacy: vec![Privacy::new(model, f64::from(random.random_range(2..2 + most)))],
        levels: Some(levels),
        max_suppressed: Some(limit.to_string().parse::<Amount>().unwrap()),
        ..Ask::default()
    }
}

#[test]
fn random_requests_are_answered_as_by_the_full_lattice_from_few_schemes() {
    let (full, on_demand) = (engine("demo:adult", Way::Full), engine("demo:adult", Way::OnDemand));
    let mut random = StdRng::seed_from_u64(7);
    let mut visited = Vec::new();
    for i in 0..effort::pick(200, 1000) {
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
    let mean = visited.iter().sum::<u64>() / visited.len() as u64;
    println!("median {median}, mean {mean}, most {}", visited[visited.len() - 1]);
    assert!(median < 180, "a median of {median} of 3,600 schemes");
}

/// Where a failing scheme dominates no other, every scheme may have to be visited.
#[test]
fn random_requests_to_models_that_are_not_monotone_are_answered_as_by_the_full_lattice() {
    let (full, on_demand) = (engine("demo:adult", Way::Full), engine("demo:adult", Way::OnDemand));
    let mut random = StdRng::seed_from_u64(17);
    let mut relaxed = 0;
    let requests = effort::pick(100, 1000);
    for i in 0..requests {
        let mut ask = request(&full, &mut random, "k-anonymity", 2);
        ask.privacy = vec![if i % 2 == 0 {
            Privacy::new("entropy-l-diversity", random.random_range(1.1..9.0))
        } else {
            Privacy::new("t-closeness", random.random_range(0.02..0.6))
        }];
        let (found, expected) = (on_demand.ask(&ask).unwrap(), full.ask(&ask).unwrap());
        assert_eq!(found.exact, expected.exact, "{ask:?}");
        assert_eq!(found.relaxations, expected.relaxations, "{ask:?}");
        assert!(found.obtained.unwrap().proven, "{ask:?}");
        relaxed += u32::from(expected.exact.is_none());
    }
    assert!((requests / 10..requests / 10 * 9).contains(&relaxed), "{relaxed} of both kinds");
}

/// Nine quasi-identifiers are bounded part by part; with little memory much is forgotten and made
/// again.
#[test]
fn many_attributes_are_answered_as_by_the_full_lattice_however_little_memory_there_is() {
    let project = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/adult-9");
    let (full, on_demand) = (engine(project, Way::Full), engine(project, Way::OnDemand));
    let forgetful = engine_with(project, Way::OnDemand, 8 << 20);
    let mut random = StdRng::seed_from_u64(9);
    for _ in 0..effort::pick(6, 25) {
        let ask = request(&full, &mut random, "k-anonymity", 29);
        let expected = full.ask(&ask).unwrap();
        for engine in [&on_demand, &forgetful] {
            let found = engine.ask(&ask).unwrap();
            assert_eq!(found.exact, expected.exact, "{ask:?}");
            assert_eq!(found.relaxations, expected.relaxations, "{ask:?}");
            assert!(found.obtained.unwrap().proven, "{ask:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_tells_what_is_proved() {
    stopped("k-anonymity", 10.0);
}

/// A stopped search also reports its bound where a failing scheme dominates no other.
#[test]
fn a_search_among_all_schemes_that_is_stopped_tells_what_is_proved() {
    stopped("entropy-l-diversity", 4.0);
}

fn stopped(model: &str, threshold: f64) {
    let full = engine("demo:adult", Way::Full);
    let ask = Ask {
        privacy: vec![Privacy::new(model, threshold)],
        max_suppressed: Some("1%".parse::<Amount>().unwrap()),
        ..Ask::default()
    };
    let best = full.ask(&ask).unwrap().exact.unwrap();
    for looks in [0, 20, 60, 120, 100_000] {
        let on_demand = engine("demo:adult", Way::OnDemand);
        let progress = Looks::at_most(looks, |state| {
            assert!(state.none_below <= best.height.into(), "never more than is true");
        });
        let found = on_demand.ask_with(&ask, &progress).unwrap();
        let (obtained, found) = (found.obtained.unwrap(), found.exact.unwrap());
        assert!(found.height >= best.height && obtained.none_below.unwrap() <= best.height);
        assert!(found.suppressed <= 301, "the offered scheme keeps the limit");
        assert_eq!(obtained.proven, looks == 100_000);
        if obtained.proven {
            assert_eq!(found, best);
        }
    }
}

/// What is cancelled fails, and what is late does not.
#[test]
fn a_cancelled_question_has_no_answer() {
    struct Cancelled;
    impl Progress for Cancelled {
        fn start(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {}
        fn finish(&self) {}

        fn cancelled(&self) -> bool {
            true
        }
    }
    let on_demand = engine("demo:adult", Way::OnDemand);
    let ask = Ask { max_suppressed: Some("1%".parse().unwrap()), ..Ask::k(10) };
    let error = on_demand.ask_with(&ask, &Cancelled).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    let late = Looks::at_most(0, |_| ());
    assert!(on_demand.ask_with(&ask, &late).unwrap().exact.is_some());
}

/// The search for relaxations visits every scheme here, and is stopped as well.
#[test]
fn a_stopped_search_for_relaxations_ends_soon() {
    let on_demand = engine("demo:adult", Way::OnDemand);
    let none = on_demand.top().levels().iter().map(|_| 1).collect();
    let ask = Ask {
        privacy: vec![Privacy::new("entropy-l-diversity", 9.0)],
        levels: Some(Levels::InOrder(none)),
        ..Ask::default()
    };
    for optimize in [None, Some("lm".parse().unwrap())] {
        let found =
            on_demand.ask_with(&Ask { optimize, ..ask.clone() }, &Looks::at_most(0, |_| ()));
        let found = found.unwrap();
        let obtained = found.obtained.unwrap();
        assert!(
            found.exact.is_none() && !obtained.proven && obtained.annotated < 30,
            "{obtained:?}"
        );
    }
}

/// Compares schemes and their costs; sums in another order may differ in the last digits of losses.
fn same_offers(found: &Answer, expected: &Answer, ask: &Ask) {
    let offers = |answer: &Answer| -> Vec<Offer> {
        answer.exact.iter().chain(&answer.runners_up).cloned().collect()
    };
    let (found, expected) = (offers(found), offers(expected));
    assert_eq!(found.len(), expected.len(), "{ask:?}");
    for (mut found, expected) in found.into_iter().zip(expected) {
        for (measure, loss) in &mut found.loss {
            let other = expected.loss[measure];
            assert!((*loss - other).abs() <= 1e-9 * other.abs(), "{loss} {other} {ask:?}");
            *loss = other;
        }
        assert_eq!(found, expected, "{ask:?}");
    }
}

/// What loses least, and the next, is the same by every measure and for models of every kind.
#[test]
fn the_least_loss_is_that_of_the_full_lattice() {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(["age", "workclass", "race"].map(String::from).to_vec());
    let open = |way| {
        let options = Options { way, qi: qi.clone(), stored: false, ..Options::default() };
        Engine::open(&project, &options).unwrap()
    };
    let (full, on_demand) = (open(Way::Full), open(Way::OnDemand));
    let models = [
        vec![("k-anonymity", 2.0, 20.0)],
        vec![("distinct-l-diversity", 2.0, 9.0)],
        vec![("t-closeness", 0.1, 0.5)],
        vec![("entropy-l-diversity", 1.1, 4.0)],
        vec![("k-anonymity", 2.0, 20.0), ("distinct-l-diversity", 2.0, 9.0)],
    ];
    let mut random = StdRng::seed_from_u64(11);
    let mut relaxed = 0;
    for measure in haggle::catalog::MEASURES {
        for models in &models {
            let mut ask = request(&full, &mut random, "k-anonymity", 2);
            let privacy = models.iter().map(|&(model, least, most)| {
                let threshold: f64 = random.random_range(least..most);
                let whole = model.starts_with('k') || model.starts_with("distinct");
                Privacy::new(model, if whole { threshold.floor() } else { threshold })
            });
            ask.privacy = privacy.collect();
            ask.optimize = Some(measure.id.parse().unwrap());
            ask.top = Some(3);
            let (found, expected) = (on_demand.ask(&ask).unwrap(), full.ask(&ask).unwrap());
            assert!(found.obtained.as_ref().unwrap().proven);
            same_offers(&found, &expected, &ask);
            assert_eq!(found.relaxations, expected.relaxations, "{ask:?}");
            relaxed += u32::from(expected.exact.is_none());
        }
    }
    assert!((5..40).contains(&relaxed), "{relaxed} had no answer");
}

/// On all six attributes few schemes are looked at, and what is proved on the way is true.
#[test]
fn the_least_loss_is_found_by_looking_at_few_schemes() {
    let (full, on_demand) = (engine("demo:adult", Way::Full), engine("demo:adult", Way::OnDemand));
    let mut random = StdRng::seed_from_u64(13);
    let mut visited = Vec::new();
    for i in 0..60 {
        let measure = ["lm", "normalised-loss", "discernibility", "precision"][i % 4];
        let mut ask = request(&full, &mut random, "k-anonymity", 19);
        ask.levels = None;
        ask.optimize = Some(measure.parse().unwrap());
        ask.top = Some(1 + i % 5);
        let expected = full.ask(&ask).unwrap().exact.unwrap();
        let least = expected.loss[measure];
        let looks = if i % 3 == 0 { 100 } else { u32::MAX };
        let progress = Looks::at_most(looks, |state| {
            assert!(state.none_below <= least, "never more than is true");
        });
        let found = on_demand.ask_with(&ask, &progress).unwrap();
        let obtained = found.obtained.unwrap();
        assert!(obtained.annotated <= 3600, "each scheme counts once: {obtained:?}");
        let exact = found.exact.unwrap();
        assert!(obtained.no_loss_below.is_none_or(|bound| bound <= least));
        assert!(exact.loss[measure] >= least);
        if obtained.proven {
            assert_eq!(exact, expected, "{ask:?}");
            visited.push(found.visited);
        }
    }
    visited.sort_unstable();
    println!("{visited:?}");
    assert!(visited.len() >= 40);
}

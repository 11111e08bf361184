//! Answers from groups that were counted from some levels on: those of the full lattice, as far as its
//! schemes are at or above these levels.

use haggle::{Ask, Engine, Levels, Options, Privacy, Project, Publication, Scheme, Way};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const START: [u8; 3] = [1, 0, 1];

fn engine(from_level: Option<&str>, way: Way) -> Engine {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(["age", "race", "workclass"].map(String::from).to_vec());
    let from_level = from_level.map(|levels| levels.parse().unwrap());
    let options = Options { qi, from_level, way, stored: false, ..Options::default() };
    Engine::open(&project, &options).unwrap()
}

fn at_or_above(scheme: &Scheme) -> bool {
    scheme.levels().iter().zip(START).all(|(&level, start)| u8::from(level) >= start)
}

/// The best scheme of the full lattice at or above the start and under the maximum levels.
fn expected(full: &Engine, ask: &Ask, caps: &[u8], limit: u64) -> Option<(Scheme, u64)> {
    let (costs, space) = (full.suppressed(ask).unwrap(), full.cube().space());
    let feasible = costs.iter().enumerate().map(|(i, &cost)| (space.scheme(i), cost));
    let under = |scheme: &Scheme| scheme.is_under(&Scheme::new(caps.to_vec()));
    let feasible = feasible.filter(|(s, cost)| at_or_above(s) && under(s) && *cost <= limit);
    feasible.min_by_key(|(scheme, cost)| (scheme.height(), *cost, scheme.clone()))
}

#[test]
fn answers_are_those_of_the_full_lattice_from_these_levels_on() {
    let full = engine(None, Way::Full);
    let some = [Way::Full, Way::OnDemand].map(|way| engine(Some("age=1,workclass=1"), way));
    assert!(some[0].cube().base_groups() < full.cube().base_groups());
    let tops: Vec<u8> = full.top().levels().iter().map(|&top| top.into()).collect();
    let mut random = StdRng::seed_from_u64(11);
    let (mut exact, mut relaxed) = (0, 0);
    for _ in 0..200 {
        let caps: Vec<u8> =
            tops.iter().zip(START).map(|(&top, start)| random.random_range(start..=top)).collect();
        let limit = [0, 10, 100, 1000, 5000][random.random_range(0..5)];
        let (model, most) = if random.random_bool(0.5) {
            ("k-anonymity", 60)
        } else {
            ("distinct-l-diversity", 12)
        };
        let ask = Ask {
            privacy: vec![Privacy::new(model, f64::from(random.random_range(2..most)))],
            levels: Some(Levels::InOrder(caps.clone())),
            max_suppressed: Some(limit.to_string().parse().unwrap()),
            ..Ask::default()
        };
        let expected = expected(&full, &ask, &caps, limit);
        for engine in &some {
            let answer = engine.ask(&ask).unwrap();
            let found = answer.exact.as_ref().map(|offer| (offer.scheme.clone(), offer.suppressed));
            assert_eq!(found, expected, "{ask:?}");
            let from = answer.counted_from.as_ref().unwrap();
            assert_eq!(from.values().copied().collect::<Vec<_>>(), START);
            for offer in answer.relaxations.iter().filter_map(|one| one.offer.as_ref()) {
                assert!(at_or_above(&offer.scheme), "{}", offer.scheme);
            }
        }
        if expected.is_some() { exact += 1 } else { relaxed += 1 }
    }
    assert!(exact > 20 && relaxed > 20, "{exact} exact, {relaxed} relaxed");
}

#[test]
fn the_scheme_of_least_loss_is_that_of_the_full_lattice_from_these_levels_on() {
    let (full, some) = (engine(None, Way::Full), engine(Some("1,0,1"), Way::Full));
    for measure in ["lm", "discernibility", "precision", "average-class-size", "redaction"] {
        let ask = |levels: Option<Levels>| Ask {
            privacy: vec![Privacy::new("k-anonymity", 10.0)],
            max_suppressed: Some("100".parse().unwrap()),
            optimize: Some(measure.parse().unwrap()),
            levels,
            ..Ask::default()
        };
        let found = some.ask(&ask(None)).unwrap().exact.unwrap();
        let (costs, space) = (full.suppressed(&ask(None)).unwrap(), full.cube().space());
        let losses = full.losses_of_all(&ask(None), &measure.parse().unwrap()).unwrap();
        let feasible =
            (0..costs.len()).filter(|&i| costs[i] <= 100 && at_or_above(&space.scheme(i)));
        let least = feasible.map(|i| losses[i]).min_by(f64::total_cmp).unwrap();
        assert!((found.loss[measure] - least).abs() <= 1e-9 * least.abs(), "{measure}");
    }
}

#[test]
fn what_needs_recorded_values_is_refused_and_lower_levels_are_too() {
    let some = engine(Some("age=1"), Way::Full);
    let entropy = Ask { optimize: Some("entropy".parse().unwrap()), ..k(5) };
    let refused = |error: haggle::Error| error.to_string();
    assert!(refused(some.ask(&entropy).unwrap_err()).contains("needs the recorded values"));
    let low = Ask { levels: Some(Levels::InOrder(vec![0, 1, 1])), ..k(5) };
    assert!(refused(some.ask(&low).unwrap_err()).contains("'age' was counted from level 1 on"));
    let error = some.pinned(&k(5), &Scheme::new([0, 0, 0])).unwrap_err();
    assert!(refused(error).contains("'age' was counted from level 1 on"));
    assert!(some.notice().unwrap().contains("from level 1 of age on"));
}

fn k(k: u32) -> Ask {
    Ask { privacy: vec![Privacy::new("k-anonymity", f64::from(k))], ..Ask::default() }
}

#[test]
fn a_publication_is_proved_and_the_same_as_from_all_groups() {
    let folder = tempfile::tempdir().unwrap();
    let request = Ask { max_suppressed: Some("300".parse().unwrap()), ..k(10) };
    let some = engine(Some("age=1,workclass=1"), Way::Full);
    let scheme = some.ask(&request).unwrap().exact.unwrap().scheme;
    let published = |engine: &Engine, name: &str| {
        let file = folder.path().join(name);
        let report = Publication::of(&request).scheme(scheme.clone()).to(&file).publish(engine);
        let mut lines: Vec<String> =
            std::fs::read_to_string(&file).unwrap().lines().map(String::from).collect();
        lines.sort_unstable();
        (report.unwrap().suppressed(), lines)
    };
    let (few, all) = (published(&some, "some.csv"), published(&engine(None, Way::Full), "all.csv"));
    assert_eq!(few, all);
    assert!(few.1.len() > 29_000);
}

#[test]
fn a_stored_lattice_knows_where_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.lattice");
    let some = engine(Some("age=1,workclass=1"), Way::Full);
    some.save(&path).unwrap();
    let loaded = Engine::open(path.as_path(), &Options::default()).unwrap();
    assert_eq!(loaded.ask(&k(5)).unwrap().exact, some.ask(&k(5)).unwrap().exact);
    assert_eq!(loaded.cube().start(), Some(&Scheme::new(START)));
}

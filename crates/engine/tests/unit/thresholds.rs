//! Requests next to a project that asks for 3-anonymity and two different diseases in each group.

use std::path::Path;

use haggle_api::{Privacy, percent};
use haggle_data::Input;
use haggle_project::Project;
use haggle_testkit::people::{AGE_AND_SEX, DISEASE, NINE};

use super::*;

fn engine() -> Engine {
    let text = [AGE_AND_SEX, DISEASE, "[request]\nk = 3\nl = 2\n"].concat();
    let project = Project::from_text(&text, Path::new("no-such-folder")).unwrap();
    let project = project.over(Input::embedded("people.csv", NINE.as_bytes()));
    Engine::builder(&project).open().unwrap()
}

fn typed(ask: &Ask) -> Vec<String> {
    ask.privacy.iter().map(Privacy::to_string).collect()
}

#[test]
fn thresholds_of_the_project_stay_unless_the_request_names_their_model() {
    let engine = engine();
    let on_disease = Ask::privacy("distinct-l-diversity:l=3,on=disease").unwrap();
    let both = Ask::k(5).and("distinct-l-diversity=3").unwrap();
    for (ask, expected) in [
        (Ask::k(5), vec!["k-anonymity:k=5", "distinct-l-diversity=2"]),
        (on_disease, vec!["distinct-l-diversity:l=3,on=disease", "k-anonymity=3"]),
        (both, vec!["k-anonymity:k=5", "distinct-l-diversity:l=3"]),
        (Ask::k(5).only(), vec!["k-anonymity:k=5"]),
        (Ask::default(), vec![]),
    ] {
        assert_eq!(typed(&with_other_thresholds(&engine, &ask)), expected, "{ask:?}");
    }
}

#[test]
fn a_threshold_of_the_project_that_is_weaker_or_missing_is_named() {
    let engine = engine();
    let (k, l) = ("k-anonymity:k=3", "distinct-l-diversity:l=2,on=disease");
    for (first, second, expected) in [
        ("k-anonymity=3", "distinct-l-diversity=2", vec![]),
        ("k-anonymity=5", "distinct-l-diversity=3", vec![]),
        ("k-anonymity=2", "distinct-l-diversity=2", vec![(k, Some("k-anonymity:k=2"))]),
        ("k-anonymity=3", "t-closeness=0.1", vec![(l, None)]),
        ("frequency-l-diversity=3", "t-closeness=0.1", vec![(k, None), (l, None)]),
    ] {
        let ask = Ask::privacy(first).unwrap().and(second).unwrap();
        let weakened = weakened(&engine, &ask).unwrap();
        let found: Vec<(&str, Option<&str>)> =
            weakened.iter().map(|one| (one.project.as_str(), one.promised.as_deref())).collect();
        assert_eq!(found, expected, "{first} and {second}");
    }
}

#[test]
fn a_request_in_full_can_be_asked_as_it_stands() {
    let engine = engine();
    let full = asked(&engine, &Ask::default().max_suppressed(percent(50.0)).level("age", 1));
    let full = full.unwrap();
    assert_eq!(typed(&full), ["k-anonymity:k=3", "distinct-l-diversity:l=2,on=disease"]);
    assert_eq!(full.max_suppressed, Some(Amount::Records(4)), "half of 9 records");
    let levels = [("age".to_owned(), 1), ("sex".to_owned(), 1)];
    assert_eq!(full.levels, Some(Levels::ByName(levels.into())));
    assert_eq!(asked(&engine, &full).unwrap(), full);
}

//! Relaxations that are looked up, listed, written, and refused where they do not exist.

use haggle_model::ErrorKind;
use serde_json::json;

use super::{Relaxation, RelaxationKind, Relaxations};
use crate::{Ask, Offer};

fn possible(kind: RelaxationKind) -> Relaxation {
    Relaxation::possible(kind, Offer::sample(), Ask::k(10).max_suppressed(170))
}

fn impossible(kind: RelaxationKind, reason: &str) -> Relaxation {
    Relaxation::impossible(kind, reason.into())
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(String::from).into()
}

#[test]
fn every_relaxation_that_exists_is_listed_in_order() {
    let relaxations: Relaxations = [
        possible(RelaxationKind::Suppression),
        impossible(RelaxationKind::Height, "the top fails"),
        impossible(RelaxationKind::Privacy, "k = 2 fails"),
        possible(RelaxationKind::Privacy),
        possible(RelaxationKind::Attribute).without(names(["age"])),
        possible(RelaxationKind::Attributes).without(names(["race", "workclass"])),
    ]
    .into_iter()
    .collect();
    let all = relaxations.all().into_iter().map(|one| (one.kind, one.without));
    let expected = [
        (RelaxationKind::Suppression, Vec::new()),
        (RelaxationKind::Privacy, Vec::new()),
        (RelaxationKind::Attribute, names(["age"])),
        (RelaxationKind::Attributes, names(["race", "workclass"])),
    ];
    assert_eq!(all.collect::<Vec<_>>(), expected);
    assert!(Relaxations::default().all().is_empty());
}

#[test]
fn a_kind_stands_for_its_first_relaxation_that_is_possible() {
    let relaxations: Relaxations = [
        impossible(RelaxationKind::Privacy, "k = 2 fails"),
        possible(RelaxationKind::Privacy).of_number("distinct-l-diversity", "l", Some(2.0)),
        possible(RelaxationKind::Privacy).of_number("t-closeness", "t", Some(0.5)),
        impossible(RelaxationKind::Height, "the top fails"),
    ]
    .into_iter()
    .collect();
    let parameter = |kind| relaxations.get(kind).map(|one| one.parameter);
    assert_eq!(parameter(RelaxationKind::Privacy), Some(Some("l")));
    assert_eq!(parameter(RelaxationKind::Height), Some(None));
    assert_eq!(parameter(RelaxationKind::Suppression), None);
    assert!(relaxations.offer(RelaxationKind::Privacy).is_some());
    assert!(relaxations.offer(RelaxationKind::Height).is_none());
    assert_eq!(relaxations.privacy().unwrap().accept, Ask::k(10).max_suppressed(170));
}

#[test]
fn a_relaxation_that_does_not_exist_is_an_error_with_its_reason() {
    let relaxations: Relaxations = [
        impossible(RelaxationKind::Suppression, "every record fails"),
        impossible(RelaxationKind::Height, "the top fails"),
        impossible(RelaxationKind::Privacy, "k = 2 fails"),
        impossible(RelaxationKind::Attribute, "each one fails"),
    ]
    .into_iter()
    .collect();
    let some: Relaxations =
        [possible(RelaxationKind::Attribute).without(names(["race"]))].into_iter().collect();
    for (refused, reason) in [
        (relaxations.suppression(), "every record fails"),
        (relaxations.height(), "the top fails"),
        (relaxations.privacy(), "k = 2 fails"),
        (relaxations.attribute("age"), "each one fails"),
        (some.attribute("age"), "no scheme makes it possible"),
        (some.height(), "no scheme makes it possible"),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert!(error.to_string().contains(reason), "{error}");
    }
    assert_eq!(some.attribute("race").unwrap().without, ["race"]);
}

#[test]
fn a_relaxation_is_written_with_the_names_of_the_contract() {
    let relaxations: Relaxations = [
        possible(RelaxationKind::Privacy).of_number("k-anonymity", "k", Some(7.0)),
        possible(RelaxationKind::Attributes).without(names(["age", "race"])),
        impossible(RelaxationKind::Height, "the top fails"),
    ]
    .into_iter()
    .collect();
    let (offer, accept) = (json!(Offer::sample()), json!(Ask::k(10).max_suppressed(170)));
    let expected = json!([
        {
            "kind": "privacy", "model": "k-anonymity", "parameter": "k", "value": 7.0,
            "offer": offer, "accept": accept,
        },
        {"kind": "attributes", "without": ["age", "race"], "offer": offer, "accept": accept},
        {"kind": "height", "reason": "the top fails"},
    ]);
    assert_eq!(serde_json::to_value(&relaxations).unwrap(), expected);
    for one in &relaxations {
        assert_eq!(json!(one.kind), one.kind.id());
    }
}

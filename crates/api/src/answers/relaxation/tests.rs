//! Relaxations that are accepted, listed, and refused where they do not exist.

use std::collections::BTreeMap;

use haggle_model::{ErrorKind, Scheme};

use super::{Relaxation, RelaxationKind};
use crate::{
    Amount, Ask, AttributeOffer, AttributesOffer, Levels, Offer, Offers, Privacy, Threshold,
};

/// A scheme of age and race that suppresses 55 records and attains k = 7.
fn offer(levels: [u8; 2]) -> Offer {
    let scheme = Scheme::new(levels);
    let seven = || vec![("k-anonymity".to_owned(), Threshold::One(7.0))];
    Offer {
        height: scheme.height(),
        scheme,
        levels: ["age", "race"].map(String::from).into_iter().zip(levels).collect(),
        suppressed: 55,
        privacy: seven(),
        attained: seven(),
        thresholds: Ask::k(7).privacy,
        loss: BTreeMap::new(),
        loss_error: BTreeMap::new(),
    }
}

fn no_offers() -> Offers {
    Offers {
        suppression: None,
        suppression_reason: None,
        height: None,
        height_reason: None,
        privacy: None,
        privacy_reason: None,
        privacy_each: Vec::new(),
        attribute: Vec::new(),
        attribute_reason: None,
        attributes: Vec::new(),
    }
}

fn request() -> Ask {
    Ask::k(10).max_suppressed(32).optimize("lm").unwrap()
}

/// Returns the levels of a request that accepts the scheme `[3,1]`.
fn accepted_levels(kind: RelaxationKind, request: &Ask) -> Option<Levels> {
    let offer = offer([3, 1]);
    let accepted = Relaxation { kind, offer: &offer }.accept(request);
    let unchanged = Ask { levels: request.levels.clone(), ..accepted.clone() };
    assert_eq!(&unchanged, request, "only levels are relaxed");
    accepted.levels
}

#[test]
fn accepting_more_suppression_or_weaker_privacy_changes_nothing_else() {
    let (offer, request) = (offer([2, 1]), request().levels([2, 1]));
    let limit = Some(Amount::Records(55));
    let privacy: Vec<Privacy> = vec!["k-anonymity:k=7".parse().unwrap()];
    for (kind, expected) in [
        (RelaxationKind::Suppression, Ask { max_suppressed: limit, ..request.clone() }),
        (RelaxationKind::Privacy, Ask { privacy, ..request.clone() }),
    ] {
        assert_eq!(Relaxation { kind, offer: &offer }.accept(&request), expected);
    }
}

#[test]
fn accepting_higher_levels_raises_them_and_lowers_none() {
    let by_name = request().level("age", 2);
    for (request, expected) in [
        (request().levels([2, 2]), request().levels([3, 2])),
        (by_name.clone(), request().level("age", 3)),
        (by_name.level("race", 2), request().level("age", 3).level("race", 2)),
        (request(), request().level("age", 3).level("race", 1)),
    ] {
        assert_eq!(accepted_levels(RelaxationKind::Height, &request), expected.levels);
    }
}

#[test]
fn leaving_attributes_out_raises_their_levels_alone() {
    let age = || RelaxationKind::Attribute("age".into());
    let both = || RelaxationKind::Attributes(vec!["age".into(), "race".into()]);
    for (kind, request, expected) in [
        (age(), request().levels([2, 0]), request().levels([3, 0])),
        (both(), request().levels([2, 0]), request().levels([3, 1])),
        (
            age(),
            request().level("age", 2).level("race", 0),
            request().level("age", 3).level("race", 0),
        ),
    ] {
        assert_eq!(accepted_levels(kind, &request), expected.levels);
    }
}

#[test]
fn every_relaxation_that_exists_is_listed_once() {
    let (attribute, attributes) = ("age".to_owned(), vec!["age".to_owned(), "race".to_owned()]);
    let offers = Offers {
        suppression: Some(offer([2, 1])),
        privacy: Some(offer([2, 1])),
        attribute: vec![AttributeOffer { attribute: attribute.clone(), offer: offer([4, 0]) }],
        attributes: vec![AttributesOffer { attributes: attributes.clone(), offer: offer([4, 2]) }],
        ..no_offers()
    };
    let kinds: Vec<RelaxationKind> = offers.all().into_iter().map(|one| one.kind).collect();
    let expected = [
        RelaxationKind::Suppression,
        RelaxationKind::Privacy,
        RelaxationKind::Attribute(attribute),
        RelaxationKind::Attributes(attributes),
    ];
    assert_eq!(kinds, expected);
    assert!(no_offers().all().is_empty());
}

#[test]
fn a_relaxation_that_does_not_exist_is_an_error_with_its_reason() {
    let offers = Offers {
        suppression_reason: Some("every record fails".into()),
        height_reason: Some("the top fails".into()),
        privacy_reason: Some("k = 2 fails".into()),
        attribute_reason: Some("each one fails".into()),
        ..no_offers()
    };
    for (refused, reason) in [
        (offers.suppression(), "every record fails"),
        (offers.height(), "the top fails"),
        (offers.privacy(), "k = 2 fails"),
        (offers.attribute("age"), "each one fails"),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert!(error.to_string().contains(reason), "{error}");
    }
}

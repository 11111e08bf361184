//! What is published of nine records, in decades of 4, 4 and 1, where the project asks for k = 4.

use std::path::Path;

use haggle_api::Weakened;
use haggle_data::Input;
use haggle_model::{ErrorKind, Level, Recoding, Scheme};
use haggle_project::Project;
use haggle_testkit::people::{AGE_AND_SEX, DISEASE, NINE};

use super::*;
use crate::Publication;

fn engine_in(folder: &Path) -> Engine {
    let more = "hierarchy = { prefix = [1] }\n[request]\nk = 4\n";
    let text = [AGE_AND_SEX, DISEASE, more].concat();
    let project = Project::from_text(&text, folder).unwrap();
    Engine::builder(&project.over(Input::embedded("people.csv", NINE.as_bytes()))).open().unwrap()
}

fn engine() -> Engine {
    engine_in(Path::new("no-such-folder"))
}

/// The recoding that is meant, or why there is none.
fn settled(
    engine: &Engine,
    choice: Choice,
    ask: &Ask,
) -> Result<Result<Recoding, PublishOutcome>, Error> {
    let options = PublishOptions { choice, ..PublishOptions::new("out.csv", ask.clone()) };
    let settled = recoded(engine, &options, ask, &engine.criteria(ask)?)?;
    Ok(settled.map(|settled| settled.recoded.recoding().clone()))
}

/// The levels at which sensitive attributes are published under these thresholds.
fn shown_under(engine: &Engine, privacy: &[&str]) -> Result<Vec<Option<Level>>, Error> {
    let privacy = privacy.iter().map(|text| text.parse().unwrap()).collect();
    shown(engine, &engine.criteria(&Ask { privacy, ..Ask::default() })?)
}

#[test]
fn a_choice_means_one_scheme() {
    let engine = engine();
    let repeated = Recoding::levels(Scheme::new([1, 1]));
    for (choice, expected) in [
        (Choice::Answer, [1, 1]),
        (Choice::Scheme(Scheme::new([1, 0])), [1, 0]),
        (Choice::Repeat(repeated), [1, 1]),
        (Choice::Anatomy, [0, 0]),
    ] {
        let ask = Ask::k(4).max_suppressed(1_u64).level("age", 1);
        let recoding = settled(&engine, choice.clone(), &ask).unwrap().unwrap();
        assert_eq!(recoding, Recoding::levels(Scheme::new(expected)), "{choice:?}");
    }
}

#[test]
fn where_nothing_meets_the_request_nothing_is_meant() {
    let engine = engine();
    let ask = Ask::k(4).level("age", 1); // one record would have to be suppressed
    let answer = settled(&engine, Choice::Answer, &ask).unwrap();
    assert!(matches!(answer, Err(PublishOutcome::NoScheme(_))), "{answer:?}");
    let found = settled(&engine, Choice::Strategy("lattice".into()), &ask).unwrap();
    let Err(PublishOutcome::NotFound { strategy, why }) = found else { panic!("{found:?}") };
    assert_eq!(strategy, "lattice");
    assert!(why.contains("found nothing"), "{why}");
}

#[test]
fn a_strategy_must_find_the_result_that_was_compared() {
    let choice = Choice::Result { strategy: "lattice".into(), result: "another".into() };
    let found = settled(&engine(), choice, &Ask::k(4)).unwrap();
    let Err(PublishOutcome::NotFound { why, .. }) = found else { panic!("{found:?}") };
    assert!(why.contains("compare again"), "{why}");
}

#[test]
fn what_there_is_not_cannot_be_chosen() {
    let engine = engine();
    for (choice, named) in [
        (Choice::Strategy("no-such-strategy".into()), "'no-such-strategy'"),
        (Choice::Scheme(Scheme::new([1])), "age, sex"),
        (Choice::Scheme(Scheme::new([3, 0])), "'age' has no level 3"),
        (Choice::Repeat(Recoding::levels(Scheme::new([0, 2]))), "'sex' has no level 2"),
    ] {
        let error = settled(&engine, choice, &Ask::k(4)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn a_sensitive_attribute_is_published_at_the_level_that_is_promised() {
    let engine = engine();
    let (first, second) = ("extended-k-anonymity:k=2,level=1", "extended-k-anonymity:k=2,level=2");
    for (privacy, expected) in [
        (vec!["k-anonymity=4"], None),
        (vec!["distinct-l-diversity=2"], None),
        (vec![first], Some(Level::from(1_u8))),
        (vec!["k-anonymity=4", second], Some(Level::from(2_u8))),
    ] {
        assert_eq!(shown_under(&engine, &privacy).unwrap(), [expected], "{privacy:?}");
    }
    for privacy in [[first, second], [first, "distinct-l-diversity=2"]] {
        let error = shown_under(&engine, &privacy).unwrap_err();
        assert!(error.to_string().contains("'disease' at different levels"), "{error}");
    }
}

#[test]
fn nothing_weaker_than_the_project_asks_for_is_published_unless_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, output) = (engine_in(folder.path()), folder.path().join("out.csv"));
    let outcome = Publication::of(&Ask::k(2)).to(&output).outcome(&engine).unwrap();
    let PublishOutcome::Weaker(weaker) = outcome else { panic!("{outcome:?}") };
    let (project, promised) = ("k-anonymity:k=4".into(), Some("k-anonymity:k=2".into()));
    assert_eq!(weaker, [Weakened { project, promised }]);
    assert!(!output.exists());
    let outcome = Publication::of(&Ask::k(2).only()).to(&output).outcome(&engine).unwrap();
    assert!(matches!(outcome, PublishOutcome::Published(_)), "{outcome:?}");
    assert!(output.exists());
}

#[test]
fn a_scheme_that_suppresses_too_many_records_or_all_is_not_published() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, output) = (engine_in(folder.path()), folder.path().join("out.csv"));
    let outcome = |ask: &Ask, levels: [u8; 2]| {
        let publication = Publication::of(ask).scheme(Scheme::new(levels)).to(&output);
        publication.outcome(&engine).unwrap()
    };
    let too_many = outcome(&Ask::k(4).max_suppressed(0_u64), [1, 1]);
    let expected = PublishOutcome::TooMany { suppressed: 1, limit: 0 };
    assert_eq!(format!("{too_many:?}"), format!("{expected:?}"));
    let nothing = outcome(&Ask::k(4), [1, 0]);
    let expected = PublishOutcome::Nothing { suppressed: 9 };
    assert_eq!(format!("{nothing:?}"), format!("{expected:?}"));
    assert!(!output.exists());
}

//! Which schemes an engine has annotated, and what it does where memory does not suffice.

use std::path::Path;

use haggle_api::{Ask, Privacy};
use haggle_data::Input;
use haggle_model::ExceededMemory;
use haggle_project::Project;
use haggle_search::partial::{ESTIMATORS, Selection};

use super::*;
use crate::Engine;
use crate::options::QuestionCount;

fn project() -> Project {
    let text = "[data]\npath = \"people.csv\"\nheader = true\n\
                [[attribute]]\nname = \"sex\"\nrole = \"quasi-identifier\"\n\
                [[attribute]]\nname = \"disease\"\nrole = \"sensitive\"\n";
    let project = Project::from_text(text, Path::new("no-such-folder")).unwrap();
    project.over(Input::embedded("people.csv", b"sex,disease\nf,flu\nm,flu\nm,cold\n"))
}

fn opened(options: &Options<'_>) -> Engine {
    Engine::open(&project(), options).unwrap()
}

fn no_memory<T>() -> Result<T, Error> {
    Err(ExceededMemory { schemes: 2, limit: 7, height: 0 }.into())
}

#[test]
fn an_engine_is_opened_in_the_way_that_was_chosen() {
    let some = Way::Partial(Selection::new(ESTIMATORS[0], 50.0).unwrap());
    let usual = Options::default().full_touches;
    for (way, full_touches, expected) in [
        (Way::Auto, usual, "full"),
        (Way::Auto, 0.0, "on-demand"),
        (Way::Full, 0.0, "full"),
        (Way::OnDemand, usual, "on-demand"),
        (some, usual, "partial"),
    ] {
        let engine = opened(&Options { way, full_touches, ..Options::default() });
        assert_eq!(engine.store().way(), expected, "{way:?} with {full_touches} touches");
    }
}

#[test]
fn a_single_question_has_the_same_answer_from_its_own_tables_alone() {
    let privacy = vec![Privacy::of("k-anonymity", 2.0), Privacy::of("distinct-l-diversity", 2.0)];
    let optimize = Some("lm".parse().unwrap());
    let ask = Ask { privacy, optimize, ..Ask::default() };
    let many = opened(&Options::default());
    let one = opened(&Options { questions: QuestionCount::One, ..Options::default() });
    assert!(!many.store().tables().unwrap().tables().is_empty());
    assert!(one.store().tables().unwrap().tables().is_empty(), "nothing for later questions");
    let (found, expected) = (one.ask(&ask).unwrap(), many.ask(&ask).unwrap());
    assert_eq!((found.exact, found.relaxations), (expected.exact, expected.relaxations));
    let lattice = std::env::temp_dir().join("never-written.lattice");
    assert!(one.save(&lattice).is_err() && !lattice.exists(), "there is nothing to store");
}

#[test]
fn work_is_done_on_demand_if_memory_does_not_suffice_and_only_then() {
    let engine = opened(&Options::default());
    let (cube, memory) = (engine.cube(), 1 << 30);
    let on_demand = |limit: usize| Ok(format!("on demand, without {limit} MB"));
    let or = |by_tables| or_on_demand(cube, memory, || by_tables, on_demand);
    assert_eq!(or(no_memory()).unwrap(), "on demand, without 7 MB");
    assert_eq!(or(Ok("by tables".into())).unwrap(), "by tables");
    assert!(or(Err(Error::cancelled())).unwrap_err().is_cancelled());
    let too_little = or_on_demand(cube, 1, no_memory::<String>, on_demand);
    assert!(too_little.unwrap_err().exceeded_memory().is_some(), "not even for one scheme");
}

#[test]
fn questions_are_asked_on_demand_once_their_tables_did_not_fit() {
    let engine = opened(&Options::default());
    let work = |on_demand: bool| if on_demand { Ok("on demand") } else { no_memory() };
    // Another model than those that every lattice carries.
    let privacy = vec![Privacy::of("entropy-l-diversity", 1.5)];
    let ask = Ask { privacy, ..Ask::default() };
    assert!(!engine.is_on_demand(&ask).unwrap());
    assert_eq!(engine.in_cheaper_way(&ask, work).unwrap(), "on demand");
    assert!(engine.is_on_demand(&ask).unwrap());
    let full = opened(&Options { way: Way::Full, ..Options::default() });
    assert!(full.in_cheaper_way(&ask, work).is_err(), "another way was stated");
}

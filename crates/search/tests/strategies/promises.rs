//! Whatever a strategy finds meets the request, evaluated from the records by definition.

use std::cell::RefCell;
use std::collections::BTreeMap;

use haggle_cube::Applied;
use haggle_model::{Recoding, Scheme};
use haggle_search::strategies::{CATALOG, Ending, StrategyOutcome, find, refine, refined};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::check;
use proptest::prelude::*;

use super::sides::{Asked, Case, SMALL, cases, closed, looks, monotone, run, run_by, says_nothing};

/// Strategies that answer one threshold only; they are tested with it in `cells.rs`.
fn is_restricted(id: &str) -> bool {
    ["simplex-matching", "two-diversity"].contains(&id)
}

/// Every published combination that is kept passes, and what is suppressed is within the limit.
pub(crate) fn assert_kept(
    case: &Case,
    cube: &haggle_cube::Cube,
    outcome: &StrategyOutcome,
    suppressed: u64,
    who: &str,
) {
    let looks = looks(case, cube, outcome);
    let tells = |sets: &Vec<std::collections::BTreeSet<String>>| {
        let mut cells = sets.iter().zip(cube.attributes());
        looks.len() == 1 || !cells.all(|(set, a)| says_nothing(set, a))
    };
    let failing = looks.iter().filter(|(sets, records)| !tells(sets) || !case.passes(records));
    let failing: u64 = failing.map(|(_, records)| records.len() as u64).sum();
    assert_eq!(failing, suppressed, "{who}: the records agree on what is suppressed");
}

#[test]
fn every_strategy_keeps_its_promise() {
    let seen = RefCell::new(BTreeMap::<(&str, bool), u32>::new());
    let monotone = cases(monotone(), SMALL, true).boxed();
    let strict = cases(closed(), SMALL, false).boxed();
    let asked = prop_oneof![monotone, strict];
    check(400, &asked, |case| {
        for strategy in CATALOG.iter().filter(|strategy| !is_restricted(strategy.about.id)) {
            let ran = run(&case, strategy, haggle_loss::find("lm").unwrap());
            *seen.borrow_mut().entry((strategy.about.id, ran.found.is_some())).or_default() += 1;
            let Some((outcome, suppressed, _)) = ran.found else { continue };
            prop_assert_eq!(outcome.recoding.kind(), strategy.about.recoding);
            prop_assert!(suppressed <= case.limit, "{}: {suppressed}", strategy.about.id);
            assert_kept(&case, &ran.cube, &outcome, suppressed, strategy.about.id);
        }
        Ok(())
    });
    let seen = seen.borrow();
    let often = CATALOG.iter().filter(|s| !is_restricted(s.about.id)).all(|s| {
        [true, false].iter().all(|&is| seen.get(&(s.about.id, is)).is_some_and(|&n| n >= 20))
    });
    assert!(often, "{seen:?}");
}

/// With t-closeness, boxes may suppress and still meet the request.
#[test]
fn boxes_keep_any_promise_with_suppression() {
    check(200, &cases(closed(), SMALL, true), |case| {
        for id in [
            "mondrian",
            "mondrian-median",
            "mondrian-relaxed",
            "datafly",
            "k-optimize",
            "top-down-specialization",
            "local-suppression",
        ] {
            let ran = run(&case, find(id).unwrap(), haggle_loss::find("lm").unwrap());
            let Some((outcome, suppressed, _)) = ran.found else { continue };
            prop_assert!(suppressed <= case.limit);
            assert_kept(&case, &ran.cube, &outcome, suppressed, id);
        }
        Ok(())
    });
}

/// With strict splits no two boxes overlap, so the boxes alone determine where a record belongs.
#[test]
fn strict_boxes_do_not_overlap() {
    check(200, &cases(monotone(), SMALL, true), |case| {
        for id in ["mondrian", "mondrian-median"] {
            let ran = run(&case, find(id).unwrap(), haggle_loss::find("lm").unwrap());
            let Some((outcome, ..)) = ran.found else { continue };
            let base = haggle_cube::Base::of(&ran.cube);
            let attributes = ran.cube.attributes();
            let again = haggle_cube::Applied::new(attributes, &base, &outcome.recoding).unwrap();
            prop_assert_eq!(again.len(), outcome.applied.len());
            for part in 0..again.len() {
                prop_assert_eq!(again.labels(part).len(), attributes.len());
            }
        }
        Ok(())
    });
}

/// With k-anonymity strict boxes are minimal, as published: wherever one is cut in two, a side has
/// fewer than k records.
#[test]
fn strict_boxes_can_be_cut_nowhere() {
    let boxes = RefCell::new(0);
    check(300, &cases((2..9_u8).prop_map(|k| vec![Asked::K(k)]), SMALL, true), |case| {
        let [Asked::K(k)] = case.asked[..] else { unreachable!("only k is asked") };
        for id in ["mondrian", "mondrian-median"] {
            let ran = run(&case, find(id).unwrap(), haggle_loss::find("lm").unwrap());
            let Some((outcome, ..)) = ran.found else { continue };
            let base = haggle_cube::Base::of(&ran.cube);
            let applied = &outcome.applied;
            // Suppressed records are together, fully generalized.
            let is_box = |part: &usize| {
                applied.len() == 1 || !applied.is_fully_generalized(*part, ran.cube.attributes())
            };
            for part in (0..applied.len()).filter(is_box) {
                let rows = applied.rows(part);
                let all: u64 = rows.iter().map(|&row| base.records(row as usize)).sum();
                for (attribute, &row) in
                    rows.iter().flat_map(|row| (0..base.attributes()).map(move |a| (a, row)))
                {
                    let code = base.codes(row as usize)[attribute];
                    let below =
                        rows.iter().filter(|&&row| base.codes(row as usize)[attribute] < code);
                    let below: u64 = below.map(|&row| base.records(row as usize)).sum();
                    prop_assert!(
                        below < k.into() || all - below < k.into(),
                        "{id}: {below} of {all}"
                    );
                }
                *boxes.borrow_mut() += 1;
            }
        }
        Ok(())
    });
    assert!(*boxes.borrow() > enough(1000), "{boxes:?}");
}

/// A refined scheme meets the request, suppresses no more and loses no more than the scheme itself.
#[test]
fn refining_keeps_promises_and_loses_less() {
    let better = RefCell::new(0);
    let asked = prop_oneof![monotone().boxed(), closed().boxed()];
    check(400, &(cases(asked, SMALL, true), any::<u16>()), |(case, draw)| {
        let cube = case.cube();
        let space = cube.space();
        let caps = case.caps(&cube);
        let under = space.under(&caps);
        let schemes: Vec<Scheme> = under.heights().flat_map(|h| under.at_height(h)).collect();
        let scheme = schemes[draw as usize % schemes.len()].clone();
        let measure = haggle_loss::find("lm").unwrap();
        let plain = run_by(&case, measure, |task| {
            let applied = Applied::levels(task.cube.attributes(), task.base, &scheme);
            let recoding = Recoding::levels(scheme.clone());
            Ending::Found(Box::new(StrategyOutcome {
                recoding,
                applied,
                split: None,
                evaluated: 1,
                proven: false,
            }))
        });
        let ran =
            run_by(&case, measure, |task| Ending::Found(Box::new(refine(task, &scheme).unwrap())));
        let (_, before, loss_before) = plain.found.unwrap();
        let (outcome, after, loss_after) = ran.found.unwrap();
        assert_kept(&case, &ran.cube, &outcome, after, "refined");
        prop_assert!(after <= before && loss_after <= loss_before + 1e-9, "{before} {after}");
        *better.borrow_mut() += u32::from(after < before);
        let Recoding::Parts { schemes } = &outcome.recoding else { panic!("levels by part") };
        let again = run_by(&case, measure, |task| Ending::Found(Box::new(refined(task, schemes))));
        let (_, again, loss_again) = again.found.unwrap();
        prop_assert_eq!(
            (again, loss_again),
            (after, loss_after),
            "applying its spans again gives the same result"
        );
        Ok(())
    });
    assert!(*better.borrow() >= enough(50), "{better:?}");
}

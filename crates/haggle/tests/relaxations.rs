//! Accepting relaxations: the request that comes with one gives the scheme that it offers.

use std::cell::RefCell;

use haggle::{
    AcceptableRelaxation, Amount, Ask, Engine, Levels, Offer, Options, Privacy, Project,
    RelaxHeight, RelaxationKind, Scheme, Way,
};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::write_project;

const KINDS: [RelaxationKind; 5] = [
    RelaxationKind::Suppression,
    RelaxationKind::Height,
    RelaxationKind::Privacy,
    RelaxationKind::Attribute,
    RelaxationKind::Attributes,
];

/// A table, and requests: caps, a limit, a threshold, and how heights are relaxed.
type Case = (Table, Vec<(Vec<Index>, u64, u32, usize)>);

fn cases() -> impl Strategy<Value = Case> {
    let shape = Shape { attributes: 3, schemes: 48, records: 60, sensitive: 1 };
    (tables_of(shape), vec((vec(any::<Index>(), 3), 0_u64..20, 2_u32..12, 0..3_usize), 8))
}

fn engines(table: &Table) -> (tempfile::TempDir, [Engine; 2]) {
    let folder = tempfile::tempdir().unwrap();
    write_project(folder.path(), table);
    let project = Project::open(folder.path()).unwrap();
    let open = |way| {
        Engine::open(&project, &Options { way, stored: false, ..Options::default() }).unwrap()
    };
    let engines = [open(Way::Full), open(Way::OnDemand)];
    (folder, engines)
}

/// Models of which some are monotone, alone and together.
fn privacy(which: usize, threshold: u32, sensitive: &str) -> Vec<Privacy> {
    let on = |model, value| Privacy { on: Some(sensitive.into()), ..Privacy::new(model, value) };
    let k = Privacy::new("k-anonymity", f64::from(threshold));
    match which {
        0 => vec![k],
        1 => vec![on("distinct-l-diversity", f64::from(threshold.min(6)))],
        2 => vec![on("entropy-l-diversity", 1.0 + f64::from(threshold) / 4.0)],
        _ => vec![k, on("t-closeness", f64::from(threshold) / 20.0)],
    }
}

/// The order of answers.
fn rank(offer: &Offer) -> (u32, u64, &Scheme) {
    (offer.height, offer.suppressed, &offer.scheme)
}

/// Asks the request of a relaxation, as it is sent and read again. The answer is the scheme offered, or
/// one before it in the order of answers where only maximum levels are raised that the scheme does not
/// follow from.
fn assert_accepted(engine: &Engine, ask: &Ask, relaxation: &AcceptableRelaxation) {
    let AcceptableRelaxation { kind, offer, accept, .. } = relaxation;
    let json = serde_json::to_string(accept).unwrap();
    let sent: Ask = serde_json::from_str(&json).unwrap();
    let answer = engine.ask(&sent).unwrap();
    let exact = answer.exact.unwrap_or_else(|| panic!("{kind:?}: nothing meets {json}"));
    assert_eq!(exact.privacy, offer.privacy, "{kind:?}: {json}");
    let is_offered = match kind {
        RelaxationKind::Suppression | RelaxationKind::Privacy => true,
        RelaxationKind::Height => ask.relax_height != Some(RelaxHeight::Published),
        _ => false,
    };
    if is_offered {
        assert_eq!(rank(&exact), rank(offer), "{kind:?}: {json}");
    } else {
        assert!(rank(&exact) <= rank(offer), "{kind:?}: {exact:?} for {offer:?}");
    }
}

/// Where a loss is to be least, the scheme offered is among those that the request allows.
fn assert_accepted_by_loss(engine: &Engine, ask: &Ask) {
    let ask = ask.clone().optimize("lm").unwrap();
    for AcceptableRelaxation { kind, offer, accept, .. } in
        engine.ask(&ask).unwrap().relaxations.all()
    {
        assert_eq!(accept.optimize, ask.optimize);
        let answer = engine.ask(&accept.top(1000)).unwrap();
        let mut schemes = answer.exact.iter().chain(&answer.runners_up);
        assert!(schemes.any(|one| rank(one) == rank(&offer)), "{kind:?}: {offer:?}");
    }
}

#[test]
fn the_request_of_a_relaxation_gives_what_is_offered() {
    let seen = RefCell::new([0_u32; KINDS.len()]);
    check(200, &cases(), |(table, draws)| {
        let (_folder, engines) = engines(&table);
        for (i, (caps, limit, threshold, how)) in draws.iter().enumerate() {
            // What was published is sound for monotone models alone.
            let how = [RelaxHeight::Lowest, RelaxHeight::Closest, RelaxHeight::Published]
                [if i % 4 < 2 { *how } else { how % 2 }];
            let tops = engines[0].top().levels().iter().zip(caps);
            let caps = tops.map(|(&top, cap)| cap.index(usize::from(u8::from(top)) + 1) as u8);
            let ask = Ask {
                privacy: privacy(i % 4, *threshold, &table.sensitive[0]),
                levels: Some(Levels::InOrder(caps.collect())),
                max_suppressed: Some(Amount::Records(*limit)),
                relax_height: Some(how),
                ..Ask::default()
            };
            for engine in &engines {
                for relaxation in engine.ask(&ask).unwrap().relaxations.all() {
                    assert_accepted(engine, &ask, &relaxation);
                    let kind = KINDS.iter().position(|kind| *kind == relaxation.kind).unwrap();
                    seen.borrow_mut()[kind] += 1;
                }
            }
            assert_accepted_by_loss(&engines[i % 2], &ask);
        }
        Ok(())
    });
    assert!(seen.borrow().iter().all(|&times| times > enough(20)), "{seen:?} of {KINDS:?}");
}

//! Requests as JSON, and their answers.

use haggle::{Answer, Ask, Engine, Outcome};

use super::Verdict;
use crate::fixture::ENGINE;
use crate::properties::refused_by;

pub(super) fn check(input: &[u8]) -> Verdict {
    let Ok(ask) = serde_json::from_slice::<Ask>(input) else { return Verdict::Refused };
    let json = serde_json::to_string(&ask).expect("a request is plain data");
    let read: Ask = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"));
    assert_eq!(read, ask, "a request survives JSON");
    match ENGINE.ask(&ask) {
        Ok(answer) => is_an_answer(&ENGINE, &ask, &answer),
        Err(error) => refused_by(error, input),
    }
}

/// An exact answer is within the limits of the request; asked again, the answer is the same. Every
/// relaxation that is possible can be accepted.
pub(super) fn is_an_answer(engine: &Engine, ask: &Ask, answer: &Answer) -> Verdict {
    assert_eq!(answer.outcome == Outcome::Exact, answer.exact.is_some());
    let asked = ask.or(engine.defaults());
    let limit = asked.max_suppressed.map_or(0, |limit| limit.of(engine.records()));
    if let Some(exact) = &answer.exact {
        assert!(exact.suppressed <= limit, "{} of {limit} suppressed", exact.suppressed);
        assert!(exact.suppressed < engine.records(), "a scheme that keeps nothing is offered");
        assert!(exact.scheme.is_under(engine.top()), "{} is not a scheme", exact.scheme);
        assert_eq!(exact.height, exact.scheme.height());
    }
    let again = engine.ask(ask).expect("it was answered before");
    assert_eq!(again.exact, answer.exact);
    assert_eq!(again.relaxations, answer.relaxations);
    for relaxation in answer.relaxations.all() {
        let accepted = engine.ask(&relaxation.accept).expect("the engine built this request");
        assert_eq!(accepted.outcome, Outcome::Exact, "{:?} is not possible", relaxation.kind);
    }
    Verdict::Accepted
}

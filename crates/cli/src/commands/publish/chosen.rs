//! Which order chose the published scheme, and what the scheme of least loss would save.

use haggle::{Ask, Engine, MeasureSpec, PublicationReport, Scheme};
use serde::Serialize;

use crate::text::loss;

/// How a scheme was chosen where no measure was asked for.
#[derive(Debug, Serialize)]
pub(super) struct ChosenBy {
    /// `height`: the fewest generalization steps.
    order: &'static str,
    /// What the alternative is measured by.
    measure: String,
    /// What the published scheme loses; none where not every scheme is annotated.
    loss: Option<f64>,
    /// The scheme of least loss, where it is another one.
    least_loss: Option<LeastLossScheme>,
}

/// The scheme that loses least within the same request.
#[derive(Debug, Serialize)]
struct LeastLossScheme {
    scheme: Scheme,
    loss: f64,
    suppressed: u64,
}

impl ChosenBy {
    /// How the published scheme was chosen, if it is the answer to a request without a measure.
    pub(super) fn explain(engine: &Engine, ask: &Ask, report: &PublicationReport) -> Option<Self> {
        let scheme = report.scheme.as_ref()?;
        if ask.or(engine.defaults()).optimize.is_some() {
            return None;
        }
        let measure = MeasureSpec::plain().to_string();
        let lost = engine.pinned(ask, scheme).ok();
        let lost = lost.and_then(|pinned| pinned.loss.get(&measure).copied());
        let least = lost.and_then(|lost| least_loss(engine, ask, scheme, lost));
        Some(Self { order: "height", measure, loss: lost, least_loss: least })
    }

    /// Describes the choice in a line of text.
    pub(super) fn words(&self) -> String {
        let Self { measure, .. } = self;
        let order = "Scheme chosen by the fewest generalization steps";
        match (self.loss, &self.least_loss) {
            (Some(here), Some(least)) => format!(
                "{order} ({measure} {}). The scheme of least loss, {}, loses {}, {:.0} % less; \
                 --optimize {measure} publishes that one.\n",
                loss(here),
                least.scheme,
                loss(least.loss),
                100.0 * (1.0 - least.loss / here),
            ),
            (Some(here), None) => {
                format!("{order}; it is also the one of least loss ({measure} {}).\n", loss(here))
            }
            (None, _) => format!("{order}; --optimize {measure} chooses by least loss.\n"),
        }
    }
}

/// The scheme that loses less than the published one, if there is one.
fn least_loss(
    engine: &Engine,
    ask: &Ask,
    published: &Scheme,
    published_loss: f64,
) -> Option<LeastLossScheme> {
    let ask = Ask { optimize: Some(MeasureSpec::plain()), ..ask.clone() };
    let best = engine.ask(&ask).ok()?.exact?;
    let loss = *best.loss.values().next()?;
    let better = best.scheme != *published && loss < published_loss;
    better.then_some(LeastLossScheme { scheme: best.scheme, loss, suppressed: best.suppressed })
}

//! What is predicted of all schemes at once before anything is counted: enough to colour a lattice.

use haggle_instant::{Candidate, Planning, plan};
use haggle_model::{Error, Scheme, Silent};

use super::measure::ExpectedMeasure;
use super::relaxed::beyond;
use super::{Instant, InstantAsk, InstantPlan, PredictedScheme};

pub(super) use haggle_api::InstantPrediction;

impl Instant {
    /// What is predicted of a request as a whole; the data is not read.
    ///
    /// ```
    /// # use haggle::{Ask, Privacy, Project};
    /// # use haggle::search::{Instant, InstantAsk, InstantOptions};
    /// # let project = Project::open("demo:adult")?;
    /// let privacy = vec![Privacy::new("k-anonymity", 60.0)];
    /// let ask = InstantAsk { ask: Ask { privacy, ..Ask::default() }, ..InstantAsk::default() };
    /// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let instant = Instant::open(&project, &ask, &InstantOptions { qi, ..InstantOptions::default() })?;
    /// let predicted = instant.prediction(&ask)?;
    /// let best = predicted.best.unwrap();
    /// assert!(predicted.suppressed.len() == 60 && best.predicted.suppressed <= predicted.limit as f64);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn prediction(&self, ask: &InstantAsk) -> Result<InstantPrediction, Error> {
        let start = std::time::Instant::now();
        let full = self.full(ask);
        let ExpectedMeasure { spec, loss } = self.measure(&full)?;
        let planning = self.planning(ask, loss.as_ref(), &Silent)?;
        let under = planning.under.clone();
        // All schemes are of interest; the best one is sought under the maximum levels.
        let found = plan(self.summary.as_ref(), &Planning { under: None, ..planning })?;
        let allowed = |scheme: &Scheme| under.as_ref().is_none_or(|high| scheme.is_under(high));
        let mut best = found.candidates.iter().filter(|candidate| allowed(&candidate.scheme));
        let reported = |candidate: &Candidate| PredictedScheme::new(candidate, &spec);
        let (first, wanted) = (best.next().map(reported), full.top.unwrap_or(1));
        let relaxed = full.relax_height.zip(under.as_ref()).filter(|_| first.is_none());
        let relaxed =
            relaxed.and_then(|(how, caps)| beyond(&found, caps, how.into()).into_iter().next());
        let mut suppressed = vec![None; found.schemes];
        for &(index, records) in &found.expected {
            // Thousandths of a record say nothing, and take room.
            suppressed[index] = Some((records * 100.0).round() / 100.0);
        }
        Ok(InstantPrediction {
            summary: self.summary(),
            limit: self.limit(&full),
            suppressed,
            plan: InstantPlan::brief(&found),
            best: first,
            runners_up: best.take(wanted.saturating_sub(1)).map(reported).collect(),
            relaxed_height: relaxed.as_ref().map(reported),
            micros: start.elapsed().as_micros() as u64,
        })
    }
}

//! Fronts: every threshold that is worth its price.

use std::slice;

use haggle_api::{Ask, ParetoAnswer, ParetoQuestion, Privacy};
use haggle_model::Error;

use super::{Answered, Asking, ByEngine};
use crate::{Engine, FrontAxes};

/// Returns the request with the thresholds of its models left open.
pub fn with_open_thresholds(engine: &Engine, request: &Ask) -> Result<Ask, Error> {
    let request = request.or(engine.defaults()).varying();
    let open = |one: &Privacy| Privacy::varying(&one.to_string());
    let privacy = request.privacy.iter().map(open).collect::<Result<_, _>>()?;
    Ok(Ask { privacy, ..request })
}

impl Answered<ByEngine> for ParetoQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<ParetoAnswer, Error> {
        let Asking { engine, progress, .. } = *asking;
        let request = with_open_thresholds(engine, request)?;
        if let Some(thresholds) = &self.thresholds {
            let others = [("suppression", self.suppression), ("max_loss", self.max_loss.is_some())];
            Ask::refuse(&others)?;
            return engine
                .front_at(&request, &self.loss, thresholds, progress)
                .map(ParetoAnswer::One);
        }
        engine.prepare(&request, slice::from_ref(&self.loss), progress)?;
        if let Some(most) = self.max_loss {
            Ask::refuse(&[("suppression", self.suppression)])?;
            engine.pareto_of_two(&request, &self.loss, most).map(ParetoAnswer::Two)
        } else {
            let axes = FrontAxes::with_suppression(self.suppression);
            engine.front(&request, &self.loss, axes).map(ParetoAnswer::One)
        }
    }
}

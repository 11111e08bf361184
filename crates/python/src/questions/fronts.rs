//! Fronts: every threshold that is worth its price.

use std::slice;

use haggle::queries::load_workload;
use haggle::search::{GroundRule, PokaOptions};
use haggle::{Ask, Error, FrontAxes, Judge, Privacy, Scheme};
use serde::Deserialize;

use super::{Asked, json, split};

#[derive(Deserialize)]
struct Against {
    #[serde(default = "Judge::plain")]
    loss: Judge,
    #[serde(default)]
    suppression: bool,
    max_loss: Option<f64>,
    thresholds: Option<Vec<f64>>,
}

/// The request with its models' thresholds left open.
pub(super) fn varying(ask: Ask) -> Result<Ask, Error> {
    let varying = |one: &Privacy| Privacy::varying(&one.to_string());
    let privacy = ask.privacy.iter().map(varying).collect::<Result<_, _>>()?;
    Ok(Ask { privacy, ..ask })
}

pub(super) fn pareto(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, against) =
        split::<Against>(body, &["loss", "suppression", "max_loss", "thresholds"])?;
    let Against { loss, suppression, max_loss, thresholds } = against;
    let (ask, loss) = (varying(ask)?, load_workload(loss)?);
    if let Some(thresholds) = thresholds {
        return json(&engine.front_at(&ask, &loss, &thresholds, progress)?);
    }
    engine.prepare(&ask, slice::from_ref(&loss), progress)?;
    match max_loss {
        Some(max_loss) => json(&engine.pareto_of_two(&ask, &loss, max_loss)?),
        None => json(&engine.front(&ask, &loss, FrontAxes::with_suppression(suppression))?),
    }
}

/// How the published search goes about it.
#[derive(Deserialize)]
pub(super) struct Searched {
    #[serde(default = "Judge::plain")]
    pub(super) loss: Judge,
    start: Option<Scheme>,
    depth: Option<u32>,
    ground_rule: Option<String>,
    #[serde(default)]
    exhaustive: bool,
}

impl Searched {
    pub(super) const FIELDS: [&str; 5] = ["loss", "start", "depth", "ground_rule", "exhaustive"];

    pub(super) fn options(&self) -> Result<PokaOptions, Error> {
        let rule = self.ground_rule.as_deref().map(str::parse::<GroundRule>).transpose()?;
        let (start, rule) = (self.start.clone(), rule.unwrap_or_default());
        Ok(PokaOptions { start, rule, depth: self.depth, exhaustive: self.exhaustive })
    }
}

/// The front as `POkA` searches it.
pub(super) fn poka(Asked { engine, body, progress }: Asked<'_>) -> Result<String, Error> {
    let (ask, searched) = split::<Searched>(body, &Searched::FIELDS)?;
    let (ask, loss) = (varying(ask)?, load_workload(searched.loss.clone())?);
    engine.prepare(&ask, slice::from_ref(&loss), progress)?;
    json(&engine.poka(&ask, &loss, &searched.options()?)?)
}

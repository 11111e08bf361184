//! What only researchers use: `POkA`, and how well estimators select the schemes of partial lattices.

mod estimators;
mod poka;

use std::slice;

use haggle_api::{Ask, EstimatorsQuestion, EstimatorsStudy, MeasureSpec, PokaFront, PokaQuestion};
use haggle_model::Error;

use crate::Engine;
use crate::catalog::{Answered, Asking, ByEngine, with_open_thresholds};

pub use poka::{GroundRule, PokaOptions};

impl Engine {
    /// How well the estimators select a percentage of each height, at the thresholds asked for.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::new("k-anonymity", 3.0)], ..Ask::default() };
    /// let study = engine.estimators(&ask, 5.0)?;
    /// let lambda = study.estimators.iter().find(|e| e.estimator == "lambda").unwrap();
    /// assert_eq!((lambda.heights[3].actual, lambda.heights[3].chosen), (12, 17));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn estimators(&self, ask: &Ask, percent: f64) -> Result<EstimatorsStudy, Error> {
        self.needs_recorded("a study of estimators")?;
        estimators::estimators(self, ask, percent)
    }

    /// The front of one point a scheme by `POkA`. Where schemes are annotated on demand, only those
    /// that it evaluates are.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Way};
    /// use haggle::search::{GroundRule, PokaOptions};
    ///
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, way: Way::OnDemand, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::varying("k-anonymity")?], ..Ask::default() };
    /// let options = PokaOptions { rule: GroundRule::Ceiling, exhaustive: true, ..PokaOptions::default() };
    /// let front = engine.poka(&ask, &"lm".parse()?, &options)?;
    /// assert!(front.exhaustive.unwrap().missed.is_empty() && front.evaluated <= 60);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn poka(
        &self,
        ask: &Ask,
        judge: &MeasureSpec,
        options: &PokaOptions,
    ) -> Result<PokaFront, Error> {
        self.needs_recorded("POkA")?;
        poka::poka(self, ask, judge, options)
    }
}

impl Answered<ByEngine> for PokaQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<PokaFront, Error> {
        let engine = asking.engine;
        let request = with_open_thresholds(engine, request)?;
        let rule = self.ground_rule.as_deref().map(str::parse::<GroundRule>).transpose()?;
        let options = PokaOptions {
            start: self.start.clone(),
            rule: rule.unwrap_or_default(),
            depth: self.depth,
            exhaustive: self.exhaustive,
        };
        engine.prepare(&request, slice::from_ref(&self.loss), asking.progress)?;
        engine.poka(&request, &self.loss, &options)
    }
}

impl Answered<ByEngine> for EstimatorsQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<EstimatorsStudy, Error> {
        let request = asking.engine.over_all_levels(request);
        asking.engine.prepare(&request, &[], asking.progress)?;
        asking.engine.estimators(&request, self.partial)
    }
}

//! Answers about the lattice as a whole.

use haggle_api::{
    Answer, Ask, AskQuestion, CompareQuestion, Comparison, GroupingQuestion, GroupingStudy,
    LatticeOverview, LatticeQuestion, PrepareQuestion, Prepared, Study, StudyQuestion, seconds,
};
use haggle_model::{Error, WithDeadline};

use super::{Answered, Asking, ByEngine};
use crate::{CompareOptions, Engine};

impl Answered<ByEngine> for AskQuestion {
    fn is_quick(&self, request: &Ask, engine: &Engine) -> bool {
        engine.is_quick(request)
    }

    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Answer, Error> {
        let Asking { engine, progress, .. } = *asking;
        let progress = &WithDeadline::after(progress, self.time_limit.map(seconds).transpose()?);
        engine.prepare(request, &engine.measures(request), progress)?;
        engine.ask_with(request, progress)
    }
}

impl Answered<ByEngine> for StudyQuestion {
    fn is_quick(&self, request: &Ask, engine: &Engine) -> bool {
        engine.is_quick(request)
    }

    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Study, Error> {
        asking.engine.prepare(request, &[], asking.progress)?;
        asking.engine.study_in_full(request)
    }
}

impl Answered<ByEngine> for GroupingQuestion {
    fn answer(&self, _: &Ask, asking: &Asking<'_>) -> Result<GroupingStudy, Error> {
        asking.engine.grouping()
    }
}

impl Answered<ByEngine> for LatticeQuestion {
    fn answer(&self, _: &Ask, asking: &Asking<'_>) -> Result<LatticeOverview, Error> {
        Ok(asking.engine.overview())
    }
}

impl Answered<ByEngine> for PrepareQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Prepared, Error> {
        let engine = asking.engine;
        let mut measures = engine.measures(request);
        measures.extend(self.loss.clone());
        engine.prepare(request, &measures, asking.progress)?;
        Ok(Prepared { schemes: engine.built().schemes })
    }
}

impl Answered<ByEngine> for CompareQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Comparison, Error> {
        let options = CompareOptions {
            measures: self.measures.clone(),
            strategies: self.strategies.clone(),
            time_limit: self.time_limit.map(seconds).transpose()?,
            progress: asking.progress,
        };
        asking.engine.compare(request, &options)
    }
}

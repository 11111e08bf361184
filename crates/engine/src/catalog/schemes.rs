//! Answers about one scheme.

use haggle_api::{
    Ask, CrossTable, CrossTableQuestion, HistogramQuestion, Pinned, SchemeHistogram,
    SchemeQuestion, Why, WhyQuestion,
};
use haggle_model::Error;

use super::{Answered, Asking, ByEngine};

impl Answered<ByEngine> for HistogramQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<SchemeHistogram, Error> {
        let engine = asking.engine;
        engine.prepare(request, &[], asking.progress)?;
        engine.histogram(request, &engine.named_or_best(request, self.scheme.as_ref())?)
    }
}

impl Answered<ByEngine> for SchemeQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Pinned, Error> {
        let engine = asking.engine;
        engine.prepare(request, &[], asking.progress)?;
        engine.pinned(request, &engine.named_or_best(request, self.scheme.as_ref())?)
    }
}

impl Answered<ByEngine> for WhyQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Why, Error> {
        let engine = asking.engine;
        engine.prepare(request, &[], asking.progress)?;
        let scheme = engine.named_or_best(request, self.scheme.as_ref())?;
        engine.why(request, &scheme, &self.loss)
    }
}

impl Answered<ByEngine> for CrossTableQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<CrossTable, Error> {
        let engine = asking.engine;
        let by: Vec<&str> = self.by.iter().map(String::as_str).collect();
        engine.cross_table(request, &engine.named_or_best(request, self.scheme.as_ref())?, &by)
    }
}

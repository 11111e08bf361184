//! What schemes suppress and lose: some, or all of them.

use std::slice;

use haggle_api::{
    AllLosses, AllSuppressed, Ask, LossesQuestion, SchemesQuestion, SchemesReport,
    SuppressedQuestion,
};
use haggle_model::Error;

use super::{Answered, Asking, ByEngine};
use crate::Engine;

impl Answered<ByEngine> for SchemesQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<SchemesReport, Error> {
        asking.engine.prepare(request, &[], asking.progress)?;
        asking.engine.schemes(request, &self.schemes, &self.loss)
    }
}

impl Answered<ByEngine> for LossesQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<AllLosses, Error> {
        asking.engine.prepare(request, slice::from_ref(&self.loss), asking.progress)?;
        let losses = asking.engine.losses_of_all(request, &self.loss)?;
        Ok(AllLosses { losses: losses.to_vec() })
    }
}

impl Answered<ByEngine> for SuppressedQuestion {
    fn is_quick(&self, request: &Ask, engine: &Engine) -> bool {
        engine.is_quick(request)
    }

    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<AllSuppressed, Error> {
        let width = self.width()?;
        asking.engine.prepare(request, &[], asking.progress)?;
        let suppressed = asking.engine.suppressed(request)?.to_vec();
        Ok(AllSuppressed { suppressed, width })
    }
}

//! What a recoding would tell an attacker, its unchanged columns included.

use haggle_api::risk::{RiskAsk, RiskReport};
use haggle_api::{Ask, WholeRecords};
use haggle_assess::RiskInputs;
use haggle_assess::risk::ExaminedRecoding;
use haggle_engine::Engine;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_engine::update::counts_the_table;
use haggle_model::Error;

use crate::publish::whole_records;

/// Reports what a scheme, or what a strategy finds, tells an attacker. Without thresholds nothing is
/// suppressed; without a scheme it is the answer to the thresholds, or the data as recorded. Where the
/// project's table is at hand, it also says how many records are unique over all columns that would be
/// published and are not sensitive.
pub fn risk(
    engine: &Engine,
    request: &Ask,
    ask: &RiskAsk,
    inputs: &RiskInputs<'_>,
) -> Result<RiskReport, Error> {
    let (report, examined) = haggle_assess::risk::risk(engine, request, ask, inputs)?;
    Ok(RiskReport { whole: whole(engine, examined, request, inputs.memory)?, ..report })
}

/// Counts the records of a recoding that are unique over all columns that would be published and are
/// not sensitive, where the project's table is at hand.
pub fn whole_of(
    engine: &Engine,
    recoded: Recoded<'_>,
    failing: Failing,
    request: &Ask,
) -> Result<Option<WholeRecords>, Error> {
    let criteria = engine.criteria(&request.or(engine.defaults()))?;
    whole(engine, ExaminedRecoding { recoded, failing, criteria }, request, engine.memory())
}

fn whole(
    engine: &Engine,
    examined: ExaminedRecoding<'_>,
    request: &Ask,
    memory: usize,
) -> Result<Option<WholeRecords>, Error> {
    let project = engine.project().filter(|_| counts_the_table(engine, "risk").is_ok());
    project.map(|project| whole_records(engine, project, examined, request, memory)).transpose()
}

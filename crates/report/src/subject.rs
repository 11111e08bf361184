//! What a report is about: a published file, or the records that a scheme would publish.

use std::path::PathBuf;

use haggle_api::{Ask, Choice, MeasureSpec, ReportForm, UtilityAsk, WholeRecords};
use haggle_assess::PublishedRecords;
use haggle_engine::Engine;
use haggle_engine::recoded::Recoded;
use haggle_inference::Query;
use haggle_model::{Error, Progress, Scheme};
use haggle_publish::whole_of;

use crate::proof::PublishedFile;

/// What a report is about.
#[derive(Debug, Clone, Default)]
pub struct ReportAsk {
    /// The thresholds, levels, limit and measure.
    pub request: Ask,
    /// What is predicted and how, in the private form; its scheme is the report's, or else the
    /// answer to the request.
    pub utility: UtilityAsk,
    /// Queries of the private form; without any, random ranges.
    pub queries: Option<Vec<Query>>,
    /// The published file, whose promise is proved again.
    pub published: Option<PathBuf>,
    /// Who may read the report.
    pub form: ReportForm,
}

/// A publication that is reported on.
pub(crate) struct Subject {
    pub(crate) request: Ask,
    pub(crate) measure: MeasureSpec,
    /// The scheme that was named, or is that of the file, or else answers the request. None where a
    /// report is about a file, and public, or nothing answers the request.
    pub(crate) scheme: Option<Scheme>,
    pub(crate) file: Option<PublishedFile>,
    pub(crate) published: PublishedRecords,
    /// How far records can be picked out by all published columns that are not sensitive.
    pub(crate) whole: Option<WholeRecords>,
}

impl Subject {
    /// The scheme of a report that is about no file.
    pub(crate) fn scheme(&self) -> Result<&Scheme, Error> {
        let fix = "name a scheme, or a published file";
        self.scheme.as_ref().ok_or_else(|| Error::new("there is nothing to report on", fix))
    }
}

/// Settles what a report is about.
pub(crate) fn subject(
    engine: &Engine,
    ask: &ReportAsk,
    progress: &dyn Progress,
) -> Result<Subject, Error> {
    check_effect(ask)?;
    let request = ask.request.or(engine.defaults());
    if request.privacy.is_empty() {
        let what = "a report is about a promise, and no threshold is named";
        return Err(Error::new(what, "name a threshold, or state one in the project"));
    }
    // What cannot be judged is refused, also where only a file is measured.
    engine.criteria(&request)?;
    let file = ask.published.as_ref().map(|file| PublishedFile::open(engine, file)).transpose()?;
    let measure = request.optimize.clone().unwrap_or_else(MeasureSpec::plain);
    let is_private = ask.form == ReportForm::Private;
    let scheme = if file.is_none() || is_private || ask.utility.scheme.is_some() {
        engine.prepare(&request, std::slice::from_ref(&measure), progress)?;
        match (scheme(engine, ask, &request, file.as_ref()), &file) {
            // The report is about the file, whatever the request leads to.
            (Err(_), Some(_)) if ask.utility.scheme.is_none() => None,
            (scheme, _) => Some(scheme?),
        }
    } else {
        None
    };
    if let (Some(file), Some(named)) = (&file, &ask.utility.scheme) {
        check_same(engine, file, named)?;
    }
    let (published, whole) = match (&file, &scheme) {
        (None, Some(scheme)) => planned(engine, &request, scheme)?,
        (Some(PublishedFile { inspection, levels, .. }), _) => {
            let published = PublishedRecords::of_file(engine, inspection, levels.clone())?;
            let whole = inspection.others(None)?.whole(published.records());
            (published, Some(whole))
        }
        (None, None) => unreachable!("a report without a file is about a scheme"),
    };
    Ok(Subject { request, measure, scheme, file, published, whole })
}

/// Fails if a file does not have the groups of the scheme that is named.
fn check_same(engine: &Engine, file: &PublishedFile, named: &Scheme) -> Result<(), Error> {
    let found = file.inspection.recoding_of(engine, Some(named))?;
    if found.is_ok_and(|found| found.recoded.levels() == Some(named)) {
        return Ok(());
    }
    let what = format!("the file does not have the groups of {named}");
    Err(Error::new(what, "leave out the scheme, or name another file"))
}

/// The records that a scheme would publish, and how far they can be picked out by all columns.
fn planned(
    engine: &Engine,
    request: &Ask,
    scheme: &Scheme,
) -> Result<(PublishedRecords, Option<WholeRecords>), Error> {
    let criteria = engine.criteria(request)?;
    let recoded = Recoded::scheme(engine.cube(), scheme.clone());
    let failing = recoded.failing(&criteria);
    let records = PublishedRecords::planned(engine, &recoded, &failing, &criteria)?;
    Ok((records, whole_of(engine, recoded, failing, request)?))
}

/// Refuses what a report cannot be about, and what has no effect on a public one.
fn check_effect(ask: &ReportAsk) -> Result<(), Error> {
    if !matches!(ask.utility.choice()?, Choice::Answer | Choice::Scheme(_)) {
        let what = "a report is about a scheme or a published file";
        return Err(Error::new(what, "publish what the strategy finds, and name the file"));
    }
    let plain = UtilityAsk { scheme: ask.utility.scheme.clone(), ..UtilityAsk::default() };
    if ask.form == ReportForm::Private || (ask.queries.is_none() && ask.utility == plain) {
        return Ok(());
    }
    let what = "a public report has no queries, models or rules, because these need the table";
    Err(Error::new(what, "write the private report, or leave out what is asked of them"))
}

/// The scheme that is meant. The levels of a file are the lowest at which its records look as they do,
/// so another scheme may have published it.
fn scheme(
    engine: &Engine,
    ask: &ReportAsk,
    request: &Ask,
    file: Option<&PublishedFile>,
) -> Result<Scheme, Error> {
    let named = ask.utility.scheme.as_ref();
    let Some(levels) = file.and_then(|file| file.levels.as_ref()) else {
        return engine.named_or_best(request, named);
    };
    let scheme = match engine.named_or_best(request, named) {
        Ok(scheme) if looks_like(engine, request, &scheme, levels)? => return Ok(scheme),
        Ok(scheme) if named.is_some() => scheme,
        Err(error) if named.is_some() => return Err(error),
        _ => return engine.named_or_best(request, Some(levels)),
    };
    Err(Error::new(
        format!("the file was published under {levels}, and the report would be about {scheme}"),
        "name the scheme of the file, or another file",
    ))
}

/// Whether a scheme publishes records that look as they do at these levels.
fn looks_like(
    engine: &Engine,
    request: &Ask,
    scheme: &Scheme,
    levels: &Scheme,
) -> Result<bool, Error> {
    let recoded = Recoded::scheme(engine.cube(), scheme.clone());
    let failing = recoded.failing(&engine.criteria(request)?);
    Ok(scheme == levels || recoded.lowest_schemes(&failing).first() == Some(levels))
}

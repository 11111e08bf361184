//! Groups that are counted from some levels on, because those of the recorded values would take too
//! much memory.

use std::collections::BTreeMap;

use haggle_cube::Cube;
use haggle_model::{Error, Level, Scheme};
use haggle_project::Project;
use haggle_project::survey::{GeneralSurvey, survey, survey_from};

use crate::options::Options;

/// The cube of a project's table, from the levels on that were chosen.
pub(crate) fn counted(
    project: &Project,
    qi: &[String],
    options: &Options<'_>,
) -> Result<GeneralSurvey, Error> {
    let (memory, progress) = (options.memory, options.progress);
    if let Some(levels) = &options.from_level {
        return survey_from(project, qi, |top, names| levels.lowest(top, names), memory, progress);
    }
    let mut survey = survey(project, qi, memory, progress)?;
    let stated = std::mem::take(&mut survey.stated);
    let (digest, dropped) = (survey.scanned.digest(), survey.scanned.dropped());
    Ok(GeneralSurvey { cube: survey.into_cube(project), stated, digest, dropped })
}

/// Returns whether a stored cube starts at the levels asked for; any will do if none are.
pub(crate) fn starts_as_asked(cube: &Cube, options: &Options<'_>) -> bool {
    let asked = options.from_level.as_ref();
    asked.is_none_or(|levels| {
        let start = levels.lowest(cube.space().top(), &names(cube));
        start.ok().filter(|start| start.height() > 0).as_ref() == cube.start()
    })
}

/// Says which schemes are not offered, because groups were counted from some levels on.
pub(crate) fn not_offered(cube: &Cube, start: &Scheme) -> String {
    let levels = names(cube).into_iter().zip(start.levels());
    let from = levels.filter(|(_, level)| **level > Level::RECORDED);
    let from: Vec<String> = from.map(|(name, level)| format!("level {level} of {name}")).collect();
    format!("groups were counted from {} on; schemes below are not offered", from.join(", "))
}

/// An error if a scheme is below the levels from which on groups were counted.
pub(crate) fn not_below_start(cube: &Cube, scheme: &Scheme) -> Result<(), Error> {
    let Some(start) = cube.start() else { return Ok(()) };
    let below = |&i: &usize| scheme.level(i) < start.level(i);
    let Some(i) = (0..start.levels().len()).find(below) else { return Ok(()) };
    let (name, from) = (names(cube)[i], start.level(i));
    let what =
        format!("'{name}' was counted from level {from} on, not from level {}", scheme.level(i));
    Err(Error::new(what, format!("choose level {from} or higher, or count from a lower level")))
}

/// An error if groups were not counted as recorded, which this needs.
pub(crate) fn needs_recorded(cube: &Cube, what: &str) -> Result<(), Error> {
    if cube.start().is_none() {
        return Ok(());
    }
    let what =
        format!("{what} needs the recorded values, and groups were counted from higher levels on");
    Err(Error::new(what, "count as recorded, with more memory or fewer quasi-identifiers"))
}

/// The levels from which on groups were counted, by name.
pub(crate) fn counted_from(cube: &Cube) -> Option<BTreeMap<String, u8>> {
    let levels = cube.start()?.levels().iter().map(|&level| level.into());
    Some(names(cube).into_iter().map(String::from).zip(levels).collect())
}

fn names(cube: &Cube) -> Vec<&str> {
    cube.attributes().iter().map(|attribute| attribute.name.as_str()).collect()
}

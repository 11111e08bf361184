//! What a plan for a project costs: missing values, records below k, and the loss of the best answer.

use haggle_api::setup::{AttributePrice, LevelPrice, MissingPrice, PlanPrice};
use haggle_api::{Answer, Ask, LevelsOverview, Offer, Privacy, RelaxationKind};
use haggle_cube::Cube;
use haggle_data::OnMissing;
use haggle_model::{Error, Level, Progress, Scheme};
use haggle_project::Project;

use crate::options::QuestionCount;
use crate::{Engine, Options};

/// The k of a project that asks for none.
const USUAL_K: u64 = 5;

/// Returns what a project costs: its records with missing values, and its default request by least
/// loss.
///
/// ```
/// use haggle::setup::price;
///
/// let (missing, price) = price(&haggle::Project::demo(), 1 << 30, &haggle::Silent)?;
/// assert_eq!((missing.records, missing.dropped), (32_561, 2_399));
/// assert!(price.possible && price.suppressed.unwrap() <= 301);
/// # Ok::<(), haggle::Error>(())
/// ```
pub fn price(
    project: &Project,
    memory: usize,
    progress: &dyn Progress,
) -> Result<(MissingPrice, PlanPrice), Error> {
    let questions = QuestionCount::One;
    let options = Options { memory, progress, stored: false, questions, ..Options::default() };
    let engine = Engine::open(project, &options)?;
    let account = engine.account();
    let incomplete = match project.data.missing.policy {
        OnMissing::Drop => account.dropped,
        _ => project.incomplete(memory, progress)?,
    };
    let missing = MissingPrice { records: account.read, incomplete, dropped: account.dropped };
    let ask = asked(project)?;
    engine.prepare(&ask, &engine.measures(&ask), progress)?;
    let answer = engine.ask_with(&ask, progress)?;
    Ok((missing, of_answer(&engine, project.k().unwrap_or(USUAL_K), &answer)))
}

/// The default request, answered by least loss.
fn asked(project: &Project) -> Result<Ask, Error> {
    let mut ask = project.defaults().clone();
    if ask.privacy.is_empty() {
        ask.privacy.push(Privacy::new("k-anonymity", USUAL_K as f64));
    }
    Ok(Ask { optimize: Some("lm".parse()?), ..ask })
}

fn of_answer(engine: &Engine, k: u64, answer: &Answer) -> PlanPrice {
    let exact = answer.exact.as_ref();
    let fewest = || answer.relaxations.offer(RelaxationKind::Suppression);
    let best: Option<&Offer> = exact.or_else(fewest);
    let (cube, overview) = (engine.cube(), engine.overview());
    let attribute = |(position, levels): (usize, LevelsOverview)| {
        let level = exact.map(|offer| offer.scheme.level(position).into());
        of_levels(cube, position, levels, level, k)
    };
    PlanPrice {
        schemes: overview.schemes,
        unprotected: below(cube, &cube.space().bottom(), k),
        k,
        possible: exact.is_some(),
        scheme: exact.map(|offer| offer.scheme.clone()),
        suppressed: best.map(|offer| offer.suppressed),
        loss: exact.and_then(|offer| offer.loss.get("lm").copied()),
        attributes: overview.attributes.into_iter().enumerate().map(attribute).collect(),
    }
}

fn of_levels(
    cube: &Cube,
    position: usize,
    levels: LevelsOverview,
    level: Option<u8>,
    k: u64,
) -> AttributePrice {
    let price = |one: haggle_api::LevelOverview| {
        let alone = cube.space().top().with(position, Level::from(one.level));
        LevelPrice {
            values: one.values,
            unprotected: below(cube, &alone, k),
            examples: one.examples,
        }
    };
    AttributePrice {
        name: levels.name,
        levels: levels.levels.into_iter().map(price).collect(),
        level,
    }
}

/// The records in groups of a scheme that are smaller than k.
fn below(cube: &Cube, scheme: &Scheme, k: u64) -> u64 {
    let mut records = 0;
    cube.for_each_group(scheme, 0, |_, group| {
        if group.records < k {
            records += group.records;
        }
    });
    records
}

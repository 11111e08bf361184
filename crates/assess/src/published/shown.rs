//! At which levels sensitive attributes are shown.

use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_model::{Error, Level};
use haggle_privacy::Facts;

/// At which level each sensitive attribute is published, where a promise is about a level.
pub fn shown(engine: &Engine, criteria: &[Criterion]) -> Result<Vec<Option<Level>>, Error> {
    let level = |facts: &Facts| {
        let mine = |c: &&Criterion| {
            c.judge().column().watches == Some(facts.target.position) && c.model.sensitive
        };
        let levels: Vec<Option<u8>> = criteria
            .iter()
            .filter(mine)
            .map(|c| Some(c.arguments.numbers[c.model.published_level?] as u8))
            .collect();
        match levels.as_slice() {
            [] => Ok(None),
            [first, rest @ ..] if rest.iter().all(|level| level == first) => {
                Ok(first.map(Level::from))
            }
            _ => {
                let name = &facts.target.name;
                let what = format!("the promises ask for '{name}' at different levels");
                let fix = "promise what holds of one level of it";
                Err(Error::new(what, fix))
            }
        }
    };
    engine.facts().iter().map(level).collect()
}

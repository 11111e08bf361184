//! What a project and its lattice are, for a person who begins to negotiate.

use std::collections::BTreeMap;

use haggle_api::{
    Ask, AttributeOverview, LatticeOverview, LevelOverview, LevelsOverview, Privacy,
    ProjectOverview, VERSION,
};
use haggle_model::{Error, Hierarchy, Level, Role};
use haggle_project::Project;
use haggle_project::covering::from_file;

use crate::Engine;

/// What a project is, with what its lattice knows of the data.
pub(crate) fn project_overview(engine: &Engine, project: &Project) -> ProjectOverview {
    let qi = project.default_qi();
    let attribute = |a: &haggle_project::project::Attribute| AttributeOverview {
        name: a.name.clone(),
        role: a.role,
        qi: qi.contains(&a.name),
        levels: top_level(engine, project, a),
    };
    ProjectOverview {
        name: project.name(),
        location: project.location(),
        version: VERSION.into(),
        demo: project.is_demo(),
        records: engine.records(),
        attributes: project.attributes.iter().map(attribute).collect(),
        qi: qi.clone(),
        sensitive: project.named(Role::Sensitive),
        defaults: project.defaults.spelled_out(),
        notice: engine.notice().map(str::to_owned),
    }
}

/// The most general level of an attribute, as far as it is known without another scan.
fn top_level(
    engine: &Engine,
    project: &Project,
    attribute: &haggle_project::project::Attribute,
) -> Option<u8> {
    let counted = engine.cube().attributes().iter().find(|a| a.name == attribute.name);
    let top = |hierarchy: &Hierarchy| hierarchy.top().into();
    let read =
        || -> Result<Option<u8>, Error> { Ok(from_file(project, attribute)?.as_ref().map(top)) };
    counted.map(|a| top(&a.hierarchy)).or_else(|| read().ok().flatten())
}

/// What the lattice is.
pub(crate) fn overview(engine: &Engine) -> LatticeOverview {
    let cube = engine.cube();
    let attribute = |(position, a): (usize, &haggle_model::QuasiIdentifier)| {
        let chains = engine.frequencies().chains(cube, position);
        let level = |level: u8| LevelOverview {
            level,
            values: a.hierarchy.matched(Level::from(level)),
            examples: chains.iter().map(|chain| chain[usize::from(level)].clone()).collect(),
        };
        let top = a.hierarchy.top().into();
        LevelsOverview { name: a.name.clone(), top, levels: (0..=top).map(level).collect() }
    };
    LatticeOverview {
        qi: engine.attributes().into_iter().map(str::to_owned).collect(),
        attributes: cube.attributes().iter().enumerate().map(attribute).collect(),
        schemes: cube.space().size().unwrap_or(usize::MAX),
        way: engine.store().way(),
        records: engine.records(),
        account: engine.account(),
        base_groups: engine.built().base_groups,
        unaskable: unaskable(engine),
        built: engine.built().clone(),
        notice: engine.notice().map(str::to_owned),
    }
}

/// The models that no sensitive attribute has enough stated for, and why.
fn unaskable(engine: &Engine) -> BTreeMap<&'static str, String> {
    let why = |model: &'static haggle_privacy::Model| Some((model.id, why_not(engine, model)?));
    haggle_privacy::CATALOG.iter().filter_map(|model| why(model)).collect()
}

/// Why a model cannot be asked for, if it cannot.
fn why_not(engine: &Engine, model: &'static haggle_privacy::Model) -> Option<String> {
    let named = engine.facts().iter().map(|facts| Some(facts.target.name.as_str()));
    let on: Vec<Option<&str>> = if model.sensitive { named.collect() } else { vec![None] };
    let mut why = Some("the project has no sensitive attribute".to_owned());
    for on in on {
        let ask = Ask { privacy: vec![Privacy::usual(model, on)], ..Ask::default() };
        let error = engine.criteria(&ask).err()?;
        why = error.into_problems().into_iter().next().map(|problem| problem.what);
    }
    why
}

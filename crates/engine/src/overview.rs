//! What a project and its lattice are, told once to whoever begins to negotiate.

use std::collections::BTreeMap;

use haggle_api::{
    Ask, AttributeOverview, LatticeOverview, LevelOverview, LevelsOverview, Privacy,
    ProjectOverview, VERSION,
};
use haggle_model::{Error, Hierarchy, Level, Role};
use haggle_project::Project;
use haggle_project::covering::from_file;

use crate::Engine;

impl Engine {
    /// What a project is, with what its lattice knows of the data.
    ///
    /// ```
    /// use haggle::{Engine, Options, Project};
    ///
    /// let project = Project::open("demo:adult")?;
    /// let engine = Engine::open(&project, &Options::default())?;
    /// let overview = engine.project_overview(&project);
    /// assert_eq!((overview.name.as_str(), overview.records), ("adult", 30_162));
    /// assert_eq!(overview.sensitive, ["hours-per-week"]);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn project_overview(&self, project: &Project) -> ProjectOverview {
        let qi = project.default_qi();
        let attribute = |a: &haggle_project::project::Attribute| AttributeOverview {
            name: a.name.clone(),
            role: a.role,
            qi: qi.contains(&a.name),
            levels: self.top_level(project, a),
        };
        ProjectOverview {
            name: project.name(),
            version: VERSION.into(),
            records: self.records(),
            attributes: project.attributes.iter().map(attribute).collect(),
            qi: qi.clone(),
            sensitive: project.named(Role::Sensitive),
            defaults: project.defaults.spelled_out(),
            notice: self.notice().map(str::to_owned),
        }
    }

    /// The most general level of an attribute, as far as it can be told without another scan.
    fn top_level(
        &self,
        project: &Project,
        attribute: &haggle_project::project::Attribute,
    ) -> Option<u8> {
        let counted = self.cube().attributes().iter().find(|a| a.name == attribute.name);
        let top = |hierarchy: &Hierarchy| hierarchy.top().into();
        let read = || -> Result<Option<u8>, Error> {
            Ok(from_file(project, attribute)?.as_ref().map(top))
        };
        counted.map(|a| top(&a.hierarchy)).or_else(|| read().ok().flatten())
    }

    /// What the lattice is.
    ///
    /// ```
    /// # use haggle::{Engine, Options, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let engine = Engine::open(&project, &Options::default())?;
    /// let overview = engine.overview();
    /// assert_eq!(overview.schemes, 3600);
    /// let age = &overview.attributes[0];
    /// assert_eq!(age.levels[usize::from(age.top)].examples[0], "*");
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn overview(&self) -> LatticeOverview {
        let cube = self.cube();
        let attribute = |(position, a): (usize, &haggle_model::QuasiIdentifier)| {
            let chains = self.frequencies().chains(cube, position);
            let level = |level: u8| LevelOverview {
                level,
                values: a.hierarchy.matched(Level::from(level)),
                examples: chains.iter().map(|chain| chain[usize::from(level)].clone()).collect(),
            };
            let top = a.hierarchy.top().into();
            LevelsOverview { name: a.name.clone(), top, levels: (0..=top).map(level).collect() }
        };
        LatticeOverview {
            qi: self.attributes().into_iter().map(str::to_owned).collect(),
            attributes: cube.attributes().iter().enumerate().map(attribute).collect(),
            schemes: self.built().schemes,
            records: self.records(),
            base_groups: self.built().base_groups,
            unaskable: self.unaskable(),
            built: self.built().clone(),
            notice: self.notice().map(str::to_owned),
        }
    }

    /// The models that no sensitive attribute has enough stated for, and why.
    fn unaskable(&self) -> BTreeMap<&'static str, String> {
        let why = |model: &'static haggle_privacy::Model| Some((model.id, self.why_not(model)?));
        haggle_privacy::CATALOG.iter().filter_map(|model| why(model)).collect()
    }

    /// Why a model cannot be asked for, if it cannot.
    fn why_not(&self, model: &'static haggle_privacy::Model) -> Option<String> {
        let named = self.facts().iter().map(|facts| Some(facts.target.name.as_str()));
        let on: Vec<Option<&str>> = if model.sensitive { named.collect() } else { vec![None] };
        let mut why = Some("the project has no sensitive attribute".to_owned());
        for on in on {
            let ask = Ask { privacy: vec![Privacy::usual(model, on)], ..Ask::default() };
            let error = self.criteria(&ask).err()?;
            why = error.into_problems().into_iter().next().map(|problem| problem.what);
        }
        why
    }
}

//! What a project and its lattice are, told once to whoever begins to negotiate.

use std::collections::BTreeMap;

use haggle_model::{Hierarchy, Level, Role};
use serde::Serialize;

use crate::covering::from_file;
use crate::engine::Built;
use crate::{Ask, Defaults, Engine, Error, Privacy, Project, VERSION};

/// A project as somebody sees who knows nothing of it yet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProjectOverview {
    /// The project's name.
    pub name: String,
    /// The version of haggle.
    pub version: String,
    /// How many records were counted.
    pub records: u64,
    /// The quasi-identifiers that are counted unless others are asked for, in order.
    pub qi: Vec<String>,
    /// Every attribute that the project names.
    pub attributes: Vec<AttributeOverview>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// What is asked unless told otherwise.
    #[cfg_attr(feature = "openapi", schema(value_type = Ask))]
    pub defaults: Defaults,
    /// Something the user should know of how the lattice was made.
    pub notice: Option<String>,
}

/// An attribute of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeOverview {
    /// Its name.
    pub name: String,
    /// Its role.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// Whether it is counted unless others are asked for.
    pub qi: bool,
    /// Its most general level; none if it has no hierarchy or that depends on data not yet counted.
    pub levels: Option<u8>,
}

/// A lattice as somebody sees who is about to ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LatticeOverview {
    /// The quasi-identifiers, in the order of a scheme's levels.
    pub qi: Vec<String>,
    /// What each looks like, level by level.
    pub attributes: Vec<LevelsOverview>,
    /// How many schemes there are.
    pub schemes: usize,
    /// How many records were counted.
    pub records: u64,
    /// The groups of the base scheme.
    pub base_groups: usize,
    /// The models that cannot be asked for, and why: what the project states does not suffice.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, String>))]
    pub unaskable: BTreeMap<&'static str, String>,
    /// What making it took.
    pub built: Built,
    /// Something the user should know of how it was made.
    pub notice: Option<String>,
}

/// A quasi-identifier, level by level.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelsOverview {
    /// Its name.
    pub name: String,
    /// Its most general level.
    pub top: u8,
    /// Its levels, from the values as recorded.
    pub levels: Vec<LevelOverview>,
}

/// One level of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelOverview {
    /// The level.
    pub level: u8,
    /// How many values it has.
    pub values: usize,
    /// A few recorded values as they look here; the same ones in the same order at every level.
    pub examples: Vec<String>,
}

impl Project {
    /// The project's name: its folder's, or the embedded project's.
    pub fn name(&self) -> String {
        self.origin.name()
    }

    /// What the project is, with what its lattice knows of the data.
    ///
    /// ```
    /// use haggle::{Engine, Options, Project};
    ///
    /// let project = Project::open("demo:adult")?;
    /// let engine = Engine::open(&project, &Options::default())?;
    /// let overview = project.overview(&engine);
    /// assert_eq!((overview.name.as_str(), overview.records), ("adult", 30_162));
    /// assert_eq!(overview.sensitive, ["hours-per-week"]);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn overview(&self, engine: &Engine) -> ProjectOverview {
        let qi = self.default_qi();
        let attribute = |a: &crate::project::Attribute| AttributeOverview {
            name: a.name.clone(),
            role: a.role,
            qi: qi.contains(&a.name),
            levels: self.levels(a, engine),
        };
        ProjectOverview {
            name: self.name(),
            version: VERSION.into(),
            records: engine.records(),
            attributes: self.attributes.iter().map(attribute).collect(),
            qi: qi.clone(),
            sensitive: self.named(Role::Sensitive),
            defaults: self.defaults.spelled_out(),
            notice: engine.notice().map(str::to_owned),
        }
    }

    /// The most general level of an attribute, as far as it can be told without another scan.
    fn levels(&self, attribute: &crate::project::Attribute, engine: &Engine) -> Option<u8> {
        let counted = engine.cube().attributes().iter().find(|a| a.name == attribute.name);
        let top = |hierarchy: &Hierarchy| hierarchy.top().into();
        let read =
            || -> Result<Option<u8>, Error> { Ok(from_file(self, attribute)?.as_ref().map(top)) };
        counted.map(|a| top(&a.hierarchy)).or_else(|| read().ok().flatten())
    }
}

impl Engine {
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

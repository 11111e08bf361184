//! The thresholds of a request next to those of the project: which stay, and which would be weaker.

use std::fmt;

use haggle_search::Request;
use serde::Serialize;

use crate::criterion::Criterion;
use crate::{Amount, Ask, Engine, Error, Levels, Privacy, Project, Role};

/// A threshold of the project that a publication would not keep.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Weakened {
    /// The project's threshold, in full.
    pub project: String,
    /// The threshold of the same model in its place; none if the model is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promised: Option<String>,
}

impl fmt::Display for Weakened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.promised {
            Some(promised) => {
                write!(f, "{promised} is weaker than the project's {}", self.project)
            }
            None => write!(f, "the project's {} is missing", self.project),
        }
    }
}

impl Ask {
    /// The same with those thresholds of a project whose model it does not name on the same
    /// attribute. A list that is said to be complete, and one that is empty, stay as they are.
    fn beside(&self, project: &[Privacy], sensitive: &[&str]) -> Self {
        if self.only || self.privacy.is_empty() {
            return self.clone();
        }
        let replaced = |one: &&Privacy| self.privacy.iter().any(|own| own.is_on(one, sensitive));
        let kept = project.iter().filter(|one| !replaced(one)).cloned();
        Self { privacy: self.privacy.iter().cloned().chain(kept).collect(), ..self.clone() }
    }
}

impl Ask {
    /// The same without the first number of each model.
    pub(crate) fn varying(self) -> Self {
        let mut privacy = self.privacy;
        for one in &mut privacy {
            let first = haggle_privacy::find(&one.model).map(|model| model.threshold().name);
            one.parameters.retain(|name, _| Some(name.as_str()) != first);
        }
        Self { privacy, ..self }
    }
}

impl Privacy {
    /// Whether two thresholds are of the same model and the same attribute.
    fn is_on(&self, other: &Self, sensitive: &[&str]) -> bool {
        let only = if let [only] = sensitive { Some(*only) } else { None };
        let on = |one: &Self| one.on.clone().or_else(|| only.map(str::to_owned));
        let sensitive = haggle_privacy::find(&self.model).is_some_and(|model| model.sensitive);
        self.model == other.model && (!sensitive || on(self) == on(other))
    }
}

impl Project {
    /// The request with the project's other thresholds: a model that is named replaces the project's
    /// threshold of that model on the same attribute, and the others stay.
    ///
    /// ```
    /// use haggle::{Ask, Privacy, Project};
    ///
    /// let project = Project::open("demo:adult")?;                        // k = 5
    /// let ask = Ask { privacy: vec![Privacy::of("t-closeness", 0.2)], ..Ask::default() };
    /// assert_eq!(project.with_other_thresholds(&ask).privacy.len(), 2);
    /// let only = Ask { only: true, ..ask };
    /// assert_eq!(project.with_other_thresholds(&only).privacy.len(), 1);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        let sensitive = self.named(Role::Sensitive);
        let sensitive: Vec<&str> = sensitive.iter().map(String::as_str).collect();
        ask.beside(&self.defaults.privacy, &sensitive)
    }
}

impl Engine {
    /// The request with the other thresholds of the project, as
    /// [`Project::with_other_thresholds`] has it.
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        let sensitive: Vec<&str> =
            self.facts().iter().map(|facts| facts.target.name.as_str()).collect();
        ask.beside(&self.defaults().privacy, &sensitive)
    }

    /// A request in full: every threshold with all its parameters, its attribute and options, the limit
    /// in records, and a maximum level for each quasi-identifier. It can be asked as it stands.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let asked = serde_json::to_value(engine.asked(&Ask::default())?)?;
    /// assert_eq!(asked["privacy"][0], serde_json::json!({"model": "k-anonymity", "k": 5}));
    /// assert_eq!((&asked["max_suppressed"], &asked["levels"]["age"]), (&301.into(), &4.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asked(&self, ask: &Ask) -> Result<Ask, Error> {
        let ask = ask.or(self.defaults());
        let criteria = self.criteria(&ask)?;
        let request = ask.request_on(self.cube(), Vec::new(), Vec::new())?;
        Ok(self.in_full(&ask, &criteria, &request))
    }

    /// The same where the criteria and the resolved request are known.
    pub(crate) fn in_full(&self, ask: &Ask, criteria: &[Criterion], request: &Request) -> Ask {
        let levels = request.caps.levels().iter().map(|&level| level.into());
        let names = self.attributes().into_iter().map(String::from);
        Ask {
            privacy: criteria.iter().map(Criterion::to_privacy).collect(),
            levels: Some(Levels::ByName(names.zip(levels).collect())),
            max_suppressed: Some(Amount::Records(request.limit)),
            relax_height: None,
            ..ask.clone()
        }
    }

    /// The thresholds of the project that a request does not have, or has weaker.
    pub fn weakened(&self, ask: &Ask) -> Result<Vec<Weakened>, Error> {
        let project = &self.defaults().privacy;
        if project.is_empty() {
            return Ok(Vec::new());
        }
        let project = self.criteria(&Ask { privacy: project.clone(), ..Ask::default() })?;
        Ok(weakened(&self.criteria(ask)?, &project))
    }
}

/// The criteria of the project that no promised one is as strong as.
fn weakened(promised: &[Criterion], project: &[Criterion]) -> Vec<Weakened> {
    let kept = |one: &&Criterion| promised.iter().any(|own| own.is_as_strong_as(one));
    let weakened = |one: &Criterion| Weakened {
        project: one.words(),
        promised: promised.iter().find(|own| own.is_on(one)).map(Criterion::words),
    };
    project.iter().filter(|one| !kept(one)).map(weakened).collect()
}

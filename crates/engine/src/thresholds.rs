//! The thresholds of a request next to those of the project: which stay, and which would be weaker.

use haggle_api::{Amount, Ask, Levels, Weakened};
use haggle_model::Error;
use haggle_search::Request;

use crate::Engine;
use crate::criterion::Criterion;
use crate::resolve::request_on;

impl Engine {
    /// The request with the other thresholds of the project, as
    /// [`Project::with_other_thresholds`] has it.
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        let sensitive: Vec<&str> =
            self.facts().iter().map(|facts| facts.target.name.as_str()).collect();
        ask.combined_with(&self.defaults().privacy, &sensitive)
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
        let request = request_on(&ask, self.cube(), Vec::new(), Vec::new())?;
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

//! Requests next to the thresholds of a project.

use std::fmt;

use serde::Serialize;

use crate::{Ask, Privacy};

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
    pub fn combined_with(&self, project: &[Privacy], sensitive: &[&str]) -> Self {
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
    pub fn varying(self) -> Self {
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

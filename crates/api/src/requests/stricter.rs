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
    /// Adds those thresholds of a project whose model the request does not name on the same
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
    /// Removes the first number of each model, whether it is given by name or not.
    pub fn varying(self) -> Self {
        let mut privacy = self.privacy;
        for one in &mut privacy {
            let first = haggle_privacy::find(&one.model).map(|model| model.threshold().name);
            one.parameters.retain(|name, _| !name.is_empty() && Some(name.as_str()) != first);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(privacy: &[&str]) -> Ask {
        let privacy = privacy.iter().map(|text| text.parse().unwrap()).collect();
        Ask { privacy, ..Ask::default() }
    }

    #[test]
    fn thresholds_of_the_project_stay_unless_their_model_is_named() {
        let project = asked(&["k-anonymity=5", "distinct-l-diversity:l=3,on=disease"]).privacy;
        for (own, sensitive, kept) in [
            ("t-closeness:t=0.2,on=disease", &["disease"][..], &[0, 1][..]),
            ("k-anonymity=3", &["disease"], &[1]),
            ("distinct-l-diversity:l=2,on=disease", &["disease", "income"], &[0]),
            ("distinct-l-diversity:l=2,on=income", &["disease", "income"], &[0, 1]),
            ("distinct-l-diversity:l=2", &["disease"], &[0]),
        ] {
            let combined = asked(&[own]).combined_with(&project, sensitive).privacy;
            let kept = kept.iter().map(|&i: &usize| project[i].clone());
            let expected: Vec<Privacy> = asked(&[own]).privacy.into_iter().chain(kept).collect();
            assert_eq!(combined, expected, "{own} of {sensitive:?}");
        }
        for ask in [asked(&["k-anonymity=3"]).only(), Ask::default(), Ask::default().only()] {
            assert_eq!(ask.combined_with(&project, &[]), ask, "complete, or not stated at all");
        }
    }

    #[test]
    fn a_number_varies_by_its_name_and_without_one() {
        for own in ["recursive-l-diversity:l=3,c=2", "k-anonymity:k=3", "k-anonymity=3"] {
            let named = asked(&[own]).spelled_out().varying();
            assert_eq!(asked(&[own]).varying(), named, "{own}");
            let first = haggle_privacy::find(&named.privacy[0].model).unwrap().threshold().name;
            let left: Vec<&String> = named.privacy[0].parameters.keys().collect();
            assert!(!left.iter().any(|name| name.is_empty() || *name == first), "{own}: {left:?}");
        }
    }
}

//! Requests with the thresholds of the project.

use haggle_api::Ask;
use haggle_api::privacy::k_asked;
use haggle_model::Role;

use crate::Project;

impl Project {
    /// The request with the project's other thresholds: a model that is named replaces the project's
    /// threshold of that model on the same attribute, and the others stay.
    ///
    /// ```
    /// use haggle::{Ask, Privacy, Project};
    ///
    /// let project = Project::open("demo:adult")?;                        // k = 5
    /// let ask = Ask { privacy: vec![Privacy::new("t-closeness", 0.2)], ..Ask::default() };
    /// assert_eq!(project.with_other_thresholds(&ask).privacy.len(), 2);
    /// let only = Ask { only: true, ..ask };
    /// assert_eq!(project.with_other_thresholds(&only).privacy.len(), 1);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        let sensitive = self.named(Role::Sensitive);
        let sensitive: Vec<&str> = sensitive.iter().map(String::as_str).collect();
        ask.combined_with(&self.defaults.privacy, &sensitive)
    }
}

impl Project {
    /// Returns the k that is asked by default.
    pub fn k(&self) -> Option<u64> {
        k_asked(&self.defaults.privacy)
    }
}

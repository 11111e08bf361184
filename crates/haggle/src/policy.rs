//! The same publication again, on other data: what a private manifest fixes, and what must agree.

use haggle_data::Suppress;
use haggle_model::{Problem, Problems, Recoding, Scheme};

use crate::ask::Ask;
use crate::{Engine, Error, PrivateManifest};

/// So many values that would be published differently are named.
const NAMED: usize = 5;

impl PrivateManifest {
    /// The quasi-identifiers, in the order of the scheme's levels.
    pub fn quasi_identifiers(&self) -> Vec<String> {
        self.public.attributes.iter().map(|attribute| attribute.name.clone()).collect()
    }

    /// The scheme that was applied.
    pub fn scheme(&self) -> &Scheme {
        let Recoding::Levels { scheme } = &self.public.recoding;
        scheme
    }

    /// The thresholds that were promised; the limit on suppression is left to the new request.
    pub fn thresholds(&self) -> Ask {
        Ask { privacy: self.asked.privacy.clone(), ..Ask::default() }
    }

    /// What happened to suppressed records.
    pub fn suppress(&self) -> Suppress {
        if self.suppress == "star" { Suppress::Star } else { Suppress::Drop }
    }
}

impl Engine {
    /// Whether this engine's hierarchies publish every value of the policy as it was published.
    pub fn check_policy(&self, policy: &PrivateManifest) -> Result<(), Error> {
        let scheme = self.scheme(policy.scheme())?;
        let mut problems = Vec::new();
        for (position, attribute) in self.cube().attributes().iter().enumerate() {
            let hierarchy = &attribute.hierarchy;
            let level = scheme.level(position);
            let Some(mapping) = policy.mapping.get(&attribute.name) else { continue };
            let differs = mapping.iter().filter(|(recorded, published)| {
                let now = hierarchy.code(recorded).map(|code| hierarchy.ancestor(code, level));
                now.is_some_and(|code| hierarchy.label(code, level) != published.as_str())
            });
            let differs: Vec<String> =
                differs.map(|(recorded, _)| format!("'{recorded}'")).collect();
            if !differs.is_empty() {
                let named = differs[..differs.len().min(NAMED)].join(", ");
                let what = format!(
                    "the hierarchy of '{}' is not the one of the policy: {} of its values would be published differently, such as {named}",
                    attribute.name,
                    differs.len()
                );
                problems.push(Problem::new(what).fix("use the hierarchy of the first publication"));
            }
        }
        Ok(Problems::check(problems)?)
    }
}

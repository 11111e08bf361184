//! What is known of the sensitive attributes of a table: what the project states, and the counts.

use haggle_cube::Cube;
use haggle_model::{Dictionary, Error, Problems, Role, Silent};
use haggle_privacy::{Facts, Stated, Target};

use crate::Project;
pub use crate::stated::AllStated;
use crate::survey::survey;

/// The sensitive attributes of a cube, with what is stated of them.
pub fn facts(cube: &Cube, stated: &AllStated) -> Result<Vec<Facts>, Error> {
    let counted = counts(cube);
    let one = |((position, watched), counts): ((usize, &haggle_model::Watched), Vec<u64>)| {
        let target = Target { position, name: watched.name.clone() };
        let stated = stated.get(&watched.name).cloned().unwrap_or_default();
        resolve(target, watched.values.clone(), counts, &stated)
    };
    cube.sensitive().zip(counted).map(one).collect()
}

/// The facts of one attribute; what does not fit is an error.
pub fn resolve(
    target: Target,
    values: Dictionary,
    counts: Vec<u64>,
    stated: &Stated,
) -> Result<Facts, Error> {
    Facts::new(target, values, counts, stated).map_err(|problems| {
        Problems::check(problems).expect_err("what does not fit has problems").into()
    })
}

/// How many records have each value of each sensitive attribute.
pub(crate) fn counts(cube: &Cube) -> Vec<Vec<u64>> {
    let of = |(position, watched): (usize, &haggle_model::Watched)| {
        let mut counts = vec![0; watched.values.len()];
        cube.for_each_group(cube.space().top(), position, |_, group| {
            for value in group.values {
                counts[value.code as usize] += value.count;
            }
        });
        counts
    };
    cube.sensitive().map(of).collect()
}

impl Project {
    /// Whether it states anything of how far apart the values of a sensitive attribute are.
    pub fn states_distances(&self) -> bool {
        let sensitive = self.attributes.iter().filter(|a| a.role == Role::Sensitive);
        sensitive.map(|a| &a.sensitive.stated).any(|s| s.order.is_some() || s.distance.is_some())
    }

    /// What it states of a sensitive attribute, without the files that it names.
    pub fn stated(&self, attribute: &str) -> Option<&Stated> {
        let found = self.attributes.iter().find(|a| a.name == attribute);
        found.map(|attribute| &attribute.sensitive.stated)
    }

    /// What is known of the sensitive attributes of the project's data.
    pub fn facts(&self, memory: usize) -> Result<(Vec<Facts>, AllStated), Error> {
        // One quasi-identifier is enough: its groups are not used.
        let first: Vec<String> = self.default_qi().into_iter().take(1).collect();
        let mut survey = survey(self, &first, memory, &Silent)?;
        let stated = std::mem::take(&mut survey.stated);
        Ok((facts(&survey.into_cube(self), &stated)?, stated))
    }
}

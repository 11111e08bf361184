//! Which groups of a publication may hold a person.

use rustc_hash::FxHashMap;

use crate::PublishedGroups;
use crate::groups::Extent;

/// No value set of the attribute contains the value.
const NONE: u32 = u32::MAX;

/// Finds the groups that a recorded combination may be in.
#[derive(Debug)]
pub struct Locator<'g> {
    groups: &'g PublishedGroups<'g>,
    /// By attribute, the value set of each recorded code, if no two sets of an attribute overlap.
    sets: Option<Vec<Vec<u32>>>,
    by_sets: FxHashMap<&'g [u32], usize>,
    /// The suppressed records that are kept with stars.
    rest: Option<usize>,
}

impl<'g> Locator<'g> {
    /// Prepares the search in a publication.
    pub fn new(groups: &'g PublishedGroups<'g>) -> Self {
        let by_sets = groups.groups().iter().enumerate().filter_map(|(at, group)| {
            let Extent::Product(codes) = &group.extent else { return None };
            Some((&**codes, at))
        });
        let rest = groups.groups().iter().position(|group| group.extent == Extent::Rest);
        Self { sets: sets_of_codes(groups), by_sets: by_sets.collect(), groups, rest }
    }

    /// Returns the groups that may hold a person with these recorded codes.
    pub fn holding(&self, codes: &[u32]) -> Vec<usize> {
        let mut found = match &self.sets {
            Some(sets) => {
                let key: Vec<u32> = codes.iter().zip(sets).map(|(&c, s)| s[c as usize]).collect();
                self.by_sets.get(key.as_slice()).copied().into_iter().collect()
            }
            None => self.groups.holding(codes),
        };
        if found.is_empty() || !self.groups.is_disjoint() {
            found.extend(self.rest);
        }
        found
    }
}

fn sets_of_codes(groups: &PublishedGroups<'_>) -> Option<Vec<Vec<u32>>> {
    let of = |(attribute, sets): (usize, &Vec<haggle_cube::query::ValueSet>)| {
        let hierarchy = &groups.attributes()[attribute].hierarchy;
        let mut of_code = vec![NONE; hierarchy.len(0.into())];
        for (set, values) in sets.iter().enumerate() {
            for code in values.iter() {
                if of_code[code as usize] != NONE {
                    return None;
                }
                of_code[code as usize] = set as u32;
            }
        }
        Some(of_code)
    };
    groups.sets().iter().enumerate().map(of).collect()
}

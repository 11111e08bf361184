//! Suppressed records that stay in the publication with `*` in every quasi-identifier: they look
//! alike, so they are one group, and that group must keep the promise as every other.

use haggle_cube::Merged;
use haggle_data::Suppress;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use haggle_model::ANY;

use super::Failing;

/// What becomes of the suppressed records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Stars {
    /// They are dropped, as asked, or there are none.
    #[default]
    NotAsked,
    /// They are kept: this many records are `*` throughout.
    Kept {
        /// Suppressed records, and any that look the same because of their hierarchies.
        records: u64,
    },
    /// They are dropped although stars were asked for: as a group they fail these models.
    Failed {
        /// The models, as answers name them.
        models: Vec<String>,
    },
}

impl Stars {
    /// What is done to suppressed records.
    pub(crate) fn suppress(&self) -> Suppress {
        if matches!(self, Self::Kept { .. }) { Suppress::Star } else { Suppress::Drop }
    }

    /// How many records look like `*` throughout.
    pub(crate) fn records(&self) -> u64 {
        if let Self::Kept { records } = self { *records } else { 0 }
    }

    /// The models because of which suppressed records were dropped although stars were asked for.
    pub(crate) fn failed(&self) -> Vec<String> {
        if let Self::Failed { models } = self { models.clone() } else { Vec::new() }
    }
}

/// Whether suppressed records can be kept with stars, if that is asked for.
pub(super) fn stars(
    recoded: &Recoded<'_>,
    asked: Suppress,
    failing: &Failing,
    criteria: &[Criterion],
) -> Stars {
    if asked == Suppress::Drop || failing.records == 0 {
        return Stars::NotAsked;
    }
    let fails = |c: &&Criterion| !c.passes(&starred(recoded, failing, c.watches()).group());
    let models: Vec<String> =
        criteria.iter().filter(fails).map(|criterion| criterion.label.clone()).collect();
    if models.is_empty() {
        Stars::Kept { records: starred(recoded, failing, 0).group().records }
    } else {
        Stars::Failed { models }
    }
}

/// The group that suppressed records form if they are kept with stars.
pub(super) fn starred(recoded: &Recoded<'_>, failing: &Failing, watched: usize) -> Merged {
    let mut starred = Merged::default();
    recoded.for_each_group(watched, |codes, group| {
        if failing.groups.contains(codes) || shows_nothing(recoded, codes) {
            starred.add(group);
        }
    });
    starred
}

/// Whether a group is published as `*` in every quasi-identifier.
pub(super) fn shows_nothing(recoded: &Recoded<'_>, codes: &[u32]) -> bool {
    codes.iter().enumerate().all(|(i, &code)| recoded.shown(i, code) == ANY)
}

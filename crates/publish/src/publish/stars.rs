//! Suppressed records that stay in the publication with `*` in every quasi-identifier: they look
//! alike, so they are one group, and that group must keep the promise as every other.

use haggle_cube::Merged;
use haggle_data::Suppress;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;

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

/// Whether suppressed records can be kept with stars, if that is asked for. A flag column tells them
/// from other records that are `*` throughout, so with one they must also pass without these.
pub(super) fn stars(
    recoded: &Recoded<'_>,
    asked: Suppress,
    flag: Option<&str>,
    failing: &Failing,
    criteria: &[Criterion],
) -> Stars {
    if asked == Suppress::Drop || failing.records == 0 {
        return Stars::NotAsked;
    }
    let fails = |c: &&Criterion| {
        let alike = recoded.starred(failing, c.watches());
        let flagged = flag.map(|_| suppressed(recoded, failing, c.watches()));
        [Some(alike), flagged].iter_mut().flatten().any(|group| !c.passes(&group.group()))
    };
    let models: Vec<String> =
        criteria.iter().filter(fails).map(|criterion| criterion.label.clone()).collect();
    if models.is_empty() {
        Stars::Kept { records: recoded.starred(failing, 0).group().records }
    } else {
        Stars::Failed { models }
    }
}

/// The suppressed records alone, as a group.
fn suppressed(recoded: &Recoded<'_>, failing: &Failing, watched: usize) -> Merged {
    let mut suppressed = Merged::default();
    recoded.for_each_group(watched, |codes, group| {
        if failing.groups.contains(codes) {
            suppressed.add(group);
        }
    });
    suppressed
}

#[cfg(test)]
mod tests {
    use haggle_api::Privacy;
    use haggle_cube::{CountedPart, Counter, Cube};
    use haggle_model::{Hierarchy, QuasiIdentifier, Scheme, Watched};
    use haggle_project::facts::{AllStated, facts};

    use super::*;

    /// Records of ages 21, 22, 31 and 99 with a cold or flu: by the codes of both, how many there
    /// are. At level 1 an age of 99 is published as `*`.
    fn cube(records: &[(u32, u32, u64)]) -> Cube {
        let paths = [["21", "20s", "*"], ["22", "20s", "*"], ["31", "30s", "*"], ["99", "*", "*"]];
        let hierarchy = Hierarchy::from_paths("age", paths).unwrap();
        let age = QuasiIdentifier { name: "age".into(), hierarchy };
        let values: Vec<Box<str>> = vec!["cold".into(), "flu".into()];
        let disease = Watched { name: "disease".into(), values: values.into() };
        let mut counter = Counter::new(1, 1);
        for &(age, disease, count) in records {
            counter.add_many(&[age, disease], count);
        }
        let recode = vec![vec![0, 1, 2, 3], vec![0, 1]];
        Cube::from_parts(vec![age], vec![disease], &[CountedPart { counter, recode }])
    }

    /// What becomes of the records that ages at level 1 suppress.
    fn judged(records: &[(u32, u32, u64)], privacy: &[&str], asked: Suppress) -> Stars {
        judged_with(None, records, privacy, asked)
    }

    /// What becomes of the records that ages at level 1 suppress, with a flag column.
    fn judged_with(
        flag: Option<&str>,
        records: &[(u32, u32, u64)],
        privacy: &[&str],
        asked: Suppress,
    ) -> Stars {
        let cube = cube(records);
        let privacy: Vec<Privacy> = privacy.iter().map(|text| text.parse().unwrap()).collect();
        let facts = facts(&cube, &AllStated::new()).unwrap();
        let criteria = Criterion::all(&privacy, &facts, None).unwrap();
        let recoded = Recoded::scheme(&cube, Scheme::new([1]));
        stars(&recoded, asked, flag, &recoded.failing(&criteria), &criteria)
    }

    const K: &str = "k-anonymity=2";
    const L: &str = "distinct-l-diversity=2";

    #[test]
    fn suppressed_records_are_kept_with_stars_if_they_pass_as_one_group() {
        let twenties = [(0, 0, 1), (1, 1, 1)];
        let failed = |model: &str| Stars::Failed { models: vec![model.into()] };
        for (more, privacy, expected) in [
            // One record in its thirties is no crowd.
            (vec![(2, 0, 1)], vec![K], failed("k-anonymity")),
            // Records of age 99 pass, and are published as stars as well.
            (vec![(2, 0, 1), (3, 0, 2)], vec![K], Stars::Kept { records: 3 }),
            // Neither group has two diseases, and both together have one or two.
            (vec![(2, 0, 2), (3, 0, 2)], vec![K, L], failed("distinct-l-diversity")),
            (vec![(2, 0, 2), (3, 1, 2)], vec![K, L], Stars::Kept { records: 4 }),
        ] {
            let records: Vec<(u32, u32, u64)> = twenties.into_iter().chain(more).collect();
            assert_eq!(judged(&records, &privacy, Suppress::Star), expected, "{records:?}");
        }
    }

    #[test]
    fn a_flag_needs_suppressed_records_that_pass_without_recorded_stars() {
        let judged =
            |records: &[(u32, u32, u64)]| judged_with(Some("f"), records, &[K], Suppress::Star);
        // One record in its thirties is alone among the flagged ones, although two are stars as well.
        let failed = Stars::Failed { models: vec!["k-anonymity".into()] };
        assert_eq!(judged(&[(0, 0, 1), (1, 1, 1), (2, 0, 1), (3, 0, 2)]), failed);
        // Two of different ages are two flagged ones.
        assert_eq!(judged(&[(0, 0, 1), (2, 0, 1), (3, 0, 2)]), Stars::Kept { records: 4 });
    }

    #[test]
    fn nothing_becomes_stars_unless_that_is_asked_for_and_needed() {
        let (twenties, thirty) = ([(0, 0, 1), (1, 1, 1)], [(0, 0, 1), (1, 1, 1), (2, 0, 1)]);
        assert_eq!(judged(&thirty, &[K], Suppress::Drop), Stars::NotAsked);
        assert_eq!(judged(&twenties, &[K], Suppress::Star), Stars::NotAsked);
    }

    #[test]
    fn suppressed_records_are_dropped_unless_they_are_kept_as_stars() {
        let failed = Stars::Failed { models: vec!["k-anonymity".into()] };
        for (stars, suppress, records, models) in [
            (Stars::NotAsked, Suppress::Drop, 0, 0),
            (failed, Suppress::Drop, 0, 1),
            (Stars::Kept { records: 3 }, Suppress::Star, 3, 0),
        ] {
            let found = (stars.suppress(), stars.records(), stars.failed().len());
            assert_eq!(found, (suppress, records, models), "{stars:?}");
        }
    }
}

//! Recursive categorical diversity: no category dominates a group even if l − 2 others are ruled
//! out.
//!
//! Definition: the largest share of a sensitive category is at most c times the share that no l − 1
//! categories together can cover. Formula: max n(g,c) ≤ c · (n(g) − MC(l − 1)), where MC(j) is the
//! most records that j categories cover.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.5.8, which prints MC(l); with l − 1 it agrees with
//! recursive density control, and with recursive diversity, on disjoint categories. `covering=l` is
//! as printed: Hsu's (c,l) is (c,l + 1) here.
//!
//! In a merged group the largest category and MC are at most the sums of the parts': closed. Where
//! categories overlap and are too many, MC is bounded from above: a group passes only on the safe
//! side, and two passing groups may fail together: free.

use std::cell::RefCell;
use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::categorical_diversity::{BOUNDED, are_bounds, bounded, members};
use super::recursion::{Reach, Recursion, hopeless};
use super::{COVER, HSU, beyond};
use crate::cover::{maximum_covering, most_covered};
use crate::exact::ratio;
use crate::memo::Memo;
use crate::{Error, Model, Parameter, ParameterOption, Setting};

pub(super) const MODEL: Model = Model {
    id: "recursive-categorical-diversity",
    title: "(c,l)-categorical recursive diversity",
    definition: "In every group the largest sensitive category has at most c times the records that the l - 1 categories which cover most leave uncovered. Hsu's definition prints l for l - 1 (covering=l): what is (c,l) there is (c,l+1) here.",
    formula: "max over categories n(g,category) <= c * (n(g) - MC(l - 1)), MC(j) the most records that j categories cover; MC(l) with covering=l",
    citation: HSU,
    example: "Five cancers, three tuberculoses and two AIDS cases, the last both terminal and infectious: terminal holds 7. At l = 2 one category covers 7 at most, 3 are left, and 7/3 = 2.34 is needed of c; at l = 3 nothing is left. With covering=l nothing is left at l = 2.",
    parameters: &[
        Parameter::count("l", "how many categories must be ruled out before one becomes likely"),
        Parameter::number(
            "c",
            "the largest category has at most c times the rest",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::AtMost),
        )
        .usually(2.0),
    ],
    choices: &[
        ParameterOption {
            name: "covering",
            meaning: "how many categories are ruled out: l - 1 (the default, as recursive diversity) or l (as Hsu 2008 prints in definition 3.5.8)",
            options: &["l-1", "l"],
        },
        COVER,
    ],
    sensitive: true,
    states: &["categories"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(RecursiveCategoricalDiversity::of_setting(setting)?)),
};

/// The largest category over what l − 1 categories leave; or the largest l at c.
#[derive(Debug)]
pub struct RecursiveCategoricalDiversity {
    column: Column,
    recursion: Recursion,
    members: Vec<u64>,
    categories: usize,
    /// How many categories fewer than l are ruled out.
    fewer: usize,
    bounds: bool,
    memo: Memo,
}

/// With at most this many categories, trying every choice is faster than looking a pattern up.
const FEW: usize = 6;

thread_local! {
    static ELEMENTS: RefCell<Vec<(u64, u64)>> = const { RefCell::new(Vec::new()) };
}

impl RecursiveCategoricalDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let members = members(setting, facts)?.to_vec();
        let bounds = are_bounds(setting, facts)?;
        let fewer = usize::from(setting.choice("covering") != Some("l"));
        let reach = Reach { most: facts.categories + fewer, unlimited: members.contains(&0) };
        let mut choices = setting.unusual(&[("covering", "l-1")]);
        choices.extend(bounds.then_some(BOUNDED));
        Ok(Self {
            column: bounded(reach.column(setting, &choices), bounds),
            recursion: Recursion::new(setting, "c", Passing::AtMost, reach)?,
            members,
            categories: facts.categories,
            fewer,
            bounds,
            memo: Memo::default(),
        })
    }

    /// Computed once for each pattern of counts if it is expensive; with few categories it is not.
    fn compute(&self, elements: &mut [(u64, u64)], known: u64) -> f64 {
        let largest = maximum_covering(elements, 1);
        let covering = if self.bounds { most_covered } else { maximum_covering };
        let compute = |elements: &[(u64, u64)]| {
            self.recursion.statistic(|l| {
                let left = known - covering(elements, l - self.fewer);
                ratio(largest.into(), left.into())
            })
        };
        if self.categories <= FEW {
            return compute(elements);
        }
        elements.sort_unstable();
        let pattern: Vec<u64> = elements.iter().flat_map(|&(mask, count)| [mask, count]).collect();
        self.memo.get(&pattern, || compute(elements))
    }
}

impl Statistic for RecursiveCategoricalDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn is_bound(&self) -> bool {
        self.bounds
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        ELEMENTS.with_borrow_mut(|elements| {
            elements.clear();
            for value in group.values {
                let (mask, count) = (self.members[value.code as usize], value.count);
                match elements.iter_mut().find(|(known, _)| *known == mask) {
                    Some((_, records)) => *records += count,
                    None => elements.push((mask, count)),
                }
            }
            self.compute(elements, group.known())
        })
    }
}

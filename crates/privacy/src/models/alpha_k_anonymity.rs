//! (α,k)-anonymity: groups of k records, and no sensitive value with too large a share.
//!
//! Definition: a group has at least k records, and no sensitive value has a share above α.
//! Formula: |g| ≥ k and max n(g,s) / |g| ≤ α.
//! Citation: R. Wong, J. Li, A. Fu, K. Wang, "(α,k)-anonymity: an enhanced k-anonymity model for
//! privacy-preserving data publishing", KDD 2006.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::beyond;
use super::recursion::hopeless;
use crate::exact::{most, share};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "alpha-k-anonymity",
    title: "(alpha,k)-anonymity",
    definition: "Every group has at least k records, and no sensitive value has a share above alpha in it.",
    formula: "|g| >= k and max n(g,s) / |g| <= alpha",
    citation: "R. Wong, J. Li, A. Fu, K. Wang: (alpha,k)-anonymity: an enhanced k-anonymity model for privacy-preserving data publishing. KDD 2006",
    example: "A group of four with two heart diseases and two infections passes alpha = 0.5 and k = 4; four cancers pass no alpha below 1.",
    parameters: &[
        Parameter::number(
            "alpha",
            "the largest share of a sensitive value",
            beyond(0.0),
            beyond(1.0),
            Some(Passing::AtMost),
        ).usually(0.5),
        Parameter::count("k", "the minimum group size").usually(5.0),
    ],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(AlphaKAnonymity::of_setting(setting)?)),
};

/// The largest share if the group is large enough; or its size if no share is too large.
#[derive(Debug, Clone)]
pub struct AlphaKAnonymity {
    column: Column,
    fixed: Fixed,
}

#[derive(Debug, Clone, Copy)]
enum Fixed {
    Alpha(f64),
    K(f64),
}

impl AlphaKAnonymity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let fixed = if setting.negotiates("k") {
            Fixed::Alpha(setting.number("alpha")?)
        } else {
            Fixed::K(setting.number("k")?)
        };
        setting.facts()?;
        Ok(Self { column: setting.column(&[]), fixed })
    }
}

impl Statistic for AlphaKAnonymity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let (records, share) = (group.records as f64, share(most(group), group.known()));
        match self.fixed {
            _ if group.values.is_empty() => hopeless(&self.column),
            Fixed::Alpha(alpha) if share <= alpha => records,
            Fixed::K(k) if records >= k => share,
            _ => hopeless(&self.column),
        }
    }
}

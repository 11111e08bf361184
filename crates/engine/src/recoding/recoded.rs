//! A recoding on a table: its groups as published, whatever its kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use haggle_cube::{Applied, Base, Cube, Group, Merged};
use haggle_model::numerals::grouped;
use haggle_model::{
    ANY, Error, ErrorKind, Level, Recoder, Recoding, Remedy, Scheme, UNMATCHED, is_unmatched,
};
use sha2::{Digest, Sha256};

use crate::criteria::criterion::Criterion;
use crate::criteria::failing::Failing;
use crate::criteria::judging::ResolvedMeasure;
use crate::recoding::results::CachedResult;

/// What publishing takes for a recorded combination, and for each of its values: measured, with room.
const COMBINATION_BYTES: usize = 600;

const VALUE_BYTES: usize = 40;

/// The groups of a recoding that is no scheme.
#[derive(Debug)]
struct Parts {
    base: Arc<Base>,
    applied: Arc<Applied>,
}

/// A recoding and what it makes of the counted groups. Those of a scheme are rolled up when they
/// are asked for; those of any other recoding are kept.
#[derive(Debug)]
pub struct Recoded<'a> {
    cube: &'a Cube,
    recoding: Recoding,
    scheme: Scheme,
    parts: Option<Parts>,
}

/// Refuses to publish this many recorded combinations within some bytes, by a kind of recoding.
pub(crate) fn check_combinations(
    combinations: usize,
    attributes: usize,
    kind: &str,
    bytes: usize,
) -> Result<(), Error> {
    let needed = combinations.saturating_mul(COMBINATION_BYTES + attributes * VALUE_BYTES);
    if ["levels", "cuts"].contains(&kind) || needed <= bytes {
        return Ok(());
    }
    let what = format!(
        "publishing {combinations} recorded combinations as {kind} takes about {} MB, more memory \
         than allowed",
        needed >> 20
    );
    let fix = Remedy::RaiseMemory("or publish a scheme or cuts".into());
    Err(Error::of_kind(ErrorKind::OutOfMemory, what, fix))
}

impl<'a> Recoded<'a> {
    /// Every attribute at its level.
    pub fn scheme(cube: &'a Cube, scheme: Scheme) -> Self {
        Self { cube, recoding: Recoding::levels(scheme.clone()), scheme, parts: None }
    }

    /// Any recoding, as it was applied.
    pub fn applied(cube: &'a Cube, base: Base, recoding: Recoding, applied: Applied) -> Self {
        if let Recoding::Levels { scheme } = recoding {
            return Self::scheme(cube, scheme);
        }
        let scheme = cube.space().bottom();
        let parts = Parts { base: base.into(), applied: applied.into() };
        Self { cube, recoding, scheme, parts: Some(parts) }
    }

    /// One that was kept, on the groups that it was found on.
    pub fn again(cube: &'a Cube, kept: &CachedResult) -> Self {
        match kept {
            CachedResult::Scheme(scheme) => Self::scheme(cube, scheme.clone()),
            CachedResult::Parts { recoding, applied, split } => {
                let base = split.clone().unwrap_or_else(|| Base::of(cube).into());
                let parts = Parts { base, applied: applied.clone() };
                let (recoding, scheme) = (recoding.clone(), cube.space().bottom());
                Self { cube, recoding, scheme, parts: Some(parts) }
            }
        }
    }

    /// What is kept of it.
    pub(crate) fn kept(&self) -> CachedResult {
        match &self.parts {
            None => CachedResult::Scheme(self.scheme.clone()),
            Some(Parts { applied, base }) => CachedResult::Parts {
                recoding: self.recoding.clone(),
                applied: applied.clone(),
                split: base.is_split().then(|| base.clone()),
            },
        }
    }

    /// A name that only recodings share which publish the same records alike, as the same values.
    pub fn name(&self) -> String {
        let mut digest = Sha256::new();
        match &self.parts {
            None => digest.update(self.scheme.to_string()),
            Some(Parts { applied, base }) => (0..applied.len()).for_each(|part| {
                for label in applied.labels(part) {
                    digest.update(label);
                    digest.update([0]);
                }
                for &row in applied.rows(part) {
                    digest.update(row.to_le_bytes());
                    // Parts of a base group are known by their records as well.
                    if base.is_split() {
                        base.codes(row as usize)
                            .iter()
                            .for_each(|c| digest.update(c.to_le_bytes()));
                        digest.update(base.records(row as usize).to_le_bytes());
                    }
                }
            }),
        }
        digest.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Refuses to publish within this many bytes where values depend on each other and there are too
    /// many recorded combinations: what becomes of each is held in memory.
    pub fn check_memory(&self, bytes: usize) -> Result<(), Error> {
        let Some(Parts { base, .. }) = &self.parts else { return Ok(()) };
        check_combinations(base.len(), base.attributes(), self.recoding.kind(), bytes)
    }

    /// Returns the recoding as it is written to a manifest.
    pub fn recoding(&self) -> &Recoding {
        &self.recoding
    }

    /// It in short: a scheme, or how many values, boxes, patterns or parts.
    pub(crate) fn in_short(&self) -> String {
        match &self.recoding {
            Recoding::Levels { scheme } => scheme.to_string(),
            Recoding::Cuts { cuts } => {
                let values: Vec<String> = cuts.iter().map(|cut| cut.len().to_string()).collect();
                format!("cuts of {} values", values.join(", "))
            }
            Recoding::Boxes { boxes, .. } => match boxes.len() {
                1 => "1 box".into(),
                many => format!("{} boxes", grouped(many as f64, 0)),
            },
            Recoding::Cells { patterns } => match patterns.len() {
                1 => "1 pattern of cells".into(),
                many => format!("{} patterns of cells", grouped(many as f64, 0)),
            },
            Recoding::Parts { schemes } => match schemes.len() {
                1 => schemes[0].to_string(),
                many => format!("{} and {} more", schemes[0], many - 1),
            },
        }
    }

    /// The scheme, if it is one.
    pub fn levels(&self) -> Option<&Scheme> {
        self.parts.is_none().then_some(&self.scheme)
    }

    /// Shows `visit` every group by its published codes, with the counts of a watched attribute.
    pub fn for_each_group(&self, watched: usize, mut visit: impl FnMut(&[u32], &Group<'_>)) {
        match &self.parts {
            None => self.cube.for_each_group(&self.scheme, watched, visit),
            Some(Parts { base, applied }) => {
                applied.for_each_group(base, watched, |part, group| {
                    visit(applied.codes(part), group);
                });
            }
        }
    }

    /// Returns the groups that fail at least one criterion. A fully generalized group counts as
    /// suppressed when other groups exist.
    pub fn failing(&self, criteria: &[Criterion]) -> Failing {
        let mut failing = Failing::default();
        if let Some(Parts { base, applied }) = &self.parts
            && applied.len() > 1
        {
            let silent = |part: &usize| applied.is_fully_generalized(*part, self.cube.attributes());
            for part in (0..applied.len()).filter(silent) {
                let rows = applied.rows(part).iter();
                failing.groups.insert(applied.codes(part).into());
                failing.records += rows.map(|&row| base.records(row as usize)).sum::<u64>();
            }
        }
        for criterion in criteria {
            self.for_each_group(criterion.watches(), |codes, group| {
                failing.judge(criterion, codes, group);
            });
        }
        failing
    }

    /// The group that suppressed records form if they are kept with `*` in every quasi-identifier.
    pub fn starred(&self, failing: &Failing, watched: usize) -> Merged {
        let mut starred = Merged::default();
        self.for_each_group(watched, |codes, group| {
            if failing.groups.contains(codes) || self.shows_nothing(codes) {
                starred.add(group);
            }
        });
        starred
    }

    /// Returns whether suppressed records may be kept with stars: as a group they pass.
    pub fn keeps_stars(&self, failing: &Failing, criteria: &[Criterion]) -> bool {
        let passes = |c: &Criterion| c.passes(&self.starred(failing, c.watches()).group());
        criteria.iter().all(passes)
    }

    /// Returns whether a group is published as `*` in every quasi-identifier.
    pub fn shows_nothing(&self, codes: &[u32]) -> bool {
        codes.iter().enumerate().all(|(i, &code)| self.shown(i, code) == ANY)
    }

    /// What is lost if the failing groups are suppressed, and the standard error if it is an estimate.
    pub fn loss(&self, resolved: &ResolvedMeasure, failing: &Failing) -> (f64, Option<f64>) {
        let Some(Parts { base, applied }) = &self.parts else {
            return resolved.of_kept(self.cube, &self.scheme, failing);
        };
        let kept = |part: usize| !failing.groups.contains(applied.codes(part));
        applied.loss(base, &self.cube.space().bottom(), resolved.loss.as_ref(), kept)
    }

    /// Returns the counted groups and what becomes of each. Where records with the same recorded
    /// values are published differently, they are different groups here.
    pub fn to_applied(&self) -> (Base, Applied) {
        match &self.parts {
            None => {
                let base = Base::of(self.cube);
                let applied = Applied::levels(self.cube.attributes(), &base, &self.scheme);
                (base, applied)
            }
            Some(parts) => ((*parts.base).clone(), (*parts.applied).clone()),
        }
    }

    /// Returns whether records with the same recorded values may be published differently.
    pub fn splits_records(&self) -> bool {
        self.parts.as_ref().is_some_and(|parts| parts.base.is_split())
    }

    /// What records are recoded by.
    pub fn recoder(&self) -> Recoder<'a> {
        let attributes = self.cube.attributes();
        match &self.parts {
            None => Recoder::levels(&self.scheme, attributes),
            Some(Parts { base, applied }) => applied.recoder(attributes, base),
        }
    }

    /// The label of a published code; that of a missing value that matches nothing is not shown.
    pub fn label(&self, position: usize, code: u32) -> &str {
        match &self.parts {
            None => {
                self.cube.attributes()[position].hierarchy.label(code, self.scheme.level(position))
            }
            Some(parts) => &parts.applied.regions()[position][code as usize].label,
        }
    }

    /// A published code as it may be shown.
    pub fn shown(&self, position: usize, code: u32) -> &str {
        let label = self.label(position, code);
        if is_unmatched(label) { UNMATCHED } else { label }
    }

    /// Returns the lowest levels at which the records that are kept look as they do here: one
    /// scheme, or those of levels by part in ascending order; none for other recodings. Unlike the
    /// levels that were chosen they do not depend on records that are suppressed.
    pub fn lowest_schemes(&self, failing: &Failing) -> Vec<Scheme> {
        match (&self.recoding, &self.parts) {
            (Recoding::Levels { .. }, _) => vec![self.lowest_scheme(failing)],
            (Recoding::Parts { .. }, Some(Parts { base, applied })) => {
                let kept = |part: &usize| !failing.groups.contains(applied.codes(*part));
                let lowest = (0..applied.len()).filter(kept).map(|part| {
                    let sides = applied.codes(part).iter().enumerate();
                    let level = |(position, &code): (usize, &u32)| {
                        let label = self.shown(position, code);
                        let rows = applied.rows(part).iter();
                        let recorded = rows.map(|&row| base.codes(row as usize)[position]);
                        let labels: Vec<_> = recorded.map(|code| (code, label)).collect();
                        self.lowest_level(position, &labels)
                    };
                    Scheme::new(sides.map(level))
                });
                lowest.collect::<BTreeSet<Scheme>>().into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn lowest_scheme(&self, failing: &Failing) -> Scheme {
        let attributes = self.cube.attributes();
        let mut kept: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); attributes.len()];
        let mut published = vec![0; attributes.len()];
        self.cube.for_each_group(&self.cube.space().bottom(), 0, |codes, _| {
            for (position, &code) in codes.iter().enumerate() {
                let level = self.scheme.level(position);
                published[position] = attributes[position].hierarchy.ancestor(code, level);
            }
            if !failing.groups.contains(published.as_slice()) {
                kept.iter_mut().zip(codes).for_each(|(kept, &code)| {
                    kept.insert(code);
                });
            }
        });
        let level = |(position, kept): (usize, &BTreeSet<u32>)| {
            let (hierarchy, level) = (&attributes[position].hierarchy, self.scheme.level(position));
            let label = |code: u32| hierarchy.shown(hierarchy.ancestor(code, level), level);
            let labels: Vec<_> = kept.iter().map(|&code| (code, label(code))).collect();
            self.lowest_level(position, &labels)
        };
        Scheme::new(kept.iter().enumerate().map(level))
    }

    /// The lowest level at which these recorded codes of an attribute are shown by these labels; the
    /// most general one if there is none.
    fn lowest_level(&self, position: usize, labels: &[(u32, &str)]) -> u8 {
        let hierarchy = &self.cube.attributes()[position].hierarchy;
        let start = self.cube.start().map_or(Level::RECORDED, |start| start.level(position));
        let looks_the_same = |level: &u8| {
            let level = Level::from(*level);
            let label = |code: u32| hierarchy.shown(hierarchy.ancestor(code, level), level);
            labels.iter().all(|&(code, published)| label(code) == published)
        };
        let top = u8::from(hierarchy.top());
        (u8::from(start)..top).find(looks_the_same).unwrap_or(top)
    }

    /// The values that published codes stand for.
    pub fn labels(&self, codes: &[u32]) -> Vec<String> {
        codes.iter().enumerate().map(|(i, &code)| self.shown(i, code).to_owned()).collect()
    }

    /// The values that an attribute can be published as, in the order of what was recorded.
    pub fn values(&self, position: usize) -> Vec<&str> {
        let hierarchy = &self.cube.attributes()[position].hierarchy;
        match &self.parts {
            None => {
                let level = self.scheme.level(position);
                (0..hierarchy.matched(level) as u32).map(|c| hierarchy.label(c, level)).collect()
            }
            Some(parts) => {
                let mut regions: Vec<_> = parts.applied.regions()[position].iter().collect();
                regions.sort_by_key(|region| (region.leaves.start, region.leaves.end));
                regions.retain(|region| !is_unmatched(&region.label));
                regions.iter().map(|region| &*region.label).collect()
            }
        }
    }

    /// Every recorded combination and what it is published as, where that does not follow from each value alone.
    pub fn combinations(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let Some(Parts { base, applied }) = &self.parts else { return Vec::new() };
        if applied.recoder(self.cube.attributes(), base).map(0).is_some() {
            return Vec::new();
        }
        let recorded = |row: u32| {
            let codes = base.codes(row as usize).iter().zip(self.cube.attributes());
            codes.map(|(&code, a)| a.hierarchy.shown(code, Level::RECORDED).to_owned()).collect()
        };
        let rows = |part: usize| applied.rows(part).iter().map(move |&row| (part, row));
        let mut all: Vec<(Vec<String>, Vec<String>)> = (0..applied.len())
            .flat_map(rows)
            .map(|(part, row)| (recorded(row), self.labels(applied.codes(part))))
            .collect();
        all.sort();
        all.dedup();
        all
    }
}

#[cfg(test)]
#[path = "../../tests/unit/recoded.rs"]
mod tests;

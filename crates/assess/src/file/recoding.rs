//! A published file as a recoding of the table behind it: which records each of its groups has.

use std::collections::BTreeMap;

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, Base, Cube};
use haggle_engine::Engine;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_inference::PublishedGroups;
use haggle_inference::belief::Locator;
use haggle_model::{Error, Hierarchy, Level, QuasiIdentifier, Recoding, Region, Scheme, Span};
use rustc_hash::FxHashMap;

use crate::Inspection;
use crate::anatomy::must_be_one_table;

const NOT_EXPLAINED: &str = "the hierarchies of the project do not explain its values";
const OVERLAPPING: &str =
    "its groups overlap, so that it does not say which records of the table they have";
const OTHER_RECORDS: &str = "its groups do not have the records of the project's table";

/// A published file as a recoding of a table.
pub struct FileRecoding<'e> {
    /// The recoding: the scheme that was tried, or boxes.
    pub recoded: Recoded<'e>,
    /// The groups of the recoding that are not in the file.
    pub suppressed: Failing,
}

impl Inspection {
    /// Finds the recoding of an engine's table by which the file was made: by this scheme, if the
    /// file has its groups, else by boxes. If the file does not tell, the inner error says why.
    pub fn recoding_of<'e>(
        &self,
        engine: &'e Engine,
        scheme: Option<&Scheme>,
    ) -> Result<Result<FileRecoding<'e>, &'static str>, Error> {
        must_be_one_table(self.sensitive_table(), "the recoding")?;
        let measured = self.measured()?;
        let table = engine.cube();
        let groups = ResolvedFile::resolve(self, measured.cube(), table.attributes());
        let groups = groups.ok_or(NOT_EXPLAINED);
        Ok(groups.and_then(|groups| groups.recoding(table, scheme)))
    }

    /// Lists the values of each quasi-identifier that occur in the file.
    pub fn occurring(&self) -> Result<Vec<Vec<String>>, Error> {
        let measured = self.measured()?;
        let labels = |a: &QuasiIdentifier| {
            let codes = 0..a.hierarchy.matched(Level::RECORDED) as u32;
            codes.map(|code| a.hierarchy.label(code, Level::RECORDED).to_owned()).collect()
        };
        Ok(measured.cube().attributes().iter().map(labels).collect())
    }
}

/// The groups of a file by the recorded values that they may have.
struct ResolvedFile<'a> {
    file: &'a Cube,
    groups: PublishedGroups<'a>,
    /// By the codes that the file's own values have, the group.
    places: FxHashMap<Vec<u32>, usize>,
}

impl<'a> ResolvedFile<'a> {
    /// Resolves the cells of a file; none if a hierarchy does not explain one.
    fn resolve(
        inspection: &Inspection,
        file: &'a Cube,
        attributes: &'a [QuasiIdentifier],
    ) -> Option<Self> {
        let mut resolved = Vec::new();
        let visited = inspection.for_each_resolved(file, attributes, 0, |codes, sides, group| {
            resolved.push((codes.to_vec(), sides, group.records));
        });
        visited.ok()?;
        let records = resolved.iter().map(|(_, sides, records)| (sides.clone(), vec![], *records));
        let groups = PublishedGroups::of_file(attributes, &[], records);
        let all = |a: &QuasiIdentifier| a.hierarchy.len(Level::RECORDED) as u32;
        let whole = |a: &QuasiIdentifier| ValueSet::range(0..all(a));
        let by_sides = |group: usize| -> (Vec<ValueSet>, usize) {
            let sides = groups.sides(group).map(|sides| sides.into_iter().cloned().collect());
            // Suppressed records that are kept with stars have no sides of their own.
            (sides.unwrap_or_else(|| attributes.iter().map(whole).collect()), group)
        };
        let by_sides: FxHashMap<Vec<ValueSet>, usize> =
            (0..groups.groups().len()).map(by_sides).collect();
        let places = resolved.into_iter().map(|(codes, sides, _)| (codes, by_sides[&sides]));
        let places = places.collect();
        Some(Self { file, groups, places })
    }

    fn recoding<'e>(
        &self,
        table: &'e Cube,
        scheme: Option<&Scheme>,
    ) -> Result<FileRecoding<'e>, &'static str> {
        if !self.groups.is_disjoint() {
            return Err(OVERLAPPING);
        }
        let locator = Locator::new(&self.groups);
        let place = |codes: &[u32]| locator.holding(codes).first().copied();
        if !self.has_records_of(table, &place) {
            return Err(OTHER_RECORDS);
        }
        let base = Base::of(table);
        let places = (0..base.len()).map(|row| place(base.codes(row)));
        let rows = PlacedRows {
            attributes: table.attributes(),
            groups: &self.groups,
            places: places.collect(),
            base,
        };
        match scheme.filter(|scheme| rows.are_of_scheme(scheme)) {
            Some(scheme) => Ok(rows.scheme(table, scheme)),
            None => rows.boxes(table),
        }
    }

    /// Returns whether each group has as many records as the table has within it, with the same
    /// sensitive values where these are shown as recorded.
    fn has_records_of(&self, table: &Cube, place: &dyn Fn(&[u32]) -> Option<usize>) -> bool {
        let recorded = self.file.sensitive().filter_map(|(position, watched)| {
            let (there, known) = table.sensitive().find(|(_, w)| w.name == watched.name)?;
            let is_recorded = watched.values.values().all(|v| known.values.code(v).is_some());
            is_recorded.then_some((position, there))
        });
        let own = |codes: &[u32]| self.places.get(codes).copied();
        let mut looks = std::iter::once(None).chain(recorded.map(Some));
        looks.all(|look| {
            let (here, there) = look.unzip();
            counted(self.file, here, &own) == counted(table, there, place)
        })
    }
}

/// Counts the records of each group, all and by the value of a watched attribute.
fn counted(
    cube: &Cube,
    watched: Option<usize>,
    place: &dyn Fn(&[u32]) -> Option<usize>,
) -> BTreeMap<(usize, Option<String>), u64> {
    let mut counts = BTreeMap::new();
    cube.for_each_group(&cube.space().bottom(), watched.unwrap_or(0), |codes, group| {
        let Some(place) = place(codes) else { return };
        *counts.entry((place, None)).or_default() += group.records;
        let Some(watched) = watched else { return };
        for value in group.values {
            let name = cube.watched()[watched].values.value(value.code).to_owned();
            *counts.entry((place, Some(name))).or_default() += value.count;
        }
    });
    counts
}

/// The recorded combinations of a table, with the group of a file that each is in.
struct PlacedRows<'g> {
    attributes: &'g [QuasiIdentifier],
    groups: &'g PublishedGroups<'g>,
    places: Vec<Option<usize>>,
    base: Base,
}

impl PlacedRows<'_> {
    /// The value sets that the records of a row are published as; none if they are suppressed.
    fn sides(&self, row: usize) -> Option<Vec<&ValueSet>> {
        self.groups.sides(self.places[row]?)
    }

    /// Returns whether every row that is published is published at the levels of a scheme.
    fn are_of_scheme(&self, scheme: &Scheme) -> bool {
        let levels = scheme.levels();
        let is_level = |((&code, a), (side, &level)): PublishedCell<'_>| {
            let node = || a.hierarchy.leaves(a.hierarchy.ancestor(code, level), level);
            let is_apart = level < a.hierarchy.top() && is_apart(&a.hierarchy, code, side);
            is_apart || *side == ValueSet::range(node())
        };
        let is_published_so = |row: usize| {
            let codes = self.base.codes(row).iter().zip(self.attributes);
            let sides = self.sides(row);
            sides.is_none_or(|sides| codes.zip(sides.into_iter().zip(levels)).all(is_level))
        };
        let tops = self.attributes.iter().map(|a| a.hierarchy.top());
        levels.len() == self.attributes.len()
            && levels.iter().zip(tops).all(|(level, top)| *level <= top)
            && (0..self.base.len()).all(is_published_so)
    }

    /// The recoding by a scheme.
    fn scheme<'e>(&self, table: &'e Cube, scheme: &Scheme) -> FileRecoding<'e> {
        let mut suppressed = Failing::default();
        for row in (0..self.base.len()).filter(|&row| self.sides(row).is_none()) {
            let codes = self.base.codes(row).iter().zip(self.attributes).zip(scheme.levels());
            let codes = codes.map(|((&code, a), &level)| a.hierarchy.ancestor(code, level));
            suppressed.groups.insert(codes.collect());
            suppressed.records += self.base.records(row);
        }
        FileRecoding { recoded: Recoded::scheme(table, scheme.clone()), suppressed }
    }

    /// The recoding by boxes; suppressed rows are in one that says nothing.
    fn boxes(self, table: &Cube) -> Result<FileRecoding<'_>, &'static str> {
        let mut regions = Vec::with_capacity(self.groups.groups().len() + 1);
        for group in 0..self.groups.groups().len() {
            regions.push(self.regions(group).ok_or(OVERLAPPING)?);
        }
        let nothing = regions.len();
        regions.push(self.attributes.iter().map(|a| Region::whole(&a.hierarchy)).collect());
        let mut region_of = Vec::with_capacity(self.base.len());
        for row in 0..self.base.len() {
            let group = self.places[row].unwrap_or(nothing);
            let own = self.own_regions(row, &regions[group]);
            region_of.push(if own.is_some() { regions.len() } else { group });
            regions.extend(own);
        }
        let sides = |row: usize| regions[region_of[row]].as_slice();
        let applied = Applied::boxes(self.attributes, &self.base, sides);
        let spans = |sides: &Vec<Region>| {
            let sides = sides.iter().zip(self.attributes);
            sides.map(|(region, a)| Span::new(region, &a.hierarchy)).collect()
        };
        let boxes = regions.iter().map(spans).collect();
        let recoded =
            Recoded::applied(table, self.base, Recoding::Boxes { boxes, tight: false }, applied);
        let suppressed = recoded.failing(&[]);
        Ok(FileRecoding { recoded, suppressed })
    }

    /// The regions of a group; none if a value set is not one.
    fn regions(&self, group: usize) -> Option<Vec<Region>> {
        let Some(sides) = self.groups.sides(group) else {
            return Some(self.attributes.iter().map(|a| Region::whole(&a.hierarchy)).collect());
        };
        let sides = sides.into_iter().zip(self.attributes);
        sides.map(|(side, a)| Some(Region::around(&a.hierarchy, side.as_range()?))).collect()
    }

    /// The regions of a row whose missing values match nothing: these are its own.
    fn own_regions(&self, row: usize, group: &[Region]) -> Option<Vec<Region>> {
        let sides = self.sides(row)?;
        let published = self.base.codes(row).iter().zip(self.attributes).zip(sides);
        let is_own = published.map(|((&code, a), side)| is_apart(&a.hierarchy, code, side));
        let is_own: Vec<bool> = is_own.collect();
        if !is_own.contains(&true) {
            return None;
        }
        let codes = self.base.codes(row).iter().zip(self.attributes).zip(is_own.iter().zip(group));
        let own =
            |((&code, a), (&is_own, region)): ((&u32, &QuasiIdentifier), (&bool, &Region))| {
                if is_own {
                    Region::node(&a.hierarchy, code, Level::RECORDED)
                } else {
                    region.clone()
                }
            };
        Some(codes.map(own).collect())
    }
}

/// A recorded code with its attribute, and its value set with its level.
type PublishedCell<'p> = ((&'p u32, &'p QuasiIdentifier), (&'p ValueSet, &'p Level));

/// Returns whether a recorded value is missing and matches nothing, and is published so.
fn is_apart(hierarchy: &Hierarchy, code: u32, side: &ValueSet) -> bool {
    let missing = hierarchy.matched(Level::RECORDED) as u32;
    code >= missing && *side == ValueSet::range(missing..hierarchy.len(Level::RECORDED) as u32)
}

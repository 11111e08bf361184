//! What a publication and the recorded earlier ones of the table reveal together: records that can
//! be singled out once all are joined, and groups that two of them show with slightly different
//! counts.

use std::collections::{BTreeMap, BTreeSet};

use haggle_api::Privacy;
use haggle_api::risk::{Differing, Together};
use haggle_cube::{Applied, Base, Cube};
use haggle_engine::Engine;
use haggle_engine::criterion::{Criterion, unit};
use haggle_inference::attacks::{Promise, SUPPRESSED, parts_of_rows};
use haggle_model::{Error, Level, QuasiIdentifier, Recoding, Region, Role, Scheme, Span};
use haggle_privacy::{Facts, Target};
use haggle_project::facts::facts;
use haggle_project::survey::survey;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::differing::{ComparedEarlier, compare};
use super::present::PresentPublication;
use super::promise::Thresholds;
use crate::examined::AppliedGroups;
use crate::publications::{PublicationRecord, Publications, PublishedNames};

/// An earlier publication on the present table: its recoding, and which parts were published.
pub(super) type Applications = Vec<(Applied, Vec<bool>)>;

/// A counted table that publications can be applied to.
pub(super) struct CountedBase<'a> {
    attributes: &'a [QuasiIdentifier],
    facts: &'a [Facts],
    unit: Option<Target>,
    base: &'a Base,
}

impl<'a> CountedBase<'a> {
    /// The table of an engine, by its recorded combinations.
    pub(super) fn new(engine: &'a Engine, base: &'a Base) -> Self {
        Self::by(engine.cube(), engine.facts(), base)
    }

    fn by(cube: &'a Cube, facts: &'a [Facts], base: &'a Base) -> Self {
        Self { attributes: cube.attributes(), facts, unit: unit(cube), base }
    }

    fn criteria(&self, privacy: &[Privacy]) -> Result<Vec<Criterion>, Error> {
        Criterion::all(privacy, self.facts, self.unit.as_ref())
    }

    /// Applies a recoding; none if it is of other quasi-identifiers, or is not given by value sets.
    fn recoded(
        &self,
        quasi_identifiers: &[String],
        unchanged: &[String],
        recoding: &Recoding,
    ) -> Result<Option<Applied>, Error> {
        in_order(self.attributes, quasi_identifiers, unchanged, recoding)
            .map(|recoding| Applied::new(self.attributes, self.base, &recoding))
            .transpose()
    }

    /// Applies a recoding, and says which of its parts were published. Columns that were published
    /// unchanged narrow the parts, but the promise is about the quasi-identifiers alone.
    fn published(
        &self,
        quasi_identifiers: &[String],
        unchanged: &[String],
        recoding: &Recoding,
        criteria: &[Criterion],
    ) -> Result<Option<(Applied, Vec<bool>)>, Error> {
        let Some(applied) = self.recoded(quasi_identifiers, unchanged, recoding)? else {
            return Ok(None);
        };
        let Some(groups) = self.recoded(quasi_identifiers, &[], recoding)? else {
            return Ok(None);
        };
        let promise = Thresholds { criteria, base: self.base, watched: 0 };
        let mut is_kept = vec![false; self.base.len()];
        for rows in (0..groups.len()).map(|group| groups.rows(group)) {
            let holds = promise.holds(rows);
            for &row in rows {
                is_kept[row as usize] = holds;
            }
        }
        let kept = |part: usize| applied.rows(part).iter().all(|&row| is_kept[row as usize]);
        let kept = (0..applied.len()).map(kept).collect();
        Ok(Some((applied, kept)))
    }
}

/// Applies the earlier publications of a project to the present table; the number of those that
/// cannot be. Publications of the same recoding and promise are applied once.
///
/// Records that were added since are taken to have been published.
pub(super) fn applied(
    engine: &Engine,
    base: &Base,
    publications: &Publications,
) -> Result<(Applications, u64), Error> {
    let table = CountedBase::new(engine, base);
    let (mut found, mut unchecked) = (Applications::new(), 0);
    let mut known: FxHashMap<u64, bool> = FxHashMap::default();
    publications.visit_records(usize::MAX, |record| {
        let Some(record) = record else { return unchecked += 1 };
        let is_applied = *known.entry(same(&record)).or_insert_with(|| {
            let applied = apply(&table, &record).ok().flatten();
            let is_applied = applied.is_some();
            found.extend(applied);
            is_applied
        });
        unchecked += u64::from(!is_applied);
    })?;
    Ok((found, unchecked))
}

/// A digest of what decides how a publication looks on a table.
fn same(record: &PublicationRecord) -> u64 {
    let PublicationRecord { quasi_identifiers, unchanged, promises, recoding, anatomy, .. } =
        record;
    let all = (quasi_identifiers, unchanged, promises, recoding, anatomy);
    xxh3_64(&serde_json::to_vec(&all).expect("a record can be written"))
}

/// Applies an earlier publication to a table; none if it is of other quasi-identifiers.
pub(super) fn apply(
    table: &CountedBase<'_>,
    record: &PublicationRecord,
) -> Result<Option<(Applied, Vec<bool>)>, Error> {
    // Which sensitive value belongs to which record of a group is not published there.
    if record.anatomy {
        return Ok(None);
    }
    let PublicationRecord { quasi_identifiers, unchanged, recoding, promises, .. } = record;
    let privacy: Vec<Privacy> =
        promises.iter().map(|words| words.parse()).collect::<Result<_, _>>()?;
    table.published(quasi_identifiers, unchanged, recoding, &table.criteria(&privacy)?)
}

/// The recoding over these attributes in their order. Of those that it does not have, columns that
/// were published unchanged are as recorded, and the others are fully generalized. None if it has
/// others, or is not given by value sets.
fn in_order(
    attributes: &[QuasiIdentifier],
    names: &[String],
    unchanged: &[String],
    recoding: &Recoding,
) -> Option<Recoding> {
    if !names.iter().all(|name| attributes.iter().any(|a| a.name == *name)) {
        return None;
    }
    let places: Vec<Option<usize>> =
        attributes.iter().map(|a| names.iter().position(|name| *name == a.name)).collect();
    let is_unchanged = |a: &QuasiIdentifier| unchanged.contains(&a.name);
    let whole = |a: &QuasiIdentifier| Span::new(&Region::whole(&a.hierarchy), &a.hierarchy);
    let with_places = || places.iter().zip(attributes);
    match recoding {
        Recoding::Levels { scheme } => {
            let level = |(place, a): (&Option<usize>, &QuasiIdentifier)| match place {
                Some(place) => Some((*scheme.levels().get(*place)?).min(a.hierarchy.top())),
                None if is_unchanged(a) => Some(Level::RECORDED),
                None => Some(a.hierarchy.top()),
            };
            let levels: Option<Vec<Level>> = with_places().map(level).collect();
            Some(Recoding::levels(Scheme::new(levels?.into_iter().map(u8::from))))
        }
        Recoding::Cuts { cuts } => {
            let cut = |(place, a): (&Option<usize>, &QuasiIdentifier)| match place {
                Some(place) => cuts.get(*place).cloned(),
                None if is_unchanged(a) => Some(recorded(a)),
                None => Some(vec![whole(a)]),
            };
            Some(Recoding::Cuts { cuts: with_places().map(cut).collect::<Option<_>>()? })
        }
        Recoding::Boxes { boxes, tight } => {
            let side = |sides: &Vec<Span>| {
                let side = |(place, a): (&Option<usize>, &QuasiIdentifier)| match place {
                    Some(place) => sides.get(*place).cloned(),
                    // A box has one side, and recorded values would be many.
                    None if is_unchanged(a) => None,
                    None => Some(whole(a)),
                };
                with_places().map(side).collect::<Option<Vec<Span>>>()
            };
            let boxes = boxes.iter().map(side).collect::<Option<_>>()?;
            Some(Recoding::Boxes { boxes, tight: *tight })
        }
        // Which of several records with the same recorded values kept which cells is not recorded.
        Recoding::Parts { .. } | Recoding::Cells { .. } => None,
    }
}

/// Every recorded value on its own.
fn recorded(attribute: &QuasiIdentifier) -> Vec<Span> {
    let hierarchy = &attribute.hierarchy;
    let codes = 0..hierarchy.len(Level::RECORDED) as u32;
    let span = |code| Span::new(&Region::node(hierarchy, code, Level::RECORDED), hierarchy);
    codes.map(span).collect()
}

/// Judges what a publication and the recorded earlier ones reveal together; none if there are none.
pub fn together(
    present: &PresentPublication<'_>,
    publications: &Publications,
) -> Result<Option<Together>, Error> {
    let related = Related::find(&present.names, publications)?;
    if related.earlier == 0 {
        return Ok(None);
    }
    if let Some(wider) = WiderTable::join(present, &related)? {
        let table = CountedBase::by(&wider.cube, &wider.facts, &wider.base);
        let PublishedNames { quasi_identifiers, unchanged } = &present.names;
        let recoding = present.recoded.recoding();
        if let Ok(criteria) = table.criteria(&present.ask.privacy)
            && let Ok(Some((applied, kept))) =
                table.published(quasi_identifiers, unchanged, recoding, &criteria)
        {
            let joining = Joining { table, criteria: &criteria, applied, kept };
            return joining.together(present, &related, publications).map(Some);
        }
    }
    let AppliedGroups { base, applied, kept } =
        AppliedGroups::new(present.recoded, present.failing);
    let table = CountedBase::new(present.engine, &base);
    let joining = Joining { table, criteria: present.criteria, applied, kept };
    joining.together(present, &related, publications).map(Some)
}

/// What is known when nothing could be judged, as of a publication in two tables; none if there is
/// no earlier publication.
pub fn not_judged(earlier: u64, k: u64) -> Option<Together> {
    let differing = Differing { not_compared: earlier, k, ..Differing::default() };
    let together = Together { earlier, unchecked: earlier, differing, ..Together::default() };
    (earlier > 0).then_some(together)
}

/// The earlier publications that columns in common connect with this one, directly or through each
/// other.
struct Related {
    /// All earlier publications.
    earlier: u64,
    /// The columns of those that are connected, and of this one.
    columns: BTreeSet<String>,
    /// The columns that at least two of them publish.
    shared: Vec<String>,
    /// Their quasi-identifiers.
    quasi_identifiers: BTreeSet<String>,
}

impl Related {
    fn find(present: &PublishedNames, publications: &Publications) -> Result<Self, Error> {
        let (mut earlier, mut known) = (0, BTreeSet::<PublishedNames>::new());
        publications.visit_names(|names| {
            earlier += 1;
            known.extend(names);
        })?;
        let mut columns: BTreeSet<String> = present.columns().cloned().collect();
        loop {
            let before = columns.len();
            for names in &known {
                if is_connected(names, &columns) {
                    columns.extend(names.columns().cloned());
                }
            }
            if columns.len() == before {
                break;
            }
        }
        let related: Vec<&PublishedNames> =
            known.iter().filter(|names| is_connected(names, &columns)).collect();
        let mut times: BTreeMap<&String, u64> = BTreeMap::new();
        for column in related.iter().copied().chain([present]).flat_map(PublishedNames::columns) {
            *times.entry(column).or_default() += 1;
        }
        let shared = times.iter().filter(|(_, times)| **times > 1);
        let shared = shared.map(|(name, _)| (*name).clone()).collect();
        let quasi_identifiers =
            related.iter().flat_map(|names| names.quasi_identifiers.iter().cloned()).collect();
        Ok(Self { earlier, columns, shared, quasi_identifiers })
    }

    fn includes(&self, record: &PublicationRecord) -> bool {
        let mut columns = record.quasi_identifiers.iter().chain(&record.unchanged);
        columns.any(|column| self.columns.contains(column))
    }
}

/// Whether a publication has one of these columns.
fn is_connected(names: &PublishedNames, columns: &BTreeSet<String>) -> bool {
    names.columns().any(|column| columns.contains(column))
}

/// The table counted by the quasi-identifiers of all related publications.
struct WiderTable {
    cube: Cube,
    facts: Vec<Facts>,
    base: Base,
}

impl WiderTable {
    /// None if the present quasi-identifiers are all, if this recoding cannot be applied to more
    /// columns, or if the table cannot be counted by them within the memory.
    fn join(present: &PresentPublication<'_>, related: &Related) -> Result<Option<Self>, Error> {
        let own = &present.names.quasi_identifiers;
        let known = present.project.named(Role::QuasiIdentifier);
        let is_more = |name: &&String| !own.contains(name) && known.contains(name);
        let more: Vec<String> = related.quasi_identifiers.iter().filter(is_more).cloned().collect();
        let is_by_value =
            !matches!(present.recoded.recoding(), Recoding::Parts { .. } | Recoding::Cells { .. });
        if more.is_empty() || !is_by_value {
            return Ok(None);
        }
        let wanted = [own.as_slice(), more.as_slice()].concat();
        let bytes = present.project.input(present.progress)?.bytes().unwrap_or(0);
        present.progress.start("joining with earlier publications", bytes);
        // The groups that were counted first are there as well.
        let counted = survey(present.project, &wanted, present.memory / 2, present.progress);
        present.progress.finish();
        let mut counted = match counted {
            Ok(counted) => counted,
            Err(error) if error.is_cancelled() => return Err(error),
            Err(_) => return Ok(None),
        };
        let stated = std::mem::take(&mut counted.stated);
        let cube = counted.into_cube(present.project);
        let facts = facts(&cube, &stated)?;
        let base = Base::of(&cube);
        Ok(Some(Self { cube, facts, base }))
    }
}

/// This publication on a table, to be joined with earlier ones.
struct Joining<'a> {
    table: CountedBase<'a>,
    criteria: &'a [Criterion],
    applied: Applied,
    kept: Vec<bool>,
}

impl Joining<'_> {
    /// Joins and compares the earlier publications one after the other.
    fn together(
        &self,
        present: &PresentPublication<'_>,
        related: &Related,
        publications: &Publications,
    ) -> Result<Together, Error> {
        let rows = self.table.base.len();
        let own = parts_of_rows(&self.applied, &self.kept, rows);
        let mut classes = own.clone();
        let mut together = Together { earlier: related.earlier, ..Together::default() };
        let mut comparison = ComparedEarlier::new(present.k);
        let mut joined: FxHashSet<u64> = FxHashSet::default();
        publications.visit_records(present.memory, |record| {
            let Some(record) = record else {
                comparison.add(None);
                return together.unchecked += 1;
            };
            if !related.includes(&record) {
                return together.unrelated += 1;
            }
            let digest = same(&record);
            // Schemes are compared by their levels, so one that is joined is not applied again.
            let is_scheme = matches!(record.recoding, Recoding::Levels { .. });
            let is_again = is_scheme && present.recoded.levels().is_some();
            let is_applied = is_again && joined.contains(&digest);
            let applied =
                if is_applied { None } else { apply(&self.table, &record).ok().flatten() };
            let parts = applied.as_ref().map(|(applied, kept)| parts_of_rows(applied, kept, rows));
            let sides = applied.as_ref().zip(parts.as_ref()).map(|((earlier, _), parts)| {
                [(earlier, parts.as_slice()), (&self.applied, own.as_slice())]
            });
            comparison.add(compare(present, &record, self.table.attributes, sides));
            if let Some(parts) = parts
                && joined.insert(digest)
            {
                refine(&mut classes, &parts);
            }
            let is_joined = joined.contains(&digest);
            let is_same = record.data_digest == Some(present.engine.data_digest());
            together.checked += u64::from(is_joined);
            together.unchecked += u64::from(!is_joined);
            together.changed += u64::from(is_joined && !is_same);
        })?;
        together.differing = comparison.into_report();
        if together.checked > 0 {
            together.joined_on.clone_from(&related.shared);
            let names = self.table.attributes.iter().map(|attribute| attribute.name.clone());
            together.over = names.collect();
            (together.below, together.unique) = self.exposed(&classes);
        }
        Ok(together)
    }

    /// The records of classes that do not keep the promise, and those that are alone in theirs.
    fn exposed(&self, classes: &[u32]) -> (u64, u64) {
        let promise = Thresholds { criteria: self.criteria, base: self.table.base, watched: 0 };
        let is_published = |row: &u32| classes[*row as usize] != SUPPRESSED;
        let mut rows: Vec<u32> = (0..classes.len() as u32).filter(is_published).collect();
        rows.sort_unstable_by_key(|&row| classes[row as usize]);
        let (mut below, mut unique) = (0, 0);
        for class in rows.chunk_by(|&a, &b| classes[a as usize] == classes[b as usize]) {
            let records: u64 = class.iter().map(|&row| self.table.base.records(row as usize)).sum();
            below += if promise.holds(class) { 0 } else { records };
            unique += u64::from(records == 1);
        }
        (below, unique)
    }
}

/// Splits classes of base groups by their groups in a further publication.
fn refine(classes: &mut [u32], parts: &[u32]) {
    let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (class, &part) in classes.iter_mut().zip(parts).filter(|(class, _)| **class != SUPPRESSED) {
        let next = known.len() as u32;
        *class = *known.entry((*class, part)).or_insert(next);
    }
}

//! Whether a file keeps a promise, and what it promises without having been asked.

use std::collections::BTreeMap;
use std::path::Path;

use haggle_api::privacy::k_asked;
use haggle_api::{Ask, OtherColumns, Privacy};
use haggle_cube::Cube;
use haggle_data::{CsvOptions, Input, Missing, Table};
use haggle_engine::criterion::{Criterion, unit};
use haggle_model::{Dictionary, Error, Level, Remedy, Role, Silent, Watched};
use haggle_output::{Recovery, recover};
use haggle_privacy::{Facts, Model, Stated, Target};
use haggle_project::facts::AllStated;
use haggle_project::{Project, facts};

use crate::anatomy::{SensitiveTable, TwoTables};
use crate::column_counts::{Meanings, count_others};
use crate::distance::settled;
use crate::manifest::Manifest;
use crate::measure::{Measured, in_no_field};
use crate::{Reference, Verdict, reading};

/// A file to be looked at, and what its columns mean.
#[derive(Debug, Clone)]
pub struct Inspection {
    table: Table,
    qi: Vec<String>,
    sensitive: Vec<String>,
    unit: Option<String>,
    unit_absent: Option<String>,
    project: Option<Project>,
    missing: Missing,
    /// Whether `*` in every quasi-identifier means that a record was suppressed.
    has_stars: bool,
    /// What the manifest next to the file states of the sensitive attributes.
    stated: AllStated,
    /// The levels of the quasi-identifiers, where the manifest next to the file says them.
    levels: BTreeMap<String, Level>,
    memory: usize,
    from: String,
    recovery: Recovery,
    /// The table of sensitive values, where the publication is two tables.
    anatomy: Option<(SensitiveTable, Table)>,
}

/// What the columns of a table mean, from all that may say so.
struct Columns<'a> {
    project: Option<&'a Project>,
    manifest: Option<&'a Manifest>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
}

/// What the columns of a table mean, once all sources of names are joined.
struct NamedColumns<'a> {
    project: Option<&'a Project>,
    manifest: Option<&'a Manifest>,
    qi: Vec<String>,
    sensitive: Vec<String>,
    from: &'static str,
}

impl<'a> Columns<'a> {
    fn settled(self) -> Result<NamedColumns<'a>, Error> {
        let Self { project, manifest, qi, sensitive } = self;
        let named = qi.map(|qi| (qi, "as named"));
        let stated = || project.map(|project| (project.default_qi(), "as the project says"));
        let published = || {
            let qi = manifest?.attributes.iter().map(|a| a.name.clone()).collect();
            Some((qi, "as the manifest next to the file says"))
        };
        let (qi, from) = named.or_else(stated).or_else(published).ok_or_else(|| {
            // The columns are not listed: without a header they would be a record.
            let fix = "name them, or the project behind the file";
            Error::new("which columns are quasi-identifiers?", fix)
        })?;
        let sensitive = sensitive
            .or_else(|| project.map(|project| project.named(Role::Sensitive)))
            .or_else(|| manifest.map(|manifest| manifest.sensitive.clone()))
            .unwrap_or_default();
        Ok(NamedColumns { project, manifest, qi, sensitive, from })
    }
}

impl NamedColumns<'_> {
    /// The inspection of a table with these columns.
    fn inspection(self, table: Table, memory: usize) -> Inspection {
        let Self { project, manifest, qi, sensitive, from } = self;
        let missing = project
            .map(|project| project.data.missing.clone())
            .or_else(|| manifest.map(Manifest::missing))
            .unwrap_or_else(in_no_field);
        let stated = manifest.map(Manifest::stated).unwrap_or_default();
        let levels = manifest.map(Manifest::levels).unwrap_or_default();
        let has_stars = manifest.and_then(|manifest| manifest.stars).unwrap_or(true);
        let persons = manifest.is_some_and(|manifest| manifest.persons);
        let published = || manifest.and_then(|manifest| manifest.unit.clone());
        let unit = project.and_then(|project| project.data.unit.clone()).or_else(published);
        let (unit, unit_absent) = match unit {
            Some(unit) if table.column(&unit).is_none() => (None, Some(unit)),
            None if persons => (None, Some("that names the persons".into())),
            unit => (unit, None),
        };
        Inspection {
            table,
            qi,
            sensitive,
            unit,
            unit_absent,
            project: project.cloned(),
            missing,
            has_stars,
            stated,
            levels,
            memory,
            from: from.into(),
            recovery: Recovery::Nothing,
            anatomy: None,
        }
    }
}

impl Inspection {
    /// Opens a file. What its columns mean comes from the names given, else from the project, else
    /// from the manifest next to the file.
    pub fn open(
        file: &Path,
        project: Option<&Project>,
        qi: Option<Vec<String>>,
        sensitive: Option<Vec<String>>,
        memory: usize,
    ) -> Result<Self, Error> {
        let recovery = recover(file)?;
        // A file that is not there is reported before anything is asked about its columns.
        std::fs::metadata(file).map_err(Error::io(file))?;
        let manifest = Manifest::next_to(file)?;
        let named = Columns { project, manifest: manifest.as_ref(), qi, sensitive };
        let named = named.settled()?;
        let anatomy = manifest.as_ref().and_then(|manifest| manifest.anatomy.clone());
        let anatomy = anatomy.map(|about| {
            let counts =
                reading::open(&file.with_file_name(&about.file), manifest.as_ref(), None, &[])?;
            Ok::<_, Error>((about, counts))
        });
        let anatomy = anatomy.transpose()?;
        let columns = match &anatomy {
            Some(_) => named.qi.clone(),
            None => [named.qi.as_slice(), &named.sensitive].concat(),
        };
        let table = reading::open(file, manifest.as_ref(), project, &columns)?;
        Ok(Self { recovery, anatomy, ..named.inspection(table, memory) })
    }

    /// Opens a table in memory, which has no manifest.
    pub fn over(
        input: Input,
        project: Option<&Project>,
        qi: Option<Vec<String>>,
        sensitive: Option<Vec<String>>,
        memory: usize,
    ) -> Result<Self, Error> {
        let named = Columns { project, manifest: None, qi, sensitive }.settled()?;
        let table = Table::open(input, &CsvOptions::default())?;
        Ok(named.inspection(table, memory))
    }

    pub(crate) fn measured(&self) -> Result<Measured, Error> {
        let Self { table, qi, sensitive, unit, missing, memory, .. } = self;
        if let Some((about, counts)) = &self.anatomy {
            let (group, attribute) = (about.group.as_str(), about.attribute.as_str());
            let tables = TwoTables { records: table, counts, group, attribute };
            return tables.measured(*memory, &Silent);
        }
        let measured =
            Measured::count(table, qi, sensitive, unit.as_ref(), missing, *memory, &Silent)?;
        Ok(if self.has_stars { measured } else { measured.with_stars_as_values() })
    }

    /// The records by their quasi-identifiers as recorded, where sensitive values are in a table of
    /// their own: what is promised of sizes is judged by these.
    pub(crate) fn exact(&self) -> Result<Option<Measured>, Error> {
        let Self { table, qi, missing, memory, anatomy, .. } = self;
        let measured = || Measured::count(table, qi, &[], None, missing, *memory, &Silent);
        anatomy.as_ref().map(|_| measured().map(Measured::with_stars_as_values)).transpose()
    }

    /// What the manifest says of the table of sensitive values.
    pub(crate) fn sensitive_table(&self) -> Option<&SensitiveTable> {
        self.anatomy.as_ref().map(|(about, _)| about)
    }

    /// The file, opened.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The quasi-identifiers.
    pub(crate) fn qi(&self) -> &[String] {
        &self.qi
    }

    /// The level of a quasi-identifier's values, if the manifest next to the file says it.
    pub(crate) fn level(&self, attribute: &str) -> Option<Level> {
        self.levels.get(attribute).copied()
    }

    /// The project that says what the columns mean.
    pub(crate) fn project(&self) -> Option<&Project> {
        self.project.as_ref()
    }

    /// Whether a project says what the columns mean.
    pub fn has_project(&self) -> bool {
        self.project.is_some()
    }

    /// The request with the other thresholds of the project, if there is one; see
    /// [`Project::with_other_thresholds`].
    pub fn with_other_thresholds(&self, ask: &Ask) -> Ask {
        self.project.as_ref().map_or_else(|| ask.clone(), |p| p.with_other_thresholds(ask))
    }

    /// How the quasi-identifiers were chosen.
    pub(crate) fn chosen_by(&self) -> &str {
        &self.from
    }

    /// How far the columns beyond the quasi-identifiers single people out.
    pub fn others(&self, k: Option<u64>) -> Result<OtherColumns, Error> {
        let meanings = Meanings { qi: &self.qi, sensitive: &self.sensitive };
        let mut others = count_others(&self.table, &meanings, k, self.memory, &Silent)?;
        // The number of a group is one of the columns that records differ in; by itself it says
        // nothing that its table of values does not say.
        let group = self.sensitive_table().map(|about| &about.group);
        others.other_columns.retain(|column| Some(&column.name) != group);
        Ok(others)
    }

    /// Whether every group passes every threshold; without one, those of the project's request.
    pub fn verify(&self, privacy: &[Privacy]) -> Result<Verdict, Error> {
        let asked = self.project.as_ref().map(|project| project.defaults.privacy.as_slice());
        let privacy = if privacy.is_empty() { asked.unwrap_or_default() } else { privacy };
        if privacy.is_empty() {
            return Err(Error::new("no threshold is given", Remedy::NameThreshold));
        }
        let models: Vec<&Model> =
            privacy.iter().map(|one| Ok(one.resolve()?.0)).collect::<Result<_, Error>>()?;
        let plain = self.measured()?;
        let known = self.known(&models)?;
        let (measured, facts) = self.judged_by(known.as_ref(), privacy)?;
        let of = |shown: bool| {
            let mine = privacy.iter().zip(&models);
            let mine = mine.filter(move |(_, model)| model.published_level.is_some() == shown);
            mine.map(|(one, _)| one.clone()).collect::<Vec<_>>()
        };
        let unit = unit(measured.cube());
        let recorded = criteria(&of(false), &facts, unit.as_ref())?;
        let mut shown = criteria(&as_shown(&of(true)), &as_values(&plain)?, unit.as_ref())?;
        for (criterion, asked) in shown.iter_mut().zip(of(true)) {
            criterion.arguments = asked.resolve()?.1; // reported as it was asked
        }
        let exact = self.exact()?;
        let by = |c: &Criterion| match &exact {
            Some(exact) if !c.model.sensitive => exact,
            _ => &measured,
        };
        let judged = recorded.iter().map(|c| (by(c), c)).chain(shown.iter().map(|c| (&plain, c)));
        let judged: Vec<(&Measured, &Criterion)> = judged.collect();
        let groups = measured.count_groups();
        let failing = failing(&judged);
        let weakest = |(measured, c): &(&Measured, &Criterion)| {
            Some((c.label.clone(), c.threshold(0, measured.weakest(c)?)))
        };
        let reference = if known.is_some() { Reference::Project } else { Reference::File };
        Ok(Verdict {
            holds: failing == 0,
            asked: judged.iter().map(|(_, c)| (c.label.clone(), c.asked())).collect(),
            attained: judged.iter().filter_map(weakest).collect(),
            judged_by: judged.iter().map(|(_, c)| c.words()).collect(),
            reference: models.iter().any(|model| model.reference).then_some(reference),
            failing,
            records: measured.records(),
            starred: measured.starred(),
            groups,
            quasi_identifiers: self.qi.clone(),
            unit: self.unit.clone(),
            unit_absent: self.unit_absent.clone(),
            others: self.others(k_asked(privacy))?,
            manifest_matches: self.manifest_matches()?,
            recovery: Some(self.recovery).filter(|found| *found != Recovery::Nothing),
            anatomy: self.sensitive_table().cloned(),
        })
    }

    /// What the project and its data say of the sensitive attributes, if the models ask for it.
    fn known(&self, models: &[&Model]) -> Result<Option<(Vec<Facts>, AllStated)>, Error> {
        let states = models.iter().find(|m| !m.states.is_empty() && m.published_level.is_none());
        match (&self.project, states) {
            (None, Some(model)) => {
                let keys = model.states.join(" and ");
                let what = format!("{} needs the {keys} that a project states", model.id);
                Err(Error::new(what, Remedy::NameProject))
            }
            (Some(project), _) if states.is_some() || models.iter().any(|m| m.reference) => {
                project.facts(self.memory).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The file, counted, and its sensitive attributes: as the file alone tells, or over the values
    /// and counts of the project's data with what the project states.
    fn judged_by(
        &self,
        known: Option<&(Vec<Facts>, AllStated)>,
        privacy: &[Privacy],
    ) -> Result<(Measured, Vec<Facts>), Error> {
        let mut measured = self.measured()?;
        let mut facts = facts::facts(measured.cube(), &self.stated)?;
        let Some((of_project, stated)) = known else { return Ok((measured, facts)) };
        let models = privacy.iter().filter_map(|one| haggle_privacy::find(&one.model));
        let keys: Vec<&str> =
            models.flat_map(|model| model.states.iter().chain(model.uses)).copied().collect();
        for facts in &mut facts {
            let Target { position, name } = facts.target.clone();
            let Some(known) = of_project.iter().find(|f| f.target.name == name) else { continue };
            let watched = &measured.cube().watched()[position];
            if shown_generalized(known, watched, privacy)? {
                continue;
            }
            let values = joined(known, watched);
            let count =
                |value: &str| known.values.code(value).map_or(0, |c| known.counts[c as usize]);
            let counts = values.values().map(count).collect();
            let codes = watched.values.values().filter_map(|value| values.code(value)).collect();
            let stated = stated.get(&name).cloned().unwrap_or_default().only(&keys);
            let published = self.stated.get(&name).and_then(|stated| stated.distance);
            let stated =
                settled(known, &Stated { distance: published.or(stated.distance), ..stated });
            *facts = facts::resolve(Target { position, name }, values, counts, &stated)?;
            measured = measured.judged_by(position, codes);
        }
        Ok((measured, facts))
    }

    /// What is stated of how far apart sensitive values are: by the manifest, else by the project
    /// where all values of the file are values of its data.
    pub(crate) fn stated_of(&self, cube: &Cube) -> Result<AllStated, Error> {
        let mut all = self.stated.clone();
        let Some(project) = self.project.as_ref().filter(|project| project.states_distances())
        else {
            return Ok(all);
        };
        let (known, mut stated) = project.facts(self.memory)?;
        for facts in known {
            let name = &facts.target.name;
            let watched = cube.sensitive().find(|(_, watched)| watched.name == *name);
            let covered = watched.is_some_and(|(_, watched)| {
                watched.values.values().all(|value| facts.values.code(value).is_some())
            });
            if covered && !all.contains_key(name) {
                let stated = stated.remove(name).unwrap_or_default();
                let stated = stated.only(&["order", "distance", "hierarchy"]);
                all.insert(name.clone(), settled(&facts, &stated));
            }
        }
        Ok(all)
    }

    fn manifest_matches(&self) -> Result<Option<bool>, Error> {
        let file = self.table.input().name();
        let Some(manifest) = Manifest::next_to(file)? else { return Ok(None) };
        let is_same = |name: &Path, sha256: &str| -> Result<bool, Error> {
            Ok(crate::manifest::sha256(name)? == sha256)
        };
        let counts = manifest.anatomy.as_ref();
        let counts = counts
            .map_or(Ok(true), |table| is_same(&file.with_file_name(&table.file), &table.sha256));
        Ok(Some(is_same(file, &manifest.output.sha256)? && counts?))
    }
}

/// The values of the project's data and those that only the file has, in their natural order.
fn joined(known: &Facts, watched: &Watched) -> Dictionary {
    let mut values = known.values.clone();
    for value in watched.values.values() {
        values.code_or_add(value);
    }
    values.sorted()
}

/// The criteria, if any is asked for.
fn criteria(
    privacy: &[Privacy],
    facts: &[Facts],
    unit: Option<&Target>,
) -> Result<Vec<Criterion>, Error> {
    if privacy.is_empty() { Ok(Vec::new()) } else { Criterion::all(privacy, facts, unit) }
}

/// Promises about a level, as promises about the values that a file shows.
pub(crate) fn as_shown(privacy: &[Privacy]) -> Vec<Privacy> {
    let shown = |one: &Privacy| {
        let level = haggle_privacy::find(&one.model).and_then(|model| model.published_level);
        level.map_or_else(|| one.clone(), |level| one.with(level, 0.0))
    };
    privacy.iter().map(shown).collect()
}

/// The sensitive attributes with nothing above the values that the file shows.
pub(crate) fn as_values(measured: &Measured) -> Result<Vec<Facts>, Error> {
    let flat = |(_, watched): (usize, &Watched)| {
        // Where no record has a value, there is nothing to stand above.
        let none = watched.values.is_empty().then_some("(none)");
        let rows = watched.values.values().chain(none);
        let rows = rows.map(|value| vec![value.to_owned(), "(any)".into()]);
        let stated = Stated { hierarchy: Some(rows.collect()), ..Stated::default() };
        (watched.name.clone(), stated)
    };
    facts::facts(measured.cube(), &measured.cube().sensitive().map(flat).collect())
}

/// Whether an attribute is shown generalized; an error if a promise is about its recorded values.
fn shown_generalized(known: &Facts, watched: &Watched, privacy: &[Privacy]) -> Result<bool, Error> {
    let hierarchy = known.hierarchy.as_ref();
    let general = |value: &str| {
        known.values.code(value).is_none() && hierarchy.is_some_and(|h| is_above(h, value))
    };
    if !watched.values.values().any(general) {
        return Ok(false);
    }
    let recorded = privacy.iter().find(|one| {
        let model = haggle_privacy::find(&one.model);
        let about = one.on.as_ref().is_none_or(|on| *on == watched.name);
        about && model.is_some_and(|m| m.sensitive && m.published_level.is_none())
    });
    recorded.map_or(Ok(true), |one| {
        let what = format!(
            "the file shows '{}' generalized, so {} cannot be compared with the project's data",
            watched.name, one.model
        );
        Err(Error::new(what, "verify without the project, by the file's own values"))
    })
}

/// Whether a label stands above some value.
fn is_above((hierarchy, codes): &(haggle_model::Hierarchy, Vec<u32>), label: &str) -> bool {
    let mut levels = (1..=u8::from(hierarchy.top())).map(Level::from);
    levels.any(|level| {
        let above = |&code: &u32| hierarchy.label(hierarchy.ancestor(code, level), level);
        codes.iter().any(|code| above(code) == label)
    })
}

/// Records in groups that fail at least one criterion, each judged by a count of the same file.
pub fn failing(judged: &[(&Measured, &Criterion)]) -> u64 {
    // Groups come in the same order whatever is watched, so verdicts can be joined by position.
    let mut records: Vec<u64> = Vec::new();
    if let Some((measured, _)) = judged.first() {
        measured.for_each_group(0, |group| records.push(group.records));
    }
    let mut fails = vec![false; records.len()];
    for (measured, criterion) in judged {
        let mut position = 0;
        measured.for_each_group(criterion.watches(), |group| {
            fails[position] |= !criterion.passes(group);
            position += 1;
        });
    }
    records.iter().zip(fails).filter(|(_, fails)| *fails).map(|(records, _)| records).sum()
}

//! The proof of a publication: what was written is read again and measured against the promise.

use std::collections::{BTreeMap, BTreeSet};

use haggle_api::{SingleValued, Threshold, WholeRecords};
use haggle_cube::Group;
use haggle_data::sinks::Formulas;
use haggle_data::{CsvOptions, Input, OnMissing, Plan, Scanned, Streamed, Suppress, Table, scan};
use haggle_engine::criterion::{Criterion, weaker};
use haggle_model::{Error, ErrorKind, Hierarchy, Level, Occurrence, Watched};
use haggle_output::Staged;
use haggle_privacy::{DistanceKind, Facts, Model, Stated};
use haggle_project::facts::AllStated;
use haggle_project::project::Definition;

use super::PublishWork;
use crate::accounting::{Meanings, count_others};
use crate::distance::{settled, suggested};
use crate::measure::Measured;
use crate::verify::failing;

/// What a publication should be.
#[derive(Default)]
pub(super) struct PlannedResult {
    pub(super) groups: BTreeMap<Vec<String>, u64>,
    attained: Vec<Option<f64>>,
}

/// What the written file was found to be.
pub(super) struct ProvedFile {
    /// What it attains, by model.
    pub(super) attained: Vec<(String, Threshold)>,
    /// What it attains, by model, as the public report states it.
    pub(super) reported: Vec<(String, Threshold)>,
    /// What was promised as everybody may know it, with every word settled on.
    pub(super) promises: Vec<String>,
    /// The values that occur in it, by quasi-identifier.
    pub(super) occurring: Vec<BTreeSet<String>>,
    /// Whether suppressed records are in it, as stars.
    pub(super) has_stars: bool,
    /// The values of each sensitive attribute that occur in it.
    pub(super) sensitive: Vec<Vec<String>>,
    /// The groups of it, as they look.
    pub(super) looks: BTreeSet<Vec<String>>,
    /// How many there are.
    pub(super) groups: u64,
    /// Where sensitive attributes have one value only, if the promise is about none of them.
    pub(super) single_valued: Vec<SingleValued>,
}

/// What was attained by model, and what was promised.
type ReportedPromises = (Vec<(String, Threshold)>, Vec<String>);

pub(super) fn broken() -> Error {
    let what = "what was written does not keep the promise, so it was removed";
    let fix = "publish again, since the data may have changed while it was read; report this if \
               it stays";
    Error::of_kind(ErrorKind::BrokenPromise, what, fix)
}

/// The code of a value that is shown by this label at a level.
fn below(((hierarchy, codes), level): (&(Hierarchy, Vec<u32>), Level), label: &str) -> Option<u32> {
    let shown = |code: u32| hierarchy.label(hierarchy.ancestor(code, level), level);
    codes.iter().position(|&code| shown(code) == label).map(|value| value as u32)
}

impl PublishWork<'_> {
    /// Compares what was measured in the written file with what was planned and promised; a
    /// broken promise is an error, and the file is removed.
    pub(super) fn prove(
        &self,
        measured: Measured,
        streamed: Streamed,
    ) -> Result<ProvedFile, Error> {
        let measured = self.judged(measured)?;
        let planned = self.planned();
        let judged: Vec<_> = self.criteria.iter().map(|criterion| (&measured, criterion)).collect();
        let persons = self.engine.cube().unit().is_some();
        let holds = measured.records() == streamed.written
            && measured.starred() == self.stars.records()
            && (persons || failing(&judged) == 0)
            && measured.groups() == planned.groups;
        // Persons are not in the file; its groups are those counted, so their persons are too.
        let weakest = |(criterion, planned): (&Criterion, &Option<f64>)| {
            let weakest = if persons { *planned } else { measured.weakest(criterion) };
            Some((criterion.label.clone(), criterion.threshold(0, weakest?)))
        };
        let attained = self.criteria.iter().zip(&planned.attained);
        let attained: Option<Vec<(String, Threshold)>> = attained.map(weakest).collect();
        let attained = attained.filter(|_| holds).ok_or_else(broken)?;
        let sensitive =
            |(_, watched): (usize, &Watched)| watched.values.values().map(str::to_owned).collect();
        let sensitive = measured.cube().sensitive().map(sensitive).collect();
        let groups = measured.count_groups();
        let (reported, promises) = self.reported(&attained, &measured.by_own_codes());
        let attributes = 0..self.engine.cube().attributes().len();
        let occurring = |i: usize| planned.groups.keys().map(|labels| labels[i].clone()).collect();
        Ok(ProvedFile {
            attained,
            reported,
            promises,
            occurring: attributes.map(occurring).collect(),
            has_stars: self.stars.records() > 0,
            sensitive,
            groups,
            single_valued: self.single_valued(),
            looks: planned.groups.into_keys().collect(),
        })
    }

    /// What everybody may know of what was attained and promised. A distance from the input, or what
    /// is frequent in it, would tell of what was left out of it, so models that use more than a group
    /// are measured and worded by the file alone. If what is stated does not fit the file, they are
    /// not measured.
    fn reported(&self, attained: &[(String, Threshold)], plain: &Measured) -> ReportedPromises {
        let (mut reported, mut promises) = (Vec::new(), Vec::new());
        let asked = self.ask.privacy.iter().zip(&self.criteria);
        for ((privacy, criterion), attained) in asked.zip(attained) {
            let model = criterion.model;
            if !model.reference && model.states.is_empty() && model.uses.is_empty() {
                reported.push(attained.clone());
                promises.push(criterion.words());
                continue;
            }
            let stated = self.stated_of_file(plain, model);
            let own = haggle_project::facts::facts(plain.cube(), &stated)
                .and_then(|facts| Criterion::all(std::slice::from_ref(privacy), &facts, None));
            match own.ok().and_then(|own| own.into_iter().next()) {
                None => promises.push(criterion.words()),
                Some(own) => {
                    let weakest = plain.weakest(&own).map(|weakest| own.threshold(0, weakest));
                    reported.extend(weakest.map(|weakest| (own.label.clone(), weakest)));
                    promises.push(own.words());
                }
            }
        }
        (reported, promises)
    }

    /// What the project states that a model needs, as far as it is about values of the file (it may
    /// name others, all of whose records are suppressed), with the distances that these values
    /// suggest.
    fn stated_of_file(&self, plain: &Measured, model: &Model) -> AllStated {
        let keys: Vec<&str> = model.states.iter().chain(model.uses).copied().collect();
        let one = |((_, watched), shown): ((usize, &Watched), &Option<Level>)| {
            let values: Vec<String> = watched.values.values().map(str::to_owned).collect();
            let stated = match shown {
                None => self.stated_by(&watched.name, &values),
                Some(_) => Stated::default(),
            };
            let distance = suggested(&stated, &values).unwrap_or(DistanceKind::Equal);
            let stated = stated.only(&keys).with_prior_among(&watched.values);
            (watched.name.clone(), Stated { distance: Some(distance), ..stated })
        };
        plain.cube().sensitive().zip(&self.shown).map(one).collect()
    }

    /// What the project states of a sensitive attribute; a rule makes its hierarchy of the values of
    /// the file, since others would change its labels.
    pub(super) fn stated_by(&self, name: &str, occurring: &[String]) -> Stated {
        let mut stated = self.engine.stated().get(name).cloned().unwrap_or_default();
        let attribute = self.project.attributes.iter().find(|attribute| attribute.name == name);
        if let Some(Definition::Rule(rule)) = attribute.and_then(|a| a.hierarchy.as_ref()) {
            let missing = &self.project.data.missing;
            let label = (missing.policy == OnMissing::Value).then(|| missing.label());
            let values = occurring.iter().map(|value| Occurrence { value, line: 1 });
            let hierarchy = rule.build(name, &values.collect::<Vec<_>>(), label).ok();
            stated.hierarchy = hierarchy.map(|hierarchy| {
                let path = |code: u32| hierarchy.path(code).map(str::to_owned).collect();
                (0..hierarchy.len(Level::RECORDED) as u32).map(path).collect()
            });
        }
        stated
    }

    /// What the project states, with the distances that were used for the input: the values that are
    /// left in the file must not suggest others.
    pub(super) fn settled(&self) -> AllStated {
        let none = Stated::default();
        let one = |facts: &Facts| {
            let name = facts.target.name.clone();
            let stated = settled(facts, self.engine.stated().get(&name).unwrap_or(&none));
            (name, stated)
        };
        self.engine.facts().iter().map(one).collect()
    }

    /// The written file, counted as it stands.
    pub(super) fn measure(&self, file: &Staged) -> Result<Measured, Error> {
        let table = self.written(file)?;
        let progress = self.options.progress;
        progress.start("proving", table.input().bytes().unwrap_or(0));
        let scan = |plan: &Plan| scan(&table, plan, self.options.memory, progress);
        let measured = self.measure_by(&table, scan);
        progress.finish();
        measured
    }

    /// A written file as a table.
    pub(super) fn written(&self, file: &Staged) -> Result<Table, Error> {
        let table = Table::open(Input::file(file.path()), &CsvOptions::as_written())?;
        Ok(match self.options.formulas {
            Formulas::Unchanged => table,
            Formulas::Escaped => table.spreadsheet_safe(),
        })
    }

    /// How many of the records of the written file no other one equals over all columns that are not
    /// sensitive.
    pub(super) fn unique_in(&self, file: &Staged, records: u64) -> Result<WholeRecords, Error> {
        let table = self.written(file)?;
        let sensitive = self.sensitive();
        let qi: Vec<String> = self.engine.attributes().into_iter().map(String::from).collect();
        let meanings = Meanings { qi: &qi, sensitive: &sensitive };
        let progress = self.options.progress;
        progress.start("comparing whole records", table.input().bytes().unwrap_or(0));
        let memory = self.options.memory;
        let others = count_others(&table, &meanings, None, memory, progress);
        progress.finish();
        Ok(others?.whole(records))
    }

    /// The columns of a written table that are not sensitive.
    pub(super) fn not_sensitive(&self, table: &Table) -> Vec<String> {
        let sensitive = self.sensitive();
        table.columns().iter().filter(|name| !sensitive.contains(name)).cloned().collect()
    }

    pub(super) fn sensitive(&self) -> Vec<String> {
        self.engine.cube().sensitive().map(|(_, w)| w.name.clone()).collect()
    }

    /// A written table, counted as it stands.
    pub(super) fn measure_by(
        &self,
        table: &Table,
        scan: impl FnOnce(&Plan) -> Result<Scanned, Error>,
    ) -> Result<Measured, Error> {
        let qi: Vec<String> = self.engine.attributes().into_iter().map(String::from).collect();
        Measured::by(table, &qi, &self.sensitive(), None, &self.project.data.missing, scan)
    }

    /// The written values, judged by the codes that the data's own have.
    fn judged(&self, mut measured: Measured) -> Result<Measured, Error> {
        for (facts, level) in self.engine.facts().iter().zip(&self.shown) {
            let position = facts.target.position;
            let watched = &measured.cube().watched()[position];
            let code = |value: &str| {
                let shown = || facts.hierarchy.as_ref().zip(*level).and_then(|h| below(h, value));
                shown().or_else(|| facts.values.code(value))
            };
            let codes: Option<Vec<u32>> = watched.values.values().map(code).collect();
            measured = measured.judged_by(position, codes.ok_or_else(broken)?);
        }
        Ok(match self.stars.suppress() {
            Suppress::Drop => measured.with_stars_as_values(),
            Suppress::Star => measured,
        })
    }

    /// The groups that should be in the file, and what the weakest of them attains. Suppressed
    /// records that are kept with stars are not listed, but judged.
    pub(super) fn planned(&self) -> PlannedResult {
        let mut planned = PlannedResult::default();
        self.for_each_published(0, |codes, group| {
            let labels = self.recoded.labels(codes);
            *planned.groups.entry(labels).or_default() += group.records;
        });
        planned.attained = self.criteria.iter().map(|c| self.weakest(c)).collect();
        planned
    }

    /// What the weakest group that should be in the file attains.
    fn weakest(&self, criterion: &Criterion) -> Option<f64> {
        let judge = criterion.judge();
        let mut weakest: Option<f64> = None;
        self.for_each_seen(criterion.watches(), |group| {
            weakest = weaker(judge, weakest, judge.of(group));
        });
        weakest
    }

    /// Sensitive attributes with one value in some published groups, if the promise is about none:
    /// whoever is known to be in such a group has that value.
    fn single_valued(&self) -> Vec<SingleValued> {
        if self.criteria.iter().any(|criterion| criterion.model.sensitive) {
            return Vec::new();
        }
        let of = |(watched, attribute): (usize, &Watched)| {
            let (mut groups, mut records) = (0, 0);
            self.for_each_seen(watched, |group| {
                if group.values.len() == 1 && group.known() == group.records {
                    (groups, records) = (groups + 1, records + group.records);
                }
            });
            SingleValued { attribute: attribute.name.clone(), groups, records }
        };
        self.engine.cube().sensitive().map(of).filter(|one| one.groups > 0).collect()
    }

    /// Shows every group that readers of the file see, what is published as stars as one of them.
    fn for_each_seen(&self, watched: usize, mut visit: impl FnMut(&Group<'_>)) {
        self.for_each_published(watched, |_, group| visit(group));
        if self.stars.suppress() == Suppress::Star {
            visit(&self.recoded.starred(&self.failing, watched).group());
        }
    }

    /// Shows every group that is published as it is, but not what is published as stars.
    pub(super) fn for_each_published(
        &self,
        watched: usize,
        mut visit: impl FnMut(&[u32], &Group<'_>),
    ) {
        let stars = self.stars.suppress() == Suppress::Star;
        self.recoded.for_each_group(watched, |codes, group| {
            let starred = stars && self.recoded.shows_nothing(codes);
            if !starred && !self.failing.groups.contains(codes) {
                visit(codes, group);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_promise_is_an_error_of_its_own_kind() {
        let broken = broken();
        assert_eq!(broken.kind(), ErrorKind::BrokenPromise);
        assert!(broken.to_string().contains("\n    fix: publish again"), "{broken}");
    }
}

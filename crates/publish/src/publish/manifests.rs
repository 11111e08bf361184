//! What goes with a publication: the public manifest, the private one, and the values' mappings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use haggle_api::{ColumnPlan, Treatment, VERSION};
use haggle_data::sinks::{Formulas, TextRows};
use haggle_data::{Missing, OnMissing, Suppress};
use haggle_engine::criterion::Criterion;
use haggle_model::{Error, Level, label_order};
use haggle_output::{Readers, Transaction};
use haggle_privacy::{DistanceKind, Facts};

use super::PublishWork;
use super::destination::{ProvedRecords, WrittenRecords};
use super::place::COMBINATIONS;
use super::prove::ProvedFile;
use crate::distance::{PublishedDistance, suggested};
use crate::manifest;
use crate::manifest::{Combination, Manifest, OutputFile, PrivateManifest, PublishedAttribute};

/// A folder that only its owner can look into, unless it is there already.
fn create_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

impl PublishWork<'_> {
    /// What everybody may know of what was written.
    pub(super) fn manifest(
        &self,
        output: OutputFile,
        proof: &ProvedFile,
        plan: &ColumnPlan,
    ) -> Manifest {
        let lowest = self.recoded.lowest_schemes(&self.failing);
        let scheme = lowest.first().filter(|_| self.recoded.levels().is_some()).cloned();
        let attribute = |(i, occurring): (usize, &BTreeSet<String>)| {
            // A value that only suppressed records had would tell of them.
            let values = self.recoded.values(i).into_iter();
            let mut values: Vec<&str> = values.filter(|label| occurring.contains(*label)).collect();
            values.sort_by(|a, b| label_order(a, b));
            values.dedup();
            PublishedAttribute {
                name: self.engine.cube().attributes()[i].name.clone(),
                level: scheme.as_ref().map(|scheme| scheme.level(i).into()),
                values: values.into_iter().map(str::to_owned).collect(),
            }
        };
        let occurs = |attribute: usize, label: &str| proof.occurring[attribute].contains(label);
        let is_published = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.into()).collect();
            proof.looks.contains(&labels)
        };
        Manifest {
            version: manifest::FORMAT,
            haggle: VERSION.into(),
            output,
            recoding: self.recoded.recoding().public(occurs, is_published, lowest),
            attributes: proof.occurring.iter().enumerate().map(attribute).collect(),
            sensitive: self.engine.cube().sensitive().map(|(_, w)| w.name.clone()).collect(),
            promise_over: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged: plan.named(Treatment::Unchanged),
            unit: self.project.data.unit.clone().filter(|unit| plan.as_recorded().contains(unit)),
            guarantees: proof.reported.iter().cloned().collect(),
            promises: proof.promises.clone(),
            distances: self.distances(proof),
            stars: Some(proof.has_stars),
            persons: self.engine.cube().unit().is_some(),
            unmatched: self.unmatched(),
            spreadsheet_safe: self.options.formulas == Formulas::Escaped,
            anatomy: None,
        }
    }

    /// How far apart the values of each sensitive attribute are: as a promise says, else as the
    /// values of the file suggest. None of an attribute that is shown generalized.
    fn distances(&self, proof: &ProvedFile) -> BTreeMap<String, PublishedDistance> {
        let shown = self.engine.facts().iter().zip(&self.shown).zip(&proof.sensitive);
        let recorded = shown.filter(|((_, level), _)| level.is_none());
        let distance = |((facts, _), occurring): ((&Facts, _), &Vec<String>)| {
            let promised = self.criteria.iter().find_map(|criterion| {
                let about = criterion.judge().column().watches == Some(facts.target.position);
                let choice = criterion.arguments.choices.get("distance").filter(|_| about)?;
                DistanceKind::named(choice)
            });
            let name = facts.target.name.clone();
            let stated = self.stated_by(&name, occurring);
            let distance = promised.or_else(|| suggested(&stated, occurring))?;
            Some((name, PublishedDistance::new(distance, &stated, occurring)))
        };
        recorded.filter_map(distance).collect()
    }

    /// The marks of missing values, if these match nothing.
    fn unmatched(&self) -> Vec<String> {
        let Missing { marks, policy } = &self.project.data.missing;
        if *policy == OnMissing::Unmatched { marks.clone() } else { Vec::new() }
    }

    /// The private manifest and a mapping for each attribute, in a folder of their own.
    pub(super) fn private(
        &self,
        transaction: &mut Transaction,
        folder: &Path,
        written: &WrittenRecords,
        proved: &ProvedRecords,
    ) -> Result<PathBuf, Error> {
        let WrittenRecords { table, streamed, plan, .. } = written;
        create_private_folder(folder).map_err(Error::io(folder))?;
        self.remove_stale(transaction, folder)?;
        let (mapping, combinations) = (self.mapping(), self.combinations());
        if !combinations.is_empty() {
            let rows = manifest::combinations_csv(&self.engine.attributes(), &combinations);
            transaction.write(&folder.join(COMBINATIONS), &rows, Readers::Owner)?;
        }
        for (attribute, values) in &mapping {
            let mut rows = TextRows::default();
            for (recorded, published) in values {
                rows.field(recorded);
                rows.field(published);
                rows.end();
            }
            let path = folder.join(manifest::mapping_file(attribute));
            transaction.write(&path, &rows.to_csv(), Readers::Owner)?;
        }
        let manifest = PrivateManifest {
            note: manifest::PRIVATE.into(),
            version: manifest::FORMAT,
            public: proved.manifest.clone(),
            input_sha256: manifest::input_sha256(table.input())?,
            asked: self.ask.clone(),
            read: self.engine.records() + streamed.dropped,
            dropped: streamed.dropped,
            records: self.engine.records(),
            suppressed: streamed.suppressed,
            suppress: match self.options.suppress {
                Suppress::Drop => "drop".into(),
                Suppress::Star => "star".into(),
            },
            starred: self.stars.records(),
            stars_failed: self.stars.failed(),
            flag: self.options.flag.clone(),
            as_recorded: plan.as_recorded(),
            seed: self.options.order.seed(),
            mapping,
            recoding: Some(self.recoded.recoding().clone()),
            combinations,
            reference: self.reference(),
            promises: self.criteria.iter().map(Criterion::words).collect(),
            attained: proved.proof.attained.iter().cloned().collect(),
            stated: self.engine.stated().clone(),
        };
        let path = folder.join(manifest::POLICY);
        transaction.write(&path, &manifest::bytes(&manifest), Readers::Owner)?;
        Ok(path)
    }

    /// Lets mappings of an earlier publication go that this one does not replace.
    fn remove_stale(&self, transaction: &mut Transaction, folder: &Path) -> Result<(), Error> {
        let (mapping, combinations) = (self.mapping(), self.combinations());
        let before = manifest::mapped(&folder.join(manifest::POLICY)).unwrap_or_default();
        let stale = before.iter().filter(|attribute| !mapping.contains_key(*attribute));
        let stale = stale.map(|attribute| manifest::mapping_file(attribute));
        let whole = combinations.is_empty().then(|| COMBINATIONS.to_owned());
        for name in stale.chain(whole).filter(|name| folder.join(name).is_file()) {
            transaction.remove(&folder.join(name))?;
        }
        Ok(())
    }

    /// What each recorded value is published as, where that does not depend on the others.
    fn mapping(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let recoder = self.recoded.recoder();
        let attribute = |(i, a): (usize, &haggle_model::QuasiIdentifier)| {
            let map = recoder.map(i)?;
            let value = |code: u32| {
                let published = recoder.label(i, map[code as usize]);
                (a.hierarchy.label(code, Level::RECORDED).to_owned(), published.to_owned())
            };
            let values = (0..a.hierarchy.matched(Level::RECORDED) as u32).map(value);
            Some((a.name.clone(), values.collect()))
        };
        self.engine.cube().attributes().iter().enumerate().filter_map(attribute).collect()
    }

    /// What each recorded combination is published as, where values depend on each other.
    fn combinations(&self) -> Vec<Combination> {
        let all = self.recoded.combinations().into_iter();
        all.map(|(recorded, published)| Combination { recorded, published }).collect()
    }

    /// How the sensitive values are spread over the input.
    fn reference(&self) -> BTreeMap<String, BTreeMap<String, u64>> {
        let spread = |facts: &haggle_privacy::Facts| {
            let counts = facts.values.values().map(str::to_owned).zip(facts.counts.clone());
            (facts.target.name.clone(), counts.collect())
        };
        self.engine.facts().iter().map(spread).collect()
    }
}

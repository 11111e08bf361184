//! What goes with a publication: the public manifest, the private one, and the values' mappings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use haggle_data::sinks::{Formulas, Rows};
use haggle_data::{Missing, OnMissing, Streamed, Suppress, Table};
use haggle_model::Level;

use super::Work;
use super::prove::Proof;
use crate::accounting::{ColumnPlan, Treatment};
use crate::atomic::Readers;
use crate::criterion::Criterion;
use crate::manifest::{
    self, Combination, Manifest, OutputFile, PrivateManifest, PublishedAttribute,
};
use crate::{Error, VERSION, atomic};

impl Work<'_> {
    /// What everybody may know of what was written.
    pub(super) fn manifest(
        &self,
        output: OutputFile,
        proof: &Proof,
        plan: &ColumnPlan,
    ) -> Manifest {
        let attribute = |(i, occurring): (usize, &BTreeSet<String>)| {
            let a = &self.engine.cube().attributes()[i];
            // A value that only suppressed records had would tell of them.
            let values = self.recoded.values(i).into_iter();
            let values = values.filter(|label| occurring.contains(*label));
            PublishedAttribute {
                name: a.name.clone(),
                level: self.recoded.levels().map(|scheme| scheme.level(i).into()),
                top: a.hierarchy.top().into(),
                values: values.map(str::to_owned).collect(),
            }
        };
        let is_published = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.into()).collect();
            proof.looks.contains(&labels)
        };
        Manifest {
            haggle: VERSION.into(),
            output,
            recoding: self.recoded.recoding().told(is_published),
            attributes: proof.occurring.iter().enumerate().map(attribute).collect(),
            sensitive: self.engine.cube().sensitive().map(|(_, w)| w.name.clone()).collect(),
            promise_over: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged: plan.named(Treatment::Unchanged),
            unit: self.project.data.unit.clone().filter(|unit| plan.as_recorded().contains(unit)),
            guarantees: proof.told.iter().cloned().collect(),
            persons: self.engine.cube().unit().is_some(),
            unmatched: self.unmatched(),
            spreadsheet_safe: self.options.formulas == Formulas::Escaped,
        }
    }

    /// The marks of missing values, if these match nothing.
    fn unmatched(&self) -> Vec<String> {
        let Missing { marks, policy } = &self.project.data.missing;
        if *policy == OnMissing::Unmatched { marks.clone() } else { Vec::new() }
    }

    /// The private manifest and a mapping for each attribute, in a folder of their own.
    pub(super) fn private(
        &self,
        folder: &Path,
        table: &Table,
        public: &Manifest,
        streamed: Streamed,
        proof: &Proof,
        plan: &ColumnPlan,
    ) -> Result<PathBuf, Error> {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let (mapping, combinations) = (self.mapping(), self.combinations());
        if !combinations.is_empty() {
            let rows = manifest::combinations_csv(&self.engine.attributes(), &combinations);
            atomic::write(&folder.join("mapping.csv"), &rows, Readers::Owner)?;
        }
        for (attribute, values) in &mapping {
            let mut rows = Rows::default();
            for (recorded, published) in values {
                rows.field(recorded);
                rows.field(published);
                rows.end();
            }
            let name = format!("mapping-{}.csv", attribute.replace(['/', '\\'], "_"));
            atomic::write(&folder.join(name), &rows.to_csv(), Readers::Owner)?;
        }
        let manifest = PrivateManifest {
            public: public.clone(),
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
            attained: proof.attained.iter().cloned().collect(),
            stated: self.engine.stated().clone(),
        };
        let path = folder.join("policy.json");
        atomic::write(&path, &manifest::bytes(&manifest), Readers::Owner)?;
        Ok(path)
    }

    /// What each recorded value is published as, where that does not depend on the others.
    fn mapping(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let recoder = self.recoder();
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

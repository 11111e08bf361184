//! A stored cube, added records and deleted ones, brought to common codes and then to those of a fresh scan.

use std::collections::BTreeMap;
use std::sync::Arc;

use haggle_cube::{Changed, CountedPart, Cube, Recode};
use haggle_data::{Scanned, Values};
use haggle_model::{
    Dictionary, Error, Hierarchy, Level, QuasiIdentifier, Silent, UNKNOWN, Watched, is_unmatched,
    unmatched,
};
use haggle_project::Project;
use haggle_project::facts::AllStated;
use haggle_project::survey::{known_as, survey_by};

/// A cube that takes changes.
pub(super) struct Merge<'a> {
    pub(super) project: &'a Project,
    pub(super) qi: Vec<String>,
    pub(super) cube: Arc<Cube>,
    /// What persons' names were made unreadable with.
    pub(super) salt: u64,
}

/// The labels of a column in all that comes together, old or added.
#[derive(Default)]
struct Labels {
    all: Dictionary,
    /// How many missing values that match nothing were met; each has a label of its own.
    apart: u64,
}

impl Labels {
    fn code(&mut self, label: &str) -> u32 {
        if !is_unmatched(label) {
            return self.all.code_or_add(label);
        }
        self.apart += 1;
        self.all.code_or_add(&unmatched(self.apart))
    }
}

impl Merge<'_> {
    /// The cube with some records added and then some deleted, and what is stated of its sensitive
    /// attributes.
    pub(super) fn merged(
        &self,
        added: Option<Scanned>,
        deleted: Option<Scanned>,
    ) -> Result<(Cube, AllStated), Error> {
        let (mut labels, recode) = self.old_labels();
        let added = added.map_or(Vec::new(), |scanned| self.added(scanned, &mut labels));
        let deleted =
            deleted.map_or(Ok(Vec::new()), |scanned| self.deleted(scanned, &mut labels))?;
        let sizes: Vec<usize> = labels.iter().map(|labels| labels.all.len()).collect();
        let recode = self.with_unknown(recode, &sizes);
        let changed = self
            .cube
            .changed(&sizes, &recode, &added, &deleted)
            .map_err(|not_there| absent(not_there.0))?;
        check_size(&changed)?;
        self.cube_of(changed, &labels)
    }

    /// The quasi-identifiers' positions come first, then those of watched attributes.
    fn quasi(&self) -> usize {
        self.qi.len()
    }

    fn is_unit(&self, column: usize) -> bool {
        self.cube.unit().is_some_and(|unit| self.quasi() + unit == column)
    }

    /// The cube's own labels, and the code of each of its codes; missing ones that match nothing are
    /// distinguished by new labels.
    fn old_labels(&self) -> (Vec<Labels>, Recode) {
        let mut all = Vec::new();
        let mut recode = Recode::new();
        let mut column = |values: &mut dyn Iterator<Item = &str>| {
            let mut labels = Labels::default();
            recode.push(values.map(|label| labels.code(label)).collect());
            all.push(labels);
        };
        for QuasiIdentifier { hierarchy, .. } in self.cube.attributes() {
            let codes = 0..hierarchy.len(Level::RECORDED) as u32;
            column(&mut codes.map(|code| hierarchy.label(code, Level::RECORDED)));
        }
        for watched in self.cube.watched() {
            column(&mut watched.values.values());
        }
        (all, recode)
    }

    /// That a record has no value is said by the code after the last.
    fn with_unknown(&self, mut recode: Recode, sizes: &[usize]) -> Recode {
        for (codes, &size) in recode.iter_mut().zip(sizes).skip(self.quasi()) {
            codes.push(size as u32);
        }
        recode
    }

    /// Added records in the common codes; new values are given codes first.
    fn added(&self, scanned: Scanned, labels: &mut [Labels]) -> Vec<CountedPart> {
        let mut apart: Vec<BTreeMap<String, u32>> = Vec::new();
        for (column, labels) in labels.iter_mut().enumerate() {
            let values = scanned.values(column);
            for value in values.dictionary.values().filter(|value| *value != UNKNOWN) {
                labels.all.code_or_add(&self.label(column, value));
            }
            let own = values.unmatched().map(|label| (label.clone(), labels.code(&label)));
            apart.push(own.collect());
        }
        let labels: &[Labels] = labels;
        scanned.into_parts(|column, value| {
            let own = apart[column].get(value).copied();
            own.or_else(|| labels[column].all.code(&self.label(column, value)))
                .unwrap_or(labels[column].all.len() as u32)
        })
    }

    /// Deleted records in the common codes. A value that nobody has is given a code: then the record is
    /// not there.
    fn deleted(&self, scanned: Scanned, labels: &mut [Labels]) -> Result<Vec<CountedPart>, Error> {
        for (column, labels) in labels.iter_mut().enumerate() {
            let values = scanned.values(column);
            if column < self.quasi() && !values.missing.is_empty() {
                let what = format!(
                    "a record to delete has no '{}', and missing values match nothing",
                    self.qi[column]
                );
                let fix = "delete it from the data, and build the lattice again";
                return Err(Error::new(what, fix));
            }
            for value in values.dictionary.values().filter(|value| *value != UNKNOWN) {
                labels.all.code_or_add(&self.label(column, value));
            }
        }
        let labels: &[Labels] = labels;
        Ok(scanned.into_parts(|column, value| {
            let code = labels[column].all.code(&self.label(column, value));
            code.unwrap_or(labels[column].all.len() as u32)
        }))
    }

    /// What a value is counted as: persons by what is kept of their names.
    fn label(&self, column: usize, value: &str) -> String {
        if self.is_unit(column) { known_as(value, self.salt) } else { value.to_owned() }
    }

    /// The cube over hierarchies of just the values that are left, as a scan of them would have it.
    fn cube_of(&self, changed: Changed, labels: &[Labels]) -> Result<(Cube, AllStated), Error> {
        let occurring = changed.occurring();
        let left: Vec<Left> =
            labels.iter().zip(&occurring).map(|(l, occurs)| Left::new(l, occurs)).collect();
        let names: Vec<String> = self.cube.watched().iter().map(|w| w.name.clone()).collect();
        let values = left.iter().map(|left| left.values.clone()).collect();
        let scanned = Scanned::known(values, names);
        let survey = survey_by(self.project, &self.qi, &Silent, |_, _| Ok(scanned))?;
        let watched: Vec<Watched> = survey.scanned.watched();
        let quasi = self.quasi();
        let code = |column: usize, label: &str| match survey.attributes.get(column) {
            Some(QuasiIdentifier { hierarchy, .. }) => Hierarchy::code(hierarchy, label),
            None => watched[column - quasi].values.code(label),
        };
        let mut recode: Recode = left
            .iter()
            .enumerate()
            .map(|(i, left)| left.labels.iter().map(|l| code(i, l).unwrap_or(0)).collect())
            .collect();
        for (codes, watched) in recode[quasi..].iter_mut().zip(&watched) {
            codes.push(watched.values.len() as u32);
        }
        let cube = changed.into_cube(survey.attributes, watched, &recode);
        Ok((cube, survey.stated))
    }
}

/// Some records must be left.
fn check_size(changed: &Changed) -> Result<(), Error> {
    match changed.records() {
        0 => Err(Error::new("no record would be left", "delete fewer records")),
        _ => Ok(()),
    }
}

/// The values of a column that are left, and for each code of before the label that it has now.
struct Left {
    values: Values,
    labels: Vec<String>,
}

impl Left {
    fn new(labels: &Labels, occurs: &[bool]) -> Self {
        let mut dictionary = Dictionary::default();
        let mut missing = Vec::new();
        let label = |(label, occurs): (&str, &bool)| match (occurs, is_unmatched(label)) {
            (false, _) => String::new(),
            (true, false) => {
                dictionary.code_or_add(label);
                label.to_owned()
            }
            (true, true) => {
                missing.push(missing.len() as u64 + 1);
                unmatched(missing.len() as u64)
            }
        };
        let labels = labels.all.values().zip(occurs).map(label).collect();
        let dictionary = dictionary.sorted();
        let first_line = vec![1; dictionary.len()];
        Self { values: Values { dictionary, first_line, missing }, labels }
    }
}

/// This many records cannot be deleted.
pub(super) fn absent(records: u64) -> Error {
    let are = if records == 1 { "is" } else { "are" };
    let what = format!("{records} of the records to delete {are} not there");
    Error::new(
        what,
        "delete only records that were counted, and each at most as often; nothing was changed",
    )
}

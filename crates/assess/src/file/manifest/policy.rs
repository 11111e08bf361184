//! What a private manifest fixes, so that the same can be published again.

use std::collections::BTreeSet;

use haggle_api::{Ask, Choice};
use haggle_data::Suppress;
use haggle_data::sinks::Formulas;
use haggle_model::{Recoding, Scheme};

use super::{Manifest, PrivateManifest};

impl PrivateManifest {
    /// The quasi-identifiers, in the order of the scheme's levels.
    pub fn quasi_identifiers(&self) -> Vec<String> {
        self.public.attributes.iter().map(|attribute| attribute.name.clone()).collect()
    }

    /// What was applied.
    pub fn recoding(&self) -> &Recoding {
        self.recoding.as_ref().unwrap_or(&self.public.recoding)
    }

    /// The scheme that was applied, if it was one.
    pub fn scheme(&self) -> Option<&Scheme> {
        match self.recoding() {
            Recoding::Levels { scheme } => Some(scheme),
            _ => None,
        }
    }

    /// The published columns: quasi-identifiers, unchanged columns, and sensitive attributes that are
    /// not in a table of their own.
    pub fn columns(&self) -> Vec<String> {
        let Manifest { attributes, unchanged, sensitive, anatomy, .. } = &self.public;
        let quasi_identifiers = attributes.iter().map(|attribute| &attribute.name);
        let sensitive = sensitive.iter().filter(|_| anatomy.is_none());
        let columns: BTreeSet<&String> =
            quasi_identifiers.chain(unchanged).chain(sensitive).collect();
        columns.into_iter().cloned().collect()
    }

    /// Returns the choice that publishes the same again.
    pub fn choice(&self) -> Choice {
        match self.public.anatomy {
            Some(_) => Choice::Anatomy,
            None => Choice::Repeat(self.recoding().clone()),
        }
    }

    /// The thresholds that were promised, and the limit on suppression that was enforced.
    pub fn thresholds(&self) -> Ask {
        let Ask { privacy, max_suppressed, .. } = self.asked.clone();
        Ask { privacy, max_suppressed, ..Ask::default() }
    }

    /// What each recorded value was published as, all attributes in one CSV file.
    pub fn mapping_csv(&self) -> Vec<u8> {
        if !self.combinations.is_empty() {
            let names: Vec<&str> = self.public.attributes.iter().map(|a| a.name.as_str()).collect();
            return super::combinations_csv(&names, &self.combinations);
        }
        let mut rows = haggle_data::sinks::TextRows::default();
        let mut row = |fields: [&str; 3]| {
            for field in fields {
                rows.field(field);
            }
            rows.end();
        };
        row(["attribute", "recorded", "published"]);
        for (attribute, values) in &self.mapping {
            for (recorded, published) in values {
                row([attribute, recorded, published]);
            }
        }
        rows.to_csv()
    }

    /// What was done with text that spreadsheets take for formulas.
    pub fn formulas(&self) -> Formulas {
        if self.public.spreadsheet_safe { Formulas::Escaped } else { Formulas::Unchanged }
    }

    /// What was asked to be done with suppressed records.
    pub fn suppress(&self) -> Suppress {
        if self.suppress == "star" { Suppress::Star } else { Suppress::Drop }
    }
}

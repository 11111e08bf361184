//! Which columns are published, from what was counted.

use haggle_api::{Amount, ColumnAccount, ColumnPlan, DropReason, Treatment};
use haggle_model::Hierarchy;
use haggle_model::numerals::grouped;
use haggle_project::meaning;

use super::profiler::ProfileLayout;
use super::shadow::determines;
use super::subject::{Standing, TableColumn};
use super::tally::ColumnTally;

/// What is decided on.
pub(crate) struct Decision<'a> {
    /// The columns of the table.
    pub(crate) subjects: &'a [TableColumn],
    pub(crate) layout: &'a ProfileLayout,
    pub(crate) tally: &'a ColumnTally,
    /// The attributes of which less is published than was recorded, as in the layout.
    pub(crate) hidden: Vec<Hidden<'a>>,
    /// Whether a column is published with other values than the recorded ones.
    pub(crate) is_mapped: &'a dyn Fn(&str) -> bool,
    pub(crate) k: u64,
    /// How many records unchanged columns may single out.
    pub(crate) max_below_k: Amount,
}

/// An attribute that is generalized or dropped.
pub(crate) struct Hidden<'a> {
    pub(crate) name: &'a str,
    /// None if it is not negotiated, so that only recorded values are known.
    pub(crate) hierarchy: Option<&'a Hierarchy>,
}

/// A reason to drop a column, in words.
struct Reason {
    kind: DropReason,
    words: String,
}

impl Reason {
    fn new(kind: DropReason, words: impl Into<String>) -> Self {
        Self { kind, words: words.into() }
    }
}

/// What becomes of every column.
pub(crate) fn decide(decision: &Decision<'_>) -> ColumnPlan {
    let mut reasons: Vec<Option<Reason>> =
        (0..decision.subjects.len()).map(|column| decision.alone(column)).collect();
    decision.together(&mut reasons);
    let columns = reasons.into_iter().enumerate().map(|(i, reason)| decision.account(i, reason));
    let columns: Vec<ColumnAccount> = columns.collect();
    let notes = columns.iter().enumerate().filter_map(|(i, account)| decision.note(i, account));
    ColumnPlan {
        k: decision.k,
        max_below_k: decision.allowed(),
        records: decision.tally.records,
        notes: notes.collect(),
        columns,
    }
}

impl Decision<'_> {
    fn allowed(&self) -> u64 {
        self.max_below_k.of(self.tally.records)
    }

    fn below(&self, column: usize) -> u64 {
        self.tally.columns[column].below(self.k)
    }

    /// Why a column is dropped whatever the others are.
    fn alone(&self, column: usize) -> Option<Reason> {
        let subject = &self.subjects[column];
        match subject.standing {
            Standing::Negotiated(_) | Standing::Sensitive => None,
            Standing::Identifier => {
                Some(Reason::new(DropReason::Identifier, "it is an identifier"))
            }
            Standing::Separate => {
                let words = "it is sensitive, and quasi-identifiers are published exactly";
                Some(Reason::new(DropReason::Separate, words))
            }
            Standing::Person => Some(Reason::new(DropReason::Person, "it names the persons")),
            Standing::NotNegotiated => {
                let words = "it is a quasi-identifier that this request does not negotiate";
                Some(Reason::new(DropReason::NotNegotiated, words))
            }
            Standing::Other if !subject.is_readable => {
                Some(Reason::new(DropReason::Unreadable, "values of its type cannot be read"))
            }
            Standing::Other => named_like_identifier(subject)
                .or_else(|| self.nearly_unique(column))
                .or_else(|| self.shadow(column)),
        }
    }

    fn nearly_unique(&self, column: usize) -> Option<Reason> {
        let below = self.below(column);
        let free = self.free(column)?;
        let words = if below > self.allowed() {
            format!("it is nearly unique: {}", self.shared_by_few(below))
        } else if self.tally.given_up[free] {
            "it has too many different values to be checked within the memory allowed".into()
        } else {
            return None;
        };
        Some(Reason::new(DropReason::NearlyUnique, words))
    }

    fn shared_by_few(&self, below: u64) -> String {
        let number = |n: u64| grouped(n as f64, 0);
        let (below, records) = (number(below), number(self.tally.records));
        format!("{below} of {records} records have a value that fewer than {} share", self.k)
    }

    fn shadow(&self, column: usize) -> Option<Reason> {
        let free = self.free(column)?;
        let attributes = self.hidden.iter().enumerate();
        let mut attributes =
            attributes.filter(|(i, a)| determines(self.tally.links(free, *i), a.hierarchy, self.k));
        let (_, attribute) = attributes.next()?;
        let name = attribute.name;
        let words = match attribute.hierarchy {
            Some(_) => format!("it determines a finer value of {name} than is published"),
            None => format!("it determines the value of {name}, which is dropped"),
        };
        Some(Reason::new(DropReason::Shadow, words))
    }

    /// The position of a column among the free ones, which are in the order of the table.
    fn free(&self, column: usize) -> Option<usize> {
        self.layout.free.binary_search(&column).ok()
    }

    /// Takes columns one by one, those that are named first and then in the order of the table, and
    /// drops one that singles out too many records together with those taken before. One that is
    /// named and singles out too many is published, but does not count for the others: it would
    /// have all of them dropped.
    fn together(&self, reasons: &mut [Option<Reason>]) {
        let named = |column: &usize| self.subjects[*column].as_recorded;
        let columns = || self.layout.free.iter().copied();
        let mut kept = self.tally.together();
        for column in columns().filter(named).chain(columns().filter(|column| !named(column))) {
            let free = self.free(column).expect("the column is free");
            let is_dropped = reasons[column].is_some() && !named(&column);
            if is_dropped || self.tally.given_up[free] {
                continue;
            }
            let with = kept.with(free);
            let below = with.below(self.k);
            if below > self.allowed() {
                reasons[column].get_or_insert_with(|| self.nearly_unique_together(below));
            } else {
                kept = with;
            }
        }
    }

    fn nearly_unique_together(&self, below: u64) -> Reason {
        let words = format!(
            "together with the other unchanged columns it is nearly unique: {}",
            self.shared_by_few(below).replace("a value that", "values that")
        );
        Reason::new(DropReason::NearlyUniqueTogether, words)
    }

    fn account(&self, column: usize, reason: Option<Reason>) -> ColumnAccount {
        let subject = &self.subjects[column];
        let crowds = &self.tally.columns[column];
        let treatment = match subject.standing {
            Standing::Negotiated(_) => Treatment::Generalized,
            Standing::Sensitive if (self.is_mapped)(&subject.name) => Treatment::Generalized,
            _ if reason.is_none() || subject.as_recorded => Treatment::Unchanged,
            _ => Treatment::Dropped,
        };
        ColumnAccount {
            name: subject.name.clone(),
            role: subject.role,
            listed: subject.listed,
            treatment,
            as_recorded: subject.as_recorded && treatment == Treatment::Unchanged,
            reason: reason.as_ref().map(|reason| reason.kind),
            explanation: reason.map(|reason| reason.words),
            unique: crowds.below(2),
            below_k: crowds.below(self.k),
            estimated: crowds.is_estimate(),
        }
    }

    /// What the curator should know of a column that is published.
    fn note(&self, column: usize, account: &ColumnAccount) -> Option<String> {
        let (subject, name) = (&self.subjects[column], &account.name);
        if account.treatment == Treatment::Dropped {
            return None;
        }
        if subject.standing == Standing::Sensitive && account.below_k > self.allowed() {
            let few = self.shared_by_few(account.below_k);
            return Some(format!(
                "'{name}' is sensitive, and its values alone single people out: {few}."
            ));
        }
        if let (true, Some(why)) = (account.as_recorded, &account.explanation) {
            return Some(format!("'{name}' is published as recorded because it is named; {why}."));
        }
        let suspicion = subject.suspicion(&self.tally.shapes[column])?;
        Some(format!(
            "'{name}' is published unchanged; the project does not list it, and {suspicion}."
        ))
    }
}

impl TableColumn {
    /// What kind of identifier the name of a column suggests that the project does not list.
    pub(super) fn suggested_identifier(&self) -> Option<&'static str> {
        let meaning = meaning::of_name(&self.name).filter(|_| !self.listed)?;
        (meaning.role == haggle_model::Role::Identifier).then_some(meaning.what)
    }

    /// Why a column that the project does not list may be more than insensitive.
    pub(super) fn suspicion(&self, shape: &haggle_data::Shape) -> Option<String> {
        if self.listed || self.as_recorded || self.standing != Standing::Other {
            return None;
        }
        if shape.is_date() {
            return Some("its values are dates".into());
        }
        let meaning = meaning::of_name(&self.name)?;
        Some(format!("its name suggests {}", meaning.what))
    }
}

fn named_like_identifier(subject: &TableColumn) -> Option<Reason> {
    let what = subject.suggested_identifier()?;
    let words = format!("the project does not list it, and its name suggests {what}");
    Some(Reason::new(DropReason::NamedLikeIdentifier, words))
}

#[cfg(test)]
#[path = "../../tests/unit/decide.rs"]
mod tests;

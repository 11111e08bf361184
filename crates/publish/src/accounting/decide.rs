//! Which columns are published, from what was counted.

use haggle_api::{Amount, ColumnAccount, ColumnPlan, DropReason, KeptBy, Treatment};
use haggle_assess::column_counts::{ColumnTally, ProfileLayout};
use haggle_inference::shadows::{Hidden, PublishedCandidate, Quality, Shadow, ShadowSearch};
use haggle_model::Progress;
use haggle_model::numerals::grouped;
use haggle_project::meaning;

use super::subject::{Standing, TableColumn};

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
    /// How many records these and the published quasi-identifiers may single out.
    pub(crate) max_below_k_jointly: Amount,
    /// The only columns that may be published, where a policy fixes them.
    pub(crate) fixed: Option<&'a [String]>,
    /// Can end the search for columns that determine others.
    pub(crate) progress: &'a dyn Progress,
}

/// A reason to drop a column, in words.
struct Reason {
    kind: DropReason,
    words: String,
    /// What would keep it.
    kept_by: Option<KeptBy>,
}

impl Reason {
    fn new(kind: DropReason, words: impl Into<String>) -> Self {
        let kept_by = match kind {
            DropReason::Identifier
            | DropReason::Unreadable
            | DropReason::Separate
            | DropReason::NotInPolicy => None,
            DropReason::NamedLikeIdentifier => Some(KeptBy::Role),
            _ => Some(KeptBy::AsRecorded),
        };
        Self { kind, words: words.into(), kept_by }
    }

    /// Adds whether the column would stay if it came before others.
    fn kept_first(self, would_stay: bool) -> Self {
        if would_stay { Self { kept_by: Some(KeptBy::Keep), ..self } } else { self }
    }
}

/// What becomes of every column.
pub(crate) fn decide(decision: &Decision<'_>) -> ColumnPlan {
    let mut reasons: Vec<Option<Reason>> =
        (0..decision.subjects.len()).map(|column| decision.alone(column)).collect();
    let shadows = decision.shadows(&reasons);
    let jointly = decision.jointly();
    let below_k_jointly = decision.together(&mut reasons, &shadows, &jointly);
    let columns = reasons.into_iter().zip(jointly).enumerate();
    let columns: Vec<ColumnAccount> =
        columns.map(|(i, (reason, jointly))| decision.account(i, reason, jointly)).collect();
    let notes = columns.iter().enumerate().filter_map(|(i, account)| decision.note(i, account));
    let notes = notes.chain(decision.notes_on_shadows(&shadows, &columns));
    ColumnPlan {
        k: decision.k,
        max_below_k: decision.allowed(),
        max_below_k_jointly: decision.allowed_jointly(),
        below_k_jointly,
        records: decision.tally.records,
        notes: notes.collect(),
        columns,
    }
}

impl Decision<'_> {
    fn allowed(&self) -> u64 {
        self.max_below_k.of(self.tally.records)
    }

    fn allowed_jointly(&self) -> u64 {
        self.max_below_k_jointly.of(self.tally.records)
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
            Standing::Other => self
                .not_in_policy(subject)
                .or_else(|| named_like_identifier(subject))
                .or_else(|| self.nearly_unique(column)),
        }
    }

    fn not_in_policy(&self, subject: &TableColumn) -> Option<Reason> {
        let is_fixed = self.fixed.is_none_or(|fixed| fixed.contains(&subject.name));
        let words = "the policy does not publish it";
        (!is_fixed).then(|| Reason::new(DropReason::NotInPolicy, words))
    }

    fn nearly_unique(&self, column: usize) -> Option<Reason> {
        let below = self.below(column);
        let words = if below > self.allowed() {
            format!("it is nearly unique: {}", self.shared_by_few(below, "a value that"))
        } else if self.free(column).is_some_and(|free| self.tally.given_up[free]) {
            "it has too many different values to be checked within the memory allowed".into()
        } else {
            return None;
        };
        Some(Reason::new(DropReason::NearlyUnique, words))
    }

    /// "29 of 100 records have a value that fewer than 5 share".
    fn shared_by_few(&self, below: u64, values: &str) -> String {
        let number = |n: u64| grouped(n as f64, 0);
        let (below, records) = (number(below), number(self.tally.records));
        format!("{below} of {records} records have {values} fewer than {} share", self.k)
    }

    /// The position of a column among the free ones, which are in the order of the table.
    fn free(&self, column: usize) -> Option<usize> {
        self.layout.free.binary_search(&column).ok()
    }

    /// The columns that determine more of an attribute than is published, among those that would be
    /// published but for this.
    fn shadows(&self, reasons: &[Option<Reason>]) -> Vec<Shadow> {
        let candidate = |column: &usize| {
            let subject = &self.subjects[*column];
            subject.is_published_anyway() || (subject.is_free() && reasons[*column].is_none())
        };
        let mut columns: Vec<usize> = (0..self.subjects.len()).filter(candidate).collect();
        columns.sort_by_key(|&column| &self.subjects[column].name);
        let candidate = |column: usize| {
            let subject = &self.subjects[column];
            let is_negotiated = matches!(subject.standing, Standing::Negotiated(_));
            PublishedCandidate { column, is_negotiated, is_free: subject.is_free() }
        };
        let search = ShadowSearch {
            sample: &self.tally.sample,
            candidates: columns.into_iter().map(candidate).collect(),
            hidden: &self.hidden,
            fields: &self.layout.hidden,
            progress: self.progress,
        };
        search.shadows()
    }

    /// By column, how many records fall below k over it and the published quasi-identifiers.
    fn jointly(&self) -> Vec<Option<u64>> {
        let quasi_identifiers = self.tally.joint();
        let jointly = |column: usize| {
            let free = self.free(column).filter(|&free| !self.tally.given_up[free])?;
            Some(quasi_identifiers.with(free).below(self.k))
        };
        (0..self.subjects.len()).map(jointly).collect()
    }

    /// Takes free columns one by one and drops one that undoes what is published so far: those that
    /// the project wants to be kept come first, then those that the request names, then by how many
    /// records each singles out together with the quasi-identifiers. Columns that are published
    /// whatever they single out are not counted: they would have all others dropped. Returns how
    /// many records fall below k over what is kept and the quasi-identifiers.
    fn together(
        &self,
        reasons: &mut [Option<Reason>],
        shadows: &[Shadow],
        jointly: &[Option<u64>],
    ) -> u64 {
        let mut is_published: Vec<bool> =
            self.subjects.iter().map(TableColumn::is_published_anyway).collect();
        for column in (0..reasons.len()).filter(|&column| self.subjects[column].as_recorded) {
            let alone = shadows.iter().find(|shadow| shadow.columns == [column]);
            if let Some(shadow) = alone.filter(|_| reasons[column].is_none()) {
                reasons[column] = Some(self.shadow(column, shadow));
            }
        }
        let (mut unchanged, mut joint) = (self.tally.unchanged(), self.tally.joint());
        for column in self.order(reasons, jointly) {
            let Some(free) = self.free(column) else { continue };
            let (with, with_all) = (unchanged.with(free), joint.with(free));
            let shadow = shadows.iter().find(|shadow| completes(shadow, column, &is_published));
            let would_stay = jointly[column].is_some_and(|below| below <= self.allowed_jointly());
            let reason = shadow
                .map(|shadow| self.shadow(column, shadow))
                .or_else(|| self.unique_together(with.below(self.k)))
                .or_else(|| self.unique_jointly(with_all.below(self.k), jointly[column]))
                .map(|reason| {
                    let is_alone = shadow.is_some_and(|shadow| shadow.columns.len() == 1);
                    reason.kept_first(would_stay && !is_alone)
                });
            if reason.is_none() {
                (unchanged, joint) = (with, with_all);
                is_published[column] = true;
            }
            reasons[column] = reason;
        }
        joint.below(self.k)
    }

    /// The free columns without a reason to drop them yet, those to be kept first at the front.
    fn order(&self, reasons: &[Option<Reason>], jointly: &[Option<u64>]) -> Vec<usize> {
        let open = self.layout.free.iter().copied().filter(|&column| reasons[column].is_none());
        let mut columns: Vec<usize> = open.collect();
        columns.sort_by_key(|&column| {
            let subject = &self.subjects[column];
            (subject.rank, jointly[column], &subject.name)
        });
        columns
    }

    fn unique_together(&self, below: u64) -> Option<Reason> {
        (below > self.allowed()).then(|| {
            let few = self.shared_by_few(below, "values that");
            let words = "together with the other unchanged columns it is nearly unique";
            Reason::new(DropReason::NearlyUniqueTogether, format!("{words}: {few}"))
        })
    }

    /// `alone` is how many fall below k without the other unchanged columns.
    fn unique_jointly(&self, below: u64, alone: Option<u64>) -> Option<Reason> {
        let is_alone = alone.is_some_and(|alone| alone > self.allowed_jointly());
        let others = if is_alone { "" } else { " and the other unchanged columns" };
        let about = if self.tally.joint_is_estimate() { "about " } else { "" };
        (below > self.allowed_jointly()).then(|| {
            let few = self.shared_by_few(below, "values that");
            let with = format!("together with the quasi-identifiers{others}");
            let words = format!("{with} it singles out too many: {about}{few}");
            Reason::new(DropReason::NearlyUniqueJointly, words)
        })
    }

    /// Why a column is dropped that completes a shadow.
    fn shadow(&self, column: usize, shadow: &Shadow) -> Reason {
        let others = shadow.columns.iter().filter(|&&other| other != column);
        let others: Vec<&str> = others.map(|&other| self.subjects[other].name.as_str()).collect();
        let with = match others.as_slice() {
            [] => String::new(),
            others => format!("together with {} ", others.join(" and ")),
        };
        let words = format!("{with}it determines {}", self.determined(shadow));
        Reason::new(DropReason::Shadow, words)
    }

    /// "a finer value of age than is published".
    fn determined(&self, shadow: &Shadow) -> String {
        let Hidden { name, hierarchy } = &self.hidden[shadow.attribute];
        match hierarchy {
            Some(_) => format!("a finer value of {name} than is published"),
            None => format!("the value of {name}, which is dropped"),
        }
    }

    fn account(
        &self,
        column: usize,
        reason: Option<Reason>,
        below_k_jointly: Option<u64>,
    ) -> ColumnAccount {
        let subject = &self.subjects[column];
        let crowds = &self.tally.columns[column];
        let treatment = match subject.standing {
            Standing::Negotiated(_) => Treatment::Generalized,
            Standing::Sensitive if (self.is_mapped)(&subject.name) => Treatment::Generalized,
            _ if reason.is_none() || subject.as_recorded => Treatment::Unchanged,
            _ => Treatment::Dropped,
        };
        let is_dropped = treatment == Treatment::Dropped;
        ColumnAccount {
            name: subject.name.clone(),
            role: subject.role,
            listed: subject.listed,
            treatment,
            as_recorded: subject.as_recorded && treatment == Treatment::Unchanged,
            reason: reason.as_ref().map(|reason| reason.kind),
            kept_by: reason.as_ref().and_then(|reason| reason.kept_by).filter(|_| is_dropped),
            explanation: reason.map(|reason| reason.words),
            unique: crowds.below(2),
            below_k: crowds.below(self.k),
            below_k_jointly,
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
            let few = self.shared_by_few(account.below_k, "a value that");
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

    /// What the curator should know of columns that are published although they determine more of an
    /// attribute than is published. One that is named is noted by itself.
    fn notes_on_shadows(&self, shadows: &[Shadow], accounts: &[ColumnAccount]) -> Vec<String> {
        let is_published = |shadow: &&Shadow| {
            let columns = || shadow.columns.iter().map(|&column| &accounts[column]);
            let is_noted = shadow.columns.len() == 1 && columns().all(|one| one.as_recorded);
            !is_noted && columns().all(|one| one.treatment != Treatment::Dropped)
        };
        shadows.iter().filter(is_published).map(|shadow| self.note_on_shadow(shadow)).collect()
    }

    fn note_on_shadow(&self, shadow: &Shadow) -> String {
        let name = |&column: &usize| match &self.subjects[column] {
            TableColumn { name, standing: Standing::Sensitive, .. } => {
                format!("'{name}' (sensitive)")
            }
            TableColumn { name, .. } => format!("'{name}'"),
        };
        let names = shadow.columns.iter().map(name).collect::<Vec<_>>().join(" and ");
        let determine = match shadow.columns.len() {
            1 => "determines",
            _ => "together determine",
        };
        let percent = |share: f64| grouped(100.0 * share, 1);
        let how = match shadow.quality {
            Quality::Records(share) => format!("for {} % of the records", percent(share)),
            Quality::Variance(share) => {
                format!("as numbers, with {} % of its variation", percent(share))
            }
        };
        format!("{names} {determine} {}, {how}.", self.determined(shadow))
    }
}

/// Whether a shadow is published once this column is.
fn completes(shadow: &Shadow, column: usize, is_published: &[bool]) -> bool {
    let others = || shadow.columns.iter().filter(|&&other| other != column);
    shadow.columns.contains(&column) && others().all(|&other| is_published[other])
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

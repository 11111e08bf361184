//! What a column is before anything is counted: its role in the project and in the request.

use haggle_api::Ask;
use haggle_cube::query::Condition;
use haggle_data::Table;
use haggle_model::Role;
use haggle_project::Project;
use rustc_hash::{FxHashMap, FxHashSet};

/// How a column stands to the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The request negotiates it; its position among the quasi-identifiers.
    Negotiated(usize),
    /// A quasi-identifier of the project that the request leaves out.
    NotNegotiated,
    Sensitive,
    /// A sensitive attribute that is not in the table with the quasi-identifiers.
    Separate,
    Identifier,
    /// It names the persons.
    Person,
    /// Insensitive, or not listed.
    Other,
}

/// A column of the table.
#[derive(Debug, Clone)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Whether the project lists it.
    pub(crate) listed: bool,
    pub(crate) standing: Standing,
    /// Whether it is named to be published as recorded.
    pub(crate) as_recorded: bool,
    /// Which columns are kept before it.
    pub(crate) rank: KeepRank,
    /// Whether its type can be read.
    pub(crate) is_readable: bool,
}

/// Which columns are kept first, by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeepRank {
    /// The project wants it to be kept; its position among those columns.
    Wanted(usize),
    /// The request names it: a measure, a workload of queries or a model.
    Asked,
    /// Nothing names it.
    Unnamed,
}

/// The columns that a request names: in its thresholds, its measure and that one's queries.
fn asked_columns(ask: &Ask) -> FxHashSet<String> {
    let mut names: FxHashSet<String> = ask.privacy.iter().filter_map(|p| p.on.clone()).collect();
    if let Some(spec) = &ask.optimize {
        names.extend(spec.on.iter().chain(&spec.over).chain(spec.weights.keys()).cloned());
        let queries = spec.workload.iter().filter_map(|file| file.conditions.as_ref()).flatten();
        for condition in queries.filter_map(|query| query.parse::<Condition>().ok()) {
            names.extend(condition.columns().into_iter().map(String::from));
        }
    }
    names
}

/// What the project and the request say of columns, by name: tables have many of them.
pub(crate) struct Statements<'a> {
    table: &'a Table,
    roles: FxHashMap<&'a str, Role>,
    person: Option<&'a str>,
    /// The position of each attribute that the request negotiates.
    negotiated: FxHashMap<&'a str, usize>,
    as_recorded: FxHashSet<&'a str>,
    /// The position of each column among those that the project wants to be kept.
    keep: FxHashMap<&'a str, usize>,
    /// The columns that the request names.
    asked: FxHashSet<String>,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(
        project: &'a Project,
        table: &'a Table,
        qi: &[&'a str],
        as_recorded: &'a [String],
        ask: &Ask,
    ) -> Self {
        let roles = project.attributes.iter().map(|stated| (stated.name.as_str(), stated.role));
        Self {
            table,
            // The first counts, as everywhere.
            roles: roles.rev().collect(),
            person: project.data.unit.as_deref(),
            negotiated: qi.iter().copied().zip(0..).collect(),
            as_recorded: as_recorded.iter().map(String::as_str).collect(),
            keep: project.publish.keep.iter().map(String::as_str).zip(0..).collect(),
            asked: asked_columns(ask),
        }
    }

    fn rank(&self, name: &str) -> KeepRank {
        match self.keep.get(name) {
            Some(&position) => KeepRank::Wanted(position),
            None if self.asked.contains(name) => KeepRank::Asked,
            None => KeepRank::Unnamed,
        }
    }

    /// What is stated of a column.
    pub(crate) fn subject(&self, name: &str) -> TableColumn {
        let stated = self.roles.get(name).copied();
        let role = stated.unwrap_or(Role::Insensitive);
        let standing = match (self.negotiated.get(name), role) {
            (Some(&position), _) => Standing::Negotiated(position),
            _ if self.person == Some(name) => Standing::Person,
            (None, Role::QuasiIdentifier) => Standing::NotNegotiated,
            (None, Role::Sensitive) => Standing::Sensitive,
            (None, Role::Identifier) => Standing::Identifier,
            (None, Role::Insensitive) => Standing::Other,
        };
        let as_recorded = self.as_recorded.contains(name);
        let column = self.table.column(name);
        let is_readable = column.is_some_and(|column| self.table.is_readable(column));
        let rank = self.rank(name);
        // The project lists what it wants to be kept.
        let listed = stated.is_some() || matches!(rank, KeepRank::Wanted(_));
        let name = name.to_owned();
        TableColumn { name, role, listed, standing, as_recorded, rank, is_readable }
    }
}

impl TableColumn {
    /// Whether it is a quasi-identifier that is dropped, or a sensitive attribute in a table of its
    /// own.
    pub(crate) fn is_dropped_quasi_identifier(&self) -> bool {
        let is_hidden = match self.standing {
            Standing::Separate => true,
            Standing::NotNegotiated => !self.as_recorded,
            _ => false,
        };
        is_hidden && self.is_readable
    }

    /// Whether it is published unchanged unless it singles people out.
    pub(crate) fn is_free(&self) -> bool {
        self.standing == Standing::Other && self.is_readable && !self.as_recorded
    }

    /// Whether it is published for what it is, or because it is named, whatever it singles out.
    pub(crate) fn is_published_anyway(&self) -> bool {
        let is_published = match self.standing {
            Standing::Negotiated(_) | Standing::Sensitive => true,
            Standing::Separate => false,
            _ => self.as_recorded,
        };
        is_published && self.is_readable
    }
}

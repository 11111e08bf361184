//! What a column is before anything is counted: its role in the project and in the request.

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
    /// Whether its type can be read.
    pub(crate) is_readable: bool,
}

/// What the project and the request say of columns, by name: tables have many of them.
pub(crate) struct Statements<'a> {
    table: &'a Table,
    roles: FxHashMap<&'a str, Role>,
    person: Option<&'a str>,
    /// The position of each attribute that the request negotiates.
    negotiated: FxHashMap<&'a str, usize>,
    as_recorded: FxHashSet<&'a str>,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(
        project: &'a Project,
        table: &'a Table,
        qi: &[&'a str],
        as_recorded: &'a [String],
    ) -> Self {
        let roles = project.attributes.iter().map(|stated| (stated.name.as_str(), stated.role));
        Self {
            table,
            // The first counts, as everywhere.
            roles: roles.rev().collect(),
            person: project.data.unit.as_deref(),
            negotiated: qi.iter().copied().zip(0..).collect(),
            as_recorded: as_recorded.iter().map(String::as_str).collect(),
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
        let (name, listed) = (name.to_owned(), stated.is_some());
        TableColumn { name, role, listed, standing, as_recorded, is_readable }
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

    /// Whether it is published unchanged unless its values single people out, or because it is
    /// named.
    pub(crate) fn is_free(&self) -> bool {
        match self.standing {
            Standing::Negotiated(_) | Standing::Sensitive | Standing::Separate => false,
            Standing::Other => true,
            Standing::NotNegotiated | Standing::Identifier | Standing::Person => self.as_recorded,
        }
    }
}
